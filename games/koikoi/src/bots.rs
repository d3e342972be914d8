//! Who plays a seat: at random, or by what cards are worth.

use parlor_kernel::{BotKind, Player, RandomPlayout, Stream};

use crate::board::{Board, Hand, Knowledge, Phase, at, opponent};
use crate::cards::{Card, CardSet};
use crate::event::Action;
use crate::game::KoiKoi;
use crate::rules::Rules;
use crate::score::pay;
use crate::yaku::{Yaku, needed, wanted};

pub(crate) fn bots() -> Vec<BotKind<KoiKoi>> {
    vec![
        BotKind {
            name: "random",
            aliases: &["easy"],
            meaning: "plays any legal move, each equally likely",
            make: || Box::new(RandomPlayout),
        },
        BotKind {
            name: "greedy",
            aliases: &["medium", "hard"],
            meaning: "takes what brings it nearest to a yaku or keeps the opponent from one, and \
                      stops unless going on looks safe",
            make: || Box::new(Greedy),
        },
    ]
}

/// Weighs each move by the yaku it brings nearer, for itself and against the
/// opponent.
pub struct Greedy;

impl Player<KoiKoi> for Greedy {
    fn choose(&mut self, knowledge: &Knowledge, options: &[Action], dice: &mut Stream) -> usize {
        let (Some(seat), Some(table)) = (knowledge.viewer.seat(), knowledge.table.as_deref())
        else {
            return 0;
        };
        let Hand::Open(hand) = knowledge.hands[at(seat)] else { return 0 };
        let board = &knowledge.board;
        let eye = Eye {
            board,
            rules: table.rules(),
            hand,
            mine: board.captured[at(seat)].set(),
            theirs: board.captured[at(opponent(seat))].set(),
            me: at(seat),
        };
        if matches!(board.phase, Phase::Decision { .. }) {
            let going_on = eye.goes_on();
            return options.iter().position(|o| (*o == Action::KoiKoi) == going_on).unwrap_or(0);
        }
        let worths: Vec<f32> = options.iter().map(|option| eye.worth(option)).collect();
        let best = worths.iter().copied().fold(f32::MIN, f32::max);
        let ties: Vec<usize> = (0..options.len()).filter(|at| worths[*at] == best).collect();
        dice.pick(&ties).copied().unwrap_or(0)
    }
}

/// The table through the eyes of one seat.
struct Eye<'a> {
    board: &'a Board,
    rules: &'a Rules,
    hand: CardSet,
    mine: CardSet,
    theirs: CardSet,
    me: usize,
}

impl Eye<'_> {
    fn worth(&self, option: &Action) -> f32 {
        match *option {
            Action::Play { card, target } => {
                let taken = match target {
                    Some(target) => [target].into_iter().collect(),
                    None => self.board.field.set().and(CardSet::month_of(card)),
                };
                if taken.is_empty() { -self.giving(card) } else { self.taking(card, taken) }
            }
            Action::Select { source, target } => {
                self.taking(source, [target].into_iter().collect())
            }
            Action::KoiKoi | Action::Stop => 0.0,
        }
    }

    /// What the cards bring here, and what they would have brought there.
    fn taking(&self, card: Card, taken: CardSet) -> f32 {
        let mut pair = taken;
        pair.insert(card);
        let gain = self.gain(self.mine, self.theirs, pair);
        // A card of the hand is safe from the opponent until it is played.
        gain + 0.7 * self.gain(self.theirs, self.mine, taken) + 0.05 * taken.len() as f32
    }

    /// What is lost by laying a card on the field.
    fn giving(&self, card: Card) -> f32 {
        let gone = self.mine.or(self.theirs).or(self.hand).or(self.board.field.set());
        let unseen = CardSet::month_of(card).without(gone).len();
        let alone = [card].into_iter().collect();
        let kept = self.hand.and(CardSet::month_of(card)).len() > 1;
        let lost = self.gain(self.mine, self.theirs, alone) * if kept { 0.1 } else { 0.4 };
        let given = self.gain(self.theirs, self.mine, alone) * 0.35 * unseen as f32;
        0.1 + lost + given
    }

    fn gain(&self, mine: CardSet, theirs: CardSet, more: CardSet) -> f32 {
        self.promise(mine.or(more), theirs) - self.promise(mine, theirs)
    }

    /// How much captures promise: a yaku counts in full once made, and by the
    /// square of its progress while it still can be.
    fn promise(&self, mine: CardSet, theirs: CardSet) -> f32 {
        let mut promise = 0.0;
        for (yaku, points) in self.rules.yaku.iter() {
            let wanted = wanted(yaku, self.rules);
            let (have, needed) = (mine.and(wanted).len(), needed(yaku));
            let points = f32::from(points);
            // Made of three to five brights alike, these need the rain.
            let rainless = matches!(yaku, Yaku::Ameshikou) && have >= needed && !rain(mine);
            if have >= needed && !rainless {
                promise += points + (have - needed) as f32;
            } else if wanted.without(theirs).len() >= needed {
                let share = have as f32 / needed as f32;
                promise += 0.5 * points.max(1.5) * share * share;
            }
        }
        promise
    }

    /// Koi-koi while little is at stake and much can come.
    fn goes_on(&self) -> bool {
        let board = self.board;
        let calls = |seat: usize| u32::from(board.calls[seat]);
        let base = board.held[self.me].total();
        let now = pay(self.rules, base, calls(self.me), calls(1 - self.me)).points;
        let total = board.totals[self.me] + now;
        if self.rules.target.is_some_and(|target| total >= target) {
            return false;
        }
        let last_round = self.rules.rounds.is_some_and(|rounds| board.rounds_played + 1 >= rounds);
        if last_round {
            // Nothing but the match counts now.
            return total <= board.totals[1 - self.me];
        }
        base < 4 && self.hand.len() >= 5 && self.opponent_lacks() >= 3
    }

    /// How many cards the opponent is away from the nearest yaku.
    fn opponent_lacks(&self) -> u32 {
        self.rules
            .yaku
            .iter()
            .filter_map(|(yaku, _)| {
                let wanted = wanted(yaku, self.rules);
                let open = wanted.without(self.mine).len() >= needed(yaku);
                open.then(|| needed(yaku).saturating_sub(self.theirs.and(wanted).len()))
            })
            .min()
            .unwrap_or(u32::MAX)
    }
}

fn rain(cards: CardSet) -> bool {
    cards.holds(CardSet::of(&["1111"]))
}
