//! The game in words: one line for each thing seen, and the table as a picture.

use std::fmt::Write;

use parlor_kernel::Seat;

use crate::board::{Board, Over, Phase};
use crate::cards::{Card, CardSet};
use crate::event::{Ending, GameFinished, GameTerminated, MeldsDeclared, RoundScored, Seen};
use crate::holding::Holding;
use crate::knowledge::Knowledge;
use crate::melds::{Meld, melds};
use crate::score::SideScore;
use crate::seats::{Each, all_seats, at};
use crate::special::Special;
use crate::trick::Trick;

fn name(knowledge: &Knowledge, seat: Seat) -> &str {
    let sitting = knowledge.table.as_deref().and_then(|table| table.setup.seats.get(seat.index()));
    sitting.map_or("somebody", |sitting| sitting.name.as_str())
}

/// A side by its players: one, or with four players two.
fn side_name(knowledge: &Knowledge, side: usize) -> String {
    let board = &knowledge.board;
    let seats = all_seats(board.players).filter(|seat| board.side(*seat) == side);
    seats.map(|seat| name(knowledge, seat)).collect::<Vec<_>>().join(" and ")
}

fn row<'a>(cards: impl IntoIterator<Item = &'a Card>) -> String {
    let ids: Vec<&str> = cards.into_iter().map(|card| card.id()).collect();
    if ids.is_empty() { "nothing".to_owned() } else { ids.join(" ") }
}

pub(crate) fn set(cards: CardSet) -> String {
    row(&cards.iter().collect::<Vec<_>>())
}

fn holding(cards: &Holding) -> String {
    match (cards.known.is_empty(), cards.unknown) {
        (_, 0) => set(cards.known),
        (true, 1) => "1 card".to_owned(),
        (true, count) => format!("{count} cards"),
        (false, count) => format!("{} and {count} more", set(cards.known)),
    }
}

fn standing(knowledge: &Knowledge, totals: &Each<i32>) -> String {
    let sides = totals.as_slice().iter().enumerate();
    let side = |(side, total)| format!("{} {total}", side_name(knowledge, side));
    sides.map(side).collect::<Vec<_>>().join(", ")
}

pub(crate) fn narrate(before: &Knowledge, seen: &Seen, after: &Knowledge) -> Option<String> {
    let who = |seat| name(after, seat);
    Some(match seen {
        Seen::GameStarted(table) => {
            let names: Vec<&str> =
                table.setup.seats.iter().map(|seat| seat.name.as_str()).collect();
            format!("{} sit down; {} deals", names.join(", "), who(table.dealer))
        }
        Seen::NewRoundStarted(start) => {
            format!("Round {}: {} deals", start.round, who(start.dealer))
        }
        Seen::CardsDealt(dealt) => {
            let hands = all_seats(after.board.players).zip(dealt.hands.as_slice());
            let hand = |(seat, hand)| format!("{} {}", who(seat), holding(hand));
            let hands: Vec<String> = hands.map(hand).collect();
            format!("Dealt: {}; the dabb {}", hands.join("; "), holding(&dealt.dabb))
        }
        Seen::BidPlaced(bid) => format!("{} bids {}", who(bid.seat), bid.amount),
        Seen::PlayerPassed(passed) => format!("{} passes", who(passed.seat)),
        Seen::BiddingWon(won) => {
            format!("{} wins the bidding for {}", who(won.seat), won.winning_bid)
        }
        Seen::DabbTaken(taken) => {
            format!("{} takes the dabb: {}", who(taken.seat), holding(&taken.dabb_cards))
        }
        Seen::CardsDiscarded(discarded) => {
            let cards = holding(&discarded.discarded_cards);
            format!("{} lays away {cards}", who(discarded.seat))
        }
        Seen::GoingOut(named) => format!("{} goes out in {}", who(named.seat), named.suit),
        Seen::TrumpDeclared(named) => format!("{} names {} trump", who(named.seat), named.suit),
        Seen::SpecialAnnounced(announced) => {
            let (who, special) = (who(announced.seat), announced.special);
            let goal = match special {
                Special::Durch => "every trick",
                Special::Bettel => "no trick",
            };
            format!("{who} announces a {special}: {goal}, without trump and melds")
        }
        Seen::MeldsDeclared(declared) => melds_declared(before, declared, after)?,
        // The melds themselves were just told.
        Seen::MeldingComplete(_) => return None,
        Seen::CardPlayed(play) => format!("{} plays {}", who(play.seat), play.card),
        Seen::TrickWon(won) => format!("{} takes the trick, {}", who(won.seat), won.points),
        Seen::RoundScored(scored) => round_scored(scored, before, after),
        Seen::GameFinished(finished) => game_finished(finished, after),
        Seen::GameTerminated(terminated) => game_terminated(terminated, after),
    })
}

fn melds_declared(
    before: &Knowledge,
    declared: &MeldsDeclared,
    after: &Knowledge,
) -> Option<String> {
    let (trump, table) = (before.board.trump?, after.table.as_deref()?);
    let who = name(after, declared.seat);
    let melds = melds(declared.cards, trump, &table.setup.rules);
    if melds.is_empty() {
        return Some(format!("{who} has nothing to meld"));
    }
    Some(format!("{who} melds {}: {}", meld_list(&melds), declared.total_points))
}

/// Melds with what each counts.
pub(crate) fn meld_list(melds: &[Meld]) -> String {
    let meld = |meld: &Meld| match meld.suit {
        Some(suit) => format!("{} in {suit} {}", meld.kind.name(), meld.points),
        None => format!("{} {}", meld.kind.name(), meld.points),
    };
    melds.iter().map(meld).collect::<Vec<_>>().join(", ")
}

fn round_scored(scored: &RoundScored, before: &Knowledge, after: &Knowledge) -> String {
    let bid = before.board.highest_bid();
    let mut text = "The round counts".to_owned();
    for (side, score) in scored.scores.as_slice().iter().enumerate() {
        let ours = bid.filter(|(seat, _)| after.board.side(*seat) == side);
        let _ = write!(text, "{} {}: ", if side == 0 { "" } else { ";" }, side_name(after, side));
        let _ = match (ours, before.board.special) {
            (Some(_), Some(special)) => {
                write!(text, "the {special} {}", if score.bid_met { "made" } else { "lost" })
            }
            (None, Some(_)) => write!(text, "nothing"),
            (ours, None) => reckoned(&mut text, ours, score, before.board.going_out),
        };
        let _ = write!(text, ", {:+}", score.total);
    }
    format!("{text}. Totals: {}", standing(after, &scored.total_scores))
}

/// Melds and tricks of a side, and what became of its bid if it had one.
fn reckoned(
    text: &mut String,
    bid: Option<(Seat, u16)>,
    score: &SideScore,
    going_out: bool,
) -> std::fmt::Result {
    let SideScore { melds, tricks, bid_met, .. } = *score;
    match bid {
        Some((_, bid)) if going_out => write!(text, "gone out, the bid of {bid} lost"),
        Some((_, bid)) if !bid_met => {
            write!(text, "melds {melds} and tricks {tricks} miss {bid}, lost twice")
        }
        _ => write!(text, "melds {melds}, tricks {tricks}"),
    }
}

fn game_finished(finished: &GameFinished, after: &Knowledge) -> String {
    let why = match finished.reason {
        Ending::TargetReached => "The target is reached",
        Ending::RoundsPlayed => "All rounds are played",
    };
    let winner = side_name(after, finished.winner.into());
    format!("{why}: the game goes to {winner}. {}", standing(after, &finished.final_scores))
}

fn game_terminated(terminated: &GameTerminated, after: &Knowledge) -> String {
    match terminated.terminated_by {
        Some(seat) => format!("{} leaves, and the game is over", name(after, seat)),
        None => format!("The game is called off: {}", terminated.reason),
    }
}

pub(crate) fn picture(knowledge: &Knowledge) -> String {
    let board = &knowledge.board;
    let mut text = String::new();
    let _ = writeln!(
        text,
        "Round {} · {} deals · {}",
        board.round,
        name(knowledge, board.dealer),
        standing(knowledge, &board.totals)
    );
    let bid = match board.highest_bid() {
        Some((seat, bid)) => format!("{bid} by {}", name(knowledge, seat)),
        None => "none".to_owned(),
    };
    let played = match (board.special, board.trump) {
        (Some(special), _) => special.to_string(),
        (None, Some(trump)) => format!("trump {trump}"),
        (None, None) => "trump not named".to_owned(),
    };
    let _ = writeln!(text, "Bid {bid} · {played}{}", dabb(knowledge));
    if let Some((trick, winner)) = &board.last_trick {
        let _ = writeln!(text, "Last trick {} to {}", row(trick.cards()), name(knowledge, *winner));
    }
    let _ = writeln!(text, "Trick {}", trick_row(knowledge, &board.trick));
    for seat in all_seats(board.players) {
        let _ = writeln!(text, "{}", player(knowledge, seat));
    }
    text + &waiting(knowledge, board)
}

fn dabb(knowledge: &Knowledge) -> String {
    let mut text = String::new();
    if !knowledge.dabb.is_empty() {
        let _ = write!(text, " · dabb {}", holding(&knowledge.dabb));
    }
    if !knowledge.laid_away.is_empty() {
        let _ = write!(text, " · laid away {}", holding(&knowledge.laid_away));
    }
    text
}

fn trick_row(knowledge: &Knowledge, trick: &Trick) -> String {
    match trick.holder(knowledge.board.players) {
        Some(holder) => format!("{} · {} holds it", row(trick.cards()), name(knowledge, holder)),
        None => "empty".to_owned(),
    }
}

fn player(knowledge: &Knowledge, seat: Seat) -> String {
    let board = &knowledge.board;
    let mut line =
        format!("{}  hand {}", name(knowledge, seat), holding(&knowledge.hands[at(seat)]));
    if let Some(melds) = board.melds[at(seat)] {
        let _ = write!(line, " · melds {}", melds.points);
    }
    if board.tricks[at(seat)] > 0 {
        let (tricks, points) = (board.tricks[at(seat)], board.taken[at(seat)]);
        let _ = write!(line, " · {tricks} tricks with {points}");
    }
    line
}

fn waiting(knowledge: &Knowledge, board: &Board) -> String {
    let awaited: Vec<&str> = board.awaited().iter().map(|seat| name(knowledge, seat)).collect();
    let who = awaited.join(", ");
    match (board.phase, &board.over) {
        (Phase::Unopened, _) => "The game has not begun".to_owned(),
        (Phase::Bidding { .. }, _) => format!("{who} bids or passes"),
        (Phase::TakingDabb, _) => format!("{who} takes the dabb"),
        (Phase::NamingTrump, _) => format!("{who} names trump"),
        (Phase::LayingAway, _) => format!("{who} lays away or goes out"),
        (Phase::Melding { .. }, _) => format!("To meld: {who}"),
        (Phase::Tricks { .. }, _) => format!("{who} plays a card"),
        (Phase::RoundOver, _) => "The round is over".to_owned(),
        (Phase::Finished | Phase::Terminated, Some(Over::Finished(finished))) => {
            game_finished(finished, knowledge)
        }
        (Phase::Finished | Phase::Terminated, Some(Over::Terminated(terminated))) => {
            game_terminated(terminated, knowledge)
        }
        (Phase::Finished | Phase::Terminated, None) => "The game is over".to_owned(),
    }
}
