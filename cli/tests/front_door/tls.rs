//! TLS in the program itself.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;

use super::common::*;
use super::{ask, from, guarded, is_ended};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use serde_json::json;

/// A certificate that vouches for itself, and its key.
pub struct Certificate {
    pub cert: String,
    pub key: String,
}

impl Certificate {
    pub fn new() -> Certificate {
        let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]);
        let made = made.expect("a certificate");
        Certificate { cert: made.cert.pem(), key: made.signing_key.serialize_pem() }
    }

    /// Writes both down.
    pub fn write(&self, scratch: &Scratch) -> [String; 2] {
        [scratch.write("cert.pem", &self.cert), scratch.write("key.pem", &self.key)]
    }

    /// A client that believes this certificate and no other.
    pub fn dial(&self, stream: TcpStream) -> StreamOwned<ClientConnection, TcpStream> {
        let mut roots = RootCertStore::empty();
        let own = CertificateDer::from_pem_slice(self.cert.as_bytes()).expect("a certificate");
        roots.add(own).expect("a root");
        let ring = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = ClientConfig::builder_with_provider(ring)
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_root_certificates(roots)
            .with_no_client_auth();
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        let name = ServerName::try_from("localhost").expect("a name");
        let connection = ClientConnection::new(Arc::new(config), name).expect("a connection");
        StreamOwned::new(connection, stream)
    }

    /// One request by TLS; none if the certificate is another.
    pub fn ask(&self, address: &str, request: &str) -> Option<Answer> {
        ask(self.dial(from("127.0.0.2", address)), request)
    }
}

/// A house with this certificate.
fn secured(certificate: &Certificate, limits: &str) -> (House, Scratch) {
    let scratch = Scratch::new();
    let [cert, key] = certificate.write(&scratch);
    (guarded(limits, &["--tls-cert", &cert, "--tls-key", &key]), scratch)
}

pub const ALIVE: &str = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

/// A request that lays a table for two people.
pub fn laying() -> String {
    let order = json!({ "game": "koikoi", "seats": [
        { "name": "Ann", "kind": "human" }, { "kind": "human" },
    ]})
    .to_string();
    format!(
        "POST /api/v1/tables HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
        Connection: close\r\nContent-Length: {}\r\n\r\n{order}",
        order.len()
    )
}

#[test]
fn every_transport_works_by_tls_and_cookies_stay_there() {
    let certificate = Certificate::new();
    let (house, _scratch) = secured(&certificate, "");
    let laid = certificate.ask(&house.address, &laying()).expect("an answer");
    let cookie = laid.header("set-cookie").expect("a cookie");
    assert!(cookie.split("; ").any(|part| part == "Secure"), "{cookie}");
    let laid = laid.with(201);
    let (table, token) = (laid["table_id"].as_str().expect("an id"), &laid["token"]);

    let mut stream = certificate.dial(from("127.0.0.2", &house.address));
    let head = format!("GET /api/v1/tables/{table}/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
    stream.write_all(head.as_bytes()).expect("a request");
    let mut first = [0; 15];
    stream.read_exact(&mut first).expect("an answer");
    assert_eq!(&first, b"HTTP/1.1 200 OK");

    let line = certificate.dial(from("127.0.0.2", &house.address));
    let address = format!("wss://localhost/ws?table={table}&dialect={PROTOCOL}");
    let (mut socket, _) = tungstenite::client(address, line).expect("a WebSocket");
    let greeting = json!({ "type": "auth", "token": token }).to_string();
    socket.send(tungstenite::Message::text(greeting)).expect("a greeting");
    socket.send(tungstenite::Message::text("{}")).expect("nonsense");
    let told = socket.read().expect("a refusal").into_text().expect("a text").to_string();
    assert!(told.contains("MALFORMED"), "{told}");

    let polled = "GET /socket.io/?EIO=4&transport=polling HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let opened = certificate.ask(&house.address, polled).expect("an answer");
    assert!(opened.text.contains("\"sid\""), "{}", opened.text);

    // Whoever does not speak TLS hears nothing.
    assert!(ask(from("127.0.0.2", &house.address), ALIVE).is_none());
}

#[test]
fn a_handshake_that_never_ends_is_cut_off_and_counts() {
    let certificate = Certificate::new();
    let limits = "head_seconds = 2\nconnections_per_address = 20\n";
    let (house, _scratch) = secured(&certificate, limits);
    let mut half: Vec<_> = (0..20)
        .map(|_| {
            let mut stream = from("127.0.0.2", &house.address);
            stream.write_all(&[22, 3, 1, 2]).expect("the start of a handshake");
            stream
        })
        .collect();
    assert!(is_ended(&mut from("127.0.0.2", &house.address)), "one too many");
    for stream in &mut half {
        assert!(is_ended(stream));
    }
    until("a free place", || certificate.ask(&house.address, ALIVE));
}

#[test]
fn a_new_certificate_is_shown_without_a_restart_and_a_bad_one_is_not() {
    let (old, new) = (Certificate::new(), Certificate::new());
    let (house, scratch) = secured(&old, "");
    let mut open = old.dial(from("127.0.0.2", &house.address));
    let request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
    assert_eq!(ask(&mut open, request).expect("an answer").status, 200);

    // A key that is not the certificate's: reported, and the old one stays.
    scratch.write("key.pem", &new.key);
    until("a report", || house.log_lines().contains("is not the key of").then_some(()));
    assert!(new.ask(&house.address, ALIVE).is_none());
    assert_eq!(old.ask(&house.address, ALIVE).expect("an answer").status, 200);

    new.write(&scratch);
    until("the new certificate", || new.ask(&house.address, ALIVE));
    assert!(old.ask(&house.address, ALIVE).is_none(), "the old one is no longer shown");
    assert_eq!(ask(&mut open, request).expect("an answer").status, 200, "it stayed open");
}

#[test]
fn files_that_cannot_be_used_are_refused_at_the_start() {
    let scratch = Scratch::new();
    let (one, other) = (Certificate::new(), Certificate::new());
    let [cert, key] = one.write(&scratch);
    let wrong = scratch.write("other.pem", &other.key);
    let empty = scratch.write("empty.pem", "");
    let store = scratch.store();
    let serve = |flags: &[&str]| {
        let usual = ["serve", "--listen", "127.0.0.1:0", "--store", &store];
        parlor(&[&usual, flags].concat())
    };
    serve(&["--tls-cert", &cert]).refused(2, "--tls-cert needs --tls-key");
    serve(&["--tls-key", &key]).refused(2, "--tls-key needs --tls-cert");
    serve(&["--tls-cert", &cert, "--tls-key", &wrong]).refused(2, "is not the key of");
    serve(&["--tls-cert", &empty, "--tls-key", &key])
        .refused(2, "empty.pem cannot be used for TLS");
    serve(&["--tls-cert", &cert, "--tls-key", &empty])
        .refused(2, "empty.pem cannot be used for TLS");
    let gone = scratch.file("gone.pem");
    serve(&["--tls-cert", &gone, "--tls-key", &key]).refused(2, "gone.pem cannot be used for TLS");
}
