//! A person at the terminal: whole games by piped input, and nothing told that
//! the seat does not see.

mod common;

use std::collections::HashSet;

use common::*;
use serde_json::{Value, json};

/// Rules under which no Koi-Koi round ends before anyone moves.
const TAME: &str = "rounds=4,teshi=false,field_kuttsuki=false";

/// One game, played with these lines, and the log of it.
struct Sitting {
    ran: Ran,
    log: Vec<Value>,
}

fn play(args: &[&str], input: &str) -> Sitting {
    let scratch = Scratch::new();
    let file = scratch.file("game.jsonl");
    let ran = parlor_fed(&[&["play"], args, &["-o", &file]].concat(), input);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(!ran.out.contains('\x1b'), "escapes where there is no terminal");
    let verified = parlor(&["verify", &file]);
    assert_eq!(verified.code, 0, "{}", verified.err);
    let text = std::fs::read_to_string(&file).expect("the log is written");
    let log = text.lines().map(|line| serde_json::from_str(line).expect("an event")).collect();
    Sitting { ran, log }
}

impl Sitting {
    fn said(&self, sentence: &str) -> bool {
        self.ran.out.lines().any(|line| line.contains(sentence))
    }

    /// The log without the times things took.
    fn events(&self) -> Vec<(Value, Value)> {
        self.log
            .iter()
            .map(|event| (event["eventType"].clone(), event["payload"].clone()))
            .collect()
    }

    fn of_type(&self, name: &str) -> Vec<&Value> {
        let named = self.log.iter().filter(|event| event["eventType"] == name);
        named.map(|event| &event["payload"]).collect()
    }

    fn is_finished(&self) -> bool {
        let last = ["You win", "You do not win", "Nobody wins"];
        last.iter().any(|sentence| self.said(sentence))
    }
}

/// Always the first choice.
fn ones() -> String {
    "1\n".repeat(5000)
}

/// Any numbers: those that are no choice are asked for again.
fn numbers(seed: u64) -> String {
    let mut chance = Chance::new(seed);
    (0..20_000).map(|_| format!("{}\n", 1 + chance.below(6))).collect()
}

#[test]
fn every_game_is_played_to_its_end_by_its_first_choices() {
    for game in ["koikoi", "stud", "binokel", "mafia"] {
        let sitting = play(&[game, "--seed", "first"], &ones());
        assert!(sitting.is_finished(), "{game}: {}", sitting.ran.out);
        assert!(sitting.said("> 1"), "{game} asked nothing");
    }
}

#[test]
fn every_game_is_played_to_its_end_from_any_seat_by_any_choices() {
    for (game, seats, rules) in [
        ("koikoi", "random,you", "nintendo,rounds=3"),
        ("stud", "tight,you,random", "mixed,deals=6"),
        ("binokel", "simple,random,you,novice", "classic,rounds=2"),
        ("binokel", "random,you,simple", "tournament,rounds=2"),
        ("mafia", "bayes,random,you,avoid,random,bayes,avoid", "7p2m"),
    ] {
        for seed in ["spring", "autumn"] {
            let args = [game, "--seats", seats, "--rules", rules, "--seed", seed];
            let sitting = play(&args, &numbers(seed.len() as u64));
            assert!(sitting.is_finished(), "{game}: {}", sitting.ran.out);
        }
    }
}

#[test]
fn choices_of_one_moment_are_told_apart() {
    for game in ["koikoi", "stud", "binokel", "mafia"] {
        let sitting = play(&[game, "--seed", "apart"], &numbers(3));
        let mut labels = HashSet::new();
        for line in sitting.ran.out.lines() {
            match line.trim_start().split_once("  ") {
                Some((number, label)) if number.parse::<u8>().is_ok() => {
                    assert!(labels.insert(label.to_owned()), "{game}: '{label}' twice");
                }
                _ => labels.clear(),
            }
        }
    }
}

#[test]
fn a_seed_deals_the_same_cards_and_no_seed_a_fresh_game() {
    let dealt =
        |args: &[&str]| play(&[&["koikoi"], args].concat(), "q\n").of_type("RoundDealt")[0].clone();
    assert_eq!(dealt(&["--seed", "a"]), dealt(&["--seed", "a"]));
    assert_ne!(dealt(&["--seed", "a"]), dealt(&["--seed", "b"]));
    assert_ne!(dealt(&[]), dealt(&[]));
}

/// The Koi-Koi cards a line names, by their ids.
fn cards(line: &str) -> Vec<&str> {
    let words = line.split(|letter: char| !letter.is_ascii_digit());
    words.filter(|word| word.len() == 4).collect()
}

/// Every card is known from the deal, or the line that names it first tells
/// how it came to light, as the log has it.
#[test]
fn in_koi_koi_no_card_is_named_before_it_is_seen() {
    let mut came_to_light = 0;
    for seed in ["1", "2", "3", "4", "5"] {
        let sitting = play(&["koikoi", "--seed", seed, "--rules", TAME], &numbers(7));
        let mut deals = sitting.of_type("RoundDealt").into_iter();
        let shown: Vec<&str> = sitting
            .log
            .iter()
            .filter(|event| match event["eventType"].as_str() {
                Some("HandPlayed") => event["payload"]["seat"] == 1,
                Some("CardFlipped" | "ChoiceOffered") => true,
                _ => false,
            })
            .map(|event| event["payload"]["card"].as_str().expect("a card"))
            .collect();
        let mut shown = shown.into_iter();
        let mut known: HashSet<&str> = HashSet::new();
        let (told, _) = sitting.ran.out.rsplit_once("The log is in").expect("where the log is");
        for line in told.lines() {
            if line.starts_with("Round ") && line.contains(" plays first") {
                let deal = deals.next().expect("a deal");
                let open = [&deal["hands"][0], &deal["field"]];
                let open = open.into_iter().flat_map(|cards| cards.as_array().expect("cards"));
                known = open.map(|card| card.as_str().expect("a card")).collect();
            }
            let tells = ["greedy plays ", "greedy lays ", "The pile gives "];
            if tells.iter().any(|start| line.starts_with(start)) && !cards(line).is_empty() {
                let card = cards(line)[0];
                assert_eq!(Some(card), shown.next(), "{line}");
                came_to_light += 1;
                known.insert(card);
            }
            for card in cards(line) {
                assert!(known.contains(card), "{card} is hidden, but told: {line}");
            }
        }
        assert_eq!((deals.count(), shown.count()), (0, 0), "all of it was told");
    }
    assert!(came_to_light > 200, "{came_to_light}");
}

/// The person is a villager here, who learns a role only with its flip.
#[test]
fn in_mafia_no_role_is_named_before_its_flip() {
    let (mut villagers, mut flips) = (0, 0);
    for seed in 0..12 {
        let sitting = play(&["mafia", "--seed", &format!("town {seed}")], &ones());
        let roles = sitting.log[0]["payload"]["initialRoles"].as_array().expect("roles");
        if roles[0]["role"] != "villager" {
            continue;
        }
        villagers += 1;
        let (before, after) = sitting.ran.out.split_once("THE END").expect("an end");
        let town = before.lines().find(|line| line.starts_with("A town of ")).expect("a town");
        assert_eq!(town.matches('(').count(), 1, "only the own role: {town}");
        let mut flipped = HashSet::new();
        for line in before.lines().filter(|line| *line != town).skip(2) {
            assert!(!line.starts_with("    ["), "what only some may see: {line}");
            let epitaph = line.strip_suffix('.').and_then(|line| line.split_once(" was "));
            if let Some((name, _)) = epitaph {
                flipped.insert(name.to_owned());
                flips += 1;
                continue;
            }
            let words: Vec<&str> = line.split_whitespace().collect();
            if let [id, name, role, ..] = words[..]
                && id.strip_prefix('p').is_some_and(|place| place.parse::<u8>().is_ok())
            {
                let known = name == "Ada" || flipped.contains(name);
                assert_eq!(role != "?", known, "{line}");
            } else {
                let named = ["mafia", "doctor", "sheriff", "villager"];
                assert!(!named.iter().any(|role| line.contains(role)), "{line}");
            }
        }
        assert!(after.contains("The mafia: "), "the end tells it");
    }
    assert!(villagers > 2 && flips > villagers, "{villagers} villagers, {flips} flips");
}

#[test]
fn in_stud_down_cards_stay_closed_until_they_are_shown() {
    let sitting = play(&["stud", "--seed", "down", "--rules", "deals=20"], &ones());
    let mut deals = sitting.of_type("DEAL_CARDS_3RD").into_iter();
    let mut closed: Vec<String> = Vec::new();
    let mut looked = 0;
    for line in sitting.ran.out.lines() {
        if line.starts_with("Third street: ") {
            let down = deals.next().expect("a deal")["hands"][1]["down"].clone();
            closed = serde_json::from_value(down).expect("two cards");
        } else if line.contains(" shows ") || line.starts_with("No more bets") {
            closed.clear();
        }
        for card in &closed {
            looked += 1;
            assert!(!line.split([' ', '[', ']']).any(|word| word == card), "{card}: {line}");
        }
    }
    assert!(looked > 500, "{looked}");
}

/// The other hand is known as far as it is melded and played, and the dabb to
/// whoever won it: so is it told.
#[test]
fn in_binokel_no_card_is_named_before_it_is_seen() {
    let mut came_to_light = 0;
    for seed in ["1", "2", "3", "4", "5", "6", "7", "8", "9"] {
        let args = ["binokel", "--seed", seed, "--rules", "rounds=3", "--seats", "you,simple"];
        let sitting = play(&args, &numbers(11));
        let theirs = |name| {
            let all = sitting.of_type(name).into_iter();
            all.filter(|payload| payload["playerIndex"] == 1)
        };
        let (mut deals, mut dabb) = (sitting.of_type("CARDS_DEALT").into_iter(), Value::Null);
        let (mut melds, mut plays) = (theirs("MELDS_DECLARED"), theirs("CARD_PLAYED"));
        let mut known: HashSet<String> = HashSet::new();
        let strings =
            |cards: &Value| serde_json::from_value::<Vec<String>>(cards.clone()).expect("cards");
        // The last trick, which was open, stays on the table over the next deal.
        let out = sitting.ran.out.lines().filter(|line| !line.starts_with("Last trick "));
        for line in out {
            if line.starts_with("Dealt: ") {
                let deal = deals.next().expect("a deal");
                known = strings(&deal["hands"]["0"]).into_iter().collect();
                dabb = deal["dabb"].clone();
            } else if line.starts_with("Guest wins the bidding") {
                known.extend(strings(&dabb));
            } else if line.starts_with("simple melds") || line.starts_with("simple has nothing") {
                known.extend(strings(&melds.next().expect("melds")["cards"]));
            } else if let Some(card) = line.strip_prefix("simple plays ") {
                assert_eq!(plays.next().expect("a play")["card"], card);
                came_to_light += u32::from(known.insert(card.to_owned()));
            }
            for word in line.split(' ').filter(|word| word.ends_with("-0") || word.ends_with("-1"))
            {
                assert!(known.contains(word), "{word} is hidden, but told: {line}");
            }
        }
        assert_eq!((deals.count(), melds.count(), plays.count()), (0, 0, 0), "all of it was told");
    }
    assert!(came_to_light > 20, "{came_to_light}");
}

#[test]
fn wrong_input_is_answered_and_changes_nothing() {
    let args = ["koikoi", "--seed", "wrong", "--rules", TAME];
    let straight = play(&args, &ones());
    let wrong = "0\n99\n-1\nfly\n\n1 2\n?\nrules\nlog\n\u{7}\u{1b}[2J\n";
    let crooked = play(&args, &format!("{wrong}1\n").repeat(400));
    assert_eq!(straight.events(), crooked.events());
    for sentence in [
        "'0' is none of the choices: enter a number from 1 to 8",
        "'99' is none of the choices",
        "'fly' is none of the choices",
        "nothing was entered",
        "'[2J' is none of the choices",
        "leave the game",
        "rounds = 4: the match ends after this many rounds",
    ] {
        assert!(crooked.said(sentence), "{sentence}");
    }
}

#[test]
fn leaving_and_the_end_of_input_are_no_mistakes() {
    for game in ["koikoi", "stud", "binokel", "mafia"] {
        for input in ["", "q\n", "1\nq\n1\n", "1", "\u{fffd}"] {
            let sitting = play(&[game, "--seed", "short"], input);
            assert!(sitting.said("You leave the game before its end."), "{}", sitting.ran.out);
            assert!(!sitting.is_finished());
        }
    }
}

#[test]
fn in_binokel_any_bid_and_any_cards_can_be_entered() {
    let input =
        "bid 205\n205\nbid 400\nbid 9000\n1\nlay 1 2\nlay 1 1 2 3 4 5\nlay 99\n7 9 11 13 15 17\n";
    let sitting = play(&["binokel", "--seed", "bids", "--rules", "opener_may_pass=true"], input);
    assert!(sitting.said("a bid is a multiple of ten"), "{}", sitting.ran.out);
    let bids = sitting.of_type("BID_PLACED");
    assert!(bids.iter().any(|bid| bid["amount"] == 400), "{}", sitting.ran.out);
    assert!(sitting.said("exactly 6 cards are laid away"), "{}", sitting.ran.out);
    assert!(sitting.said("'lay 1 1 2 3 4 5' is none of the choices"), "{}", sitting.ran.out);
    let hand: Vec<String> = places(&sitting.ran.out);
    let named: Vec<Value> = [7, 9, 11, 13, 15, 17].map(|place| json!(hand[place - 1])).to_vec();
    let laid = sitting.of_type("CARDS_DISCARDED")[0].to_string();
    assert!(named.iter().all(|card| laid.contains(&card.to_string())), "{laid}: {named:?}");

    let names = hand[..6].iter().map(|id| id.rsplit_once('-').expect("a copy").0);
    let names = names.collect::<Vec<_>>().join(" ");
    let input = input.replace("7 9 11 13 15 17", &format!("lay away {names}"));
    let sitting = play(&["binokel", "--seed", "bids", "--rules", "opener_may_pass=true"], &input);
    let laid = sitting.of_type("CARDS_DISCARDED")[0].to_string();
    for name in names.split(' ') {
        assert!(laid.contains(name), "{laid}: {name}");
    }
}

/// The cards in hand, as they are counted out to be laid away.
fn places(out: &str) -> Vec<String> {
    let line = out.lines().find(|line| line.contains("by their places")).expect("the places");
    let (_, places) = line.rsplit_once(": ").expect("cards");
    let card = |place: &str| place.split_once(' ').expect("a place").1.to_owned();
    places.split(" · ").map(card).collect()
}

#[test]
fn in_mafia_what_is_entered_while_speaking_is_said() {
    let seats = "bayes,you,random,random,random,random,random";
    let args = ["mafia", "--seats", seats, "--rules", "7p2m", "--name", "Zoe", "--seed", "talk"];
    let sitting = play(&args, &"2\nI trust nobody here.\n1\n".repeat(50));
    assert!(sitting.said("you are Zoe, with Ada, Boris, Clara, Dmitri, Elsa, Felix"));
    assert!(sitting.said("Zoe: I trust nobody here."), "{}", sitting.ran.out);
    assert!(!sitting.said("Zoe: 2"), "numbers are choices");
}

#[test]
fn what_mafiosi_whisper_stays_among_them() {
    let (mut whispered, mut refused) = (0, 0);
    for seed in 0..6 {
        let args = ["mafia", "--seed", &seed.to_string(), "--rules", "mafiaChannel=true"];
        let sitting = play(&args, "whisper Boris it is\n");
        whispered += u32::from(sitting.said("[Ada, to the mafia: Boris it is]"));
        refused += u32::from(sitting.said("'whisper Boris it is' is none of the choices"));
        assert!(!sitting.said("Ada: "), "nothing is said aloud: {}", sitting.ran.out);
    }
    assert!(whispered > 0 && refused > 0, "{whispered}, {refused}");
}

#[test]
fn in_stud_one_may_sit_out_and_come_back() {
    let sitting = play(&["stud", "--seed", "out"], "sit out\n2\n2\n2\n2\n1\n1\n");
    assert!(sitting.said("Guest sits out from the next deal on"), "{}", sitting.ran.out);
    assert!(sitting.said("1  come back"), "{}", sitting.ran.out);
    assert!(sitting.said("Guest is back for the next deal"), "{}", sitting.ran.out);
}

#[test]
fn wrong_use_exits_2_with_a_sentence() {
    let wide = "x".repeat(41);
    for (args, says) in [
        (&[][..], "GAME"),
        (&["bridge"], "games are koikoi"),
        (&["koikoi", "--seats", "greedy,greedy"], "one of the seats is for you, not none"),
        (&["koikoi", "--seats", "you,you"], "one of the seats is for you, not several"),
        (&["koikoi", "--seats", "you,ace"], "koikoi has no bot 'ace'; bots are random, greedy"),
        (&["koikoi", "--seats", "you"], "koikoi is played with 2 seats"),
        (&["stud", "--rules", "casino"], "casino"),
        (&["koikoi", "--rules", "rounds=0"], "1 to 99"),
        (&["koikoi", "--name", ""], "a name has 1 to 40 letters"),
        (&["koikoi", "--name", &wide], "a name has 1 to 40 letters"),
        (&["koikoi", "-o", "/nowhere/game.jsonl"], "/nowhere/game.jsonl cannot be written"),
    ] {
        parlor(&[&["play"], args].concat()).refused(2, says);
    }
}
