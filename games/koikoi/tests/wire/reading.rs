//! How a dialect is read, and the checks that both dialects pass.

use std::collections::BTreeSet;
use std::sync::Arc;

use parlor_kernel::laws::random_game;
use parlor_kernel::{
    Change, Dialect, ErrorNotice, Game, Hosted, Moment, Presence, RefusalNotice, Seat, Viewer,
};
use parlor_koikoi::{CardSet, KoiKoi, Phase, RoundEndedInstantly, Rules, Seen, SpecialDeal};
use serde_json::Value;

use super::client::{Client, place, text, texts};
use super::{
    Schemas, ToldStep, VIEWERS, assert_named, assert_no_secret, commands_offered, matches, read,
    tell, time_of,
};

/// What a reader of one dialect knows of it.
pub struct Reading {
    pub name: &'static str,
    /// The field that tells events apart.
    pub discriminator: &'static str,
    /// The field that names whoever acts.
    pub player: &'static str,
    /// The fields that the contract names, event by event.
    pub named: &'static [(&'static str, &'static str)],
    /// What one step can be told as in this dialect only.
    pub own_shapes: &'static [&'static str],
    /// Milliseconds since 1970, as they are written.
    pub timestamp: fn(u64) -> Value,
    /// Where a snapshot has the player who is awaited.
    pub awaited: &'static str,
    /// Where a snapshot has the clock of that player.
    pub clock: &'static str,
    /// A client that begins with a snapshot.
    pub restore: fn(&Value) -> Client,
    /// A client hears an event.
    pub hear: fn(&mut Client, &Value),
}

/// What one step can be told as in both dialects.
const SHAPES: &[&str] = &[
    "GameStarted RoundDealt",
    "GameStarted RoundDealt RoundEndedInstantly",
    "RoundDealt",
    "RoundDealt RoundEndedInstantly",
    "RoundDealt RoundEndedInstantly GameFinished",
    "TurnCompleted",
    "TurnCompleted RoundScored",
    "TurnCompleted RoundScored GameFinished",
    "TurnCompleted RoundDrawn",
    "TurnCompleted RoundDrawn GameFinished",
    "SelectionRequired",
    "TurnProgressAfterSelection",
    "TurnProgressAfterSelection RoundScored",
    "TurnProgressAfterSelection RoundScored GameFinished",
    "TurnProgressAfterSelection RoundDrawn",
    "TurnProgressAfterSelection RoundDrawn GameFinished",
    "DecisionRequired",
    "DecisionMade",
];

pub const REBUFF: RefusalNotice = RefusalNotice {
    reason: None,
    seat: Seat(1),
    code: "INVALID_CARD",
    message: "no",
    id: "evt_error_3",
    timestamp: 12,
    is_over: false,
};

impl Reading {
    pub fn dialect(&self) -> Arc<dyn Dialect<KoiKoi>> {
        super::dialect(self.name)
    }

    pub fn schemas(&self) -> Schemas {
        Schemas::of(&self.dialect(), self.discriminator)
    }

    pub fn event_name<'a>(&self, event: &'a Value) -> &'a str {
        event[self.discriminator].as_str().expect("an event has a name")
    }

    /// Tells matches to both players and to a spectator.
    pub fn told_to_everyone(&self, count: usize, mut check: impl FnMut(&str, Viewer, &[ToldStep])) {
        let dialect = self.dialect();
        for (seed, log) in matches(count) {
            for viewer in VIEWERS {
                check(&seed, viewer, &tell(&log, viewer, &dialect));
            }
        }
    }

    /// Tells matches to everyone, for each event of this name.
    pub fn told_of(&self, event_name: &str, count: usize, check: impl Fn(&Value)) {
        self.told_to_everyone(count, |_, _, steps| {
            let events = steps.iter().flat_map(|step| &step.events);
            events.filter(|event| self.event_name(event) == event_name).for_each(&check);
        });
    }

    /// A match of two rounds as the first player is told it, with the
    /// snapshot at its end.
    pub fn short_match(&self, preset: Rules, seed: &str) -> Vec<String> {
        let rules = Rules { rounds: Some(2), ..preset };
        let (log, _) = random_game::<KoiKoi>(&rules, 2, seed);
        let steps = tell(&log, Viewer::Seat(Seat(0)), &self.dialect());
        let mut lines: Vec<String> = steps.iter().flat_map(|step| step.texts.clone()).collect();
        lines.push(steps.last().expect("a match has steps").snapshot_text.clone());
        lines
    }

    /// Every event is dated, numbered, of its schema, and has what the
    /// contract names; every event of the contract is heard.
    pub fn check_events(&self) {
        let schemas = self.schemas();
        let mut heard = BTreeSet::new();
        self.told_to_everyone(40, |_, _, steps| {
            let mut position = 0;
            for (number, step) in steps.iter().enumerate() {
                let now = (self.timestamp)(time_of(number));
                let judge = |event: &Value, id: String| {
                    assert_eq!(event["event_id"], id);
                    assert_eq!(event["timestamp"], now);
                    schemas.judge(event);
                    assert_named(event, self.event_name(event), self.named);
                };
                for event in &step.events {
                    position += 1;
                    judge(event, format!("evt_{position}"));
                    heard.insert(self.event_name(event).to_owned());
                }
                let snapshot = step.snapshot();
                assert_eq!(self.event_name(&snapshot), "GameSnapshotRestore");
                judge(&snapshot, format!("evt_snapshot_{position}"));
            }
        });
        let silent = ["TurnError", "GameSnapshotRestore"];
        let named = self.named.iter().map(|(name, _)| (*name).to_owned());
        assert_eq!(heard, named.filter(|name| !silent.contains(&name.as_str())).collect());
    }

    /// Steps are told in the shapes of the contract, and in all of them.
    pub fn check_shapes(&self) {
        let mut seen = BTreeSet::new();
        self.told_to_everyone(40, |_, _, steps| {
            for step in steps {
                let names: Vec<&str> = step.events.iter().map(|e| self.event_name(e)).collect();
                seen.insert(names.join(" "));
            }
        });
        let shapes: BTreeSet<&str> = SHAPES.iter().chain(self.own_shapes).copied().collect();
        for shape in &seen {
            assert!(shapes.contains(shape.as_str()), "{shape} is no way to tell a step");
        }
        // Rare ways may be missing from some hundred matches; the others may not.
        for shape in shapes.into_iter().filter(|shape| !shape.contains("GameFinished")) {
            let rare = shape == "GameStarted RoundDealt RoundEndedInstantly";
            assert!(rare || seen.contains(shape), "{shape} was never told");
        }
    }

    pub fn check_secrecy(&self) {
        self.told_to_everyone(40, |seed, viewer, steps| {
            for step in steps {
                for text in step.texts.iter().chain([&step.snapshot_text]) {
                    assert_no_secret(text, step, viewer, seed);
                }
            }
        });
    }

    /// A client that hears events draws what the snapshot says.
    pub fn check_naive_client(&self) {
        self.told_to_everyone(25, |seed, viewer, steps| {
            let mut live = Client::default();
            for (number, step) in steps.iter().enumerate() {
                // One client hears everything, another begins with the snapshot
                // before this step: together they begin at every position.
                let mut resumed = match number.checked_sub(1) {
                    Some(before) => (self.restore)(&steps[before].snapshot()),
                    None => Client::default(),
                };
                for event in &step.events {
                    (self.hear)(&mut live, event);
                    (self.hear)(&mut resumed, event);
                }
                let restored = (self.restore)(&step.snapshot());
                assert_eq!(live, restored, "'{seed}' {viewer} step {number}");
                assert_eq!(resumed, restored, "'{seed}' {viewer} step {number}, resumed");
            }
        });
    }

    /// A client restored from a snapshot offers the legal moves, in words
    /// that the dialect understands.
    pub fn check_moves(&self) {
        let dialect = self.dialect();
        self.told_to_everyone(10, |_, _, steps| {
            for step in steps {
                let moves = (self.restore)(&step.snapshot()).moves();
                assert_eq!(moves, commands_offered(&step.knowledge));
                for command in moves {
                    dialect.hear(command.as_bytes()).expect("a client's command is understood");
                }
            }
        });
    }

    pub fn check_clock(&self) {
        self.told_to_everyone(10, |_, _, steps| {
            for step in steps {
                let snapshot = step.snapshot();
                let named = snapshot.pointer(self.awaited).expect("who is awaited is sent");
                let named = Seat(place(named.as_str().expect("never null")) as u8);
                let awaited = KoiKoi::awaiting(&step.state).includes(named).then_some(named);
                assert_eq!(awaited.is_some(), snapshot["phase"] == "PLAYING");
                let clock = awaited.and_then(|seat| KoiKoi::clock(&step.state, seat));
                let seconds = clock.map(|clock| clock.as_secs());
                let told = snapshot.pointer(self.clock).expect("the clock is sent");
                assert_eq!(told.as_u64(), seconds);
                for event in step.events.iter().filter(|event| event.get("next_state").is_some()) {
                    let told = event.get("timeout_seconds").expect("timeout_seconds is sent");
                    let running = seconds.filter(|_| !event["next_state"].is_null());
                    assert_eq!(told.as_u64(), running);
                }
            }
        });
    }

    /// Those who see all get both hands beside the snapshot.
    pub fn check_open_hands(&self) {
        let schemas = self.schemas();
        let (_, log) = matches(1).next().expect("a match");
        let viewers = [Viewer::Admin, Viewer::Postmortem];
        for step in viewers.iter().flat_map(|viewer| tell(&log, *viewer, &self.dialect())) {
            step.events.iter().for_each(|event| schemas.judge(event));
            let snapshot = step.snapshot();
            schemas.judge(&snapshot);
            for (seat, shown) in snapshot["hands"].as_array().expect("hands").iter().enumerate() {
                let hand = step.state.hands[seat].iter().map(|card| card.to_string());
                assert_eq!(texts(&shown["cards"]), hand.collect::<Vec<_>>());
            }
        }
    }

    /// A refusal as it is told, once it is judged.
    pub fn refused(&self, notice: &RefusalNotice) -> Value {
        let refused = read(&self.dialect().refusal(notice));
        self.schemas().judge(&refused);
        assert_named(&refused, "TurnError", self.named);
        refused
    }

    /// What the server does not take, as it is told on a socket.
    pub fn errors_are_refusals(&self) {
        let codes = [
            ("MALFORMED", Some("INVALID_TARGET"), "INVALID_TARGET", Some("MALFORMED")),
            ("POSITION_AHEAD", None, "INVALID_STATE", Some("POSITION_AHEAD")),
            ("UNAUTHENTICATED", None, "INVALID_STATE", Some("UNAUTHENTICATED")),
            ("FORBIDDEN", None, "WRONG_PLAYER", Some("FORBIDDEN")),
        ];
        for (code, game_code, told, reason) in codes {
            let notice = ErrorNotice {
                seat: game_code.map(|_| Seat(0)),
                code,
                game_code,
                message: "no",
                id: "evt_error_4",
                timestamp: 12,
                is_over: false,
            };
            let said = read(&self.dialect().error(&notice).expect("a refusal"));
            self.schemas().judge(&said);
            assert_named(&said, "TurnError", self.named);
            assert_eq!(said["error_code"], told);
            assert_eq!(said["reason"].as_str(), reason);
            assert_eq!(said["event_id"], "evt_error_4");
        }
    }

    /// Snapshots have ids of their own, and a flow state at every moment.
    pub fn snapshots_stand_alone(&self) {
        let mut phases = BTreeSet::new();
        self.told_to_everyone(6, |_, _, steps| {
            let mut position = 0;
            for step in steps {
                position += step.events.len();
                let snapshot = step.snapshot();
                assert_eq!(snapshot["event_id"], format!("evt_snapshot_{position}"));
                let named = snapshot.pointer(self.awaited).and_then(Value::as_str);
                let board = &step.state.board;
                match text(&snapshot["phase"]).as_str() {
                    "ROUND_OVER" => assert_eq!(board.phase, Phase::RoundOver),
                    "FINISHED" => assert_eq!(named, board.dealer.map(Seat::id)),
                    _ => assert_eq!(named, board.phase.seat().map(Seat::id)),
                }
                phases.insert(text(&snapshot["phase"]));
            }
            for (here, next) in steps.iter().zip(&steps[1..]) {
                let snapshot = here.snapshot();
                if snapshot["phase"] == "ROUND_OVER" {
                    let opener = next.state.board.dealer.map(Seat::id);
                    assert_eq!(snapshot.pointer(self.awaited).and_then(Value::as_str), opener);
                }
            }
        });
        assert_eq!(phases.into_iter().collect::<Vec<_>>(), ["FINISHED", "PLAYING", "ROUND_OVER"]);
    }

    /// Refusals, comings and goings are events without a position.
    pub fn check_asides(&self) {
        let refused = self.refused(&REBUFF);
        assert_eq!(refused["event_id"], "evt_error_3");
        assert_eq!(refused["timestamp"], (self.timestamp)(12));
        assert_eq!(
            (&refused[self.player], &refused["retry_allowed"]),
            (&"p2".into(), &true.into())
        );
        let changes = [
            (Seat(0), "p1", Change::Joins, true),
            (Seat(1), "p2", Change::Leaves, false),
            (Seat(1), "p2", Change::Returns, true),
        ];
        for (seat, player, change, connected) in changes {
            let presence = Presence { seat, name: "Ann", is_bot: false, change, timestamp: 12 };
            let told = read(&self.dialect().presence(&presence));
            self.schemas().judge(&told);
            assert_eq!(self.event_name(&told), "PlayerConnectionChanged");
            assert_eq!(
                (&told["player_id"], &told["connected"]),
                (&player.into(), &connected.into())
            );
        }
    }

    /// How a hand of four pairs in the second seat is told: as teshi, in detail.
    pub fn four_pairs_told(&self) -> Value {
        let (_, log) = matches(1).next().expect("a match");
        let dialect = self.dialect();
        let step = tell(&log, Viewer::Public, &dialect).swap_remove(0);
        let pairs = CardSet::of(&["0111", "0131", "0221", "0231", "0311", "0331", "0421", "0431"]);
        let ended = Seen::RoundEndedInstantly(RoundEndedInstantly {
            reason: SpecialDeal::FourPairs,
            winner: Some(Seat(1)),
            points: 6,
            hands: [CardSet::EMPTY, pairs],
            field: CardSet::EMPTY,
            totals: [0, 6],
        });
        let moment = Moment {
            game_id: "law",
            viewer: Viewer::Public,
            position: 2,
            timestamp: 0,
            times: Default::default(),
            seconds_left: None,
        };
        let mut out = Vec::new();
        dialect.speak(&step.knowledge, &[ended], &step.knowledge, &moment, &mut out);
        let told = read(&out[0]);
        assert_eq!((&told["reason"], &told["detail"]), (&"TESHI".into(), &"FOUR_PAIRS".into()));
        assert_eq!(texts(&told["shown"]["hands"][1]["cards"]).len(), 8);
        told
    }
}
