//! Plays at random.

use parlor_kernel::{Blind, ByLot, Player, Stream};

use crate::cards::{Card, CardSet};
use crate::event::Action;
use crate::game::Binokel;
use crate::knowledge::Knowledge;

/// Plays any legal move, each equally likely: of cards to lay away every
/// choice there is, not only the plain ones of `options`. It bids the least.
pub struct Random;

impl Player<Binokel> for Random {
    fn choose(&mut self, _: &Knowledge, options: &[Action], dice: &mut Stream) -> usize {
        dice.below(options.len() as u32) as usize
    }

    fn act(&mut self, _: &Knowledge, options: &[Action], dice: &mut Stream, out: &mut Vec<Action>) {
        out.extend(options);
        let chosen = any_move(out, dice);
        out.swap(0, chosen);
        out.truncate(1);
    }

    fn blind(&self) -> Option<Box<dyn Blind<Binokel>>> {
        ByLot::boxed(any_move)
    }
}

fn any_move(options: &mut Vec<Action>, dice: &mut Stream) -> usize {
    let Some(Action::Discard { cards }) = options.first() else {
        return dice.below(options.len() as u32) as usize;
    };
    // Every card is in some run of neighbours that can be laid away.
    let runs = options.iter().filter_map(|option| match option {
        Action::Discard { cards } => Some(*cards),
        _ => None,
    });
    let hand = runs.fold(CardSet::EMPTY, CardSet::or);
    let laid_away = lay_away(hand, cards.len(), options, dice);
    options.push(laid_away);
    options.len() - 1
}

/// Goes out as often as any one choice of cards is laid away.
fn lay_away(hand: CardSet, count: u32, options: &[Action], dice: &mut Stream) -> Action {
    let outs = options.iter().filter(|option| matches!(option, Action::GoOut { .. }));
    let going_out = outs.clone().count() as u32;
    let drawn = dice.below(choices(hand.len(), count) + going_out);
    if let Some(out) = outs.copied().nth(drawn as usize) {
        return out;
    }
    let mut cards = [Card::FIRST; 48];
    for (place, card) in cards.iter_mut().zip(hand.iter()) {
        *place = card;
    }
    let size = hand.len().min(48);
    for place in 0..count.min(size) {
        let from = place + dice.below(size - place);
        cards.swap(place as usize, from as usize);
    }
    Action::Discard { cards: cards.into_iter().take(count as usize).collect() }
}

/// In how many ways so many cards can be chosen.
fn choices(of: u32, count: u32) -> u32 {
    (0..count).fold(1, |ways, chosen| ways * of.saturating_sub(chosen) / (chosen + 1))
}
