//! What holds of all hands, tricks and rounds.

use parlor_binokel::{
    Binokel, Card, CardSet, Event, MeldKind, Rank, Rules, State, Suit, Trick, melded, melds,
};
use parlor_kernel::laws::random_game;
use parlor_kernel::{Dice, Game, Imagine, Seat, Seed, View, Viewer};
use proptest::prelude::*;

use crate::common::house_rules;

fn any_card() -> impl Strategy<Value = Card> {
    let deck: Vec<Card> = CardSet::WITH_SEVENS.iter().collect();
    proptest::sample::select(deck)
}

fn any_cards(most: usize) -> impl Strategy<Value = CardSet> {
    proptest::collection::vec(any_card(), 0..most).prop_map(|cards| cards.into_iter().collect())
}

fn any_suit() -> impl Strategy<Value = Suit> {
    proptest::sample::select(Suit::ALL.to_vec())
}

/// The trumps: a suit, or none as in a Durch.
fn any_trumps() -> impl Strategy<Value = CardSet> {
    let mut trumps = Suit::ALL.map(CardSet::of_suit).to_vec();
    trumps.push(CardSet::EMPTY);
    proptest::sample::select(trumps)
}

/// What kind of melds may not share cards with each other.
fn family(kind: MeldKind, suit: Option<Suit>) -> (u8, Option<Suit>) {
    match kind {
        MeldKind::Paar | MeldKind::Familie | MeldKind::DoppelFamilie => (0, suit),
        MeldKind::Binokel | MeldKind::DoppelBinokel => (1, None),
        MeldKind::VierAss | MeldKind::AchtAss => (2, None),
        MeldKind::VierKoenig | MeldKind::AchtKoenig => (3, None),
        MeldKind::VierOber | MeldKind::AchtOber => (4, None),
        MeldKind::VierUnter | MeldKind::AchtUnter => (5, None),
        MeldKind::TrumpSieben => (6, suit),
    }
}

proptest! {
    #[test]
    fn melds_of_a_kind_never_share_a_card(
        hand in any_cards(40), trump in any_suit(), acht_gleiche in any::<bool>(),
    ) {
        let rules = Rules { acht_gleiche, ..Rules::contract() };
        let found = melds(hand, trump, &rules);
        for (nth, one) in found.iter().enumerate() {
            prop_assert!(hand.holds(one.cards));
            for other in &found[nth + 1..] {
                if family(one.kind, one.suit) == family(other.kind, other.suit) {
                    prop_assert!(one.cards.and(other.cards).is_empty(), "{one:?} {other:?}");
                }
            }
        }
    }

    #[test]
    fn the_cards_laid_out_tell_the_melds(
        hand in any_cards(40), trump in any_suit(), acht_gleiche in any::<bool>(),
    ) {
        let rules = Rules { acht_gleiche, ..Rules::contract() };
        let all = melded(hand, trump, &rules);
        let found = melds(hand, trump, &rules);
        prop_assert_eq!(melds(all.cards, trump, &rules), found.clone());
        prop_assert_eq!(all.points, found.iter().map(|meld| meld.points).sum::<u16>());
    }

    #[test]
    fn more_cards_never_meld_less(hand in any_cards(30), more in any_card(), trump in any_suit()) {
        let rules = Rules::contract();
        let mut larger = hand;
        larger.insert(more);
        prop_assert!(melded(larger, trump, &rules).points >= melded(hand, trump, &rules).points);
    }

    #[test]
    fn some_card_can_always_be_played(
        hand in any_cards(18), lie in any_cards(4), trumps in any_trumps(), exempt in any::<bool>(),
    ) {
        let cards: Vec<Card> = lie.iter().collect();
        let hand = hand.without(lie);
        let legal = Trick::of(&cards, trumps).legal(hand, trumps, exempt);
        prop_assert!(hand.holds(legal));
        prop_assert_eq!(legal.is_empty(), hand.is_empty());
    }

    #[test]
    fn plays_and_winners_are_what_the_rules_say_in_words(
        hand in any_cards(12), lie in proptest::collection::vec(any_card(), 1..4), trumps in any_trumps(),
    ) {
        let lie: Vec<Card> = lie.into_iter().collect::<CardSet>().iter().collect();
        let hand = hand.without(lie.iter().copied().collect());
        let trick = Trick::of(&lie, trumps);
        prop_assert_eq!(trick.legal(hand, trumps, false), legal_in_words(hand, &lie, trumps));
        prop_assert_eq!(trick.best(), winner_in_words(&lie, trumps));
    }

    #[test]
    fn a_card_rules_out_just_what_would_have_been_played(
        hand in any_cards(12), lie in any_cards(4), trumps in any_trumps(), exempt in any::<bool>(),
    ) {
        let cards: Vec<Card> = lie.iter().collect();
        let hand = hand.without(lie);
        let trick = Trick::of(&cards, trumps);
        for card in trick.legal(hand, trumps, exempt).iter() {
            let ruled_out = trick.ruled_out_by(card, trumps, exempt);
            prop_assert!(hand.and(ruled_out).is_empty(), "{card} {hand:?} {ruled_out:?}");
        }
    }
}

/// The rule once more, card by card, as slow and as plain as it is written.
fn legal_in_words(hand: CardSet, lie: &[Card], trumps: CardSet) -> CardSet {
    let best =
        |suit: Suit| lie.iter().filter(|card| card.suit() == suit).map(|card| card.rank()).max();
    let among =
        |fits: &dyn Fn(Card) -> bool| -> CardSet { hand.iter().filter(|c| fits(*c)).collect() };
    let led = lie[0].suit();
    let beats = |card: Card, suit: Suit| card.suit() == suit && Some(card.rank()) > best(suit);
    let choices = [
        among(&|card| beats(card, led)),
        among(&|card| card.suit() == led),
        among(&|card| trumps.contains(card) && beats(card, card.suit())),
        among(&|card| trumps.contains(card)),
    ];
    choices.into_iter().find(|cards| !cards.is_empty()).unwrap_or(hand)
}

fn winner_in_words(lie: &[Card], trumps: CardSet) -> usize {
    let worth = |card: &Card| -> (bool, bool, Rank) {
        (trumps.contains(*card), card.suit() == lie[0].suit(), card.rank())
    };
    let mut winner = 0;
    for nth in 1..lie.len() {
        let (new, old) = (&lie[nth], &lie[winner]);
        let counts = trumps.contains(*new) || new.suit() == lie[0].suit();
        if counts && worth(new) > worth(old) {
            winner = nth;
        }
    }
    winner
}

/// A round's cards and points, told from its events alone.
#[test]
fn every_round_has_all_its_cards_and_250_points() {
    for (name, rules) in house_rules() {
        for (players, number) in (0..40).flat_map(|n| [(2, n), (3, n), (4, n)]) {
            let seed = format!("properties {name} {number}");
            let (log, _) = random_game::<Binokel>(&rules, players, &seed);
            let (mut played, mut points, mut dealt) = (CardSet::EMPTY, 0, 0);
            let mut announced = false;
            for event in &log.events {
                match event {
                    Event::CardsDealt(deal) => {
                        let hands = deal.hands.as_slice().iter().chain([&deal.dabb]);
                        let all = hands.clone().fold(CardSet::EMPTY, |all, hand| all.or(*hand));
                        assert_eq!(all, rules.deck());
                        assert_eq!(hands.map(|hand| hand.len()).sum::<u32>(), all.len());
                        (played, points) = (CardSet::EMPTY, 0);
                        announced = false;
                        dealt += 1;
                    }
                    Event::CardsDiscarded(discarded) => {
                        played = discarded.discarded_cards;
                        points = played.points();
                    }
                    Event::CardPlayed(play) => {
                        assert!(!played.contains(play.card), "{} twice", play.card);
                        played.insert(play.card);
                    }
                    Event::TrickWon(won) => points += won.points,
                    Event::SpecialAnnounced(_) => announced = true,
                    // Lost at once: what is not played is still in hand, and
                    // there was no last trick.
                    Event::RoundScored(_) if announced && played != rules.deck() => {
                        assert_eq!(points, played.points(), "{seed} round {dealt}");
                    }
                    Event::RoundScored(_) if !played.is_empty() => {
                        assert_eq!((played, points), (rules.deck(), 250), "{seed} round {dealt}");
                    }
                    _ => {}
                }
            }
        }
    }
}

/// Worlds agree with everything a seat knows, also with what it can conclude.
#[test]
fn imagined_worlds_contradict_nothing_known() {
    let mut worlds = Dice::new(&Seed::named("worlds"), "worlds").stream("worlds");
    for (name, rules) in house_rules() {
        for players in 2..=4 {
            let (log, _) = random_game::<Binokel>(&rules, players, &format!("worlds {name}"));
            let mut state = State::default();
            let mut view = View::<Binokel>::new(Viewer::Seat(Seat(1)));
            for (_, events) in log.by_step().take(400) {
                for event in events {
                    Binokel::apply(&mut state, event);
                    view.witness(&state, event);
                }
                let known = view.knowledge();
                let world = Binokel::imagine(known, &mut worlds);
                for seat in 0..players {
                    let hand = world.hands[seat];
                    assert!(hand.holds(known.hands[seat].known));
                    assert_eq!(hand.len(), known.hands[seat].len());
                    assert!(hand.and(known.lacks[seat]).is_empty(), "{name} {players}");
                    if let (Some(melds), Some(trump)) = (known.board.melds[seat], known.board.trump)
                    {
                        let cards = hand.or(known.board.played[seat]);
                        assert_eq!(melded(cards, trump, &rules), melds, "{name} {players}");
                    }
                }
                assert!(
                    world
                        .laid_away
                        .and(known.not_laid_away)
                        .without(known.laid_away.known)
                        .is_empty()
                );
            }
        }
    }
}
