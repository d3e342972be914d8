//! Durch and Bettel: when they are announced, how they are played, what they
//! come to.

use parlor_binokel::{Action, Binokel, Phase, Rules, SideScore, Special, Suit};
use parlor_kernel::{Game, Hosted, Seat, Viewer};

use crate::common::{
    P1, P2, P3, Table, announce, announcing, bid, cards, go_out, play, set, trump,
};

/// All of kreuz and the asses of herz: nobody can beat any of it.
const ALL_GOOD: &str = "kreuz-ass-0 kreuz-ass-1 kreuz-10-0 kreuz-10-1 kreuz-koenig-0 \
     kreuz-koenig-1 kreuz-ober-0 kreuz-ober-1 kreuz-buabe-0 kreuz-buabe-1 herz-ass-0 herz-ass-1";
/// The lowest of three suits: nobody can be under any of it.
const ALL_LOW: &str = "kreuz-buabe-0 kreuz-buabe-1 kreuz-ober-0 kreuz-ober-1 \
     schippe-buabe-0 schippe-buabe-1 schippe-ober-0 schippe-ober-1 \
     herz-buabe-0 herz-buabe-1 herz-ober-0 herz-ober-1";

/// A table whose opener announces this with these cards; what the others
/// begin with.
fn announced(rules: Rules, special: Special, hands: &[&str]) -> Table {
    let mut table = Table::dealt(rules, hands);
    table.bid_alone(150);
    table.announce(special, hands[0]);
    table
}

fn time_out(table: &mut Table) -> Vec<&'static str> {
    let seat = table.board().awaited().iter().next().expect("somebody is awaited");
    let action = Binokel::timeout(&table.state, seat).expect("an awaited seat times out");
    table.act(seat, action)
}

fn nothing() -> SideScore {
    SideScore { bid_met: true, ..SideScore::default() }
}

fn came_to(total: i16) -> SideScore {
    SideScore { total, bid_met: total > 0, ..SideScore::default() }
}

#[test]
fn it_is_announced_in_place_of_trump_and_nobody_melds() {
    let mut table = Table::dealt(announcing(), &[ALL_GOOD, "", ""]);
    table.bid_alone(150);
    table.act(P1, Action::TakeDabb);
    let cards = table.hand(P1).without(set(ALL_GOOD));
    table.act(P1, Action::Discard { cards });
    assert_eq!(table.act(P1, announce(Special::Durch)), ["SPECIAL_ANNOUNCED", "MELDING_COMPLETE"]);
    assert_eq!((table.board().special, table.board().trump), (Some(Special::Durch), None));
    assert_eq!(table.board().phase, Phase::Tricks { seat: P1 });
    assert_eq!(table.refused(P2, Action::DeclareMelds).1, "NOT_IN_MELDING_PHASE");
}

#[test]
fn where_trump_comes_first_it_is_announced_first_and_then_played() {
    let mut table = Table::dealt(Rules { trump_first: true, ..announcing() }, &[ALL_GOOD, "", ""]);
    table.bid_alone(150);
    table.act(P1, Action::TakeDabb);
    assert_eq!(table.act(P1, announce(Special::Durch)), ["SPECIAL_ANNOUNCED"]);
    assert_eq!(table.board().phase, Phase::LayingAway);
    let out = table.refused(P1, go_out(Suit::Kreuz));
    assert_eq!(out, ("GOOUT_FAILED", "SPECIAL_IS_ANNOUNCED"));
    let cards = table.hand(P1).without(set(ALL_GOOD));
    let laid = table.act(P1, Action::Discard { cards });
    assert_eq!(laid, ["CARDS_DISCARDED", "MELDING_COMPLETE"]);
    assert_eq!(table.board().phase, Phase::Tricks { seat: P1 });
}

#[test]
fn the_declarer_leads_also_where_the_opener_does_otherwise() {
    let mut table = Table::dealt(announcing(), &["", ALL_LOW, ""]);
    for (seat, action) in [(P1, bid(150)), (P2, bid(160)), (P1, Action::Pass), (P3, Action::Pass)] {
        table.act(seat, action);
    }
    table.announce(Special::Bettel, ALL_LOW);
    assert_eq!(table.board().phase, Phase::Tricks { seat: P2 });
}

#[test]
fn who_is_void_plays_any_card_and_who_follows_beats() {
    let hands = ["herz-koenig-0", "herz-ober-0 herz-ass-0 herz-10-0", "kreuz-ass-0"];
    let mut table = announced(announcing(), Special::Durch, &hands);
    table.act(P1, play("herz-koenig-0"));
    let rules = announcing();
    let legal = table.board().legal(P2, table.hand(P2), &rules);
    let above = |card: &parlor_binokel::Card| card.rank() > parlor_binokel::Rank::Koenig;
    let herz = table.hand(P2).and(parlor_binokel::CardSet::of_suit(Suit::Herz));
    assert_eq!(legal, herz.iter().filter(above).collect());
    table.act(P2, play("herz-10-0"));
    if table.hand(P3).and(parlor_binokel::CardSet::of_suit(Suit::Herz)).is_empty() {
        assert_eq!(table.board().legal(P3, table.hand(P3), &rules), table.hand(P3));
    }
}

#[test]
fn a_durch_made_gives_a_thousand_and_the_others_nothing() {
    let mut table = announced(announcing(), Special::Durch, &[ALL_GOOD, "", ""]);
    for card in cards(ALL_GOOD) {
        table.act(P1, Action::PlayCard { card });
        for _ in 0..2 {
            time_out(&mut table);
        }
    }
    let scores = table.scored().scores;
    assert_eq!(scores.as_slice(), [came_to(1000), nothing(), nothing()]);
}

#[test]
fn a_durch_is_lost_with_the_first_trick_that_goes_to_others() {
    let hands = ["herz-buabe-0", "herz-ass-0", ""];
    let mut table = announced(announcing(), Special::Durch, &hands);
    table.act(P1, play("herz-buabe-0"));
    table.act(P2, play("herz-ass-0"));
    let last = time_out(&mut table);
    assert_eq!(
        last,
        ["CARD_PLAYED", "TRICK_WON", "ROUND_SCORED", "NEW_ROUND_STARTED", "CARDS_DEALT"]
    );
    assert_eq!(table.scored().scores.as_slice(), [came_to(-1000), nothing(), nothing()]);
    assert_eq!((table.board().round, table.board().special), (2, None));
}

#[test]
fn a_bettel_made_gives_five_hundred_and_the_others_nothing() {
    let mut table = announced(announcing(), Special::Bettel, &[ALL_LOW, "", ""]);
    table.time_out_until_scored(1);
    assert_eq!(table.scored().scores.as_slice(), [came_to(500), nothing(), nothing()]);
}

#[test]
fn a_bettel_is_lost_with_the_first_trick_the_declarer_takes() {
    let mut table = announced(announcing(), Special::Bettel, &["herz-ass-0", "", ""]);
    table.act(P1, play("herz-ass-0"));
    time_out(&mut table);
    time_out(&mut table);
    assert_eq!(table.scored().scores.as_slice(), [came_to(-500), nothing(), nothing()]);
}

#[test]
fn a_partners_trick_is_good_in_a_durch_and_harmless_in_a_bettel() {
    for special in Special::ALL {
        let hands = ["herz-koenig-0", "", "herz-ass-0 herz-ass-1 herz-10-0 herz-10-1", ""];
        let mut table = announced(announcing(), special, &hands);
        table.act(P1, play("herz-koenig-0"));
        time_out(&mut table);
        table.act(P3, play("herz-ass-0"));
        assert_eq!(time_out(&mut table), ["CARD_PLAYED", "TRICK_WON"], "{special}");
        assert_eq!(table.board().phase, Phase::Tricks { seat: P3 });
    }
}

#[test]
fn teams_win_and_lose_it_together() {
    let hands = ["herz-koenig-0", "herz-ass-0", "", ""];
    let mut table = announced(announcing(), Special::Durch, &hands);
    table.act(P1, play("herz-koenig-0"));
    table.act(P2, play("herz-ass-0"));
    time_out(&mut table);
    time_out(&mut table);
    assert_eq!(table.scored().scores.as_slice(), [came_to(-1000), nothing()]);
}

#[test]
fn what_the_house_does_not_play_cannot_be_announced() {
    let table = |rules| {
        let mut table = Table::dealt(rules, &["", "", ""]);
        table.bid_alone(150);
        table.act(P1, Action::TakeDabb);
        let cards = table.hand(P1).iter().take(4).collect();
        table.act(P1, Action::Discard { cards });
        table
    };
    for special in Special::ALL {
        let refused = table(Rules::contract()).refused(P1, announce(special));
        assert_eq!(refused, ("INVALID_MOVE", "SPECIAL_NOT_PLAYED"));
    }
    let only_durch = table(Rules { bettel: false, ..announcing() });
    assert_eq!(only_durch.refused(P1, announce(Special::Bettel)).1, "SPECIAL_NOT_PLAYED");
    let mut both = table(announcing());
    assert_eq!(both.refused(P2, announce(Special::Durch)), ("NOT_YOUR_TURN", "ONLY_BID_WINNER"));
    both.act(P1, trump(Suit::Herz));
    assert_eq!(both.refused(P1, announce(Special::Durch)).1, "NOT_IN_TRUMP_PHASE");
}

#[test]
fn it_must_give_as_much_as_was_bid() {
    for (amount, specials) in [(500, "bettel durch"), (510, "durch"), (1000, "durch"), (1010, "")] {
        let mut table = Table::dealt(announcing(), &["", "", ""]);
        table.bid_alone(amount);
        table.act(P1, Action::TakeDabb);
        let cards = table.hand(P1).iter().take(4).collect();
        table.act(P1, Action::Discard { cards });
        for special in Special::ALL.into_iter().filter(|one| !specials.contains(one.name())) {
            let refused = table.refused(P1, announce(special));
            assert_eq!(refused, ("INVALID_MOVE", "BID_IS_HIGHER"), "{amount} {special}");
        }
        let knowledge = table.knowledge(Viewer::Seat(P1));
        let mut options = Vec::new();
        Binokel::options(&knowledge, &mut options);
        let offered = options.iter().filter(|option| matches!(option, Action::Announce { .. }));
        assert_eq!(offered.count(), specials.split_whitespace().count(), "{amount}");
    }
}

#[test]
fn a_play_tells_everyone_what_its_player_lacks() {
    let mut table = announced(announcing(), Special::Durch, &[ALL_GOOD, "", ""]);
    table.act(P1, play("kreuz-ass-0"));
    time_out(&mut table);
    let knowledge = table.knowledge(Viewer::Seat(Seat(2)));
    assert!(knowledge.lacks[1].holds(parlor_binokel::CardSet::of_suit(Suit::Kreuz)));
}

#[test]
fn logs_from_before_there_were_any_still_read() {
    let mut rules = serde_json::to_value(Rules::classic()).expect("rules are plain data");
    let object = rules.as_object_mut().expect("rules are an object");
    object.remove("durch");
    object.remove("bettel");
    let read: Rules = serde_json::from_value(rules).expect("old rules read");
    assert_eq!(read, Rules::classic());
}
