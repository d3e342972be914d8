//! The end of a deal: who shows, who wins what, and how it is written down.

use arrayvec::ArrayVec;
use parlor_kernel::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

use crate::board::Board;
use crate::cards::Card;
use crate::event::{BySeat, Street};
use crate::naming::{eight_or_better_in_words, high_in_words, low_in_words};
use crate::pots::{Pot, Worth, best, pay, pots};
use crate::rules::Variant;
use crate::seats::{SEATS, Seats, at};

/// A deal is over and its pots are paid.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct DealEnd {
    /// Who won uncontested; nobody where hands were compared.
    pub seat: Option<Seat>,
    /// Where it ended.
    pub street: Option<Street>,
    /// What was played.
    pub variant: Variant,
    /// The hands shown, in the order they were.
    pub shown: BySeat<Shown>,
    /// The pots, main pot first.
    pub pots: BySeat<Pot>,
    /// What each stack won or lost in this deal.
    pub change: BySeat<i64>,
    /// The stacks after it.
    pub stacks: BySeat<u32>,
}

/// A hand laid open.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct Shown {
    /// Whose.
    pub seat: Seat,
    /// The seven cards: two down, four up, one down.
    pub cards: [Card; 7],
}

/// A deal's end as it is written, below the seat and the street: hands with
/// their names.
#[derive(Serialize, JsonSchema)]
pub(crate) struct DealEndTold<'a> {
    /// What was played.
    variant: Variant,
    /// The hands shown, in the order they were.
    shown: Vec<ShownTold>,
    /// The pots, main pot first.
    pots: &'a [Pot],
    /// What each stack won or lost in this deal.
    change: &'a [i64],
    /// The stacks after it.
    stacks: &'a [u32],
}

#[derive(Serialize, JsonSchema)]
struct WithSeat<'a> {
    /// Who won uncontested; null where hands were compared.
    seat: Option<Seat>,
    street: Option<Street>,
    #[serde(flatten)]
    end: DealEndTold<'a>,
}

/// A hand laid open, with its name.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ShownTold {
    seat: Seat,
    /// Two down, four up, one down.
    cards: [Card; 7],
    /// What it is called in the high order; null in razz.
    high: Option<String>,
    /// What it is called as a low; null where none counts.
    low: Option<String>,
}

impl DealEnd {
    pub(crate) fn told(&self) -> DealEndTold<'_> {
        DealEndTold {
            variant: self.variant,
            shown: self.shown.iter().map(|shown| shown.told(self.variant)).collect(),
            pots: &self.pots,
            change: &self.change,
            stacks: &self.stacks,
        }
    }
}

impl Shown {
    fn told(&self, variant: Variant) -> ShownTold {
        let (high, low) = in_words(variant, &self.cards);
        ShownTold { seat: self.seat, cards: self.cards, high, low }
    }
}

/// What a hand is called in the orders that count.
pub fn in_words(variant: Variant, cards: &[Card]) -> (Option<String>, Option<String>) {
    match variant {
        Variant::StudHi => (Some(high_in_words(cards)), None),
        Variant::Razz => (None, Some(low_in_words(cards))),
        Variant::Stud8 => (Some(high_in_words(cards)), eight_or_better_in_words(cards)),
    }
}

impl Serialize for DealEnd {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        WithSeat { seat: self.seat, street: self.street, end: self.told() }.serialize(serializer)
    }
}

impl JsonSchema for DealEnd {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "DealEnd".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        WithSeat::json_schema(generator)
    }
}

/// The down cards of every seat, as far as they are dealt.
pub(crate) type Downs = [[Option<Card>; 3]; SEATS];

/// One seat is left: it takes the pot and shows nothing.
pub(crate) fn uncontested(board: &Board) -> DealEnd {
    let winner = board.active;
    let (high, low) = match board.variant {
        Variant::Razz => (Seats::NONE, winner),
        Variant::StudHi | Variant::Stud8 => (winner, Seats::NONE),
    };
    let pot = Pot { amount: board.pot, seats: winner, high, low };
    let pots = ArrayVec::from_iter([pot]);
    closing(board, winner.first(), ArrayVec::new(), pots)
}

/// Hands are compared pot by pot.
pub(crate) fn showdown(board: &Board, downs: &Downs, muck: bool) -> DealEnd {
    let mut worth = [Worth::default(); SEATS];
    let mut hands = [None; SEATS];
    for seat in board.active.iter() {
        // Everyone who is still in on seventh street holds seven cards.
        let Some(cards) = seven(board, downs, seat) else { continue };
        worth[at(seat)] = Worth::of(board.variant, &cards);
        hands[at(seat)] = Some(Shown { seat, cards });
    }
    let mut committed = [0; SEATS];
    for (chips, player) in committed.iter_mut().zip(&board.players) {
        *chips = player.committed_total;
    }
    let pots = pots(&committed, board.active, &worth);
    let first = board.aggressor.or(board.opener).unwrap_or(Seat(0));
    let mut shown = ArrayVec::new();
    let mut open = Seats::NONE;
    for seat in board.active.round_from(first) {
        let closed = muck && !board.face_up && !challenges(seat, open, &pots, &worth);
        if let (false, Some(hand)) = (closed, hands[at(seat)]) {
            shown.push(hand);
            open.insert(seat);
        }
    }
    closing(board, None, shown, pots)
}

/// Whether a hand could win part of a pot against those already open.
fn challenges(seat: Seat, open: Seats, pots: &[Pot], worth: &[Worth; SEATS]) -> bool {
    let mut with_mine = open;
    with_mine.insert(seat);
    let contested = |pot: &&Pot| pot.seats.contains(seat) && pot.seats.len() > 1;
    pots.iter().filter(contested).any(|pot| {
        let rivals = with_mine.and(pot.seats);
        best(rivals, |seat| worth[at(seat)].high).contains(seat)
            || best(rivals, |seat| worth[at(seat)].low).contains(seat)
    })
}

fn seven(board: &Board, downs: &Downs, seat: Seat) -> Option<[Card; 7]> {
    let ([a, b, g], [c, d, e, f]) = (downs[at(seat)], board.player(seat).up);
    Some([a?, b?, c?, d?, e?, f?, g?])
}

fn closing(board: &Board, seat: Option<Seat>, shown: BySeat<Shown>, pots: BySeat<Pot>) -> DealEnd {
    let paid = pay(&pots);
    let players = board.players.iter().zip(paid).take(usize::from(board.seats));
    let change =
        players.clone().map(|(player, paid)| i64::from(paid) - i64::from(player.committed_total));
    let stacks = players.clone().map(|(player, paid)| player.stack.saturating_add(paid));
    DealEnd {
        seat,
        street: board.street,
        variant: board.variant,
        shown,
        pots,
        change: change.collect(),
        stacks: stacks.collect(),
    }
}
