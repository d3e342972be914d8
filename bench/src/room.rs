//! A room of two at Binokel, both played by one client task.

use std::net::SocketAddr;
use std::time::Instant;

use parlor_binokel::{Card, CardSet, Suit, Trick};
use serde_json::{Value, json};

use crate::Outcome;
use crate::client::post;
use crate::load::Play;
use crate::socketio::SocketIo;

const TRUMP: Suit = Suit::Herz;

/// What the client knows of the room: enough to move legally.
pub struct Room {
    sockets: [SocketIo; 2],
    hands: [CardSet; 2],
    trick: Vec<Card>,
    asked: Asked,
    opener: usize,
}

#[derive(Clone, Copy)]
enum Asked {
    Bid(usize),
    Pass(usize),
    Take(usize),
    LayAway(usize, usize),
    NameTrump(usize),
    Meld(usize),
    Play(usize),
    Nobody,
}

impl Room {
    /// Opens a room, lets two in and starts a game that does not end soon.
    pub async fn open(server: SocketAddr) -> Outcome<Room> {
        let order = json!({ "playerCount": 2, "nickname": "Ada", "targetScore": 100_000 });
        let host = post(server, "/api/sessions", "", &order).await?;
        let code = host["sessionCode"].as_str().ok_or("no code")?;
        let path = format!("/api/sessions/{code}/join");
        let other = post(server, &path, "", &json!({ "nickname": "Ben" })).await?;
        let auth = |who: &Value| json!({ "secretId": who["secretId"], "sessionId": code });
        let sockets = [
            SocketIo::connect(server, &auth(&host)).await?,
            SocketIo::connect(server, &auth(&other)).await?,
        ];
        let mut room = Room {
            sockets,
            hands: [CardSet::EMPTY; 2],
            trick: Vec::new(),
            asked: Asked::Nobody,
            opener: 0,
        };
        for socket in &mut room.sockets {
            socket.hear("game:state").await?;
        }
        room.sockets[0].emit("game:start", None).await?;
        room.listen().await?;
        Ok(room)
    }

    fn command(&self) -> Option<(usize, &'static str, Option<Value>)> {
        Some(match self.asked {
            Asked::Nobody => return None,
            Asked::Bid(seat) => (seat, "game:bid", Some(json!({ "amount": 150 }))),
            Asked::Pass(seat) => (seat, "game:pass", None),
            Asked::Take(seat) => (seat, "game:takeDabb", None),
            Asked::LayAway(seat, count) => {
                let cards: Vec<Card> = self.hands[seat].iter().take(count).collect();
                (seat, "game:discard", Some(json!({ "cardIds": cards })))
            }
            Asked::NameTrump(seat) => (seat, "game:declareTrump", Some(json!({ "suit": TRUMP }))),
            Asked::Meld(seat) => (seat, "game:declareMelds", Some(json!({ "melds": [] }))),
            Asked::Play(seat) => {
                let trumps = CardSet::of_suit(TRUMP);
                let trick = Trick::of(&self.trick, trumps);
                let card = trick.legal(self.hands[seat], trumps, false).first();
                (seat, "game:playCard", Some(json!({ "cardId": card })))
            }
        })
    }

    /// Hears what a command made, in both seats.
    async fn listen(&mut self) -> Outcome<()> {
        for seat in 0..2 {
            let batch = self.sockets[seat].hear("game:events").await?;
            for event in batch["events"].as_array().ok_or("no events")? {
                self.fold(seat, event)?;
            }
        }
        Ok(())
    }

    fn fold(&mut self, me: usize, event: &Value) -> Outcome<()> {
        let payload = &event["payload"];
        let seat = payload["playerIndex"].as_u64().unwrap_or_default() as usize;
        let other = 1 - seat;
        self.asked = match event["type"].as_str().unwrap_or_default() {
            "GAME_STARTED" | "NEW_ROUND_STARTED" => {
                self.opener = 1 - payload["dealer"].as_u64().ok_or("no dealer")? as usize;
                return Ok(());
            }
            "CARDS_DEALT" => {
                self.hands[me] = cards(&payload["hands"][me.to_string()]);
                Asked::Bid(self.opener)
            }
            "BID_PLACED" => Asked::Pass(other),
            "BIDDING_WON" => Asked::Take(seat),
            "DABB_TAKEN" => {
                let dabb = &payload["dabbCards"];
                if me == seat {
                    self.hands[me] = self.hands[me].or(cards(dabb));
                }
                Asked::LayAway(seat, dabb.as_array().map_or(0, Vec::len))
            }
            "CARDS_DISCARDED" => {
                if me == seat {
                    let laid_away = ids(&payload["discardedCards"]);
                    self.hands[me] = self.hands[me].without(laid_away);
                }
                Asked::NameTrump(seat)
            }
            "TRUMP_DECLARED" => Asked::Meld(0),
            "MELDS_DECLARED" => Asked::Meld(other),
            "MELDING_COMPLETE" => Asked::Play(self.opener),
            "CARD_PLAYED" => {
                let card = card(&payload["card"]["id"]).ok_or("no card")?;
                if me == seat {
                    self.hands[me].remove(card);
                }
                if me == 0 {
                    self.trick.push(card);
                }
                Asked::Play(other)
            }
            "TRICK_WON" => {
                if me == 0 {
                    self.trick.clear();
                }
                Asked::Play(payload["winnerIndex"].as_u64().unwrap_or_default() as usize)
            }
            "GAME_FINISHED" => Asked::Nobody,
            _ => return Ok(()),
        };
        Ok(())
    }
}

impl Play for Room {
    async fn step(&mut self) -> Outcome<Option<f64>> {
        let Some((seat, name, data)) = self.command() else { return Ok(None) };
        let began = Instant::now();
        self.sockets[seat].emit(name, data.as_ref()).await?;
        self.listen().await?;
        Ok(Some(began.elapsed().as_secs_f64() * 1e3))
    }
}

fn card(id: &Value) -> Option<Card> {
    Card::from_id(id.as_str()?)
}

fn cards(list: &Value) -> CardSet {
    let cards = list.as_array().map(Vec::as_slice).unwrap_or_default();
    cards.iter().filter_map(|each| card(&each["id"])).collect()
}

fn ids(list: &Value) -> CardSet {
    let cards = list.as_array().map(Vec::as_slice).unwrap_or_default();
    cards.iter().filter_map(card).collect()
}
