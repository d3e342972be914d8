//! The rest of a round with all cards open, played on by thumb.
//!
//! The same rules of tricks as in `trick`, kept as card sets that change with
//! each card: a whole round is played out in about a microsecond.

use parlor_kernel::Seat;

use crate::board::Board;
use crate::cards::{Card, CardSet, Rank, Suit};
use crate::rules::Rules;
use crate::score::LAST_TRICK;
use crate::seats::{after, at, side};

/// Hands, the trick on the table, and what has been won.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rest {
    /// Each seat's cards.
    pub(super) hands: [CardSet; 4],
    /// What each seat's tricks count, the last one's ten included.
    pub(super) taken: [u16; 4],
    /// How many tricks each seat has won.
    pub(super) tricks: [u8; 4],
    turn: Seat,
    players: u8,
    exemption: bool,
    trump: Suit,
    trumps: CardSet,
    laid: u8,
    holder: Seat,
    stake: u16,
    /// The suit that was led.
    led: CardSet,
    /// Cards of it that beat its best.
    beat: CardSet,
    /// Trumps that beat the best trump.
    overtrump: CardSet,
    /// Cards that take the trick.
    takes: CardSet,
}

impl Rest {
    /// Before the first trick.
    pub(super) fn new(
        players: u8,
        hands: [CardSet; 4],
        trump: Suit,
        leader: Seat,
        rules: &Rules,
    ) -> Rest {
        let mut rest = Rest {
            hands,
            taken: [0; 4],
            tricks: [0; 4],
            turn: leader,
            players,
            exemption: players == 4 && rules.partner_exemption,
            trump,
            trumps: CardSet::of_suit(trump),
            laid: 0,
            holder: leader,
            stake: 0,
            led: CardSet::EMPTY,
            beat: CardSet::EMPTY,
            overtrump: CardSet::EMPTY,
            takes: CardSet::EMPTY,
        };
        rest.clear(leader);
        rest
    }

    /// Where the board stands, with these hands; nowhere before trump is named.
    pub(super) fn of(board: &Board, hands: [CardSet; 4], rules: &Rules) -> Option<Rest> {
        let mut rest = Rest::new(board.players, hands, board.trump?, board.trick.leader, rules);
        rest.taken = board.taken;
        rest.tricks = board.tricks;
        board.trick.cards().iter().for_each(|card| rest.play(*card));
        Some(rest)
    }

    #[inline]
    fn clear(&mut self, leader: Seat) {
        self.turn = leader;
        self.holder = leader;
        self.laid = 0;
        self.stake = 0;
        self.led = CardSet::EMPTY;
        self.overtrump = self.trumps;
    }

    /// The cards that take a trick this card holds.
    #[inline]
    fn taking_from(&self, card: Card) -> CardSet {
        let above = CardSet::above(card);
        if card.suit() == self.trump { above } else { above.or(self.trumps) }
    }

    /// Whether all cards are played.
    #[inline]
    pub(super) const fn is_over(&self) -> bool {
        self.laid == 0 && self.hand().is_empty()
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

    /// What may be played. See `Trick::legal`.
    #[inline]
    pub(super) fn legal(&self) -> CardSet {
        let hand = self.hand();
        let follow = hand.and(self.led);
        if self.exemption && self.laid > 0 && (self.holder.0 ^ self.turn.0) == 2 {
            return follow.or_if_empty(hand);
        }
        if !follow.is_empty() {
            return follow.and(self.beat).or_if_empty(follow);
        }
        if self.laid == 0 {
            return hand;
        }
        let trumps = hand.and(self.trumps);
        trumps.and(self.overtrump).or_if_empty(trumps).or_if_empty(hand)
    }

    /// Plays a card and, when the trick is full, gives it to its winner.
    #[inline]
    pub(super) fn play(&mut self, card: Card) {
        self.hands[at(self.turn)].remove(card);
        let above = CardSet::above(card);
        if self.laid == 0 {
            self.led = CardSet::of_suit(card.suit());
            self.beat = self.led;
            self.takes = CardSet::WITH_SEVENS;
        }
        if self.beat.contains(card) {
            self.beat = above;
        }
        if self.overtrump.contains(card) {
            self.overtrump = above;
        }
        if self.takes.contains(card) {
            self.holder = self.turn;
            self.takes = self.taking_from(card);
        }
        self.stake += card.points();
        self.laid += 1;
        if self.laid < self.players {
            self.turn = after(self.turn, 1, self.players);
            return;
        }
        let winner = self.holder;
        let last = self.hands[at(winner)].is_empty();
        self.taken[at(winner)] += self.stake + if last { LAST_TRICK } else { 0 };
        self.tricks[at(winner)] += 1;
        self.clear(winner);
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
        let card = match (only, self.laid) {
            (true, _) => legal.first(),
            (false, 0) => self.lead(legal),
            (false, _) => self.follow(legal),
        };
        // There are cards left, or the round would be over.
        card.unwrap_or(Card::FIRST)
    }

    /// Cashes what cannot be beaten, the fattest first and trumps last;
    /// otherwise leads low.
    fn lead(&self, hand: CardSet) -> Option<Card> {
        let against = self.rivals().fold(CardSet::EMPTY, |all, seat| all.or(self.hands[at(seat)]));
        let mut cash: Option<Card> = None;
        for suit in Suit::ALL.into_iter().filter(|suit| *suit != self.trump) {
            let Some(top) = hand.and(CardSet::of_suit(suit)).last() else { continue };
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
    fn follow(&self, legal: CardSet) -> Option<Card> {
        let takers = legal.and(self.takes);
        let ours = side(self.holder, self.players) == self.side();
        if ours && !self.is_beaten(self.takes) {
            return fattest(legal.without(takers).or_if_empty(legal));
        }
        if takers.is_empty() {
            return lowest(legal);
        }
        if self.laid + 1 == self.players {
            return takers.and(CardSet::of_rank(Rank::Ten)).first().or_else(|| lowest(takers));
        }
        let holds = |card: &Card| !self.is_beaten(self.taking_from(*card));
        takers.iter().find(holds).or_else(|| lowest(takers))
    }

    /// Whether a rival who is yet to play can take the trick with one of these.
    fn is_beaten(&self, by: CardSet) -> bool {
        let later = self.players - self.laid;
        (1..later).map(|places| after(self.turn, places, self.players)).any(|seat| {
            let hand = self.hands[at(seat)];
            let follow = hand.and(self.led);
            side(seat, self.players) != self.side() && !follow.or_if_empty(hand).and(by).is_empty()
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
