//! Decide: what an action makes happen, or why it is refused.

use std::sync::Arc;

use parlor_kernel::{Dice, Seal, Seat};

use crate::auction::Next;
use crate::board::{Board, Phase};
use crate::cards::{Card, CardSet, Suit};
use crate::deal::deal;
use crate::event::{
    BidPlaced, BiddingWon, CardPlayed, CardsDiscarded, DabbTaken, Event, GameFinished,
    GameTerminated, MeldingComplete, MeldsDeclared, NewRoundStarted, PlayerPassed, RoundScored,
    SpecialAnnounced, SuitNamed, TrickWon,
};
use crate::melds::melded;
use crate::refusal::Why;
use crate::rules::{HIGHEST_BID, Rules};
use crate::score::{Account, LAST_TRICK, ending};
use crate::seats::{Each, after, at};
use crate::special::Special;
use crate::state::State;

/// What the log says of a player who left.
pub const PLAYER_EXIT: &str = "player_exit";

/// What the log says of a game in which nobody bids any more.
pub const NOBODY_BIDS: &str = "nobody_bids";

/// The turn of one seat. Each command is refused first for its phase, then
/// for whose turn it is, then for what it asks.
pub(crate) struct Turn<'a> {
    pub state: &'a State,
    pub board: &'a Board,
    pub seat: Seat,
}

impl Turn<'_> {
    /// The rules, in a phase in which there are any.
    #[inline]
    fn rules(&self) -> Result<&Rules, Why> {
        self.state.rules().ok_or(Why::NotInActivePhase)
    }

    pub fn bid(&self, amount: u16, out: &mut Vec<Event>) -> Result<(), Why> {
        let Phase::Bidding { seat } = self.board.phase else { return Err(Why::NotInBiddingPhase) };
        if seat != self.seat {
            return Err(Why::NotYourTurn);
        }
        let (rules, auction) = (self.rules()?, &self.board.auction);
        let least = auction.least(rules).ok_or(Why::HighestBidReached(HIGHEST_BID))?;
        if !auction.takes(amount, rules) {
            return Err(Why::InvalidBidAmount { least, most: HIGHEST_BID });
        }
        out.push(Event::BidPlaced(BidPlaced { seat, amount }));
        if let (_, Next::Won(seat, bid)) = auction.bid(seat, amount, rules.bidding) {
            self.win_bidding(seat, bid, out);
        }
        Ok(())
    }

    pub fn pass(&self, dice: &Dice, out: &mut Vec<Event>) -> Result<(), Why> {
        let Phase::Bidding { seat } = self.board.phase else { return Err(Why::NotInBiddingPhase) };
        if seat != self.seat {
            return Err(Why::NotYourTurn);
        }
        let rules = self.rules()?;
        if !self.board.auction.may_pass(rules) {
            return Err(Why::FirstBidderMustBid);
        }
        out.push(Event::PlayerPassed(PlayerPassed { seat }));
        match self.board.auction.pass(seat, rules.bidding) {
            (_, Next::Won(seat, bid)) => self.win_bidding(seat, bid, out),
            (_, Next::ThrownIn) => self.throw_in(rules, dice, out),
            (_, Next::Speaks(_)) => {}
        }
        Ok(())
    }

    /// Nobody has bid: the next dealer deals, unless that was so often enough.
    fn throw_in(&self, rules: &Rules, dice: &Dice, out: &mut Vec<Event>) {
        let thrown_in = self.board.round.saturating_sub(self.board.rounds_played);
        match &self.state.opened {
            Some(opened) if rules.thrown_in > 0 && thrown_in >= rules.thrown_in => {
                out.push(terminated(None, NOBODY_BIDS, &opened.seal));
            }
            _ => start_round(self.board, rules, dice, out),
        }
    }

    fn win_bidding(&self, seat: Seat, winning_bid: u16, out: &mut Vec<Event>) {
        let dabb = self.state.dabb;
        out.push(Event::BiddingWon(BiddingWon { seat, winning_bid, dabb }));
    }

    fn only_bid_winner(&self) -> Result<(), Why> {
        if self.board.declarer() == Some(self.seat) { Ok(()) } else { Err(Why::OnlyBidWinner) }
    }

    pub fn take_dabb(&self, out: &mut Vec<Event>) -> Result<(), Why> {
        let taken = match self.board.phase {
            Phase::TakingDabb => false,
            Phase::LayingAway => true,
            _ => return Err(Why::NotInDabbPhase),
        };
        self.only_bid_winner()?;
        if taken {
            return Err(Why::DabbAlreadyTaken);
        }
        out.push(Event::DabbTaken(DabbTaken { seat: self.seat, dabb_cards: self.state.dabb }));
        Ok(())
    }

    /// The declarer has the dabb in hand and has laid nothing away.
    fn dabb_in_hand(&self) -> Result<(), Why> {
        let taken = match self.board.phase {
            Phase::TakingDabb => false,
            Phase::LayingAway => true,
            _ => return Err(Why::NotInDabbPhase),
        };
        self.only_bid_winner()?;
        if taken { Ok(()) } else { Err(Why::MustTakeDabbFirst) }
    }

    pub fn discard(&self, cards: CardSet, out: &mut Vec<Event>) -> Result<(), Why> {
        self.dabb_in_hand()?;
        let count = self.rules()?.dabb(self.board.players);
        if cards.len() != u32::from(count) {
            return Err(Why::MustDiscardExactCount(count));
        }
        if let Some(foreign) = cards.without(self.state.hands[at(self.seat)]).first() {
            return Err(Why::CardNotInHand(foreign));
        }
        let seat = self.seat;
        out.push(Event::CardsDiscarded(CardsDiscarded { seat, discarded_cards: cards }));
        if self.board.special.is_some() {
            self.skip_melding(out);
        }
        Ok(())
    }

    pub fn go_out(&self, suit: Suit, out: &mut Vec<Event>) -> Result<(), Why> {
        self.dabb_in_hand()?;
        if let Some(special) = self.board.special {
            return Err(Why::SpecialIsAnnounced(special));
        }
        if let Some(trump) = self.board.trump.filter(|trump| *trump != suit) {
            return Err(Why::TrumpIsNamed(trump));
        }
        out.push(Event::GoingOut(SuitNamed { seat: self.seat, suit }));
        Ok(())
    }

    /// The declarer is to say what is played.
    fn naming_trump(&self) -> Result<(), Why> {
        if self.board.phase != Phase::NamingTrump {
            return Err(Why::NotInTrumpPhase);
        }
        self.only_bid_winner()
    }

    pub fn declare_trump(&self, suit: Suit, out: &mut Vec<Event>) -> Result<(), Why> {
        self.naming_trump()?;
        out.push(Event::TrumpDeclared(SuitNamed { seat: self.seat, suit }));
        Ok(())
    }

    pub fn announce(&self, special: Special, out: &mut Vec<Event>) -> Result<(), Why> {
        self.naming_trump()?;
        let rules = self.rules()?;
        if !special.is_played(rules) {
            return Err(Why::SpecialNotPlayed(special));
        }
        if !self.board.specials(rules).any(|offered| offered == special) {
            return Err(Why::BidIsHigher(special));
        }
        out.push(Event::SpecialAnnounced(SpecialAnnounced { seat: self.seat, special }));
        if !rules.trump_first {
            self.skip_melding(out);
        }
        Ok(())
    }

    /// Without melds there is nothing to wait for: the tricks begin.
    fn skip_melding(&self, out: &mut Vec<Event>) {
        let meld_scores = Each::of(self.board.players, [0; 4]);
        out.push(Event::MeldingComplete(MeldingComplete { meld_scores }));
    }

    pub fn declare_melds(&self, dice: &Dice, out: &mut Vec<Event>) -> Result<(), Why> {
        let Turn { state, board, seat } = *self;
        let (Phase::Melding { waiting }, Some(trump)) = (board.phase, board.trump) else {
            return Err(Why::NotInMeldingPhase);
        };
        if !waiting.contains(seat) {
            let melded = board.melds[at(seat)].is_some();
            return Err(if melded { Why::AlreadyDeclaredMelds } else { Why::NotYourTurn });
        }
        let rules = self.rules()?;
        let own = melded(state.hands[at(seat)], trump, rules);
        let declared = MeldsDeclared { seat, cards: own.cards, total_points: own.points };
        out.push(Event::MeldsDeclared(declared));
        if waiting.iter().all(|other| other == seat) {
            let mut points = board.melds.map(|melds| melds.map_or(0, |melds| melds.points));
            points[at(seat)] = own.points;
            let meld_scores = Each::of(board.players, points);
            out.push(Event::MeldingComplete(MeldingComplete { meld_scores }));
            if board.going_out {
                let mut board = board.clone();
                board.meld(declared);
                self.score_round(&board, dice, out);
            }
        }
        Ok(())
    }

    #[inline]
    pub fn play_card(&self, card: Card, dice: &Dice, out: &mut Vec<Event>) -> Result<(), Why> {
        let Turn { state, board, seat } = *self;
        let Phase::Tricks { seat: awaited } = board.phase else {
            return Err(Why::NotInTricksPhase);
        };
        if awaited != seat {
            return Err(Why::NotYourTurn);
        }
        let hand = state.hands[at(seat)];
        if !hand.contains(card) {
            return Err(Why::CardNotInHand(card));
        }
        let legal = board.legal(seat, hand, self.rules()?);
        if !legal.contains(card) {
            return Err(Why::InvalidPlay { card, legal });
        }
        out.push(Event::CardPlayed(CardPlayed { seat, card }));
        if board.trick.cards().len() + 1 == usize::from(board.players) {
            let mut trick = board.trick;
            trick.push(card, board.trumps());
            // A trick with cards has a holder.
            let winner = trick.holder(board.players).unwrap_or(seat);
            let last = hand == CardSet::only(card);
            let points = trick.points() + if last { LAST_TRICK } else { 0 };
            let won = TrickWon { seat: winner, points };
            out.push(Event::TrickWon(won));
            if last || self.is_lost_to(winner) {
                let mut board = board.clone();
                board.win_trick(won);
                self.score_round(&board, dice, out);
            }
        }
        Ok(())
    }

    /// Whether a trick to this seat decides an announced game; then nothing is
    /// left to be played for, and the round ends.
    fn is_lost_to(&self, winner: Seat) -> bool {
        let Board { special, players, .. } = *self.board;
        let announced = special.zip(self.board.declarer());
        announced.is_some_and(|(special, own)| special.is_lost_to(winner, own, players))
    }

    /// Scores the round on this board, and goes on to the next or to the end.
    fn score_round(&self, board: &Board, dice: &Dice, out: &mut Vec<Event>) {
        let (Some(opened), Some((declarer, bid))) = (&self.state.opened, board.highest_bid())
        else {
            return;
        };
        let rules = opened.rules();
        let account = Account {
            players: board.players,
            declarer,
            bid,
            melds: board.melds.map(|melds| melds.map_or(0, |melds| melds.points)),
            taken: board.taken,
            tricks: board.tricks,
            laid_away: self.state.laid_away.points(),
        };
        let scores = match board.special {
            Some(special) => account.announced(special),
            None if board.going_out => account.gone_out(rules.going_out_bonus),
            None => account.played_out(),
        };
        let mut totals = board.totals.all();
        for (total, score) in totals.iter_mut().zip(scores.all()) {
            *total = total.saturating_add(score.total.into());
        }
        let total_scores = Each::of(scores.as_slice().len() as u8, totals);
        out.push(Event::RoundScored(RoundScored { scores, total_scores }));
        let played = board.rounds_played.saturating_add(1);
        match ending(rules, played, &total_scores, board.side(declarer)) {
            Some((reason, winner)) => out.push(Event::GameFinished(Arc::new(GameFinished {
                winner,
                reason,
                final_scores: total_scores,
                opening: opened.seal.open(),
            }))),
            None => start_round(board, rules, dice, out),
        }
    }

    pub fn exit(&self, out: &mut Vec<Event>) -> Result<(), Why> {
        let opened = self.state.opened.as_ref().filter(|_| self.board.phase.is_active());
        let opened = opened.ok_or(Why::NotInActivePhase)?;
        out.push(terminated(Some(self.seat), PLAYER_EXIT, &opened.seal));
        Ok(())
    }
}

pub(crate) fn terminated(terminated_by: Option<Seat>, reason: &str, seal: &Seal) -> Event {
    Event::GameTerminated(Arc::new(GameTerminated {
        terminated_by,
        reason: reason.to_owned(),
        opening: seal.open(),
    }))
}

/// The round after the one on the board.
fn start_round(board: &Board, rules: &Rules, dice: &Dice, out: &mut Vec<Event>) {
    let round = board.round.saturating_add(1);
    let dealer = after(board.dealer, 1, board.players);
    out.push(Event::NewRoundStarted(NewRoundStarted { round, dealer }));
    out.push(Event::CardsDealt(deal(round, board.players, rules, dice)));
}
