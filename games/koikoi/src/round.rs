//! A round, from its deal to its score: what a move makes happen.

use std::sync::Arc;

use parlor_kernel::{Dice, Seal, Seat};

use crate::board::{Board, State, at, opponent};
use crate::cards::{Card, CardSet, Row, Taken};
use crate::deal;
use crate::event::{
    CardFlipped, ChoiceOffered, Ending, Event, GameFinished, HandPlayed, Refusal, RoundDrawn,
    RoundScored, ScoredBy, TargetChosen, YakuFormed,
};
use crate::rules::{ExhaustedAfterKoi, Rules};
use crate::score::pay;
use crate::yaku::{YakuPoints, fresh, tally};

/// Deals the round after those on the board.
pub(crate) fn deal_round(
    rules: &Rules,
    seal: &Seal,
    board: &Board,
    dealer: Seat,
    dice: &Dice,
    out: &mut Vec<Event>,
) {
    let dealt = deal::deal(board.round.saturating_add(1), dealer, dice);
    let hands = dealt.hands.map(|hand| hand.into_iter().collect());
    let special = deal::special_deal(hands, dealt.field.into_iter().collect(), rules);
    out.push(Event::RoundDealt(dealt));
    if let Some(special) = special {
        let ending = special.ending(board.totals);
        out.push(Event::RoundEndedInstantly(ending));
        finish_if_over(rules, seal, board, ending.totals, out);
    }
}

/// Closes the match if the round that just ended, the one after those on the
/// board, was its last.
fn finish_if_over(
    rules: &Rules,
    seal: &Seal,
    board: &Board,
    totals: [u32; 2],
    out: &mut Vec<Event>,
) {
    let played = board.rounds_played.saturating_add(1);
    let reason = if rules.target.is_some_and(|target| totals[0].max(totals[1]) >= target) {
        Ending::TargetReached
    } else if rules.rounds.is_some_and(|rounds| played >= rounds) {
        Ending::RoundsPlayed
    } else {
        return;
    };
    let winner = match totals[0].cmp(&totals[1]) {
        std::cmp::Ordering::Greater => Some(Seat(0)),
        std::cmp::Ordering::Less => Some(Seat(1)),
        std::cmp::Ordering::Equal => None,
    };
    let (note, opening) = (None, seal.open());
    out.push(Event::GameFinished(Arc::new(GameFinished { winner, reason, note, totals, opening })));
}

/// The turn of one seat, from its card to what it leads to.
pub(crate) struct Turn<'a> {
    pub state: &'a State,
    pub rules: &'a Rules,
    pub seal: &'a Seal,
    pub seat: Seat,
}

impl Turn<'_> {
    pub fn play(
        &self,
        card: Card,
        target: Option<Card>,
        out: &mut Vec<Event>,
    ) -> Result<(), Refusal> {
        let Turn { state, seat, .. } = *self;
        if !state.hands[at(seat)].contains(card) {
            return Err(Refusal::NotHeld(card));
        }
        let taken = takes(&state.board.field, card, target)?;
        out.push(Event::HandPlayed(HandPlayed { seat, card, taken }));
        self.flip(card, taken, out);
        Ok(())
    }

    /// The top of the pile meets the field as the hand play left it.
    fn flip(&self, played: Card, taken: Taken, out: &mut Vec<Event>) {
        let Turn { state, seat, .. } = *self;
        // Sixteen turns flip sixteen of 24 cards: there is always one.
        let Some(card) = state.pile.top() else { return };
        let matches = self.matches_after(played, taken, card);
        if let [one, other] = matches[..] {
            let options = [one, other];
            out.push(Event::ChoiceOffered(ChoiceOffered { seat, card, options }));
            return;
        }
        let mut captured = state.board.captured[at(seat)].set();
        for (card, taken) in [(played, taken), (card, matches)] {
            if !taken.is_empty() {
                captured.insert(card);
                taken.iter().for_each(|target| captured.insert(*target));
            }
        }
        out.push(Event::CardFlipped(CardFlipped { seat, card, taken: matches }));
        let mut hand = state.hands[at(seat)];
        hand.remove(played);
        self.end(captured, hand, out);
    }

    /// What the flipped card meets: the field without what the hand play took
    /// and, if that took nothing, with the played card at its end.
    fn matches_after(&self, played: Card, taken: Taken, flipped: Card) -> Taken {
        let matches = self.state.board.field.matches(flipped);
        if played.month() != flipped.month() {
            return matches;
        }
        let joined = taken.is_empty().then_some(played);
        matches.iter().filter(|card| !taken.contains(card)).copied().chain(joined).collect()
    }

    pub fn select(
        &self,
        card: Card,
        options: [Card; 2],
        source: Card,
        target: Card,
        out: &mut Vec<Event>,
    ) -> Result<(), Refusal> {
        let Turn { state, seat, .. } = *self;
        if source != card || !options.contains(&target) {
            let named = if source == card { target } else { source };
            return Err(Refusal::WrongSelection(named, options[0], options[1], card));
        }
        out.push(Event::TargetChosen(TargetChosen { seat, card, target }));
        let captured = state.board.captured[at(seat)].set();
        let captured = captured.or([card, target].into_iter().collect());
        self.end(captured, state.hands[at(seat)], out);
        Ok(())
    }

    /// Yaku are compared once, now, with those before the hand play; the board
    /// still has them, because it learns of yaku only here.
    fn end(&self, captured: CardSet, hand: CardSet, out: &mut Vec<Event>) {
        let Turn { state, rules, seat, .. } = *self;
        let board = &state.board;
        let before = board.held[at(seat)];
        let took = captured != board.captured[at(seat)].set();
        let held = if took { tally(captured, rules) } else { before };
        if held != before {
            let fresh = fresh(&before, &held);
            if hand.is_empty() {
                self.score(seat, ScoredBy::LastCard, held, fresh, out);
            } else if rules.koi_limit.is_some_and(|limit| board.calls[at(seat)] >= limit) {
                self.score(seat, ScoredBy::KoiLimit, held, fresh, out);
            } else {
                out.push(Event::YakuFormed(YakuFormed { seat, fresh, held }));
            }
        } else if hand.is_empty() && state.hands[at(opponent(seat))].is_empty() {
            self.exhausted(out);
        }
    }

    /// Both hands are empty and nothing is new.
    fn exhausted(&self, out: &mut Vec<Event>) {
        let board = &self.state.board;
        match (self.rules.exhausted_after_koi, board.last_caller) {
            (ExhaustedAfterKoi::LastCaller, Some(caller)) => {
                let held = board.held[at(caller)];
                self.score(caller, ScoredBy::Exhausted, held, YakuPoints::default(), out);
            }
            _ => {
                out.push(Event::RoundDrawn(RoundDrawn { totals: board.totals }));
                finish_if_over(self.rules, self.seal, board, board.totals, out);
            }
        }
    }

    pub fn score(
        &self,
        winner: Seat,
        by: ScoredBy,
        held: YakuPoints,
        fresh: YakuPoints,
        out: &mut Vec<Event>,
    ) {
        let board = &self.state.board;
        let calls = |seat| u32::from(board.calls[at(seat)]);
        let base = held.total();
        let pay = pay(self.rules, base, calls(winner), calls(opponent(winner)));
        let mut totals = board.totals;
        totals[at(winner)] = totals[at(winner)].saturating_add(pay.points);
        out.push(Event::RoundScored(RoundScored {
            winner,
            by,
            held,
            fresh,
            base,
            seven: pay.seven,
            koi: pay.koi,
            points: pay.points,
            totals,
        }));
        finish_if_over(self.rules, self.seal, board, totals, out);
    }
}

/// What a card from the hand takes.
fn takes(field: &Row, card: Card, target: Option<Card>) -> Result<Taken, Refusal> {
    let matches = field.matches(card);
    match (matches.len(), target) {
        (3, _) | (0 | 1, None) => Ok(matches),
        (_, None) => Err(Refusal::TargetMissing { card, options: matches }),
        (_, Some(target)) if matches.contains(&target) => Ok(Taken::one(target)),
        (_, Some(target)) => Err(Refusal::WrongTarget { card, target, options: matches }),
    }
}
