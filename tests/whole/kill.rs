//! "`kill -9` of the runner loses no finished game and counts none twice": many killings at random instants, and the same
//! command again after each.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::ExitStatus;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use rustix::process::Signal;

use crate::death::{Background, assert_empty, send};
use crate::support::{Place, engine, times};

/// How often the runner is killed, in the short form and in the long one.
const KILLS: (usize, usize) = (28, 400);
/// Killings of one event before it may play to its end.
const KILLS_OF_ONE: usize = 14;
const GAMES: usize = 3 * 3 * 4;
const PATIENCE: Duration = Duration::from_secs(60);

/// Seven players, three rounds, four games a mini-match, the same everywhere; few nodes, so that it is soon over. It is killed so
/// often that games are interrupted more often than the arbiter would be asked.
pub(crate) fn short_event() -> String {
    let mut text = "[event]\nname = \"short\"\nrng_seed = 5\n[swiss]\nrounds = 3\nseeding = \"listed\"\n[mini_match]\n\
                    games = 4\n[game]\nnodes = 300\nmax_moves = 100\n[run]\nevidence = \"all\"\nreplays = 100\n[publish]\nevidence = true\n"
        .to_owned();
    for (number, (name, more)) in [
        ("alphabeta", "nodes = 500"),
        ("alphabeta", "options = { Skill = 8 }"),
        ("greedy", ""),
        ("random-mover", ""),
        ("alphabeta", "options = { Skill = 2 }\nnodes = 150"),
        ("greedy", ""),
        ("random-mover", ""),
    ]
    .into_iter()
    .enumerate()
    {
        let command = engine(name);
        text += &format!("[[player]]\nname = \"{name} {number}\"\ncommand = \"{command}\"\n{more}\n");
    }
    text
}

/// What a run has to be the same in: tables, and games without what time brings.
pub(crate) fn results(place: &Place, run: &str) -> Vec<String> {
    let games = place.swissmatch(&["export", "pgn", run, "--no-comments"]);
    games.expect_code(0);
    let games = games.stdout();
    let games = games.lines().filter(|line| !line.starts_with("[Date"));
    let games = games.collect::<Vec<_>>().join("\n");
    let files = [
        "standings.json",
        "standings.csv",
        "standings.md",
        "crosstable.csv",
        "tournament.trf",
    ];
    let files = files.map(|file| place.read(&format!("{run}/{file}")));
    files.into_iter().chain([games]).collect()
}

/// The log as it stands on the disk.
#[derive(Debug, Default)]
pub(crate) struct Log {
    /// Its rows whole.
    pub(crate) rows: Vec<String>,
    /// The games that they say are finished, in that order.
    pub(crate) games: Vec<String>,
    /// Records and evidence, by their hashes.
    texts: BTreeMap<String, String>,
}

impl Log {
    /// Reads it as SQLite would after a crash, in a copy, so that the program itself meets what the crash left.
    /// Empty before there is one.
    pub(crate) fn read(place: &Place, run: &str) -> Self {
        let copy = tempfile::tempdir().expect("a directory for the copy");
        for name in ["run.sqlite", "run.sqlite-wal", "run.sqlite-journal"] {
            // Which of them there are is what a crash decides.
            let _ = fs::copy(place.path(&format!("{run}/{name}")), copy.path().join(name));
        }
        let log = Connection::open(copy.path().join("run.sqlite")).expect("SQLite opens it");
        let whole: String = log
            .query_row("PRAGMA integrity_check", [], |row| row.get(0))
            .expect("a check");
        assert_eq!(whole, "ok");
        let mut read = Self::default();
        let tables: u32 = log
            .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
            .expect("a number");
        if tables == 0 {
            return read;
        }
        let mut rows = log
            .prepare("SELECT seq, at, kind, body, hash FROM entries ORDER BY seq")
            .expect("a query");
        let mut rows = rows.query([]).expect("rows");
        while let Some(row) = rows.next().expect("a row") {
            let (seq, body): (i64, String) = (row.get(0).expect("a number"), row.get(3).expect("a text"));
            let [at, kind, hash] = [1, 2, 4].map(|column| row.get::<_, String>(column).expect("a text"));
            let event: serde_json::Value = serde_json::from_str(&body).expect("an event");
            if let Some(id) = event.get("id") {
                read.games.push(id.to_string());
            }
            read.rows.push(format!("{seq} {at} {kind} {body} {hash}"));
        }
        let mut texts = log.prepare("SELECT hash, body FROM blobs").expect("a query");
        let texts = texts
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
            .expect("texts");
        read.texts = texts.collect::<Result<_, _>>().expect("texts");
        read
    }

    /// Asserts that it holds everything that `before` held, unchanged, and no game twice.
    #[track_caller]
    pub(crate) fn assert_only_grew(&self, before: &Self) {
        assert!(
            self.rows.starts_with(&before.rows),
            "rows changed or went:\n{before:#?}\n{self:#?}"
        );
        for (hash, text) in &before.texts {
            assert_eq!(self.texts.get(hash), Some(text), "a record changed or went");
        }
        let different: BTreeSet<_> = self.games.iter().collect();
        assert_eq!(
            different.len(),
            self.games.len(),
            "a game counts twice: {:#?}",
            self.games
        );
    }
}

/// Numbers from a seed (splitmix64), so that a run of this test that fails can be repeated.
pub(crate) struct Lot(pub(crate) u64);

impl Lot {
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % bound
    }
}

/// The games that a run in the background, `run --json`, has told of as finished.
pub(crate) fn told_games(place: &Place) -> Vec<String> {
    let lines = place.read("said");
    // Who is killed may leave half a line.
    let lines = lines
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let games = lines.filter(|line| line["type"] == "game-finished");
    games.map(|line| line["id"].to_string()).collect()
}

const fn command(run: &str) -> [&str; 8] {
    let (key, value) = ("--set", "run.oversubscribe=true");
    ["run", "event.toml", "--concurrency", "3", key, value, "--out", run]
}

#[test]
fn killing_at_any_instant_loses_no_finished_game() {
    let place = Place::new();
    place.write("event.toml", &short_event());
    let calm = place.swissmatch(&command("calm"));
    calm.expect_code(0);
    let expected = results(&place, "calm");
    assert_eq!(Log::read(&place, "calm").games.len(), GAMES);

    let wanted = times(KILLS.0, KILLS.1);
    let mut lot = Lot(2026);
    let (mut kills, mut storms) = (0, 0);
    // How long a whole event takes; the machine may become less busy.
    let mut whole = calm.took;
    while kills < wanted {
        storms += 1;
        let run = format!("storm-{storms}");
        let mut before = Log::default();
        for attempt in 0.. {
            let mut running = Background::start(&place, &command(&run));
            // Over the whole length of an event, and more often early, so that one event sees many killings.
            let latest = u64::try_from(whole.as_micros()).expect("short") / [1, 3][attempt % 2];
            let (begun, instant) = (Instant::now(), lot.below(latest));
            let ended = wait(&mut running, Duration::from_micros(instant), attempt < KILLS_OF_ONE);
            if ended.is_none() {
                kills += 1;
                let victim = if kills % 2 == 0 {
                    Some(running.guard())
                } else {
                    running.player_now()
                };
                send(victim.unwrap_or(running.guard()), Signal::KILL);
            }
            let status = running.end(PATIENCE);
            assert_empty(&place, Duration::from_secs(1));
            let log = Log::read(&place, &run);
            log.assert_only_grew(&before);
            // What the log says can be read with the program itself, in whatever state it was left.
            if !log.rows.is_empty() {
                let games = place.export_json(&run, "games-json");
                assert_eq!(games["games"].as_array().map(Vec::len), Some(log.games.len()));
            }
            before = log;
            if let Some(code) = status.code().filter(|code| *code != 130) {
                assert_eq!(code, 0, "{}", place.read("complained"));
                if attempt == 0 {
                    whole = whole.min(begun.elapsed());
                }
                break;
            }
        }
        assert_eq!(results(&place, &run), expected, "after {kills} killings");
        assert_eq!(before.games.len(), GAMES);
        place.swissmatch(&["verify", &run]).expect_code(0);
        let evidence = fs::read_dir(place.path(&format!("{run}/evidence"))).expect("there is evidence");
        assert_eq!(evidence.count(), GAMES, "of every game");
    }
    println!(
        "{kills} killings of {storms} events, the whole one taking {:?}",
        calm.took
    );
}

/// Lets it run for so long, or to its end where it may not be killed; its status if it has ended.
fn wait(running: &mut Background<'_>, time: Duration, may_kill: bool) -> Option<ExitStatus> {
    if !may_kill {
        return Some(running.end(PATIENCE));
    }
    let begun = Instant::now();
    while begun.elapsed() < time {
        if let Some(status) = running.ended() {
            return Some(status);
        }
        sleep(Duration::from_micros(500));
    }
    running.ended()
}
