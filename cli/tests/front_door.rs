//! The front door under attack: connections that say nothing, or say it slowly,
//! or are too many; proxies and who pretends to be one; TLS; what only the
//! operator may read. Meanwhile honest people play on.

mod common;

#[path = "front_door/crowds.rs"]
mod crowds;
#[path = "front_door/night.rs"]
mod night;
#[path = "front_door/operator.rs"]
mod operator;
#[path = "front_door/proxies.rs"]
mod proxies;
#[path = "front_door/slow.rs"]
mod slow;
#[path = "front_door/tls.rs"]
mod tls;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};

use common::*;
use serde_json::json;

/// A house with limits: these, and none that stand in the way of the tests.
fn guarded(limits: &str, flags: &[&str]) -> House {
    let scratch = Scratch::new();
    let often = "calls_per_second = 100000\ntables_per_minute = 100000\njoins_per_minute = 100000\n\
        commands_per_second = 100000\n";
    let settings = match limits.contains("_per_minute") {
        true => format!("[limits]\n{limits}"),
        false => format!("[limits]\n{often}{limits}"),
    };
    let settings = scratch.write("parlor.toml", settings);
    let usual = ["--bot-pace", "0", "--allow-seeds", "--admin-token", ADMIN, "--config", &settings];
    House::bare(&[&usual, flags].concat(), &[])
}

/// A connection from an address of this machine: 127.0.0.2 is a stranger there,
/// 127.0.0.3 another one.
fn from(address: &str, house: &str) -> TcpStream {
    let socket = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None);
    let socket = socket.expect("a socket");
    let own: SocketAddr = format!("{address}:0").parse().expect("an address");
    socket.bind(&own.into()).expect("an address of this machine");
    let house: SocketAddr = house.parse().expect("an address");
    socket.connect(&house.into()).expect("the server listens");
    let stream = TcpStream::from(socket);
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    stream
}

/// An answer read by hand; none if the connection ends without one.
fn read_answer(stream: impl Read) -> Option<Answer> {
    let mut reader = BufReader::new(stream);
    let mut line = || {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
        Some(line.trim_end().to_owned())
    };
    let status = line()?.split(' ').nth(1)?.parse().ok()?;
    let mut headers = Vec::new();
    while let Some((name, value)) = line()?.split_once(':') {
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let mut body = vec![0; length.and_then(|(_, length)| length.parse().ok()).unwrap_or(0)];
    reader.read_exact(&mut body).ok()?;
    Some(Answer { status, text: String::from_utf8_lossy(&body).into_owned(), headers })
}

/// Sends a request by hand and reads its answer.
fn ask(mut stream: impl Read + Write, request: &str) -> Option<Answer> {
    stream.write_all(request.as_bytes()).ok()?;
    read_answer(stream)
}

/// Whether the server ends the connection, whatever it says before.
fn is_ended(stream: &mut impl Read) -> bool {
    let mut bytes = [0; 1024];
    loop {
        match stream.read(&mut bytes) {
            Ok(0) => return true,
            Ok(_) => {}
            Err(error) => {
                use std::io::ErrorKind as E;
                return !matches!(error.kind(), E::WouldBlock | E::TimedOut);
            }
        }
    }
}

/// Two honest people play at a table of their own for as long as an attack
/// lasts, and each of their moves is answered.
fn while_others_play<T>(house: &House, attack: impl FnOnce() -> T) -> T {
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let honest = scope.spawn(|| {
            let mut moves = 0;
            while moves < 10 || !over.load(Ordering::Relaxed) {
                let table = house.two_people(&json!({ "rounds": 1 }));
                let mut chance = Chance::new(moves);
                while step(house, &table, PROTOCOL, &mut chance) {
                    moves += 1;
                }
            }
        });
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(attack));
        over.store(true, Ordering::Relaxed);
        honest.join().expect("the honest play on");
        result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
