//! Whatever is sent, over every transport and in every dialect, is as the schema
//! says that the server publishes: live, resumed, as a snapshot, and what is no
//! part of the log.

mod common;

use std::collections::BTreeSet;

use common::*;
use serde_json::{Value, json};

/// So many moves show most of a game.
const MOVES: usize = 60;

/// What was heard on some stream, each message held against its schema.
struct Ear<'a> {
    schemas: Schemas<'a>,
    /// Where the messages of the stream are published, and their names.
    address: String,
    known: BTreeSet<String>,
    heard: BTreeSet<String>,
}

impl<'a> Ear<'a> {
    fn for_dialect(house: &'a House, game: &str, dialect: &str) -> Ear<'a> {
        let address = match dialect {
            "log" | "words" => format!("{game}.{dialect}"),
            own => own.to_owned(),
        };
        Ear::at(house, address)
    }

    fn at(house: &'a House, address: String) -> Ear<'a> {
        let index = house.get("/api/schemas", None).with(200);
        let known = index["dialects"][&address]["events"].as_array().expect("published names");
        let known = known.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect();
        Ear { schemas: Schemas::of(house), address, known, heard: BTreeSet::new() }
    }

    #[track_caller]
    fn hear(&mut self, message: &Value) {
        let fields = ["event", "event_type", "eventType", "type"];
        let name = fields.iter().find_map(|field| message[*field].as_str());
        match name {
            Some(name) if self.known.contains(name) => self.hear_as(name, message),
            Some("answer") => self.hear_of_sockets("answer", message),
            Some(_) if self.known.contains("Envelope") => self.hear_as("Envelope", message),
            Some(name) => panic!("{}: {name} is not published: {message}", self.address),
            // The server's own refusals have no name.
            None => self.hear_of_sockets("refusal", message),
        }
    }

    #[track_caller]
    fn hear_as(&mut self, name: &str, message: &Value) {
        self.schemas.check(&self.address, name, message);
        self.heard.insert(name.to_owned());
    }

    #[track_caller]
    fn hear_of_sockets(&mut self, name: &str, message: &Value) {
        self.schemas.check("socket", name, message);
        self.heard.insert(format!("socket {name}"));
    }

    #[track_caller]
    fn has_heard(&self, what: &[&str]) {
        let absent: Vec<_> = what.iter().filter(|name| !self.heard.contains(**name)).collect();
        assert!(absent.is_empty(), "{}: {absent:?} not among {:?}", self.address, self.heard);
    }
}

/// A table of two people and bots, begun.
fn lay(house: &House, game: &str, seats: usize) -> Table {
    let mut sitting = vec![json!({ "kind": "human", "name": "Ann" }), json!({ "kind": "human" })];
    sitting.resize(seats, json!({ "kind": "bot" }));
    let mut table = house.lay(&json!({ "game": game, "seats": sitting }));
    house.join(&mut table, "Ben");
    house.start(&table);
    table
}

/// A move that is open to the seat, in the canonical form; none if it has none.
fn an_option(house: &House, table: &Table, seat: usize, chance: &mut Chance) -> Option<Value> {
    let known = house.snapshot(table, Some(seat), "log");
    let options = known["options"].as_array().filter(|options| !options.is_empty())?;
    Some(options[chance.below(options.len())].clone())
}

fn greeting(table: &Table, seat: usize) -> Value {
    json!({ "type": "auth", "token": table.token(seat) })
}

/// Everything a socket gets until the answer under this key.
fn hear_until(ear: &mut Ear, socket: &mut Socket, key: &str) {
    loop {
        let message = socket.next().expect("the socket is open").json();
        ear.hear(&message);
        if message["idempotency_key"] == key {
            return;
        }
    }
}

fn check_game(game: &str, seats: usize) {
    let house = House::open(&[]);
    let table = lay(&house, game, seats);
    let guide = house.get(&format!("/api/v1/games/{game}"), None).with(200);
    let dialects: Vec<&str> =
        guide["dialects"].as_array().expect("dialects").iter().filter_map(Value::as_str).collect();
    let mut streams: Vec<Stream> =
        dialects.iter().map(|dialect| house.listen(&table, Some(0), dialect, Some(0))).collect();
    // The second player comes later, which the first is told.
    let mut sockets: Vec<Socket> = Vec::new();
    for dialect in &dialects {
        let mut socket = Socket::open(&house, &table, dialect).expect("the socket opens");
        socket.say(&greeting(&table, 1));
        sockets.push(socket);
    }
    play(&house, &table, &mut sockets);
    for ((dialect, stream), socket) in dialects.iter().zip(&mut streams).zip(&mut sockets) {
        let mut ear = Ear::for_dialect(&house, game, dialect);
        hear_until(&mut ear, socket, "last");
        let view = format!("/log?view=seat:0&dialect={dialect}");
        let told = house.get(&table.path(&view), table.token(0));
        assert_eq!(told.status, 200, "{}", told.text);
        let told: Vec<Value> = lines(&told.text);
        told.iter().for_each(|message| ear.hear(message));
        hear_all(&mut ear, stream, told.len() as u64);
        let middle = told.len() as u64 / 2;
        hear_all(&mut ear, &mut house.listen(&table, None, dialect, None), 0);
        let resumed = &mut house.listen(&table, Some(0), dialect, Some(middle));
        hear_all(&mut ear, resumed, told.len() as u64);
        for viewer in [Some(0), Some(1), None] {
            ear.hear(&house.snapshot(&table, viewer, dialect));
        }
        match *dialect {
            "log" => ear.has_heard(&["Envelope", "SNAPSHOT", "refusal", "presence"]),
            "words" => ear.has_heard(&["step", "snapshot", "refusal", "presence"]),
            own => assert!(ear.heard.len() >= 6, "{own}: {:?}", ear.heard),
        }
        if ["log", "words", "stud.events", "binokel.events", "mafia.events"].contains(dialect) {
            ear.has_heard(&["socket answer", "socket refusal"]);
        }
    }
}

/// Everything up to a position; at least one message.
fn hear_all(ear: &mut Ear, stream: &mut Stream, last: u64) {
    loop {
        let message = stream.next().expect("the stream is open");
        ear.hear(&message.json());
        if message.position >= Some(last) {
            return;
        }
    }
}

/// Both people play what is open to them. On the way each is refused something,
/// at last over each socket.
fn play(house: &House, table: &Table, sockets: &mut [Socket]) {
    let (mut chance, mut moves, mut refused) = (Chance::new(7), 0, 0);
    let is_over = || house.snapshot(table, None, "words")["over"] == true;
    while moves < MOVES && !is_over() {
        until("a move, or the end", || {
            let open = |seat| Some((seat, an_option(house, table, seat, &mut chance)?));
            let Some((seat, command)) = [0, 1].into_iter().find_map(open) else {
                return is_over().then_some(());
            };
            // Whoever is not asked is refused the same.
            if refused < 4 {
                let answer = house.command(table, 1 - seat, "log", &command);
                refused += u32::from([409, 422].contains(&answer.status));
            }
            let answer = house.command(table, seat, "words", &command);
            (answer.status == 200).then_some(())
        });
        moves += 1;
    }
    assert!(refused > 0, "nobody was refused");
    for socket in sockets {
        socket.say(&json!({ "nothing": "like it" }));
        socket.say(&json!({ "nothing": "like it", "idempotency_key": "last" }));
    }
}

#[test]
fn koi_koi_sends_what_is_published() {
    check_game("koikoi", 2);
}

#[test]
fn stud_sends_what_is_published() {
    check_game("stud", 3);
}

#[test]
fn binokel_sends_what_is_published() {
    check_game("binokel", 3);
}

#[test]
fn mafia_sends_what_is_published() {
    check_game("mafia", 10);
}

#[test]
fn liars_dice_sends_what_is_published() {
    check_game("dice", 3);
}

/// A socket of a room, spoken with by hand.
struct RoomSocket(Socket);

impl RoomSocket {
    fn open(house: &House, session: &str, secret: &str) -> RoomSocket {
        let socket = Socket::open_at(house, "/socket.io/?EIO=4&transport=websocket", None);
        let mut room = RoomSocket(socket.expect("the socket opens"));
        room.packet("0");
        let auth = json!({ "secretId": secret, "sessionId": session });
        room.0.say_text(&format!("40{auth}")).expect("the message is sent");
        room.packet("40");
        room
    }

    /// The next packet of this kind; pings are answered.
    fn packet(&mut self, kind: &str) -> String {
        loop {
            let text = self.0.next_text().expect("the socket is open");
            match text.strip_prefix(kind) {
                Some(rest) => return rest.to_owned(),
                None if text == "2" => self.0.say_text("3").expect("the pong is sent"),
                None => panic!("{text} in place of {kind}"),
            }
        }
    }

    fn emit(&mut self, event: &str, data: &Value) {
        self.0.say_text(&format!("42{}", json!([event, data]))).expect("the event is sent");
    }

    /// Every event up to and with the first of this name.
    fn hear_until(&mut self, ear: &mut Ear, name: &str) {
        loop {
            let event: Value = serde_json::from_str(&self.packet("42")).expect("an event");
            let heard = event[0].as_str().expect("a name");
            assert!(ear.known.contains(heard), "{heard} is not published: {event}");
            ear.hear_as(heard, &event[1]);
            if heard == name {
                return;
            }
        }
    }
}

#[test]
fn a_room_sends_what_is_published() {
    let house = House::open(&[]);
    let order = json!({ "playerCount": 2, "nickname": "Ada", "rules": { "takeover": 3 } });
    let opened = house.post("/api/sessions", None, &order).with(201);
    let text = |of: &Value, field: &str| of[field].as_str().expect("a text").to_owned();
    let (session, code) = (text(&opened, "sessionId"), text(&opened, "sessionCode"));
    let mut ear = Ear::at(&house, "binokel.room".to_owned());
    let mut ada = RoomSocket::open(&house, &session, &text(&opened, "secretId"));
    ada.hear_until(&mut ear, "game:state");
    let joining = json!({ "nickname": "Ben" });
    let joined = house.post(&format!("/api/sessions/{code}/join"), None, &joining).with(201);
    let secret = text(&joined, "secretId");
    let ben = RoomSocket::open(&house, &session, &secret);
    ada.hear_until(&mut ear, "player:joined");
    drop(ben);
    ada.hear_until(&mut ear, "player:left");
    let ben = RoomSocket::open(&house, &session, &secret);
    ada.hear_until(&mut ear, "player:reconnected");
    ada.emit("game:start", &json!({}));
    ada.hear_until(&mut ear, "game:events");
    ada.emit("game:bid", &json!({ "amount": 1 }));
    ada.hear_until(&mut ear, "error");
    ada.emit("game:bid", &json!({ "amount": 150, "idempotency_key": "first" }));
    ada.hear_until(&mut ear, "game:answer");
    // Ben is asked, and is not there.
    drop(ben);
    ada.hear_until(&mut ear, "player:substituted");
    let mut ben = RoomSocket::open(&house, &session, &secret);
    ben.hear_until(&mut ear, "game:state");
    ben.emit("game:sync", &json!({ "lastEventSequence": 0 }));
    ben.hear_until(&mut ear, "game:events");
    ben.emit("game:exit", &json!({}));
    ada.hear_until(&mut ear, "session:terminated");
    assert_eq!(ear.heard, ear.known, "every event of a room was heard");
}
