//! A server of its own for each test: the real program, a port of its own, a
//! log in a directory that goes away with it.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, ExitStatus};
use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::program::command;
use super::scratch::Scratch;
use super::stream::{Hearing, Stream};
use super::{PATIENCE, Socket};

/// The admin's token in every test.
pub const ADMIN: &str = "the-house-itself";

/// Admin and seeds, without limits and pauses.
const USUAL: [&str; 7] =
    ["--limits", "off", "--bot-pace", "0", "--allow-seeds", "--admin-token", ADMIN];

/// An answer to a request.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub text: String,
    pub headers: Vec<(String, String)>,
}

impl Answer {
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text)
            .unwrap_or_else(|_| panic!("{} with no JSON: {}", self.status, self.text))
    }

    /// The body of an answer with this status.
    #[track_caller]
    pub fn with(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text);
        self.json()
    }

    /// A refusal with this status and code, in the shape of every refusal.
    #[track_caller]
    pub fn refused(&self, status: u16, code: &str) -> String {
        let body = self.json();
        assert_eq!((self.status, body["code"].as_str()), (status, Some(code)), "{}", self.text);
        let fields = 2 + usize::from(body["reason"].is_string());
        assert_eq!(body.as_object().map(|found| found.len()), Some(fields), "{}", self.text);
        body["error"].as_str().expect("a sentence").to_owned()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// A table and the tokens of those who sit at it.
#[derive(Clone, Debug)]
pub struct Table {
    pub id: String,
    pub code: String,
    pub tokens: Vec<Option<String>>,
}

impl Table {
    pub fn token(&self, seat: usize) -> Option<&str> {
        self.tokens.get(seat).and_then(Option::as_deref)
    }

    pub fn path(&self, call: &str) -> String {
        format!("/api/v1/tables/{}{call}", self.id)
    }
}

/// Rules without special deals, which would end a round before anyone moves
/// once in 75 tables.
fn tame(rules: &Value) -> Value {
    let mut tame = json!({ "teshi": false, "field_kuttsuki": false });
    for (option, value) in rules.as_object().expect("rules are options here") {
        tame[option] = value.clone();
    }
    tame
}

/// A running server.
pub struct House {
    pub scratch: Scratch,
    pub address: String,
    store: String,
    flags: Vec<String>,
    envs: Vec<(String, String)>,
    /// In a lock, so that a house can fall while others are in it.
    child: Mutex<Option<Child>>,
    agent: ureq::Agent,
}

impl House {
    /// Opens a house with an admin and seeds, without limits and pauses.
    pub fn open(flags: &[&str]) -> House {
        House::open_with(flags, &[])
    }

    /// The same with these settings in its environment.
    pub fn open_with(flags: &[&str], envs: &[(&str, &str)]) -> House {
        House::bare(&[&USUAL, flags].concat(), envs)
    }

    /// Opens a house with nothing but these settings.
    pub fn bare(flags: &[&str], envs: &[(&str, &str)]) -> House {
        let scratch = Scratch::new();
        House::on(scratch.store(), scratch, flags, envs)
    }

    /// Opens a second house on the store of this one.
    pub fn beside(&self, flags: &[&str]) -> House {
        House::on(self.store.clone(), Scratch::new(), &[&USUAL, flags].concat(), &[])
    }

    fn on(store: String, scratch: Scratch, flags: &[&str], envs: &[(&str, &str)]) -> House {
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(PATIENCE))
            .max_idle_connections(64)
            .max_idle_connections_per_host(64)
            .build();
        let mut house = House {
            scratch,
            store,
            address: String::new(),
            flags: flags.iter().map(ToString::to_string).collect(),
            envs: envs.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect(),
            child: Mutex::default(),
            agent: ureq::Agent::new_with_config(config),
        };
        house.reopen();
        house
    }

    /// Starts the server on the same log.
    pub fn reopen(&mut self) {
        self.reopen_at("127.0.0.1:0");
    }

    /// Starts the server on the same log, from now on with these flags beside
    /// the usual ones.
    pub fn reopen_with(&mut self, flags: &[&str]) {
        self.flags = USUAL.iter().chain(flags).map(ToString::to_string).collect();
        self.reopen();
    }

    /// Lets files grow only so far from now on, as a disk does that is full;
    /// none: as far as they like.
    pub fn limit_files(&self, bytes: Option<u64>) {
        let limit = bytes.map_or("unlimited".to_owned(), |bytes| bytes.to_string());
        let pid = self.child.lock().expect("the child").as_ref().expect("a server").id();
        let set = Command::new("prlimit")
            .args([format!("--pid={pid}"), format!("--fsize={limit}:")])
            .status();
        assert!(set.expect("prlimit runs").success());
    }

    /// Lets the server have only so many open files from now on, connections
    /// among them.
    pub fn limit_open_files(&self, count: u64) {
        let pid = self.child.lock().expect("the child").as_ref().expect("a server").id();
        let set = Command::new("prlimit")
            .args([format!("--pid={pid}"), format!("--nofile={count}:{count}")])
            .status();
        assert!(set.expect("prlimit runs").success());
    }

    /// Starts the server on the same log, at the same address.
    pub fn reopen_there(&mut self) {
        let address = self.address.clone();
        self.reopen_at(&address);
    }

    fn reopen_at(&mut self, address: &str) {
        let args = ["serve", "--listen", address, "--store", &self.store];
        let errors = std::fs::File::options()
            .create(true)
            .append(true)
            .open(self.scratch.path().join("stderr"))
            .expect("a file for the log lines");
        let mut child = command(&args)
            .args(&self.flags)
            .envs(self.envs.iter().map(|(name, value)| (name, value)))
            .stderr(errors)
            .spawn()
            .expect("the server starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("its output"));
        let before = self.child.lock().expect("the child").replace(child);
        assert!(before.is_none(), "the house is open already");
        let (say, said) = mpsc::channel();
        std::thread::spawn(move || {
            let mut line = String::new();
            drop(stdout.read_line(&mut line));
            drop(say.send(line));
        });
        let line = said.recv_timeout(PATIENCE).expect("the server says where it is");
        let address = line.trim().strip_prefix("Parlor is open at ");
        let address = address.and_then(|address| Some(address.split_once("://")?.1));
        self.address =
            address.unwrap_or_else(|| panic!("'{line}'; {}", self.log_lines())).to_owned();
    }

    /// What the server wrote to its standard error.
    pub fn log_lines(&self) -> String {
        std::fs::read_to_string(self.scratch.path().join("stderr")).unwrap_or_default()
    }

    /// Kills it, as a power cut would.
    pub fn kill(&self) {
        let mut child = self.take_child();
        child.kill().expect("it can be killed");
        child.wait().expect("it is dead");
    }

    /// Asks it to stop, and waits until it has.
    pub fn stop(&self) -> ExitStatus {
        self.ask_to_stop();
        self.stopped()
    }

    /// Sends it SIGTERM.
    pub fn ask_to_stop(&self) {
        let child = self.child.lock().expect("the child");
        let id = child.as_ref().expect("the house is open").id().to_string();
        let sent = Command::new("kill").args(["-TERM", &id]).status();
        assert!(sent.expect("the signal is sent").success());
    }

    /// Waits for its end.
    pub fn stopped(&self) -> ExitStatus {
        let mut child = self.take_child();
        let began = Instant::now();
        while began.elapsed() < PATIENCE {
            if let Some(status) = child.try_wait().expect("its status") {
                return status;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        drop((child.kill(), child.wait()));
        panic!("the server did not stop within {PATIENCE:?}; {}", self.log_lines());
    }

    fn take_child(&self) -> Child {
        self.child.lock().expect("the child").take().expect("the house is open")
    }

    /// Whether the process still runs.
    pub fn is_open(&self) -> bool {
        let mut child = self.child.lock().expect("the child");
        child.as_mut().is_some_and(|child| child.try_wait().is_ok_and(|end| end.is_none()))
    }

    /// Any request at all. An error is a connection that broke.
    pub fn request(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Result<Answer, ureq::Error> {
        let mut request = ureq::http::Request::builder()
            .method(method)
            .uri(format!("http://{}{path}", self.address));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let answer = if method == "GET" {
            self.agent.run(request.body(()).expect("a request"))
        } else {
            self.agent.run(request.body(body).expect("a request"))
        };
        let mut answer = answer?;
        let text = |value: &ureq::http::HeaderValue| value.to_str().unwrap_or("").to_owned();
        Ok(Answer {
            status: answer.status().as_u16(),
            headers: answer
                .headers()
                .iter()
                .map(|(name, value)| (name.to_string(), text(value)))
                .collect(),
            // A picture is no text; what is said of it lies in the headers.
            text: String::from_utf8_lossy(&answer.body_mut().read_to_vec()?).into_owned(),
        })
    }

    pub fn get(&self, path: &str, token: Option<&str>) -> Answer {
        self.call("GET", path, token, b"")
    }

    pub fn post(&self, path: &str, token: Option<&str>, body: &Value) -> Answer {
        self.call("POST", path, token, body.to_string().as_bytes())
    }

    pub fn call(&self, method: &str, path: &str, token: Option<&str>, body: &[u8]) -> Answer {
        let bearer = token.map(|token| format!("Bearer {token}"));
        let headers: Vec<_> =
            bearer.iter().map(|value| ("Authorization", value.as_str())).collect();
        self.request(method, path, &headers, body).expect("the server answers")
    }

    /// Lays a table.
    pub fn lay(&self, order: &Value) -> Table {
        let laid = self.post("/api/v1/tables", None, order).with(201);
        let seats = laid["seats"].as_array().expect("seats").len();
        let mut tokens = vec![None; seats];
        if let (Some(seat), Some(token)) = (laid["seat"].as_u64(), laid["token"].as_str()) {
            tokens[seat as usize] = Some(token.to_owned());
        }
        let text = |name: &str| laid[name].as_str().expect("a text").to_owned();
        Table { id: text("table_id"), code: text("code"), tokens }
    }

    /// Sits down at a table: the seat.
    pub fn join(&self, table: &mut Table, name: &str) -> usize {
        let seated = self.post(&table.path("/seats"), None, &json!({ "name": name })).with(201);
        let seat = seated["seat"].as_u64().expect("a seat") as usize;
        table.tokens[seat] = Some(seated["token"].as_str().expect("a token").to_owned());
        seat
    }

    /// A person against a bot, begun.
    pub fn against_bot(&self, rules: &Value) -> Table {
        self.lay(&json!({ "game": "koikoi", "rules": tame(rules), "seats": [
            { "name": "Ann", "kind": "human" }, { "name": "Rob", "kind": "bot", "bot": "random" },
        ]}))
    }

    /// Two people, not begun.
    pub fn for_two(&self, rules: &Value) -> Table {
        let mut table = self.lay(&json!({ "game": "koikoi", "rules": tame(rules), "seats": [
            { "name": "Ann", "kind": "human" }, { "kind": "human" },
        ]}));
        self.join(&mut table, "Ben");
        table
    }

    /// Two people, begun.
    pub fn two_people(&self, rules: &Value) -> Table {
        let table = self.for_two(rules);
        self.start(&table);
        table
    }

    pub fn start(&self, table: &Table) {
        self.call("POST", &table.path("/start"), table.token(0), b"").with(200);
    }

    pub fn command(&self, table: &Table, seat: usize, dialect: &str, command: &Value) -> Answer {
        let path = table.path(&format!("/commands?dialect={dialect}"));
        self.post(&path, table.token(seat), command)
    }

    /// A command under an idempotency key.
    pub fn keyed(
        &self,
        table: &Table,
        seat: usize,
        dialect: &str,
        command: &Value,
        key: &str,
    ) -> Result<Answer, ureq::Error> {
        let path = table.path(&format!("/commands?dialect={dialect}"));
        let bearer = format!("Bearer {}", table.token(seat).expect("a token"));
        let headers = [("Authorization", bearer.as_str()), ("Idempotency-Key", key)];
        self.request("POST", &path, &headers, command.to_string().as_bytes())
    }

    /// What a viewer knows; none: the public.
    pub fn snapshot(&self, table: &Table, seat: Option<usize>, dialect: &str) -> Value {
        let token = seat.and_then(|seat| table.token(seat));
        self.get(&table.path(&format!("/snapshot?dialect={dialect}")), token).with(200)
    }

    /// The whole truth, as it is stored.
    pub fn admin_log(&self, table: &Table) -> String {
        let log = self.get(&table.path("/log?view=admin"), Some(ADMIN));
        assert_eq!(log.status, 200, "{}", log.text);
        log.text
    }

    /// A stream of events by SSE.
    pub fn listen(
        &self,
        table: &Table,
        seat: Option<usize>,
        dialect: &str,
        after: Option<u64>,
    ) -> Stream {
        let token = seat.and_then(|seat| table.token(seat));
        let hearing = Hearing { table: &table.id, token, dialect, after, ..Hearing::default() };
        hearing.open(self).expect("the stream opens")
    }

    /// A WebSocket that has joined.
    pub fn connect(&self, table: &Table, seat: usize, dialect: &str, after: Option<u64>) -> Socket {
        let mut socket = Socket::open(self, table, dialect).expect("the socket opens");
        socket.join(table, seat, after);
        socket
    }
}

impl Drop for House {
    fn drop(&mut self) {
        if let Ok(Some(mut child)) = self.child.lock().map(|mut child| child.take()) {
            drop((child.kill(), child.wait()));
        }
        if std::thread::panicking() {
            let log = self.log_lines();
            let tail: Vec<&str> = log.lines().rev().take(20).collect();
            eprintln!("the server's last words, latest first:\n{}", tail.join("\n"));
        }
    }
}
