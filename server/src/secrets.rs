//! Tokens, tickets, codes and ids: drawn from the operating system, kept as
//! hashes, compared in constant time.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use parlor_kernel::Viewer;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// Letters and digits that cannot be taken for one another: no 0 O 1 I L.
const CODE_LETTERS: &[u8] = b"ABCDEFGHJKMNPQRSTUVWXYZ23456789";
const ID_LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyz234567";

#[allow(clippy::expect_used, reason = "a server without secrets must not go on")]
fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    bytes
}

/// Random letters; bytes that would make some letters likelier are drawn again.
fn letters(alphabet: &[u8], count: usize) -> String {
    let fair = 256 - 256 % alphabet.len();
    let mut text = String::with_capacity(count);
    while text.len() < count {
        for byte in random::<16>() {
            if usize::from(byte) < fair && text.len() < count {
                let letter = alphabet.get(usize::from(byte) % alphabet.len());
                text.extend(letter.copied().map(char::from));
            }
        }
    }
    text
}

/// A random number below `bound`, each equally likely.
pub fn below(bound: u32) -> u32 {
    let fair = u32::MAX - u32::MAX % bound;
    loop {
        let drawn = u32::from_le_bytes(random());
        if drawn < fair {
            return drawn % bound;
        }
    }
}

/// How many letters a code has.
pub const CODE_LENGTH: usize = 6;

/// A code to read out to a friend.
pub fn new_code() -> String {
    letters(CODE_LETTERS, CODE_LENGTH)
}

/// A table's id.
pub fn new_table_id() -> String {
    format!("t-{}", letters(ID_LETTERS, 16))
}

/// A seat's token: 160 random bits.
pub fn new_token() -> String {
    letters(ID_LETTERS, 32)
}

/// What is kept of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TokenHash([u8; 32]);

impl TokenHash {
    /// The hash of a token.
    pub fn of(token: &str) -> TokenHash {
        TokenHash(Sha256::digest(token.as_bytes()).into())
    }

    /// Whether this hash is the one written as `hex`. Takes the same time
    /// whatever differs.
    pub fn is(&self, hex: &str) -> bool {
        self.hex().as_bytes().ct_eq(hex.as_bytes()).into()
    }

    /// Whether both are of the same token. Takes the same time whatever
    /// differs.
    pub fn is_of(&self, token: &str) -> bool {
        self.0.ct_eq(&TokenHash::of(token).0).into()
    }

    /// The hash in hexadecimal digits.
    pub fn hex(&self) -> String {
        base16ct::lower::encode_string(&self.0)
    }
}

/// How long a ticket is good.
pub const TICKET_LIFE: Duration = Duration::from_secs(30);

/// Tickets for browsers, which cannot send headers when they open a stream:
/// one use, one table, one viewer.
#[derive(Default)]
pub struct Tickets(Mutex<HashMap<TokenHash, Ticket>>);

struct Ticket {
    table: String,
    viewer: Viewer,
    until: Instant,
}

impl Tickets {
    /// A new ticket.
    pub fn issue(&self, table: &str, viewer: Viewer) -> String {
        let ticket = new_token();
        let now = Instant::now();
        let mut open = self.open();
        open.retain(|_, ticket| ticket.until > now);
        let until = now + TICKET_LIFE;
        open.insert(TokenHash::of(&ticket), Ticket { table: table.to_owned(), viewer, until });
        ticket
    }

    /// Voids the tickets that a viewer of a table still has.
    pub fn revoke(&self, table: &str, viewer: Viewer) {
        self.open().retain(|_, ticket| ticket.table != table || ticket.viewer != viewer);
    }

    /// Takes a ticket: the viewer it was for. It is used up, even on the
    /// wrong table.
    pub fn redeem(&self, ticket: &str, table: &str) -> Option<Viewer> {
        let ticket = self.open().remove(&TokenHash::of(ticket))?;
        (ticket.until > Instant::now() && ticket.table == table).then_some(ticket.viewer)
    }

    fn open(&self) -> std::sync::MutexGuard<'_, HashMap<TokenHash, Ticket>> {
        // A panic elsewhere leaves the map as it was: no half-made ticket.
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_of_its_token_and_no_other() {
        let hash = TokenHash::of("abc");
        let written = hash.hex();
        assert_eq!(written, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert!(hash.is(&written) && hash.is_of("abc"));
        assert!(!hash.is_of("abd"));
        for other in ["", &written[1..], &format!("{written}0"), &TokenHash::of("abd").hex()] {
            assert!(!hash.is(other), "{other}");
        }
    }

    #[test]
    fn a_ticket_is_good_once_at_its_own_table_and_not_for_long() {
        let tickets = Tickets::default();
        let issue = || tickets.issue("t-here", Viewer::Public);
        let ticket = issue();
        assert_eq!(tickets.redeem(&ticket, "t-here"), Some(Viewer::Public));
        assert_eq!(tickets.redeem(&ticket, "t-here"), None, "it was used");

        let ticket = issue();
        assert_eq!(tickets.redeem(&ticket, "t-there"), None);
        assert_eq!(tickets.redeem(&ticket, "t-here"), None, "it was used at another table");

        let ticket = issue();
        let lapse = |ticket: &mut Ticket| ticket.until -= TICKET_LIFE;
        tickets.open().values_mut().for_each(lapse);
        assert_eq!(tickets.redeem(&ticket, "t-here"), None, "its time is over");
    }

    #[test]
    fn tickets_nobody_used_do_not_pile_up() {
        let tickets = Tickets::default();
        for _ in 0..10 {
            tickets.issue("t-here", Viewer::Public);
        }
        tickets.open().values_mut().for_each(|ticket| ticket.until -= TICKET_LIFE);
        tickets.issue("t-here", Viewer::Public);
        assert_eq!(tickets.open().len(), 1);
    }
}
