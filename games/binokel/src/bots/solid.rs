//! Plays by imagining: many worlds that fit what is known, each played out.

mod endgame;
mod plan;
mod rest;
mod stakes;
mod worlds;

use parlor_kernel::{Player, Seat, Stream};

use crate::board::{Board, Knowledge, Phase};
use crate::cards::{Card, CardSet, Suit};
use crate::event::Action;
use crate::game::Binokel;
use crate::melds::melded;
use crate::rules::{FirstLead, Rules};
use crate::seats::{after, at};
use endgame::solve;
use plan::Plan;
use rest::{Rest, one_of_each};
use stakes::{Chances, Stakes};
use worlds::{World, Worlds};

/// Weighs each choice by what it comes to in worlds that fit what its seat
/// knows; the last tricks it plays out exactly in each of them.
pub struct Solid;

/// In how many worlds a choice is weighed.
const BIDDING: usize = 40;
const DECLARING: usize = 32;
const PLAYING: usize = 24;
/// How many other ways to lay away are looked at.
const SWAPS: usize = 40;

impl Player<Binokel> for Solid {
    /// Only asked by those who want one of the plain options.
    fn choose(&mut self, knowledge: &Knowledge, options: &[Action], dice: &mut Stream) -> usize {
        let wanted = Mind::of(knowledge).map(|mind| mind.act(dice));
        let wanted = wanted.map(|action| crate::sight::plain(knowledge, &action));
        options.iter().position(|option| Some(*option) == wanted).unwrap_or(0)
    }

    fn act(
        &mut self,
        knowledge: &Knowledge,
        _: &[Action],
        dice: &mut Stream,
        out: &mut Vec<Action>,
    ) {
        out.extend(Mind::of(knowledge).map(|mind| mind.act(dice)));
    }
}

/// One seat thinking.
struct Mind<'a> {
    knowledge: &'a Knowledge,
    board: &'a Board,
    rules: &'a Rules,
    seat: Seat,
    hand: CardSet,
}

impl<'a> Mind<'a> {
    fn of(knowledge: &'a Knowledge) -> Option<Mind<'a>> {
        let (seat, hand) = knowledge.own_hand()?;
        let rules = &knowledge.table.as_deref()?.rules;
        Some(Mind { knowledge, board: &knowledge.board, rules, seat, hand })
    }

    fn act(&self, dice: &mut Stream) -> Action {
        match self.board.phase {
            Phase::Bidding { .. } => self.bid(dice),
            Phase::TakingDabb => Action::TakeDabb,
            Phase::LayingAway => self.lay_away(dice),
            Phase::NamingTrump => Action::DeclareTrump { suit: self.name_trump(dice) },
            Phase::Tricks { .. } => Action::PlayCard { card: self.card(dice) },
            _ => Action::DeclareMelds,
        }
    }

    fn side(&self) -> usize {
        self.board.side(self.seat)
    }

    fn worlds(&self, count: usize, dice: &mut Stream) -> Vec<World> {
        let worlds = Worlds::of(self.knowledge, self.rules);
        (0..count).map(|_| worlds.draw(dice)).collect()
    }

    /// Bids as long as playing for that is better than what a pass leads to:
    /// whoever holds the bid plays for it.
    fn bid(&self, dice: &mut Stream) -> Action {
        let auction = &self.board.auction;
        let Some(amount) = auction.least(self.rules) else { return Action::Pass };
        if !auction.may_pass(self.rules) {
            return Action::Bid { amount };
        }
        let (mut bids, mut passes) = (0.0, 0.0);
        for world in self.worlds(BIDDING, dice) {
            bids += self.declared(&world, self.seat, amount)[self.side()];
            passes += match auction.highest {
                Some((rival, bid)) => self.declared(&world, rival, bid)[self.side()],
                None => self
                    .stakes(self.seat, 0, [CardSet::EMPTY; 4], Suit::Kreuz, CardSet::EMPTY)
                    .thrown_in()[self.side()],
            };
        }
        if bids > passes { Action::Bid { amount } } else { Action::Pass }
    }

    /// What comes of it when this seat plays for this bid.
    fn declared(&self, world: &World, declarer: Seat, bid: u16) -> Chances {
        let cards = world.hands[at(declarer)].or(world.dabb);
        let plan = Plan::at_a_glance(cards, world.dabb.len(), self.rules);
        let mut hands = world.hands;
        hands[at(declarer)] = cards.without(plan.laid_away);
        let stakes = self.stakes(declarer, bid, hands, plan.trump, plan.laid_away);
        let mut rest = self.first_trick(declarer, hands, plan.trump);
        rest.play_out();
        // Far from the bid one goes out, as one sees the melds that are missing.
        if stakes.shortfall(&rest) > 40 { stakes.gone_out() } else { stakes.played(&rest) }
    }

    fn first_trick(&self, declarer: Seat, hands: [CardSet; 4], trump: Suit) -> Rest {
        let leader = match self.rules.first_lead {
            FirstLead::Opener => after(self.board.dealer, 1, self.board.players),
            FirstLead::Declarer => declarer,
        };
        Rest::new(self.board.players, hands, trump, leader, self.rules)
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
        Stakes { rules: self.rules, board: self.board, declarer, bid, melds, laid_away }
    }

    /// What the declarer's plan comes to over these worlds.
    fn weigh(&self, plan: &Plan, worlds: &[World]) -> f32 {
        let bid = self.board.highest_bid().map_or(0, |(_, bid)| bid);
        let mut sum = 0.0;
        for world in worlds {
            let mut hands = world.hands;
            hands[at(self.seat)] = self.hand.without(plan.laid_away);
            let laid_away = plan.laid_away.or(self.knowledge.laid_away.known);
            let stakes = self.stakes(self.seat, bid, hands, plan.trump, laid_away);
            let mut rest = self.first_trick(self.seat, hands, plan.trump);
            rest.play_out();
            sum += stakes.played(&rest)[self.side()];
        }
        sum / worlds.len() as f32
    }

    fn best_plan(&self, worlds: &[World], dice: &mut Stream) -> (f32, Plan) {
        let count = u32::from(self.rules.dabb(self.board.players));
        let named = self.board.trump;
        let suits = Suit::ALL.into_iter().filter(|suit| named.is_none_or(|trump| trump == *suit));
        let plans = suits.map(|trump| Plan::with_trump(self.hand, count, trump, self.rules));
        let weighed = plans.map(|plan| (self.weigh(&plan, worlds), plan));
        let (mut best, mut plan) = weighed
            .max_by(|one, other| one.0.total_cmp(&other.0))
            .unwrap_or((0.0, Plan { trump: Suit::Kreuz, laid_away: self.hand.take(count) }));
        for _ in 0..SWAPS {
            let kept = self.hand.without(plan.laid_away);
            let nth =
                |cards: CardSet, dice: &mut Stream| cards.skip(dice.below(cards.len())).take(1);
            let (out, back) = (nth(kept, dice), nth(plan.laid_away, dice));
            let other = Plan { laid_away: plan.laid_away.without(back).or(out), ..plan };
            let worth = self.weigh(&other, worlds);
            if worth > best {
                (best, plan) = (worth, other);
            }
        }
        (best, plan)
    }

    fn lay_away(&self, dice: &mut Stream) -> Action {
        let worlds = self.worlds(DECLARING, dice);
        let (best, plan) = self.best_plan(&worlds, dice);
        let bid = self.board.highest_bid().map_or(0, |(_, bid)| bid);
        let out = |world: &World| {
            let stakes = self.stakes(self.seat, bid, world.hands, plan.trump, CardSet::EMPTY);
            stakes.gone_out()[self.side()]
        };
        let gone_out = worlds.iter().map(out).sum::<f32>() / worlds.len() as f32;
        if gone_out > best {
            return Action::GoOut { suit: plan.trump };
        }
        Action::Discard { cards: plan.laid_away }
    }

    fn name_trump(&self, dice: &mut Stream) -> Suit {
        let worlds = self.worlds(DECLARING, dice);
        if self.rules.trump_first {
            return self.best_plan(&worlds, dice).1.trump;
        }
        let plans = Suit::ALL.map(|trump| Plan { trump, laid_away: CardSet::EMPTY });
        let weighed = plans.map(|plan| (self.weigh(&plan, &worlds), plan.trump));
        let best = weighed.into_iter().max_by(|one, other| one.0.total_cmp(&other.0));
        best.map_or(Suit::Kreuz, |(_, trump)| trump)
    }

    fn card(&self, dice: &mut Stream) -> Card {
        let legal = one_of_each(self.board.legal(self.seat, self.hand, self.rules));
        let Some(first) = legal.first() else { return Card::FIRST };
        if legal.len() == 1 {
            return first;
        }
        let exactly = self.hand.len() <= 4;
        let (declarer, bid) = self.board.highest_bid().unwrap_or((self.seat, 0));
        let melds = self.board.melds.map(|melds| melds.map_or(0, |melds| melds.points));
        let mut sums = [0.0f32; 48];
        for world in self.worlds(PLAYING, dice) {
            let laid_away = world.laid_away.points();
            let stakes =
                Stakes { rules: self.rules, board: self.board, declarer, bid, melds, laid_away };
            let Some(rest) = Rest::of(self.board, world.hands, self.rules) else { break };
            for (sum, card) in sums.iter_mut().zip(legal.iter()) {
                let mut next = rest;
                next.play(card);
                let chances = if exactly {
                    solve(&next, &stakes, None)
                } else {
                    next.play_out();
                    stakes.played(&next)
                };
                *sum += chances[self.side()];
            }
        }
        let weighed = legal.iter().zip(sums);
        weighed.max_by(|one, other| one.1.total_cmp(&other.1)).map_or(first, |(card, _)| card)
    }
}
