//! What holds at every event, however strange the table: property tests over
//! stakes, stacks, variants and everything anybody might do, asides included.

mod common;

use parlor_kernel::laws::{Secrets, opening};
use parlor_kernel::{
    Awaiting, Dice, Game, Hosted, Log, Order, Seat, Seed, View, Viewer, reexecute,
};
use parlor_kernel::{Cause, Stream};
use parlor_stud::{Action, Board, Event, Phase, Rules, Stacks, Stakes, State, Stud, VariantChoice};
use proptest::prelude::*;

/// A table with every chip watched.
struct Watched {
    state: State,
    log: Log<Stud>,
    views: Vec<View<Stud>>,
    dice: Dice,
}

impl Watched {
    fn open(rules: &Rules, seats: usize, seed: &str) -> Watched {
        let opening = opening::<Stud>(rules, seats, seed);
        let dice = opening.dice();
        let viewers = (0..seats as u8).map(|seat| Viewer::Seat(Seat(seat)));
        let mut table = Watched {
            state: State::default(),
            log: Log::default(),
            views: viewers.chain([Viewer::Public]).map(View::new).collect(),
            dice,
        };
        table.log.begin(Cause::House, 0);
        Stud::open(opening, &table.dice, &mut table.log.events);
        table.settle(0);
        table
    }

    fn settle(&mut self, first: usize) {
        for event in &self.log.events[first..] {
            let before = self.state.board.chips();
            Stud::apply(&mut self.state, event);
            let board = &self.state.board;
            let brought = match event {
                Event::GameStarted(_) => board.chips(),
                Event::Rebought(bought) => u64::from(bought.amount),
                _ => 0,
            };
            assert_eq!(board.chips(), before + brought, "{event:?} makes or loses chips");
            let committed: u32 = board.players.iter().map(|player| player.committed_total).sum();
            assert_eq!(board.pot, committed, "the pot is what was committed");
            Stud::invariant(&self.state).expect("the invariant holds");
            for view in &mut self.views {
                view.witness(&self.state, event);
                assert_eq!(&view.knowledge().board, board, "everyone sees the same board");
            }
        }
        let board = &self.state.board;
        assert!(board.actor.is_none_or(|seat| board.can_act.contains(seat)));
        assert!(board.phase != Phase::Dealing || board.actor.is_some(), "a deal waits for someone");
    }

    /// Anything that is offered, asides included; false when nothing is left.
    fn anything(&mut self, will: &mut Stream) -> bool {
        let first = self.log.events.len();
        let mut choices: Vec<(Seat, Action)> = Vec::new();
        for view in &self.views {
            let Some(seat) = view.viewer().seat() else { continue };
            let mut actions = Vec::new();
            Stud::options(view.knowledge(), &mut actions);
            // Asides are rarer than moves, as at any table.
            if will.below(8) == 0 {
                Stud::asides(view.knowledge(), &mut actions);
            }
            choices.extend(actions.into_iter().map(|action| (seat, action)));
        }
        match (Stud::awaiting(&self.state), will.pick(&choices)) {
            (Awaiting::Nobody, _) => return false,
            (_, Some((seat, action))) => {
                Stud::decide(&self.state, *seat, action, &self.dice, &mut self.log.events)
                    .expect("what is offered is taken");
                let (seat, action) = (*seat, *action);
                self.log.begin_at(first, Cause::Seat { seat, action }, 0);
            }
            (Awaiting::House { .. }, None) => {
                self.log.begin(Cause::House, 0);
                Stud::proceed(&self.state, &self.dice, &mut self.log.events);
            }
            (Awaiting::Seats { .. }, None) => return true,
        }
        assert!(self.log.events.len() > first, "a step makes something happen");
        self.settle(first);
        true
    }
}

fn any_rules() -> impl Strategy<Value = (Rules, usize)> {
    let playing = prop_oneof![
        Just(VariantChoice::StudHi),
        Just(VariantChoice::Razz),
        Just(VariantChoice::Stud8),
        Just(VariantChoice::Mixed)
    ];
    let stakes = (0u32..30, 1u32..40, 1u32..40, 0u32..60).prop_map(|(ante, low, more, big)| {
        let small_bet = low + more;
        Stakes { ante, bring_in: low, small_bet, big_bet: small_bet + big }
    });
    let stacks = proptest::collection::vec(1u32..400, 2..=7);
    let ends = (1u32..12, any::<bool>(), proptest::option::of(1u32..300));
    (playing, stakes, stacks, ends, 1u8..=8, any::<bool>()).prop_map(
        |(variant, stakes, stacks, (deals, last_stack, rebuy), cap, muck)| {
            let seats = stacks.len();
            let rules = Rules {
                variant,
                rotation_deals: 1,
                stakes,
                stacks: Stacks::BySeat(stacks),
                deals: Some(deals),
                last_stack,
                rebuy: rebuy.filter(|_| !last_stack),
                cap,
                muck,
                ..Rules::stud_hi()
            };
            (rules, seats)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, ..ProptestConfig::default() })]

    #[test]
    fn chips_cards_and_counters_hold_whatever_anybody_does(
        (rules, seats) in any_rules(),
        seed in "[a-z]{8}",
    ) {
        rules.check().expect("these are rules");
        let mut table = Watched::open(&rules, seats, &seed);
        let mut will = Dice::new(&Seed::named(&seed), "will").stream("anything");
        let mut steps = 0;
        while table.anything(&mut will) {
            steps += 1;
            // Sitting out for ever is nobody's defect; it is called off.
            if steps == 3_000 {
                let first = table.log.events.len();
                let order = Order::CallOff { reason: "late".to_owned() };
                table.log.begin(Cause::Order { order: order.clone() }, 0);
                Stud::obey(&table.state, &order, &mut table.log.events);
                table.settle(first);
            }
        }
        prop_assert_eq!(table.state.board.phase, Phase::Finished);
        let again = reexecute(&table.log).expect("the same again");
        prop_assert_eq!(again, table.state);
    }
}

/// How much of what is rare the properties meet.
#[test]
fn random_tables_meet_what_is_rare() {
    let rules = Rules { stacks: Stacks::Each(133), deals: Some(12), ..Rules::mixed() };
    let (mut run_outs, mut side_pots, mut ties, mut short_antes) = (0, 0, 0, 0);
    for number in 0..600 {
        let (log, _) =
            parlor_kernel::laws::random_game::<Stud>(&rules, 6, &format!("rare {number}"));
        for event in &log.events {
            match event {
                Event::StreetAdvance(advance) => {
                    run_outs += u32::from(!advance.turned_up.is_empty())
                }
                Event::DealEnd(end) => {
                    side_pots += u32::from(end.pots.len() > 2);
                    ties += u32::from(end.pots.iter().any(|pot| pot.high.len() > 1));
                }
                Event::PostAnte(ante) => short_antes += u32::from(ante.paid < 5),
                _ => {}
            }
        }
    }
    for (what, count) in
        [("run-outs", run_outs), ("side pots", side_pots), ("ties", ties), ("antes", short_antes)]
    {
        assert!(count > 0, "{what} are met");
    }
}

#[test]
fn a_foreign_log_never_breaks_the_fold() {
    let mut board = Board::default();
    assert_eq!(board.chips(), 0);
    board.seats = 7;
    let mut state = State { board, ..State::default() };
    let (log, _) = parlor_kernel::laws::random_game::<Stud>(&Rules::mixed(), 7, "foreign");
    // Events in an order that no table ever sees, twice over.
    for event in log.events.iter().rev().chain(&log.events).step_by(3) {
        Stud::apply(&mut state, event);
    }
}

/// Short stacks, so that all-ins are common; every event is checked.
#[test]
#[ignore = "a million deals of each variant: cargo test --release -p parlor-stud -- --ignored"]
fn a_million_deals_of_every_variant_conserve_chips_and_finish() {
    std::thread::scope(|scope| {
        for variant in [VariantChoice::StudHi, VariantChoice::Razz, VariantChoice::Stud8] {
            scope.spawn(move || {
                let rules = Rules {
                    variant,
                    stacks: Stacks::Each(300),
                    deals: Some(100),
                    last_stack: false,
                    rebuy: Some(300),
                    ..Rules::stud_hi()
                };
                for number in 0..10_000 {
                    let seats = 2 + number % 6;
                    let seed = format!("million {number}");
                    let (log, end) = parlor_kernel::laws::random_game::<Stud>(&rules, seats, &seed);
                    assert_eq!(end.board.deals_played, 100);
                    let mut state = State::default();
                    for event in &log.events {
                        Stud::apply(&mut state, event);
                        let board = &state.board;
                        let brought: u64 =
                            board.players.iter().map(|player| u64::from(player.bought)).sum();
                        assert_eq!(board.chips(), brought, "{seed}: {event:?}");
                    }
                }
            });
        }
    });
}
