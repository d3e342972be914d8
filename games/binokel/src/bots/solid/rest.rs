//! The rest of a round with all cards open, played on by thumb: a whole round
//! in about a microsecond.

use parlor_kernel::Seat;

use super::super::special::Turn;
use crate::board::Board;
use crate::cards::{Card, CardSet, Rank, Suit};
use crate::rules::Rules;
use crate::score::LAST_TRICK;
use crate::seats::{after, at, side};
use crate::special::Special;
use crate::trick::Trick;

/// Hands, the trick on the table, and what has been won.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rest {
    /// Each seat's cards.
    pub(super) hands: [CardSet; 4],
    /// What each seat's tricks count, the last one's ten included.
    pub(super) taken: [u16; 4],
    /// How many tricks each seat has won.
    pub(super) tricks: [u8; 4],
    trick: Trick,
    turn: Seat,
    trumps: CardSet,
    players: u8,
    exemption: bool,
    /// What was announced, and by whom.
    announced: Option<(Special, Seat)>,
    is_lost: bool,
}

impl Rest {
    /// Before the first trick.
    pub(super) fn new(
        players: u8,
        hands: [CardSet; 4],
        trumps: CardSet,
        leader: Seat,
        rules: &Rules,
    ) -> Rest {
        let (taken, tricks, trick) = ([0; 4], [0; 4], Trick::led_by(leader));
        let exemption = players == 4 && rules.partner_exemption;
        let (announced, is_lost) = (None, false);
        let turn = leader;
        Rest { hands, taken, tricks, trick, turn, trumps, players, exemption, announced, is_lost }
    }

    /// Before the first trick of an announced game.
    pub(super) fn announced(
        players: u8,
        hands: [CardSet; 4],
        special: Special,
        declarer: Seat,
        rules: &Rules,
    ) -> Rest {
        let rest = Rest::new(players, hands, CardSet::EMPTY, declarer, rules);
        Rest { announced: Some((special, declarer)), ..rest }
    }

    /// Where the board stands in its tricks, with these hands.
    pub(super) fn of(board: &Board, hands: [CardSet; 4], rules: &Rules) -> Rest {
        let mut rest = Rest::new(board.players, hands, board.trumps(), board.trick.leader, rules);
        rest.announced = board.special.zip(board.declarer());
        rest.taken = board.taken;
        rest.tricks = board.tricks;
        rest.trick = board.trick;
        rest.turn = after(board.trick.leader, board.trick.cards().len() as u8, board.players);
        rest
    }

    /// Whether all cards are played, or an announced game is lost.
    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.is_lost || (self.hand().is_empty() && self.trick.cards().is_empty())
    }

    /// The side whose turn it is.
    #[inline]
    pub(super) const fn side(&self) -> usize {
        side(self.turn, self.players)
    }

    #[inline]
    const fn hand(&self) -> CardSet {
        self.hands[at(self.turn)]
    }

    /// What may be played.
    #[inline]
    pub(super) fn legal(&self) -> CardSet {
        let partner = after(self.turn, 2, self.players);
        let exempt = self.exemption && self.trick.holder(self.players) == Some(partner);
        self.trick.legal(self.hand(), self.trumps, exempt)
    }

    /// Plays a card and, when the trick is full, gives it to its winner.
    #[inline]
    pub(super) fn play(&mut self, card: Card) {
        self.hands[at(self.turn)].remove(card);
        self.trick.push(card, self.trumps);
        if self.trick.cards().len() < usize::from(self.players) {
            self.turn = after(self.turn, 1, self.players);
            return;
        }
        let winner = after(self.trick.leader, self.trick.best() as u8, self.players);
        let last = if self.hands[at(winner)].is_empty() { LAST_TRICK } else { 0 };
        self.taken[at(winner)] += self.trick.points() + last;
        self.tricks[at(winner)] += 1;
        self.trick = Trick::led_by(winner);
        self.turn = winner;
        if let Some((special, declarer)) = self.announced {
            self.is_lost = special.is_lost_to(winner, declarer, self.players);
        }
    }

    /// Plays to the end by thumb.
    pub(super) fn play_out(&mut self) {
        while !self.is_over() {
            let card = self.by_thumb();
            self.play(card);
        }
    }

    #[inline]
    fn by_thumb(&self) -> Card {
        let legal = self.legal();
        let only = one_of_each(legal).skip(1).is_empty();
        let card = match (only, self.announced, self.trick.holder(self.players)) {
            (true, ..) => legal.first(),
            (_, Some((special, declarer)), _) => self.in_game(special, declarer, legal),
            (_, None, None) => self.lead(legal),
            (_, None, Some(holder)) => self.follow(legal, holder),
        };
        // There are cards left, or the round would be over.
        card.unwrap_or(Card::FIRST)
    }

    fn in_game(&self, special: Special, declarer: Seat, legal: CardSet) -> Option<Card> {
        let Rest { hands, turn: seat, players, ref trick, .. } = *self;
        let others = (0..players).map(Seat).filter(|other| *other != seat);
        let out = others.fold(CardSet::EMPTY, |all, other| all.or(hands[at(other)]));
        let declarers = hands[at(declarer)];
        Turn { special, declarer, seat, players, trick, legal, out, declarers }.card()
    }

    /// Cashes what cannot be beaten, the fattest first and trumps last;
    /// otherwise leads low.
    fn lead(&self, hand: CardSet) -> Option<Card> {
        let against = self.rivals().fold(CardSet::EMPTY, |all, seat| all.or(self.hands[at(seat)]));
        let mut cash: Option<Card> = None;
        for suit in Suit::ALL {
            let own = hand.and(CardSet::of_suit(suit)).without(self.trumps);
            let Some(top) = own.last() else { continue };
            let stands = against.and(CardSet::above(top)).is_empty() && !self.is_ruffed(suit);
            if stands && cash.is_none_or(|card| card.rank() < top.rank()) {
                cash = Some(top);
            }
        }
        let trumps = hand.and(self.trumps);
        let master = || trumps.last().filter(|top| against.and(CardSet::above(*top)).is_empty());
        let draws = || master().filter(|_| !against.and(self.trumps).is_empty());
        cash.or_else(draws).or_else(|| lowest(hand.without(trumps).or_if_empty(trumps)))
    }

    /// Takes the trick as cheaply as it holds; gives a partner's trick points,
    /// and any other as little as may be.
    fn follow(&self, legal: CardSet, holder: Seat) -> Option<Card> {
        let takers = legal.and(self.trick.taking());
        let ours = side(holder, self.players) == self.side();
        if ours && self.stands(&self.trick) {
            return fattest(legal.without(takers).or_if_empty(legal));
        }
        if takers.is_empty() {
            return lowest(legal);
        }
        if self.trick.cards().len() + 1 == usize::from(self.players) {
            return takers.and(CardSet::of_rank(Rank::Ten)).first().or_else(|| lowest(takers));
        }
        let holds = |card: &Card| {
            let mut trick = self.trick;
            trick.push(*card, self.trumps);
            self.stands(&trick)
        };
        takers.iter().find(holds).or_else(|| lowest(takers))
    }

    /// Whether no rival who is yet to play can take this trick.
    fn stands(&self, trick: &Trick) -> bool {
        let Some(led) = trick.cards().first() else { return false };
        let led = CardSet::of_suit(led.suit());
        let later = self.players - self.trick.cards().len() as u8;
        (1..later).map(|places| after(self.turn, places, self.players)).all(|seat| {
            let hand = self.hands[at(seat)];
            let playable = hand.and(led).or_if_empty(hand);
            side(seat, self.players) == self.side() || playable.and(trick.taking()).is_empty()
        })
    }

    /// The seats of other sides.
    #[inline]
    fn rivals(&self) -> impl Iterator<Item = Seat> {
        let (players, own) = (self.players, self.side());
        (0..players).map(Seat).filter(move |seat| side(*seat, players) != own)
    }

    /// Whether a rival would trump this suit.
    #[inline]
    fn is_ruffed(&self, suit: Suit) -> bool {
        self.rivals().any(|seat| {
            let hand = self.hands[at(seat)];
            hand.and(CardSet::of_suit(suit)).is_empty() && !hand.and(self.trumps).is_empty()
        })
    }
}

/// One card of each suit and rank that is here: two of a kind do the same.
#[inline]
pub(super) fn one_of_each(cards: CardSet) -> CardSet {
    cards.without(cards.doubles())
}

#[inline]
fn first_of(cards: CardSet, ranks: [Rank; 6]) -> Option<Card> {
    ranks.into_iter().find_map(|rank| cards.and(CardSet::of_rank(rank)).first())
}

/// The card that counts least.
#[inline]
fn lowest(cards: CardSet) -> Option<Card> {
    first_of(cards, Rank::ALL)
}

/// What is given to a trick that is safe: points that might not come home
/// otherwise. Asses mostly do.
#[inline]
fn fattest(cards: CardSet) -> Option<Card> {
    use Rank::{Ass, Buabe, Koenig, Ober, Seven, Ten};
    first_of(cards, [Ten, Koenig, Ober, Ass, Buabe, Seven])
}
