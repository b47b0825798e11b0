//! Places at the server, and whose they are. Where few are left, an address that has more than half of them waits, and others come first.
//!
//! May not: know what a place is for.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;

use axum::http::HeaderMap;
use tokio::sync::watch;

/// A visitor, as far as an address tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Visitor {
    /// From this machine: a proxy, on behalf of others, or the organizer. They never wait for others.
    Here,
    /// From elsewhere. For IPv6 this is the network, as one visitor has all of its addresses.
    At(IpAddr),
}

impl Visitor {
    pub(super) fn at(address: IpAddr) -> Self {
        /// The network's part of an IPv6 address.
        const NETWORK: u128 = !0 << 64;
        match address.to_canonical() {
            own if own.is_loopback() => Self::Here,
            IpAddr::V6(address) => Self::At(Ipv6Addr::from_bits(address.to_bits() & NETWORK).into()),
            address => Self::At(address),
        }
    }

    /// The visitor for whom a proxy on this machine asks, as the proxy itself says. Others may have made up what stands before that in the
    /// header.
    pub(super) fn behind_proxy(self, headers: &HeaderMap) -> Self {
        let forwarded = headers.get_all("x-forwarded-for").iter().next_back();
        let last = forwarded.and_then(|value| value.to_str().ok()?.rsplit(',').next());
        match (self, last.and_then(|address| address.trim().parse().ok())) {
            (Self::Here, Some(address)) => Self::at(address),
            _ => self,
        }
    }
}

/// A number of places, and who has them.
#[derive(Debug)]
pub(super) struct VisitorPlaces {
    most: usize,
    taken: watch::Sender<TakenPlaces>,
}

#[derive(Debug, Default)]
struct TakenPlaces {
    all: usize,
    of: HashMap<Visitor, usize>,
}

impl TakenPlaces {
    const fn is_crowded(&self, most: usize) -> bool {
        self.all > most - most / 4
    }

    fn has_place(&self, visitor: Visitor, most: usize) -> bool {
        let has_most = || visitor != Visitor::Here && self.of.get(&visitor).is_some_and(|own| own * 2 > most);
        self.all < most && !(self.is_crowded(most) && has_most())
    }
}

impl VisitorPlaces {
    pub(super) fn new(most: usize) -> Arc<Self> {
        let taken = watch::Sender::default();
        Arc::new(Self { most, taken })
    }

    pub(super) fn are_few(&self) -> bool {
        self.taken.borrow().is_crowded(self.most)
    }

    pub(super) fn are_free(&self) -> bool {
        self.taken.borrow().all == 0
    }

    /// Takes a place, if there is one for this visitor.
    pub(super) fn take(self: &Arc<Self>, visitor: Visitor) -> Option<VisitorPlace> {
        let is_taken = self.taken.send_if_modified(|taken| {
            let has_place = taken.has_place(visitor, self.most);
            if has_place {
                taken.all += 1;
                *taken.of.entry(visitor).or_default() += 1;
            }
            has_place
        });
        is_taken.then(|| VisitorPlace {
            places: Arc::clone(self),
            visitor,
        })
    }

    /// Waits until there is a place for this visitor.
    pub(super) async fn wait(self: &Arc<Self>, visitor: Visitor) -> VisitorPlace {
        loop {
            if let Some(place) = self.take(visitor) {
                return place;
            }
            self.until(|taken| taken.has_place(visitor, self.most)).await;
        }
    }

    /// Waits until any place is free.
    pub(super) async fn any(&self) {
        self.until(|taken| taken.all < self.most).await;
    }

    /// Waits until all places are free.
    pub(super) async fn all(&self) {
        self.until(|taken| taken.all == 0).await;
    }

    async fn until(&self, is_so: impl FnMut(&TakenPlaces) -> bool) {
        // It lives as long as they do.
        let _ = self.taken.subscribe().wait_for(is_so).await;
    }
}

/// A place; it is free again when dropped.
#[derive(Debug)]
pub(super) struct VisitorPlace {
    places: Arc<VisitorPlaces>,
    visitor: Visitor,
}

impl Drop for VisitorPlace {
    fn drop(&mut self) {
        self.places.taken.send_modify(|taken| {
            taken.all -= 1;
            if let Some(own) = taken.of.get_mut(&self.visitor) {
                *own -= 1;
                if *own == 0 {
                    taken.of.remove(&self.visitor);
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::pin::pin;
    use std::task::{Context, Waker};

    use super::*;

    fn at(address: &str) -> Visitor {
        Visitor::at(address.parse().expect("an address"))
    }

    #[test]
    fn who_has_most_of_few_places_waits_and_others_do_not() {
        let places = VisitorPlaces::new(8);
        let (one, other) = (at("192.0.2.1"), at("192.0.2.2"));
        let take = |visitor, number: usize| (0..number).map_while(|_| places.take(visitor)).collect::<Vec<_>>();
        // Nobody else is there, so more than half is fine.
        let mut ones = take(one, 8);
        assert_eq!((ones.len(), places.are_few()), (7, true));
        let mut waits = pin!(places.wait(one));
        let mut context = Context::from_waker(Waker::noop());
        assert!(waits.as_mut().poll(&mut context).is_pending());
        let others = take(other, 8);
        assert_eq!(others.len(), 1, "it comes before who waits");
        assert_eq!(take(Visitor::Here, 1).len(), 0, "there is none");
        drop(others);
        assert_eq!(take(Visitor::Here, 1).len(), 1);
        assert!(waits.as_mut().poll(&mut context).is_pending());
        ones.truncate(5);
        assert!(waits.as_mut().poll(&mut context).is_ready());
        drop(ones);
        assert!(places.are_free() && places.taken.borrow().of.is_empty());
        // An address does not tell on whose behalf a proxy on this machine asks.
        assert_eq!(take(Visitor::Here, 9).len(), 8);
    }

    #[test]
    fn a_visitor_is_who_the_last_proxy_names_and_it_alone_on_this_machine() {
        let behind = |peer: &str, lines: &[&str]| {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append("x-forwarded-for", line.parse().expect("a value"));
            }
            at(peer).behind_proxy(&headers)
        };
        assert_eq!(behind("127.0.0.1", &["10.0.0.1, 192.0.2.1"]), at("192.0.2.1"));
        assert_eq!(behind("::1", &["10.0.0.1", "192.0.2.2"]), at("::ffff:192.0.2.2"));
        for nobody in [&["unknown"][..], &["192.0.2.1, "], &[]] {
            assert_eq!(behind("127.0.0.1", nobody), Visitor::Here);
        }
        assert_eq!(behind("192.0.2.3", &["192.0.2.1"]), at("192.0.2.3"));
        assert_eq!(at("2001:db8::1"), at("2001:db8::ffff:1"));
        assert_ne!(at("2001:db8::1"), at("2001:db8:0:1::1"));
    }
}
