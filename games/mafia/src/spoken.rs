//! Moves in words: how each is put to a person, and the words a person may
//! speak in their place.

use parlor_kernel::{Imagine, Opened, Outline, Spoken, Stream};

use crate::action::{Action, Channel, HIGHEST_BID};
use crate::agents::Faults;
use crate::circle::PlayerId;
use crate::event::Phase;
use crate::game::Mafia;
use crate::role::{Cast, Role};
use crate::script;
use crate::seen::Seen;
use crate::state::{Asked, Knowledge, State};

impl Spoken for Mafia {
    fn world(knowledge: &Knowledge, dice: &mut Stream) -> Option<State> {
        Some(Self::imagine(knowledge, dice))
    }

    /// By day the board tells whose turn it is, and who has bid or voted. At
    /// night it depends on who is who.
    fn outline(knowledge: &Knowledge) -> Option<Outline<State>> {
        let Some(table) = &knowledge.table else { return Some(Outline::whole(State::default())) };
        let mut cast = Cast::default();
        let mut is_cast_known = true;
        for player in table.rules.everyone() {
            match knowledge.hints[player.index()].role() {
                Some(role) => cast.set(player, role),
                None => is_cast_known = false,
            }
        }
        let board = &knowledge.board;
        let is_by_role = board.phase == Phase::NightActions && !table.rules.acknowledge;
        // The winners are told by their roles.
        if board.ended.is_some() && !is_cast_known {
            return None;
        }
        let state = State {
            opened: Some(Opened::imagined(table)),
            board: board.clone(),
            cast,
            night: knowledge.night,
            bids: knowledge.bids,
            faults: Faults { degraded: knowledge.degraded, ..Faults::default() },
            ..State::default()
        };
        Some(Outline { state, is_turn_open: is_cast_known || !is_by_role })
    }

    fn narrate(_: &Knowledge, seen: &Seen, after: &Knowledge) -> Option<String> {
        script::narrate(seen, after)
    }

    fn picture(knowledge: &Knowledge) -> String {
        script::picture(knowledge)
    }

    fn label(knowledge: &Knowledge, action: &Action) -> String {
        label(knowledge, action)
    }

    fn typing(knowledge: &Knowledge) -> Option<String> {
        match knowledge.asked()? {
            Asked::Speak => Some("anything else you enter is what you say to the town".to_owned()),
            Asked::Act if may_whisper(knowledge) => {
                Some("`whisper WORDS` is for the mafia's ears".to_owned())
            }
            _ => None,
        }
    }

    /// Numbers are never spoken, for whoever enters one means an option, and
    /// what was to be whispered is not said aloud.
    fn typed(knowledge: &Knowledge, text: &str) -> Option<Action> {
        let text = text.trim();
        match knowledge.asked()? {
            Asked::Speak if text.is_empty() || text.parse::<i64>().is_ok() => None,
            Asked::Speak if text.starts_with("whisper ") => None,
            Asked::Speak => Some(Action::say(text)),
            Asked::Act if may_whisper(knowledge) => {
                let words = text.strip_prefix("whisper ")?.trim();
                let said =
                    Action::Say { text: words.into(), r#final: true, channel: Channel::Mafia };
                (!words.is_empty()).then_some(said)
            }
            _ => None,
        }
    }
}

fn label(knowledge: &Knowledge, action: &Action) -> String {
    let who = |player: PlayerId| {
        let table = knowledge.table.as_deref();
        table.map_or_else(|| player.to_string(), |table| table.name(player).to_owned())
    };
    match action {
        Action::Kill { target: Some(target) } => format!("kill {}", who(*target)),
        Action::Kill { target: None } => "kill nobody".to_owned(),
        Action::Protect { target } => format!("protect {}", who(*target)),
        Action::Investigate { target } => format!("ask after {}", who(*target)),
        Action::Acknowledge {} => "sleep".to_owned(),
        Action::Bid { amount: 0 } => "bid 0 for the floor: rather listen".to_owned(),
        Action::Bid { amount: HIGHEST_BID } => format!("bid {HIGHEST_BID}: speak at any cost"),
        Action::Bid { amount } => format!("bid {amount} for the floor"),
        Action::Say { text, .. } if text.is_empty() => "say nothing".to_owned(),
        Action::Say { text, channel: Channel::Public, .. } => format!("say: {text}"),
        Action::Say { text, channel: Channel::Mafia, .. } => format!("whisper: {text}"),
        Action::Vote { target: Some(target) } => format!("vote for {}", who(*target)),
        Action::Vote { target: None } => "abstain".to_owned(),
        Action::Think { text, .. } => format!("think: {text}"),
        Action::FallBack { .. } => "fall back".to_owned(),
        Action::Fault { .. } | Action::Usage(_) | Action::Assign(_) => "report".to_owned(),
    }
}

fn may_whisper(knowledge: &Knowledge) -> bool {
    let channel = knowledge.table.as_deref().is_some_and(|table| table.rules.mafia_channel);
    channel && knowledge.role() == Some(Role::Mafia)
}
