//! A person against bots, in process: asked in words, answering in words.
//!
//! What the person is shown is made from the view of that seat alone.

use std::time::{SystemTime, UNIX_EPOCH};

use parlor_kernel::{
    Awaiting, Cause, Dice, Envelope, Log, Offered, Opening, Player, Seat, SeatSet, Sitting, Stream,
    View, Viewer,
};
use serde_json::Value;

use crate::offer::{OpenError, UnknownBot, bot_of, typed_opening};

/// What a person is asked.
pub struct Choices<'a> {
    /// What happened since the last question, a line each.
    pub told: &'a [String],
    /// The table as the person knows it.
    pub table: &'a str,
    /// What may be done, in words.
    pub options: &'a [String],
    /// What else may be entered, in a sentence.
    pub typing: Option<&'a str>,
    /// Why the last answer was none, if this is asked again for that.
    pub refused: Option<&'a str>,
}

/// A person who is asked and answers, at a terminal for instance.
pub trait Human {
    /// The number of an option, or what else the game understands; none if
    /// the person leaves.
    fn answer(&mut self, question: &Choices<'_>) -> Option<String>;
}

/// How it went.
pub struct Outcome {
    /// What happened since the last question, a line each.
    pub told: Vec<String>,
    /// The table as the person knows it at last.
    pub table: String,
    /// Who won; none if the person left before the end.
    pub winners: Option<SeatSet>,
    /// The game as it is stored.
    pub log: Vec<Envelope>,
}

/// Why it cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// Nobody to ask, or several.
    #[error("one person plays against bots, not {0}")]
    People(usize),
    /// A bot has no such name.
    #[error(transparent)]
    UnknownBot(#[from] UnknownBot),
    /// The table cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A game broke off: a law of the game does not hold.
    #[error("the game cannot go on; this is a defect, please report it with the seed")]
    Stuck,
}

pub(crate) fn play<G: Offered>(
    opening: Opening<Value>,
    person: &mut dyn Human,
) -> Result<Outcome, PlayError> {
    let mut table = Table::<G>::lay(typed_opening::<G>(opening)?)?;
    let stayed = loop {
        match G::awaiting(&table.state) {
            Awaiting::Nobody => break true,
            Awaiting::House { .. } => {
                G::proceed(&table.state, &table.dice, &mut table.log.events);
                table.settle(Cause::House);
            }
            Awaiting::Seats { seats, .. } => {
                let seat = seats.iter().next().ok_or(PlayError::Stuck)?;
                if seat != table.seat {
                    table.let_bot_act(seat)?;
                } else if !table.ask(person)? {
                    break false;
                }
            }
        }
    };
    Ok(Outcome {
        table: G::picture(table.view.knowledge()),
        winners: stayed.then(|| G::score(&table.state).winners),
        log: table.log.envelopes(&table.game_id),
        told: table.told,
    })
}

/// A bot with the view of its seat.
struct BotSeat<G: Offered> {
    player: Box<dyn Player<G>>,
    view: View<G>,
}

/// A game under way: the truth, and what each seat knows of it.
struct Table<G: Offered> {
    game_id: String,
    dice: Dice,
    state: G::State,
    log: Log<G>,
    settled: usize,
    /// None where the person sits.
    bots: Vec<Option<BotSeat<G>>>,
    bots_dice: Stream,
    seat: Seat,
    view: View<G>,
    /// What the person saw since the last question.
    told: Vec<String>,
}

impl<G: Offered> Table<G> {
    fn lay(opening: Opening<G::Rules>) -> Result<Table<G>, PlayError> {
        let people = || opening.seats.iter().filter(|sitting| sitting.bot.is_none());
        let place = opening.seats.iter().position(|sitting| sitting.bot.is_none());
        let (Some(place), 1) = (place, people().count()) else {
            return Err(PlayError::People(people().count()));
        };
        let seat = Seat(place as u8);
        let kinds = G::bots();
        let bot = |(place, sitting): (usize, &Sitting)| {
            let Some(name) = &sitting.bot else { return Ok(None) };
            let player = (bot_of(&kinds, name)?.make)();
            let view = View::new(Viewer::Seat(Seat(place as u8)));
            Ok(Some(BotSeat { player, view }))
        };
        let bots = opening.seats.iter().enumerate().map(bot).collect::<Result<_, UnknownBot>>()?;
        let mut table = Table {
            game_id: opening.game_id.clone(),
            dice: opening.dice(),
            state: G::State::default(),
            log: Log::default(),
            settled: 0,
            bots,
            bots_dice: opening.seal.dice("players").stream("bots"),
            seat,
            view: View::new(Viewer::Seat(seat)),
            told: Vec::new(),
        };
        G::open(opening, &table.dice, &mut table.log.events);
        table.settle(Cause::House);
        Ok(table)
    }

    /// Applies what just happened, in front of everyone's eyes.
    fn settle(&mut self, cause: Cause<G::Action>) {
        self.log.begin_at(self.settled, cause, now());
        for event in &self.log.events[self.settled..] {
            G::apply(&mut self.state, event);
            for bot in self.bots.iter_mut().flatten() {
                bot.view.witness(&self.state, event);
            }
            let before = self.view.knowledge().clone();
            let seen = self.view.witness(&self.state, event);
            self.told
                .extend(seen.and_then(|seen| G::narrate(&before, &seen, self.view.knowledge())));
        }
        self.settled = self.log.events.len();
    }

    fn act(&mut self, seat: Seat, action: G::Action) -> Result<(), G::Refusal> {
        G::decide(&self.state, seat, &action, &self.dice, &mut self.log.events)?;
        self.settle(Cause::Seat { seat, action });
        Ok(())
    }

    fn let_bot_act(&mut self, seat: Seat) -> Result<(), PlayError> {
        let bot = self.bots.get_mut(seat.index()).and_then(Option::as_mut);
        let bot = bot.ok_or(PlayError::Stuck)?;
        let (mut options, mut acts) = (Vec::new(), Vec::new());
        G::options(bot.view.knowledge(), &mut options);
        bot.player.act(bot.view.knowledge(), &options, &mut self.bots_dice, &mut acts);
        if acts.is_empty() {
            return Err(PlayError::Stuck);
        }
        acts.into_iter().try_for_each(|action| self.act(seat, action)).map_err(|_| PlayError::Stuck)
    }

    /// Asks until an answer can be done; false if the person leaves.
    fn ask(&mut self, person: &mut dyn Human) -> Result<bool, PlayError> {
        let knowledge = self.view.knowledge();
        let mut actions = Vec::new();
        G::options(knowledge, &mut actions);
        if actions.is_empty() {
            return Err(PlayError::Stuck);
        }
        let options: Vec<String> =
            actions.iter().map(|action| G::label(knowledge, action)).collect();
        let (table, typing) = (G::picture(knowledge), G::typing(knowledge));
        let told = std::mem::take(&mut self.told);
        let mut refused: Option<String> = None;
        loop {
            let question = Choices {
                told: &told,
                table: &table,
                options: &options,
                typing: typing.as_deref(),
                refused: refused.as_deref(),
            };
            let Some(text) = person.answer(&question) else { return Ok(false) };
            refused = match self.meant(&actions, text.trim()) {
                None => Some(not_understood(text.trim(), actions.len())),
                Some(action) => match self.act(self.seat, action) {
                    Ok(()) => return Ok(true),
                    Err(refusal) => Some(refusal.to_string()),
                },
            };
        }
    }

    fn meant(&self, actions: &[G::Action], text: &str) -> Option<G::Action> {
        let chosen = text.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let option = chosen.and_then(|place| actions.get(place)).cloned();
        option.or_else(|| G::typed(self.view.knowledge(), text))
    }
}

fn not_understood(text: &str, options: usize) -> String {
    let numbers = match options {
        1 => "enter 1".to_owned(),
        _ => format!("enter a number from 1 to {options}"),
    };
    match text {
        "" => format!("nothing was entered: {numbers}"),
        _ => format!("'{text}' is none of the choices: {numbers}"),
    }
}

/// Milliseconds since 1970; a clock before that is no reason not to play.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}
