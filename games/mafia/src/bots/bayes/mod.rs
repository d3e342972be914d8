//! Exact inference over every possible mafia, told in sentences.
//!
//! The player believes what the public evidence and its own knowledge say, and
//! nothing else: it gets its seat's knowledge. What it keeps from one decision
//! to the next is only what it would compute again.

mod belief;
mod claims;
mod outlook;
mod speech;

use std::sync::Arc;

use parlor_kernel::{Player, Setup, Stream};

use super::pick;
use crate::action::{Action, Channel};
use crate::ballot::Choice;
use crate::circle::{PlayerId, Players};
use crate::game::Mafia;
use crate::role::Role;
use crate::rules::Rules;
use crate::state::{Asked, Knowledge};
use belief::{Belief, PrivateKnowledge, top_of};
use outlook::Outlook;

/// A mate whom the town suspects so much is given up.
const DOOMED: f64 = 0.8;

/// The player.
#[derive(Default)]
pub struct Bayes {
    belief: Option<Belief>,
}

/// What is to be done, and why.
struct Resolve {
    target: Option<PlayerId>,
    because: String,
}

impl Player<Mafia> for Bayes {
    fn choose(&mut self, knowledge: &Knowledge, options: &[Action], dice: &mut Stream) -> usize {
        let mut acts = Vec::new();
        self.act(knowledge, options, dice, &mut acts);
        let chosen = acts.last().and_then(|act| options.iter().position(|option| option == act));
        chosen.unwrap_or(0)
    }

    fn act(
        &mut self,
        knowledge: &Knowledge,
        options: &[Action],
        dice: &mut Stream,
        out: &mut Vec<Action>,
    ) {
        let (Some(table), Some(me), Some(asked)) =
            (&knowledge.table, knowledge.me(), knowledge.asked())
        else {
            return out.extend(options.first().cloned());
        };
        let seat = Thinker::new(self.believe(knowledge, table), knowledge, table, me);
        match asked {
            Asked::Act => seat.by_night(options, dice, out),
            Asked::Bid => seat.bid(out),
            Asked::Speak => seat.speak(dice, out),
            Asked::Vote => seat.vote(options, dice, out),
        }
    }
}

impl Bayes {
    /// The public evidence as it stands; what was weighed in this game before
    /// is not weighed again.
    fn believe(&mut self, knowledge: &Knowledge, table: &Arc<Setup<Rules>>) -> &Belief {
        let same_game = |belief: &Belief| Arc::ptr_eq(&belief.table, table);
        let mut belief = match self.belief.take().filter(same_game) {
            Some(belief) => belief,
            None => Belief::new(table),
        };
        belief.catch_up(knowledge);
        self.belief.insert(belief)
    }
}

/// One seat with its evidence, at one decision.
struct Thinker<'a> {
    belief: &'a Belief,
    knowledge: &'a Knowledge,
    table: &'a Setup<Rules>,
    me: PlayerId,
    role: Role,
    /// What this seat believes, knowing what it knows.
    mine: Outlook,
    /// What a plain villager in this seat would believe: what a mafioso must
    /// seem to believe, and what the town believes.
    seeming: Outlook,
}

impl<'a> Thinker<'a> {
    fn new(
        belief: &'a Belief,
        knowledge: &'a Knowledge,
        table: &'a Setup<Rules>,
        me: PlayerId,
    ) -> Thinker<'a> {
        let role = knowledge.role().unwrap_or(Role::Villager);
        let mine = belief.outlook(&PrivateKnowledge::of(knowledge));
        let seeming = if role == Role::Mafia {
            belief.outlook(&PrivateKnowledge {
                town: Players::only(me),
                ..PrivateKnowledge::default()
            })
        } else {
            mine
        };
        Thinker { belief, knowledge, table, me, role, mine, seeming }
    }

    fn others(&self) -> Players {
        self.knowledge.board.alive.but(self.me)
    }

    /// A thought ends once, also when the seat is asked again.
    fn think(&self, resolve: &Resolve, out: &mut Vec<Action>) {
        if self.knowledge.thought().is_some_and(|line| line.ended) {
            return;
        }
        let (outlook, about) = match self.role {
            Role::Mafia => (&self.seeming, "As the town sees it: "),
            _ => (&self.mine, ""),
        };
        let because = &resolve.because;
        let thought = speech::thought(outlook, self.others(), self.table, because);
        let thought = format!("{about}{thought}");
        out.extend(
            speech::sentences(&thought)
                .map(|(text, r#final)| Action::Think { text: text.into(), r#final }),
        );
    }

    /// Whom to vote for, or to accuse: the top suspect. Among equals, whom
    /// others accuse and vote for; else whom chance names.
    fn suspect(&self, among: Players, dice: &mut Stream) -> Option<PlayerId> {
        let accused = self.belief.accused();
        let board = &self.knowledge.board;
        let votes = |target: PlayerId| {
            board.voted.iter().filter(|voter| board.votes.of(*voter) == Choice::On(target)).count()
        };
        let top = self.seeming.suspects(among);
        let top = top_of(top, |suspect| f64::from(accused[suspect.index()]));
        let top = top_of(top, |suspect| votes(suspect) as f64);
        pick(top, dice)
    }

    /// Those this seat may openly stand against: a mafioso spares mates unless
    /// the town is sure of them already, or will vote them out anyway.
    fn foes(&self, among: Players) -> Players {
        let mates = self.knowledge.mafia;
        if self.role != Role::Mafia || among.and(mates).is_empty() {
            return among;
        }
        let living = self.knowledge.board.alive;
        let expected = self.belief.expected_votes(living);
        let votes = |mate: PlayerId| -> f64 {
            living.without(mates).iter().map(|voter| expected[voter.index()][mate.index()]).sum()
        };
        let doomed = |mate: &PlayerId| {
            self.seeming.mafia[mate.index()] > DOOMED || 2.0 * votes(*mate) > living.len() as f64
        };
        let given_up: Players = among.and(mates).iter().filter(doomed).collect();
        let foes = among.without(mates).or(given_up);
        if foes.is_empty() { among } else { foes }
    }

    fn by_night(&self, options: &[Action], dice: &mut Stream, out: &mut Vec<Action>) {
        let targets = self.knowledge.night_targets();
        let resolve = match self.role {
            Role::Mafia => self.victim(targets, dice),
            Role::Doctor => self.ward(targets, dice),
            Role::Sheriff => self.inquiry(targets, dice),
            Role::Villager => return out.extend(options.first().cloned()),
        };
        self.think(&resolve, out);
        let chosen = resolve.target.and_then(|target| {
            options.iter().find(|option| target_of(option) == Some(target)).cloned()
        });
        out.extend(chosen.or_else(|| options.first().cloned()));
    }

    /// The likely sheriff, then whoever the town trusts most. The mafia agrees
    /// by following whoever chose first.
    fn victim(&self, targets: Players, dice: &mut Stream) -> Resolve {
        let night = &self.knowledge.night;
        let agreed = self
            .knowledge
            .mafia
            .and(night.acted)
            .iter()
            .find_map(|mate| night.choices.of(mate).target());
        let name = |target: Option<PlayerId>| {
            target.map(|target| self.table.name(target)).unwrap_or("nobody").to_owned()
        };
        if let Some(target) = agreed.filter(|target| targets.contains(*target)) {
            let because = format!("We agreed on {} tonight.", self.table.name(target));
            return Resolve { target: Some(target), because };
        }
        let danger = |target: PlayerId| {
            2.0 * self.seeming.sheriff[target.index()] + 1.0 - self.seeming.mafia[target.index()]
        };
        let target = pick(top_of(targets, danger), dice);
        let because = format!("{} is the most dangerous to us and must die.", name(target));
        Resolve { target, because }
    }

    /// Whom the mafia would want dead: the likely sheriff, or the trusted.
    fn ward(&self, targets: Players, dice: &mut Stream) -> Resolve {
        let worth = |target: PlayerId| {
            2.0 * self.mine.sheriff[target.index()] + 1.0 - self.mine.mafia[target.index()]
        };
        let target = pick(top_of(targets, worth), dice);
        let name = target.map(|target| self.table.name(target)).unwrap_or("nobody");
        let because = format!("The mafia would gladly be rid of {name}: that is whom I guard.");
        Resolve { target, because }
    }

    /// The most suspected of those not asked after yet.
    fn inquiry(&self, targets: Players, dice: &mut Stream) -> Resolve {
        let asked: Players =
            self.knowledge.inquiries.iter().map(|inquiry| inquiry.found.target_id).collect();
        let open = if targets.without(asked).is_empty() { targets } else { targets.without(asked) };
        let target = pick(self.mine.suspects(open), dice);
        let name = target.map(|target| self.table.name(target)).unwrap_or("nobody");
        let because = format!("I want to know what {name} is.");
        Resolve { target, because }
    }

    fn vote(&self, options: &[Action], dice: &mut Stream, out: &mut Vec<Action>) {
        let board = &self.knowledge.board;
        let candidates = self.others().and(board.candidates);
        let target = self.suspect(self.foes(candidates), dice);
        let name = target.map(|target| self.table.name(target)).unwrap_or("nobody");
        let because = match self.role {
            Role::Mafia if target.is_some_and(|target| self.knowledge.mafia.contains(target)) => {
                format!("{name} is lost: voting for a mate makes me look honest.")
            }
            Role::Mafia => format!("Voting for {name} looks honest and spares my mates."),
            _ => format!("I vote for {name}."),
        };
        self.think(&Resolve { target, because }, out);
        let vote = Action::Vote { target };
        out.push(if options.contains(&vote) { vote } else { Action::Vote { target: None } });
    }

    /// Eager to speak is who has something to tell.
    fn bid(&self, out: &mut Vec<Action>) {
        let has_found = self.knowledge.inquiries.iter().any(|inquiry| {
            inquiry.found.is_mafia && self.others().contains(inquiry.found.target_id)
        });
        let has_spoken = self.belief.accusations[self.me.index()].is_some();
        let amount = match (has_found, has_spoken) {
            (true, false) => 3,
            (_, true) => 0,
            (false, false) => 1,
        };
        out.push(Action::Bid { amount });
    }

    fn speak(&self, dice: &mut Stream, out: &mut Vec<Action>) {
        let (knowledge, table) = (self.knowledge, self.table);
        if let Some(statement) = self.claim() {
            let because = match self.role {
                Role::Mafia => "I am found out: I must claim to be the sheriff myself.".to_owned(),
                _ => "It is time to say what I know.".to_owned(),
            };
            self.think(&Resolve { target: None, because }, out);
            return say(&statement, self.knowledge, out);
        }
        let target = self.suspect(self.foes(self.others()), dice);
        let Some(suspect) = target else { return out.push(Action::say("")) };
        let because = match self.role {
            Role::Mafia if knowledge.mafia.contains(suspect) => {
                format!("{} is lost: I join them against my mate.", table.name(suspect))
            }
            Role::Mafia => format!("I point at {}, one of theirs.", table.name(suspect)),
            _ => format!("I point at {}.", table.name(suspect)),
        };
        self.think(&Resolve { target, because }, out);
        let chance = self.seeming.mafia[suspect.index()];
        let joins = self.belief.accused()[suspect.index()] > 0;
        let statement = speech::accusation(knowledge, table, suspect, chance, joins);
        say(&statement, knowledge, out);
    }

    /// A sheriff who found mafia tells it all; so does one whom most accuse. A
    /// mafioso whom a sheriff names says the same of the sheriff.
    fn claim(&self) -> Option<String> {
        let inquiries = &self.knowledge.inquiries;
        let board = &self.knowledge.board;
        match self.role {
            Role::Sheriff => {
                let found = inquiries.iter().any(|inquiry| {
                    inquiry.found.is_mafia && board.alive.contains(inquiry.found.target_id)
                });
                let accused = self.belief.accused();
                let most = accused.iter().copied().max().unwrap_or(0);
                let in_danger = most >= 2 && accused[self.me.index()] == most;
                (found || in_danger).then(|| speech::findings(self.table, inquiries))
            }
            Role::Mafia if !self.belief.claimants.contains(self.me) => {
                let accuser = self.belief.claimants.and(board.alive).iter().find(|claimant| {
                    self.belief.claimed[claimant.index()].guilty.contains(self.me)
                })?;
                let lie = speech::finding(self.table, accuser, true);
                Some(format!("I am the sheriff. {lie}"))
            }
            _ => None,
        }
    }
}

/// A statement that was begun before the seat was asked again is gone on
/// with, or ended where there is no way on.
fn say(statement: &str, knowledge: &Knowledge, out: &mut Vec<Action>) {
    let rest = match knowledge.begun() {
        None => statement,
        Some(line) => statement.strip_prefix(&*line.words).unwrap_or_default(),
    };
    if rest.is_empty() {
        return out.push(Action::say(""));
    }
    out.extend(speech::sentences(rest).map(|(text, r#final)| Action::Say {
        text: text.into(),
        r#final,
        channel: Channel::Public,
    }));
}

fn target_of(option: &Action) -> Option<PlayerId> {
    match option {
        Action::Kill { target } | Action::Vote { target } => *target,
        Action::Protect { target } | Action::Investigate { target } => Some(*target),
        _ => None,
    }
}
