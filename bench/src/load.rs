//! Many tables at once, each moving as fast as its server answers.

use std::time::{Duration, Instant};

use tokio::time::timeout;

use crate::process::Running;
use crate::{Outcome, median, percentile, report};

const MEASURED: Duration = Duration::from_secs(4);
const RUNS: usize = 3;
/// A move that takes longer never comes.
const STUCK: Duration = Duration::from_secs(10);

/// A table whose players are the client's.
pub trait Play: Send + Sized + 'static {
    /// Makes one move and waits for what it makes: how long that took, in
    /// milliseconds. None once the game is over.
    fn step(&mut self) -> impl Future<Output = Outcome<Option<f64>>> + Send;
}

/// What a load gave.
pub struct Throughput {
    per_s: f64,
    p50: f64,
    p99: f64,
    cpu_us: f64,
}

impl Throughput {
    /// Plays at all tables for a while.
    pub async fn of<T: Play>(server: &Running, tables: Vec<T>) -> Outcome<Throughput> {
        let cpu_before = server.cpu_seconds()?;
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
        // Connections stay open to the end: closing them is work, too.
        let mut open = Vec::new();
        for player in players {
            let (heard, table) = player.await??;
            latencies.extend(heard);
            open.push(table);
        }
        let elapsed = began.elapsed().as_secs_f64();
        let cpu = server.cpu_seconds()? - cpu_before;
        latencies.sort_by(f64::total_cmp);
        let commands = latencies.len() as f64;
        Ok(Throughput {
            per_s: commands / elapsed,
            p50: percentile(&latencies, 0.5),
            p99: percentile(&latencies, 0.99),
            cpu_us: cpu * 1e6 / commands,
        })
    }
}

/// What a line of the report is held against.
#[derive(Default)]
pub struct Goals {
    /// For commands per second.
    pub per_s: &'static str,
    /// For the processor time of a command.
    pub cpu: &'static str,
}

/// Runs a load a few times and reports the medians.
pub async fn report_medians<F: Future<Output = Outcome<Throughput>>>(
    what: &str,
    at: &str,
    goals: Goals,
    run: impl Fn() -> F,
) -> Outcome<()> {
    let mut runs = Vec::new();
    for _ in 0..RUNS {
        runs.push(run().await?);
    }
    let of = |pick: fn(&Throughput) -> f64| median(runs.iter().map(pick).collect());
    report(&format!("{what}/s, {at}"), &format!("{:.0}", of(|run| run.per_s)), goals.per_s);
    let latency = format!("{:.2} / {:.2}", of(|run| run.p50), of(|run| run.p99));
    report(&format!("p50 / p99 ms, {at}"), &latency, "");
    let cpu = format!("{:.1}", of(|run| run.cpu_us));
    report(&format!("server CPU µs per command, {at}"), &cpu, goals.cpu);
    Ok(())
}
