//! Rooms over Socket.IO on the real server, and beside them a bare server in
//! Node that only says back what it hears.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use serde_json::json;

use crate::load::{Goals, Play, Throughput, report_medians};
use crate::process::{House, Running};
use crate::room::Room;
use crate::socketio::SocketIo;
use crate::{Outcome, report};

const ROOMS: usize = 256;

/// Commands through rooms, then through the echo.
pub async fn measure(program: &Path) -> Outcome<()> {
    report_medians("Socket.IO durable commands", "256 rooms", Goals::default(), async || {
        let house = House::open(program)?;
        let mut rooms = Vec::new();
        for _ in 0..ROOMS {
            rooms.push(Room::open(house.server.address).await?);
        }
        Throughput::of(&house.server, rooms).await
    })
    .await?;
    let Some(modules) = installed(program)? else {
        report("bare Socket.IO echo in Node", "no npm here", "");
        return Ok(());
    };
    report_medians("bare Socket.IO echoes in Node", "256 sockets", Goals::default(), async || {
        let node = Running::start(
            Command::new("node").arg(SOURCE.to_owned() + "/echo.js").env("NODE_PATH", &modules),
        )?;
        let mut echoes = Vec::new();
        for _ in 0..ROOMS {
            echoes.push(Echo::open(node.address).await?);
        }
        Throughput::of(&node, echoes).await
    })
    .await
}

/// One socket whose own words come back.
struct Echo(SocketIo);

impl Echo {
    async fn open(server: SocketAddr) -> Outcome<Echo> {
        Ok(Echo(SocketIo::connect(server, &json!({})).await?))
    }
}

impl Play for Echo {
    async fn step(&mut self) -> Outcome<Option<f64>> {
        let began = Instant::now();
        self.0.emit("game:playCard", Some(&json!({ "cardId": "herz-ass-0" }))).await?;
        self.0.hear("game:events").await?;
        Ok(Some(began.elapsed().as_secs_f64() * 1e3))
    }
}

const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/echo");

/// The packages of the echo, installed from its lock file beside the build;
/// none where there is no npm.
fn installed(program: &Path) -> Outcome<Option<PathBuf>> {
    let place = program.with_file_name("echo");
    std::fs::create_dir_all(&place)?;
    for file in ["package.json", "package-lock.json"] {
        std::fs::copy(Path::new(SOURCE).join(file), place.join(file))?;
    }
    let mut install = Command::new("npm");
    install.args(["ci", "--no-audit", "--no-fund", "--silent"]).current_dir(&place);
    match install.status() {
        Ok(status) if status.success() => Ok(Some(place.join("node_modules"))),
        Ok(_) => Err("npm ci failed for the echo".into()),
        Err(_) => Ok(None),
    }
}
