//! Somebody without a seat, from an address of their own: loopback has many.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4, TcpStream};

use serde_json::Value;
use socket2::{Domain, Socket, Type};

use super::PATIENCE;
use super::house::{Answer, House};

/// Somebody at 127.0.0.N.
#[derive(Clone)]
pub struct Stranger {
    from: Ipv4Addr,
    house: SocketAddr,
}

impl Stranger {
    pub fn new(house: &House, last: u8) -> Stranger {
        let house = house.address.parse().expect("an address");
        Stranger { from: Ipv4Addr::new(127, 0, 0, last), house }
    }

    /// A connection from there.
    pub fn connect(&self) -> TcpStream {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket");
        socket.bind(&SocketAddrV4::new(self.from, 0).into()).expect("an address of loopback");
        socket.connect(&self.house.into()).expect("the server listens");
        let stream = TcpStream::from(socket);
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        stream
    }

    /// A request on a connection of its own: the connection, once its head is
    /// read, with status and headers.
    pub fn open(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> (BufReader<TcpStream>, Answer) {
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: parlor\r\nConnection: close\r\n");
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        head += &format!("Content-Length: {}\r\n\r\n", body.len());
        let mut stream = self.connect();
        stream.write_all(head.as_bytes()).expect("the head is sent");
        // Whoever is refused for the length need not be heard out.
        drop(stream.write_all(body));
        let mut reader = BufReader::new(stream);
        let mut line = || {
            let mut line = String::new();
            drop(reader.read_line(&mut line));
            line.trim_end().to_owned()
        };
        let status = line().split(' ').nth(1).and_then(|it| it.parse().ok()).unwrap_or(0);
        let mut headers = Vec::new();
        while let Some((name, value)) = line().split_once(':') {
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        (reader, Answer { status, text: String::new(), headers })
    }

    pub fn call(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let (mut reader, mut answer) = self.open(method, path, headers, body);
        let mut text = Vec::new();
        drop(reader.read_to_end(&mut text));
        answer.text = String::from_utf8_lossy(&text).into_owned();
        answer
    }

    pub fn get(&self, path: &str) -> Answer {
        self.call("GET", path, &[], b"")
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.call("POST", path, &[], body.to_string().as_bytes())
    }

    /// A stream of events; an answer that is none is given back.
    pub fn watch(&self, path: &str, token: Option<&str>) -> Result<BufReader<TcpStream>, Answer> {
        let bearer = token.map(|token| format!("Bearer {token}"));
        let headers: Vec<_> = bearer.iter().map(|it| ("Authorization", it.as_str())).collect();
        let (mut reader, mut answer) = self.open("GET", path, &headers, b"");
        if answer.status == 200 {
            return Ok(reader);
        }
        drop(reader.read_to_string(&mut answer.text));
        Err(answer)
    }
}

/// Whether a stream has ended, or ends within the patience of its reader.
pub fn ends(mut stream: BufReader<TcpStream>) -> bool {
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).is_ok()
}
