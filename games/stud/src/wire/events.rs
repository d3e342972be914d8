//! What is said, field by field.

use std::borrow::Cow;

use parlor_kernel::{EventSchema, Moment, RefusalNotice, Seat, SeedOpening, Setup, schema_of};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use super::standing::{TableTold, is_timed, timeout};
use crate::betting::LegalMoves;
use crate::cards::Card;
use crate::each_seat::EachSeat;
use crate::event::{
    DealtCard, DealtThree, Ending, GameFinished, Seen, Street, Turn, TurnedUp, Wager,
};
use crate::rules::{Rules, Stakes, Variant};
use crate::seats::Seats;
use crate::showdown::DealEndTold;
use crate::state::Knowledge;

/// The id under which comings and goings are told.
pub(super) const PRESENCE_ID: &str = "evt_presence";

/// An event: the contract's head, the body of its type, and who is asked next.
#[derive(Serialize, JsonSchema)]
pub(super) struct Told<B> {
    id: String,
    #[serde(rename = "type")]
    kind: Cow<'static, str>,
    /// Null for what concerns the whole table.
    seat: Option<Seat>,
    /// Null for what belongs to no street.
    street: Option<Street>,
    /// Milliseconds since 1970.
    timestamp: u64,
    #[serde(flatten)]
    body: B,
    /// ＋ Who is asked after this step; null within a step and where nobody is.
    next: Option<Next>,
}

/// Who is asked, and what they may do.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Next {
    seat: Seat,
    /// Legal actions with their chips.
    legal: LegalMoves,
    /// Null where no clock runs.
    timeout_seconds: Option<u32>,
}

impl Next {
    pub fn of(knowledge: &Knowledge) -> Option<Next> {
        let setup = knowledge.setup.as_deref()?;
        Some(Next {
            seat: knowledge.board.actor?,
            legal: knowledge.board.legal(setup.rules.cap),
            timeout_seconds: timeout(knowledge),
        })
    }
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct GameStarted<'a> {
    game_id: &'a str,
    players: Vec<Sitting<'a>>,
    rules: &'a Rules,
    /// GAME_FINISHED opens it, unless hands stay closed for good.
    seed_commitment: &'a str,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Sitting<'a> {
    seat: Seat,
    player_id: &'a str,
    name: &'a str,
    is_bot: bool,
}

#[derive(Serialize, JsonSchema)]
struct DealStarted<'a> {
    /// Which deal of the match, from 1.
    deal: u32,
    variant: Variant,
    stakes: Stakes,
    /// Who is dealt in.
    seats: Seats,
    /// Every stack, dealt in or not.
    stacks: &'a [u32],
}

#[derive(Serialize, JsonSchema)]
struct DealInit<'a> {
    /// Null for all but those who see all.
    deck: Option<&'a [Card]>,
}

#[derive(Serialize, JsonSchema)]
struct Chips {
    /// Nominal, as the contract defines it for this type.
    amount: u32,
    /// ＋ What left the stack.
    paid: u32,
}

/// The bring-in, which the clock posts where nobody does.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Posted {
    /// Nominal, as the contract defines it for this type.
    amount: u32,
    /// ＋ What left the stack.
    paid: u32,
    /// ＋ True where the seat's time was up; else left out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(default)]
    timed_out: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Decided {
    /// ＋ True where the seat's time was up; else left out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(default)]
    timed_out: bool,
}

#[derive(Serialize, JsonSchema)]
struct Nothing {}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ThirdDealt<'a> {
    hands: &'a EachSeat<DealtThree>,
    /// Whose door card must bring it in.
    bring_in_index: Option<Seat>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct StreetDealt<'a> {
    cards: &'a EachSeat<DealtCard>,
    /// Whose showing hand is best and opens.
    opener: Option<Seat>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Advanced<'a> {
    /// ＋ The hands that play on face up, because nobody can bet any more.
    turned_up: &'a EachSeat<TurnedUp>,
}

#[derive(Serialize, JsonSchema)]
struct Seconds {
    seconds: u16,
}

#[derive(Serialize, JsonSchema)]
struct Bought {
    amount: u32,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Finished<'a> {
    reason: Ending,
    note: Option<&'a str>,
    stacks: &'a [u32],
    /// What each seat won or lost: its stack without what it bought.
    won: &'a [i64],
    /// Who won most; nobody if all are equal.
    winners: Seats,
    /// What GAME_STARTED's commitment was to; null where hands stay closed.
    seed_opening: Option<&'a SeedOpening>,
}

/// The present as a whole. It is no event; its id is the last one's.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Snapshot<'a> {
    id: String,
    #[serde(rename = "type")]
    kind: Cow<'static, str>,
    seat: Option<Seat>,
    timestamp: u64,
    game_id: &'a str,
    /// The seat this is told to; null for a spectator.
    my_seat: Option<Seat>,
    #[serde(flatten)]
    standing: TableTold<'a>,
    /// What is left of `timeoutSeconds`, or between deals of `rules.waitSeconds`,
    /// where that is known.
    seconds_left: Option<u32>,
}

/// Why a command was refused. It is no part of the log.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Refused {
    id: String,
    #[serde(rename = "type")]
    kind: Cow<'static, str>,
    seat: Seat,
    street: Option<Street>,
    timestamp: u64,
    /// NOT_YOUR_TURN, ILLEGAL_ACTION, NO_BETTING, ALREADY_SO, NO_REBUY,
    /// NO_TIME_BANK, NO_CLAIM or GAME_OVER from the game; the house has its own.
    code: String,
    message: String,
    retry_allowed: bool,
}

/// A player went away or came back. It is no part of the log.
#[derive(Serialize, JsonSchema)]
pub(super) struct Presence {
    id: &'static str,
    #[serde(rename = "type")]
    kind: Cow<'static, str>,
    seat: Seat,
    street: Option<Street>,
    timestamp: u64,
    connected: bool,
}

/// A message as JSON.
pub(super) fn text(message: &impl Serialize) -> String {
    // Plain data with string keys always becomes JSON.
    serde_json::to_string(message).expect("a message is plain data")
}

/// Puts heads on bodies.
struct Teller {
    id: String,
    timestamp: u64,
    next: Option<Next>,
}

impl Teller {
    fn say(
        self,
        kind: &'static str,
        seat: Option<Seat>,
        street: Option<Street>,
        body: impl Serialize,
    ) -> String {
        let Teller { id, timestamp, next } = self;
        text(&Told { id, kind: kind.into(), seat, street, timestamp, body, next })
    }

    fn wager(self, kind: &'static str, wager: &Wager) -> String {
        let body = Chips { amount: wager.amount, paid: wager.paid };
        self.say(kind, Some(wager.seat), Some(wager.street), body)
    }

    fn turn(self, kind: &'static str, turn: &Turn) -> String {
        let body = Decided { timed_out: turn.timed_out };
        self.say(kind, Some(turn.seat), Some(turn.street), body)
    }

    fn street(
        self,
        kind: &'static str,
        street: Street,
        dealt: &crate::event::StreetDealt,
    ) -> String {
        let body = StreetDealt { cards: &dealt.cards, opener: dealt.opener };
        self.say(kind, None, Some(street), body)
    }
}

/// One thing seen, as its wire event.
pub(super) fn told(seen: &Seen, next: Option<Next>, id: String, timestamp: u64) -> String {
    let teller = Teller { id, timestamp, next };
    match seen {
        Seen::GameStarted(setup) => teller.say("GAME_STARTED", None, None, GameStarted::of(setup)),
        Seen::DealStarted(start) => {
            let body = DealStarted {
                deal: start.deal,
                variant: start.variant,
                stakes: start.stakes,
                seats: start.seats,
                stacks: &start.stacks,
            };
            teller.say("DEAL_STARTED", None, None, body)
        }
        Seen::DealInit(init) => {
            let deck = init.deck.as_deref().map(|deck| &deck.0[..]);
            teller.say("DEAL_INIT", None, None, DealInit { deck })
        }
        Seen::PostAnte(ante) => {
            let body = Chips { amount: ante.amount, paid: ante.paid };
            teller.say("POST_ANTE", Some(ante.seat), None, body)
        }
        Seen::DealCards3rd(dealt) => {
            let body = ThirdDealt { hands: &dealt.hands, bring_in_index: dealt.bring_in };
            teller.say("DEAL_CARDS_3RD", None, Some(Street::Third), body)
        }
        Seen::DealCard4th(dealt) => teller.street("DEAL_CARD_4TH", Street::Fourth, dealt),
        Seen::DealCard5th(dealt) => teller.street("DEAL_CARD_5TH", Street::Fifth, dealt),
        Seen::DealCard6th(dealt) => teller.street("DEAL_CARD_6TH", Street::Sixth, dealt),
        Seen::DealCard7th(dealt) => teller.street("DEAL_CARD_7TH", Street::Seventh, dealt),
        Seen::BringIn(wager) => {
            let Wager { seat, street, amount, paid, timed_out } = *wager;
            teller.say("BRING_IN", Some(seat), Some(street), Posted { amount, paid, timed_out })
        }
        Seen::Complete(wager) => teller.wager("COMPLETE", wager),
        Seen::Bet(wager) => teller.wager("BET", wager),
        Seen::Raise(wager) => teller.wager("RAISE", wager),
        Seen::Call(wager) => teller.wager("CALL", wager),
        Seen::Fold(turn) => teller.turn("FOLD", turn),
        Seen::Check(turn) => teller.turn("CHECK", turn),
        Seen::StreetAdvance(advance) => {
            let body = Advanced { turned_up: &advance.turned_up };
            teller.say("STREET_ADVANCE", None, Some(advance.street), body)
        }
        Seen::DealEnd(end) => teller.say("DEAL_END", end.seat, end.street, end.told()),
        Seen::TimeBank(taken) => {
            teller.say("TIME_BANK", Some(taken.seat), None, Seconds { seconds: taken.seconds })
        }
        Seen::SatOut(aside) => teller.say("SAT_OUT", Some(aside.seat), None, Nothing {}),
        Seen::CameBack(aside) => teller.say("CAME_BACK", Some(aside.seat), None, Nothing {}),
        Seen::Rebought(bought) => {
            teller.say("REBOUGHT", Some(bought.seat), None, Bought { amount: bought.amount })
        }
        Seen::GameFinished(finished) => {
            teller.say("GAME_FINISHED", None, None, Finished::of(finished))
        }
    }
}

impl<'a> GameStarted<'a> {
    fn of(setup: &'a Setup<Rules>) -> GameStarted<'a> {
        let sitting = |(place, sitting): (usize, &'a parlor_kernel::Sitting)| Sitting {
            seat: Seat(place as u8),
            player_id: &sitting.player_id,
            name: &sitting.name,
            is_bot: sitting.bot.is_some(),
        };
        GameStarted {
            game_id: &setup.game_id,
            players: setup.seats.iter().enumerate().map(sitting).collect(),
            rules: &setup.rules,
            seed_commitment: &setup.commitment,
        }
    }
}

impl<'a> Finished<'a> {
    fn of(finished: &'a GameFinished) -> Finished<'a> {
        Finished {
            reason: finished.reason,
            note: finished.note.as_deref(),
            stacks: &finished.stacks,
            won: &finished.won,
            winners: finished.winners,
            seed_opening: finished.opening.as_ref(),
        }
    }
}

impl<'a> Snapshot<'a> {
    pub fn of(knowledge: &'a Knowledge, moment: &'a Moment) -> Snapshot<'a> {
        Snapshot {
            id: moment.present_id(),
            kind: "SNAPSHOT".into(),
            seat: None,
            timestamp: moment.timestamp,
            game_id: moment.game_id,
            my_seat: knowledge.viewer.seat(),
            standing: TableTold::of(knowledge),
            seconds_left: is_timed(knowledge).then_some(moment.seconds_left).flatten(),
        }
    }
}

impl Refused {
    pub fn of(notice: &RefusalNotice) -> Refused {
        Refused {
            id: notice.id.to_owned(),
            kind: "REFUSED".into(),
            seat: notice.seat,
            street: None,
            timestamp: notice.timestamp,
            code: notice.code.to_owned(),
            message: notice.message.to_owned(),
            retry_allowed: !notice.is_over,
        }
    }
}

impl Presence {
    pub fn of(id: &'static str, seat: Seat, connected: bool, timestamp: u64) -> Presence {
        Presence { id, kind: "PRESENCE".into(), seat, street: None, timestamp, connected }
    }
}

/// The schemas of everything that is said.
pub(super) fn schemas() -> Vec<EventSchema> {
    fn event<B: JsonSchema>(name: &str) -> EventSchema {
        message::<Told<B>>(name)
    }
    let mut schemas = vec![
        event::<GameStarted>("GAME_STARTED"),
        event::<DealStarted>("DEAL_STARTED"),
        event::<DealInit>("DEAL_INIT"),
        event::<Chips>("POST_ANTE"),
        event::<ThirdDealt>("DEAL_CARDS_3RD"),
    ];
    let streets = ["DEAL_CARD_4TH", "DEAL_CARD_5TH", "DEAL_CARD_6TH", "DEAL_CARD_7TH"];
    schemas.extend(streets.map(event::<StreetDealt>));
    schemas.push(event::<Posted>("BRING_IN"));
    schemas.extend(["COMPLETE", "BET", "RAISE", "CALL"].map(event::<Chips>));
    schemas.extend(["FOLD", "CHECK"].map(event::<Decided>));
    schemas.extend(["SAT_OUT", "CAME_BACK"].map(event::<Nothing>));
    schemas.extend([
        event::<Advanced>("STREET_ADVANCE"),
        event::<DealEndTold>("DEAL_END"),
        event::<Seconds>("TIME_BANK"),
        event::<Bought>("REBOUGHT"),
        event::<Finished>("GAME_FINISHED"),
        message::<Snapshot>("SNAPSHOT"),
        message::<Refused>("REFUSED"),
        message::<Presence>("PRESENCE"),
    ]);
    schemas
}

fn message<T: JsonSchema>(name: &str) -> EventSchema {
    let mut schema = schema_of::<T>();
    schema["title"] = json!(name);
    schema["properties"]["type"] = json!({ "const": name });
    EventSchema { name: name.to_owned(), is_command: false, schema }
}
