//! The legal actions and their chips: the one place that says what the
//! betting allows, and why not.

use arrayvec::ArrayVec;
use parlor_kernel::Seat;
use schemars::JsonSchema;
use serde::Serialize;

use crate::action::{Action, Refusal};
use crate::board::Board;
use crate::event::Street;

/// A legal action with its chips.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Offer")]
pub struct LegalMove {
    /// What may be done.
    #[serde(rename = "type", serialize_with = "by_name")]
    #[schemars(with = "String")]
    pub action: Action,
    /// The nominal amount of the contract.
    pub amount: u32,
    /// What would leave the stack.
    pub paid: u32,
}

fn by_name<S: serde::Serializer>(action: &Action, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(action.name())
}

/// Everything a seat may do at one moment; three things at most.
pub type LegalMoves = ArrayVec<LegalMove, 3>;

impl Board {
    /// What the actor may do, with its chips; nothing if nobody is asked.
    /// `cap` is how many raises may follow the opening bet.
    pub fn legal(&self, cap: u8) -> LegalMoves {
        let mut offers = LegalMoves::new();
        self.each_offer(cap, |offer| offers.push(offer));
        offers
    }

    /// The offer of this action, if it is legal.
    #[inline]
    pub(crate) fn offer(&self, action: Action, cap: u8) -> Option<LegalMove> {
        let mut taken = None;
        self.each_offer(cap, |offer| {
            if offer.action == action {
                taken = Some(offer);
            }
        });
        taken
    }

    /// Hands over each legal action. Inlined, so that whoever wants only one of
    /// them, or only their names, pays for no more: two of these a move are a
    /// tenth of a simulation.
    #[inline(always)]
    pub(crate) fn each_offer(&self, cap: u8, mut take: impl FnMut(LegalMove)) {
        let Some(seat) = self.actor else { return };
        let stack = self.player(seat).stack;
        let mut offer = |action, amount: u32, chips: u32| {
            take(LegalMove { action, amount, paid: chips.min(stack) });
        };
        let stakes = &self.stakes;
        let completion = stakes.small_bet.saturating_sub(stakes.bring_in);
        let third = self.street == Some(Street::Third);
        if self.current_bet > 0 {
            let to_call = self.to_call(seat);
            offer(Action::Call, to_call, to_call);
            offer(Action::Fold, 0, 0);
            if self.bars_raise(seat, cap).is_none() {
                let own = self.player(seat).committed_this_street;
                let chips = (self.full_bet + self.unit()).saturating_sub(own);
                match self.full_bet {
                    0 if third => offer(Action::Complete, completion, chips),
                    _ => offer(Action::Raise, self.unit(), chips),
                }
            }
        } else if third {
            offer(Action::BringIn, stakes.bring_in, stakes.bring_in);
            if !self.opens_short(seat) {
                offer(Action::Complete, completion, stakes.small_bet);
            }
            if self.opens_for_another(seat) {
                offer(Action::Fold, 0, 0);
            }
        } else {
            offer(Action::Check, 0, 0);
            offer(Action::Bet, self.unit(), self.unit());
        }
    }

    /// Whether nobody is left to act after this, so that the street or the
    /// deal ends (docs/contracts/stud-events.md, Guarantees). An attack always leaves someone to answer it.
    pub(crate) fn is_last_word(&self, action: Action) -> bool {
        let answered = self.pending_response_count <= 1;
        match action {
            Action::Call => answered,
            Action::Fold if self.current_bet > 0 => answered || self.active.len() <= 2,
            Action::Fold => self.can_act.len() <= 2,
            Action::Check => u32::from(self.checks_this_street) + 1 >= self.can_act.len(),
            _ => false,
        }
    }

    /// The seat opens because the low card is all-in on its ante.
    fn opens_for_another(&self, seat: Seat) -> bool {
        self.bring_in != Some(seat)
    }

    /// The seat opens with at most the bring-in left, and can do no more than
    /// bring it in. The first edition let it complete for less than that.
    fn opens_short(&self, seat: Seat) -> bool {
        self.edition > 1 && self.player(seat).stack <= self.stakes.bring_in
    }

    /// Why the seat, facing a bet, may not complete or raise; none if it may.
    fn bars_raise(&self, seat: Seat, cap: u8) -> Option<Refusal> {
        let third = self.street == Some(Street::Third);
        if self.full_bet == 0 && third && self.player(seat).committed_this_street > 0 {
            return Some(Refusal::AlreadyIn);
        }
        if self.raise_count >= cap {
            return Some(Refusal::Capped(cap));
        }
        if self.acted.contains(seat) {
            return Some(Refusal::NotReopened);
        }
        if self.player(seat).stack <= self.to_call(seat) {
            return Some(Refusal::StackTooShort);
        }
        let mut others = self.can_act;
        others.remove(seat);
        let reaches = |other: Seat| self.player(other).stack > self.to_call(other);
        (!others.iter().any(reaches)).then_some(Refusal::NobodyCouldCall)
    }

    /// Why the actor may not do this, which [`Board::legal`] does not offer.
    pub(crate) fn why_not(&self, seat: Seat, action: Action, cap: u8) -> Refusal {
        let stakes = &self.stakes;
        let third = self.street == Some(Street::Third);
        let to_call = self.to_call(seat);
        let bet = self.current_bet > 0;
        match action {
            Action::Check if bet => Refusal::FacingABet { to_call },
            Action::Check => {
                Refusal::NoCheckOnThird { bring_in: stakes.bring_in, small_bet: stakes.small_bet }
            }
            Action::BringIn | Action::Complete if !third => Refusal::ThirdStreetOnly(action.name()),
            Action::BringIn => Refusal::BroughtIn { to_call },
            Action::Complete if !bet => Refusal::OnlyBringIn,
            Action::Complete if self.full_bet > 0 => Refusal::Completed { to_call },
            Action::Bet if bet => Refusal::FacingABet { to_call },
            Action::Bet => Refusal::NoBetOnThird,
            Action::Raise if !bet => Refusal::NothingBet("raise"),
            Action::Raise if third && self.full_bet == 0 => Refusal::NotCompleted,
            Action::Call => Refusal::NothingBet("call"),
            Action::Fold if third => Refusal::MustBringIn,
            Action::Fold => Refusal::NothingBet("fold to"),
            _ => self.bars_raise(seat, cap).unwrap_or(Refusal::NotYourTurn),
        }
    }
}
