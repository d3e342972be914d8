//! A person against bots, in process: asked in words, answering in words.
//!
//! What the person is shown is made from the view of that seat alone.

use std::time::{SystemTime, UNIX_EPOCH};

use parlor_kernel::{
    Awaiting, Cause, Context, Envelope, Offered, Opening, Player, Run, Seat, SeatSet, Sitting,
    Stream, View, Viewer,
};
use serde_json::Value;

use crate::error::HouseError;
use crate::offer::{bot_of, typed_opening};

/// What a person is asked.
pub struct HumanTurn<'a> {
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
    fn answer(&mut self, question: &HumanTurn<'_>) -> Option<String>;
}

/// How it went.
pub struct PlayedGame {
    /// What happened since the last question, a line each.
    pub told: Vec<String>,
    /// The table as the person knows it at last.
    pub table: String,
    /// Who won; none if the person left before the end.
    pub winners: Option<SeatSet>,
    /// The game as it is stored.
    pub log: Vec<Envelope>,
}

pub(crate) fn play<G: Offered>(
    opening: Opening<Value>,
    person: &mut dyn Human,
) -> Result<PlayedGame, HouseError> {
    let opening = typed_opening::<G>(opening)?;
    let game_id = opening.game_id.clone();
    let mut table = Table::<G>::lay(opening)?;
    let stayed = loop {
        let awaiting = table.run.proceed(&mut table.circle);
        match awaiting.first() {
            None if awaiting == Awaiting::Nobody => break true,
            None => return Err(HouseError::Stuck),
            Some(seat) if seat != table.circle.seat => table.let_bot_act(seat)?,
            Some(_) => {
                if !table.ask(person)? {
                    break false;
                }
            }
        }
    };
    let Circle { view, told, .. } = table.circle;
    let (log, state) = table.run.into_parts();
    Ok(PlayedGame {
        table: G::picture(view.knowledge()),
        winners: stayed.then(|| G::score(&state).winners),
        log: log.envelopes(&game_id),
        told,
    })
}

/// A bot with the view of its seat.
struct BotSeat<G: Offered> {
    player: Box<dyn Player<G>>,
    view: View<G>,
}

/// A game under way, and those who play it.
struct Table<G: Offered> {
    run: Run<G>,
    circle: Circle<G>,
    bots_dice: Stream,
}

/// Who plays, each with a view.
struct Circle<G: Offered> {
    /// None where the person sits.
    bots: Vec<Option<BotSeat<G>>>,
    seat: Seat,
    view: View<G>,
    /// What the person saw since the last question.
    told: Vec<String>,
}

impl<G: Offered> Context<G> for Circle<G> {
    /// A clock before 1970 is no reason not to play.
    fn now(&mut self, _: &Cause<G::Action>) -> u64 {
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
    }

    fn witness(&mut self, state: &G::State, event: &G::Event) {
        for bot in self.bots.iter_mut().flatten() {
            bot.view.witness(state, event);
        }
        let before = self.view.knowledge().clone();
        let seen = self.view.witness(state, event);
        self.told.extend(seen.and_then(|seen| G::narrate(&before, &seen, self.view.knowledge())));
    }
}

impl<G: Offered> Table<G> {
    fn lay(opening: Opening<G::Rules>) -> Result<Table<G>, HouseError> {
        let people = || opening.seats.iter().filter(|sitting| sitting.bot.is_none());
        let place = opening.seats.iter().position(|sitting| sitting.bot.is_none());
        let (Some(place), 1) = (place, people().count()) else {
            return Err(HouseError::People(people().count()));
        };
        let seat = Seat(place as u8);
        let kinds = G::bots();
        let bot = |(place, sitting): (usize, &Sitting)| {
            let Some(name) = &sitting.bot else { return Ok(None) };
            let player = (bot_of(&kinds, name)?.make)();
            let view = View::new(Viewer::Seat(Seat(place as u8)));
            Ok(Some(BotSeat { player, view }))
        };
        let bots = opening.seats.iter().enumerate().map(bot).collect::<Result<_, HouseError>>()?;
        let view = View::new(Viewer::Seat(seat));
        let mut table = Table {
            run: Run::new(opening.dice()),
            circle: Circle { bots, seat, view, told: Vec::new() },
            bots_dice: opening.seal.dice("players").stream("bots"),
        };
        table.run.open(opening, &mut table.circle);
        Ok(table)
    }

    fn let_bot_act(&mut self, seat: Seat) -> Result<(), HouseError> {
        let bot = self.circle.bots.get_mut(seat.index()).and_then(Option::as_mut);
        let bot = bot.ok_or(HouseError::Stuck)?;
        let (mut options, mut acts) = (Vec::new(), Vec::new());
        G::options(bot.view.knowledge(), &mut options);
        bot.player.act(bot.view.knowledge(), &options, &mut self.bots_dice, &mut acts);
        if acts.is_empty() {
            return Err(HouseError::Stuck);
        }
        for action in acts {
            self.run.act(seat, action, &mut self.circle).map_err(|_| HouseError::Stuck)?;
        }
        Ok(())
    }

    /// Asks until an answer can be done; false if the person leaves.
    fn ask(&mut self, person: &mut dyn Human) -> Result<bool, HouseError> {
        let knowledge = self.circle.view.knowledge();
        let mut actions = Vec::new();
        G::options(knowledge, &mut actions);
        if actions.is_empty() {
            return Err(HouseError::Stuck);
        }
        let options: Vec<String> =
            actions.iter().map(|action| G::label(knowledge, action)).collect();
        let (table, typing) = (G::picture(knowledge), G::typing(knowledge));
        let told = std::mem::take(&mut self.circle.told);
        let mut refused: Option<String> = None;
        loop {
            let question = HumanTurn {
                told: &told,
                table: &table,
                options: &options,
                typing: typing.as_deref(),
                refused: refused.as_deref(),
            };
            let Some(text) = person.answer(&question) else { return Ok(false) };
            refused = match self.meant(&actions, text.trim()) {
                None => Some(not_understood(text.trim(), actions.len())),
                Some(action) => match self.run.act(self.circle.seat, action, &mut self.circle) {
                    Ok(_) => return Ok(true),
                    Err(refusal) => Some(refusal.to_string()),
                },
            };
        }
    }

    fn meant(&self, actions: &[G::Action], text: &str) -> Option<G::Action> {
        let chosen = text.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let option = chosen.and_then(|place| actions.get(place)).cloned();
        option.or_else(|| G::typed(self.circle.view.knowledge(), text))
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
