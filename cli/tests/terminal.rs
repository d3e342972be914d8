//! A person at a real terminal: the screen is the game's while it lasts, and
//! as it was afterwards.
#![cfg(target_os = "linux")]

mod common;

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use common::*;

const ENTER: &str = "\x1b[?1049h";
const LEAVE: &str = "\x1b[?1049l";
const CLEAR: &str = "\x1b[2J";
const INTERRUPT: &str = "\x03";

/// `parlor play` on a terminal that `script` keeps for it.
struct Screen {
    child: Child,
    keyboard: ChildStdin,
    shown: Arc<Mutex<Vec<u8>>>,
    watcher: JoinHandle<()>,
}

impl Screen {
    fn open(args: &str, envs: &[(&str, &str)]) -> Screen {
        let play = format!("exec {} play {args}", env!("CARGO_BIN_EXE_parlor"));
        let mut child = Command::new("script")
            .args(["-qec", &play, "/dev/null"])
            .env("SHELL", "/bin/sh")
            .env_remove("NO_COLOR")
            .envs(envs.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a terminal");
        let keyboard = child.stdin.take().expect("its keyboard");
        let mut output = child.stdout.take().expect("its screen");
        let shown = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&shown);
        let watcher = std::thread::spawn(move || {
            let mut piece = [0; 4096];
            while let Ok(read @ 1..) = output.read(&mut piece) {
                seen.lock().expect("the screen").extend_from_slice(&piece[..read]);
            }
        });
        Screen { child, keyboard, shown, watcher }
    }

    fn shown(&self) -> String {
        String::from_utf8_lossy(&self.shown.lock().expect("the screen")).into_owned()
    }

    /// Waits until this many questions were put.
    fn wait_for_question(&self, number: usize) {
        until("a question", || (self.shown().matches(CLEAR).count() >= number).then_some(()));
    }

    fn enter(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).expect("the keys are pressed");
        self.keyboard.flush().expect("the keys are pressed");
    }

    /// Waits for the end: what the game showed while it had the screen, and
    /// what stands there after it.
    fn end(mut self) -> (String, String) {
        let status = until("the end", || self.child.try_wait().expect("its status"));
        drop(self.keyboard);
        self.watcher.join().expect("all is seen");
        let shown = String::from_utf8_lossy(&self.shown.lock().expect("the screen")).into_owned();
        assert!(status.success(), "{shown}");
        let (before, during) = shown.split_once(ENTER).expect("the game takes the screen");
        assert!(!before.contains('\x1b'), "{before:?}");
        let (during, after) = during.split_once(LEAVE).expect("the game gives the screen back");
        assert!(![ENTER, LEAVE, CLEAR].iter().any(|code| after.contains(code)), "{after:?}");
        (during.to_owned(), after.to_owned())
    }
}

#[test]
fn a_game_has_the_screen_to_itself_and_leaves_its_result_on_the_one_before() {
    for game in
        ["koikoi --rules rounds=1", "stud --rules deals=2", "binokel --rules rounds=1", "mafia"]
    {
        let mut screen = Screen::open(&format!("{game} --seed first"), &[]);
        screen.wait_for_question(1);
        screen.enter(&"1\n".repeat(400));
        let (during, after) = screen.end();
        assert!(during.matches(CLEAR).count() > 3, "every question is drawn anew: {game}");
        assert!(during.contains("? help · rules · log · q leave"), "{game}");
        let outcomes = ["You win", "You do not win", "Nobody wins"];
        assert!(outcomes.iter().any(|outcome| after.contains(outcome)), "{game}: {after}");
    }
}

#[test]
fn whoever_leaves_or_interrupts_gets_the_screen_back_at_once() {
    for key in ["q\n", INTERRUPT] {
        let mut screen = Screen::open("koikoi --seed first", &[]);
        screen.wait_for_question(1);
        screen.enter("1\n");
        screen.wait_for_question(2);
        screen.enter(key);
        let (_, after) = screen.end();
        assert!(after.contains("You leave the game before its end."), "{after}");
    }
}

#[test]
fn what_is_asked_for_is_shown_below_the_same_question() {
    let mut screen = Screen::open("koikoi --seed first", &[("NO_COLOR", "1")]);
    screen.wait_for_question(1);
    for (number, (entered, shown)) in
        [("?", "leave the game"), ("rules", "rounds"), ("log", "Round 1"), ("99", "99")]
            .into_iter()
            .enumerate()
    {
        screen.enter(&format!("{entered}\n"));
        screen.wait_for_question(number + 2);
        let last = until("all of it", || {
            let all = screen.shown();
            let last = all.rsplit(CLEAR).next().unwrap_or_default().to_owned();
            last.trim_end().ends_with('>').then_some(last)
        });
        assert!(last.contains(shown), "after '{entered}': {last}");
        assert!(last.contains("  1  "), "the choices are still there: {last}");
    }
    screen.enter("q\n");
    screen.end();
}

#[test]
fn without_colours_only_the_screen_itself_is_commanded() {
    let mut screen = Screen::open("koikoi --seed first", &[("NO_COLOR", "1")]);
    screen.wait_for_question(1);
    screen.enter("1\nq\n");
    let (during, after) = screen.end();
    let commands = |text: &str| -> Vec<String> {
        text.split('\x1b').skip(1).map(|code| code.chars().take(3).collect()).collect()
    };
    for command in commands(&during) {
        assert!(["[2J", "[H", "[0m"].iter().any(|known| command.starts_with(known)), "{command:?}");
    }
    assert!(commands(&after).is_empty(), "{after:?}");
}
