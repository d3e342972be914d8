//! The table as everyone sees it: cards up, chips, and the contract's
//! counters, folded event by event. The truth and every player's knowledge
//! share it.

use arrayvec::ArrayVec;
use parlor_kernel::Seat;

use crate::action::Action;
use crate::cards::Card;
use crate::each_seat::EachSeat;
use crate::event::{Ante, DealStarted, DealtCard, DealtThree, Street, Turn, Wager};
use crate::rules::{Rules, Stakes, Variant};
use crate::seats::{SEATS, Seats, at};

/// More than a street can hold: sixteen attacks at most (the bet, eight
/// raises, seven all-ins), each answered by six, after seven checks.
const ACTIONS: usize = 128;

/// A seat with its chips and its face-up cards.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlayerBoard {
    /// Chips behind.
    pub stack: u32,
    /// Chips put in this deal.
    pub committed_total: u32,
    /// Chips put in this street.
    pub committed_this_street: u32,
    /// Chips brought to the table, at the beginning and since.
    pub bought: u32,
    /// Up cards, third street first.
    pub up: [Option<Card>; 4],
    /// How many down cards.
    pub down: u8,
    /// Seconds left in the time bank.
    pub bank: u16,
    /// The last thing done in this deal.
    pub last: Option<Action>,
    /// Time-outs in a row.
    pub time_outs: u8,
}

/// Something done on this street.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Acted {
    /// Who.
    pub seat: Seat,
    /// What.
    pub action: Action,
}

/// Where the match stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// It has not begun.
    #[default]
    Unopened,
    /// A deal is under way.
    Dealing,
    /// A deal is over and the next has not begun.
    Between,
    /// It is over.
    Finished,
}

/// The face-up part of the table. Field names are the contract's.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Board {
    /// Where the match stands.
    pub phase: Phase,
    /// Which rulings are followed.
    pub edition: u8,
    /// How many seats there are.
    pub seats: u8,
    /// The deal under way or just over, from 1.
    pub deal: u32,
    /// Deals that have ended.
    pub deals_played: u32,
    /// What is played in this deal.
    pub variant: Variant,
    /// The limits of this deal.
    pub stakes: Stakes,
    /// The seats.
    pub players: [PlayerBoard; SEATS],
    /// Who was dealt in.
    pub dealt_in: Seats,
    /// Who is still in.
    pub active: Seats,
    /// Who is still in and has chips to act with.
    pub can_act: Seats,
    /// Who acted on the last full bet, so that only another reopens raising.
    pub acted: Seats,
    /// Who sits out from the next deal on.
    pub sitting_out: Seats,
    /// Everything put in this deal.
    pub pot: u32,
    /// The price of this street.
    pub current_bet: u32,
    /// The last full bet or raise of this street; 0 before there is one.
    pub full_bet: u32,
    /// Raises after the opening bet.
    pub raise_count: u8,
    /// How many must still answer the last attack.
    pub pending_response_count: u8,
    /// Checks in a row.
    pub checks_this_street: u8,
    /// What was done on this street.
    pub actions_this_street: ArrayVec<Acted, ACTIONS>,
    /// Who acts now.
    pub actor: Option<Seat>,
    /// Whose door card had to bring it in.
    pub bring_in: Option<Seat>,
    /// Who opened this street, or would have if anyone could bet.
    pub opener: Option<Seat>,
    /// Who attacked last on this street.
    pub aggressor: Option<Seat>,
    /// The street.
    pub street: Option<Street>,
    /// Whether the hands play on face up.
    pub face_up: bool,
    /// Seconds of the time bank running for the actor; 0: the usual clock.
    pub bank_running: u16,
}

impl Board {
    /// The bet of this street.
    pub const fn unit(&self) -> u32 {
        match self.street {
            None | Some(Street::Third | Street::Fourth) => self.stakes.small_bet,
            _ => self.stakes.big_bet,
        }
    }

    /// A seat of the table.
    #[inline]
    pub const fn player(&self, seat: Seat) -> &PlayerBoard {
        &self.players[at(seat)]
    }

    #[inline]
    fn player_mut(&mut self, seat: Seat) -> &mut PlayerBoard {
        &mut self.players[at(seat)]
    }

    /// The seats of the table, in order.
    pub fn seated(&self) -> impl Iterator<Item = Seat> + use<> {
        (0..self.seats).map(Seat)
    }

    /// Whether the deal under way or just seen is over.
    pub const fn deal_finished(&self) -> bool {
        !matches!(self.phase, Phase::Dealing)
    }

    /// What a call costs this seat in full.
    pub const fn to_call(&self, seat: Seat) -> u32 {
        self.current_bet.saturating_sub(self.player(seat).committed_this_street)
    }

    /// Everyone takes a seat.
    pub(crate) fn open(&mut self, rules: &Rules, seats: usize) {
        self.phase = Phase::Between;
        self.edition = rules.edition;
        for (place, player) in self.players.iter_mut().enumerate().take(seats) {
            let stack = rules.stacks.of(place);
            *player = PlayerBoard {
                stack,
                bought: stack,
                bank: rules.time_bank,
                ..PlayerBoard::default()
            };
            self.seats += 1;
        }
    }

    /// A deal begins: the table is cleared of the last one.
    pub(crate) fn start(&mut self, start: &DealStarted) {
        self.phase = Phase::Dealing;
        self.deal = start.deal;
        self.variant = start.variant;
        self.stakes = start.stakes;
        self.dealt_in = start.seats;
        self.active = start.seats;
        self.can_act = start.seats;
        self.pot = 0;
        self.bring_in = None;
        self.street = None;
        self.face_up = false;
        self.clear_street();
        for player in &mut self.players {
            player.committed_total = 0;
            player.up = [None; 4];
            player.down = 0;
            player.last = None;
        }
    }

    /// What STREET_ADVANCE resets.
    fn clear_street(&mut self) {
        self.current_bet = 0;
        self.full_bet = 0;
        self.raise_count = 0;
        self.pending_response_count = 0;
        self.checks_this_street = 0;
        self.actions_this_street.clear();
        self.acted = Seats::NONE;
        self.actor = None;
        self.opener = None;
        self.aggressor = None;
        self.bank_running = 0;
        for player in &mut self.players {
            player.committed_this_street = 0;
        }
    }

    /// Chips leave a stack for the pot, outside any street.
    #[inline]
    pub(crate) fn ante(&mut self, ante: Ante) {
        let player = self.player_mut(ante.seat);
        player.stack = player.stack.saturating_sub(ante.paid);
        player.committed_total = player.committed_total.saturating_add(ante.paid);
        self.pot = self.pot.saturating_add(ante.paid);
        if self.player(ante.seat).stack == 0 {
            self.can_act.remove(ante.seat);
        }
    }

    /// Third street lies on the table.
    pub(crate) fn third(&mut self, hands: &EachSeat<DealtThree>, bring_in: Option<Seat>) {
        self.street = Some(Street::Third);
        for hand in hands.iter() {
            let player = self.player_mut(hand.seat);
            player.up[0] = Some(hand.up);
            player.down = 2;
        }
        self.bring_in = bring_in;
        self.open_with(bring_in);
    }

    /// A later street lies on the table.
    pub(crate) fn later(
        &mut self,
        street: Street,
        cards: &EachSeat<DealtCard>,
        opener: Option<Seat>,
    ) {
        self.street = Some(street);
        for dealt in cards.iter() {
            let player = self.player_mut(dealt.seat);
            match street {
                Street::Seventh => player.down = 3,
                _ => player.up[(street as usize).min(3)] = dealt.card,
            }
        }
        self.open_with(opener);
    }

    /// An opener without chips passes to the left; where
    /// fewer than two can bet, nobody acts.
    #[inline]
    fn open_with(&mut self, opener: Option<Seat>) {
        self.actor = match opener {
            Some(seat) if self.can_act.len() >= 2 => {
                if self.can_act.contains(seat) {
                    Some(seat)
                } else {
                    self.can_act.left_of(seat)
                }
            }
            _ => None,
        };
        self.opener = self.actor.or(opener);
    }

    /// Chips go in on this street.
    #[inline]
    fn wager(&mut self, wager: Wager) -> u32 {
        let player = self.player_mut(wager.seat);
        player.stack = player.stack.saturating_sub(wager.paid);
        player.committed_total = player.committed_total.saturating_add(wager.paid);
        player.committed_this_street = player.committed_this_street.saturating_add(wager.paid);
        let (stack, reached) = (player.stack, player.committed_this_street);
        self.pot = self.pot.saturating_add(wager.paid);
        if stack == 0 {
            self.can_act.remove(wager.seat);
        }
        reached
    }

    #[inline]
    fn note(&mut self, seat: Seat, action: Action, timed_out: bool) {
        // A log of our own never fills it; a foreign one may say what it likes.
        let _ = self.actions_this_street.try_push(Acted { seat, action });
        let player = self.player_mut(seat);
        player.last = Some(action);
        player.time_outs = if timed_out { player.time_outs.saturating_add(1) } else { 0 };
        self.bank_running = 0;
    }

    /// BRING_IN, COMPLETE, BET or RAISE: everyone else who can must answer.
    ///
    /// An all-in of at least half a unit above the last full bet
    /// counts as a full one and reopens the betting; less only lifts the price.
    /// A completion counts when it reaches the small bet: below that, whoever has
    /// put nothing in may still complete. The first edition took half for enough.
    #[inline]
    pub(crate) fn attack(&mut self, action: Action, wager: Wager) {
        let seat = wager.seat;
        let reached = self.wager(wager);
        // The bring-in is the price even if it is posted short.
        let floor = match action {
            Action::BringIn | Action::Complete => self.stakes.bring_in,
            _ => 0,
        };
        self.current_bet = self.current_bet.max(reached).max(floor);
        let above = reached.saturating_sub(self.full_bet);
        let enough = match action {
            Action::Complete if self.edition > 1 => self.stakes.small_bet,
            _ => self.unit().div_ceil(2),
        };
        if action != Action::BringIn && above >= enough {
            self.full_bet = self.current_bet;
            self.acted = Seats::NONE;
            if action == Action::Raise {
                self.raise_count = self.raise_count.saturating_add(1);
            }
        }
        self.acted.insert(seat);
        self.aggressor = Some(seat);
        self.checks_this_street = 0;
        let mut must_answer = self.can_act;
        must_answer.remove(seat);
        self.pending_response_count = must_answer.len() as u8;
        self.actor = must_answer.left_of(seat);
        self.note(seat, action, wager.timed_out);
    }

    /// CALL.
    #[inline]
    pub(crate) fn call(&mut self, wager: Wager) {
        self.wager(wager);
        self.acted.insert(wager.seat);
        self.answer(wager.seat);
        self.note(wager.seat, Action::Call, wager.timed_out);
    }

    /// FOLD. Where nothing is bet, a fold is no check.
    #[inline]
    pub(crate) fn fold(&mut self, turn: Turn) {
        let seat = turn.seat;
        self.active.remove(seat);
        self.can_act.remove(seat);
        if self.current_bet > 0 {
            self.answer(seat);
        } else {
            self.actor = if self.can_act.len() >= 2 { self.can_act.left_of(seat) } else { None };
            self.opener = self.actor.or(self.opener);
        }
        if self.active.len() < 2 {
            self.actor = None;
        }
        self.note(seat, Action::Fold, turn.timed_out);
    }

    /// CHECK.
    #[inline]
    pub(crate) fn check(&mut self, turn: Turn) {
        let seat = turn.seat;
        self.checks_this_street = self.checks_this_street.saturating_add(1);
        let all = u32::from(self.checks_this_street) >= self.can_act.len();
        self.actor = if all { None } else { self.can_act.left_of(seat) };
        self.note(seat, Action::Check, turn.timed_out);
    }

    #[inline]
    fn answer(&mut self, seat: Seat) {
        self.pending_response_count = self.pending_response_count.saturating_sub(1);
        let more = self.pending_response_count > 0;
        self.actor = if more { self.can_act.left_of(seat) } else { None };
    }

    /// STREET_ADVANCE: on to the next street, its counters at zero.
    pub(crate) fn advance(&mut self, ended: Street, face_up: bool) {
        self.street = ended.next().or(Some(ended));
        self.face_up |= face_up;
        self.clear_street();
    }

    /// DEAL_END: the pots are paid. `pot` keeps what was played for.
    pub(crate) fn end(&mut self, stacks: &[u32]) {
        self.phase = Phase::Between;
        self.deals_played = self.deals_played.saturating_add(1);
        self.actor = None;
        self.settle(stacks);
    }

    /// GAME_FINISHED.
    pub(crate) fn finish(&mut self, stacks: &[u32]) {
        self.phase = Phase::Finished;
        self.actor = None;
        self.settle(stacks);
    }

    fn settle(&mut self, stacks: &[u32]) {
        for (player, stack) in self.players.iter_mut().zip(stacks) {
            player.stack = *stack;
        }
    }

    /// The actor takes seconds from its bank.
    pub(crate) fn take_time(&mut self, seat: Seat, seconds: u16) {
        let player = self.player_mut(seat);
        player.bank = player.bank.saturating_sub(seconds);
        self.bank_running = seconds;
    }

    /// A seat is back for the next deal.
    pub(crate) fn come_back(&mut self, seat: Seat) {
        self.sitting_out.remove(seat);
        self.player_mut(seat).time_outs = 0;
    }

    /// A seat buys chips.
    pub(crate) fn rebuy(&mut self, seat: Seat, amount: u32) {
        let player = self.player_mut(seat);
        player.stack = player.stack.saturating_add(amount);
        player.bought = player.bought.saturating_add(amount);
    }

    /// All chips at the table: in stacks and, while a deal is played, the pot.
    pub fn chips(&self) -> u64 {
        let stacks: u64 = self.players.iter().map(|player| u64::from(player.stack)).sum();
        let pot = if self.phase == Phase::Dealing { u64::from(self.pot) } else { 0 };
        stacks + pot
    }
}
