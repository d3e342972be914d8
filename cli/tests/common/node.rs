//! Node and the client that everybody uses, installed once beside the build.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use super::house::{ADMIN, House};

const SCRIPTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/socketio");

/// The directory of the build where the packages that the lock file names are
/// installed.
pub fn packages() -> &'static Path {
    static PACKAGES: OnceLock<PathBuf> = OnceLock::new();
    PACKAGES.get_or_init(|| {
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("socketio");
        let read = |path: PathBuf| std::fs::read_to_string(path).unwrap_or_default();
        let wanted = read(Path::new(SCRIPTS).join("package-lock.json"));
        // Written last: a directory that bears it is complete.
        let stamp = place.join("installed");
        if read(stamp.clone()) != wanted {
            std::fs::create_dir_all(&place).expect("a directory for the packages");
            for file in ["package.json", "package-lock.json"] {
                let copied = std::fs::copy(Path::new(SCRIPTS).join(file), place.join(file));
                copied.expect("the lists of packages");
            }
            let mut install = Command::new("npm");
            install.args(["ci", "--no-audit", "--no-fund"]).current_dir(&place);
            let done = install.output().expect(
                "this test needs node and npm: it plays with the real socket.io-client from npm",
            );
            assert!(
                done.status.success(),
                "npm ci failed in {}:\n{}",
                place.display(),
                String::from_utf8_lossy(&done.stderr)
            );
            std::fs::write(stamp, wanted).expect("the stamp");
        }
        place
    })
}

/// Plays a scenario against a house: `FILE.NAME`.
#[track_caller]
pub fn node(house: &mut House, scenario: &str) {
    let (file, name) = scenario.split_once('.').expect("a file and a name");
    let mut child = Command::new("node")
        .arg(Path::new(SCRIPTS).join("run.js"))
        .args([file, name])
        .env("NODE_PATH", packages().join("node_modules"))
        .env("PARLOR_URL", format!("http://{}", house.address))
        .env("PARLOR_ADMIN", ADMIN)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("this test needs node");
    let mut input = child.stdin.take().expect("its input");
    let output = BufReader::new(child.stdout.take().expect("its output"));
    for line in output.lines() {
        match line.expect("a line").as_str() {
            "kill" => house.kill(),
            "stop" => {
                let began = Instant::now();
                assert!(house.stop().success());
                let took = began.elapsed();
                assert!(took < Duration::from_secs(3), "open sockets held up the stop: {took:?}");
            }
            other => panic!("a scenario asks for '{other}'"),
        }
        house.reopen_there();
        input.write_all(b"back\n").expect("the scenario waits");
    }
    let done = child.wait_with_output().expect("the scenario ends");
    let errors = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{scenario} failed:\n{errors}");
}
