//! How long it takes to fold a stored game of 500 events back into memory.

use std::time::Instant;

use parlor_house::Agents;
use parlor_kernel::{Envelope, Opening, Seal, Seat, Sitting, Viewer};
use serde_json::json;

use crate::{Outcome, median, report};

const EVENTS: usize = 500;
const RUNS: usize = 101;

/// The fold from stored envelopes to a table that goes on.
pub fn measure() -> Outcome<()> {
    let game = parlor_house::game("koikoi").ok_or("koikoi is not on offer")?;
    let log = long_log(game)?;
    let mut millis = Vec::new();
    let mut resumes = Vec::new();
    for _ in 0..RUNS {
        let began = Instant::now();
        let mut play = game.resume(&log, &Agents::NONE)?;
        millis.push(began.elapsed().as_secs_f64() * 1e3);
        play.subscribe(Viewer::Seat(Seat(0)), "koikoi.protocol", &log, 0)?;
        resumes.push(began.elapsed().as_secs_f64() * 1e3);
    }
    report("fold of a stored 500-event game, ms", &format!("{:.3}", median(millis)), "<= 1");
    report(
        "the same, and all of it told to a client again, ms",
        &format!("{:.3}", median(resumes)),
        "",
    );
    Ok(())
}

fn long_log(game: &dyn parlor_house::AtTables) -> Outcome<Vec<Envelope>> {
    let sitting = |seat: u8| Sitting {
        player_id: Seat(seat).player_id(),
        name: format!("Player {seat}"),
        bot: Some("random".to_owned()),
    };
    let opening = Opening {
        game_id: "bench".to_owned(),
        rules: json!({ "preset": "protocol", "rounds": 99 }),
        seats: [sitting(0), sitting(1)].into(),
        seal: Seal::named("bench"),
    };
    let (mut play, first) = game.open(opening, &Agents::NONE, 0)?;
    let mut log = first.envelopes;
    play.settle();
    while log.len() < EVENTS {
        let next = play.bot_acts(0).or_else(|| play.proceed(0)).ok_or("the game ended early")?;
        log.extend(next.envelopes);
        play.settle();
    }
    Ok(log)
}
