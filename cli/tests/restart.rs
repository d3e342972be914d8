//! What was acknowledged stays, whatever happens to the server.

mod common;

use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use common::*;
use serde_json::{Value, json};

const TABLES: usize = 200;
const THREADS: usize = 8;
const CYCLES: usize = 6;
/// Commands acknowledged before the power goes.
const PER_CYCLE: usize = 400;

/// A command whose answer is awaited, or known.
struct Sent {
    seat: usize,
    key: String,
    command: Value,
    position: Option<u64>,
}

/// Both players of one table: Ann over a WebSocket in the protocol, Ben by
/// SSE in the contract.
struct Pair {
    table: Table,
    chance: Chance,
    heard: [Vec<Message>; 2],
    sent: Vec<Sent>,
    over: bool,
}

enum Line {
    Socket(Socket),
    Stream(Stream),
}

impl Line {
    fn next_event(&mut self) -> Option<Message> {
        match self {
            Line::Socket(socket) => socket.next_event(),
            Line::Stream(stream) => stream.next_event(),
        }
    }
}

impl Pair {
    fn sit_down(house: &House, number: usize) -> Pair {
        let table = house.two_people(&json!({ "rounds": 2, "turn_seconds": 0 }));
        let chance = Chance::new(number as u64 + 1);
        Pair { table, chance, heard: [Vec::new(), Vec::new()], sent: Vec::new(), over: false }
    }

    /// Comes back to where each left off.
    fn connect(&self, house: &House) -> [Line; 2] {
        let after = |seat: usize| Some(self.heard[seat].len() as u64);
        [
            Line::Socket(house.connect(&self.table, 0, DIALECTS[0], after(0))),
            Line::Stream(house.listen(&self.table, Some(1), DIALECTS[1], after(1))),
        ]
    }

    /// The command that has no answer yet is sent again under its key.
    fn settle(&mut self, house: &House) -> Option<u64> {
        let sent = self.sent.last_mut().filter(|sent| sent.position.is_none())?;
        let dialect = DIALECTS[sent.seat];
        let answer = house.keyed(&self.table, sent.seat, dialect, &sent.command, &sent.key).ok()?;
        if answer.status == 503 {
            return None;
        }
        sent.position = answer.with(200)["position"].as_u64();
        sent.position
    }

    /// One move of whoever is awaited. None: the server is gone.
    fn step(&mut self, house: &House, lines: &mut [Line; 2]) -> Option<()> {
        for (seat, dialect) in DIALECTS.iter().enumerate() {
            let bearer = format!("Bearer {}", self.table.token(seat)?);
            let path = self.table.path(&format!("/snapshot?dialect={dialect}"));
            let answer = house.request("GET", &path, &[("Authorization", &bearer)], b"").ok()?;
            if answer.status == 503 {
                return None;
            }
            let standing = Standing::read(&answer.with(200));
            if standing.stage == "FINISHED" {
                self.over = true;
                return Some(());
            }
            let Some(command) = standing.choose(&mut self.chance) else { continue };
            let key = format!("move {}", self.sent.len());
            self.sent.push(Sent { seat, key, command, position: None });
            let position = self.settle(house)?;
            // The sender sees what they did.
            while (self.heard[seat].len() as u64) < position {
                let message = lines[seat].next_event()?;
                self.heard[seat].push(message);
            }
        }
        Some(())
    }

    /// What was on its way when the server fell.
    fn drain(&mut self, lines: &mut [Line; 2]) {
        for (line, heard) in lines.iter_mut().zip(&mut self.heard) {
            heard.extend(std::iter::from_fn(|| line.next_event()));
        }
    }

    /// Hears the match to its end.
    fn hear_out(&mut self, lines: &mut [Line; 2]) {
        for (line, heard) in lines.iter_mut().zip(&mut self.heard) {
            while heard.last().is_none_or(|last| last.name() != "GameFinished") {
                heard.push(line.next_event().expect("the end of the match"));
            }
        }
    }

    /// Everything acknowledged is there, once.
    fn check(&self, house: &House) {
        for (seat, heard) in self.heard.iter().enumerate() {
            assert_eq!(positions(heard), (1..=heard.len() as u64).collect::<Vec<_>>());
            let mut stream = house.listen(&self.table, Some(seat), DIALECTS[seat], Some(0));
            assert_eq!(*heard, stream.take(heard.len()), "what was heard is what is stored");
        }
        let log = house.admin_log(&self.table);
        let moves = log.matches(r#""by":"seat""#).count();
        assert_eq!(moves, self.sent.len(), "every command happened once");
        assert!(self.sent.iter().all(|sent| sent.position.is_some()));
    }
}

/// After how many moves the server falls, and how.
type Fall = (usize, fn(&House));

/// Everyone plays until the server falls or, without a limit, to the end.
fn play(house: &House, pairs: &mut [Pair], fall: Option<Fall>) {
    let (acknowledged, all_here) = (AtomicUsize::new(0), Barrier::new(THREADS));
    // Matches that end before the server falls leave nothing to wait for.
    let resting = AtomicUsize::new(0);
    let share = pairs.len().div_ceil(THREADS);
    std::thread::scope(|threads| {
        for pairs in pairs.chunks_mut(share) {
            let (acknowledged, all_here, resting) = (&acknowledged, &all_here, &resting);
            threads.spawn(move || {
                let mut lines: Vec<[Line; 2]> =
                    pairs.iter().map(|pair| pair.connect(house)).collect();
                for pair in pairs.iter_mut() {
                    pair.settle(house);
                }
                all_here.wait();
                'play: while pairs.iter().any(|pair| !pair.over) {
                    for (pair, lines) in pairs.iter_mut().zip(&mut lines) {
                        if !pair.over && pair.step(house, lines).is_none() {
                            break 'play;
                        }
                        acknowledged.fetch_add(1, Ordering::Relaxed);
                    }
                }
                resting.fetch_add(1, Ordering::Relaxed);
                for (pair, lines) in pairs.iter_mut().zip(&mut lines) {
                    if fall.is_some() {
                        pair.drain(lines);
                    } else {
                        pair.hear_out(lines);
                    }
                }
            });
        }
        if let Some((commands, fall)) = fall {
            let enough = || {
                acknowledged.load(Ordering::Relaxed) >= commands
                    || resting.load(Ordering::Relaxed) == THREADS
            };
            until("enough moves", || enough().then_some(()));
            fall(house);
        }
    });
}

#[test]
fn nothing_acknowledged_is_lost_or_repeated_when_the_power_goes() {
    let mut house = House::open(&[]);
    let mut pairs: Vec<Pair> = (0..TABLES).map(|number| Pair::sit_down(&house, number)).collect();
    for cycle in 0..CYCLES {
        play(&house, &mut pairs, Some((PER_CYCLE, House::kill)));
        // Tables and connections share one thread, or many.
        house.reopen_with(&["--threads", if cycle % 2 == 0 { "4" } else { "1" }]);
        for pair in &pairs {
            // The last answer is still the answer to its key.
            let Some(sent) = pair.sent.iter().rfind(|sent| sent.position.is_some()) else {
                continue;
            };
            let dialect = DIALECTS[sent.seat];
            let again = house.keyed(&pair.table, sent.seat, dialect, &sent.command, &sent.key);
            let again = again.expect("an answer").with(200);
            assert_eq!(again["position"].as_u64(), sent.position);
        }
    }
    play(&house, &mut pairs, None);
    for pair in &pairs {
        pair.check(&house);
        let by_code = format!("/api/v1/tables/{}", pair.table.code);
        assert_eq!(house.get(&by_code, None).with(200)["status"], "finished");
    }
    assert!(house.stop().success());
    for pair in pairs.iter().step_by(TABLES / 5) {
        let verified = parlor(&["verify", "--store", &house.scratch.store(), &pair.table.id]);
        assert_eq!(verified.code, 0, "{}", verified.err);
    }
}

/// Tells a WebSocket's client to come back, and not that it was too slow.
const GOING_AWAY: u16 = 1001;

#[test]
fn a_stop_is_prompt_with_streams_open_and_loses_nothing() {
    let mut house = House::open(&[]);
    let table = house.two_people(&json!({ "rounds": 12 }));
    let mut chance = Chance::new(1);
    for _ in 0..10 {
        step(&house, &table, PROTOCOL, &mut chance);
    }
    let mut streams: Vec<Stream> =
        (0..20).map(|_| house.listen(&table, Some(0), PROTOCOL, Some(0))).collect();
    let mut sockets: Vec<Socket> =
        (0..20).map(|_| house.connect(&table, 1, CONTRACT, Some(0))).collect();
    let (by_sse, by_socket) = (streams[0].take(5), sockets[0].take(5));
    let log = house.admin_log(&table);
    let began = Instant::now();
    assert_eq!(house.stop().code(), Some(0));
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    for stream in &mut streams {
        while stream.next().is_some() {}
    }
    for socket in &mut sockets {
        assert_eq!(socket.closing_code(), Some(GOING_AWAY));
    }
    house.reopen();
    assert_eq!(house.admin_log(&table), log);
    assert_eq!(house.listen(&table, Some(0), PROTOCOL, Some(0)).take(5), by_sse);
    assert_eq!(house.connect(&table, 1, CONTRACT, Some(0)).take(5), by_socket);
}

#[test]
fn a_stop_in_the_middle_of_play_loses_nothing_acknowledged() {
    let mut house = House::open(&[]);
    let mut pairs: Vec<Pair> = (0..THREADS).map(|number| Pair::sit_down(&house, number)).collect();
    for _ in 0..3 {
        play(&house, &mut pairs, Some((40, |house| assert_eq!(house.stop().code(), Some(0)))));
        house.reopen();
    }
    play(&house, &mut pairs, None);
    pairs.iter().for_each(|pair| pair.check(&house));
}

#[test]
fn a_half_sent_request_does_not_hold_up_the_stop() {
    use std::io::Write;
    let house = House::open(&[]);
    let mut socket = std::net::TcpStream::connect(&house.address).expect("a connection");
    socket.write_all(b"POST /api/v1/tables HTTP/1.1\r\nHost: par").expect("half a request");
    house.get("/healthz", None).with(200);
    assert_eq!(house.stop().code(), Some(0));
}

#[test]
fn tables_that_wait_are_still_there_after_a_crash() {
    let mut house = House::open(&[]);
    let mut table = house.lay(&json!({ "game": "koikoi", "rules": { "rounds": 1 }, "seats": [
        { "name": "Ann", "kind": "human" }, { "kind": "human" },
    ]}));
    house.kill();
    house.reopen();
    house.join(&mut table, "Ben");
    house.kill();
    house.reopen();
    house.start(&table);
    play_out(&house, &table, PROTOCOL, &mut Chance::new(1));
}

#[test]
fn a_bot_goes_on_after_a_crash() {
    let mut house = House::open(&[]);
    let table = house.against_bot(&json!({ "rounds": 12 }));
    for round in 0..5 {
        let mut chance = Chance::new(round);
        for _ in 0..4 {
            step(&house, &table, PROTOCOL, &mut chance);
        }
        house.kill();
        house.reopen();
    }
    play_out(&house, &table, PROTOCOL, &mut Chance::new(9));
}

/// How many tables are in memory.
fn live_tables(house: &House) -> usize {
    metric(house, "parlor_live_tables")
}

fn metric(house: &House, name: &str) -> usize {
    let metrics = house.get("/metrics", Some(ADMIN)).text;
    let number = |line: &str| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok();
    metrics.lines().find_map(number).unwrap_or(0)
}

/// Waits until so many tables are in memory.
fn wait_until_live(house: &House, count: usize) {
    let began = Instant::now();
    while live_tables(house) != count {
        assert!(began.elapsed() < PATIENCE, "{} tables in memory", live_tables(house));
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Waits until no table is in memory.
fn wait_until_all_sleep(house: &House) {
    wait_until_live(house, 0);
}

#[test]
fn a_start_opens_only_the_tables_that_are_due() {
    let mut house = House::open(&[]);
    let untimed = house.two_people(&json!({ "turn_seconds": 0 }));
    let timed = house.two_people(&json!({ "turn_seconds": 300 }));
    drop(house.for_two(&json!({})));
    let bot = json!({ "name": "Rob", "kind": "bot", "bot": "random" });
    // Two bots that play by themselves, slowly: theirs is always due.
    let other = json!({ "name": "Rex", "kind": "bot", "bot": "random" });
    let bots = house.lay(&json!({ "game": "koikoi", "bot_ms": 400, "seats": [bot, other] }));
    house.stop();
    std::thread::sleep(Duration::from_millis(500));
    house.reopen();
    wait_until_live(&house, 1);
    let before = house.admin_log(&bots);
    std::thread::sleep(Duration::from_secs(1));
    assert!(house.admin_log(&bots).len() > before.len(), "the bots play on");
    assert_eq!(live_tables(&house), 1, "nobody has asked for the others");
    for table in [&untimed, &timed] {
        assert!(step(&house, table, PROTOCOL, &mut Chance::new(3)));
    }
    house.kill();
    house.reopen();
    // What happened just before a crash is looked at, and goes on.
    play_out(&house, &timed, PROTOCOL, &mut Chance::new(4));
    play_out(&house, &untimed, PROTOCOL, &mut Chance::new(5));
}

#[test]
fn a_clock_that_runs_out_after_a_restart_opens_its_table() {
    let mut house = House::open(&[]);
    let table = house.two_people(&json!({ "turn_seconds": 5 }));
    house.stop();
    house.reopen();
    assert_eq!(live_tables(&house), 0, "it is not due yet");
    // Nobody asks for it; the clock alone brings it back, and moves when
    // people have had the time to come back, too.
    wait_until_live(&house, 1);
    until("the clock runs out", || {
        house.admin_log(&table).contains(r#""by":"clock""#).then_some(())
    });
}

#[test]
fn a_table_whose_clock_has_time_leaves_the_memory_and_is_woken_again() {
    let house = House::open(&["--idle-after", "0"]);
    let timed = house.two_people(&json!({ "turn_seconds": 13 }));
    wait_until_all_sleep(&house);
    // One that leaves later and is due earlier is not forgotten over it.
    let brief = house.two_people(&json!({ "turn_seconds": 11 }));
    wait_until_all_sleep(&house);
    // Whoever reads a log wakes its table, so nobody does before.
    until("both are woken", || (metric(&house, "parlor_tables_woken_total") >= 2).then_some(()));
    for table in [&timed, &brief] {
        until("the clock runs out", || {
            house.admin_log(table).contains(r#""by":"clock""#).then_some(())
        });
    }
}

#[test]
fn a_start_waits_for_no_game_however_many_are_overdue() {
    let mut house = House::open(&[]);
    let bot = |name: &str| json!({ "name": name, "kind": "bot", "bot": "random" });
    let slow = json!({ "game": "koikoi", "bot_ms": 600, "seats": [bot("Rob"), bot("Rex")] });
    let tables: Vec<Table> = (0..60).map(|_| house.lay(&slow)).collect();
    house.kill();
    house.reopen();
    // A player who comes first is served while the others are taken up.
    let table = house.two_people(&json!({ "turn_seconds": 0 }));
    assert!(step(&house, &table, PROTOCOL, &mut Chance::new(3)));
    until("all are taken up", || (live_tables(&house) > tables.len()).then_some(()));
}

#[test]
fn a_table_nobody_uses_leaves_the_memory_and_nothing_else() {
    let house = House::open(&["--idle-after", "0"]);
    let table = house.two_people(&json!({ "rounds": 2, "turn_seconds": 0 }));
    let mut chance = Chance::new(5);
    for _ in 0..6 {
        step(&house, &table, PROTOCOL, &mut chance);
        wait_until_all_sleep(&house);
    }
    let (seat, standing) = awaited(&house, &table);
    let command = standing.choose(&mut chance).expect("a move");
    let keyed = || house.keyed(&table, seat, PROTOCOL, &command, "once").expect("an answer");
    let answer = keyed().with(200);
    let log = house.admin_log(&table);
    let known = |seat| house.listen(&table, Some(seat), PROTOCOL, Some(0));
    wait_until_all_sleep(&house);
    assert_eq!(keyed().with(200), answer, "the same key, the same answer");
    assert_eq!(house.admin_log(&table), log);
    let last = answer["position"].as_u64().expect("a position");
    let mut stream = known(seat);
    for position in 1..=last {
        let message = stream.next_event().expect("an event");
        assert_eq!(message.position, Some(position));
    }
    // Whoever listens keeps the table awake.
    std::thread::sleep(Duration::from_millis(200));
    assert!(house.get("/metrics", Some(ADMIN)).text.contains("\nparlor_live_tables 1\n"));
    drop(stream);
    wait_until_all_sleep(&house);
    play_out(&house, &table, PROTOCOL, &mut chance);
}

#[test]
fn a_table_may_stay_and_bots_may_wait_as_long_as_a_number_can_say() {
    let forever = u64::MAX.to_string();
    let flags = ["--idle-after", "--bot-pace", "--round-pause", "--inactive-after"];
    let mut settings = flags.map(|flag| [flag, forever.as_str()]).concat();
    settings.extend(["--admin-token", ADMIN]);
    let house = House::bare(&settings, &[]);
    let table = house.two_people(&json!({ "turn_seconds": 0 }));
    house.against_bot(&json!({ "first_dealer": "second" }));
    let mut chance = Chance::new(3);
    for _ in 0..4 {
        assert!(step(&house, &table, PROTOCOL, &mut chance));
    }
    assert!(house.get("/metrics", Some(ADMIN)).text.contains("\nparlor_live_tables 2\n"));
}
