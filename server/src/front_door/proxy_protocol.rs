//! The PROXY protocol, versions 1 and 2: a few bytes before the first of a
//! connection, in which a proxy says whose it is.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use tokio::io::{AsyncRead, AsyncReadExt};

/// What version 2 begins with.
const SIGNATURE: [u8; 12] = *b"\r\n\r\n\0\r\nQUIT\n";
/// What version 1 begins with.
const WORD: &[u8] = b"PROXY ";
/// A line of version 1 is at most this long.
const LONGEST_LINE: usize = 107;
/// What follows the addresses in version 2 is not read, but has to be taken.
const LONGEST_REST: usize = 4096;

/// Reads what a proxy says of a connection: whose it is; none where the proxy
/// speaks for itself. Not a byte more is taken than belongs to it.
pub async fn read(from: &mut (impl AsyncRead + Unpin)) -> io::Result<Option<IpAddr>> {
    let mut start = [0; SIGNATURE.len()];
    from.read_exact(&mut start).await?;
    if start == SIGNATURE {
        return read_binary(from).await;
    }
    if !start.starts_with(WORD) {
        return Err(wrong("the proxy does not speak the PROXY protocol"));
    }
    let mut line = start.to_vec();
    while !line.ends_with(b"\r\n") {
        if line.len() >= LONGEST_LINE {
            return Err(wrong("a PROXY line has at most 107 bytes"));
        }
        line.push(from.read_u8().await?);
    }
    read_line(&line)
}

fn wrong(sentence: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, sentence)
}

/// `PROXY TCP4 192.0.2.1 198.51.100.1 56324 443`
fn read_line(line: &[u8]) -> io::Result<Option<IpAddr>> {
    let line = str::from_utf8(line).map_err(|_| wrong("a PROXY line is text"))?;
    let words: Vec<&str> = line.trim_end().split(' ').collect();
    match *words.as_slice() {
        ["PROXY", "UNKNOWN", ..] => Ok(None),
        ["PROXY", "TCP4" | "TCP6", source, _, _, _] => {
            let source: Result<IpAddr, _> = source.parse();
            source.map(Some).map_err(|_| wrong("a PROXY line names an address"))
        }
        _ => Err(wrong("a PROXY line names two addresses and two ports")),
    }
}

async fn read_binary(from: &mut (impl AsyncRead + Unpin)) -> io::Result<Option<IpAddr>> {
    let [version_and_command, family, high, low] = {
        let mut head = [0; 4];
        from.read_exact(&mut head).await?;
        head
    };
    let length = usize::from(u16::from_be_bytes([high, low]));
    if length > LONGEST_REST {
        return Err(wrong("a PROXY header is longer than we take"));
    }
    let mut rest = vec![0; length];
    from.read_exact(&mut rest).await?;
    match (version_and_command, family >> 4) {
        // LOCAL: the proxy looks whether we are there. Families that are none
        // of the internet's have no address of a client.
        (0x20, _) | (0x21, 0 | 3) => Ok(None),
        (0x21, 1) => Ok(Some(IpAddr::V4(Ipv4Addr::from(first::<4>(&rest)?)))),
        (0x21, 2) => Ok(Some(IpAddr::V6(Ipv6Addr::from(first::<16>(&rest)?)))),
        _ => Err(wrong("a PROXY header of a kind we do not know")),
    }
}

fn first<const N: usize>(bytes: &[u8]) -> io::Result<[u8; N]> {
    bytes.first_chunk().copied().ok_or_else(|| wrong("a PROXY header without its addresses"))
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn told(bytes: &[u8]) -> io::Result<(Option<String>, Vec<u8>)> {
        let mut rest = bytes;
        let address = read(&mut rest).await?;
        Ok((address.map(|address| address.to_string()), rest.to_vec()))
    }

    fn binary(command: u8, family: u8, addresses: &[u8]) -> Vec<u8> {
        let mut bytes = SIGNATURE.to_vec();
        bytes.extend([0x20 | command, family, 0, addresses.len() as u8]);
        bytes.extend(addresses);
        bytes
    }

    #[tokio::test]
    async fn both_versions_name_the_client_and_leave_the_rest() {
        let v4 = [192, 0, 2, 1, 198, 51, 100, 1, 0xdc, 4, 1, 0xbb];
        let mut v6 = [0; 36];
        v6[..4].copy_from_slice(&[0x20, 1, 0xd, 0xb8]);
        for (mut bytes, address) in [
            (b"PROXY TCP4 192.0.2.1 198.51.100.1 56324 443\r\n".to_vec(), Some("192.0.2.1")),
            (b"PROXY TCP6 2001:db8::1 ::1 56324 443\r\n".to_vec(), Some("2001:db8::1")),
            (b"PROXY UNKNOWN\r\n".to_vec(), None),
            (binary(1, 0x11, &v4), Some("192.0.2.1")),
            (binary(1, 0x21, &v6), Some("2001:db8::")),
            (binary(1, 0x11, &[&v4[..], &[3, 0, 1, 9]].concat()), Some("192.0.2.1")),
            (binary(0, 0, &[]), None),
            (binary(1, 0, &[]), None),
        ] {
            bytes.extend(b"GET /");
            let (told, rest) = told(&bytes).await.unwrap();
            assert_eq!((told.as_deref(), rest), (address, b"GET /".to_vec()));
        }
    }

    #[tokio::test]
    async fn anything_else_is_refused() {
        for bytes in [
            b"GET / HTTP/1.1\r\n\r\n".to_vec(),
            b"PROXY TCP4 nobody 198.51.100.1 1 2\r\n".to_vec(),
            b"PROXY TCP4 192.0.2.1\r\n".to_vec(),
            [b"PROXY TCP4 ".to_vec(), vec![b'1'; 200]].concat(),
            binary(1, 0x11, &[192, 0]),
            binary(7, 0x11, &[192, 0, 2, 1]),
            b"PROX".to_vec(),
        ] {
            assert!(told(&bytes).await.is_err(), "{bytes:?}");
        }
    }
}
