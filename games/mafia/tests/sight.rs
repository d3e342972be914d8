//! Who sees what, row by row (`docs/contracts/mafia-events.md`).

mod common;

use common::table::{Table, all, p};
use parlor_kernel::{Game, Told, Viewer};
use parlor_mafia::{
    Action, Channel, Event, Flip, Flips, Mafia, Phase, Rules, Seen, Team, Votes, Words,
};

const TOWN: Viewer = Viewer::Public;

fn seat(id: &str) -> Viewer {
    Viewer::Seat(p(id).seat())
}

/// What a viewer sees of the last event with this name.
fn last(table: &Table, name: &str, viewer: Viewer) -> Option<Seen> {
    let event = table.events.iter().rev().find(|event| parlor_kernel::event_type(event) == name);
    table.seen(event.unwrap_or_else(|| panic!("{name} happened")), viewer)
}

fn night(rules: Rules) -> Table {
    let mut table = Table::new(rules);
    for (player, action) in [
        ("p2", Action::Kill { target: Some(p("p5")) }),
        ("p7", Action::Protect { target: p("p1") }),
        ("p6", Action::Investigate { target: p("p3") }),
        ("p3", Action::Kill { target: Some(p("p5")) }),
    ] {
        table.act(p(player), action);
    }
    table
}

fn dawn(rules: Rules) -> Table {
    let mut table = night(rules);
    table.act(p("p8"), Action::Kill { target: Some(p("p5")) });
    table
}

#[test]
fn the_beginning_shows_names_to_all_ones_own_role_and_the_mafias_team() {
    let table = Table::new(Rules::classic());
    let known = |viewer| match last(&table, "GAME_CREATED", viewer) {
        Some(Seen::GameCreated(created)) => (created.known, created.seed.is_some()),
        other => panic!("{other:?}"),
    };
    assert_eq!(known(TOWN), (all(""), false));
    assert_eq!(known(seat("p6")), (all("p6"), false));
    assert_eq!(known(seat("p2")), (all("p2 p3 p8"), false));
    assert_eq!(known(Viewer::Admin), (table.state.board.alive, true));
    let json = serde_json::to_string(&last(&table, "GAME_CREATED", TOWN)).expect("plain data");
    for secret in ["\"role\":", "\"seed\":", "salt", "stacked"] {
        assert!(!json.contains(secret), "the town reads {secret}: {json}");
    }
}

#[test]
fn a_submission_is_ones_own_and_a_kill_the_teams() {
    let table = night(Rules::classic());
    let sees = |viewer| {
        let is_shown = |event: &&Event| {
            matches!(event, Event::NightActionSubmitted(_)) && table.seen(event, viewer).is_some()
        };
        table.events.iter().filter(is_shown).count()
    };
    assert_eq!(sees(TOWN), 0);
    assert_eq!(sees(seat("p1")), 0);
    assert_eq!(sees(seat("p7")), 1);
    assert_eq!(sees(seat("p8")), 2, "a mate sees both kills");
    assert_eq!(sees(Viewer::Admin), 4);
    assert_eq!(sees(Viewer::Postmortem), 4);
}

#[test]
fn silence_is_seen_by_nobody_else() {
    let mut table = Table::new(Rules::classic());
    table.time_out(p("p2"));
    assert!(last(&table, "NIGHT_ACTION_SUBMITTED", seat("p2")).is_some());
    for viewer in [TOWN, seat("p3"), seat("p8"), seat("p1")] {
        assert_eq!(last(&table, "NIGHT_ACTION_SUBMITTED", viewer), None, "{viewer}");
        assert_eq!(last(&table, "AGENT_FAULT", viewer), None, "{viewer}");
    }
    assert_eq!(last(&table, "AGENT_FAULT", seat("p2")), None, "faults are the house's");
    assert!(last(&table, "AGENT_FAULT", Viewer::Admin).is_some());
}

#[test]
fn the_morning_shows_the_victim_and_to_doctor_and_sheriff_what_is_theirs() {
    let table = dawn(Rules::classic());
    let parts = |viewer| match last(&table, "NIGHT_RESOLVED", viewer) {
        Some(Seen::NightResolved(night)) => {
            assert_eq!(night.killed_player_id, Some(p("p5")));
            (night.protected_player_id, night.investigation_result.map(|found| found.is_mafia))
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(parts(TOWN), (None, None));
    assert_eq!(parts(seat("p2")), (None, None));
    assert_eq!(parts(seat("p7")), (Some(p("p1")), None));
    assert_eq!(parts(seat("p6")), (None, Some(true)));
    assert_eq!(parts(Viewer::Admin), (Some(p("p1")), Some(true)));
}

#[test]
fn the_sheriff_learns_with_the_morning_even_if_it_dies() {
    let mut table = night(Rules::classic());
    for mafioso in ["p2", "p3", "p8"] {
        table.act(p(mafioso), Action::Kill { target: Some(p("p6")) });
    }
    assert!(!table.state.board.alive.contains(p("p6")));
    let Some(Seen::NightResolved(night)) = last(&table, "NIGHT_RESOLVED", seat("p6")) else {
        panic!("the sheriff sees the morning");
    };
    assert!(night.investigation_result.is_some_and(|found| found.is_mafia));
}

#[test]
fn thoughts_are_ones_own() {
    let mut table = Table::new(Rules::classic());
    table.act(p("p2"), Action::think("p5 looks clever"));
    assert!(last(&table, "AGENT_THINK_STREAM", seat("p2")).is_some());
    for viewer in [TOWN, seat("p3"), seat("p1")] {
        assert_eq!(last(&table, "AGENT_THINK_STREAM", viewer), None, "{viewer}");
    }
    assert!(last(&table, "AGENT_THINK_STREAM", Viewer::Postmortem).is_some());
}

#[test]
fn words_of_the_day_are_everyones_and_of_the_night_the_mafias() {
    let mut table = Table::new(Rules { mafia_channel: true, ..Rules::classic() });
    let text = Words::from("p5 tonight");
    table.act(p("p2"), Action::Say { text, r#final: true, channel: Channel::Mafia });
    for (viewer, hears) in
        [(TOWN, false), (seat("p1"), false), (seat("p7"), false), (seat("p8"), true)]
    {
        assert_eq!(last(&table, "AGENT_SAY_STREAM", viewer).is_some(), hears, "{viewer}");
    }
    let mut table = Table::at(Rules::classic(), Phase::DayDiscussion, 1, all("p1 p2 p4"), "s");
    table.act(p("p1"), Action::say("good morning"));
    for viewer in [TOWN, seat("p2"), seat("p9"), Viewer::Admin] {
        assert!(last(&table, "AGENT_SAY_STREAM", viewer).is_some(), "{viewer}");
    }
}

#[test]
fn open_votes_are_everyones_and_sealed_ones_ones_own_until_the_close() {
    let vote = Action::Vote { target: Some(p("p2")) };
    let mut open = Table::at(Rules::classic(), Phase::DayVoting, 1, all("p1 p2 p4 p5"), "v");
    open.act(p("p1"), vote.clone());
    assert!(last(&open, "VOTE_CAST", TOWN).is_some());

    let rules = Rules { votes: Votes::Sealed, ..Rules::classic() };
    let mut table = Table::at(rules, Phase::DayVoting, 1, all("p1 p2 p4 p5"), "v");
    table.act(p("p1"), vote.clone());
    assert_eq!(last(&table, "VOTE_CAST", TOWN), None);
    assert_eq!(last(&table, "VOTE_CAST", seat("p4")), None);
    assert!(last(&table, "VOTE_CAST", seat("p1")).is_some());
    for voter in ["p4", "p5"] {
        table.act(p(voter), vote.clone());
    }
    table.act(p("p2"), Action::Vote { target: None });
    let Some(Seen::VoteResult(result)) = last(&table, "VOTE_RESULT", TOWN) else {
        panic!("everyone sees the count");
    };
    assert_eq!(result.choices.of(p("p1")).target(), Some(p("p2")));
}

#[test]
fn a_flip_shows_the_role_the_side_or_nothing() {
    for (flip, role, team) in [
        (Flip::Role, true, Some(Team::Town)),
        (Flip::Team, false, Some(Team::Town)),
        (Flip::None, false, None),
    ] {
        let flips = Flips { vote: flip, night_kill: flip };
        let table = dawn(Rules { flip: flips, ..Rules::classic() });
        let Some(Seen::PlayerEliminated(death)) = last(&table, "PLAYER_ELIMINATED", TOWN) else {
            panic!("everyone sees who died");
        };
        assert_eq!((death.role.is_some(), death.team), (role, team), "{flip:?}");
        assert_eq!(death.flip_revealed_role, role);
        let stored = table.events.iter().find(|e| matches!(e, Event::PlayerEliminated(_)));
        assert_eq!(stored.map(|event| Mafia::is_private(&table.state, event)), Some(!role));
        let Some(Seen::PlayerEliminated(death)) = last(&table, "PLAYER_ELIMINATED", Viewer::Admin)
        else {
            panic!("the house sees who died");
        };
        assert!(death.role.is_some(), "the house always sees the role");
    }
}

#[test]
fn what_is_reported_about_agents_is_the_houses() {
    let mut table = Table::new(Rules::classic());
    table.act(p("p1"), Action::Fault { reason: Words::from("no JSON") });
    table.act(p("p1"), Action::Usage(Box::default()));
    table.act(p("p1"), Action::Assign(Box::default()));
    for name in ["AGENT_FAULT", "AGENT_USAGE", "AGENT_ASSIGNED"] {
        for viewer in [TOWN, seat("p1"), seat("p2")] {
            assert_eq!(last(&table, name, viewer), None, "{viewer} {name}");
        }
        assert!(last(&table, name, Viewer::Admin).is_some());
    }
}

#[test]
fn the_end_shows_everything() {
    let mut table = Table::new(Rules::classic());
    while !table.state.board.is_over() {
        table.pass_phase();
    }
    let Some(Seen::GameEnded(ended)) = last(&table, "GAME_ENDED", TOWN) else {
        panic!("everyone sees the end");
    };
    assert_eq!(ended.cast, table.state.cast);
    let created = Mafia::opened(&table.state).expect("an opening");
    assert!(ended.opening.opens(created.seal.commitment()), "the seal is opened");
}
