//! A naive client that knows nothing but the contract: it folds events and
//! comes to the same table as the server.

use std::collections::{BTreeMap, BTreeSet};

use parlor_binokel::{Over, Phase, Special};
use parlor_kernel::Viewer;
use serde_json::{Value, json};

use crate::{games, tell, viewers};

#[derive(Default)]
struct Client {
    players: usize,
    phase: String,
    hands: Vec<Vec<String>>,
    dabb: usize,
    laid_away: usize,
    bid: Option<(u64, u64)>,
    trump: Option<String>,
    special: Option<String>,
    going_out: bool,
    melded: BTreeMap<u64, u64>,
    trick: Vec<String>,
    tricks: Vec<u64>,
    totals: Value,
    trump_first: bool,
}

fn seat(payload: &Value) -> usize {
    payload["playerIndex"].as_u64().expect("a seat") as usize
}

fn ids(cards: &Value) -> Vec<String> {
    let id = |card: &Value| card["id"].as_str().expect("cards have ids").to_owned();
    cards.as_array().expect("a list of cards").iter().map(id).collect()
}

impl Client {
    fn hear(&mut self, event: &Value) {
        let payload = &event["payload"];
        match event["type"].as_str().expect("events have types") {
            "PLAYER_JOINED" => self.players += 1,
            "GAME_STARTED" => {
                assert_eq!(payload["playerCount"], self.players);
                self.trump_first = payload["rules"]["trump_first"] == true;
                let sides = if self.players == 4 { 2 } else { self.players };
                self.totals = (0..sides).map(|side| (side.to_string(), json!(0))).collect();
            }
            "NEW_ROUND_STARTED" => {}
            "CARDS_DEALT" => {
                let hands = payload["hands"].as_object().expect("hands by seat");
                self.hands = (0..self.players).map(|n| ids(&hands[&n.to_string()])).collect();
                self.dabb = ids(&payload["dabb"]).len();
                (self.bid, self.trump, self.going_out) = (None, None, false);
                self.special = None;
                (self.laid_away, self.phase) = (0, "bidding".to_owned());
                self.melded.clear();
                self.tricks = vec![0; self.players];
            }
            "BID_PLACED" => {
                self.bid = Some((seat(payload) as u64, payload["amount"].as_u64().expect("a bid")));
            }
            "PLAYER_PASSED" => {}
            "BIDDING_WON" => {
                assert_eq!(self.bid.map(|(_, bid)| bid), payload["winningBid"].as_u64());
                self.phase = "dabb".to_owned();
            }
            "DABB_TAKEN" => {
                self.hands[seat(payload)].extend(ids(&payload["dabbCards"]));
                self.dabb = 0;
                self.phase = if self.trump_first { "trump" } else { "dabb" }.to_owned();
            }
            "CARDS_DISCARDED" => {
                let cards = payload["discardedCards"].as_array().expect("a list").clone();
                for card in &cards {
                    self.lose(seat(payload), card.as_str().expect("an id"));
                }
                self.laid_away = cards.len();
                self.phase = if self.trump_first { "melding" } else { "trump" }.to_owned();
            }
            name @ ("GOING_OUT" | "TRUMP_DECLARED") => {
                self.trump = payload["suit"].as_str().map(str::to_owned);
                self.going_out = name == "GOING_OUT";
                let laying = self.trump_first && !self.going_out;
                self.phase = if laying { "dabb" } else { "melding" }.to_owned();
            }
            "SPECIAL_ANNOUNCED" => {
                self.special = payload["special"].as_str().map(str::to_owned);
                self.phase = if self.trump_first { "dabb" } else { "melding" }.to_owned();
            }
            "MELDS_DECLARED" => {
                let melds = payload["melds"].as_array().expect("a list");
                let total = melds.iter().map(|meld| meld["points"].as_u64().expect("points")).sum();
                assert_eq!(payload["totalPoints"], total);
                self.melded.insert(seat(payload) as u64, total);
            }
            "MELDING_COMPLETE" => {
                for n in 0..self.players as u64 {
                    let melded = self.melded.get(&n).copied().unwrap_or(0);
                    assert_eq!(payload["meldScores"][n.to_string()], melded);
                }
                self.phase = "tricks".to_owned();
            }
            "CARD_PLAYED" => {
                let id = payload["card"]["id"].as_str().expect("an id").to_owned();
                self.lose(seat(payload), &id);
                self.trick.push(id);
            }
            "TRICK_WON" => {
                assert_eq!(ids(&payload["cards"]), std::mem::take(&mut self.trick));
                let winner = payload["winnerIndex"].as_u64().expect("a seat") as usize;
                self.tricks[winner] += payload["points"].as_u64().expect("points");
            }
            "ROUND_SCORED" => {
                for (side, score) in payload["scores"].as_object().expect("scores by side") {
                    let total = self.totals[side].as_i64().expect("a total")
                        + score["total"].as_i64().expect("a total");
                    assert_eq!(payload["totalScores"][side], total);
                }
                self.totals = payload["totalScores"].clone();
            }
            "GAME_FINISHED" => {
                assert_eq!(payload["finalScores"], self.totals);
                self.phase = "finished".to_owned();
            }
            "GAME_TERMINATED" => self.phase = "terminated".to_owned(),
            other => panic!("the contract has no {other}"),
        }
    }

    /// A card it knows leaves, or one of those it does not. What it once knew
    /// may have been laid away since, where the dabb is shown to all.
    fn lose(&mut self, seat: usize, id: &str) {
        let hand = &mut self.hands[seat];
        let place = hand
            .iter()
            .position(|card| card == id)
            .or_else(|| hand.iter().position(|card| card.starts_with("hidden")));
        hand.remove(place.unwrap_or(0));
    }
}

#[test]
fn a_client_that_folds_events_comes_to_the_table_the_server_has() {
    for (seed, players, log) in games(1) {
        for viewer in viewers(players) {
            let mut client = Client::default();
            for step in tell(&log, viewer) {
                step.events.iter().for_each(|event| client.hear(event));
                let board = &step.state.board;
                let what = format!("{seed} {players} {viewer} {:?}", board.phase);
                assert_eq!(client.phase, board.phase.name(), "{what}");
                for (seat, hand) in client.hands.iter().enumerate() {
                    let truth: BTreeSet<&str> =
                        step.state.hands[seat].iter().map(|card| card.id()).collect();
                    assert_eq!(hand.len(), truth.len(), "{what}");
                    if viewer == Viewer::Seat(parlor_kernel::Seat(seat as u8)) {
                        assert_eq!(hand.iter().map(String::as_str).collect::<BTreeSet<_>>(), truth);
                    }
                }
                assert_eq!(client.dabb, step.state.dabb.len() as usize, "{what}");
                assert_eq!(client.laid_away, step.state.laid_away.len() as usize, "{what}");
                assert_eq!(client.trump.as_deref(), board.trump.map(|suit| suit.name()), "{what}");
                let special = board.special.map(|special| special.name());
                assert_eq!(client.special.as_deref(), special, "{what}");
                assert_eq!(client.totals, json!(board.totals), "{what}");
                let taken: Vec<u64> =
                    board.taken[..players].iter().map(|points| u64::from(*points)).collect();
                assert_eq!(client.tricks, taken, "{what}");
                let bid = board.highest_bid().map(|(seat, bid)| (seat.0.into(), bid.into()));
                assert_eq!(client.bid, bid, "{what}");
            }
        }
    }
}

#[test]
fn a_snapshot_shows_the_table_as_it_stands() {
    for (seed, players, log) in games(1) {
        for viewer in viewers(players) {
            let mut heard = 0;
            for step in tell(&log, viewer) {
                heard += step.events.len();
                let board = &step.state.board;
                let (snapshot, what) = (&step.snapshot["payload"], format!("{seed} {viewer}"));
                assert_eq!(snapshot["lastEventSequence"], heard, "{what}");
                assert_eq!(snapshot["phase"], board.phase.name(), "{what}");
                assert_eq!(snapshot["totalScores"], json!(board.totals), "{what}");
                let round = &snapshot["round"];
                assert_eq!(round["trump"], json!(board.trump), "{what}");
                assert_eq!(round["special"], json!(board.special), "{what}");
                assert_eq!(
                    round["trick"]["cards"].as_array().map(Vec::len),
                    Some(board.trick.cards().len())
                );
                if let Viewer::Seat(seat) = viewer {
                    let hand = ids(&round["hands"][seat.0.to_string()]);
                    let truth: Vec<&str> =
                        step.state.hands[seat.index()].iter().map(|card| card.id()).collect();
                    assert_eq!(hand, truth, "{what}");
                    let rules = step.state.rules().expect("it began");
                    let plays = match board.phase {
                        Phase::Tricks { seat: turn } if turn == seat => {
                            json!(board.legal(seat, step.state.hands[seat.index()], rules))
                        }
                        _ => Value::Null,
                    };
                    assert_eq!(snapshot["may"]["playCard"], plays, "{what}");
                    let offered: Vec<Special> = match board.phase {
                        Phase::NamingTrump if board.declarer() == Some(seat) => {
                            let bid = board.highest_bid().map_or(0, |(_, bid)| bid);
                            Special::offered(rules, bid).collect()
                        }
                        _ => Vec::new(),
                    };
                    let said = snapshot["may"]["announce"].as_array().cloned().unwrap_or_default();
                    assert_eq!(json!(said), json!(offered), "{what}");
                    assert_eq!(snapshot["may"]["exit"], board.phase.is_active(), "{what}");
                }
                let finished = matches!(board.over, Some(Over::Finished(_)));
                assert_eq!(!snapshot["finished"].is_null(), finished, "{what}");
            }
        }
    }
}
