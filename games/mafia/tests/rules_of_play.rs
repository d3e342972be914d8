//! The rules, one by one.

mod common;

use common::table::{Table, all, p};
use parlor_kernel::{Awaiting, Game, Hosted, Offered, Order, Seat, SeatSet, laws};
use parlor_mafia::{
    Action, Channel, Event, FALLS_TO_DEGRADE, Fate, Flip, Flips, LONGEST_STATEMENT, Mafia,
    Occasion, Phase, PlayerId, Remedy, Rules, SpeakingOrder, State, Team, TieRule, TurnId,
    TurnKind, VoteRule, Votes, WHISPERS_A_NIGHT, Words,
};

fn kill(target: &str) -> Action {
    Action::Kill { target: Some(p(target)) }
}

fn vote(target: &str) -> Action {
    Action::Vote { target: Some(p(target)) }
}

fn protect(target: &str) -> Action {
    Action::Protect { target: p(target) }
}

fn investigate(target: &str) -> Action {
    Action::Investigate { target: p(target) }
}

fn whisper(text: &str, r#final: bool) -> Action {
    Action::Say { text: Words::from(text), r#final, channel: Channel::Mafia }
}

fn part(text: &str) -> Action {
    Action::Say { text: Words::from(text), r#final: false, channel: Channel::Public }
}

const EVERYONE: &str = "p1 p2 p3 p4 p5 p6 p7 p8 p9 p10";

/// The first night of a classic game, but for p8's choice.
fn night_without_p8(rules: Rules) -> Table {
    let mut table = Table::new(rules);
    table.act(p("p2"), kill("p5"));
    table.act(p("p3"), kill("p5"));
    table.act(p("p6"), investigate("p3"));
    table.act(p("p7"), protect("p1"));
    table
}

fn day_with(rules: Rules, phase: Phase, alive: &str) -> Table {
    Table::at(rules, phase, 1, all(alive), "day")
}

#[test]
fn a_game_begins_with_the_first_night() {
    let table = Table::new(Rules::classic());
    let names: Vec<_> = table.events.iter().map(parlor_kernel::event_type).collect();
    assert_eq!(names, ["GAME_CREATED", "PHASE_CHANGED"]);
    assert_eq!(table.awaited(), all("p2 p3 p6 p7 p8"));
}

#[test]
fn the_last_to_act_ends_the_night() {
    let mut table = night_without_p8(Rules::classic());
    let names = table.names(p("p8"), kill("p5"));
    assert_eq!(
        names,
        [
            "NIGHT_ACTION_SUBMITTED",
            "PHASE_CHANGED",
            "NIGHT_RESOLVED",
            "PLAYER_ELIMINATED",
            "PHASE_CHANGED"
        ]
    );
    assert_eq!(table.state.board.phase, Phase::DayDiscussion);
    assert_eq!(table.state.board.alive, all(EVERYONE).but(p("p5")));
}

#[test]
fn the_order_of_submission_does_not_matter() {
    let mut one = night_without_p8(Rules::classic());
    one.act(p("p8"), kill("p5"));
    let mut other = Table::new(Rules::classic());
    for (player, action) in [
        ("p8", kill("p5")),
        ("p7", protect("p1")),
        ("p6", investigate("p3")),
        ("p3", kill("p5")),
        ("p2", kill("p5")),
    ] {
        other.act(p(player), action);
    }
    assert_eq!(one.state, other.state);
}

#[test]
fn the_last_submission_counts_and_the_same_again_is_no_event() {
    let mut table = night_without_p8(Rules::classic());
    assert_eq!(table.names(p("p7"), protect("p1")), [""; 0]);
    assert_eq!(table.names(p("p7"), protect("p5")), ["NIGHT_ACTION_SUBMITTED"]);
    table.act(p("p8"), kill("p5"));
    assert_eq!(table.state.board.saves, [1]);
    assert_eq!(table.state.board.alive, all(EVERYONE));
}

#[test]
fn a_silent_mafia_kills_by_lot_and_a_silent_mafioso_has_no_say() {
    let mut table = Table::new(Rules::classic());
    table.act(p("p2"), kill("p5"));
    for silent in ["p3", "p8"] {
        let events = table.time_out(p(silent));
        assert!(matches!(&events[1], Event::NightActionSubmitted(act) if act.silent));
    }
    table.act(p("p6"), investigate("p3"));
    table.act(p("p7"), protect("p7"));
    assert!(!table.state.board.alive.contains(p("p5")));

    let mut victims = parlor_mafia::Players::NOBODY;
    for seed in 0..60 {
        let mut table = Table::seeded(Rules::classic(), &seed.to_string());
        table.act(p("p7"), protect("p7"));
        table.pass_phase();
        victims = victims.or(all(EVERYONE).without(table.state.board.alive));
    }
    assert_eq!(victims, all("p1 p4 p5 p6 p9 p10"), "each but mafia and the protected");
}

#[test]
fn nobody_is_killed_only_where_the_rules_allow_it() {
    let table = Table::new(Rules::classic());
    assert_eq!(table.refused(Seat(1), &Action::Kill { target: None }), "TARGET_MISSING");
    let mut table = Table::new(Rules { no_kill: true, ..Rules::classic() });
    for mafioso in ["p2", "p3", "p8"] {
        table.act(p(mafioso), Action::Kill { target: None });
    }
    table.act(p("p6"), investigate("p3"));
    table.act(p("p7"), protect("p7"));
    assert_eq!(table.state.board.alive, all(EVERYONE));
    assert!(table.state.board.saves.is_empty(), "nobody was attacked");
}

#[test]
fn a_villager_may_acknowledge_the_night_and_the_night_may_wait_for_it() {
    let mut table = Table::new(Rules::classic());
    assert_eq!(table.names(p("p1"), Action::Acknowledge {}), ["NIGHT_ACKNOWLEDGED"]);
    assert_eq!(table.names(p("p1"), Action::Acknowledge {}), [""; 0]);
    assert_eq!(table.refused(Seat(1), &Action::Acknowledge {}), "ROLE_MISMATCH");

    let mut table = night_without_p8(Rules { acknowledge: true, ..Rules::classic() });
    table.act(p("p8"), kill("p5"));
    assert_eq!(table.awaited(), all("p1 p4 p5 p9 p10"));
    table.pass_phase();
    assert_eq!(table.state.board.phase, Phase::DayDiscussion);
}

#[test]
fn the_mafia_talks_at_night_where_it_has_a_channel() {
    let rules = Rules { mafia_channel: true, ..Rules::classic() };
    let mut table = Table::new(rules);
    table.act(p("p2"), whisper("let us take ", false));
    let events = table.act(p("p2"), whisper("p5", true));
    let Event::AgentSayStream(chunk) = &events[0] else { panic!("{events:?}") };
    assert_eq!(chunk.turn_id.to_string(), "say-night-1-p2");
    for _ in 1..WHISPERS_A_NIGHT {
        let events = table.act(p("p2"), whisper("again", true));
        assert!(matches!(&events[0], Event::AgentSayStream(chunk) if chunk.turn_id.pass > 1));
    }
    assert_eq!(table.refused(Seat(1), &whisper("again", true)), "TOO_LONG");
    assert_eq!(table.refused(Seat(0), &whisper("hello", true)), "ROLE_MISMATCH");
    let table = Table::new(Rules::classic());
    assert_eq!(table.refused(Seat(1), &whisper("hello", true)), "WRONG_PHASE");
}

#[test]
fn a_statement_is_its_parts_put_together() {
    let mut table = day_with(Rules::classic(), Phase::DayDiscussion, EVERYONE);
    table.act(p("p1"), part("I think "));
    assert_eq!(table.state.board.speaker, Some(p("p1")), "the turn goes on");
    assert_eq!(table.refused(Seat(0), &part("")), "EMPTY_CHUNK");
    let long = "x".repeat(LONGEST_STATEMENT - 7);
    assert_eq!(table.refused(Seat(0), &Action::say(long.as_str())), "TOO_LONG");
    table.act(p("p1"), Action::say("ü".repeat(LONGEST_STATEMENT - 8)));
    assert_eq!(table.state.board.speaker, Some(p("p2")));
    assert_eq!(table.refused(Seat(0), &Action::say("and")), "NOT_YOUR_TURN");
}

#[test]
fn everyone_speaks_in_every_pass() {
    let rules = Rules { discussion_rounds: 2, ..Rules::classic() };
    let mut table = day_with(rules, Phase::DayDiscussion, "p1 p2 p4");
    let mut turns = Vec::new();
    while let Some(speaker) = table.state.board.speaker {
        let events = table.act(speaker, Action::say("hm"));
        if let Event::AgentSayStream(chunk) = &events[0] {
            turns.push(chunk.turn_id.to_string());
        }
    }
    assert_eq!(
        turns,
        [
            "say-day-1-p1",
            "say-day-1-p2",
            "say-day-1-p4",
            "say-day-1-2-p1",
            "say-day-1-2-p2",
            "say-day-1-2-p4"
        ]
    );
}

#[test]
fn the_floor_goes_to_whoever_wants_it_most() {
    let rules = Rules { speaking_order: SpeakingOrder::Bidding, ..Rules::classic() };
    let mut table = day_with(rules, Phase::DayDiscussion, "p1 p2 p4");
    assert_eq!(table.refused(Seat(0), &Action::say("me!")), "NOT_YOUR_TURN");
    assert_eq!(table.refused(Seat(0), &Action::Bid { amount: 4 }), "BAD_BID");
    for (player, amount) in [("p1", 1), ("p2", 0), ("p4", 3)] {
        table.act(p(player), Action::Bid { amount });
    }
    assert_eq!(table.state.board.speaker, Some(p("p4")));
    assert_eq!(table.refused(Seat(0), &Action::Bid { amount: 1 }), "WRONG_PHASE");
    table.act(p("p4"), Action::say("at last"));
    for player in ["p1", "p2", "p4"] {
        table.act(p(player), Action::Bid { amount: 0 });
    }
    assert_eq!(table.state.board.phase, Phase::DayVoting, "nobody wants to speak");
}

#[test]
fn a_vote_may_be_changed_until_the_ballot_is_closed() {
    let mut table = day_with(Rules::classic(), Phase::DayVoting, "p1 p2 p4 p5");
    table.act(p("p1"), vote("p2"));
    assert_eq!(table.names(p("p1"), vote("p2")), [""; 0]);
    assert_eq!(table.names(p("p1"), Action::Vote { target: None }), ["VOTE_CAST"]);
    assert_eq!(table.names(p("p1"), vote("p4")), ["VOTE_CAST"]);
    for voter in ["p2", "p4", "p5"] {
        table.act(p(voter), Action::Vote { target: None });
    }
    assert!(!table.state.board.alive.contains(p("p4")));
}

#[test]
fn the_town_hears_the_count_before_it_buries() {
    let mut table = day_with(Rules::classic(), Phase::DayVoting, "p1 p4 p6 p8");
    for voter in ["p1", "p4", "p6"] {
        table.act(p(voter), vote("p8"));
    }
    let names = table.names(p("p8"), vote("p1"));
    assert_eq!(
        names,
        [
            "VOTE_CAST",
            "PHASE_CHANGED",
            "VOTE_RESULT",
            "PLAYER_ELIMINATED",
            "PHASE_CHANGED",
            "GAME_ENDED"
        ]
    );
    let ended = table.state.board.ended.as_deref().expect("the last mafioso is gone");
    assert_eq!(ended.winner, Some(Team::Town));
}

#[test]
fn the_whole_side_wins_dead_or_alive() {
    let mut table = day_with(Rules::classic(), Phase::DayVoting, "p1 p4 p7 p8");
    for voter in ["p1", "p4", "p7", "p8"] {
        let target = if voter == "p8" { "p1" } else { "p8" };
        table.act(p(voter), vote(target));
    }
    let last = table.events.last().expect("an end");
    let record = serde_json::to_value(last).expect("plain data");
    let ids = |list: &serde_json::Value| -> Vec<String> {
        let id = |entry: &serde_json::Value| {
            let id = entry.get("playerId").unwrap_or(entry);
            id.as_str().expect("an id").to_owned()
        };
        list.as_array().expect("a list").iter().map(id).collect()
    };
    let payload = &record["payload"];
    assert_eq!(ids(&payload["winningPlayers"]).join(" "), "p1 p4 p5 p6 p7 p9 p10");
    assert_eq!(ids(&payload["finalGameState"]["alivePlayers"]).join(" "), "p1 p4 p7");
    assert_eq!(ids(&payload["finalGameState"]["deadPlayers"]).join(" "), "p2 p3 p5 p6 p8 p9 p10");
    let score = Mafia::score(&table.state);
    assert_eq!(score.winners, SeatSet::from_iter([0, 3, 4, 5, 6, 8, 9].map(Seat)));
    assert_eq!(score.points.iter().sum::<i64>(), 7);
}

#[test]
fn the_mafia_wins_at_once_when_it_is_as_many() {
    let mut table = Table::at(Rules::classic(), Phase::NightActions, 1, all("p1 p2 p3 p4 p5"), "w");
    table.act(p("p2"), kill("p1"));
    let names = table.names(p("p3"), kill("p1"));
    assert_eq!(names[names.len() - 2..], ["PHASE_CHANGED", "GAME_ENDED"]);
    let ended = table.state.board.ended.as_deref().expect("two against two");
    assert_eq!(ended.winner, Some(Team::Mafia));
    assert_eq!(table.refused(Seat(1), &kill("p4")), "GAME_OVER");
    assert_eq!(Mafia::awaiting(&table.state), Awaiting::Nobody);
}

#[test]
fn a_tie_leads_to_a_second_ballot_between_the_tied() {
    let rules = Rules { tie_rule: TieRule::Revote, ..Rules::classic() };
    let mut table = day_with(rules, Phase::DayVoting, "p1 p2 p4 p5 p6");
    for (voter, target) in [("p1", "p2"), ("p2", "p1"), ("p4", "p2"), ("p5", "p1")] {
        table.act(p(voter), vote(target));
    }
    let names = table.names(p("p6"), Action::Vote { target: None });
    assert_eq!(names, ["VOTE_CAST", "VOTE_RESULT"]);
    let board = &table.state.board;
    assert_eq!((board.phase, board.ballot), (Phase::DayVoting, 2));
    assert_eq!(board.candidates, all("p1 p2"));
    assert_eq!(table.refused(Seat(3), &vote("p5")), "NOT_CANDIDATE");
    for (voter, target) in [("p1", "p2"), ("p2", "p1"), ("p4", "p2"), ("p5", "p1")] {
        table.act(p(voter), vote(target));
    }
    table.act(p("p6"), vote("p2"));
    assert!(!table.state.board.alive.contains(p("p2")));
}

#[test]
fn a_tie_in_the_second_ballot_is_drawn() {
    let rules = Rules { tie_rule: TieRule::Revote, ..Rules::classic() };
    let mut table = day_with(rules, Phase::DayVoting, "p1 p2 p4 p5");
    for _ in 0..2 {
        for (voter, target) in [("p1", "p2"), ("p2", "p1"), ("p4", "p2"), ("p5", "p1")] {
            table.act(p(voter), vote(target));
        }
    }
    assert_eq!(table.state.board.alive.len(), 3);
    assert_eq!(table.state.board.results.len(), 2);
}

#[test]
fn a_strict_majority_may_be_asked_for() {
    let rules = Rules { vote_rule: VoteRule::Majority, ..Rules::classic() };
    let mut table = day_with(rules, Phase::DayVoting, "p1 p2 p4 p5");
    for (voter, target) in [("p1", "p2"), ("p2", "p1"), ("p4", "p2")] {
        table.act(p(voter), vote(target));
    }
    table.act(p("p5"), Action::Vote { target: None });
    assert_eq!(table.state.board.alive.len(), 4, "two of four are no majority");
}

#[test]
fn refusals_name_the_reason() {
    let night = Table::new(Rules::classic());
    let day = day_with(Rules::classic(), Phase::DayVoting, "p1 p2 p3 p4 p6 p7 p8 p9 p10");
    let far = |id: usize| PlayerId::at(id).expect("a player");
    for (code, table, seat, action) in [
        ("WRONG_PHASE", &night, 0, vote("p2")),
        ("WRONG_PHASE", &night, 0, Action::say("hello")),
        ("WRONG_PHASE", &day, 6, protect("p1")),
        ("NOT_ALIVE", &day, 4, vote("p1")),
        ("ROLE_MISMATCH", &night, 0, kill("p2")),
        ("ROLE_MISMATCH", &night, 6, investigate("p2")),
        ("TARGET_SELF", &night, 5, investigate("p6")),
        ("TARGET_SELF", &night, 1, kill("p2")),
        ("TARGET_SELF", &day, 0, vote("p1")),
        ("TARGET_DEAD", &day, 0, vote("p5")),
        ("TARGET_TEAMMATE", &night, 1, kill("p8")),
        ("UNKNOWN_TARGET", &night, 1, Action::Kill { target: Some(far(10)) }),
        ("UNKNOWN_PLAYER", &night, 10, kill("p1")),
        ("UNKNOWN_PLAYER", &night, 255, kill("p1")),
        ("WRONG_PHASE", &night, 0, Action::think("hm")),
        ("WRONG_PHASE", &night, 0, Action::FallBack { reason: Words::SILENCE }),
    ] {
        assert_eq!(table.refused(Seat(seat), &action), code, "{seat} {action:?}");
    }
    let protected = Table::at(Rules::classic(), Phase::NightActions, 1, all(EVERYONE), "n");
    let mut protected = protected.last_protected(Some(p("p4")));
    protected.state.board.phase = Phase::NightActions;
    assert_eq!(protected.refused(Seat(6), &protect("p4")), "REPEAT_PROTECT");
    let mut unopened = Table::new(Rules::classic());
    unopened.state = Default::default();
    assert_eq!(unopened.refused(Seat(0), &vote("p2")), "NOT_STARTED");
}

#[test]
fn five_fallbacks_in_a_row_degrade_a_seat_and_the_game() {
    let mut table = Table::new(Rules::classic());
    let mut falls = 0;
    while falls < FALLS_TO_DEGRADE {
        let awaited = table.awaited();
        let doctor = p("p7");
        assert!(table.state.board.alive.contains(doctor), "the doctor guards itself at first");
        let events = if awaited.contains(doctor) {
            falls += 1;
            table.time_out(doctor)
        } else {
            // Everyone else plays on.
            let player = awaited.iter().next().expect("someone is awaited");
            let mut options = Vec::new();
            let mut view =
                parlor_kernel::View::<Mafia>::new(parlor_kernel::Viewer::Seat(player.seat()));
            let mut state = Default::default();
            for event in &table.events {
                Mafia::apply(&mut state, event);
                view.witness(&state, event);
            }
            Mafia::options(view.knowledge(), &mut options);
            let spares = |option: &Action| !matches!(option, Action::Kill { target } | Action::Vote { target } if *target == Some(doctor));
            let option = options.into_iter().find(spares).expect("an option");
            table.act(player, option)
        };
        if let Event::AgentFault(fault) = &events[0] {
            assert_eq!((fault.in_a_row, fault.remedy), (falls, Remedy::Fallback));
            assert_eq!(fault.degraded, falls == FALLS_TO_DEGRADE);
        }
    }
    assert_eq!(table.state.faults.degraded, all("p7"));
}

#[test]
fn a_move_of_ones_own_ends_a_row_of_fallbacks() {
    let mut table = day_with(Rules::classic(), Phase::DayDiscussion, "p1 p2 p4 p5");
    table.time_out(p("p1"));
    assert_eq!(table.state.faults.in_a_row[0], 1);
    for player in ["p2", "p4", "p5"] {
        table.act(p(player), Action::say(""));
    }
    table.act(p("p1"), vote("p2"));
    assert_eq!(table.state.faults.in_a_row[0], 0);
}

#[test]
fn retries_usage_and_assignments_are_noted_at_any_time() {
    let mut table = day_with(Rules::classic(), Phase::DayVoting, "p1 p2 p4 p5");
    let fault = Action::Fault { reason: Words::from("no JSON") };
    for (action, name) in [
        (fault, "AGENT_FAULT"),
        (Action::Usage(Box::default()), "AGENT_USAGE"),
        (Action::Assign(Box::default()), "AGENT_ASSIGNED"),
    ] {
        for player in ["p1", "p3"] {
            let before = table.state.clone();
            assert_eq!(table.names(p(player), action.clone()), [name]);
            assert_eq!(table.state, before, "it changes nothing");
        }
    }
}

#[test]
fn a_paused_game_takes_no_moves_until_it_is_resumed() {
    let mut table = day_with(Rules::classic(), Phase::DayVoting, "p1 p2 p4 p5");
    assert_eq!(table.order(Order::Resume), [""; 0], "it runs");
    assert_eq!(table.order(Order::Pause), ["GAME_PAUSED"]);
    assert_eq!(table.order(Order::Pause), [""; 0]);
    assert_eq!(table.refused(Seat(0), &vote("p2")), "PAUSED");
    assert!(table.awaited().is_empty());
    assert_eq!(table.order(Order::Resume), ["GAME_RESUMED"]);
    table.act(p("p1"), vote("p2"));
}

#[test]
fn a_game_called_off_is_over_and_won_by_nobody() {
    let mut table = Table::new(Rules::classic());
    let off = Order::CallOff { reason: "supper".to_owned() };
    assert_eq!(table.order(off.clone()), ["PHASE_CHANGED", "GAME_ENDED"]);
    assert_eq!(table.order(off), [""; 0]);
    let ended = table.state.board.ended.as_deref().expect("it is over");
    assert_eq!((ended.winner, ended.reason.as_deref()), (None, Some("supper")));
    assert!(Mafia::score(&table.state).winners.is_empty());
}

#[test]
fn what_the_town_learns_of_the_dead_depends_on_how_they_died() {
    let flip = Flips { vote: Flip::None, night_kill: Flip::Team };
    let mut table = night_without_p8(Rules { flip, ..Rules::classic() });
    let events = table.act(p("p8"), kill("p5"));
    let death = events.iter().find_map(|event| match event {
        Event::PlayerEliminated(death) => Some(*death),
        _ => None,
    });
    let death = death.expect("p5 dies");
    assert_eq!((death.eliminated_by, death.flip), (Fate::NightKill, Flip::Team));
    assert!(!death.flip_revealed_role);
}

#[test]
fn sealed_votes_count_like_open_ones() {
    let rules = Rules { votes: Votes::Sealed, ..Rules::classic() };
    let mut table = day_with(rules, Phase::DayVoting, "p1 p2 p4 p5");
    for voter in ["p2", "p4", "p5"] {
        let events = table.act(p(voter), vote("p1"));
        assert!(matches!(&events[0], Event::VoteCast(vote) if vote.sealed));
    }
    table.act(p("p1"), vote("p2"));
    assert!(!table.state.board.alive.contains(p("p1")));
}

#[test]
fn turns_read_back_as_they_are_written() {
    for text in ["think-night-1-p2", "say-day-12-p10", "say-day-1-2-p1", "think-vote-3-2-p4"] {
        let turn: TurnId = text.parse().expect("a turn");
        assert_eq!(turn.to_string(), text);
    }
    let turn: TurnId = "think-night-1-p2".parse().expect("a turn");
    assert_eq!((turn.kind, turn.occasion), (TurnKind::Think, Occasion::Night(1)));
    for text in
        ["", "say", "say-day-1", "sing-day-1-p1", "say-day-x-p1", "say-day-1-p0", "say-dusk-1-p1"]
    {
        assert!(text.parse::<TurnId>().is_err(), "{text}");
    }
}

/// No rules that are accepted are a dead end: the mafia's target is drawn if it
/// is silent, so that somebody dies until someone has won.
#[test]
fn whatever_the_rules_a_game_in_which_nobody_acts_ends() {
    let mut played = 0;
    for rules in every_kind_of_rules() {
        rules.check().unwrap_or_else(|refused| panic!("{rules:?}: {refused}"));
        let opening = laws::opening::<Mafia>(&rules, rules.circle(), "nobody acts");
        let (dice, mut state, mut out) = (opening.dice(), State::default(), Vec::new());
        Mafia::open(opening, &dice, &mut out);
        let mut steps = 0;
        loop {
            out.drain(..).for_each(|event| Mafia::apply(&mut state, &event));
            let Awaiting::Seats { seats, .. } = Mafia::awaiting(&state) else { break };
            let seat = seats.iter().next().expect("someone is awaited");
            let fallback = Mafia::timeout(&state, seat).expect("whoever is awaited can time out");
            Mafia::decide(&state, seat, &fallback, &dice, &mut out).expect("a fallback is legal");
            steps += 1;
            assert!(steps < 20_000, "{rules:?} do not end");
        }
        let ended = state.board.ended.as_deref().expect("it is over");
        assert!(ended.winner.is_some(), "{rules:?}");
        played += 1;
    }
    assert_eq!(played, 576);
}

fn every_kind_of_rules() -> Vec<Rules> {
    let mut every = Vec::new();
    for (players, mafia) in [(5, 1), (5, 2), (10, 3), (20, 9)] {
        for (doctor, sheriff) in [(0, 0), (1, 0), (1, 1)] {
            for tie_rule in [TieRule::Random, TieRule::None, TieRule::Revote] {
                for switches in 0..16u8 {
                    let is_on = |switch: u8| switches >> switch & 1 == 1;
                    every.push(Rules {
                        doctor,
                        sheriff,
                        tie_rule,
                        no_kill: is_on(0),
                        acknowledge: is_on(1),
                        vote_rule: if is_on(2) { VoteRule::Majority } else { VoteRule::Plurality },
                        speaking_order: match is_on(3) {
                            true => SpeakingOrder::Bidding,
                            false => SpeakingOrder::RoundRobin,
                        },
                        ..Rules::sized(players, mafia)
                    });
                }
            }
        }
    }
    every
}
