//! What Binokel tells the kernel's laws about itself.

use std::sync::Arc;

use parlor_kernel::laws::Lawful;
use parlor_kernel::{Log, Seat};

use crate::board::Phase;
use crate::cards::{Card, CardSet, Suit};
use crate::event::{Absurdity, Action, CardsDealt, Event, GameStarted};
use crate::game::Binokel;
use crate::knowledge::Knowledge;
use crate::seats::{Each, at};
use crate::sight;
use crate::special::Special;
use crate::state::State;

impl Lawful for Binokel {
    fn every_action() -> Vec<Action> {
        let mut every = vec![Action::Pass, Action::TakeDabb, Action::DeclareMelds, Action::Exit];
        every.extend((0..=300).map(|amount| Action::Bid { amount }));
        every.extend([1000, 9990, 10_000, 10_010, u16::MAX].map(|amount| Action::Bid { amount }));
        every.extend(Suit::ALL.map(|suit| Action::GoOut { suit }));
        every.extend(Suit::ALL.map(|suit| Action::DeclareTrump { suit }));
        every.extend(Special::ALL.map(|special| Action::Announce { special }));
        every.extend(CardSet::WITH_SEVENS.iter().map(|card| Action::PlayCard { card }));
        every.extend(some_discards().map(|cards| Action::Discard { cards }));
        every.extend(
            [
                Absurdity::Bid,
                Absurdity::Discard { named: 4 },
                Absurdity::Discard { named: 6 },
                Absurdity::DiscardTwice { named: 4 },
                Absurdity::DiscardTwice { named: 6 },
                Absurdity::GoOut,
                Absurdity::DeclareTrump,
                Absurdity::Announce,
                Absurdity::PlayCard,
            ]
            .map(|what| Action::Absurd { what }),
        );
        every
    }

    fn plain(knowledge: &Knowledge, action: &Action) -> Action {
        sight::plain(knowledge, action)
    }

    /// Only the round under way has secrets left that anyone could still ask
    /// about: its deal, its dabb, what was laid away in it.
    fn transplant(log: &Log<Self>, imagined: &State) -> Log<Self> {
        let mut there = log.clone();
        if let (Some(Event::GameStarted(start)), Some(seal)) =
            (there.events.first_mut(), &imagined.seal)
        {
            let mut opening = start.opening.clone();
            opening.seal = seal.as_ref().clone();
            *start = Arc::new(GameStarted { opening, dealer: start.dealer });
        }
        let dealt = there.events.iter().rposition(|event| matches!(event, Event::CardsDealt(_)));
        if let Some(place) = dealt {
            deal_as_imagined(&mut there.events[place..], imagined);
        }
        there
    }

    fn invariant(state: &State) -> Result<(), String> {
        let board = &state.board;
        let Some(table) = &state.table else { return Ok(()) };
        // Between the first event and its deal nobody has cards yet.
        if state.hands == [CardSet::EMPTY; 4] && state.laid_away.is_empty() && state.dabb.is_empty()
        {
            return Ok(());
        }
        let fresh = matches!(board.phase, Phase::Bidding { .. }) && board.auction.highest.is_none();
        if !fresh {
            every_card_once(state, table.rules.deck())?;
        }
        if matches!(board.phase, Phase::Tricks { .. }) {
            let spread = |numbers: Vec<u32>| {
                numbers.iter().max().copied().unwrap_or(0)
                    - numbers.iter().min().copied().unwrap_or(0)
            };
            let hands = state.hands[..usize::from(board.players)].iter();
            if spread(hands.map(|hand| hand.len()).collect()) > 1 {
                return Err(format!("hands are uneven: {:?}", state.hands));
            }
        }
        let scored = board.scored.filter(|_| board.highest_bid().is_some());
        if let (Phase::RoundOver, Some(scored)) = (board.phase, scored) {
            let away = state.laid_away.points();
            let taken: u16 = board.taken.iter().sum();
            let held = state.hands.iter().fold(CardSet::EMPTY, |all, hand| all.or(*hand));
            // Only an announced game ends with cards in hand: no last trick then.
            let (in_hand, all) = match board.special {
                Some(_) if !held.is_empty() => (held.points(), 240),
                _ => (0, 250),
            };
            if !board.going_out && taken + away + in_hand != all {
                return Err(format!("{taken} in tricks and {away} laid away are not {all}"));
            }
            if scored.total_scores != board.totals {
                return Err("totals differ from the score".to_owned());
            }
        }
        Ok(())
    }
}

/// Runs, and every third or fifth card, of different lengths: some of them
/// are in somebody's hand, most are not.
fn some_discards() -> impl Iterator<Item = CardSet> {
    let deck: Vec<Card> = CardSet::WITHOUT_SEVENS.iter().collect();
    [0usize, 1, 3, 4, 5, 6, 40].into_iter().flat_map(move |count| {
        let deck = deck.clone();
        (0..40).flat_map(move |from| {
            let deck = deck.clone();
            [1, 3, 7]
                .into_iter()
                .map(move |stride| (0..count).map(|nth| deck[(from + nth * stride) % 40]).collect())
        })
    })
}

fn every_card_once(state: &State, deck: CardSet) -> Result<(), String> {
    let board = &state.board;
    let zones = state.hands.iter().chain(&board.played).chain([&state.dabb, &state.laid_away]);
    let count: u32 = zones.clone().map(|zone| zone.len()).sum();
    let all = zones.fold(CardSet::EMPTY, |all, zone| all.or(*zone));
    if count != deck.len() || all != deck {
        return Err(format!("{count} cards lie around, {} should, each once", deck.len()));
    }
    Ok(())
}

/// Rewrites a round from its deal on so that it leads to the imagined state.
fn deal_as_imagined(round: &mut [Event], imagined: &State) {
    let mut hands = [0, 1, 2, 3].map(|at| imagined.hands[at].or(imagined.board.played[at]));
    let taker = round.iter().find_map(|event| match event {
        Event::DabbTaken(taken) => Some((taken.seat, taken.dabb_cards)),
        _ => None,
    });
    let dabb = match taker {
        Some((seat, taken)) => unpick(&mut hands, seat, taken, imagined.laid_away),
        None => imagined.dabb,
    };
    for event in round {
        match event {
            Event::CardsDealt(dealt) => {
                let players = dealt.hands.as_slice().len() as u8;
                *dealt = CardsDealt { hands: Each::of(players, hands), dabb };
            }
            Event::BiddingWon(won) => won.dabb = dabb,
            Event::DabbTaken(taken) => taken.dabb_cards = dabb,
            Event::CardsDiscarded(discarded) => discarded.discarded_cards = imagined.laid_away,
            _ => {}
        }
    }
}

/// Takes a dabb out of the declarer's cards: of the true one what is there,
/// the rest at will, for nobody who did not see it can tell.
fn unpick(hands: &mut [CardSet; 4], seat: Seat, taken: CardSet, laid_away: CardSet) -> CardSet {
    let cards = hands[at(seat)].or(laid_away);
    let kept = taken.and(cards);
    let dabb = kept.or(cards.without(kept).take(taken.len() - kept.len()));
    hands[at(seat)] = cards.without(dabb);
    dabb
}
