//! What the solid bot imagines, held against the game itself.

use parlor_kernel::{Awaiting, Dice, Game, Seed, View, Viewer, laws};

use super::*;
use crate::seats::{all_seats, at};
use crate::state::State;
use stakes::Chances;

/// Calls back wherever a card is awaited in a random game, with the truth and
/// what each seat knows.
fn at_every_card(players: u8, seed: &str, mut see: impl FnMut(&State, &[View<Binokel>])) {
    let rules = Rules { rounds: Some(2), ..Rules::contract() };
    let (log, _) = laws::random_game::<Binokel>(&rules, players.into(), seed);
    let mut views: Vec<View<Binokel>> =
        all_seats(players).map(|seat| View::new(Viewer::Seat(seat))).collect();
    let mut state = State::default();
    for (_, events) in log.by_step() {
        for event in events {
            Binokel::apply(&mut state, event);
            for view in &mut views {
                view.follow(&state, event);
            }
        }
        if matches!(Binokel::awaiting(&state), Awaiting::Seats { kind: "AWAITING_CARD", .. }) {
            see(&state, &views);
        }
    }
}

fn rest_of(state: &State) -> Rest {
    let rules = state.rules().expect("the game is open");
    Rest::of(&state.board, state.hands, rules)
}

fn stakes_of(state: &State) -> Stakes<'_> {
    let (declarer, bid) = state.board.highest_bid().expect("someone has bid");
    Stakes {
        rules: state.rules().expect("the game is open"),
        board: &state.board,
        declarer,
        bid,
        special: state.board.special,
        melds: state.board.melds.map(|melds| melds.map_or(0, |melds| melds.points)),
        laid_away: state.laid_away.points(),
    }
}

#[test]
fn the_rest_of_a_round_is_played_by_the_rules_of_the_table() {
    for (players, number) in (0..40).flat_map(|n| [(2, n), (3, n), (4, n)]) {
        at_every_card(players, &format!("rest {number}"), |state, _| {
            let rest = rest_of(state);
            let Phase::Tricks { seat } = state.board.phase else { panic!("a card is awaited") };
            let rules = state.rules().expect("the game is open");
            assert_eq!(rest.legal(), state.board.legal(seat, state.hands[at(seat)], rules));
            assert_eq!(rest.side(), state.board.side(seat));
            assert_eq!((rest.taken, rest.tricks), (state.board.taken, state.board.tricks));
        });
    }
}

#[test]
fn a_playout_plays_every_card_and_gives_away_every_point() {
    for (players, number) in (0..20).flat_map(|n| [(2, n), (3, n), (4, n)]) {
        at_every_card(players, &format!("playout {number}"), |state, _| {
            let mut rest = rest_of(state);
            rest.play_out();
            assert_eq!(rest.hands, [CardSet::EMPTY; 4]);
            assert_eq!(rest.taken.iter().sum::<u16>() + state.laid_away.points(), 250);
        });
    }
}

#[test]
fn imagined_worlds_hold_what_the_seat_knows_and_every_card_once() {
    let mut dice = Dice::new(&Seed::named("worlds"), "test").stream("worlds");
    for (players, number) in (0..10).flat_map(|n| [(2, n), (3, n), (4, n)]) {
        at_every_card(players, &format!("worlds {number}"), |state, views| {
            for view in views {
                let knowledge = view.knowledge();
                let rules = state.rules().expect("the game is open");
                let world = Worlds::of(knowledge, rules).draw(&mut dice);
                let mut all = world.laid_away;
                for seat in 0..4 {
                    let (hand, held) = (world.hands[seat], &knowledge.hands[seat]);
                    assert_eq!(hand.len(), held.len());
                    assert!(hand.holds(held.known));
                    assert!(hand.without(held.known).and(knowledge.lacks[seat]).is_empty());
                    all = all.or(hand).or(state.board.played[seat]);
                }
                assert_eq!(world.laid_away.len(), knowledge.laid_away.len());
                assert_eq!(all, rules.deck());
            }
        });
    }
}

/// Every line to its end, without any cut.
fn every_line(rest: &Rest, stakes: &Stakes) -> Chances {
    if rest.is_over() {
        return stakes.played(rest);
    }
    let mut best = [-1.0; 4];
    for card in rest.legal().iter() {
        let mut next = *rest;
        next.play(card);
        let found = every_line(&next, stakes);
        if found[rest.side()] > best[rest.side()] {
            best = found;
        }
    }
    best
}

#[test]
fn cuts_do_not_change_what_the_endgame_comes_to() {
    let mut solved = 0;
    for (players, number) in (0..12).flat_map(|n| [(2, n), (3, n), (4, n)]) {
        at_every_card(players, &format!("endgame {number}"), |state, _| {
            let rest = rest_of(state);
            if rest.hands.iter().map(|hand| hand.len()).max() > Some(3) {
                return;
            }
            let (stakes, side) = (stakes_of(state), rest.side());
            let (quick, whole) = (solve(&rest, &stakes, None), every_line(&rest, &stakes));
            let off = (quick[side] - whole[side]).abs();
            assert!(off < 1e-5, "{players} players, {number}: {quick:?} is not {whole:?}");
            solved += 1;
        });
    }
    assert!(solved > 300, "only {solved} endgames");
}

#[test]
fn chances_add_up_to_one() {
    for players in 2..=4 {
        at_every_card(players, "chances", |state, _| {
            let mut rest = rest_of(state);
            rest.play_out();
            let stakes = stakes_of(state);
            for chances in [stakes.played(&rest), stakes.gone_out()] {
                assert!((chances.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{chances:?}");
                assert!(chances.iter().all(|chance| *chance >= 0.0), "{chances:?}");
            }
        });
    }
}
