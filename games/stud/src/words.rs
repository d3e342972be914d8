//! Stud in words: what happens as a dealer would say it, and the table as a
//! picture.

use std::fmt::Write;

use parlor_kernel::{Hosted, Imagine, Opened, Outline, Seat, Spoken, Stream};

use crate::action::Action;
use crate::board::{Board, Phase};
use crate::cards::Card;
use crate::event::{
    DealStarted, Ending, GameFinished, Seen, Street, StreetDealt, ThirdDealt, TurnedUp, Wager,
};
use crate::game::Stud;
use crate::pots::Pot;
use crate::rules::Variant;
use crate::seats::{Seats, at};
use crate::showdown::{DealEnd, in_words};
use crate::state::{Knowledge, State};

impl Spoken for Stud {
    fn world(knowledge: &Knowledge, dice: &mut Stream) -> Option<State> {
        Some(Stud::imagine(knowledge, dice))
    }

    /// Turn, clock and chips are on the board.
    fn outline(knowledge: &Knowledge) -> Option<Outline<State>> {
        Some(Outline::whole(State {
            opened: knowledge.setup.as_ref().map(Opened::imagined),
            board: knowledge.board.clone(),
            finished: knowledge.finished.clone(),
            ..State::default()
        }))
    }

    fn narrate(before: &Knowledge, seen: &Seen, after: &Knowledge) -> Option<String> {
        let who = |seat| name(after, seat);
        Some(match seen {
            Seen::GameStarted(_) => game_started(after),
            Seen::DealStarted(start) => deal_started(start, after),
            // Every deal is shuffled; the cards speak for themselves.
            Seen::DealInit(_) => return None,
            Seen::PostAnte(ante) if ante.paid == 0 => return None,
            Seen::PostAnte(ante) => {
                format!("{} antes {}{}", who(ante.seat), ante.paid, all_in(after, ante.seat))
            }
            Seen::DealCards3rd(dealt) => third(dealt, after),
            Seen::DealCard4th(dealt) => later(Street::Fourth, dealt, after),
            Seen::DealCard5th(dealt) => later(Street::Fifth, dealt, after),
            Seen::DealCard6th(dealt) => later(Street::Sixth, dealt, after),
            Seen::DealCard7th(dealt) => seventh(dealt, after),
            Seen::BringIn(wager) => {
                let line = chips(after, wager, "brings it in for", wager.paid);
                line + out_of_time(wager.timed_out)
            }
            Seen::Complete(wager) => chips(after, wager, "completes to", reached(after, wager)),
            Seen::Bet(wager) => chips(after, wager, "bets", wager.paid),
            Seen::Raise(wager) => chips(after, wager, "raises to", reached(after, wager)),
            Seen::Call(wager) => chips(after, wager, "calls", wager.paid),
            Seen::Fold(turn) => {
                format!("{} folds{}", who(turn.seat), out_of_time(turn.timed_out))
            }
            Seen::Check(turn) => {
                format!("{} checks{}", who(turn.seat), out_of_time(turn.timed_out))
            }
            Seen::StreetAdvance(advance) if advance.turned_up.is_empty() => return None,
            Seen::StreetAdvance(advance) => {
                let hand =
                    |up: &TurnedUp| format!("{} {} {}", who(up.seat), up.down[0], up.down[1]);
                let hands: Vec<String> = advance.turned_up.iter().map(hand).collect();
                format!("No more bets; the hands are turned up: {}", hands.join(" · "))
            }
            Seen::DealEnd(end) => deal_end(end, before, after),
            Seen::TimeBank(taken) => {
                format!("{} takes {} seconds from the time bank", who(taken.seat), taken.seconds)
            }
            Seen::SatOut(aside) => format!("{} sits out from the next deal on", who(aside.seat)),
            Seen::CameBack(aside) => format!("{} is back for the next deal", who(aside.seat)),
            Seen::Rebought(bought) => format!("{} buys {} chips", who(bought.seat), bought.amount),
            Seen::GameFinished(finished) => game_finished(finished, after),
        })
    }

    fn picture(knowledge: &Knowledge) -> String {
        let board = &knowledge.board;
        let mut text = format!("Deal {} · {} · ", board.deal, board.variant.spoken());
        if let Some(number) = board.street {
            let _ = write!(text, "{} · ", street(number));
        }
        let _ = write!(text, "pot {}", board.pot);
        if board.current_bet > 0 {
            let _ = write!(text, " · bet {} · {} raises", board.current_bet, board.raise_count);
        }
        text.push('\n');
        for seat in board.seated() {
            let _ = writeln!(text, "{}", player(knowledge, seat));
        }
        text + &waiting(knowledge, board)
    }

    fn label(knowledge: &Knowledge, action: &Action) -> String {
        label(knowledge, *action)
    }

    fn typing(knowledge: &Knowledge) -> Option<String> {
        let asides = asides(knowledge);
        let words: Vec<String> =
            asides.iter().map(|action| format!("`{}`", label(knowledge, *action))).collect();
        (!words.is_empty()).then(|| format!("from the next deal on: {}", words.join(", ")))
    }

    fn typed(knowledge: &Knowledge, text: &str) -> Option<Action> {
        let text = text.to_lowercase();
        asides(knowledge).into_iter().find(|action| label(knowledge, *action) == text)
    }
}

fn name(knowledge: &Knowledge, seat: Seat) -> String {
    let sitting = knowledge.setup.as_deref().and_then(|setup| setup.seats.get(seat.index()));
    sitting.map_or_else(|| seat.player_id(), |sitting| sitting.name.clone())
}

fn names(knowledge: &Knowledge, seats: Seats) -> String {
    let mut all: Vec<String> = seats.iter().map(|seat| name(knowledge, seat)).collect();
    match all.pop() {
        Some(last) if !all.is_empty() => format!("{} and {last}", all.join(", ")),
        Some(only) => only,
        None => "nobody".to_owned(),
    }
}

fn spread(cards: impl IntoIterator<Item = Option<Card>>) -> String {
    let card = |card: Option<Card>| card.map_or("??".to_owned(), |card| card.to_string());
    cards.into_iter().map(card).collect::<Vec<_>>().join(" ")
}

/// What a street is called.
const fn street(street: Street) -> &'static str {
    match street {
        Street::Third => "Third street",
        Street::Fourth => "Fourth street",
        Street::Fifth => "Fifth street",
        Street::Sixth => "Sixth street",
        Street::Seventh => "Seventh street",
    }
}

fn game_started(after: &Knowledge) -> String {
    let Some(setup) = after.setup.as_deref() else { return String::new() };
    let stakes = setup.rules.stakes;
    format!(
        "{} sit down to Seven Card Stud at {}/{}, ante {}, bring-in {}",
        names(after, after.board.seated().collect()),
        stakes.small_bet,
        stakes.big_bet,
        stakes.ante,
        stakes.bring_in
    )
}

fn deal_started(start: &DealStarted, after: &Knowledge) -> String {
    let stack = |seat: Seat| format!("{} {}", name(after, seat), start.stacks[at(seat)]);
    let known = start.seats.iter().filter(|seat| at(*seat) < start.stacks.len());
    let stacks: Vec<String> = known.map(stack).collect();
    format!("Deal {}, {}: {}", start.deal, start.variant.spoken(), stacks.join(", "))
}

const fn out_of_time(timed_out: bool) -> &'static str {
    if timed_out { ", out of time" } else { "" }
}

fn all_in(after: &Knowledge, seat: Seat) -> &'static str {
    if after.board.player(seat).stack == 0 { " and is all in" } else { "" }
}

fn chips(after: &Knowledge, wager: &Wager, verb: &str, amount: u32) -> String {
    format!("{} {verb} {amount}{}", name(after, wager.seat), all_in(after, wager.seat))
}

fn reached(after: &Knowledge, wager: &Wager) -> u32 {
    after.board.player(wager.seat).committed_this_street
}

fn third(dealt: &ThirdDealt, after: &Knowledge) -> String {
    let hand = |hand: &crate::event::DealtThree| {
        format!("{} [{}] {}", name(after, hand.seat), spread(hand.down), hand.up)
    };
    let hands: Vec<String> = dealt.hands.iter().map(hand).collect();
    let mut line = format!("{}: {}", street(Street::Third), hands.join(" · "));
    if let Some(seat) = dealt.bring_in {
        let low = match after.board.variant {
            Variant::Razz => "high",
            Variant::StudHi | Variant::Stud8 => "low",
        };
        let _ = write!(line, " — {} is {low}", name(after, seat));
    }
    line
}

fn later(number: Street, dealt: &StreetDealt, after: &Knowledge) -> String {
    let showing = |card: &crate::event::DealtCard| {
        let up = after.board.player(card.seat).up.into_iter().flatten().map(Some);
        format!("{} {}", name(after, card.seat), spread(up))
    };
    let hands: Vec<String> = dealt.cards.iter().map(showing).collect();
    format!("{}: {}{}", street(number), hands.join(" · "), opening(dealt, after))
}

fn seventh(dealt: &StreetDealt, after: &Knowledge) -> String {
    let card = |card: &crate::event::DealtCard| {
        format!("{} [{}]", name(after, card.seat), spread([card.card]))
    };
    let cards: Vec<String> = dealt.cards.iter().map(card).collect();
    let number = street(Street::Seventh);
    format!("{number}: {}{}", cards.join(" · "), opening(dealt, after))
}

fn opening(dealt: &StreetDealt, after: &Knowledge) -> String {
    match (dealt.opener, after.board.actor) {
        (Some(best), Some(first)) if best == first => format!(" — {} opens", name(after, first)),
        (Some(best), Some(first)) => {
            format!(" — {} is all in, {} opens", name(after, best), name(after, first))
        }
        _ => String::new(),
    }
}

fn deal_end(end: &DealEnd, before: &Knowledge, after: &Knowledge) -> String {
    let mut line = String::new();
    for shown in &end.shown {
        let (high, low) = in_words(end.variant, &shown.cards);
        let called: Vec<String> = [high, low].into_iter().flatten().collect();
        let cards = spread(shown.cards.map(Some));
        let _ =
            write!(line, "{} shows {cards}: {}; ", name(after, shown.seat), called.join(" and "));
    }
    let shown: Seats = end.shown.iter().map(|shown| shown.seat).collect();
    let closed = before.board.active.without(shown);
    if end.seat.is_none() && !closed.is_empty() {
        let _ = write!(line, "{} muck{}; ", names(after, closed), plural_verb(closed));
    }
    let outcomes: Vec<String> =
        end.pots.iter().enumerate().map(|(nth, pot)| pot_won(nth, pot, end, after)).collect();
    line + &outcomes.join("; ")
}

fn plural_verb(seats: Seats) -> &'static str {
    if seats.len() == 1 { "s" } else { "" }
}

fn pot_won(nth: usize, pot: &Pot, end: &DealEnd, after: &Knowledge) -> String {
    let what = match nth {
        _ if end.pots.len() == 1 => format!("the pot of {}", pot.amount),
        0 => format!("the main pot of {}", pot.amount),
        _ => format!("side pot {nth} of {}", pot.amount),
    };
    let winner = |seats: Seats| (names(after, seats), plural_verb(seats));
    let wins = |seats: Seats| match seats.len() {
        1 => format!("{} wins {what}", names(after, seats)),
        _ => format!("{} share {what}", names(after, seats)),
    };
    if pot.seats.len() == 1 && end.seat.is_none() {
        return format!("{} takes {what} unchallenged", names(after, pot.seats));
    }
    match (pot.high.is_empty(), pot.low.is_empty()) {
        (false, false) if pot.high == pot.low && pot.high.len() == 1 => {
            format!("{} scoops {what}", names(after, pot.high))
        }
        (false, false) => {
            let ((high, s), (low, z)) = (winner(pot.high), winner(pot.low));
            format!("{what}: {high} win{s} the high half, {low} win{z} the low half")
        }
        (false, true) => wins(pot.high),
        (true, _) => wins(pot.low),
    }
}

fn game_finished(finished: &GameFinished, after: &Knowledge) -> String {
    let why = match finished.reason {
        Ending::DealsPlayed => "All deals are played".to_owned(),
        Ending::LastStack => "One stack is left".to_owned(),
        Ending::TooFewPlayers => "Fewer than two want to play".to_owned(),
        Ending::Claimed => "Nobody else wants to play".to_owned(),
        Ending::CalledOff => {
            format!("The match is called off ({})", finished.note.as_deref().unwrap_or("no reason"))
        }
    };
    let outcome = match finished.winners.len() {
        0 => "nobody is ahead".to_owned(),
        1 => format!("{} wins the match", names(after, finished.winners)),
        _ => format!("{} share the match", names(after, finished.winners)),
    };
    let won = |(place, won): (usize, &i64)| format!("{} {won:+}", name(after, Seat(place as u8)));
    let results: Vec<String> = finished.won.iter().enumerate().map(won).collect();
    format!("{why}: {outcome}. {}", results.join(", "))
}

fn player(knowledge: &Knowledge, seat: Seat) -> String {
    let board = &knowledge.board;
    let player = board.player(seat);
    let mut line = format!("{}  {} chips", name(knowledge, seat), player.stack);
    if board.dealt_in.contains(seat) {
        let down = knowledge.down[at(seat)].into_iter().take(player.down.into());
        let up = player.up.into_iter().flatten().map(Some);
        let _ = write!(line, " · [{}] {}", spread(down), spread(up));
        let _ = write!(line, " · {} in", player.committed_total);
    }
    if let Some(last) = player.last {
        let _ = write!(line, " · {}", last.name());
    }
    if board.sitting_out.contains(seat) {
        line += " · sits out";
    }
    line
}

fn waiting(knowledge: &Knowledge, board: &Board) -> String {
    match (board.phase, board.actor) {
        (Phase::Unopened, _) => "The match has not begun".to_owned(),
        (Phase::Finished, _) => "The match is over".to_owned(),
        (Phase::Between, _) => {
            let rules = knowledge.setup.as_deref().map(|setup| &setup.rules);
            let missed = rules.map_or(Seats::NONE, |rules| board.missed(rules));
            match missed.is_empty() {
                true => "The deal is over".to_owned(),
                false => format!("The next deal waits for {}", names(knowledge, missed)),
            }
        }
        (Phase::Dealing, None) => "The cards come".to_owned(),
        (Phase::Dealing, Some(seat)) => {
            let cap = knowledge.setup.as_deref().map_or(0, |setup| setup.rules.cap);
            let offer = |offer: &crate::betting::LegalMove| match offer.paid {
                0 => offer.action.name().to_owned(),
                paid => format!("{} {paid}", offer.action.name()),
            };
            let legal: Vec<String> = board.legal(cap).iter().map(offer).collect();
            format!("{} may {}", name(knowledge, seat), legal.join(", "))
        }
    }
}

/// An action as it is put to a person, with the chips it takes.
fn label(knowledge: &Knowledge, action: Action) -> String {
    let setup = knowledge.setup.as_deref();
    let legal = knowledge.board.legal(setup.map_or(0, |setup| setup.rules.cap));
    let paid = legal.iter().find(|offer| offer.action == action).map_or(0, |offer| offer.paid);
    let mine = knowledge.viewer.seat().map_or(0, |seat| knowledge.board.player(seat).stack);
    let mut label = match action {
        Action::BringIn => format!("bring it in for {paid}"),
        Action::Complete => format!("complete for {paid}"),
        Action::Bet => format!("bet {paid}"),
        Action::Raise => format!("raise for {paid}"),
        Action::Call => format!("call {paid}"),
        Action::Fold => "fold".to_owned(),
        Action::Check => "check".to_owned(),
        Action::SitOut => "sit out".to_owned(),
        Action::ComeBack => "come back".to_owned(),
        Action::Rebuy => "rebuy".to_owned(),
        Action::TimeBank => "time bank".to_owned(),
        Action::Claim => "claim the match".to_owned(),
        Action::TimeOut => "out of time".to_owned(),
    };
    if paid > 0 && paid == mine {
        label += ", all in";
    }
    label
}

/// What a seat may do beside its moves; nobody at a terminal is timed.
fn asides(knowledge: &Knowledge) -> Vec<Action> {
    let mut asides = Vec::new();
    Stud::asides(knowledge, &mut asides);
    asides.retain(|action| *action != Action::TimeBank);
    asides
}
