//! A start on a store with many games in it: how long until it is ready, what
//! it holds in memory, and whether a new game is slower there.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parlor_kernel::Envelope;
use parlor_store::{Append, Batch, Due, Store, TableRecord};
use serde_json::json;

use crate::client::post;
use crate::load::Play;
use crate::process::{House, Running};
use crate::table::{BenchTable, Commands};
use crate::{Outcome, median, report};

/// Batches under way at once while a store is filled.
const AT_ONCE: usize = 1_024;

/// New games whose creation is timed.
const NEW_GAMES: usize = 200;

/// How long overdue games are taken up before memory is looked at again.
const LATER: Duration = Duration::from_secs(30);

/// A start with so many running games, half of them overdue as a crash leaves
/// them, half waiting for people, and three times as many finished ones.
pub async fn measure(program: &Path, running: usize) -> Outcome<()> {
    let empty = House::open(program)?;
    let on_empty = new_game_ms(&empty.server).await?;
    let house = House::closed(program)?;
    let began = Instant::now();
    fill(program, &house.file(), running).await?;
    let bytes = house.file().metadata()?.len() as f64;
    let what = format!("{running} running, {} finished games", 3 * running);
    report(&format!("store of {what}, MB"), &format!("{:.0}", bytes / 1e6), "");
    report("  filled in, s", &format!("{:.0}", began.elapsed().as_secs_f64()), "");
    let mut starts = Vec::new();
    let mut last = None;
    for _ in 0..3 {
        drop(last.take());
        let began = Instant::now();
        let server = house.start()?;
        server.ready().await?;
        starts.push(began.elapsed().as_secs_f64() * 1e3);
        last = Some(server);
    }
    let server = last.ok_or("no start")?;
    report("start to ready, ms", &format!("{:.0}", median(starts)), "<= 1000");
    report("memory when ready, MB", &megabytes(&server)?, "<= 300");
    let on_full = new_game_ms(&server).await?;
    report("new game, ms, there / on an empty store", &format!("{on_full:.2} / {on_empty:.2}"), "");
    tokio::time::sleep(LATER).await;
    report("memory 30 s later, MB", &megabytes(&server)?, "<= 300");
    Ok(())
}

fn megabytes(server: &Running) -> Outcome<String> {
    Ok(format!("{:.0}", server.resident_bytes()? / 1e6))
}

/// The median time to create a table at which a game begins at once.
async fn new_game_ms(server: &Running) -> Outcome<f64> {
    let order = json!({
        "game": "koikoi",
        "seats": [{ "name": "Ada", "kind": "human" }, { "kind": "bot", "bot": "greedy" }],
    });
    let mut times = Vec::new();
    for _ in 0..NEW_GAMES {
        let began = Instant::now();
        post(server.address, "/api/v1/tables", "", &order).await?;
        times.push(began.elapsed().as_secs_f64() * 1e3);
    }
    Ok(median(times))
}

/// A game as a server left it, to be stored again under other ids.
struct Model {
    table: TableRecord,
    log: Vec<Envelope>,
}

impl Model {
    /// Plays a game of so many moves on a real server and reads what it wrote.
    async fn play(program: &Path, moves: usize) -> Outcome<Model> {
        let house = House::open(program)?;
        let mut table = BenchTable::open(house.server.address, Commands::WebSocket).await?;
        for _ in 0..moves {
            table.step().await?;
        }
        let store = Store::open(&format!("sqlite:{}", house.file().display())).await?;
        let tables = store.tables(None, None, 1).await?;
        let table = tables.into_iter().next().ok_or("no table")?;
        let log = store.log(&table.id, 0).await?;
        Ok(Model { table, log })
    }

    /// The same game under another id, as one batch.
    fn again(&self, number: usize, status: &str, due: Option<u64>) -> Batch {
        // Spread like ids that are drawn at random.
        let id = format!("t-{:016x}", (number as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let game_id: Arc<str> = id.as_str().into();
        let envelopes = self.log.iter().map(|envelope| {
            let game_id = Arc::clone(&game_id);
            Envelope { game_id, ..envelope.clone() }
        });
        let envelopes = envelopes.collect();
        let table = TableRecord {
            code: format!("#{number:07}"),
            id: id.clone(),
            version: 1,
            status: status.to_owned(),
            created_at: self.table.created_at + number as u64,
            ..self.table.clone()
        };
        Batch {
            append: Some(Append { game_id, expected: 0, envelopes }),
            table: Some(table),
            due: due.map(|at| Due { table_id: id, at: Some(at) }),
            ..Batch::default()
        }
    }
}

async fn fill(program: &Path, file: &Path, running: usize) -> Outcome<()> {
    let (on, over) = (Model::play(program, 6).await?, Model::play(program, 3).await?);
    let store = Store::open(&format!("sqlite:{}", file.display())).await?;
    let mut under_way = tokio::task::JoinSet::new();
    for number in 0..4 * running {
        let batch = match number % 8 {
            0 => on.again(number, "playing", Some(on.table.created_at)),
            4 => on.again(number, "playing", None),
            _ => over.again(number, "finished", None),
        };
        if under_way.len() >= AT_ONCE {
            under_way.join_next().await.ok_or("nothing under way")???;
        }
        let store = store.clone();
        under_way.spawn(async move { Outcome::Ok(store.commit(batch).await?) });
    }
    while let Some(done) = under_way.join_next().await {
        done??;
    }
    store.close().await;
    Ok(())
}
