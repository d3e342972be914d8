//! Deals are fair: special ones come as often as counting says.

mod common;

use common::P1;
use parlor_kernel::{Dice, Game, Seed};
use parlor_koikoi::{
    Card, CardSet, Event, KoiKoi, Phase, RoundDealt, Rules, SpecialDeal, special_deal,
};

const DEALS: u32 = 240_000;

/// How many ways eight cards can be drawn, given in how many ways a month can
/// give none, one, two, three or four of them.
fn ways(month: [f64; 5]) -> f64 {
    let mut ways = [0.0; 9];
    ways[0] = 1.0;
    for _ in 0..12 {
        let before = ways;
        for (total, way) in ways.iter_mut().enumerate() {
            *way = (0..5.min(total + 1)).map(|n| before[total - n] * month[n]).sum();
        }
    }
    ways[8]
}

const ANY: [f64; 5] = [1.0, 4.0, 6.0, 4.0, 1.0];

fn assert_share(name: &str, found: u32, of: u32, expected: f64) {
    let (found, of) = (f64::from(found), f64::from(of));
    let z = (found - of * expected) / (of * expected * (1.0 - expected)).sqrt();
    assert!(z.abs() < 4.0, "{name}: {} of all, {expected} expected, z = {z}", found / of);
}

/// Deals as the house makes them, of rounds far into four long matches.
fn deals() -> impl Iterator<Item = RoundDealt> {
    let mut table = common::hanami_in_one_turn(Rules::protocol()).state;
    table.board.phase = Phase::RoundOver;
    ["a", "b", "c", "d"].into_iter().flat_map(move |seed| {
        let dice = Dice::new(&Seed::named(seed), "frequencies");
        let mut table = table.clone();
        (0..DEALS / 4).map(move |round| {
            table.board.round = round as u16;
            let mut out = Vec::new();
            KoiKoi::proceed(&table, &dice, &mut out);
            match out.swap_remove(0) {
                Event::RoundDealt(dealt) => dealt,
                other => panic!("{other:?} is no deal"),
            }
        })
    })
}

#[test]
fn special_deals_come_as_often_as_they_should() {
    let all = ways(ANY);
    let quad = 1.0 - ways([1.0, 4.0, 6.0, 4.0, 0.0]) / all;
    let triple = 1.0 - ways([1.0, 4.0, 6.0, 0.0, 1.0]) / all;
    let pairs = ways([1.0, 0.0, 6.0, 0.0, 0.0]) / all;
    assert!((quad - 0.0043).abs() < 0.0001 && (triple - 0.136).abs() < 0.001);
    let rules = Rules { four_pairs: true, ..Rules::protocol() };
    let (mut teshi, mut four_pairs, mut field_quad, mut field_triple) = (0, 0, 0, 0);
    let mut first_cards = [0u32; 48];
    for dealt in deals() {
        let set = |cards: [Card; 8]| cards.into_iter().collect::<CardSet>();
        let (hands, field) = (dealt.hands.map(set), set(dealt.field));
        let special = |hands, field| special_deal(hands, field, &rules).map(|found| found.reason);
        for hand in hands {
            match special([hand, CardSet::EMPTY], CardSet::EMPTY) {
                Some(SpecialDeal::Teshi) => teshi += 1,
                Some(SpecialDeal::FourPairs) => four_pairs += 1,
                _ => {}
            }
        }
        let on_field = special([CardSet::EMPTY; 2], field);
        field_quad += u32::from(on_field == Some(SpecialDeal::FieldKuttsuki));
        field_triple += u32::from(field.iter().any(|card| field.in_month_of(card) == 3));
        first_cards[dealt.hands[P1.index()][0].place()] += 1;
    }
    assert_share("teshi", teshi, 2 * DEALS, quad);
    assert_share("four pairs", four_pairs, 2 * DEALS, pairs);
    assert_share("field quad", field_quad, DEALS, quad);
    assert_share("field triple", field_triple, DEALS, triple);
    for (place, times) in first_cards.into_iter().enumerate() {
        assert_share(Card::DECK[place].id(), times, DEALS, 1.0 / 48.0);
    }
}
