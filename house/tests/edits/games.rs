//! Small whole games of every kind, as the server would store them.

use parlor_house::{Agents, Playing, Proposal, game};
use parlor_kernel::{Awaiting, Envelope, Opening, Order, Seal, Seat, Sitting};
use serde_json::{Value, json};

/// Plays bots against each other until the game is over. One move is left to
/// the clock, and games that know it are paused once.
fn play(name: &str, rules: &Value, bot: &str, seats: usize, seal: Seal) -> Vec<Envelope> {
    let offer = game(name).expect("it is on offer");
    let sitting = |seat: usize| Sitting {
        player_id: Seat(seat as u8).player_id(),
        name: ["Ann", "Ben", "Cleo", "Dan", "Eve"][seat].to_owned(),
        bot: Some(bot.to_owned()),
    };
    let opening = Opening {
        game_id: "t-edits".to_owned(),
        rules: offer.resolve_rules(rules).expect("rules"),
        seats: (0..seats).map(sitting).collect(),
        seal,
    };
    let mut now = 1_700_000_000_000;
    let (mut table, first) = offer.open(opening, &Agents::NONE, now).expect("it opens");
    let mut log = first.envelopes;
    table.settle();
    for step in 0.. {
        now += 1_000 + step;
        let Some(proposal) = next(&mut *table, step, now) else { break };
        log.extend(proposal.envelopes);
        table.settle();
    }
    assert_eq!(table.awaiting(), Awaiting::Nobody, "{name} is over");
    log
}

fn next(table: &mut dyn Playing, step: u64, now: u64) -> Option<Proposal> {
    let order = match step {
        4 => table.order(Order::Pause, now),
        5 => table.order(Order::Resume, now),
        _ => None,
    };
    if order.is_some() {
        return order;
    }
    if step == 7
        && let Awaiting::Seats { seats, .. } = table.awaiting()
        && let Some(seat) = seats.iter().next()
    {
        return table.expire(seat, now);
    }
    table.bot_acts(now).or_else(|| table.proceed(now))
}

fn sealed() -> Seal {
    Seal::named("edits")
}

pub fn koikoi() -> Vec<Envelope> {
    koikoi_from(sealed())
}

pub fn koikoi_from(seal: Seal) -> Vec<Envelope> {
    play("koikoi", &json!({ "rounds": 1 }), "greedy", 2, seal)
}

pub fn stud() -> Vec<Envelope> {
    play("stud", &json!({ "deals": 1 }), "tight", 3, sealed())
}

pub fn binokel() -> Vec<Envelope> {
    play("binokel", &json!({ "rounds": 1 }), "simple", 3, sealed())
}

pub fn mafia() -> Vec<Envelope> {
    let log = play("mafia", &json!({ "players": 5, "mafia": 1 }), "bayes", 5, sealed());
    let has = |kind: &str| log.iter().any(|event| event.event_type == kind);
    assert!(has("AGENT_SAY_STREAM"), "someone speaks");
    log
}

pub fn dice() -> Vec<Envelope> {
    play("dice", &json!({ "dice": 2 }), "odds", 3, sealed())
}

/// One round of Liar's Dice with given rolls.
pub fn rolled() -> Vec<Envelope> {
    let act = |seat: u8, action: Value| json!({ "seat": seat, "action": action });
    let bid = |seat, quantity| act(seat, json!({ "type": "BID", "quantity": quantity, "face": 3 }));
    let challenge = |seat| act(seat, json!({ "type": "CHALLENGE" }));
    let script = |first: u8| {
        json!({
            "rules": { "dice": 1 },
            "seats": ["Ann", "Ben"],
            "rolls": [[[3], [5]]],
            "actions": [bid(first, 1), bid(1 - first, 2), challenge(first)]
        })
    };
    // Who begins is drawn by the seed.
    let game = game("dice").expect("it is on offer");
    let begins = |first: &u8| {
        let played = game.script(&script(*first)).expect("the script plays");
        played["refusals"] == json!([])
    };
    scripted("dice", &script((0..2).find(begins).expect("one of two begins")))
}

/// A deal of stud from a given deck, whose hands stay closed for good.
pub fn stacked() -> Vec<Envelope> {
    let script = json!({
        "rules": { "deals": 1, "muck": true },
        "seats": ["Ann", "Ben"],
        "deck": "2c3cAs 2d3d4d",
        "actions": [
            { "seat": 1, "action": { "type": "BRING_IN" } },
            { "seat": 0, "action": { "type": "COMPLETE" } },
            { "seat": 1, "action": { "type": "FOLD" } }
        ]
    });
    scripted("stud", &script)
}

/// The beginning of a game of Mafia with given roles, in which agents think,
/// whisper and fail, and their keeper reports it.
pub fn agents() -> Vec<Envelope> {
    let act = |seat: u8, action: Value| json!({ "seat": seat, "action": action });
    let usage = json!({
        "type": "USAGE", "promptTokens": 120, "completionTokens": 7, "latencyMs": 31,
        "costMicros": 12
    });
    let script = json!({
        "rules": { "players": 5, "mafia": 1, "mafiaChannel": true },
        "seats": ["Ann", "Ben", "Cleo", "Dan", "Eve"],
        "roles": ["mafia", "doctor", "sheriff", "villager", "villager"],
        "actions": [
            act(0, json!({ "type": "ASSIGN", "agent": "llm", "model": "m-1", "persona": "calm" })),
            act(0, json!({ "type": "THINK", "text": "whom? ", "final": false })),
            act(0, json!({ "type": "THINK", "text": "p4", "final": true })),
            act(0, usage),
            act(1, json!({ "type": "FAULT", "reason": "no answer" })),
            act(1, json!({ "type": "FALL_BACK", "reason": "no answer again" })),
        ]
    });
    let log = scripted("mafia", &script);
    for kind in ["AGENT_ASSIGNED", "AGENT_THINK_STREAM", "AGENT_USAGE", "AGENT_FAULT"] {
        assert!(log.iter().any(|event| event.event_type == kind), "{kind}");
    }
    log
}

fn scripted(name: &str, script: &Value) -> Vec<Envelope> {
    let played = game(name).expect("it is on offer").script(script).expect("the script plays");
    assert_eq!(played["refusals"], json!([]));
    serde_json::from_value(played["events"].clone()).expect("events are envelopes")
}
