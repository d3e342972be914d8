//! Tricks: leading, following, beating, trumping, and what partners are spared.

use parlor_binokel::{Action, CardSet, FirstLead, Phase, Rules, Suit};
use parlor_kernel::{Game, Hosted, Seat, View, Viewer};

use crate::common::{P1, P2, P3, P4, Table, card, play, set};

/// Four players at their first trick, kreuz led by the first: the second has
/// beaten it, the third is the first's partner.
fn third_to_play(rules: Rules, hands: [&str; 4], led: &str, second: &str) -> Table {
    let mut table = Table::dealt(rules, &hands);
    table.bid_alone(150);
    table.declare(Suit::Bollen, hands[0]);
    table.meld_all();
    table.act(P1, play(led));
    table.act(P2, play(second));
    table
}

fn legal(table: &Table, seat: Seat) -> CardSet {
    let rules = table.state.rules().expect("the game has begun");
    table.board().legal(seat, table.hand(seat), rules)
}

const PARTNER_HOLDS: [&str; 4] = [
    "kreuz-koenig-0 kreuz-koenig-1 schippe-ass-0 schippe-ass-1",
    "kreuz-buabe-0 schippe-10-0",
    "kreuz-ass-0 kreuz-ober-0 kreuz-ober-1",
    "herz-ass-0",
];

#[test]
fn while_the_partner_holds_the_trick_following_is_enough() {
    let exempt = third_to_play(Rules::contract(), PARTNER_HOLDS, "kreuz-koenig-0", "kreuz-buabe-0");
    assert!(legal(&exempt, P3).holds(set("kreuz-ass-0 kreuz-ober-0")));
    let strict = Rules { partner_exemption: false, ..Rules::contract() };
    let strict = third_to_play(strict, PARTNER_HOLDS, "kreuz-koenig-0", "kreuz-buabe-0");
    let must = legal(&strict, P3);
    assert!(must.contains(card("kreuz-ass-0")) && !must.contains(card("kreuz-ober-0")));
}

#[test]
fn a_void_partner_need_not_trump_either() {
    let hands = [
        "kreuz-ass-0 kreuz-ass-1 kreuz-10-0 kreuz-10-1",
        "kreuz-koenig-0 kreuz-koenig-1 kreuz-ober-0 kreuz-ober-1 kreuz-buabe-0 kreuz-buabe-1",
        "bollen-ass-0 herz-ass-0 herz-ass-1 herz-10-0 herz-10-1 schippe-ass-0 schippe-ass-1 \
         schippe-10-0 schippe-10-1",
        "",
    ];
    let table = third_to_play(Rules::contract(), hands, "kreuz-ass-0", "kreuz-koenig-0");
    assert_eq!(legal(&table, P3), table.hand(P3), "anything");
    let strict = Rules { partner_exemption: false, ..Rules::contract() };
    let table = third_to_play(strict, hands, "kreuz-ass-0", "kreuz-koenig-0");
    assert_eq!(legal(&table, P3), set("bollen-ass-0"));
}

#[test]
fn opponents_are_spared_nothing() {
    let table = third_to_play(Rules::contract(), PARTNER_HOLDS, "kreuz-koenig-0", "kreuz-buabe-0");
    let mut after = table;
    after.act(P3, play("kreuz-ober-0"));
    let hand = after.hand(P4).and(CardSet::of_suit(Suit::Kreuz));
    let beating = hand.and(set("kreuz-10-0 kreuz-10-1 kreuz-ass-0 kreuz-ass-1"));
    let must = legal(&after, P4);
    assert_eq!(must, beating.or_if_empty(hand).or_if_empty(must));
}

#[test]
fn the_seat_after_the_dealer_leads_or_by_option_the_declarer() {
    for (first_lead, leader) in [(FirstLead::Opener, P1), (FirstLead::Declarer, P2)] {
        let rules = Rules { first_lead, ..Rules::contract() };
        let mut table = Table::dealt(rules, &["", "", ""]);
        table.act(P1, crate::common::bid(150));
        table.act(P2, crate::common::bid(160));
        table.act(P1, Action::Pass);
        table.act(P3, Action::Pass);
        table.declare(Suit::Herz, "");
        table.meld_all();
        assert_eq!(table.board().phase, Phase::Tricks { seat: leader });
    }
}

#[test]
fn who_wins_the_trick_leads_the_next_and_the_last_trick_stays_in_sight() {
    let mut table = Table::dealt(Rules::contract(), &["herz-ass-0", "", ""]);
    table.bid_alone(150);
    table.declare(Suit::Kreuz, "herz-ass-0");
    table.meld_all();
    let mut names = Vec::new();
    while table.board().last_trick.is_none() {
        let Phase::Tricks { seat } = table.board().phase else { panic!("a trick is under way") };
        let action = parlor_binokel::Binokel::timeout(&table.state, seat).expect("it is awaited");
        names = table.act(seat, action);
    }
    assert_eq!(names, ["CARD_PLAYED", "TRICK_WON"]);
    let (trick, winner) = table.board().last_trick.expect("a trick was won");
    assert_eq!(trick.cards().len(), 3);
    assert_eq!(table.board().phase, Phase::Tricks { seat: winner });
}

#[test]
fn a_card_that_does_not_follow_tells_what_its_player_lacks() {
    let hands = [
        "kreuz-ass-0 kreuz-ass-1 kreuz-10-0 kreuz-10-1",
        "herz-ass-0 herz-ass-1 herz-10-0 herz-10-1 herz-koenig-0 herz-koenig-1 herz-ober-0 \
         herz-ober-1 herz-buabe-0",
        "",
        "",
    ];
    let mut table = Table::dealt(Rules::contract(), &hands);
    table.bid_alone(150);
    table.declare(Suit::Bollen, hands[0]);
    table.meld_all();
    table.act(P1, play("kreuz-ass-0"));
    table.act(P2, play("herz-buabe-0"));
    let mut view = View::<parlor_binokel::Binokel>::new(Viewer::Seat(P3));
    let mut state = parlor_binokel::State::default();
    for event in &table.log.events {
        parlor_binokel::Binokel::apply(&mut state, event);
        view.witness(&state, event);
    }
    let lacks = view.knowledge().lacks[P2.index()];
    assert!(lacks.holds(CardSet::of_suit(Suit::Kreuz).or(CardSet::of_suit(Suit::Bollen))));
}
