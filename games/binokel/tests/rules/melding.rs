//! Melding: what hands are worth, and in what order they are laid out.

use parlor_binokel::{Action, MeldKind, Phase, Rules, Suit, melded, melds};
use parlor_kernel::Seat;

use crate::common::{P1, P2, P3, Table, set};

fn points(hand: &str, trump: Suit, rules: &Rules) -> u16 {
    melded(set(hand), trump, rules).points
}

fn at_melding() -> Table {
    let mut table = Table::dealt(
        Rules::contract(),
        &["herz-koenig-0 herz-ober-0", "kreuz-koenig-0 kreuz-ober-0", ""],
    );
    table.bid_alone(150);
    table.declare(Suit::Herz, "herz-koenig-0 herz-ober-0");
    table
}

#[test]
fn every_seat_melds_once_in_any_order() {
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let mut table = at_melding();
        let [one, two, three] = order.map(Seat);
        assert_eq!(table.act(one, Action::DeclareMelds), ["MELDS_DECLARED"]);
        let again = table.refused(one, Action::DeclareMelds);
        assert_eq!(again, ("INVALID_MOVE", "ALREADY_DECLARED_MELDS"));
        assert_eq!(table.act(two, Action::DeclareMelds), ["MELDS_DECLARED"]);
        let last = table.act(three, Action::DeclareMelds);
        assert_eq!(last, ["MELDS_DECLARED", "MELDING_COMPLETE"]);
        assert_eq!(table.board().phase, Phase::Tricks { seat: P1 });
    }
}

#[test]
fn whatever_the_order_the_melds_are_the_same() {
    let melds_of = |order: [Seat; 3]| {
        let mut table = at_melding();
        for seat in order {
            table.act(seat, Action::DeclareMelds);
        }
        table.board().melds
    };
    assert_eq!(melds_of([P1, P2, P3]), melds_of([P3, P1, P2]));
    let [one, two, _, _] = melds_of([P1, P2, P3]);
    assert!(one.is_some_and(|melds| melds.points >= 40), "a pair of trumps");
    assert!(two.is_some_and(|melds| melds.points >= 20), "a pair");
}

#[test]
fn eight_of_a_kind_is_two_fours_or_a_meld_of_its_own() {
    let kings = "kreuz-koenig-0 kreuz-koenig-1 schippe-koenig-0 schippe-koenig-1 herz-koenig-0 \
                 herz-koenig-1 bollen-koenig-0 bollen-koenig-1";
    let contract = Rules::contract();
    let eights = Rules { acht_gleiche: true, ..Rules::contract() };
    for (rank, fours, eight) in
        [("ass", 200, 1000), ("koenig", 160, 600), ("ober", 120, 400), ("buabe", 80, 200)]
    {
        let hand = kings.replace("koenig", rank);
        assert_eq!(points(&hand, Suit::Herz, &contract), fours);
        assert_eq!(points(&hand, Suit::Herz, &eights), eight);
    }
    assert_eq!(points(&kings.replace("koenig", "10"), Suit::Herz, &eights), 0);
}

#[test]
fn two_families_of_a_suit_count_twice() {
    let suit = |copy: u8| {
        ["ass", "10", "koenig", "ober", "buabe"]
            .map(|rank| format!("bollen-{rank}-{copy}"))
            .join(" ")
    };
    let hand = format!("{} {}", suit(0), suit(1));
    assert_eq!(points(&hand, Suit::Bollen, &Rules::contract()), 300);
    assert_eq!(points(&hand, Suit::Kreuz, &Rules::contract()), 200);
}

#[test]
fn two_pairs_of_a_suit_count_twice() {
    let hand = "herz-koenig-0 herz-koenig-1 herz-ober-0 herz-ober-1";
    assert_eq!(points(hand, Suit::Kreuz, &Rules::contract()), 40);
    assert_eq!(points(hand, Suit::Herz, &Rules::contract()), 80);
}

#[test]
fn the_double_binokel_replaces_the_single() {
    let hand = "schippe-ober-0 schippe-ober-1 bollen-buabe-0 bollen-buabe-1";
    let found = melds(set(hand), Suit::Herz, &Rules::contract());
    let kinds: Vec<MeldKind> = found.iter().map(|meld| meld.kind).collect();
    assert_eq!(kinds, [MeldKind::DoppelBinokel]);
    assert_eq!(found[0].points, 300);
}

#[test]
fn sevens_make_no_meld() {
    let hand = "kreuz-7-0 schippe-7-0 herz-7-0 bollen-7-0 kreuz-7-1";
    assert_eq!(points(hand, Suit::Kreuz, &Rules { sevens: true, ..Rules::contract() }), 0);
}

#[test]
fn both_families_of_a_suit_are_two_melds_or_a_meld_of_its_own() {
    let all = "herz-buabe-0 herz-buabe-1 herz-ober-0 herz-ober-1 herz-koenig-0 herz-koenig-1 \
               herz-10-0 herz-10-1 herz-ass-0 herz-ass-1";
    let doubled = Rules { doppel_familie: true, ..Rules::contract() };
    assert_eq!(points(all, Suit::Herz, &Rules::contract()), 300);
    assert_eq!(points(all, Suit::Kreuz, &Rules::contract()), 200);
    for trump in [Suit::Herz, Suit::Kreuz] {
        let found = melds(set(all), trump, &doubled);
        let kinds: Vec<_> = found.iter().map(|meld| (meld.kind, meld.points)).collect();
        assert_eq!(kinds, [(MeldKind::DoppelFamilie, 1500)]);
        assert_eq!(found[0].cards, set(all));
    }
    let nine = all.replace(" herz-ass-1", "");
    assert_eq!(points(&nine, Suit::Herz, &doubled), 150 + 40, "a family and a pair beside it");
}

#[test]
fn a_trump_seven_is_a_meld_where_the_house_says_so() {
    let sevens = "herz-7-0 herz-7-1 kreuz-7-0";
    let plain = Rules { sevens: true, ..Rules::contract() };
    let melding = Rules { trump_sieben: true, ..plain.clone() };
    assert_eq!(points(sevens, Suit::Herz, &plain), 0);
    let found = melds(set(sevens), Suit::Herz, &melding);
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|meld| (meld.kind, meld.points) == (MeldKind::TrumpSieben, 10)));
    assert_eq!(points(sevens, Suit::Kreuz, &melding), 10);
    assert_eq!(points(sevens, Suit::Bollen, &melding), 0);
}
