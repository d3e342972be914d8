//! Behind a proxy, and in front of those who only pretend to be one.

use std::process::{Child, Command, Stdio};

use super::common::*;
use super::tls::{Certificate, laying};
use super::{ask, from, guarded};

/// Two tables a minute for each client: enough to tell clients apart.
const TWO: &str = "tables_per_minute = 2\n";

/// Lays a table with these headers: the status of the answer.
fn lay(address: &str, own: &str, headers: &str) -> u16 {
    let request = laying().replacen("\r\n", &format!("\r\n{headers}"), 1);
    ask(from(own, address), &request).expect("an answer").status
}

/// How many tables are laid with these headers until no more are.
fn count(address: &str, own: &str, headers: &[&str]) -> usize {
    headers.iter().take_while(|headers| lay(address, own, headers) == 201).count()
}

#[test]
fn a_stranger_who_writes_a_proxys_headers_is_not_believed() {
    let house = guarded(TWO, &["--trusted-proxy", "127.0.0.1"]);
    let forged = [
        "X-Forwarded-For: 192.0.2.1\r\n",
        "X-Forwarded-For: 192.0.2.2\r\n",
        "Forwarded: for=192.0.2.3\r\n",
        "X-Real-IP: 192.0.2.4\r\n",
    ];
    assert_eq!(count(&house.address, "127.0.0.2", &forged), 2);
    let laid = laying().replacen("\r\n", "\r\nX-Forwarded-Proto: https\r\n", 1);
    let laid = ask(from("127.0.0.3", &house.address), &laid).expect("an answer");
    assert!(!laid.header("set-cookie").expect("a cookie").contains("Secure"));
}

#[test]
fn clients_behind_a_trusted_proxy_are_told_apart() {
    let house = guarded(TWO, &["--trusted-proxy", "127.0.0.1;10.0.0.0/8"]);
    let proxied =
        |client: &str| lay(&house.address, "127.0.0.1", &format!("X-Forwarded-For: {client}\r\n"));
    // What a client wrote itself stands further to the left.
    for client in ["192.0.2.1", "6.6.6.6, 192.0.2.1"] {
        assert_eq!(proxied(client), 201, "{client}");
    }
    assert_eq!(proxied("7.7.7.7, 192.0.2.1, 10.2.3.4"), 429);
    assert_eq!(proxied("192.0.2.2"), 201, "someone else");
    // A /64 is one client, and IPv4 in IPv6 is IPv4.
    assert_eq!(["2001:db8::1", "2001:db8::2", "2001:db8::3"].map(proxied), [201, 201, 429]);
    assert_eq!(proxied("2001:db8:0:1::1"), 201);
    assert_eq!(["::ffff:192.0.2.9", "192.0.2.9", "192.0.2.9"].map(proxied), [201, 201, 429]);
    let secure = laying().replacen("\r\n", "\r\nX-Forwarded-Proto: https\r\n", 1);
    let laid = ask(from("127.0.0.1", &house.address), &secure).expect("an answer");
    assert!(laid.header("set-cookie").expect("a cookie").ends_with("; Secure"));
}

#[test]
fn the_header_of_the_rfc_is_read_where_it_is_asked_for() {
    let flags = ["--trusted-proxy", "127.0.0.1", "--forwarded-header", "Forwarded"];
    let house = guarded(TWO, &flags);
    let headers = "Forwarded: for=\"192.0.2.1:99\";proto=https\r\nX-Forwarded-For: ";
    let lines: Vec<_> = (1..5).map(|number| format!("{headers}198.51.100.{number}\r\n")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    assert_eq!(count(&house.address, "127.0.0.1", &lines), 2, "one client");
}

#[test]
fn streams_behind_a_proxy_are_counted_for_their_clients() {
    let limits = "connections_per_address = 5\n";
    let house = guarded(limits, &["--trusted-proxy", "127.0.0.1"]);
    let table = house.two_people(&serde_json::json!({}));
    let open = |client: &str| {
        let mut stream = from("127.0.0.1", &house.address);
        let head = format!(
            "GET /api/v1/tables/{}/events HTTP/1.1\r\nHost: parlor\r\nX-Forwarded-For: {client}\r\n\r\n",
            table.id
        );
        let answer = ask(&mut stream, &head).expect("an answer");
        (stream, answer)
    };
    let streams: Vec<_> = (0..5).map(|_| open("192.0.2.1")).collect();
    assert!(streams.iter().all(|(_, answer)| answer.status == 200));
    let (_, refused) = open("192.0.2.1");
    refused.refused(429, "TOO_MANY_CONNECTIONS");
    assert!(refused.header("retry-after").is_some());
    assert_eq!(open("192.0.2.2").1.status, 200);
    drop(streams);
    until("a free place", || Some(open("192.0.2.1").1).filter(|answer| answer.status == 200));
}

#[test]
fn the_proxy_protocol_is_taken_from_trusted_proxies_only() {
    let house = guarded(TWO, &["--trusted-proxy", "127.0.0.1", "--proxy-protocol"]);
    let lay_for = |own: &str, preamble: &[u8]| {
        let stream = from(own, &house.address);
        let mut request = preamble.to_vec();
        request.extend(laying().as_bytes());
        std::io::Write::write_all(&mut &stream, &request).expect("a request");
        super::read_answer(&stream).map(|answer| answer.status)
    };
    let text = |client: &str| format!("PROXY TCP4 {client} 198.51.100.1 56324 443\r\n");
    let mut binary = b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c".to_vec();
    binary.extend([192, 0, 2, 1, 198, 51, 100, 1, 1, 2, 3, 4]);
    assert_eq!(lay_for("127.0.0.1", text("192.0.2.1").as_bytes()), Some(201));
    assert_eq!(lay_for("127.0.0.1", &binary), Some(201));
    assert_eq!(lay_for("127.0.0.1", &binary), Some(429), "the third table of 192.0.2.1");
    assert_eq!(lay_for("127.0.0.1", text("192.0.2.2").as_bytes()), Some(201));
    assert_eq!(lay_for("127.0.0.1", b""), None, "a proxy speaks the protocol");
    assert_eq!(lay_for("127.0.0.2", text("192.0.2.3").as_bytes()), Some(400), "no proxy");
    assert_eq!(lay_for("127.0.0.2", b""), Some(201), "who comes without one");
}

#[test]
fn settings_of_proxies_that_mean_nothing_are_refused() {
    let serve = |flags: &[&str]| parlor(&[&["serve", "--store", "memory:"], flags].concat());
    serve(&["--proxy-protocol"]).refused(2, "--proxy-protocol needs --trusted-proxy");
    serve(&["--forwarded-header", "forwarded"])
        .refused(2, "--forwarded-header needs --trusted-proxy");
    serve(&["--trusted-proxy", "everyone"]).refused(2, "is no network");
    let both = ["--trusted-proxy", "::1", "--forwarded-header", "X-Real-IP"];
    serve(&both).refused(2, "neither X-Forwarded-For nor Forwarded");
}

/// nginx, which ends with the test.
struct Nginx(Child);

impl Drop for Nginx {
    fn drop(&mut self) {
        drop((self.0.kill(), self.0.wait()));
    }
}

/// The example on the page about running a server, as it is written there.
fn example(language: &str) -> String {
    let page = include_str!("../../../docs/running.md");
    let block = page.split("```").find_map(|block| block.strip_prefix(language));
    block.unwrap_or_else(|| panic!("no example for {language}")).to_owned()
}

fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("its address").port()
}

/// nginx with the example, at a port and with a certificate of its own.
fn nginx(house: &House, scratch: &Scratch, certificate: &Certificate) -> (Nginx, String) {
    let [cert, key] = certificate.write(scratch);
    let address = format!("127.0.0.1:{}", free_port());
    let example = example("nginx\n");
    let mut server = example.clone();
    for (written, here) in [
        ("443", address.as_str()),
        ("127.0.0.1:7777", &house.address),
        ("/etc/ssl/games.example.org.pem", &cert),
        ("/etc/ssl/private/games.example.org.key", &key),
    ] {
        assert!(server.contains(written), "{written} in {example}");
        server = server.replace(written, here);
    }
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|name| format!("{name}_temp_path {};", scratch.file(name)))
        .join("\n");
    let settings = format!(
        "daemon off;\nmaster_process off;\npid {};\nerror_log stderr;\nevents {{}}\n\
        http {{\naccess_log off;\n{temporary}\n{server}\n}}",
        scratch.file("nginx.pid")
    );
    let settings = scratch.write("nginx.conf", settings);
    let program =
        if std::path::Path::new("/usr/sbin/nginx").exists() { "/usr/sbin/nginx" } else { "nginx" };
    let child = Command::new(program)
        .args(["-c", &settings, "-p", &scratch.path().display().to_string()])
        .stderr(Stdio::inherit())
        .spawn();
    let running = Nginx(child.expect("nginx runs; make nginx installs it"));
    until("nginx listens", || std::net::TcpStream::connect(&address).ok());
    (running, address)
}

#[test]
fn behind_nginx_as_the_page_shows_it_clients_are_told_apart_and_everything_works() {
    use std::io::{Read, Write};
    let house = guarded(TWO, &["--trusted-proxy", "127.0.0.1"]);
    let (scratch, certificate) = (Scratch::new(), Certificate::new());
    let (_nginx, address) = nginx(&house, &scratch, &certificate);
    let lay = |own: &str, headers: &str| {
        let request = laying().replacen("\r\n", &format!("\r\n{headers}"), 1);
        ask(certificate.dial(from(own, &address)), &request).expect("an answer")
    };
    let forged = "X-Forwarded-For: 192.0.2.1\r\nForwarded: for=192.0.2.1\r\n";
    let laid = lay("127.0.0.2", forged);
    assert!(laid.header("set-cookie").expect("a cookie").ends_with("; Secure"));
    let laid = laid.with(201);
    assert_eq!(lay("127.0.0.2", "X-Forwarded-For: 192.0.2.2\r\n").status, 201);
    lay("127.0.0.2", "X-Forwarded-For: 192.0.2.3\r\n").refused(429, "RATE_LIMITED");
    assert_eq!(lay("127.0.0.3", "").status, 201, "someone else");

    // A stream arrives as it happens, and a WebSocket from our own page.
    let table = laid["table_id"].as_str().expect("an id");
    let mut stream = certificate.dial(from("127.0.0.2", &address));
    let path = format!("/api/v1/tables/{table}/events");
    let head = format!("GET {path} HTTP/1.1\r\nHost: games.example.org\r\n\r\n");
    stream.write_all(head.as_bytes()).expect("a request");
    let mut heard = Vec::new();
    let mut hear = |what: &str| {
        while !String::from_utf8_lossy(&heard).contains(what) {
            let mut bytes = [0; 1024];
            let read = stream.read(&mut bytes).expect("more comes");
            assert!(read > 0, "{what} in {}", String::from_utf8_lossy(&heard));
            heard.extend(&bytes[..read]);
        }
    };
    hear("text/event-stream");
    let line = certificate.dial(from("127.0.0.2", &address));
    use tungstenite::client::IntoClientRequest;
    let address = format!("wss://games.example.org/ws?table={table}&dialect={PROTOCOL}");
    let mut request = address.into_client_request().expect("a request");
    let origin = "https://games.example.org".parse().expect("a header");
    request.headers_mut().insert("Origin", origin);
    let (mut socket, _) = tungstenite::client(request, line).expect("a WebSocket");
    socket.send(tungstenite::Message::text("{}")).expect("a message");
    assert!(socket.read().expect("an answer").to_string().contains("MALFORMED"));
    let join = serde_json::json!({ "name": "Ben" });
    house.post(&format!("/api/v1/tables/{table}/seats"), None, &join).with(201);
    let token = laid["token"].as_str();
    house.call("POST", &format!("/api/v1/tables/{table}/start"), token, b"").with(200);
    hear("RoundDealt");
}
