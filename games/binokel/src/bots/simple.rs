//! Plays by rule of thumb.

use parlor_kernel::{Player, Seat, Stream};

use super::special::{self, Turn};
use crate::board::{Board, Phase};
use crate::cards::{Card, CardSet, Rank, Suit};
use crate::event::Action;
use crate::game::Binokel;
use crate::knowledge::Knowledge;
use crate::melds::melded;
use crate::rules::Rules;
use crate::seats::{after, at};
use crate::special::Special;

/// Counts what its hand is worth with each suit as trump, and acts on it.
pub struct Simple;

impl Player<Binokel> for Simple {
    /// Only asked by those who want one of the plain options.
    fn choose(&mut self, knowledge: &Knowledge, options: &[Action], _: &mut Stream) -> usize {
        let wanted = Eye::of(knowledge).map(|eye| crate::sight::plain(knowledge, &eye.act()));
        options.iter().position(|option| Some(*option) == wanted).unwrap_or(0)
    }

    fn act(&mut self, knowledge: &Knowledge, _: &[Action], _: &mut Stream, out: &mut Vec<Action>) {
        out.extend(Eye::of(knowledge).map(|eye| eye.act()));
    }
}

/// The table through the eyes of one seat.
struct Eye<'a> {
    knowledge: &'a Knowledge,
    board: &'a Board,
    rules: &'a Rules,
    seat: Seat,
    hand: CardSet,
}

/// What the declarer makes of a hand.
#[derive(Clone, Copy)]
struct Plan {
    trump: Suit,
    laid_away: CardSet,
    worth: f32,
}

impl<'a> Eye<'a> {
    fn of(knowledge: &'a Knowledge) -> Option<Eye<'a>> {
        let (seat, hand) = knowledge.own_hand()?;
        let rules = &knowledge.table.as_deref()?.setup.rules;
        Some(Eye { knowledge, board: &knowledge.board, rules, seat, hand })
    }

    fn act(&self) -> Action {
        match self.board.phase {
            Phase::Bidding { .. } => self.bid(),
            Phase::TakingDabb => Action::TakeDabb,
            Phase::LayingAway => self.lay_away(),
            Phase::NamingTrump => match self.certain() {
                Some((special, _)) => Action::Announce { special },
                None => Action::DeclareTrump { suit: self.trump() },
            },
            Phase::Tricks { .. } => Action::PlayCard { card: self.card() },
            _ => Action::DeclareMelds,
        }
    }

    fn bid(&self) -> Action {
        let auction = &self.board.auction;
        let worth = Suit::ALL.map(|trump| self.worth(self.hand, trump));
        let mut worth = worth.into_iter().fold(f32::MIN, f32::max) + self.dabb_brings();
        // A partner who holds the bidding is left alone, but for a hand far better.
        if auction.highest.is_some_and(|(seat, _)| self.board.side(seat) == self.side()) {
            worth -= 60.0;
        }
        match auction.least(self.rules) {
            Some(amount) if !auction.may_pass(self.rules) || f32::from(amount) <= worth => {
                Action::Bid { amount }
            }
            _ => Action::Pass,
        }
    }

    fn side(&self) -> usize {
        self.board.side(self.seat)
    }

    /// What the dabb and a choice of what to lay away add to a hand, so that
    /// about four bids in five are made.
    fn dabb_brings(&self) -> f32 {
        match self.board.players {
            2 => 200.0,
            3 => 105.0,
            _ => 60.0,
        }
    }

    /// What a hand brings with this trump: its melds, and what its side takes
    /// in tricks.
    fn worth(&self, hand: CardSet, trump: Suit) -> f32 {
        let melds = f32::from(melded(hand, trump, self.rules).points);
        let strength: f32 = hand.iter().map(|card| strength(hand, card, trump)).sum();
        let partner = if self.board.players == 4 { 75.0 } else { 0.0 };
        melds + strength + partner
    }

    /// Lays away, card by card, what is missed least; goes out if the bid
    /// looks out of reach.
    fn lay_away(&self) -> Action {
        if let Some((_, cards)) = self.certain() {
            return Action::Discard { cards };
        }
        let Some(plan) = self.plans().max_by(|one, other| one.worth.total_cmp(&other.worth)) else {
            return Action::TakeDabb;
        };
        let bid = self.board.highest_bid().map_or(0.0, |(_, bid)| f32::from(bid));
        // Lost at play the bid counts twice, gone out once.
        if plan.worth < 0.8 * bid {
            return Action::GoOut { suit: plan.trump };
        }
        Action::Discard { cards: plan.laid_away }
    }

    /// A game without trump in which nothing can go wrong, and what to lay away
    /// for it; also the one it has announced.
    fn certain(&self) -> Option<(Special, CardSet)> {
        let is_laid = self.board.phase == Phase::NamingTrump && !self.rules.trump_first;
        let count = if is_laid { 0 } else { self.rules.dabb(self.board.players).into() };
        let mut games = self
            .board
            .specials(self.rules)
            .map(|special| (special, special::laid_away(special, self.hand, self.unseen(), count)));
        games.find(|(special, cards)| match self.board.special {
            Some(announced) => announced == *special,
            None => {
                self.board.trump.is_none()
                    && special::is_certain(*special, self.hand.without(*cards), self.unseen())
            }
        })
    }

    fn plans(&self) -> impl Iterator<Item = Plan> {
        let suits = Suit::ALL.into_iter();
        let named = self.board.trump;
        suits.filter(move |suit| named.is_none_or(|trump| trump == *suit)).map(|trump| {
            let (mut hand, mut laid_away) = (self.hand, CardSet::EMPTY);
            for _ in 0..self.rules.dabb(self.board.players) {
                let kept = |card: &Card| {
                    let without = hand.without(CardSet::only(*card));
                    self.worth(without, trump) + f32::from(card.points())
                };
                let cards = hand.iter().max_by(|one, other| kept(one).total_cmp(&kept(other)));
                if let Some(card) = cards {
                    hand.remove(card);
                    laid_away.insert(card);
                }
            }
            let worth = self.worth(hand, trump) + f32::from(laid_away.points());
            Plan { trump, laid_away, worth }
        })
    }

    fn trump(&self) -> Suit {
        let worth = |suit: &Suit| match self.rules.trump_first {
            true => self.plans().find(|plan| plan.trump == *suit).map_or(0.0, |plan| plan.worth),
            false => self.worth(self.hand, *suit),
        };
        let best = Suit::ALL.into_iter().max_by(|one, other| worth(one).total_cmp(&worth(other)));
        best.unwrap_or(Suit::Kreuz)
    }

    fn card(&self) -> Card {
        let legal = self.board.legal(self.seat, self.hand, self.rules);
        if let (Some(special), Some(declarer)) = (self.board.special, self.board.declarer()) {
            return self.card_in(special, declarer, legal).unwrap_or(Card::FIRST);
        }
        let gain = |card: &Card| self.gain(*card);
        let best = legal.iter().max_by(|one, other| gain(one).total_cmp(&gain(other)));
        best.unwrap_or(Card::FIRST)
    }

    fn card_in(&self, special: Special, declarer: Seat, legal: CardSet) -> Option<Card> {
        let Eye { board, seat, .. } = *self;
        let (players, out) = (board.players, self.unseen());
        let declarers = out.without(self.knowledge.lacks[at(declarer)]);
        let trick = &board.trick;
        Turn { special, declarer, seat, players, trick, legal, out, declarers }.card()
    }

    /// What playing a card brings: the trick if it comes home, less what the
    /// card could still do later.
    fn gain(&self, card: Card) -> f32 {
        let Some(trump) = self.board.trump else { return 0.0 };
        let mut trick = self.board.trick;
        trick.push(card, self.board.trumps());
        let players = self.board.players;
        let holder = trick.holder(players).unwrap_or(self.seat);
        let ours = self.board.side(holder) == self.side();
        let chance = self.chance(trick.cards()[trick.best()], trump);
        let home = if ours { chance } else { 1.0 - chance };
        // Who is to play yet adds about five points each.
        let open = players - trick.cards().len() as u8;
        let stake = f32::from(trick.points()) + 5.0 * f32::from(open);
        let later = 0.6 * strength(self.hand, card, trump);
        stake * (2.0 * home - 1.0) - later
    }

    /// How likely the card that holds the trick keeps it against the other
    /// side's players who are yet to play.
    fn chance(&self, best: Card, trump: Suit) -> f32 {
        let board = self.board;
        let played = board.trick.cards().len() as u8 + 1;
        let led = board.trick.cards().first().map_or(best.suit(), |card| card.suit());
        let holder_side = {
            let mut trick = board.trick;
            trick.push(best, board.trumps());
            board.side(trick.holder(board.players).unwrap_or(self.seat))
        };
        let unseen = self.unseen();
        let mut chance = 1.0;
        for place in played..board.players {
            let seat = after(board.trick.leader, place, board.players);
            if board.side(seat) == holder_side {
                continue;
            }
            let may_hold = unseen.without(self.knowledge.lacks[at(seat)]);
            let hidden = self.knowledge.hands[at(seat)].len() as f32;
            let share = hidden / unseen.len().max(1) as f32;
            let holds_none = |cards: CardSet| (1.0 - share).powi(cards.len() as i32);
            let higher = may_hold.and(CardSet::above(best));
            let mut threat = 1.0 - holds_none(higher);
            if best.suit() != trump {
                let void = holds_none(may_hold.and(CardSet::of_suit(led)));
                let trumps = may_hold.and(CardSet::of_suit(trump));
                threat = threat.max(0.0) + (1.0 - threat) * void * (1.0 - holds_none(trumps));
            }
            chance *= 1.0 - threat;
        }
        chance
    }

    /// Cards that may be in someone else's hand.
    fn unseen(&self) -> CardSet {
        let played = self.board.played.iter().fold(CardSet::EMPTY, |all, cards| all.or(*cards));
        let away = self.knowledge.laid_away.known;
        self.rules.deck().without(played).without(self.hand).without(away)
    }
}

/// What a card is good for in tricks.
fn strength(hand: CardSet, card: Card, trump: Suit) -> f32 {
    let in_trumps = card.suit() == trump;
    let covered = !hand.and(CardSet::above(card)).is_empty();
    match card.rank() {
        Rank::Ass if in_trumps => 20.0,
        Rank::Ass => 15.0,
        Rank::Ten if in_trumps => 16.0,
        Rank::Ten if covered => 9.0,
        Rank::Ten => 4.0,
        _ if in_trumps => 9.0,
        Rank::Koenig if covered => 3.0,
        _ => 1.0,
    }
}
