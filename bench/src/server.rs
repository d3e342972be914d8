//! The real server, its log on disk, clients on the same machine.

use std::io::BufRead;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tokio::time::timeout;

use crate::table::BenchTable;
use crate::{Outcome, median, percentile, report};

const MEASURED: Duration = Duration::from_secs(4);
const RUNS: usize = 3;
/// A move that takes longer never comes.
const STUCK: Duration = Duration::from_secs(10);
const IDLE_TABLES: usize = 1000;

/// Everything measured through the network.
pub async fn measure(program: &Path) -> Outcome<()> {
    for (tables, goal) in [(1, ""), (64, ""), (256, ">= 10000")] {
        let mut runs = Vec::new();
        for _ in 0..RUNS {
            runs.push(throughput(program, tables).await?);
        }
        let of = |pick: fn(&Throughput) -> f64| median(runs.iter().map(pick).collect());
        let at = format!("{tables} tables");
        report(&format!("durable commands/s, {at}"), &format!("{:.0}", of(|run| run.per_s)), goal);
        let latency = format!("{:.2} / {:.2}", of(|run| run.p50), of(|run| run.p99));
        report(&format!("p50 / p99 ms, {at}"), &latency, "");
        let cpu_goal = if tables == 256 { "<= 60" } else { "" };
        report(
            &format!("server CPU µs per command, {at}"),
            &format!("{:.1}", of(|run| run.cpu_us)),
            cpu_goal,
        );
    }
    Ok(())
}

struct Throughput {
    per_s: f64,
    p50: f64,
    p99: f64,
    cpu_us: f64,
}

async fn throughput(program: &Path, count: usize) -> Outcome<Throughput> {
    let house = House::open(program)?;
    let mut tables = Vec::new();
    for _ in 0..count {
        tables.push(BenchTable::open(house.address).await?);
    }
    let cpu_before = house.cpu_seconds()?;
    let began = Instant::now();
    let players: Vec<_> = tables
        .into_iter()
        .map(|mut table| {
            tokio::spawn(async move {
                let mut latencies = Vec::new();
                while began.elapsed() < MEASURED {
                    match timeout(STUCK, table.step()).await?? {
                        Some(latency) => latencies.push(latency),
                        None => break,
                    }
                }
                Ok::<_, Box<dyn std::error::Error + Send + Sync>>((latencies, table))
            })
        })
        .collect();
    let mut latencies = Vec::new();
    let mut open = Vec::new();
    for player in players {
        let (heard, table) = player.await??;
        latencies.extend(heard);
        open.push(table);
    }
    let elapsed = began.elapsed().as_secs_f64();
    let cpu = house.cpu_seconds()? - cpu_before;
    latencies.sort_by(f64::total_cmp);
    let commands = latencies.len() as f64;
    Ok(Throughput {
        per_s: commands / elapsed,
        p50: percentile(&latencies, 0.5),
        p99: percentile(&latencies, 0.99),
        cpu_us: cpu * 1e6 / commands,
    })
}

/// What a table costs that just stands there.
pub async fn idle_memory(program: &Path) -> Outcome<()> {
    let house = House::open(program)?;
    let mut tables = Vec::new();
    // The first tables pay for what is allocated once.
    for _ in 0..50 {
        tables.push(BenchTable::open(house.address).await?);
    }
    let before = house.resident_bytes()?;
    for _ in 0..IDLE_TABLES {
        let mut table = BenchTable::open(house.address).await?;
        for _ in 0..8 {
            table.step().await?;
        }
        tables.push(table);
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    let each = (house.resident_bytes()? - before) / IDLE_TABLES as f64 / 1000.0;
    report("memory of an idle table, two connections, kB", &format!("{each:.1}"), "<= 40");
    Ok(())
}

/// A server with a log of its own, gone with this value.
struct House {
    child: Child,
    address: SocketAddr,
    folder: PathBuf,
}

impl House {
    fn open(program: &Path) -> Outcome<House> {
        let name = format!("parlor-bench-{}-{:?}", std::process::id(), Instant::now());
        let folder = std::env::temp_dir().join(name.replace(|c: char| !c.is_alphanumeric(), "-"));
        std::fs::create_dir_all(&folder)?;
        let mut child = Command::new(program)
            .args(["serve", "--listen", "127.0.0.1:0", "--limits", "off", "--bot-pace", "0"])
            .arg("--store")
            .arg(format!("sqlite:{}", folder.join("bench.db").display()))
            .env("PARLOR_LOG", "warn")
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        let stdout = child.stdout.take().ok_or("the server has no output")?;
        std::io::BufReader::new(stdout).read_line(&mut line)?;
        let address = line.trim().rsplit("http://").next().unwrap_or_default().parse()?;
        Ok(House { child, address, folder })
    }

    /// Processor time the server has used, user and system.
    fn cpu_seconds(&self) -> Outcome<f64> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or_default().split(' ').collect();
        let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok());
        // Fields 14 and 15 of proc(5), in hundredths of a second.
        Ok((ticks(11).ok_or("no utime")? + ticks(12).ok_or("no stime")?) / 100.0)
    }

    fn resident_bytes(&self) -> Outcome<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).ok_or("no VmRSS")?;
        let kib: f64 = line.split_whitespace().nth(1).ok_or("no VmRSS")?.parse()?;
        Ok(kib * 1024.0)
    }
}

impl Drop for House {
    fn drop(&mut self) {
        // Nothing of a measurement is worth keeping.
        drop(self.child.kill());
        drop(self.child.wait());
        drop(std::fs::remove_dir_all(&self.folder));
    }
}
