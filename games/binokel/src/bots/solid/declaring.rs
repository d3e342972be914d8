//! Before the first trick: how far to bid, what to lay away, what is trump,
//! and whether to play at all.

use parlor_kernel::{Seat, Stream};

use super::Mind;
use super::plan::Plan;
use super::rest::Rest;
use super::stakes::{Chances, Stakes};
use super::worlds::World;
use crate::cards::{CardSet, Suit};
use crate::event::Action;
use crate::melds::melded;
use crate::rules::FirstLead;
use crate::seats::{after, at};

/// Who is this far from the bid with what it sees goes out instead of playing.
const HOPELESS: i32 = 40;

impl<'a> Mind<'a> {
    /// Bids as long as playing for that is better than what a pass leads to:
    /// whoever holds the bidding plays.
    pub(super) fn bid(&self, dice: &mut Stream) -> Action {
        let auction = &self.board.auction;
        let Some(amount) = auction.least(self.rules) else { return Action::Pass };
        if !auction.may_pass(self.rules) {
            return Action::Bid { amount };
        }
        let (mut bidding, mut passing) = (0.0, 0.0);
        for world in self.imagine(dice) {
            bidding += self.declared(&world, self.seat, amount)[self.side()];
            passing += match auction.highest {
                Some((rival, bid)) => self.declared(&world, rival, bid)[self.side()],
                None => Stakes::thrown_in(self.rules, self.board)[self.side()],
            };
        }
        if bidding > passing { Action::Bid { amount } } else { Action::Pass }
    }

    /// What comes of it when this seat plays for this bid.
    fn declared(&self, world: &World, declarer: Seat, bid: u16) -> Chances {
        let cards = world.hands[at(declarer)].or(world.dabb);
        let plan = Plan::at_a_glance(cards, world.dabb.len(), self.rules);
        let (stakes, rest) = self.played_out(world, declarer, bid, cards, &plan);
        if stakes.shortfall(&rest) > HOPELESS { stakes.gone_out() } else { stakes.played(&rest) }
    }

    /// Plays a plan through in a world, with these cards to make it of.
    fn played_out(
        &self,
        world: &World,
        declarer: Seat,
        bid: u16,
        cards: CardSet,
        plan: &Plan,
    ) -> (Stakes<'a>, Rest) {
        let mut hands = world.hands;
        hands[at(declarer)] = cards.without(plan.laid_away);
        let laid_away = world.laid_away.or(plan.laid_away);
        let stakes = self.stakes(declarer, bid, hands, plan.trump, laid_away);
        let leader = match self.rules.first_lead {
            FirstLead::Opener => after(self.board.dealer, 1, self.board.players),
            FirstLead::Declarer => declarer,
        };
        let mut rest =
            Rest::new(self.board.players, hands, CardSet::of_suit(plan.trump), leader, self.rules);
        rest.play_out();
        (stakes, rest)
    }

    fn stakes(
        &self,
        declarer: Seat,
        bid: u16,
        hands: [CardSet; 4],
        trump: Suit,
        laid_away: CardSet,
    ) -> Stakes<'a> {
        let melds = hands.map(|hand| melded(hand, trump, self.rules).points);
        let laid_away = laid_away.points();
        let Mind { rules, board, .. } = *self;
        Stakes { rules, board, declarer, bid, special: None, melds, laid_away }
    }

    /// The bid it has to make.
    fn own_bid(&self) -> u16 {
        self.board.highest_bid().map_or(0, |(_, bid)| bid)
    }

    /// What its plan comes to over these worlds.
    fn weigh(&self, plan: &Plan, worlds: &[World]) -> f32 {
        let weigh = |world: &World| {
            let (stakes, rest) = self.played_out(world, self.seat, self.own_bid(), self.hand, plan);
            stakes.played(&rest)[self.side()]
        };
        worlds.iter().map(weigh).sum()
    }

    /// What going out in this suit comes to over these worlds.
    fn weigh_going_out(&self, suit: Suit, worlds: &[World]) -> f32 {
        let weigh = |world: &World| {
            let bid = self.own_bid();
            self.stakes(self.seat, bid, world.hands, suit, CardSet::EMPTY).gone_out()[self.side()]
        };
        worlds.iter().map(weigh).sum()
    }

    /// Lays away what the best plan says, or goes out if that is better still.
    pub(super) fn lay_away(&self, dice: &mut Stream) -> Action {
        if let Some(special) = self.board.special {
            return Action::Discard { cards: self.laid_away_for(special) };
        }
        let worlds = self.imagine(dice);
        let (weight, plan) = self.best_plan(&worlds, dice);
        if let Some(special) = self.best_special(&worlds, weight) {
            return Action::Discard { cards: self.laid_away_for(special) };
        }
        let out = self.trumps().map(|suit| (self.weigh_going_out(suit, &worlds), suit));
        match out.max_by(|one, other| one.0.total_cmp(&other.0)) {
            Some((going_out, suit)) if going_out > weight => Action::GoOut { suit },
            _ => Action::Discard { cards: plan.laid_away },
        }
    }

    /// The suits that may still be trump.
    fn trumps(&self) -> impl Iterator<Item = Suit> {
        let named = self.board.trump;
        Suit::ALL.into_iter().filter(move |suit| named.is_none_or(|trump| trump == *suit))
    }

    /// The best plan at a glance for each trump; then the best of these is
    /// bettered card by card as long as that is found to help.
    fn best_plan(&self, worlds: &[World], dice: &mut Stream) -> (f32, Plan) {
        let count = u32::from(self.rules.dabb(self.board.players));
        let plans =
            self.trumps().map(|trump| Plan::with_trump(self.hand, count, trump, self.rules));
        let weighed = plans.map(|plan| (self.weigh(&plan, worlds), plan));
        let best = weighed.max_by(|one, other| one.0.total_cmp(&other.0));
        // There is always a suit left to be trump.
        let none = Plan { trump: Suit::Kreuz, laid_away: self.hand.take(count) };
        let (mut weight, mut plan) = best.unwrap_or((0.0, none));
        for _ in 0..worlds.len() {
            let other = plan.with_one_changed(self.hand, dice);
            let found = self.weigh(&other, worlds);
            if found > weight {
                (weight, plan) = (found, other);
            }
        }
        (weight, plan)
    }

    /// Names the trump it does best with, or announces what is better still.
    pub(super) fn name_trump(&self, dice: &mut Stream) -> Action {
        let worlds = self.imagine(dice);
        let (weight, suit) = self.best_trump(&worlds, dice);
        match self.best_special(&worlds, weight) {
            Some(special) => Action::Announce { special },
            None => Action::DeclareTrump { suit },
        }
    }

    fn best_trump(&self, worlds: &[World], dice: &mut Stream) -> (f32, Suit) {
        if self.rules.trump_first {
            let (weight, plan) = self.best_plan(worlds, dice);
            return (weight, plan.trump);
        }
        let plans = Suit::ALL.map(|trump| Plan { trump, laid_away: CardSet::EMPTY });
        let weighed = plans.map(|plan| (self.weigh(&plan, worlds), plan.trump));
        let best = weighed.into_iter().max_by(|one, other| one.0.total_cmp(&other.0));
        best.unwrap_or((0.0, Suit::Kreuz))
    }
}
