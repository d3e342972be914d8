//! Deals written down here, replayed by somebody else: the Python package
//! `pokerkit`, installed below the target directory. Where Python or the
//! package cannot be had, a line on standard error says so.
//!
//! pokerkit plays by slightly other rules. Deals in which that matters are
//! left out and counted, each for one of the reasons in [`LeftOut`]; all
//! others must end with the same stacks, chip by chip.

mod histories;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use histories::{loose_match, table};
use parlor_kernel::{Game, Log, Viewer};
use parlor_stud::{DealEnd, Event, Pot, State, Stud, VariantChoice, Wager, phh};
use serde_json::Value;

const PACKAGE: &str = "pokerkit==0.7.7";

/// How many deals of each variant are replayed.
const DEALS: usize = 300;

/// Why a deal is none for pokerkit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum LeftOut {
    /// Here the cap is a bet and four raises unless a table says otherwise, and an all-in for
    /// less than half a bet does not count; there it is four of any kind.
    MoreThanFourBetsOnAStreet,
    /// Here who opens for a low card that is all-in may fold; there it may not.
    FoldsInPlaceOfTheBringIn,
    /// Here others owe the whole bring-in even if it is posted short; there what was posted.
    ShortBringIn,
    /// Here an all-in of half a bet counts as a full one, and raises go by the last full bet;
    /// there it takes a full one, and raises go by the highest bet.
    BetOverAShortAllIn,
    /// There the low half of a side pot that nobody has a low in is shared among its players as
    /// soon as somebody outside has a low; here the high takes it all.
    SidePotWithoutLow,
    /// Here odd chips go one by one to the lowest seats; there all of them to the lowest.
    SeveralOddChips,
}

/// One deal for pokerkit, and what is in it.
struct Deal {
    text: String,
    all_in: bool,
    side_pot: bool,
}

/// Looks through a deal, event by event, for what pokerkit would not play.
#[derive(Default)]
struct Judge {
    bets: u32,
    short: bool,
    all_in: bool,
    side_pot: bool,
    left_out: Option<LeftOut>,
}

impl Judge {
    fn leave_out(&mut self, reason: LeftOut) {
        self.left_out = self.left_out.or(Some(reason));
    }

    fn watch(&mut self, before: &State, event: &Event) {
        match event {
            Event::StreetAdvance(_) => (self.bets, self.short) = (0, false),
            Event::Fold(_) if before.board.current_bet == 0 => {
                self.leave_out(LeftOut::FoldsInPlaceOfTheBringIn);
            }
            Event::BringIn(wager) if wager.paid < before.board.stakes.bring_in => {
                self.leave_out(LeftOut::ShortBringIn);
            }
            Event::Complete(wager) | Event::Bet(wager) | Event::Raise(wager) => {
                self.bet(before, *wager);
            }
            Event::DealEnd(end) => self.end(end),
            _ => {}
        }
        self.all_in |= before.board.active.iter().any(|seat| before.board.player(seat).stack == 0);
    }

    fn bet(&mut self, before: &State, wager: Wager) {
        let board = &before.board;
        let reached = board.player(wager.seat).committed_this_street + wager.paid;
        self.bets += 1;
        if self.bets > 4 {
            self.leave_out(LeftOut::MoreThanFourBetsOnAStreet);
        }
        if self.short {
            self.leave_out(LeftOut::BetOverAShortAllIn);
        }
        if reached < board.stakes.bring_in {
            self.leave_out(LeftOut::ShortBringIn);
        }
        self.short |= reached < board.full_bet + board.unit();
    }

    fn end(&mut self, end: &DealEnd) {
        let contested = |pot: &&Pot| pot.seats.len() > 1;
        self.side_pot = end.pots.iter().filter(contested).count() > 1;
        let hi_lo = |pot: &Pot| !pot.high.is_empty() && !pot.low.is_empty();
        let high_only = |pot: &Pot| pot.low.is_empty();
        if end.pots.iter().any(hi_lo) && end.pots.iter().filter(contested).any(high_only) {
            self.leave_out(LeftOut::SidePotWithoutLow);
        }
        for pot in &end.pots {
            let half = if hi_lo(pot) { pot.amount / 2 } else { 0 };
            let odd = |chips: u32, winners: u32| winners > 2 && chips % winners > 1;
            let high = odd(pot.amount - half, pot.high.len());
            let low = odd(if pot.high.is_empty() { pot.amount } else { half }, pot.low.len());
            if high || low {
                self.leave_out(LeftOut::SeveralOddChips);
            }
        }
    }
}

/// The deals of a match as the viewer saw them, each with its judgement.
fn judged(log: &Log<Stud>, viewer: Viewer) -> Vec<Result<Deal, LeftOut>> {
    let mut state = State::default();
    let mut judge = Judge::default();
    let mut deals = Vec::new();
    for event in &log.events {
        judge.watch(&state, event);
        Stud::apply(&mut state, event);
        if let Event::DealEnd(_) = event {
            let Judge { left_out, all_in, side_pot, .. } = std::mem::take(&mut judge);
            let text = phh::export(log, viewer, Some(state.board.deal)).expect("it was dealt");
            deals.push(left_out.map_or(Ok(Deal { text, all_in, side_pot }), Err));
        }
    }
    deals
}

/// Enough deals of a variant, and how many were left out for which reason.
fn deals_of(variant: VariantChoice) -> (Vec<Deal>, BTreeMap<LeftOut, u32>) {
    let (mut deals, mut left_out) = (Vec::new(), BTreeMap::new());
    for nth in 0.. {
        let (mut rules, seats) = table(variant, nth);
        rules.deals = Some(3);
        rules.cap = if nth % 4 == 0 { 4 } else { 3 };
        rules.muck = nth % 5 == 1;
        let viewer = if nth % 3 == 2 { Viewer::Public } else { Viewer::Admin };
        let (log, _) = loose_match(&rules, seats, &format!("pokerkit {variant:?} {nth}"));
        for deal in judged(&log, viewer) {
            match deal {
                Ok(deal) => deals.push(deal),
                Err(reason) => *left_out.entry(reason).or_default() += 1,
            }
            if deals.len() == DEALS {
                break;
            }
        }
        if deals.len() == DEALS {
            break;
        }
    }
    (deals, left_out)
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| error.to_string())?;
    let last_words = String::from_utf8_lossy(&output.stderr);
    let last_words = last_words.lines().last().unwrap_or("it says nothing").to_owned();
    if output.status.success() { Ok(()) } else { Err(last_words) }
}

/// A Python with pokerkit, installed once.
fn python() -> Result<PathBuf, String> {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(PACKAGE);
    let python = home.join("bin/python");
    let knows_it = || run(Command::new(&python).args(["-c", "import pokerkit"]));
    if knows_it().is_err() {
        run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&home))
            .map_err(|why| format!("python3 makes no environment: {why}"))?;
        let pip = ["-m", "pip", "install", "--quiet", "--retries", "1", "--timeout", "15"];
        run(Command::new(&python).args(pip).arg(PACKAGE))
            .map_err(|why| format!("pip does not install {PACKAGE}: {why}"))?;
        knows_it()?;
    }
    Ok(python)
}

/// pokerkit's answer to each of the deals.
fn replayed(python: &Path, deals: &[Deal]) -> Vec<Value> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/replay_phh.py");
    let mut child = Command::new(python)
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python was there just now");
    let mut told = child.stdin.take().expect("it listens");
    let heard = BufReader::new(child.stdout.take().expect("it speaks"));
    let answer = |line: std::io::Result<String>| {
        serde_json::from_str(&line.expect("it writes text")).expect("it answers in JSON")
    };
    let answers = std::thread::scope(|scope| {
        scope.spawn(move || {
            for deal in deals {
                // Should it stop listening, answers will be missing.
                let _ = write!(told, "{}\n{}", deal.text.len(), deal.text);
            }
        });
        heard.lines().map(answer).collect()
    });
    assert!(child.wait().expect("it ends").success(), "pokerkit's script failed");
    answers
}

/// Standard error itself: what `eprintln` says, the test runner keeps.
fn say(sentence: &str) {
    let _ = writeln!(std::io::stderr(), "pokerkit: {sentence}");
}

fn agree_on(variant: VariantChoice, python: &Path) {
    let (deals, left_out) = deals_of(variant);
    let answers = replayed(python, &deals);
    assert_eq!(answers.len(), deals.len(), "one answer for each deal");
    for (deal, answer) in deals.iter().zip(&answers) {
        assert!(answer["differs"].is_null(), "{}\n{}", answer["differs"], deal.text);
        // And the other way round: what pokerkit writes is understood here,
        // down to the stacks it names at the end.
        let written = answer["written"].as_str().expect("pokerkit writes it too");
        if let Err(refusal) = phh::import(written) {
            panic!("{refusal}\n{written}");
        }
    }
    let all_in = deals.iter().filter(|deal| deal.all_in).count();
    let side_pots = deals.iter().filter(|deal| deal.side_pot).count();
    say(&format!(
        "{variant:?}: {} deals agree, {all_in} with all-ins, {side_pots} with side pots; \
         left out {left_out:?}",
        deals.len(),
    ));
    assert!(all_in > DEALS / 5 && side_pots > DEALS / 10, "the deals are too tame");
}

#[test]
fn pokerkit_replays_our_deals_to_the_same_stacks() {
    let python = match python() {
        Ok(python) => python,
        Err(why) => return say(&format!("skipped, nothing is replayed elsewhere: {why}")),
    };
    std::thread::scope(|scope| {
        for variant in [VariantChoice::StudHi, VariantChoice::Razz, VariantChoice::Stud8] {
            let python = &python;
            scope.spawn(move || agree_on(variant, python));
        }
    });
}
