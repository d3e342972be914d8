//! `parlor play`: a person at the terminal against bots.

mod terminal;

use std::fs::File;
use std::io::Write;
use std::path::Path;

use parlor_house::{GameInfo, NAME_LIMIT, PlayedGame, same_name};
use parlor_kernel::{Envelope, Opening, Seal, Seat, SeatSet, Seed, Sitting};
use serde_json::Value;

use crate::args::PlayArgs;
use crate::error::{CliError, print_line};
use crate::rules_text;
use crate::settings::unknown_game;
use crate::watch::unwritten;

use terminal::Terminal;

/// Who sits in the person's seat, in `--seats`.
const YOU: &str = "you";

/// What a person is called who has not said it.
const GUEST: &str = "Guest";

/// Plays one game, or as much of it as the person stays for.
pub fn play(args: &PlayArgs) -> Result<(), CliError> {
    let game = parlor_house::game(&args.game).ok_or_else(|| unknown_game(&args.game))?;
    let asked = args.rules.as_deref().map(rules_text::parse).transpose()?.unwrap_or(Value::Null);
    let rules = game.resolve_rules(&asked).map_err(CliError::usage)?;
    let seats = if args.seats.is_empty() { fewest(game, &rules)? } else { args.seats.clone() };
    let (place, seats) = sit_down(game, &seats, args.name.as_deref())?;
    let (game_id, seal) = match &args.seed {
        Some(name) => (format!("play-{name}"), Seal::named(name)),
        None => {
            let [a, b, c, d, ..] = *Seed::fresh().bytes();
            (format!("play-{:08x}", u32::from_be_bytes([a, b, c, d])), Seal::fresh())
        }
    };
    let file = args.output.as_deref().map(open).transpose()?;
    let me = &seats[place].name;
    let mut terminal = Terminal::open(me, heading(game, me, &seats), rules_in_words(game, &rules));
    let opening = Opening { game_id, rules: asked, seats: seats.clone().into(), seal };
    let played = game.play(opening, &mut terminal);
    terminal.close();
    let evening = played.map_err(CliError::usage)?;
    if let (Some(path), Some(mut file)) = (&args.output, file) {
        write(&mut file, &evening.log).map_err(|error| unwritten(path, &error))?;
    }
    terminal.show_end(&evening, &outcome(&evening, place, &seats))?;
    match &args.output {
        Some(path) => print_line(format_args!("The log is in {}.", path.display())),
        None => Ok(()),
    }
}

/// The person first, and bots of middling strength in as few seats as these
/// rules are played with.
fn fewest(game: &dyn GameInfo, rules: &Value) -> Result<Vec<String>, CliError> {
    let count = *game.seats(rules).map_err(CliError::usage)?.start();
    let bots = game.bots();
    let middle = game.bot_named("medium").or(bots.get(bots.len() / 2).map(|bot| bot.name));
    let mut seats = vec![middle.unwrap_or_default().to_owned(); count];
    seats[0] = YOU.to_owned();
    Ok(seats)
}

/// Who sits where, by name, and the place of the person.
fn sit_down(
    game: &dyn GameInfo,
    seats: &[String],
    name: Option<&str>,
) -> Result<(usize, Vec<Sitting>), CliError> {
    let mine: Vec<usize> =
        seats.iter().enumerate().filter(|(_, who)| *who == YOU).map(|(place, _)| place).collect();
    let [place] = mine[..] else {
        return Err(CliError::usage(format_args!(
            "one of the seats is for you, not {}; write it as --seats you,{}",
            if mine.is_empty() { "none" } else { "several" },
            game.bots().last().map_or("bot", |bot| bot.name),
        )));
    };
    let mut taken = name.map(proper_name).transpose()?.into_iter().collect::<Vec<_>>();
    let mut sitting = Vec::new();
    for (at, who) in seats.iter().enumerate() {
        let bot = (at != place).then(|| game.bot_named(who).unwrap_or(who));
        let free = || game.names().iter().find(|free| !is_taken(&taken, free));
        let called = match (bot, name) {
            (None, Some(name)) => proper_name(name)?,
            (bot, _) => {
                free().map_or_else(|| name_by_place(bot, at, seats), |name| name.to_string())
            }
        };
        taken.push(called.clone());
        let player_id = Seat(at as u8).player_id();
        sitting.push(Sitting { player_id, name: called, bot: bot.map(str::to_owned) });
    }
    Ok((place, sitting))
}

fn is_taken(taken: &[String], name: &str) -> bool {
    taken.iter().any(|other| same_name(other, name))
}

/// A bot is called what it is, with its seat where there are several of it.
fn name_by_place(bot: Option<&str>, at: usize, seats: &[String]) -> String {
    match bot {
        None => GUEST.to_owned(),
        Some(bot) if seats.len() == 2 => bot.to_owned(),
        Some(bot) => format!("{bot} {}", at + 1),
    }
}

fn proper_name(name: &str) -> Result<String, CliError> {
    let refusal = || CliError::usage(format_args!("a name has 1 to {NAME_LIMIT} letters"));
    parlor_house::proper_name(name).ok_or_else(refusal)
}

/// What is played, and against whom.
fn heading(game: &dyn GameInfo, me: &str, seats: &[Sitting]) -> String {
    let others = seats.iter().filter(|sitting| sitting.name != me);
    let others: Vec<&str> = others.map(|sitting| sitting.name.as_str()).collect();
    format!("{} · you are {me}, with {}", game.name(), others.join(", "))
}

/// The rules of this table, option by option.
fn rules_in_words(game: &dyn GameInfo, rules: &Value) -> Vec<String> {
    let guide = game.guide();
    let text = |value: &Value| match value {
        Value::String(word) => word.clone(),
        Value::Null => "none".to_owned(),
        other => other.to_string(),
    };
    let options = guide["options"].as_array().into_iter().flatten();
    let line = |option: &Value| {
        let name = option["name"].as_str()?;
        let value = rules.get(name)?;
        Some(format!("{name} = {}: {}", text(value), text(&option["meaning"])))
    };
    [format!("{}: {}", game.name(), game.about())]
        .into_iter()
        .chain(options.filter_map(line))
        .chain(["Nobody is timed here: take as long as you like.".to_owned()])
        .collect()
}

/// How it went for the person, in a sentence.
fn outcome(evening: &PlayedGame, place: usize, seats: &[Sitting]) -> String {
    let Some(winners) = evening.winners else {
        return "You leave the game before its end.".to_owned();
    };
    let me = Seat(place as u8);
    let others = names(winners, me, seats);
    match (winners.contains(me), others.as_slice()) {
        (true, []) => "You win.".to_owned(),
        (true, _) => format!("You win, with {}.", others.join(", ")),
        (false, []) => "Nobody wins.".to_owned(),
        (false, [other]) => format!("You do not win; {other} does."),
        (false, _) => format!("You do not win; {} do.", others.join(", ")),
    }
}

fn names(winners: SeatSet, me: Seat, seats: &[Sitting]) -> Vec<&str> {
    let others = winners.iter().filter(|seat| *seat != me);
    others.filter_map(|seat| Some(seats.get(seat.index())?.name.as_str())).collect()
}

/// Opened before the first card, so that no game is played for nothing; what
/// is in the file stays until there is something to put in its place.
fn open(path: &Path) -> Result<File, CliError> {
    let mut options = File::options();
    let opened = options.write(true).create(true).truncate(false).open(path);
    opened.map_err(|error| unwritten(path, &error))
}

fn write(file: &mut File, log: &[Envelope]) -> std::io::Result<()> {
    file.set_len(0)?;
    let mut file = std::io::BufWriter::new(file);
    for envelope in log {
        writeln!(file, "{}", serde_json::to_string(envelope)?)?;
    }
    file.flush()
}
