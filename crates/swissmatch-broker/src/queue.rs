//! Places at a service: a limit on calls at once, and on requests and tokens in any minute; first come, first served.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{Mutex as Turn, OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep_until};

use super::endpoint::Endpoint;
use super::money::Tokens;

/// A minute, with some allowance for two clocks and a network.
const MINUTE: Duration = Duration::from_millis(60_500);

/// The amounts taken of a limit in any minute.
#[derive(Debug)]
struct Window {
    most: u64,
    taken: VecDeque<(Instant, u64, u64)>,
    /// The sum of all amounts taken.
    sum: u64,
}

impl Window {
    fn new(most: u64) -> Self {
        Self {
            most,
            taken: VecDeque::new(),
            sum: 0,
        }
    }

    /// The amount that counts: a need for more than the limit takes all of it.
    fn share(&self, amount: u64) -> u64 {
        amount.min(self.most)
    }

    /// When this amount may be taken.
    fn free_at(&mut self, amount: u64, now: Instant) -> Instant {
        while let Some((_, amount, _)) = self.taken.pop_front_if(|(at, ..)| *at + MINUTE <= now) {
            self.sum -= amount;
        }
        let amount = self.share(amount);
        let mut sum = self.sum;
        let mut free = now;
        for (at, taken, _) in &self.taken {
            if sum + amount <= self.most {
                break;
            }
            sum -= taken;
            free = *at + MINUTE;
        }
        free
    }

    fn take(&mut self, amount: u64, number: u64, now: Instant) {
        // Without a limit nothing is remembered.
        if self.most < u64::MAX {
            let amount = self.share(amount);
            self.taken.push_back((now, amount, number));
            self.sum += amount;
        }
    }

    /// Corrects an amount taken to what was really used.
    fn settle(&mut self, number: u64, amount: u64) {
        let amount = self.share(amount);
        if let Some(taken) = self.taken.iter_mut().rev().find(|(.., taken)| *taken == number) {
            self.sum = self.sum - taken.1 + amount;
            taken.1 = amount;
        }
    }
}

#[derive(Debug)]
struct Rates {
    requests: Window,
    tokens: Window,
    /// The service asked to be left alone until then.
    held_until: Option<Instant>,
}

#[derive(Debug)]
pub(crate) struct Queue {
    places: Arc<Semaphore>,
    turn: Turn<()>,
    rates: Mutex<Rates>,
}

/// A place, held until it is dropped.
#[derive(Debug)]
pub(crate) struct ServicePlace(#[expect(dead_code, reason = "held until it is dropped")] OwnedSemaphorePermit);

impl Queue {
    pub(crate) fn new(endpoint: &Endpoint) -> Self {
        let tokens = endpoint.tokens_a_minute.map_or(u64::MAX, |tokens| tokens.0);
        Self {
            places: Arc::new(Semaphore::new(endpoint.at_once.max(1))),
            turn: Turn::new(()),
            rates: Mutex::new(Rates {
                requests: Window::new(endpoint.requests_a_minute.unwrap_or(u64::MAX)),
                tokens: Window::new(tokens),
                held_until: None,
            }),
        }
    }

    fn with<T>(&self, work: impl FnOnce(&mut Rates) -> T) -> T {
        work(&mut self.rates.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Waits for a place, in the order of arrival.
    pub(crate) async fn place(&self) -> ServicePlace {
        let place = Arc::clone(&self.places).acquire_owned().await;
        ServicePlace(place.expect("nobody closes it"))
    }

    /// Waits until the rates allow a request of this many tokens, and counts it.
    pub(crate) async fn request(&self, number: u64, tokens: Tokens) {
        let _turn = self.turn.lock().await;
        loop {
            let now = Instant::now();
            let free = self.with(|rates| {
                let free = rates.requests.free_at(1, now).max(rates.tokens.free_at(tokens.0, now));
                let free = rates.held_until.map_or(free, |held| held.max(free));
                if free <= now {
                    rates.requests.take(1, number, now);
                    rates.tokens.take(tokens.0, number, now);
                }
                free
            });
            if free <= now {
                return;
            }
            sleep_until(free).await;
        }
    }

    /// Corrects the count of a request to what it really used.
    pub(crate) fn settle(&self, number: u64, tokens: Tokens) {
        self.with(|rates| rates.tokens.settle(number, tokens.0));
    }

    /// Holds back all requests until then, as the service asked.
    pub(crate) fn hold(&self, until: Instant) {
        self.with(|rates| rates.held_until = rates.held_until.max(Some(until)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_any_minute_there_are_so_many() {
        let mut window = Window::new(10);
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        for (number, amount) in [(1, 4), (2, 4)] {
            assert_eq!(window.free_at(amount, at(number)), at(number));
            window.take(amount, number, at(number));
        }
        assert_eq!(window.free_at(2, at(3)), at(3));
        assert_eq!(window.free_at(3, at(3)), at(1) + MINUTE);
        // A need for more than a minute allows takes all of it.
        assert_eq!(window.free_at(99, at(3)), at(2) + MINUTE);
        window.settle(1, 1);
        assert_eq!(window.free_at(5, at(3)), at(3));
        assert_eq!(window.free_at(10, at(2) + MINUTE), at(2) + MINUTE);
        assert_eq!((window.taken.len(), window.sum), (0, 0));
        // Without a limit nothing is kept, however many there are.
        let mut endless = Window::new(u64::MAX);
        endless.take(u64::MAX, 1, start);
        endless.take(u64::MAX, 2, start);
        endless.settle(2, 5);
        assert_eq!(endless.free_at(u64::MAX, start), start);
        assert!(endless.taken.is_empty());
    }
}
