//! Looking after a store: backups, putting them back, archives, the doctor.

mod common;

use common::*;
use serde_json::json;

/// Later than any game a test plays.
const SOME_DAY: &str = "2999-01-01";

/// A server with two games that are over and one that is on.
struct Shelf {
    house: House,
    over: [Table; 2],
    running: Table,
}

impl Shelf {
    fn open() -> Shelf {
        let house = House::open(&[]);
        let over = [1, 2].map(|rounds| {
            let table = house.two_people(&json!({ "rounds": rounds, "turn_seconds": 0 }));
            play_out(&house, &table, PROTOCOL, &mut Chance::new(rounds));
            table
        });
        let running = house.two_people(&json!({ "rounds": 12, "turn_seconds": 0 }));
        for seed in 0..3 {
            step(&house, &running, PROTOCOL, &mut Chance::new(seed));
        }
        Shelf { house, over, running }
    }

    fn run(&self, args: &[&str]) -> Ran {
        parlor(&[args, &["--store", &self.house.scratch.store()]].concat())
    }

    fn file(&self, name: &str) -> String {
        self.house.scratch.file(name)
    }

    fn archive(&self, before: &str) -> Ran {
        self.run(&["archive", "--before", before, "-o", &self.file("old.jsonl.gz")])
    }

    fn listed(&self) -> Vec<String> {
        let games = self.run(&["games", "--json"]).lines();
        games.iter().map(|game| game["game_id"].as_str().expect("an id").to_owned()).collect()
    }
}

#[track_caller]
fn done(ran: &Ran) -> &str {
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    &ran.out
}

#[test]
fn a_backup_of_a_running_server_is_served_by_another() {
    let shelf = Shelf::open();
    let copy = shelf.file("copy.db");
    assert!(done(&shelf.run(&["backup", &copy])).contains("3 games"));
    shelf.run(&["backup", &copy]).refused(2, "is there already");
    // The one that was copied goes on, and the other from where it stood then.
    let before = shelf.house.admin_log(&shelf.running);
    assert!(step(&shelf.house, &shelf.running, PROTOCOL, &mut Chance::new(7)));
    let elsewhere = Scratch::new();
    let store = elsewhere.store();
    assert!(done(&parlor(&["restore", &copy, "--store", &store])).contains("checked"));
    parlor(&["restore", &copy, "--store", &store]).refused(2, "--overwrite");
    assert_eq!(parlor(&["export", &shelf.running.id, "--store", &store]).out.trim(), before.trim());
    assert!(done(&parlor(&["doctor", "--deep", "--store", &store])).contains("nothing is wrong"));
}

#[test]
fn an_upgrade_that_went_wrong_is_taken_back() {
    let mut shelf = Shelf::open();
    let copy = shelf.file("copy.db");
    done(&shelf.run(&["backup", &copy]));
    let log = shelf.house.admin_log(&shelf.running);
    assert!(step(&shelf.house, &shelf.running, PROTOCOL, &mut Chance::new(7)));
    shelf.run(&["restore", &copy, "--overwrite"]).refused(2, "held by another process");
    shelf.house.stop();
    assert!(done(&shelf.run(&["restore", &copy, "--overwrite"])).contains(".replaced"));
    shelf.house.reopen();
    assert_eq!(shelf.house.admin_log(&shelf.running), log);
    play_out(&shelf.house, &shelf.running, PROTOCOL, &mut Chance::new(9));
}

#[test]
fn finished_games_go_to_an_archive_and_come_back_to_the_byte() {
    let mut shelf = Shelf::open();
    shelf.archive(SOME_DAY).refused(2, "held by another process");
    shelf.house.stop();
    let logs: Vec<String> =
        shelf.over.iter().map(|table| shelf.run(&["export", &table.id]).out).collect();
    let running = shelf.run(&["export", &shelf.running.id]).out;

    assert!(done(&shelf.archive("2001-01-01")).contains("nothing was changed"));
    assert_eq!(shelf.listed().len(), 3);
    let out = shelf.archive(SOME_DAY);
    assert!(done(&out).contains("2 games") && out.out.contains("1 game with"), "{}", out.out);
    assert_eq!(shelf.listed(), [shelf.running.id.clone()]);
    shelf.archive(SOME_DAY).refused(2, "is there already");
    assert!(done(&shelf.run(&["doctor"])).contains("nothing is wrong"));

    let archive = shelf.file("old.jsonl.gz");
    assert_eq!(done(&parlor(&["verify", &archive])).lines().count(), 2);
    assert_eq!(done(&shelf.run(&["import", &archive])).lines().count(), 2);
    for (table, log) in shelf.over.iter().zip(&logs) {
        assert_eq!(shelf.run(&["export", &table.id]).out, *log);
    }
    assert_eq!(shelf.run(&["export", &shelf.running.id]).out, running);
    // Once more changes nothing.
    let again = shelf.run(&["import", &archive]);
    assert!(done(&again).lines().all(|line| line.contains(": 0 events read in")), "{}", again.out);
    shelf.house.reopen();
    play_out(&shelf.house, &shelf.running, PROTOCOL, &mut Chance::new(9));
}

#[test]
fn an_archive_that_cannot_be_written_leaves_the_store_as_it_is() {
    let shelf = Shelf::open();
    shelf.house.stop();
    let nowhere = shelf.file("none/old.jsonl.gz");
    let ran = shelf.run(&["archive", "--before", SOME_DAY, "-o", &nowhere]);
    ran.refused(2, "cannot be written");
    assert_eq!(shelf.listed().len(), 3);
    for day in ["yesterday", "2026-13-01", "2026-02-30", "2026-1-1", "2026-01-01-01"] {
        shelf.archive(day).refused(2, "2026-01-31");
    }
}

#[test]
fn an_archive_cut_short_or_edited_brings_nothing_in() {
    let shelf = Shelf::open();
    shelf.house.stop();
    done(&shelf.archive(SOME_DAY));
    let whole = std::fs::read(shelf.file("old.jsonl.gz")).expect("the archive");
    for end in [whole.len() / 2, whole.len() - 1] {
        let cut = shelf.house.scratch.write("cut.jsonl.gz", &whole[..end]);
        shelf.run(&["import", &cut]).refused(2, "cannot be read");
    }
    assert_eq!(shelf.listed().len(), 1);
}

#[test]
fn the_doctor_finds_a_damaged_store_and_says_what_to_do() {
    let shelf = Shelf::open();
    assert!(done(&shelf.run(&["doctor"])).contains("nothing is wrong"), "while it is in use");
    shelf.house.stop();
    let file = shelf.file("parlor.db");
    let whole = std::fs::read(&file).expect("the store");
    std::fs::write(&file, &whole[..whole.len() - 4096]).expect("written");
    shelf.run(&["doctor"]).refused(1, "restore it from a backup");
    shelf.run(&["backup", &shelf.file("copy.db")]).refused(2, "damaged");
    let none = shelf.file("none.db");
    parlor(&["doctor", "--store", &format!("sqlite:{none}")]).refused(2, "there is no store");
    parlor(&["doctor", "--store", "memory:"]).refused(2, "is kept in no file");
}
