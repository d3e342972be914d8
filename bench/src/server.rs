//! The real server, its log on disk, clients on the same machine.

use std::path::Path;
use std::time::Duration;

use crate::load::{Goals, Play, Throughput, report_medians};
use crate::process::House;
use crate::table::{BenchTable, Commands};
use crate::{Outcome, report};

const IDLE_TABLES: usize = 1000;

/// What so many tables give and cost at once.
pub async fn measure(program: &Path, tables: usize, commands: Commands) -> Outcome<()> {
    let goals = match (tables, commands) {
        (256, Commands::WebSocket) => Goals { per_s: ">= 10000", cpu: "<= 60" },
        _ => Goals::default(),
    };
    let at = match commands {
        Commands::WebSocket => format!("{tables} tables"),
        Commands::Http => format!("{tables} tables over HTTP"),
    };
    report_medians("durable commands", &at, goals, async || {
        let house = House::open(program)?;
        let mut open = Vec::new();
        for _ in 0..tables {
            open.push(BenchTable::open(house.server.address, commands).await?);
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
        tables.push(BenchTable::open(server.address, Commands::WebSocket).await?);
    }
    let before = server.resident_bytes()?;
    for _ in 0..IDLE_TABLES {
        let mut table = BenchTable::open(server.address, Commands::WebSocket).await?;
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
