//! Reads a ledger again, to compare a run with it: what it has of a game, up to a hash that is given.
//!
//! The file may come from a stranger: lines have a limit, and nothing is kept but what was asked for. May not: open a
//! file.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{self, BufRead as _, BufReader, Read};

use sha2::{Digest as _, Sha256};

use super::{LedgerLine, hex};
use crate::money::{Micros, Tokens};

/// The most bytes of a line.
const LONGEST: u64 = 64 << 10;
/// The most unanswered requests of the games in question.
const MOST_OPEN: usize = 100_000;

/// A game, and the hash of its lines so far, in hexadecimal digits.
pub type LedgerGameHash<'a> = (&'a str, &'a str);

/// What a ledger has of a game up to one of its lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BookedSpending {
    /// Requests, without those by which swissmatch only asked if the service is there.
    pub requests: u64,
    /// The tokens that count; unanswered requests count as reserved.
    pub tokens: Tokens,
    /// The cost in the unit of the prices.
    pub money: Micros,
}

/// A game whose lines are looked for.
#[derive(Default)]
struct LedgerGame<'a> {
    wanted: BTreeSet<&'a str>,
    digest: Sha256,
    booked: BookedSpending,
}

/// Reads a ledger for these games. Passes on each one found, with what the ledger has of it up to the given hash.
///
/// # Errors
/// When it cannot be read, or is not a ledger.
pub fn booked<'a>(
    source: impl Read,
    named: &[LedgerGameHash<'a>],
) -> io::Result<BTreeMap<LedgerGameHash<'a>, BookedSpending>> {
    let mut games: BTreeMap<&'a str, LedgerGame<'a>> = BTreeMap::new();
    for (game, hash) in named {
        games.entry(game).or_default().wanted.insert(hash);
    }
    let mut found = BTreeMap::new();
    let mut look = |name: &'a str, game: &LedgerGame<'a>| {
        if let Some(hash) = game.wanted.get(hex(game.digest.clone()).as_str()) {
            found.entry((name, *hash)).or_insert(game.booked);
        }
    };
    // Games without a request match at once.
    games.iter().for_each(|(name, game)| look(name, game));
    let mut open: HashMap<u64, (&'a str, Tokens, Micros)> = HashMap::new();
    let mut reader = BufReader::new(source);
    let mut text = Vec::new();
    for number in 1_u64.. {
        let is_none = |why: &str| io::Error::new(io::ErrorKind::InvalidData, format!("line {number}: {why}"));
        text.clear();
        reader.by_ref().take(LONGEST).read_until(b'\n', &mut text)?;
        if !text.ends_with(b"\n") {
            match text.len() as u64 {
                LONGEST => return Err(is_none("it is longer than any of a ledger")),
                // The end, or a line that a killed process had begun to write.
                _ => break,
            }
        }
        let name = match serde_json::from_slice(&text) {
            Ok(LedgerLine::Asked(asked)) => {
                let Some((name, _)) = games.get_key_value(asked.game.as_str()) else {
                    continue;
                };
                let name = *name;
                let game = games.entry(name).or_default();
                let money = asked.money.unwrap_or_default();
                game.booked.requests += u64::from(!asked.probe);
                game.booked.tokens = game.booked.tokens.and(asked.tokens);
                game.booked.money = game.booked.money.and(money);
                open.insert(asked.request, (name, asked.tokens, money));
                if open.len() > MOST_OPEN {
                    return Err(is_none("more requests are open than ever are"));
                }
                name
            }
            Ok(LedgerLine::Ended(ended)) => {
                let Some((name, tokens, money)) = open.remove(&ended.request) else {
                    continue;
                };
                let settle = |sum: u64, reserved: u64, counts: u64| sum.saturating_sub(reserved).saturating_add(counts);
                let booked = &mut games.entry(name).or_default().booked;
                booked.tokens.0 = settle(booked.tokens.0, tokens.0, ended.tokens.0);
                booked.money.0 = settle(booked.money.0, money.0, ended.money.unwrap_or_default().0);
                name
            }
            Err(_) if text.contains(&0) => continue,
            Err(error) if error.is_eof() => continue,
            Err(error) => return Err(is_none(&format!("it is none of a ledger: {error}"))),
        };
        let game = games.entry(name).or_default();
        game.digest.update(&text);
        look(name, game);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::hash;

    fn asked(request: u64, game: &str, probe: bool) -> String {
        format!(
            "{{\"asked\":{{\"request\":{request},\"player\":\"A\",\"game\":\"{game}\",\"endpoint\":\"l\",\"probe\":{probe},\"hash\":\"\",\
             \"tokens\":100,\"money\":50}}}}\n"
        )
    }

    fn ended(request: u64) -> String {
        format!(
            "{{\"ended\":{{\"request\":{request},\"end\":\"reply\",\"hash\":null,\"tokens\":7,\"money\":3,\"known\":true}}}}\n"
        )
    }

    fn of(requests: u64, tokens: u64, money: u64) -> BookedSpending {
        BookedSpending {
            requests,
            tokens: Tokens(tokens),
            money: Micros(money),
        }
    }

    #[test]
    fn each_hash_that_is_named_is_found_with_what_it_stands_for() {
        let lines = [
            asked(1, "1.1.1", false),
            asked(2, "1.2.1", false),
            ended(1),
            "{\"asked\":{\"request\":3,\n".to_owned(),
            asked(3, "1.1.1", true),
            ended(9),
            ended(3),
            ended(2),
            "\0\0\0\n".to_owned(),
            "{\"ended\":".to_owned(),
        ];
        let after = |places: &[usize]| {
            hash(
                places
                    .iter()
                    .map(|place| lines[*place].as_str())
                    .collect::<String>()
                    .as_bytes(),
            )
        };
        let hashes = [
            after(&[0, 2]),
            after(&[0, 2, 4, 6]),
            after(&[1]),
            after(&[]),
            after(&[0, 4]),
        ];
        let games = ["1.1.1", "1.1.1", "1.2.1", "9.9.9", "1.1.1"];
        let named: Vec<LedgerGameHash<'_>> = games.into_iter().zip(hashes.iter().map(String::as_str)).collect();
        let found = booked(lines.concat().as_bytes(), &named).expect("a ledger");
        let found: Vec<Option<BookedSpending>> = named.iter().map(|named| found.get(named).copied()).collect();
        let wanted = [of(1, 7, 3), of(1, 14, 6), of(1, 100, 50), of(0, 0, 0)].map(Some);
        assert_eq!(found, [&wanted[..], &[None]].concat());
    }

    #[test]
    fn what_is_no_ledger_is_told_by_its_line() {
        let why = |text: &str| booked(text.as_bytes(), &[]).expect_err("it is none").to_string();
        assert!(why(&(ended(1) + "hello\n")).starts_with("line 2: it is none of a ledger"));
        assert_eq!(
            why(&"x".repeat(LONGEST as usize + 1)),
            "line 1: it is longer than any of a ledger"
        );
    }
}
