//! A client's address as limits count it.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// An IPv4 address, or the /64 network of an IPv6 address: whoever has one of
/// its addresses has them all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Address(IpAddr);

impl Address {
    /// What this address counts as.
    pub fn of(address: IpAddr) -> Address {
        Address(match address.to_canonical() {
            IpAddr::V6(address) => IpAddr::V6(first_bits(address, 64)),
            canonical => canonical,
        })
    }

    /// The network it is in, /24 or /48: what one customer may well be given.
    pub fn network(self) -> Address {
        Address(match self.0 {
            IpAddr::V4(address) => IpAddr::V4(Ipv4Addr::from_bits(address.to_bits() & !0xff)),
            IpAddr::V6(address) => IpAddr::V6(first_bits(address, 48)),
        })
    }

    /// The address itself; of a network, its first.
    pub fn ip(self) -> IpAddr {
        self.0
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            IpAddr::V4(address) => address.fmt(f),
            IpAddr::V6(network) => write!(f, "{network}/64"),
        }
    }
}

fn first_bits(address: Ipv6Addr, count: u32) -> Ipv6Addr {
    Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << (128 - count)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Address {
        Address::of(text.parse().unwrap())
    }

    #[test]
    fn an_ipv6_address_counts_as_its_first_64_bits() {
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::9"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
        assert_eq!(of("2001:db8:1:2::1").to_string(), "2001:db8:1:2::/64");
    }

    #[test]
    fn an_ipv4_address_in_ipv6_is_the_same_address() {
        assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"));
    }

    #[test]
    fn networks_have_24_and_48_bits() {
        assert_eq!(of("192.0.2.1").network(), of("192.0.2.99").network());
        assert_ne!(of("192.0.2.1").network(), of("192.0.3.1").network());
        assert_eq!(of("2001:db8:1:2::1").network(), of("2001:db8:1:ffff::1").network());
        assert_ne!(of("2001:db8:1::1").network(), of("2001:db8:2::1").network());
    }
}
