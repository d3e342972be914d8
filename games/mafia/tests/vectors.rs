//! Cases worked out by hand and by other implementations.

mod common;

use std::collections::BTreeMap;

use common::table::{Table, all, p, pairs};
use parlor_kernel::{ClientMessage, Explained, MessageError, Offered, Seat};
use parlor_mafia::{
    Action, Event, Investigation, Mafia, Phase, PlayerId, Role, Rules, Team, TieRule, VoteRule,
    outcome,
};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
struct Cases {
    roster: Vec<Role>,
    night: Vec<NightCase>,
    vote: Vec<VoteCase>,
    win: Vec<WinCase>,
    refused: Vec<RefusedCase>,
    fallback: Vec<FallbackCase>,
    numbering: Vec<NumberingCase>,
    transition: Vec<TransitionCase>,
    speaking_order: Vec<OrderCase>,
    vote_change: Vec<ChangeCase>,
    vote_order: Vec<ArrivalCase>,
}

/// One player, none, or whom it is drawn from.
#[derive(Deserialize)]
#[serde(untagged)]
enum Who {
    One(Option<PlayerId>),
    OneOf(Vec<PlayerId>),
}

impl Who {
    fn allows(&self, player: Option<PlayerId>) -> bool {
        match self {
            Who::One(expected) => *expected == player,
            Who::OneOf(from) => player.is_some_and(|player| from.contains(&player)),
        }
    }

    fn answer(&self) -> Value {
        match self {
            Who::One(player) => json!(player),
            Who::OneOf(from) => json!({ "one_of": from }),
        }
    }
}

#[derive(Deserialize)]
struct NightCase {
    name: String,
    alive: String,
    last: Option<PlayerId>,
    acts: String,
    target: Who,
    killed: Who,
    protected: Option<PlayerId>,
    prevented: bool,
    found: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct VotingRules {
    vote_rule: VoteRule,
    tie_rule: TieRule,
}

#[derive(Deserialize)]
struct VoteCase {
    name: String,
    alive: String,
    rules: VotingRules,
    votes: String,
    distribution: BTreeMap<PlayerId, u8>,
    tie: bool,
    majority: bool,
    needed: usize,
    out: Who,
}

#[derive(Deserialize)]
struct WinCase {
    name: String,
    alive: String,
    winner: Option<Team>,
}

#[derive(Deserialize)]
struct RefusedCase {
    name: String,
    phase: Phase,
    alive: String,
    last: Option<PlayerId>,
    speaker: Option<PlayerId>,
    by: String,
    command: Value,
    code: String,
}

#[derive(Deserialize)]
struct FallbackCase {
    name: String,
    phase: Phase,
    alive: String,
    last: Option<PlayerId>,
    speaker: Option<PlayerId>,
    missing: String,
    drawn_from: Option<Vec<PlayerId>>,
}

#[derive(Deserialize)]
struct NumberingCase {
    edge: String,
    day: u16,
    round: u16,
}

#[derive(Deserialize)]
struct TransitionCase {
    from: Phase,
    to: Phase,
    legal: bool,
}

#[derive(Deserialize)]
struct OrderCase {
    name: String,
    day: u16,
    alive: String,
    order: String,
}

#[derive(Deserialize)]
struct ChangeCase {
    name: String,
    alive: String,
    casts: String,
    events: usize,
    r#final: String,
}

#[derive(Deserialize)]
struct ArrivalCase {
    name: String,
    alive: String,
    arrival: String,
    votes: String,
}

fn cases() -> Cases {
    let cases: Cases = serde_json::from_str(include_str!("data/cases.json")).expect("cases read");
    assert_eq!(cases.roster, common::table::ROSTER, "the tables here have the cases' roles");
    cases
}

/// A table of the cases in this phase; mornings and resolutions pass at once,
/// so nobody can act in them and the night stands for them.
fn table(phase: Phase, alive: &str, last: Option<PlayerId>, seed: &str) -> Table {
    let day = if phase == Phase::NightActions && last.is_none() { 0 } else { 1 };
    let table = Table::at(Rules::classic(), phase, day, all(alive), seed);
    match last {
        Some(last) => {
            let mut table = table.last_protected(Some(last));
            table.state.board.phase = phase;
            table
        }
        None => table,
    }
}

fn night_act(by: PlayerId, target: Option<PlayerId>) -> Action {
    let someone = || target.expect("whoever acts names someone");
    match common::table::ROSTER[by.index()] {
        Role::Mafia => Action::Kill { target },
        Role::Doctor => Action::Protect { target: someone() },
        Role::Sheriff => Action::Investigate { target: someone() },
        Role::Villager => Action::Acknowledge {},
    }
}

#[test]
fn nights() {
    for case in cases().night {
        for seed in ["a", "b", "c", "d", "e", "f"] {
            let mut table = table(Phase::NightActions, &case.alive, case.last, seed);
            for (by, target) in pairs(&case.acts) {
                table.act(by, night_act(by, target));
            }
            table.pass_phase();
            let resolved = table.events.iter().rev().find_map(|event| match event {
                Event::NightResolved(resolved) => Some(*resolved),
                _ => None,
            });
            let resolved = resolved.unwrap_or_else(|| panic!("{}: the night ends", case.name));
            let name = &case.name;
            assert!(case.killed.allows(resolved.killed_player_id), "{name}: {resolved:?}");
            assert_eq!(resolved.protected_player_id, case.protected, "{name}");
            assert_eq!(resolved.protection_prevents_kill, case.prevented, "{name}");
            let target = resolved.killed_player_id.or(case.protected.filter(|_| case.prevented));
            assert!(case.target.allows(target), "{name}: {resolved:?}");
            assert_eq!(resolved.investigation_result, case.found.as_deref().map(found), "{name}");
        }
    }
}

fn found(text: &str) -> Investigation {
    let [sheriff, target, what] = text.split_whitespace().collect::<Vec<_>>()[..] else {
        panic!("{text} is a finding");
    };
    Investigation { sheriff_id: p(sheriff), target_id: p(target), is_mafia: what == "mafia" }
}

#[test]
fn nights_are_answered_when_asked() {
    for case in cases().night {
        let roles: BTreeMap<PlayerId, Role> =
            PlayerId::all(10).zip(common::table::ROSTER).collect();
        let dead = parlor_mafia::Players::first(10).without(all(&case.alive));
        let submissions: Vec<Value> = pairs(&case.acts)
            .into_iter()
            .map(|(by, target)| json!({ "by": by, "target": target }))
            .collect();
        let question = json!({
            "roles": roles, "dead": dead, "last_protected": case.last, "submissions": submissions,
        });
        let answer = Mafia::ask("night", &question).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(answer["killed"], case.killed.answer(), "{}", case.name);
        assert_eq!(answer["protected"], json!(case.protected), "{}", case.name);
        assert_eq!(answer["prevented"], json!(case.prevented), "{}", case.name);
        let found = case.found.as_deref().map(found);
        assert_eq!(answer["investigation"], json!(found), "{}", case.name);
    }
}

#[test]
fn votes() {
    for case in cases().vote {
        let VotingRules { vote_rule, tie_rule } = case.rules;
        let rules = Rules { vote_rule, tie_rule, ..Rules::classic() };
        let mut table = Table::at(rules, Phase::DayVoting, 1, all(&case.alive), &case.name);
        for (voter, target) in pairs(&case.votes) {
            table.act(voter, Action::Vote { target });
        }
        let result = table.state.board.results.last().unwrap_or_else(|| panic!("{}", case.name));
        let name = &case.name;
        assert!(case.out.allows(result.eliminated), "{name}: {result:?}");
        assert_eq!(result.tie, case.tie, "{name}");
        assert_eq!(result.majority_reached, case.majority, "{name}");
        let record = serde_json::to_value(&**result).expect("a result is plain data");
        assert_eq!(record["voteDistribution"], json!(case.distribution), "{name}");
        assert_eq!(record["votesNeededForMajority"], json!(case.needed), "{name}");
    }
}

#[test]
fn votes_are_answered_when_asked() {
    for case in cases().vote {
        let VotingRules { vote_rule, tie_rule } = case.rules;
        let votes: BTreeMap<PlayerId, Option<PlayerId>> = pairs(&case.votes).into_iter().collect();
        let question = json!({
            "living": all(&case.alive), "votes": votes,
            "rules": { "voteRule": vote_rule, "tieRule": tie_rule },
        });
        let answer = Mafia::ask("vote", &question).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(answer["eliminated"], case.out.answer(), "{}", case.name);
        assert_eq!(answer["tie"], case.tie, "{}", case.name);
        assert_eq!(answer["majority"], case.majority, "{}", case.name);
        assert_eq!(answer["distribution"], json!(case.distribution), "{}", case.name);
    }
}

#[test]
fn wins() {
    let cast = common::table::ROSTER.into_iter().collect::<parlor_mafia::Cast>();
    for case in cases().win {
        assert_eq!(cast.winner(all(&case.alive)), case.winner, "{}", case.name);
    }
}

#[test]
fn refusals() {
    let events = &Mafia::dialects()[0];
    for case in cases().refused {
        let mut table = match case.phase {
            Phase::Setup => {
                let mut table = Table::new(Rules::classic());
                table.state = Default::default();
                table
            }
            phase => table(phase, &case.alive, case.last, "refused"),
        };
        table.state.board.speaker = case.speaker;
        let before = table.state.clone();
        // Whoever has no seat here is as far from it as the last one there is.
        let seat = case.by.parse::<PlayerId>().map_or(Seat(31), PlayerId::seat);
        let code = match events.hear(case.command.to_string().as_bytes()) {
            Ok(ClientMessage::Act(action)) => table.refused(seat, &action),
            Err(MessageError::Refused { code, .. }) => code,
            other => panic!("{}: {other:?}", case.name),
        };
        assert_eq!(code, case.code, "{}", case.name);
        assert_eq!(table.state, before, "{}", case.name);
    }
}

#[test]
fn fallbacks() {
    for case in cases().fallback {
        let mut table = table(case.phase, &case.alive, case.last, "fallback");
        table.state.board.speaker = case.speaker;
        for missing in all(&case.missing) {
            let events = table.time_out(missing);
            let name = &case.name;
            assert!(matches!(&events[0], Event::AgentFault(fault) if fault.agent_id == missing));
            match (&events[1], case.phase) {
                (Event::NightActionSubmitted(act), Phase::NightActions) => {
                    let from = case.drawn_from.as_ref().expect("it says whom from");
                    assert!(from.contains(&act.target_id.expect("someone")), "{name}");
                }
                (Event::AgentSayStream(chunk), Phase::DayDiscussion) => {
                    assert!(chunk.chunk.is_empty() && chunk.r#final, "{name}");
                    assert_ne!(table.state.board.speaker, Some(missing), "{name}");
                }
                (Event::VoteCast(vote), Phase::DayVoting) => assert_eq!(vote.target_id, None),
                (other, _) => panic!("{name}: {other:?}"),
            }
        }
        if case.phase == Phase::DayVoting {
            let result = table.state.board.results.last().expect("all have voted");
            assert!(result.eliminated.is_none() && !result.tie && !result.majority_reached);
        }
    }
}

/// Everyone lets the time pass; nobody dies but at night.
fn phases_of_a_long_game() -> Vec<parlor_mafia::PhaseChanged> {
    let mut table = Table::new(Rules::classic());
    while !table.state.board.is_over() {
        table.pass_phase();
    }
    let change = |event: &Event| match event {
        Event::PhaseChanged(change) => Some(*change),
        _ => None,
    };
    table.events.iter().filter_map(change).collect()
}

#[test]
fn numbers() {
    let changes = phases_of_a_long_game();
    for case in cases().numbering {
        let (edge, which) = case.edge.split_once(" (").expect("an edge and which");
        let (from, to) = edge.split_once("->").expect("from and to");
        let place = ["first)", "second)"].iter().position(|name| *name == which);
        let change = changes
            .iter()
            .filter(|change| json!(change.from) == from && json!(change.to) == to)
            .nth(place.expect("first or second"))
            .unwrap_or_else(|| panic!("{} happens", case.edge));
        assert_eq!((change.day_number, change.round_number), (case.day, case.round));
    }
}

#[test]
fn transitions() {
    let changes = phases_of_a_long_game();
    for case in cases().transition {
        let happens = changes.iter().any(|change| (change.from, change.to) == (case.from, case.to));
        assert_eq!(happens, case.legal, "{:?} to {:?}", case.from, case.to);
    }
}

#[test]
fn speaking_orders() {
    for case in cases().speaking_order {
        let alive = all(&case.alive);
        let mut table = Table::at(Rules::classic(), Phase::DayDiscussion, case.day, alive, "order");
        let mut order = Vec::new();
        while let Some(speaker) = table.state.board.speaker {
            order.push(speaker.to_string());
            table.act(speaker, Action::say(""));
        }
        assert_eq!(order.join(" "), case.order, "{}", case.name);
        assert_eq!(table.state.board.phase, Phase::DayVoting);
    }
}

#[test]
fn changed_votes() {
    for case in cases().vote_change {
        let alive = all(&case.alive);
        let mut table = Table::at(Rules::classic(), Phase::DayVoting, 1, alive, "change");
        let mut events = 0;
        for (voter, target) in pairs(&case.casts) {
            events += table.act(voter, Action::Vote { target }).len();
        }
        assert_eq!(events, case.events, "{}", case.name);
        for (voter, target) in pairs(&case.r#final) {
            assert_eq!(table.state.board.votes.of(voter).target(), target, "{}", case.name);
        }
    }
}

#[test]
fn votes_are_listed_in_seat_order() {
    for case in cases().vote_order {
        let alive = all(&case.alive);
        let mut table = Table::at(Rules::classic(), Phase::DayVoting, 1, alive, "arrival");
        for (voter, target) in pairs(&case.arrival) {
            table.act(voter, Action::Vote { target });
        }
        let result = table.state.board.results.last().expect("all have voted");
        let record = serde_json::to_value(&**result).expect("a result is plain data");
        let votes: Vec<String> = record["votes"]
            .as_array()
            .expect("votes")
            .iter()
            .map(|vote| {
                let id = |field: &str| vote[field].as_str().expect("an id").to_owned();
                format!("{}>{}", id("voterId"), id("targetId"))
            })
            .collect();
        assert_eq!(votes.join(" "), case.votes, "{}", case.name);
    }
}

#[test]
fn counting_agrees_with_the_game() {
    for case in cases().vote {
        let VotingRules { vote_rule, tie_rule } = case.rules;
        let rules = Rules { vote_rule, tie_rule, ..Rules::classic() };
        let mut choices = parlor_mafia::Choices::default();
        for (voter, target) in pairs(&case.votes) {
            choices.set(voter, parlor_mafia::Choice::of(target));
        }
        let counted = outcome(&rules, all(&case.alive), &choices, 1);
        assert_eq!((counted.tie, counted.majority), (case.tie, case.majority), "{}", case.name);
    }
}

#[test]
fn rules_that_cannot_be_played_are_refused() {
    let check = |asked: Value| {
        Mafia::guide()
            .resolve(&asked)
            .and_then(|rules| Mafia::check(&rules))
            .map_err(|e| e.to_string())
    };
    let config = |players, mafia, doctor, villagers| {
        json!({ "players": players, "mafia": mafia, "doctor": doctor, "sheriff": 1,
                "villagers": villagers })
    };
    check(config(10, 3, 1, 5)).expect("the classic game");
    check(json!({ "mafia": 2 })).expect("everyone else is a villager");
    check(json!({ "flip": "none" })).expect("one word for both");
    check(json!({ "flip": { "vote": "team" } })).expect("one of both");
    for (asked, why) in [
        (config(6, 3, 1, 1), "mafia"),
        (config(4, 1, 1, 1), "players"),
        (config(10, 3, -1, 7), "doctor"),
        (config(10, 3, 1, 6), "11 players"),
        (config(10, 0, 1, 8), "mafia"),
        (json!({ "doctor": 2 }), "0 or 1"),
        (json!({ "discussionRounds": 11 }), "0 to 10"),
        (json!({ "turnSeconds": 1 }), "3 to 3600"),
        (json!({ "tieRule": "duel" }), "revote"),
        (json!("11p"), "classic"),
    ] {
        let error = check(asked.clone()).expect_err("this cannot be played");
        assert!(error.contains(why), "{asked}: {error}");
    }
}
