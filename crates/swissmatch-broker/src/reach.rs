//! Where a door, or a call to a player's own server, may lead: a name that an agent may ask for opens nothing on this
//! machine or the network that it is in, and nothing leads to the page of the run.
//!
//! May not: look a name up.

use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::sync::{Mutex, PoisonError};

/// Ports of this machine at which pages of runs are served.
static PAGES: Mutex<BTreeSet<u16>> = Mutex::new(BTreeSet::new());

/// From now on, no door of this process leads to this port of this machine.
pub fn close_to_page(port: u16) {
    PAGES.lock().unwrap_or_else(PoisonError::into_inner).insert(port);
}

/// Checks if a door may lead to `place`, the address found for `host`, which is written as in the event file;
/// `remedy` says what else helps.
///
/// # Errors
/// The reason why it may not.
pub fn may_lead_to(place: SocketAddr, host: &str, remedy: &str) -> Result<(), String> {
    let ip = place.ip().to_canonical();
    let is_here = || ip.is_loopback() || ip.is_unspecified() || is_own(ip);
    let is_page = |port| PAGES.lock().unwrap_or_else(PoisonError::into_inner).contains(&port);
    if is_page(place.port()) && is_here() {
        return Err("the page of the run is not for agents".to_owned());
    }
    if is_literal(host, ip) {
        return Ok(());
    }
    let what = match ip {
        _ if ip.is_loopback() || ip.is_unspecified() => "this machine",
        _ if is_private(ip) => "an address of a private network",
        _ if is_own(ip) => "an address of this machine",
        _ => return Ok(()),
    };
    Err(format!("{host} is {ip}, {what}: {remedy}"))
}

/// True if the event file names this place itself: by its number, or as this machine's own.
fn is_literal(host: &str, ip: IpAddr) -> bool {
    let number = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'))
        .unwrap_or(host);
    let number = number.split('%').next().unwrap_or(number);
    let is_number = number.parse::<IpAddr>().is_ok_and(|number| number.to_canonical() == ip);
    is_number || (host.eq_ignore_ascii_case("localhost") && ip.is_loopback())
}

/// True for networks that cannot be reached from outside, and for multicast groups.
fn is_private(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => is_private_4(ip),
        IpAddr::V6(ip) => {
            let is_of_networks = ip.is_unique_local() || ip.is_unicast_link_local() || ip.is_multicast();
            is_of_networks || translated(ip).is_some_and(|ip| ip.is_loopback() || is_private_4(ip))
        }
    }
}

fn is_private_4(ip: Ipv4Addr) -> bool {
    let [first, second, ..] = ip.octets();
    // RFC 6598: between a provider and its customers; RFC 1122: this network.
    let is_shared = first == 100 && (64..128).contains(&second);
    ip.is_private() || ip.is_link_local() || ip.is_broadcast() || ip.is_multicast() || is_shared || first == 0
}

/// The IPv4 address that a translator reaches by this one (RFC 6052, the well-known prefix 64:ff9b::/96).
fn translated(ip: Ipv6Addr) -> Option<Ipv4Addr> {
    let [a, b, c, d, e, f, high, low] = ip.segments();
    let is_translated = [a, b, c, d, e, f] == [0x64, 0xff9b, 0, 0, 0, 0];
    is_translated.then(|| Ipv4Addr::from((u32::from(high) << 16) | u32::from(low)))
}

/// True if the address belongs to this machine: only then can a socket be bound to it.
fn is_own(ip: IpAddr) -> bool {
    UdpSocket::bind((ip, 0)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leads(host: &str, place: &str) -> bool {
        may_lead_to(place.parse().expect("an address"), host, "").is_ok()
    }

    #[test]
    fn a_name_leads_out_of_this_network_alone() {
        for place in [
            "127.0.0.1:80",
            "127.8.9.1:80",
            "0.0.0.0:80",
            "10.1.2.3:80",
            "172.16.0.1:80",
            "192.168.1.1:80",
            "169.254.169.254:80",
            "100.64.0.1:80",
            "224.0.0.1:80",
            "[::1]:80",
            "[::]:80",
            "[fe80::1]:80",
            "[fd00::1]:80",
            "[::ffff:127.0.0.1]:80",
            "[::ffff:10.0.0.1]:80",
            "[64:ff9b::a00:1]:80",
        ] {
            assert!(!leads("api.example.org", place), "{place}");
        }
        for place in [
            "192.0.2.7:443",
            "172.32.0.1:443",
            "100.128.0.1:443",
            "[2001:db8::1]:443",
            "[64:ff9b::c000:207]:443",
        ] {
            assert!(leads("api.example.org", place), "{place}");
        }
    }

    #[test]
    fn what_is_listed_by_its_number_is_meant() {
        for (host, place) in [
            ("127.0.0.1", "127.0.0.1:80"),
            ("10.1.2.3", "10.1.2.3:80"),
            ("[::1]", "[::1]:80"),
            ("localhost", "127.0.0.1:80"),
            ("LOCALHOST", "[::1]:80"),
        ] {
            assert!(leads(host, place), "{host} {place}");
        }
        // A number other than its own, and a number in another spelling.
        assert!(!leads("localhost", "10.1.2.3:80") && !leads("127.1", "127.0.0.1:80"));
    }

    #[test]
    fn no_door_leads_to_the_page() {
        close_to_page(4711);
        for (host, place) in [("127.0.0.1", "127.0.0.1:4711"), ("localhost", "[::1]:4711")] {
            assert!(!leads(host, place), "{host}");
        }
        assert!(leads("127.0.0.1", "127.0.0.1:4712") && leads("192.0.2.7", "192.0.2.7:4711"));
    }
}
