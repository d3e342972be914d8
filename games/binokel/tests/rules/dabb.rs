//! Taking the dabb, laying away, naming trump, going out.

use parlor_binokel::{Action, CardSet, Holding, Phase, Rules, Suit};
use parlor_kernel::{Game, View, Viewer};

use crate::common::{P1, P2, P3, Table, go_out, trump};

/// What a viewer knows at the end of a table's log.
fn view(table: &Table, viewer: Viewer) -> parlor_binokel::Knowledge {
    let mut view = View::<parlor_binokel::Binokel>::new(viewer);
    let mut state = parlor_binokel::State::default();
    for event in &table.log.events {
        parlor_binokel::Binokel::apply(&mut state, event);
        view.witness(&state, event);
    }
    view.knowledge().clone()
}

fn won(rules: Rules) -> Table {
    let mut table = Table::dealt(rules, &["", "", ""]);
    table.bid_alone(150);
    table
}

fn first(table: &Table, count: usize) -> CardSet {
    table.hand(P1).iter().take(count).collect()
}

#[test]
fn hands_and_dabb_have_their_sizes() {
    let sizes = |rules: &Rules, players: usize| {
        let table = Table::dealt(rules.clone(), &vec![""; players]);
        (table.hand(P1).len(), table.state.dabb.len())
    };
    let (contract, classic) = (Rules::contract(), Rules::classic());
    assert_eq!([2, 3, 4].map(|n| sizes(&contract, n)), [(17, 6), (12, 4), (9, 4)]);
    assert_eq!([2, 3, 4].map(|n| sizes(&classic, n)), [(18, 4), (12, 4), (9, 4)]);
    let sevens = Rules { sevens: true, ..contract };
    assert_eq!([2, 3, 4].map(|n| sizes(&sevens, n)), [(21, 6), (14, 6), (11, 4)]);
}

#[test]
fn the_winner_takes_the_dabb_lays_as_many_away_and_names_trump() {
    let mut table = won(Rules::contract());
    assert_eq!(table.act(P1, Action::TakeDabb), ["DABB_TAKEN"]);
    assert_eq!(table.hand(P1).len(), 16);
    let cards = first(&table, 4);
    assert_eq!(table.act(P1, Action::Discard { cards }), ["CARDS_DISCARDED"]);
    assert_eq!(table.state.laid_away, cards);
    assert_eq!(table.board().phase, Phase::NamingTrump);
    assert_eq!(table.act(P1, trump(Suit::Herz)), ["TRUMP_DECLARED"]);
    assert_eq!(table.board().trump, Some(Suit::Herz));
    assert!(matches!(table.board().phase, Phase::Melding { .. }));
}

#[test]
fn trump_first_names_trump_before_laying_away() {
    let mut table = won(Rules { trump_first: true, ..Rules::contract() });
    table.act(P1, Action::TakeDabb);
    assert_eq!(
        table.refused(P1, Action::Discard { cards: first(&table, 4) }).1,
        "NOT_IN_DABB_PHASE"
    );
    table.act(P1, trump(Suit::Herz));
    table.act(P1, Action::Discard { cards: first(&table, 4) });
    assert!(matches!(table.board().phase, Phase::Melding { .. }));
}

#[test]
fn only_the_taker_sees_the_dabb_and_what_is_laid_away() {
    let mut table = won(Rules::contract());
    let dabb = table.state.dabb;
    assert_eq!(view(&table, Viewer::Seat(P1)).dabb, Holding::open(dabb), "the winner may look");
    assert_eq!(view(&table, Viewer::Seat(P2)).dabb, Holding::closed(4));
    table.act(P1, Action::TakeDabb);
    let cards = first(&table, 4);
    table.act(P1, Action::Discard { cards });
    assert_eq!(view(&table, Viewer::Seat(P1)).laid_away, Holding::open(cards));
    for other in [Viewer::Seat(P2), Viewer::Seat(P3), Viewer::Public] {
        assert_eq!(view(&table, other).laid_away, Holding::closed(4));
        assert_eq!(view(&table, other).hands[0], Holding::closed(12));
    }
}

#[test]
fn a_dabb_shown_to_all_is_known_until_cards_are_laid_away() {
    let rules = Rules { dabb_shown: parlor_binokel::DabbShown::All, ..Rules::contract() };
    let mut table = won(rules);
    let dabb = table.state.dabb;
    table.act(P1, Action::TakeDabb);
    assert_eq!(view(&table, Viewer::Seat(P2)).hands[0], Holding { known: dabb, unknown: 12 });
    table.act(P1, Action::Discard { cards: first(&table, 4) });
    let knowledge = view(&table, Viewer::Seat(P2));
    assert_eq!(knowledge.hands[0], Holding::closed(12));
    assert!(knowledge.lacks[2].holds(dabb), "the third seat has none of it");
}

#[test]
fn who_goes_out_does_not_meld_and_the_round_is_scored_after_the_others_have() {
    let mut table = won(Rules::contract());
    table.act(P1, Action::TakeDabb);
    assert_eq!(table.act(P1, go_out(Suit::Herz)), ["GOING_OUT"]);
    assert_eq!(table.refused(P1, Action::DeclareMelds), ("NOT_YOUR_TURN", "NOT_YOUR_TURN"));
    assert_eq!(table.act(P3, Action::DeclareMelds), ["MELDS_DECLARED"]);
    let last = table.act(P2, Action::DeclareMelds);
    assert_eq!(
        last,
        ["MELDS_DECLARED", "MELDING_COMPLETE", "ROUND_SCORED", "NEW_ROUND_STARTED", "CARDS_DEALT"]
    );
}

#[test]
fn going_out_comes_after_taking_and_before_laying_away() {
    let mut table = won(Rules::contract());
    assert_eq!(table.refused(P1, go_out(Suit::Herz)), ("GOOUT_FAILED", "MUST_TAKE_DABB_FIRST"));
    table.act(P1, Action::TakeDabb);
    table.act(P1, Action::Discard { cards: first(&table, 4) });
    assert_eq!(table.refused(P1, go_out(Suit::Herz)), ("GOOUT_FAILED", "NOT_IN_DABB_PHASE"));
}

#[test]
fn once_trump_is_named_one_goes_out_in_trump() {
    let mut table = won(Rules::classic());
    table.act(P1, Action::TakeDabb);
    table.act(P1, trump(Suit::Herz));
    assert_eq!(table.refused(P1, go_out(Suit::Kreuz)), ("GOOUT_FAILED", "INVALID_SUIT"));
    table.act(P1, go_out(Suit::Herz));
}
