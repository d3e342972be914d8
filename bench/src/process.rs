//! A server that is measured: started, asked what it used, stopped.

use std::io::BufRead;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::Outcome;

/// A process that says its address in its first line; gone with this value.
pub struct Running {
    child: Child,
    /// Where it listens.
    pub address: SocketAddr,
}

impl Running {
    /// Starts it and waits for its first line, which ends with its address.
    pub fn start(command: &mut Command) -> Outcome<Running> {
        let mut child = command.stdout(Stdio::piped()).spawn()?;
        let mut line = String::new();
        let stdout = child.stdout.take().ok_or("the server has no output")?;
        std::io::BufReader::new(stdout).read_line(&mut line)?;
        let address = line.trim().rsplit("http://").next().unwrap_or_default().parse()?;
        Ok(Running { child, address })
    }

    /// Processor time it has used, user and system.
    pub fn cpu_seconds(&self) -> Outcome<f64> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or_default().split(' ').collect();
        let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok());
        // Fields 14 and 15 of proc(5), in hundredths of a second.
        Ok((ticks(11).ok_or("no utime")? + ticks(12).ok_or("no stime")?) / 100.0)
    }

    /// Waits until it says that it is ready.
    pub async fn ready(&self) -> Outcome<()> {
        let mut stream = TcpStream::connect(self.address).await?;
        let ask =
            format!("GET /readyz HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address);
        stream.write_all(ask.as_bytes()).await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        match answer.starts_with("HTTP/1.1 200") {
            true => Ok(()),
            false => Err(format!("not ready: {answer}").into()),
        }
    }

    /// Memory it holds.
    pub fn resident_bytes(&self) -> Outcome<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).ok_or("no VmRSS")?;
        let kib: f64 = line.split_whitespace().nth(1).ok_or("no VmRSS")?.parse()?;
        Ok(kib * 1024.0)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Nothing of a measurement is worth keeping.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// A log of its own for Parlor's server, gone with this value.
pub struct Lot {
    program: PathBuf,
    folder: PathBuf,
    flags: Vec<String>,
}

impl Lot {
    fn new(program: &Path, flags: &[&str]) -> Outcome<Lot> {
        let name = format!("parlor-bench-{}-{:?}", std::process::id(), Instant::now());
        let folder = std::env::temp_dir().join(name.replace(|c: char| !c.is_alphanumeric(), "-"));
        std::fs::create_dir_all(&folder)?;
        let flags = flags.iter().map(ToString::to_string).collect();
        Ok(Lot { program: program.to_owned(), folder, flags })
    }

    /// The log.
    pub fn file(&self) -> PathBuf {
        self.folder.join("bench.db")
    }

    /// Starts a server on it.
    pub fn start(&self) -> Outcome<Running> {
        let mut serve = Command::new(&self.program);
        serve
            .args(["serve", "--listen", "127.0.0.1:0", "--limits", "off", "--bot-pace", "0"])
            .args(&self.flags)
            .arg("--store")
            .arg(format!("sqlite:{}", self.file().display()))
            .env("PARLOR_LOG", "warn");
        Running::start(&mut serve)
    }
}

impl Drop for Lot {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.folder));
    }
}

/// Parlor's server with a log of its own, gone with this value.
pub struct House {
    /// The server; it goes before its log does.
    pub server: Running,
    lot: Lot,
}

impl House {
    /// Opens one on an empty log.
    pub fn open(program: &Path) -> Outcome<House> {
        House::open_with(program, &[])
    }

    /// The same with more flags.
    pub fn open_with(program: &Path, flags: &[&str]) -> Outcome<House> {
        let lot = Lot::new(program, flags)?;
        Ok(House { server: lot.start()?, lot })
    }

    /// A log without a server.
    pub fn closed(program: &Path) -> Outcome<Lot> {
        Lot::new(program, &[])
    }

    /// The log.
    pub fn file(&self) -> PathBuf {
        self.lot.file()
    }
}
