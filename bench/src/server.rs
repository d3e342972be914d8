//! The real server, its log on disk, clients on the same machine.

use std::path::Path;
use std::time::Duration;

use crate::load::{Goals, Play, Throughput, report_medians};
use crate::process::House;
use crate::table::BenchTable;
use crate::{Outcome, report};

const IDLE_TABLES: usize = 1000;

/// What so many tables give and cost at once.
pub async fn measure(program: &Path, tables: usize) -> Outcome<()> {
    let goals = match tables {
        256 => Goals { per_s: ">= 10000", cpu: "<= 60" },
        _ => Goals::default(),
    };
    report_medians("durable commands", &format!("{tables} tables"), goals, async || {
        let house = House::open(program)?;
        let mut open = Vec::new();
        for _ in 0..tables {
            open.push(BenchTable::open(house.server.address).await?);
        }
        Throughput::of(&house.server, open).await
    })
    .await
}

/// What a table costs that just stands there.
pub async fn idle_memory(program: &Path) -> Outcome<()> {
    let House { server, .. } = &House::open(program)?;
    let mut tables = Vec::new();
    // The first tables pay for what is allocated once.
    for _ in 0..50 {
        tables.push(BenchTable::open(server.address).await?);
    }
    let before = server.resident_bytes()?;
    for _ in 0..IDLE_TABLES {
        let mut table = BenchTable::open(server.address).await?;
        for _ in 0..8 {
            table.step().await?;
        }
        tables.push(table);
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    let each = (server.resident_bytes()? - before) / IDLE_TABLES as f64 / 1000.0;
    report("memory of an idle table, two connections, kB", &format!("{each:.1}"), "<= 40");
    Ok(())
}
