//! Answers to questions about the rules, and the fixed roles of scripts.

use std::collections::BTreeMap;

use parlor_kernel::{
    AskError, ClientMessage, Explained, MessageError, Refuse, Scripted, Stacked, read_question,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::action::{Action, Refusal};
use crate::ballot::{Choice, Choices, Verdict, majority_of, outcome};
use crate::circle::{PlayerId, Players};
use crate::event::Investigation;
use crate::game::Mafia;
use crate::night::{Aim, aim};
use crate::role::{Cast, Role};
use crate::rules::Rules;
use crate::wire;

impl Explained for Mafia {
    const QUESTIONS: &'static [&'static str] = &["night", "vote"];

    fn ask(question: &str, input: &Value) -> Result<Value, AskError> {
        match question {
            "night" => night(read_question(
                input,
                r#"{"roles":{"p1":"mafia",…},"dead":[],"last_protected"?,"submissions":[{"by":"p1","target":"p2"},…],"rules"?}"#,
            )?),
            "vote" => vote(read_question(
                input,
                r#"{"living":["p1",…],"votes":{"p1":"p2","p2":null,…},"rules"?,"ballot"?}"#,
            )?),
            _ => Err(AskError::UnknownQuestion(question.to_owned(), Self::QUESTIONS.join(", "))),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NightQuestion {
    roles: BTreeMap<PlayerId, Role>,
    #[serde(default)]
    dead: Players,
    #[serde(default)]
    last_protected: Option<PlayerId>,
    submissions: Vec<Submission>,
    #[serde(default)]
    rules: Value,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Submission {
    by: PlayerId,
    target: Option<PlayerId>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VoteQuestion {
    living: Players,
    votes: BTreeMap<PlayerId, Option<PlayerId>>,
    #[serde(default)]
    rules: Value,
    #[serde(default = "first")]
    ballot: u8,
}

const fn first() -> u8 {
    1
}

/// Only what decides the question is looked at: the roles are the question's.
fn rules(asked: &Value) -> Result<Rules, AskError> {
    let resolved = Rules::guide().resolve(asked);
    resolved.map_err(|error| AskError::BadQuestion(error.to_string()))
}

fn refused(by: PlayerId, refusal: Refusal) -> AskError {
    AskError::BadQuestion(format!("{by}: {} ({refusal})", refusal.code()))
}

/// One answer, or what it is drawn from.
fn one_of<T: Into<Value> + PartialEq>(mut answers: Vec<T>) -> Value {
    answers.dedup();
    match answers.len() {
        0 => Value::Null,
        1 => answers.remove(0).into(),
        _ => json!({ "one_of": answers.into_iter().map(Into::into).collect::<Vec<Value>>() }),
    }
}

fn id(player: Option<PlayerId>) -> Value {
    player.map_or(Value::Null, |player| json!(player))
}

fn night(question: NightQuestion) -> Result<Value, AskError> {
    let rules = rules(&question.rules)?;
    let everyone: Players = question.roles.keys().copied().collect();
    let living = everyone.without(question.dead);
    let mut cast = Cast::default();
    question.roles.iter().for_each(|(player, role)| cast.set(*player, *role));
    let mut choices = Choices::default();
    for Submission { by, target } in &question.submissions {
        let night = NightTable { cast, living, last_protected: question.last_protected, everyone };
        night.check(&rules, *by, *target).map_err(|refusal| refused(*by, refusal))?;
        choices.set(*by, Choice::of(*target));
    }
    let targets: Vec<Option<PlayerId>> = match aim(&cast, living, &choices) {
        Aim::At(target) => vec![target],
        Aim::Drawn { from, or_nobody, .. } => {
            from.iter().map(Some).chain(or_nobody.then_some(None)).collect()
        }
    };
    let legal = living.without(question.last_protected.map_or(Players::NOBODY, Players::only));
    let doctor = living.and(cast.doctor).iter().next();
    let protected = drawn_unless_chosen(doctor, &choices, legal);
    let mut nights: Vec<(Option<PlayerId>, bool)> = Vec::new();
    for target in &targets {
        for protected in &protected {
            let saved = target.is_some() && target == protected;
            nights.push((target.filter(|_| !saved), saved));
        }
    }
    let mut killed: Vec<Option<PlayerId>> = nights.iter().map(|(killed, _)| *killed).collect();
    killed.sort_by_key(|killed| killed.map_or(usize::MAX, PlayerId::index));
    let mut prevented: Vec<bool> = nights.iter().map(|(_, saved)| *saved).collect();
    prevented.sort();
    Ok(json!({
        "killed": one_of(killed.into_iter().map(id).collect()),
        "protected": one_of(protected.into_iter().map(id).collect()),
        "prevented": one_of(prevented),
        "investigation": investigation(&cast, living, &choices),
    }))
}

/// Whoever should choose and does not has a target drawn.
fn drawn_unless_chosen(
    chooser: Option<PlayerId>,
    choices: &Choices,
    legal: Players,
) -> Vec<Option<PlayerId>> {
    match chooser.map(|chooser| choices.of(chooser)) {
        None => vec![None],
        Some(Choice::On(target)) => vec![Some(target)],
        Some(Choice::Open | Choice::Nobody) => legal.iter().map(Some).collect(),
    }
}

fn investigation(cast: &Cast, living: Players, choices: &Choices) -> Value {
    let Some(sheriff_id) = living.and(cast.sheriff).iter().next() else { return Value::Null };
    let found = |target_id: Option<PlayerId>| match target_id {
        None => Value::Null,
        Some(target_id) => {
            let is_mafia = cast.mafia.contains(target_id);
            json!(Investigation { sheriff_id, target_id, is_mafia })
        }
    };
    let targets = drawn_unless_chosen(Some(sheriff_id), choices, living.but(sheriff_id));
    one_of(targets.into_iter().map(found).collect())
}

struct NightTable {
    cast: Cast,
    living: Players,
    everyone: Players,
    last_protected: Option<PlayerId>,
}

impl NightTable {
    /// What the game itself would refuse.
    fn check(&self, rules: &Rules, by: PlayerId, target: Option<PlayerId>) -> Result<(), Refusal> {
        if !self.everyone.contains(by) {
            return Err(Refusal::UnknownPlayer);
        }
        if !self.living.contains(by) {
            return Err(Refusal::NotAlive);
        }
        let role = self.cast.role(by);
        let target = match target {
            None if role == Role::Mafia && rules.no_kill => return Ok(()),
            None => return Err(Refusal::TargetMissing),
            Some(target) => target,
        };
        if !self.everyone.contains(target) {
            return Err(Refusal::UnknownTarget);
        }
        if target == by && role != Role::Doctor {
            return Err(Refusal::TargetSelf);
        }
        if !self.living.contains(target) {
            return Err(Refusal::TargetDead(target));
        }
        match role {
            Role::Villager => Err(Refusal::RoleMismatch),
            Role::Mafia if self.cast.mafia.contains(target) => Err(Refusal::TargetTeammate(target)),
            Role::Doctor if self.last_protected == Some(target) => {
                Err(Refusal::RepeatProtect(target))
            }
            Role::Mafia | Role::Doctor | Role::Sheriff => Ok(()),
        }
    }
}

fn vote(question: VoteQuestion) -> Result<Value, AskError> {
    let rules = rules(&question.rules)?;
    let living = question.living;
    let mut choices = Choices::default();
    for (voter, target) in &question.votes {
        if !living.contains(*voter) {
            return Err(refused(*voter, Refusal::NotAlive));
        }
        if let Some(target) = target {
            if target == voter {
                return Err(refused(*voter, Refusal::TargetSelf));
            }
            if !living.contains(*target) {
                return Err(refused(*voter, Refusal::TargetDead(*target)));
            }
        }
        choices.set(*voter, Choice::of(*target));
    }
    let counted = outcome(&rules, living, &choices, question.ballot);
    let (eliminated, runoff) = match counted.verdict {
        Verdict::Nobody => (Value::Null, Players::NOBODY),
        Verdict::Falls(player) => (json!(player), Players::NOBODY),
        Verdict::Drawn(tied) => (json!({ "one_of": tied }), Players::NOBODY),
        Verdict::Runoff(tied) => (Value::Null, tied),
    };
    let mut answer = json!({
        "eliminated": eliminated,
        "tie": counted.tie,
        "majority": counted.majority,
        "distribution": choices.distribution(living),
        "needed_for_majority": majority_of(living),
    });
    if !runoff.is_empty() {
        answer["runoff"] = json!(runoff);
    }
    Ok(answer)
}

impl Scripted for Mafia {
    /// Reads `roles`: a list in seating order, or an object by id.
    fn stack(script: &Map<String, Value>) -> Result<Stacked, String> {
        let Some(asked) = script.get("roles") else { return Ok(Stacked::new()) };
        let form = |error: serde_json::Error| {
            format!(
                "'roles' is a list such as [\"mafia\",\"doctor\",…], one for each seat ({error})"
            )
        };
        let roles: Vec<Role> = match asked {
            Value::Object(_) => {
                let roles = BTreeMap::<PlayerId, Role>::deserialize(asked).map_err(form)?;
                if roles.keys().zip(PlayerId::all(usize::MAX)).any(|(id, place)| *id != place) {
                    return Err("'roles' names every player from p1 on, without gaps".to_owned());
                }
                roles.into_values().collect()
            }
            _ => Vec::<Role>::deserialize(asked).map_err(form)?,
        };
        Ok([("roles".to_owned(), order_of(&roles))].into())
    }

    /// Scripts may do what clients do, and what is reported about agents.
    fn script_action(action: &Value) -> Result<Action, MessageError> {
        match Action::deserialize(action) {
            Ok(report) if report.is_report() => Ok(report),
            _ => match wire::hear(action.to_string().as_bytes())? {
                ClientMessage::Act(action) => Ok(action),
                _ => Err(MessageError::Malformed("a script takes moves only".to_owned())),
            },
        }
    }
}

/// Where each seat's role stands in the list mafia…, doctor, sheriff, villager….
fn order_of(roles: &[Role]) -> Vec<u16> {
    let mut order = vec![0; roles.len()];
    let mut place = 0;
    for role in [Role::Mafia, Role::Doctor, Role::Sheriff, Role::Villager] {
        for (seat, _) in roles.iter().enumerate().filter(|(_, given)| **given == role) {
            order[seat] = place;
            place += 1;
        }
    }
    order
}
