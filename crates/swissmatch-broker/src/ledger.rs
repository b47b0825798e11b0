//! The ledger: every request to a service and its outcome, as lines of JSON beside the log; and the spending that follows from them.
//!
//! A line is written, not synced, before its request is sent, and another before its reply is handed over. So
//! everything that a service has seen is in the ledger, even after a kill; a request without an answer counts as the
//! amount reserved for it. The owner of the file syncs it when a game is over; a power cut loses at most lines of
//! games under way. May not: open a file; send anything.

mod again;

use std::collections::HashMap;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Write as _};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::money::{Micros, Tokens};
use super::reply::Usage;
pub use again::{BookedSpending, LedgerGameHash, booked};

/// The limits of the spending.
#[derive(Clone, Copy, Debug, Default)]
pub struct SpendingLimits {
    /// The limit for all players, in the unit of the prices.
    pub event: Option<Micros>,
    /// The limit for each player.
    pub player: Option<Micros>,
    /// Tokens of all players.
    pub tokens: Option<Tokens>,
    /// Requests of all players.
    pub requests: Option<u64>,
}

/// The spending so far; unknown amounts count as what was reserved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spending {
    /// In the unit of the prices.
    pub money: Micros,
    /// Tokens in and out.
    pub tokens: Tokens,
    /// Requests sent.
    pub requests: u64,
    /// Requests whose cost nobody knows.
    pub unknown: u64,
}

impl Spending {
    fn and(self, other: Self) -> Self {
        Self {
            money: self.money.and(other.money),
            tokens: self.tokens.and(other.tokens),
            requests: self.requests.saturating_add(other.requests),
            unknown: self.unknown.saturating_add(other.unknown),
        }
    }
}

/// A line of the ledger.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum LedgerLine {
    /// A request is about to be sent.
    Asked(LedgerRequest),
    /// A request has ended.
    Ended(RequestEnd),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct LedgerRequest {
    pub(crate) request: u64,
    pub(crate) player: String,
    pub(crate) game: String,
    pub(crate) endpoint: String,
    /// True if swissmatch only asks if the service is there.
    pub(crate) probe: bool,
    /// SHA-256 of the body.
    pub(crate) hash: String,
    /// The most tokens that it can use.
    pub(crate) tokens: Tokens,
    pub(crate) money: Option<Micros>,
}

/// The outcome of a request.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct RequestEnd {
    pub(crate) request: u64,
    /// `reply`, or whose failure it is, or `hung-up`.
    pub(crate) end: String,
    /// SHA-256 of the answer.
    pub(crate) hash: Option<String>,
    /// The tokens that count.
    pub(crate) tokens: Tokens,
    pub(crate) money: Option<Micros>,
    /// True if the service reported its usage.
    pub(crate) known: bool,
}

/// The amount reserved for an open request.
#[derive(Clone, Debug)]
struct Reservation {
    player: String,
    game: String,
    tokens: Tokens,
    money: Option<Micros>,
}

/// Why a request may not be sent.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LedgerError {
    /// It could cost more than is left.
    #[error(
        "spending.{key} is reached: of {limit}, {counted} are counted already, and one more call could go beyond it; \
         spending.{key} may be raised when the run goes on"
    )]
    Spent {
        /// The key of the limit.
        key: &'static str,
        limit: String,
        counted: String,
    },
    /// The line cannot be written to the ledger.
    #[error("the ledger cannot be written: {0}")]
    Unwritten(#[from] io::Error),
}

/// The ledger of a run.
#[derive(Debug)]
pub struct Ledger {
    file: Option<File>,
    is_torn: bool,
    limits: SpendingLimits,
    next: u64,
    open: HashMap<u64, Reservation>,
    all: Spending,
    by_player: HashMap<String, Spending>,
    by_game: HashMap<String, Sha256>,
}

impl Ledger {
    /// The ledger in a file that was opened for reading from its beginning and for appending; without a file, it
    /// lasts only as long as the process. Requests that an earlier process left open count as what was reserved.
    ///
    /// # Errors
    /// When it cannot be read, or is not a ledger.
    pub fn open(file: Option<File>, limits: SpendingLimits) -> io::Result<Self> {
        let mut ledger = Self {
            file: None,
            is_torn: false,
            limits,
            next: 1,
            open: HashMap::new(),
            all: Spending::default(),
            by_player: HashMap::new(),
            by_game: HashMap::new(),
        };
        if let Some(file) = file {
            let mut text = Vec::new();
            let mut reader = BufReader::new(&file);
            while reader.read_until(b'\n', &mut text)? > 0 {
                if text.ends_with(b"\n") {
                    ledger.read(&text)?;
                } else {
                    // A process was killed while it wrote: the request of that line was not sent.
                    ledger.is_torn = true;
                }
                text.clear();
            }
            ledger.file = Some(file);
        }
        // Nobody answers these any more: they stay reserved.
        ledger.all.unknown += ledger.open.len() as u64;
        for reserved in std::mem::take(&mut ledger.open).into_values() {
            ledger.by_player.entry(reserved.player).or_default().unknown += 1;
        }
        Ok(ledger)
    }

    /// Adds what an earlier ledger has spent to what counts against the limits.
    ///
    /// # Errors
    /// When that one cannot be read, or is not a ledger.
    pub fn after(mut self, earlier: File) -> io::Result<Self> {
        let earlier = Self::open(Some(earlier), SpendingLimits::default())?;
        self.all = self.all.and(earlier.all);
        for (player, spent) in earlier.by_player {
            let of_player = self.by_player.entry(player).or_default();
            *of_player = of_player.and(spent);
        }
        Ok(self)
    }

    fn read(&mut self, text: &[u8]) -> io::Result<()> {
        let line = match serde_json::from_slice(text) {
            Ok(line) => line,
            // A power cut left this of lines that were not yet on the disk. A line itself has no zero bytes.
            Err(_) if text.contains(&0) => return Ok(()),
            // A line that a killed process had begun to write.
            Err(error) if error.is_eof() => return Ok(()),
            Err(error) => {
                return Err(io::Error::new(
                    io::ErrorKind::InvalidData,
                    format!("this is no ledger: {error}"),
                ));
            }
        };
        match line {
            LedgerLine::Asked(asked) => self.apply_asked(&asked, text),
            LedgerLine::Ended(ended) => self.apply_ended(&ended, text),
        }
        Ok(())
    }

    fn apply_asked(&mut self, asked: &LedgerRequest, text: &[u8]) {
        self.next = self.next.max(asked.request + 1);
        for spent in [&mut self.all, self.by_player.entry(asked.player.clone()).or_default()] {
            spent.requests += 1;
            spent.tokens = spent.tokens.and(asked.tokens);
            spent.money = spent.money.and(asked.money.unwrap_or_default());
        }
        self.by_game.entry(asked.game.clone()).or_default().update(text);
        let reserved = Reservation {
            player: asked.player.clone(),
            game: asked.game.clone(),
            tokens: asked.tokens,
            money: asked.money,
        };
        self.open.insert(asked.request, reserved);
    }

    fn apply_ended(&mut self, ended: &RequestEnd, text: &[u8]) {
        let Some(reserved) = self.open.remove(&ended.request) else {
            return;
        };
        for spent in [&mut self.all, self.by_player.entry(reserved.player).or_default()] {
            spent.tokens.0 = spent
                .tokens
                .0
                .saturating_sub(reserved.tokens.0)
                .saturating_add(ended.tokens.0);
            let without = spent.money.0.saturating_sub(reserved.money.unwrap_or_default().0);
            spent.money = Micros(without).and(ended.money.unwrap_or_default());
            spent.unknown += u64::from(!ended.known || ended.money.is_none());
        }
        self.by_game.entry(reserved.game).or_default().update(text);
    }

    fn write(&mut self, line: &LedgerLine) -> io::Result<Vec<u8>> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        if let Some(file) = &mut self.file {
            if self.is_torn {
                file.write_all(b"\n")?;
            }
            // A full disk may have taken a part of it.
            self.is_torn = true;
            file.write_all(&text)?;
            self.is_torn = false;
        }
        Ok(text)
    }

    /// The number for a request that is about to be sent.
    pub(crate) fn number(&mut self) -> u64 {
        self.next += 1;
        self.next - 1
    }

    /// Reserves the most that a request can cost, and writes it down.
    pub(crate) fn ask(&mut self, asked: LedgerRequest) -> Result<(), LedgerError> {
        let of_player = self.by_player.get(&asked.player).copied().unwrap_or_default();
        let spent = |key, limit: &dyn Display, counted: &dyn Display| LedgerError::Spent {
            key,
            limit: limit.to_string(),
            counted: counted.to_string(),
        };
        let of_money = |key, counted: Micros, limit: Option<Micros>| {
            let limit = limit.filter(|limit| asked.money.is_some_and(|money| counted.and(money) > *limit));
            limit.map(|limit| spent(key, &limit, &counted))
        };
        let (tokens, requests) = (self.all.tokens, self.all.requests);
        let of_tokens = self.limits.tokens.filter(|limit| tokens.and(asked.tokens) > *limit);
        let of_requests = self.limits.requests.filter(|limit| requests >= *limit);
        let beyond = of_money("event", self.all.money, self.limits.event)
            .or_else(|| of_money("player", of_player.money, self.limits.player))
            .or_else(|| of_tokens.map(|limit| spent("tokens", &limit.0, &tokens.0)))
            .or_else(|| of_requests.map(|limit| spent("requests", &limit, &requests)));
        if let Some(beyond) = beyond {
            return Err(beyond);
        }
        let line = LedgerLine::Asked(asked);
        let text = self.write(&line)?;
        if let LedgerLine::Asked(asked) = &line {
            self.apply_asked(asked, &text);
        }
        Ok(())
    }

    /// Writes down the outcome of a request.
    pub(crate) fn end(&mut self, ended: RequestEnd) -> io::Result<()> {
        let line = LedgerLine::Ended(ended);
        let text = self.write(&line)?;
        if let LedgerLine::Ended(ended) = &line {
            self.apply_ended(ended, &text);
        }
        Ok(())
    }

    /// The spending of all players.
    pub fn spent(&self) -> Spending {
        self.all
    }

    /// The spending of one player.
    pub fn spent_by(&self, player: &str) -> Spending {
        self.by_player.get(player).copied().unwrap_or_default()
    }

    /// SHA-256 of the lines of a game so far, in hexadecimal digits.
    pub(crate) fn hash_of(&self, game: &str) -> String {
        hex(self.by_game.get(game).cloned().unwrap_or_default())
    }
}

/// SHA-256 in hexadecimal digits.
pub(crate) fn hash(bytes: &[u8]) -> String {
    hex(Sha256::new_with_prefix(bytes))
}

fn hex(digest: Sha256) -> String {
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The usage that counts for a request: as the service reports it; else what was reserved, unless the request was
/// turned away.
pub(crate) fn counted(
    asked: &LedgerRequest,
    usage: Option<Usage>,
    price: Option<super::money::Price>,
    was_turned_away: bool,
) -> (Tokens, Option<Micros>, bool) {
    match usage {
        Some(usage) => {
            let cost = price
                .map(|price| price.of(usage.input, usage.cached, usage.output))
                .or(usage.cost);
            (usage.input.and(usage.output), cost, true)
        }
        None if was_turned_away => (Tokens(0), price.map(|_| Micros(0)), true),
        None => (asked.tokens, asked.money, false),
    }
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;
    use std::path::Path;

    use super::*;

    fn asked(request: u64, money: u64) -> LedgerRequest {
        LedgerRequest {
            request,
            player: "A".to_owned(),
            game: "1.1.1".to_owned(),
            endpoint: "local".to_owned(),
            probe: false,
            hash: hash(b"x"),
            tokens: Tokens(100),
            money: Some(Micros(money)),
        }
    }

    fn ended(request: u64, money: u64) -> RequestEnd {
        RequestEnd {
            request,
            end: "reply".to_owned(),
            hash: None,
            tokens: Tokens(10),
            money: Some(Micros(money)),
            known: true,
        }
    }

    fn open(path: &Path, limit: u64) -> io::Result<Ledger> {
        let file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        Ledger::open(
            Some(file),
            SpendingLimits {
                player: Some(Micros(limit)),
                ..SpendingLimits::default()
            },
        )
    }

    #[test]
    fn what_was_reserved_counts_until_it_is_settled_and_after_a_kill() {
        let place = tempfile::tempdir().expect("a directory");
        let path = place.path().join("ledger.jsonl");
        let mut ledger = open(&path, 100).expect("a ledger");
        assert_eq!((ledger.number(), ledger.number()), (1, 2));
        ledger.ask(asked(1, 60)).expect("room");
        assert!(matches!(
            ledger.ask(asked(2, 60)),
            Err(LedgerError::Spent { key: "player", .. })
        ));
        ledger.end(ended(1, 20)).expect("written");
        ledger.ask(asked(2, 60)).expect("room");
        assert_eq!(
            ledger.spent(),
            Spending {
                money: Micros(80),
                tokens: Tokens(110),
                requests: 2,
                unknown: 0
            }
        );
        let hash = ledger.hash_of("1.1.1");
        drop(ledger);
        // Killed while it wrote.
        let mut file = OpenOptions::new().append(true).open(&path).expect("a file");
        file.write_all(b"{\"asked\":{\"request\":3,").expect("written");
        let mut ledger = open(&path, 100).expect("a ledger");
        assert_eq!((ledger.spent_by("A").money, ledger.spent().unknown), (Micros(80), 1));
        assert_eq!(ledger.hash_of("1.1.1"), hash);
        assert_eq!(ledger.number(), 3);
        assert!(ledger.ask(asked(3, 21)).is_err());
        ledger.ask(asked(3, 20)).expect("room");
        drop(ledger);
        // The power was cut: bytes that were not yet on the disk are zeros.
        let mut file = OpenOptions::new().append(true).open(&path).expect("a file");
        file.write_all(&[0; 64]).expect("written");
        let mut ledger = open(&path, 101).expect("a ledger");
        ledger.ask(asked(4, 1)).expect("room");
        drop(ledger);
        assert_eq!(open(&path, 101).expect("a ledger").spent_by("A").money, Micros(101));
        // The limit was raised.
        assert!(open(&path, 300).expect("a ledger").ask(asked(5, 199)).is_ok());
    }

    #[test]
    fn what_an_earlier_ledger_has_counts_against_the_limits() {
        let place = tempfile::tempdir().expect("a directory");
        let path = |name: &str| place.path().join(name);
        let mut earlier = open(&path("1"), 100).expect("a ledger");
        earlier.ask(asked(1, 60)).expect("room");
        earlier.end(ended(1, 40)).expect("written");
        let read = || std::fs::File::open(path("1")).expect("it is there");
        let ledger = open(&path("2"), 100).expect("a ledger").after(read());
        let mut ledger = ledger.and_then(|ledger| ledger.after(read())).expect("ledgers");
        assert!(matches!(
            ledger.ask(asked(1, 21)),
            Err(LedgerError::Spent { key: "player", .. })
        ));
        ledger.ask(asked(1, 20)).expect("room");
        assert_eq!((ledger.spent().money, ledger.spent().requests), (Micros(100), 3));
        assert_eq!(open(&path("2"), 100).expect("a ledger").spent().money, Micros(20));
    }

    #[test]
    fn tokens_and_requests_have_limits_and_another_file_is_none() {
        let limits = SpendingLimits {
            tokens: Some(Tokens(150)),
            requests: Some(2),
            ..SpendingLimits::default()
        };
        let mut ledger = Ledger::open(None, limits).expect("a ledger");
        ledger.ask(asked(1, 0)).expect("room");
        assert!(matches!(
            ledger.ask(asked(2, 0)),
            Err(LedgerError::Spent { key: "tokens", .. })
        ));
        ledger.end(ended(1, 0)).expect("written");
        ledger.ask(asked(2, 0)).expect("room");
        ledger.end(ended(2, 0)).expect("written");
        assert!(matches!(
            ledger.ask(asked(3, 0)),
            Err(LedgerError::Spent { key: "requests", .. })
        ));
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(b"hello\n").expect("written");
        std::io::Seek::rewind(&mut file).expect("rewound");
        assert!(Ledger::open(Some(file), SpendingLimits::default()).is_err());
    }
}
