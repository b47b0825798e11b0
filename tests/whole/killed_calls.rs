//! `kill -9` amid calls: the ledger lacks no request that the service has seen, no game counts twice, and no limit is exceeded.

use std::collections::BTreeMap;
use std::sync::mpsc::Receiver;
use std::thread::sleep;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::Value;

use crate::adapters::{Request, first_legal, service};
use crate::death::{Background, assert_empty, send};
use crate::kill::{Log, Lot};
use crate::models::said;
use crate::support::{Place, times};

/// How often the runner is killed, in the short form and in the long one.
const KILLS: (usize, usize) = (4, 50);
/// Killings of one event before it may come to its limit.
const KILLS_OF_ONE: usize = 4;
const PATIENCE: Duration = Duration::from_secs(60);
/// What the event may spend, in millionths, and what a call costs by what the service says that it used.
const BOUND: u64 = 1_000_000;
const COST: u64 = 100 * 20 + 10 * 80;

/// An event that would cost more than its limit.
fn event(url: &str) -> String {
    format!(
        "event.name = \"killed\"\nswiss.rounds = 1\nmini_match.games = 40\nmini_match.openings = \"none\"\ngame.max_moves = 10\n\
         [run]\nreplays = 100\nconcurrency = 2\noversubscribe = true\n\
         [endpoint.local]\nurl = \"{url}/v1\"\nstream = false\nprice = {{ input = 20.0, output = 80.0 }}\n[spending]\nevent = 1.0\n\
         [model]\nprompt = \"move.jinja\"\nmax_tokens = 20\n\
         [[player]]\nname = \"Ada\"\nmodel = \"local:m\"\n[[player]]\nname = \"Bea\"\nmodel = \"local:m\"\n"
    )
}

/// A legal move, after a while in which somebody may be killed.
fn plays(_: usize, request: &Request) -> Option<String> {
    sleep(Duration::from_millis(5));
    Some(said(&format!("<uci_move>{}</uci_move>", first_legal(request)?), "stop"))
}

/// What the ledger of a run counts in millionths, and how often a request with this hash stands in it.
fn ledger(place: &Place, run: &str) -> (u64, BTreeMap<String, usize>) {
    let (mut counted, mut hashes) = (BTreeMap::new(), BTreeMap::new());
    let text = place.read(&format!("{run}/ledger.jsonl"));
    // Who is killed may leave a part of a line, of a request that was not sent.
    for line in text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        let (kind, line) = line.as_object().and_then(|line| line.iter().next()).expect("a line");
        let money = line["money"].as_u64().expect("a price");
        counted.insert(line["request"].as_u64(), money);
        if kind == "asked" {
            *hashes
                .entry(line["hash"].as_str().expect("a hash").to_owned())
                .or_default() += 1;
        }
    }
    (counted.values().sum(), hashes)
}

#[test]
fn calls_outlive_whoever_is_killed() {
    let (url, told) = service(plays);
    let wanted = times(KILLS.0, KILLS.1);
    let mut lot = Lot(50);
    let (mut kills, mut storms) = (0, 0);
    while kills < wanted {
        storms += 1;
        kills += storm(&url, &told, &mut lot);
    }
    println!("{kills} killings of {storms} events amid calls");
}

/// An event that is killed, until it comes to its limit; how often it was.
fn storm(url: &str, told: &Receiver<Request>, lot: &mut Lot) -> usize {
    let place = Place::new();
    place.write("event.toml", &event(url));
    place.write(
        "move.jinja",
        "You are {{ side_to_move }}: {{ FEN }}\nLegal: {{ legal_moves_uci }}\n",
    );
    let (mut seen, mut before) = (Vec::new(), Log::default());
    for kills in 0.. {
        let mut running = Background::start(&place, &["run", "event.toml", "--out", "run"]);
        let mut status = None;
        if kills < KILLS_OF_ONE {
            seen.push(told.recv_timeout(PATIENCE).expect("it asks").hash);
            sleep(Duration::from_micros(lot.below(400_000)));
            status = running.ended();
            if status.is_none() {
                let player = running.player_now().filter(|_| kills % 2 == 0);
                send(player.unwrap_or(running.guard()), Signal::KILL);
            }
        }
        let status = status.unwrap_or_else(|| running.end(PATIENCE));
        assert_empty(&place, Duration::from_secs(1));
        seen.extend(told.try_iter().map(|request| request.hash));
        let log = Log::read(&place, "run");
        log.assert_only_grew(&before);
        before = log;

        let (counted, hashes) = ledger(&place, "run");
        let mut missing = hashes;
        for hash in &seen {
            let left = missing.get_mut(hash).filter(|left| **left > 0);
            *left.unwrap_or_else(|| panic!("the ledger lacks {hash}")) -= 1;
        }
        assert!(seen.len() as u64 * COST <= counted && counted <= BOUND, "{counted}");
        if status.code() == Some(5) {
            let said = place.read("complained");
            assert!(said.contains("spending.event is reached"), "{said}");
            assert!(kills > 0, "it was never killed");
            place.swissmatch(&["verify", "run"]).expect_code(0);
            return kills;
        }
        assert!(kills < KILLS_OF_ONE, "{status}: {}", place.read("complained"));
    }
    unreachable!("each comes to its limit")
}
