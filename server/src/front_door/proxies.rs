//! Who a request comes from where proxies stand between. Only they are asked,
//! and only as far as they are trusted: anyone can write a header.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use axum::http::HeaderMap;
use ipnet::IpNet;
use serde::Deserialize;

/// A network as an operator writes it: `10.0.0.0/8`, or one address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Network(IpNet);

impl Network {
    fn contains(self, address: IpAddr) -> bool {
        self.0.contains(&address)
    }
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let one = || text.parse::<IpAddr>().map(|address| IpNet::from(address.to_canonical()));
        text.parse().or_else(|_| one()).map(Network).map_err(|_| {
            format!("'{text}' is no network; one looks like 10.0.0.0/8, 2001:db8::/32 or 127.0.0.1")
        })
    }
}

impl TryFrom<String> for Network {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Where a proxy says whom it brings. It is one of them and never both: a proxy
/// passes on unchanged what it does not write itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum ForwardedHeader {
    /// `X-Forwarded-For`, with `X-Forwarded-Proto`.
    #[default]
    XForwardedFor,
    /// `Forwarded`, RFC 7239.
    Forwarded,
}

impl FromStr for ForwardedHeader {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.to_ascii_lowercase().as_str() {
            "x-forwarded-for" => Ok(ForwardedHeader::XForwardedFor),
            "forwarded" => Ok(ForwardedHeader::Forwarded),
            _ => Err(format!("'{text}' is neither X-Forwarded-For nor Forwarded")),
        }
    }
}

impl TryFrom<String> for ForwardedHeader {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

/// Which proxies are trusted, and with which header.
#[derive(Clone, Debug, Default)]
pub struct Proxies {
    /// Where they are.
    pub trusted: Vec<Network>,
    /// Where they say whom they bring.
    pub header: ForwardedHeader,
    /// Whether they speak the PROXY protocol first.
    pub protocol: bool,
}

/// Who sent a request, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sender {
    /// The client's own address, as far as it is known.
    pub address: IpAddr,
    /// Whether it came by TLS all the way to what we trust.
    pub is_secure: bool,
}

/// One hop as a proxy writes it down.
struct Hop {
    /// None: it does not say, or not so that it can be read.
    from: Option<IpAddr>,
    is_secure: Option<bool>,
}

impl Proxies {
    /// Whether a connection from here is a proxy's.
    pub fn trust(&self, peer: IpAddr) -> bool {
        let peer = peer.to_canonical();
        self.trusted.iter().any(|network| network.contains(peer))
    }

    /// Who sent a request that came over a connection from `peer`: the nearest
    /// address that is no trusted proxy's. What stands further away in the
    /// header was written by strangers.
    pub fn sender(&self, peer: IpAddr, is_tls: bool, headers: &HeaderMap) -> Sender {
        let mut sender = Sender { address: peer.to_canonical(), is_secure: is_tls };
        if !self.trust(peer) {
            return sender;
        }
        for hop in self.hops(headers).into_iter().rev() {
            let Some(from) = hop.from else { break };
            sender.address = from;
            if let Some(is_secure) = hop.is_secure {
                sender.is_secure = is_secure;
            }
            if !self.trust(from) {
                break;
            }
        }
        if self.header == ForwardedHeader::XForwardedFor
            && let Some(scheme) = last_of(headers, "x-forwarded-proto")
        {
            sender.is_secure = scheme.eq_ignore_ascii_case("https");
        }
        sender
    }

    fn hops(&self, headers: &HeaderMap) -> Vec<Hop> {
        match self.header {
            ForwardedHeader::XForwardedFor => list(headers, "x-forwarded-for")
                .map(|text| Hop { from: address(text), is_secure: None })
                .collect(),
            ForwardedHeader::Forwarded => list(headers, "forwarded").map(hop).collect(),
        }
    }
}

/// The entries of a header, in order, over all its lines.
fn list<'a>(headers: &'a HeaderMap, name: &str) -> impl Iterator<Item = &'a str> {
    let lines = headers.get_all(name).into_iter();
    // A line that is no text counts as one entry that says nothing.
    lines.flat_map(|line| line.to_str().unwrap_or("?").split(',')).map(str::trim)
}

fn last_of<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    list(headers, name).last()
}

/// An entry of `Forwarded`: `for=192.0.2.43;proto=https`.
fn hop(entry: &str) -> Hop {
    let mut hop = Hop { from: None, is_secure: None };
    for pair in entry.split(';') {
        let Some((name, value)) = pair.split_once('=') else { continue };
        let value = value.trim().trim_matches('"');
        match name.trim() {
            name if name.eq_ignore_ascii_case("for") => hop.from = address(value),
            name if name.eq_ignore_ascii_case("proto") => {
                hop.is_secure = Some(value.eq_ignore_ascii_case("https"));
            }
            _ => {}
        }
    }
    hop
}

/// An address with or without a port: `192.0.2.43:47011`, `[2001:db8::1]:80`.
fn address(text: &str) -> Option<IpAddr> {
    let bracketed = || text.strip_prefix('[')?.split_once(']')?.0.parse().ok();
    let with_port = || text.parse().ok().map(|address: std::net::SocketAddr| address.ip());
    let address = text.parse().ok().or_else(with_port).or_else(bracketed);
    address.map(|address: IpAddr| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proxies(trusted: &[&str], header: ForwardedHeader) -> Proxies {
        let trusted = trusted.iter().map(|text| text.parse().unwrap()).collect();
        Proxies { trusted, header, protocol: false }
    }

    fn sender(proxies: &Proxies, peer: &str, lines: &[(&'static str, &str)]) -> (String, bool) {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(*name, value.parse().unwrap());
        }
        let sender = proxies.sender(peer.parse().unwrap(), false, &headers);
        (sender.address.to_string(), sender.is_secure)
    }

    const FOR: &str = "x-forwarded-for";
    const PROTO: &str = "x-forwarded-proto";

    #[test]
    fn a_stranger_is_not_believed() {
        let proxies = proxies(&["10.0.0.0/8"], ForwardedHeader::XForwardedFor);
        let forged = [(FOR, "192.0.2.1"), (PROTO, "https"), ("forwarded", "for=192.0.2.1")];
        assert_eq!(sender(&proxies, "203.0.113.9", &forged), ("203.0.113.9".into(), false));
    }

    #[test]
    fn the_nearest_address_that_is_no_proxy_counts() {
        let proxies = proxies(&["10.0.0.0/8", "2001:db8::7"], ForwardedHeader::XForwardedFor);
        for (lines, expected) in [
            (vec![(FOR, "6.6.6.6, 192.0.2.1")], "192.0.2.1"),
            (vec![(FOR, "6.6.6.6, 192.0.2.1, 10.1.1.1")], "192.0.2.1"),
            (vec![(FOR, "6.6.6.6"), (FOR, "192.0.2.1,2001:db8::7")], "192.0.2.1"),
            (vec![(FOR, "192.0.2.1:5012")], "192.0.2.1"),
            (vec![(FOR, "::ffff:192.0.2.1")], "192.0.2.1"),
            (vec![(FOR, "10.9.9.9, 10.1.1.1")], "10.9.9.9"),
            (vec![(FOR, "192.0.2.1, nonsense, 10.1.1.1")], "10.1.1.1"),
            (vec![(FOR, "nonsense")], "10.0.0.1"),
            (vec![], "10.0.0.1"),
        ] {
            assert_eq!(sender(&proxies, "10.0.0.1", &lines).0, expected, "{lines:?}");
        }
        assert_eq!(sender(&proxies, "::ffff:10.0.0.1", &[(FOR, "192.0.2.1")]).0, "192.0.2.1");
    }

    #[test]
    fn a_proxy_tells_whether_its_client_came_by_tls() {
        let proxies = proxies(&["10.0.0.1"], ForwardedHeader::XForwardedFor);
        assert!(sender(&proxies, "10.0.0.1", &[(PROTO, "https")]).1);
        assert!(!sender(&proxies, "10.0.0.1", &[(PROTO, "https, http")]).1);
        assert!(!sender(&proxies, "10.0.0.1", &[]).1);
    }

    #[test]
    fn only_the_header_that_the_proxy_writes_is_read() {
        let lines = [(FOR, "6.6.6.6"), ("forwarded", "for=192.0.2.1;proto=https")];
        let by = |header| sender(&proxies(&["10.0.0.1"], header), "10.0.0.1", &lines);
        assert_eq!(by(ForwardedHeader::Forwarded), ("192.0.2.1".into(), true));
        assert_eq!(by(ForwardedHeader::XForwardedFor), ("6.6.6.6".into(), false));
    }

    #[test]
    fn forwarded_is_read_as_its_rfc_writes_it() {
        let proxies = proxies(&["10.0.0.0/8"], ForwardedHeader::Forwarded);
        for (line, expected, is_secure) in [
            ("for=192.0.2.43, for=\"[2001:db8:cafe::17]:4711\"", "2001:db8:cafe::17", false),
            ("For=192.0.2.60;proto=http;by=203.0.113.43", "192.0.2.60", false),
            ("proto=https; for=\"192.0.2.60:47011\"", "192.0.2.60", true),
            ("for=192.0.2.60;proto=https, for=10.1.1.1;proto=http", "192.0.2.60", true),
            ("for=_hidden, for=10.1.1.1", "10.1.1.1", false),
            ("for=unknown", "10.0.0.1", false),
        ] {
            let found = sender(&proxies, "10.0.0.1", &[("forwarded", line)]);
            assert_eq!(found, (expected.to_owned(), is_secure), "{line}");
        }
    }

    #[test]
    fn a_network_is_an_address_or_a_range_of_them() {
        for text in ["10.0.0.0/8", "127.0.0.1", "2001:db8::/32", "::1"] {
            assert!(text.parse::<Network>().is_ok(), "{text}");
        }
        for text in ["", "10.0.0.0/33", "localhost", "10.0.0"] {
            assert!(text.parse::<Network>().unwrap_err().contains("is no network"), "{text}");
        }
    }
}
