//! The table as far as everyone sees it: the part of the truth and of every
//! player's knowledge that is the same for all.

use std::sync::Arc;

use parlor_kernel::{Seat, SeatSet};
use schemars::JsonSchema;
use serde::Serialize;

use crate::auction::{Auction, Next};
use crate::cards::{Card, CardSet, Suit};
use crate::event::{
    BidPlaced, GameFinished, GameTerminated, MeldsDeclared, NewRoundStarted, RoundScored, TrickWon,
};
use crate::melds::Melded;
use crate::rules::{FirstLead, Rules};
use crate::seats::{Each, after, all_seats, at, listed, side, sides};
use crate::special::Special;
use crate::trick::Trick;

/// What the table waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE")]
#[allow(missing_docs, reason = "fields say what they are")]
pub enum Phase {
    /// The game has not begun.
    #[default]
    Unopened,
    /// A bid or a pass.
    Bidding { seat: Seat },
    /// The declarer taking the dabb.
    TakingDabb,
    /// The declarer naming trump.
    NamingTrump,
    /// The declarer laying away, or going out.
    LayingAway,
    /// The melds of these seats, in any order.
    Melding {
        #[serde(serialize_with = "listed")]
        #[schemars(with = "Vec<Seat>")]
        waiting: SeatSet,
    },
    /// A card.
    Tricks { seat: Seat },
    /// The next deal, which is part of the same step.
    RoundOver,
    /// Nothing, ever.
    Finished,
    /// Nothing, ever: the game ended before its time.
    Terminated,
}

impl Phase {
    /// Its name in the contract.
    pub const fn name(&self) -> &'static str {
        match self {
            Phase::Unopened => "waiting",
            Phase::Bidding { .. } => "bidding",
            Phase::TakingDabb | Phase::LayingAway => "dabb",
            Phase::NamingTrump => "trump",
            Phase::Melding { .. } => "melding",
            Phase::Tricks { .. } => "tricks",
            Phase::RoundOver => "scoring",
            Phase::Finished => "finished",
            Phase::Terminated => "terminated",
        }
    }

    /// Whether a game is being played.
    pub const fn is_active(&self) -> bool {
        !matches!(self, Phase::Unopened | Phase::Finished | Phase::Terminated)
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Over {
    /// It was played out.
    Finished(Arc<GameFinished>),
    /// It ended before its time.
    Terminated(Arc<GameTerminated>),
}

/// The face-up part of the table.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Board {
    /// How many play.
    pub players: u8,
    /// The round under way, from 1.
    pub round: u16,
    /// Rounds that have been scored.
    pub rounds_played: u16,
    /// Who deals this round.
    pub dealer: Seat,
    /// What the table waits for.
    pub phase: Phase,
    /// The bidding.
    pub auction: Auction,
    /// What is trump.
    pub trump: Option<Suit>,
    /// What was announced in its place.
    pub special: Option<Special>,
    /// Whether the declarer goes out.
    pub going_out: bool,
    /// Each seat's melds, once laid out.
    pub melds: [Option<Melded>; 4],
    /// The trick under way.
    pub trick: Trick,
    /// The trick before, and who won it.
    pub last_trick: Option<(Trick, Seat)>,
    /// What each seat has played this round.
    pub played: [CardSet; 4],
    /// How many tricks each seat has won this round.
    pub tricks: [u8; 4],
    /// What each seat's tricks count, the last one's ten included.
    pub taken: [u16; 4],
    /// The game so far, side by side.
    pub totals: Each<i32>,
    /// How the last round was scored.
    pub scored: Option<RoundScored>,
    /// How the game ended.
    pub over: Option<Over>,
}

impl Default for Board {
    fn default() -> Self {
        Board {
            players: 2,
            round: 0,
            rounds_played: 0,
            dealer: Seat(0),
            phase: Phase::Unopened,
            auction: Auction::opened_by(Seat(0), 2),
            trump: None,
            special: None,
            going_out: false,
            melds: [None; 4],
            trick: Trick::led_by(Seat(0)),
            last_trick: None,
            played: [CardSet::EMPTY; 4],
            tricks: [0; 4],
            taken: [0; 4],
            totals: Each::of(2, [0; 4]),
            scored: None,
            over: None,
        }
    }
}

impl Board {
    /// Who won the bidding, and for how much; while it goes on, who leads it.
    #[inline]
    pub const fn highest_bid(&self) -> Option<(Seat, u16)> {
        self.auction.highest
    }

    /// Who won the bidding; nobody while it goes on.
    #[inline]
    pub fn declarer(&self) -> Option<Seat> {
        match self.phase {
            Phase::Bidding { .. } | Phase::Unopened => None,
            _ => self.auction.highest.map(|(seat, _)| seat),
        }
    }

    /// Whom the table waits for.
    #[inline]
    pub fn awaited(&self) -> SeatSet {
        match self.phase {
            Phase::Bidding { seat } | Phase::Tricks { seat } => SeatSet::only(seat),
            Phase::TakingDabb | Phase::NamingTrump | Phase::LayingAway => {
                self.declarer().map_or(SeatSet::EMPTY, SeatSet::only)
            }
            Phase::Melding { waiting } => waiting,
            Phase::Unopened | Phase::RoundOver | Phase::Finished | Phase::Terminated => {
                SeatSet::EMPTY
            }
        }
    }

    /// The trumps; none before they are named, and none in a game without.
    #[inline]
    pub fn trumps(&self) -> CardSet {
        self.trump.map_or(CardSet::EMPTY, CardSet::of_suit)
    }

    /// Whether this seat's partner holds the trick, so that
    /// following suit is enough.
    #[inline]
    pub fn is_exempt(&self, seat: Seat, rules: &Rules) -> bool {
        self.players == 4
            && rules.partner_exemption
            && self.trick.holder(4).is_some_and(|holder| (holder.0 ^ seat.0) & 3 == 2)
    }

    /// What this hand may play to the trick.
    #[inline]
    pub fn legal(&self, seat: Seat, hand: CardSet, rules: &Rules) -> CardSet {
        let exempt = self.is_exempt(seat, rules);
        self.trick.legal(hand, self.trumps(), exempt)
    }

    /// The suits the declarer may go out in: the one that is trump, or any.
    /// Who has announced a game plays it.
    pub(crate) fn ways_out(&self) -> impl Iterator<Item = Suit> {
        let (trump, special) = (self.trump, self.special);
        let open = move |suit: &Suit| special.is_none() && trump.is_none_or(|named| named == *suit);
        Suit::ALL.into_iter().filter(open)
    }

    /// What may be announced in place of trump.
    pub(crate) fn specials(&self, rules: &Rules) -> impl Iterator<Item = Special> {
        Special::offered(rules, self.auction.highest.map_or(0, |(_, bid)| bid))
    }

    pub(crate) fn open(&mut self, players: u8, dealer: Seat) {
        self.players = players;
        self.totals = Each::of(sides(players), [0; 4]);
        self.start_round(NewRoundStarted { round: 1, dealer });
    }

    /// The table is cleared of the last round; its last trick and its score
    /// stay to be looked at.
    pub(crate) fn start_round(&mut self, start: NewRoundStarted) {
        let opener = after(start.dealer, 1, self.players);
        self.round = start.round;
        self.dealer = start.dealer;
        self.phase = Phase::Bidding { seat: opener };
        self.auction = Auction::opened_by(opener, self.players);
        self.trump = None;
        self.special = None;
        self.going_out = false;
        self.melds = [None; 4];
        self.trick = Trick::led_by(opener);
        self.played = [CardSet::EMPTY; 4];
        self.tricks = [0; 4];
        self.taken = [0; 4];
    }

    pub(crate) fn bid(&mut self, bid: BidPlaced, rules: &Rules) {
        let (auction, next) = self.auction.bid(bid.seat, bid.amount, rules.bidding);
        self.go_on_bidding(auction, next);
    }

    pub(crate) fn pass(&mut self, seat: Seat, rules: &Rules) {
        let (auction, next) = self.auction.pass(seat, rules.bidding);
        self.go_on_bidding(auction, next);
    }

    fn go_on_bidding(&mut self, auction: Auction, next: Next) {
        self.auction = auction;
        match next {
            Next::Speaks(seat) => self.phase = Phase::Bidding { seat },
            Next::Won(..) => self.phase = Phase::TakingDabb,
            Next::ThrownIn => self.phase = Phase::RoundOver,
        }
    }

    pub(crate) fn take_dabb(&mut self, rules: &Rules) {
        self.phase = if rules.trump_first { Phase::NamingTrump } else { Phase::LayingAway };
    }

    pub(crate) fn lay_away(&mut self, rules: &Rules) {
        if rules.trump_first { self.start_melding() } else { self.phase = Phase::NamingTrump }
    }

    pub(crate) fn name_trump(&mut self, suit: Suit, rules: &Rules) {
        self.trump = Some(suit);
        if rules.trump_first { self.phase = Phase::LayingAway } else { self.start_melding() }
    }

    /// As trump is named, so is a game without it.
    pub(crate) fn announce(&mut self, special: Special, rules: &Rules) {
        self.special = Some(special);
        if rules.trump_first { self.phase = Phase::LayingAway } else { self.start_melding() }
    }

    pub(crate) fn go_out(&mut self, suit: Suit) {
        self.trump = Some(suit);
        self.going_out = true;
        self.start_melding();
    }

    /// When the declarer goes out, the others meld. In a game without
    /// melds nobody does.
    fn start_melding(&mut self) {
        let out = self.declarer().filter(|_| self.going_out);
        let melding = |seat: &Seat| Some(*seat) != out && self.special.is_none();
        let waiting = all_seats(self.players).filter(melding).collect();
        self.phase = Phase::Melding { waiting };
    }

    pub(crate) fn meld(&mut self, declared: MeldsDeclared) {
        let MeldsDeclared { seat, cards, total_points: points } = declared;
        self.melds[at(seat)] = Some(Melded { cards, points });
        if let Phase::Melding { waiting } = self.phase {
            let left = waiting.iter().filter(|other| *other != seat).collect();
            self.phase = Phase::Melding { waiting: left };
        }
    }

    pub(crate) fn end_melding(&mut self, rules: &Rules) {
        if self.going_out {
            self.phase = Phase::RoundOver;
            return;
        }
        let leader = match rules.first_lead {
            FirstLead::Opener if self.special.is_none() => after(self.dealer, 1, self.players),
            _ => self.declarer().unwrap_or(self.dealer),
        };
        self.trick = Trick::led_by(leader);
        self.phase = Phase::Tricks { seat: leader };
    }

    #[inline(always)]
    pub(crate) fn play(&mut self, seat: Seat, card: Card) {
        self.played[at(seat)].insert(card);
        self.trick.push(card, self.trumps());
        self.phase = Phase::Tricks { seat: after(seat, 1, self.players) };
    }

    #[inline]
    pub(crate) fn win_trick(&mut self, won: TrickWon) {
        self.tricks[at(won.seat)] = self.tricks[at(won.seat)].saturating_add(1);
        self.taken[at(won.seat)] = self.taken[at(won.seat)].saturating_add(won.points);
        self.last_trick = Some((self.trick, won.seat));
        self.trick = Trick::led_by(won.seat);
        self.phase = Phase::Tricks { seat: won.seat };
    }

    pub(crate) fn score(&mut self, scored: RoundScored) {
        self.rounds_played = self.rounds_played.saturating_add(1);
        self.totals = scored.total_scores;
        self.scored = Some(scored);
        self.phase = Phase::RoundOver;
    }

    pub(crate) fn finish(&mut self, finished: Arc<GameFinished>) {
        self.phase = Phase::Finished;
        self.over = Some(Over::Finished(finished));
    }

    pub(crate) fn terminate(&mut self, terminated: Arc<GameTerminated>) {
        self.phase = Phase::Terminated;
        self.over = Some(Over::Terminated(terminated));
    }

    /// The side this seat plays for.
    pub const fn side(&self, seat: Seat) -> usize {
        side(seat, self.players)
    }
}
