//! Many tables in memory, some of them played at a steady pace.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::post;
use crate::load::Play;
use crate::process::House;
use crate::table::{BenchTable, Commands};
use crate::{Outcome, percentile, report};

const MEASURED: Duration = Duration::from_secs(20);

/// How many tables are in memory, at how many both players are connected, and
/// how many moves all of them make a second.
pub struct Load {
    /// In memory.
    pub tables: usize,
    /// Played.
    pub played: usize,
    /// In all.
    pub moves_per_s: usize,
}

/// The latency of moves under this load, and what it takes.
pub async fn measure(program: &Path, load: Load) -> Outcome<()> {
    let Load { tables, played, moves_per_s } = load;
    // Nothing leaves memory while it is measured.
    let house = House::open_with(program, &["--idle-after", "3600"])?;
    let address = house.server.address;
    let order = json!({
        "game": "koikoi",
        "seats": [{ "name": "Ada", "kind": "human" }, { "kind": "bot", "bot": "greedy" }],
    });
    for _ in played..tables {
        post(address, "/api/v1/tables", "", &order).await?;
    }
    let mut open = Vec::new();
    for _ in 0..played {
        open.push(BenchTable::open(address, Commands::WebSocket).await?);
    }
    let resident = house.server.resident_bytes()? / 1e6;
    let (cpu, began) = (house.server.cpu_seconds()?, Instant::now());
    let every = Duration::from_secs_f64(played as f64 / moves_per_s as f64);
    let playing: Vec<_> = open
        .into_iter()
        .enumerate()
        .map(|(number, table)| {
            let offset = every.mul_f64(number as f64 / played as f64);
            tokio::spawn(play(table, began + offset, every, began + MEASURED))
        })
        .collect();
    let (mut latencies, mut kept) = (Vec::new(), Vec::new());
    for player in playing {
        let (heard, table) = player.await??;
        latencies.extend(heard);
        kept.push(table);
    }
    let elapsed = began.elapsed().as_secs_f64();
    let cpu = (house.server.cpu_seconds()? - cpu) / elapsed;
    latencies.sort_by(f64::total_cmp);
    report(
        &format!("moves/s, {tables} tables in memory, {played} played"),
        &format!("{:.0}", latencies.len() as f64 / elapsed),
        &moves_per_s.to_string(),
    );
    let p99 = percentile(&latencies, 0.99);
    let latency = format!("{:.2} / {p99:.2}", percentile(&latencies, 0.5));
    report("  p50 / p99 ms, from when the move was due", &latency, "p99 <= 50");
    report("  server: cores in use", &format!("{cpu:.2}"), "");
    let after = house.server.resident_bytes()? / 1e6;
    report("  memory before / after, MB", &format!("{resident:.0} / {after:.0}"), "");
    Ok(())
}

/// Moves at fixed times. A move that comes late because the one before it took
/// long counts from when it was due: nobody waits unseen.
async fn play(
    mut table: BenchTable,
    mut at: Instant,
    every: Duration,
    until: Instant,
) -> Outcome<(Vec<f64>, BenchTable)> {
    let mut latencies = Vec::new();
    while at < until {
        tokio::time::sleep_until(at.into()).await;
        let late = at.elapsed().as_secs_f64() * 1e3;
        match table.step().await? {
            Some(latency) => latencies.push(late + latency),
            None => break,
        }
        at += every;
    }
    Ok((latencies, table))
}
