//! What an operator is handed: settings that can be checked, a unit, a container
//! file, a dashboard, a manual and a release archive.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::*;
use serde_json::{Value, json};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the repository")
}

fn packaged(name: &str) -> String {
    fs::read_to_string(root().join("packaging").join(name)).expect("a file of packaging/")
}

fn ran(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    let said = text(&output.stdout) + &text(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}");
    said
}

fn is_installed(program: &str) -> bool {
    let is_there = Command::new(program).arg("--version").output().is_ok();
    if !is_there {
        println!("{program} is not installed; not checked");
    }
    is_there
}

#[test]
fn a_check_says_how_it_would_serve_and_serves_and_makes_nothing() {
    let scratch = Scratch::new();
    let check = ["serve", "--check", "--listen", "127.0.0.1:1", "--store", &scratch.store()];
    let ran = parlor(&check);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("listens on 127.0.0.1:1"), "{}", ran.out);
    assert!(ran.out.ends_with("the settings can be used\n"), "{}", ran.out);
    assert_eq!(fs::read_dir(scratch.path()).expect("the folder").count(), 0);
}

#[test]
fn a_check_finds_what_cannot_be_used_or_would_be_passed_over() {
    let scratch = Scratch::new();
    let file = |text: &str| scratch.write("parlor.toml", text);
    for (text, says) in [
        ("[limits]\ntables_per_minute = 0", "limits.tables_per_minute is at least 1"),
        ("[limits]\nwishes = 3", "limits"),
        ("colour = 1", "colour"),
        ("agents_at_once = 4", "agents_at_once says nothing without agents"),
        ("agents_per_day = 4", "agents_per_day says nothing without agents"),
        ("agent_key = [\"for-my-friends\"]", "agent_key says nothing without agents"),
        ("[default_rules]\nkoikoi = \"rounds=0\"", "rounds"),
        ("[default_rules]\nbridge = \"x\"", "bridge"),
        ("store = \"sqlite:/nowhere/at/all/parlor.db\"", "/nowhere/at/all"),
        ("store = \"postgres\"", "postgres"),
    ] {
        parlor(&["serve", "--check", "--config", &file(text)]).refused(2, says);
    }
    let foreign = scratch.write("notes.txt", "no store at all, but a file of notes");
    let store = format!("sqlite:{foreign}");
    parlor(&["serve", "--check", "--store", &store]).refused(2, "notes.txt");
}

#[test]
fn every_fault_of_a_check_is_told_at_once() {
    let scratch = Scratch::new();
    let store = format!("sqlite:{}/none/parlor.db", scratch.path().display());
    let output = command(&["serve", "--check", "--store", &store])
        .env("PARLOR_LISTN", "127.0.0.1:1")
        .output()
        .expect("the program runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("PARLOR_LISTN is set, but nothing reads it"), "{said}");
    assert!(said.contains("none/parlor.db"), "{said}");
}

#[test]
fn a_log_filter_that_filters_nothing_is_refused() {
    for (filter, is_good) in [
        ("lout", false),
        ("parlor_server=lout", false),
        ("warn,hiper=debug", false),
        ("info", true),
        ("WARN,parlor_server=debug", true),
        ("parlor_store::sqlite=trace,off", true),
    ] {
        let output = command(&["serve", "--check", "--store", "memory:"])
            .env("PARLOR_LOG", filter)
            .output()
            .expect("the program runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.success(), is_good, "{filter}: {said}");
        assert_eq!(said.contains("PARLOR_LOG"), !is_good, "{filter}: {said}");
    }
}

#[test]
fn the_settings_that_are_handed_out_are_the_defaults_and_can_be_used() {
    let scratch = Scratch::new();
    let text = packaged("parlor.toml");
    let check = |text: &str| {
        let file = scratch.write("parlor.toml", text);
        parlor(&["serve", "--check", "--config", &file, "--store", "memory:"])
    };
    assert_eq!(check(&text).code, 0);
    // The same with every key in force, but for those that name files.
    let in_force = text.lines().filter_map(|line| line.strip_prefix("# "));
    let in_force: Vec<&str> = in_force
        .filter(|line| line.starts_with('[') || line.contains(" = "))
        .filter(|line| !NAMES_FILES.iter().any(|key| line.starts_with(key)))
        .collect();
    let checked = check(&in_force.join("\n"));
    assert_eq!(checked.code, 0, "{}", checked.err);
}

/// Settings that need a file, or go with one.
const NAMES_FILES: [&str; 4] = ["agents", "tls_", "trusted_proxy", "forwarded_header"];

/// The flags of `parlor serve` that have a key in the file.
fn keys() -> BTreeSet<String> {
    let help = parlor(&["serve", "--help"]).out;
    let flags = help.lines().filter_map(|line| line.trim_start().strip_prefix("--"));
    let keys = flags.filter_map(|flag| flag.split([' ', '<']).next());
    let not_in_the_file = ["config", "check", "log-format", "help"];
    let keys = keys.filter(|flag| !not_in_the_file.contains(flag));
    keys.map(|flag| flag.replace('-', "_")).collect()
}

#[test]
fn every_setting_is_in_the_handed_out_file_and_in_the_guide() {
    let (file, guide) =
        (packaged("parlor.toml"), fs::read_to_string(root().join("docs/running.md")));
    let guide = guide.expect("the guide");
    for key in keys() {
        let is_in_file = file.lines().any(|line| {
            let line = line.trim_start_matches("# ");
            line.starts_with(&format!("{key} =")) || line.starts_with(&format!("[{key}]"))
        });
        assert!(is_in_file, "packaging/parlor.toml lacks {key}");
        let flag = format!("--{}", key.replace('_', "-"));
        assert!(guide.contains(&flag), "docs/running.md lacks {flag}");
    }
}

#[test]
fn systemd_finds_nothing_wrong_with_the_unit() {
    if !is_installed("systemd-analyze") {
        return;
    }
    let scratch = Scratch::new();
    // The program and its manual lie elsewhere where it is installed.
    let unit =
        packaged("parlor.service").replace("/usr/local/bin/parlor", env!("CARGO_BIN_EXE_parlor"));
    let unit: String = unit
        .lines()
        .filter(|line| !line.starts_with("Documentation"))
        .map(|line| format!("{line}\n"))
        .collect();
    let file = scratch.write("parlor.service", unit);
    let said = ran(Command::new("systemd-analyze").args(["verify", "--man=no", &file]));
    let ours: Vec<&str> = said.lines().filter(|line| line.contains("parlor.service")).collect();
    assert!(ours.is_empty(), "{said}");
}

#[test]
fn the_service_manager_hears_when_it_is_ready() {
    let scratch = Scratch::new();
    let path = scratch.file("notify");
    let manager = UnixDatagram::bind(&path).expect("a socket");
    manager.set_read_timeout(Some(PATIENCE)).expect("a time limit");
    let house = House::open_with(&[], &[("NOTIFY_SOCKET", &path)]);
    let mut heard = [0; 64];
    let mut hear = || {
        let length = manager.recv(&mut heard).expect("a datagram");
        String::from_utf8_lossy(&heard[..length]).into_owned()
    };
    assert_eq!(hear(), "READY=1");
    house.stop();
    assert_eq!(hear(), "STOPPING=1");
}

/// No engine builds it here: what can be read is.
#[test]
fn the_container_file_copies_what_is_there_and_starts_what_exists() {
    let text = packaged("Containerfile");
    let copies = text.lines().filter_map(|line| line.strip_prefix("COPY "));
    for copy in copies.filter(|copy| !copy.starts_with("--from")) {
        let (sources, _) = copy.rsplit_once(' ').expect("a source and a target");
        for source in sources.split(' ') {
            assert!(root().join(source).exists(), "{source}");
        }
    }
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("a manifest");
    assert!(text.contains("--profile fast") && manifest.contains("[profile.fast]"));
    let env = text.lines().find_map(|line| line.strip_prefix("ENV ")).expect("its settings");
    let serve = text.lines().find_map(|line| line.strip_prefix("CMD ")).expect("its command");
    let serve: Vec<String> = serde_json::from_str(serve).expect("a list");
    let mut check = command(&[&serve[0], "--check"]);
    for (name, value) in env.split(' ').filter_map(|pair| pair.split_once('=')) {
        check.env(name, if name == "PARLOR_STORE" { "memory:" } else { value });
    }
    ran(&mut check);
}

#[test]
fn the_dashboard_shows_only_what_is_measured() {
    let board: Value = serde_json::from_str(&packaged("grafana.json")).expect("JSON");
    let targets = board["panels"].as_array().expect("panels").iter();
    let targets = targets.flat_map(|panel| panel["targets"].as_array().expect("targets"));
    let shown: BTreeSet<String> = targets
        .flat_map(|target| {
            let words = target["expr"]
                .as_str()
                .expect("an expression")
                .split(|one: char| !one.is_ascii_alphanumeric() && one != '_');
            words.filter(|word| word.starts_with("parlor_")).map(str::to_owned).collect::<Vec<_>>()
        })
        .collect();
    assert!(shown.len() >= 5, "{shown:?}");
    let house = House::open(&[]);
    let table = house.two_people(&json!({ "rounds": 1 }));
    let _stream = house.listen(&table, Some(0), "log", None);
    house.get("/api/v1/tables/t-none", None).refused(404, "TABLE_NOT_FOUND");
    let mut moves =
        (0..2).map(|seat| (seat, house.snapshot(&table, Some(seat), "log")["options"][0].clone()));
    let (seat, first) = moves.find(|(_, first)| !first.is_null()).expect("someone moves");
    house.command(&table, seat, "log", &first).with(200);
    let told = house.get("/metrics", Some(ADMIN)).text;
    // A table panics only by a defect.
    for metric in shown.iter().filter(|metric| *metric != "parlor_table_panics_total") {
        assert!(told.contains(metric.as_str()), "{metric} is not measured:\n{told}");
    }
}

#[test]
fn the_manual_has_a_page_for_every_command() {
    let scratch = Scratch::new();
    let folder = scratch.file("man");
    assert_eq!(parlor(&["man", &folder]).code, 0);
    let help = parlor(&["--help"]).out;
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands = commands.take_while(|line| !line.trim().is_empty());
    let commands: Vec<&str> = commands
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|command| *command != "help")
        .collect();
    assert!(commands.len() > 10, "{commands:?}");
    for command in commands {
        let page = fs::read_to_string(format!("{folder}/parlor-{command}.1"));
        assert!(page.expect("a page").contains(".SH SYNOPSIS"), "{command}");
    }
    if is_installed("groff") {
        let page = format!("{folder}/parlor-serve.1");
        let said =
            ran(Command::new("groff").args(["-Kutf8", "-man", "-Tutf8", "-ww", "-z", &page]));
        assert_eq!(said, "");
    }
}

#[test]
fn a_release_archive_has_all_that_is_installed_and_is_the_same_twice() {
    let scratch = Scratch::new();
    let script = root().join("packaging/dist.sh");
    let make = |folder: &str| {
        let made = Command::new(&script)
            .args([env!("CARGO_BIN_EXE_parlor"), &scratch.file(folder)])
            .output()
            .expect("the script runs");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        String::from_utf8(made.stdout).expect("a path").trim().to_owned()
    };
    let (first, second) = (make("one"), make("two"));
    assert!(fs::read(&first).expect("it") == fs::read(&second).expect("it"), "they differ");
    let name = Path::new(&first).file_name().expect("a name").to_str().expect("text");
    ran(Command::new("sha256sum")
        .args(["--check", &format!("{name}.sha256")])
        .current_dir(scratch.path().join("one")));
    let unpacked = scratch.file("unpacked");
    fs::create_dir(&unpacked).expect("a folder");
    ran(Command::new("tar").args(["-xzf", &first, "-C", &unpacked, "--strip-components=1"]));
    for file in [
        "share/man/man1/parlor.1",
        "share/bash-completion/completions/parlor",
        "packaging/parlor.service",
        "packaging/parlor.toml",
        "packaging/grafana.json",
        "docs/running.md",
        "LICENSE-MIT",
    ] {
        assert!(Path::new(&unpacked).join(file).exists(), "{file}");
    }
    let said = ran(Command::new(format!("{unpacked}/bin/parlor")).arg("--version"));
    assert!(said.starts_with("parlor "), "{said}");
}
