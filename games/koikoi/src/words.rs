//! Koi-Koi in words: what happens, in a line each, and the table as a picture.

use std::fmt::Write;

use parlor_kernel::{Imagine, Opened, Outline, Seat, Spoken, Stream};

use crate::board::{Board, Hand, Knowledge, Phase, State, at};
use crate::cards::{Card, Class};
use crate::event::{
    Action, Ending, GameFinished, RoundEndedInstantly, RoundScored, ScoredBy, Seen, SpecialDeal,
};
use crate::game::KoiKoi;
use crate::yaku::YakuPoints;

const FLOWERS: [&str; 12] = [
    "pine",
    "plum",
    "cherry",
    "wisteria",
    "iris",
    "peony",
    "bush clover",
    "pampas grass",
    "chrysanthemum",
    "maple",
    "willow",
    "paulownia",
];

/// A card by its name: `curtain`, `plum poetry ribbon`, `maple`.
pub fn card_name(card: Card) -> String {
    let flower = FLOWERS[usize::from(card.month() - 1)];
    match (card.class(), card.month()) {
        (Class::Bright, 1) => "crane".to_owned(),
        (Class::Bright, 3) => "curtain".to_owned(),
        (Class::Bright, 8) => "full moon".to_owned(),
        (Class::Bright, 11) => "rain man".to_owned(),
        (Class::Bright, _) => "phoenix".to_owned(),
        (Class::Animal, 2) => "bush warbler".to_owned(),
        (Class::Animal, 4) => "cuckoo".to_owned(),
        (Class::Animal, 5) => "eight-plank bridge".to_owned(),
        (Class::Animal, 6) => "butterflies".to_owned(),
        (Class::Animal, 7) => "boar".to_owned(),
        (Class::Animal, 8) => "geese".to_owned(),
        (Class::Animal, 9) => "sake cup".to_owned(),
        (Class::Animal, 10) => "deer".to_owned(),
        (Class::Animal, _) => "swallow".to_owned(),
        (Class::Ribbon, 1..=3) => format!("{flower} poetry ribbon"),
        (Class::Ribbon, 6 | 9 | 10) => format!("{flower} blue ribbon"),
        (Class::Ribbon, _) => format!("{flower} ribbon"),
        (Class::Plain, 11) => "storm".to_owned(),
        (Class::Plain, _) => flower.to_owned(),
    }
}

fn named(card: Card) -> String {
    format!("{} ({card})", card_name(card))
}

fn all_named(cards: &[Card]) -> String {
    cards.iter().map(|card| named(*card)).collect::<Vec<_>>().join(", ")
}

fn ids(cards: impl IntoIterator<Item = Card>) -> String {
    let ids: Vec<&str> = cards.into_iter().map(Card::id).collect();
    if ids.is_empty() { "–".to_owned() } else { ids.join(" ") }
}

fn yaku(held: &YakuPoints) -> String {
    let each: Vec<String> = held.iter().map(|(yaku, points)| format!("{yaku} {points}")).collect();
    if each.is_empty() { "no yaku".to_owned() } else { each.join(", ") }
}

fn name(knowledge: &Knowledge, seat: Seat) -> &str {
    knowledge
        .table
        .as_deref()
        .and_then(|table| table.setup.seats.get(at(seat)))
        .map_or(["p1", "p2"][at(seat)], |sitting| sitting.name.as_str())
}

fn standing(knowledge: &Knowledge, totals: [u32; 2]) -> String {
    let [first, second] = [Seat(0), Seat(1)].map(|seat| name(knowledge, seat));
    format!("{first} {}, {second} {}", totals[0], totals[1])
}

/// How long the match goes.
fn length(knowledge: &Knowledge) -> String {
    let Some(table) = knowledge.table.as_deref() else { return String::new() };
    match (table.rules().rounds, table.rules().target) {
        (Some(1), None) => "1 round".to_owned(),
        (Some(rounds), None) => format!("{rounds} rounds"),
        (None, Some(target)) => format!("first to {target}"),
        (Some(rounds), Some(target)) => format!("{rounds} rounds or first to {target}"),
        (None, None) => String::new(),
    }
}

impl Spoken for KoiKoi {
    fn world(knowledge: &Knowledge, dice: &mut Stream) -> Option<State> {
        Some(Self::imagine(knowledge, dice))
    }

    /// Turn, clock and totals are on the board.
    fn outline(knowledge: &Knowledge) -> Option<Outline<State>> {
        Some(Outline::whole(State {
            opened: knowledge.table.as_ref().map(|table| Opened::imagined(&table.setup)),
            board: knowledge.board.clone(),
            ..State::default()
        }))
    }

    fn narrate(_: &Knowledge, seen: &Seen, after: &Knowledge) -> Option<String> {
        let who = |seat| name(after, seat);
        Some(match seen {
            Seen::GameStarted(_) => {
                let [first, second] = [Seat(0), Seat(1)].map(who);
                format!("{first} and {second} sit down to Koi-Koi, {}", length(after))
            }
            Seen::RoundDealt(dealt) => {
                let mut line =
                    format!("Round {}: {} deals and plays first", dealt.round, who(dealt.dealer));
                let _ = write!(line, "; field {}", ids(dealt.field));
                for seat in [Seat(0), Seat(1)] {
                    if let Some(hand) = dealt.hands[at(seat)] {
                        let _ = write!(line, "; {} holds {}", who(seat), ids(hand));
                    }
                }
                line
            }
            Seen::HandPlayed(play) if play.taken.is_empty() => {
                format!("{} lays {} on the field", who(play.seat), named(play.card))
            }
            Seen::HandPlayed(play) => {
                let (card, taken) = (named(play.card), all_named(&play.taken));
                format!("{} plays {card} and takes {taken}", who(play.seat))
            }
            Seen::CardFlipped(flip) if flip.taken.is_empty() => {
                format!("The pile gives {}, which stays on the field", named(flip.card))
            }
            Seen::CardFlipped(flip) => {
                format!(
                    "The pile gives {}, which takes {}",
                    named(flip.card),
                    all_named(&flip.taken)
                )
            }
            Seen::ChoiceOffered(offer) => {
                let [one, other] = offer.options.map(named);
                format!("The pile gives {}, which may take {one} or {other}", named(offer.card))
            }
            Seen::TargetChosen(choice) => {
                let (card, target) = (named(choice.card), named(choice.target));
                format!("{} takes {target} with {card}", who(choice.seat))
            }
            Seen::YakuFormed(formed) => {
                let (fresh, total) = (yaku(&formed.fresh), formed.held.total());
                format!("{} makes {fresh}, {total} in all: koi-koi or stop?", who(formed.seat))
            }
            Seen::KoiKoiCalled(called) => format!("{} calls koi-koi", who(called.seat)),
            Seen::RoundScored(scored) => round_scored(scored, after),
            Seen::RoundDrawn(drawn) => {
                format!("Both hands are empty and nobody scores: {}", standing(after, drawn.totals))
            }
            Seen::RoundEndedInstantly(instant) => ended_instantly(instant, after),
            Seen::GameFinished(finished) => game_finished(finished, after),
        })
    }

    fn picture(knowledge: &Knowledge) -> String {
        let board = &knowledge.board;
        let mut text = String::new();
        let dealer = board.dealer.map_or("nobody", |seat| name(knowledge, seat));
        let _ = writeln!(
            text,
            "Round {} · {} · {dealer} deals · {}",
            board.round,
            length(knowledge),
            standing(knowledge, board.totals)
        );
        let field = board.field.cards();
        let field = if field.is_empty() { "–".to_owned() } else { all_named(&field) };
        let _ = writeln!(text, "Field  {field} · {} in the pile", board.pile_left);
        for seat in [Seat(0), Seat(1)] {
            let _ = writeln!(text, "{}", player(knowledge, seat));
        }
        text + &waiting(knowledge, board)
    }

    /// A move as it is put to a person: what is played, and what it takes.
    fn label(knowledge: &Knowledge, action: &Action) -> String {
        let field = &knowledge.board.field;
        match *action {
            Action::Play { card, target: Some(target) } => {
                format!("play {}, take {}", named(card), named(target))
            }
            Action::Play { card, target: None } => match field.matches(card) {
                none if none.is_empty() => format!("lay {} on the field", named(card)),
                taken => format!("play {}, take {}", named(card), all_named(&taken)),
            },
            Action::Select { source, target } => {
                format!("take {} with {}", named(target), named(source))
            }
            Action::KoiKoi => "koi-koi: go on for more".to_owned(),
            Action::Stop => "stop and score".to_owned(),
        }
    }
}

fn round_scored(scored: &RoundScored, after: &Knowledge) -> String {
    let why = match scored.by {
        ScoredBy::Stop => "stops",
        ScoredBy::LastCard => "makes yaku with the last card",
        ScoredBy::KoiLimit => "may not call again",
        ScoredBy::Exhausted => "called last and the hands are empty",
    };
    let mut pay = scored.base.to_string();
    if scored.seven > 1 {
        let _ = write!(pay, " × {} for seven and more", scored.seven);
    }
    if scored.koi > 1 {
        let _ = write!(pay, " × {} for koi-koi", scored.koi);
    }
    if scored.points != scored.base {
        let _ = write!(pay, " = {}", scored.points);
    }
    let (who, held) = (name(after, scored.winner), yaku(&scored.held));
    format!("{who} {why} and scores {held}: {pay}. {}", standing(after, scored.totals))
}

fn ended_instantly(instant: &RoundEndedInstantly, after: &Knowledge) -> String {
    let reason = match instant.reason {
        SpecialDeal::Teshi => "Four of a month in hand",
        SpecialDeal::FourPairs => "Four pairs in hand",
        SpecialDeal::FieldKuttsuki => "Four of a month on the field",
    };
    let cards =
        ids(instant.hands[0].iter().chain(instant.hands[1].iter()).chain(instant.field.iter()));
    let outcome = match instant.winner {
        Some(seat) => format!("{} scores {}", name(after, seat), instant.points),
        None => "nobody scores".to_owned(),
    };
    format!("{reason} ({cards}): {outcome}. {}", standing(after, instant.totals))
}

fn game_finished(finished: &GameFinished, after: &Knowledge) -> String {
    let why = match finished.reason {
        Ending::RoundsPlayed => "All rounds are played",
        Ending::TargetReached => "The target is reached",
        Ending::CalledOff => {
            let note = finished.note.as_deref().unwrap_or("no reason was given");
            return format!(
                "The match is called off: {note}. {}",
                standing(after, finished.totals)
            );
        }
    };
    let outcome = match finished.winner {
        Some(seat) => format!("{} wins the match", name(after, seat)),
        None => "the match is drawn".to_owned(),
    };
    format!("{why}: {outcome}. {}", standing(after, finished.totals))
}

fn player(knowledge: &Knowledge, seat: Seat) -> String {
    let board = &knowledge.board;
    let hand = match knowledge.hands[at(seat)] {
        Hand::Open(cards) => ids(cards.iter()),
        Hand::Closed { count } => format!("{count} cards"),
    };
    let captured = ids(board.captured[at(seat)].cards());
    let mut line = format!("{}  hand {hand} · captured {captured}", name(knowledge, seat));
    if !board.held[at(seat)].is_empty() {
        let _ = write!(line, " · {}", yaku(&board.held[at(seat)]));
    }
    if board.calls[at(seat)] > 0 {
        let _ = write!(line, " · koi-koi × {}", board.calls[at(seat)]);
    }
    line
}

fn waiting(knowledge: &Knowledge, board: &Board) -> String {
    match board.phase {
        Phase::Unopened => "The match has not begun".to_owned(),
        Phase::HandPlay { seat } => format!("{} plays a card", name(knowledge, seat)),
        Phase::Selection { seat, card, options: [one, other] } => {
            format!("{} chooses {one} or {other} for {card}", name(knowledge, seat))
        }
        Phase::Decision { seat, .. } => {
            format!("{} decides: koi-koi or stop", name(knowledge, seat))
        }
        Phase::RoundOver => "The round is over".to_owned(),
        Phase::Finished => "The match is over".to_owned(),
    }
}
