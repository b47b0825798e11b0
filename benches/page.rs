//! The page of events of many sizes: how long the program takes to write it, its weight, and what a browser makes of it (Chromium, by
//! `web/tools/measure.mjs`). `make bench-page`; needs what `npm --prefix web ci` installs.
//!
//! Bars: the first paint of the overview of 200 agents in 11 rounds from this machine below 1 s, and at most 250 kB packed without
//! games; the report of 480 games below 1.5 MB; of 20,000 games, which are in a folder, the first paint below 2 s, and no task longer
//! than 200 ms while one scrolls and goes from section to section. Writing grows with the number of games.
#![expect(clippy::disallowed_methods, reason = "a benchmark measures the world")]

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use shakmaty::{Chess, Position as _};
use swissmatch::game::Side;
use swissmatch::game::eval::Eval;
use swissmatch::game::record::{GameRecord, GameSpec};
use swissmatch::game::termination::{Outcome, Termination};
use swissmatch::game::variations::Variations;
use swissmatch::report::page::{EventCourse, FrontEnd, Log, PageSource, Where, html};
use swissmatch::run::open_run::OpenRun;
use swissmatch::run::report::{most_inside, write};
use swissmatch::run::{EventFile, Run, RunEnd};
use swissmatch::shell::host::scripted::{ScriptedGame, ScriptedHost};

/// Plies of each game.
const PLIES: usize = 80;

/// Name, agents, what the event is, games of a mini-match, and whether a browser opens it.
const EVENTS: [(&str, usize, &str, u32, bool); 5] = [
    ("480 games", 8, "rounds = 5\n", 24, true),
    ("200 agents, 11 rounds", 200, "rounds = 11\n", 2, true),
    ("500 agents, 40 rounds", 500, "rounds = 40\n", 1, true),
    ("20,000 games", 40, "rounds = 25\n", 40, true),
    ("100,000 games", 40, "rounds = 25\n", 200, false),
];

fn main() {
    let only = std::env::args().nth(1).filter(|word| !word.starts_with("--"));
    println!("the page of an event whose games take no time, of {PLIES} plies each with evaluations and variations");
    for (name, agents, swiss, games, is_opened) in EVENTS {
        if only.as_ref().is_none_or(|only| name.contains(only.as_str())) {
            measured(name, agents, swiss, games, is_opened);
        }
    }
}

fn measured(name: &str, agents: usize, swiss: &str, games: u32, is_opened: bool) {
    let place = tempfile::tempdir().expect("a directory");
    let entry = |number| format!("[[player]]\nname = \"Agent {number}\"\ncommand = \"p{number}\"\n");
    let text = format!(
        "[event]\nname = \"{name}\"\n[swiss]\n{swiss}[mini_match]\ngames = {games}\n[publish]\nreport = false\n{}",
        (1..=agents).map(entry).collect::<String>()
    );
    let event = EventFile::parse(&place.path().join("event.toml"), &text).expect("an event");
    let host = Box::new(ScriptedHost::new(scripted).with_slots(8));
    let run = Run::create(event, &place.path().join("run"), host, &mut |_| {}).expect("a run");
    assert_eq!(run.play(&mut []).expect("it is played").ended, RunEnd::Complete);
    let begun = Instant::now();
    let run = OpenRun::open(Some(&place.path().join("run"))).expect("a run");
    let read = begun.elapsed();
    let front_end = FrontEnd::embedded().expect("`sh web/make.sh` builds it");
    let begun = Instant::now();
    let (minutes, head) = (Vec::new(), String::new());
    let entries = run.logged.iter().map(|logged| (logged.at.as_str(), &logged.entry));
    let course = EventCourse::of_log(&entries.collect::<Vec<_>>()).expect("a log");
    let source = PageSource {
        state: &run.state,
        minutes: &minutes,
        course: &course,
        log: Log {
            entries: run.logged.len(),
            head,
        },
        games: Where::Beside,
        served: None,
    };
    let html = html(&source, &front_end).len();
    let made = begun.elapsed();
    let page = place.path().join("report.html");
    let begun = Instant::now();
    let written = write(&run, &page, most_inside(&run.state)).expect("it is written");
    let files = written.beside.map_or(0, |(_, files)| files);
    println!(
        "{name}: the log read in {:.2} s; HTML and data made in {:.3} s ({} kB); all written in {:.2} s: {} kB, and {files} files of games",
        read.as_secs_f64(),
        made.as_secs_f64(),
        html.div_ceil(1000),
        begun.elapsed().as_secs_f64(),
        written.bytes.div_ceil(1000)
    );
    if is_opened {
        opened(&page);
    }
}

/// What a browser makes of it.
fn opened(page: &Path) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("web/tools/measure.mjs");
    let ended = Command::new("node").arg(script).arg(page).status();
    assert!(ended.expect("node is there").success(), "{}", page.display());
}

/// A game of moves that look like chance and follow from the game alone.
fn scripted(spec: &GameSpec) -> ScriptedGame {
    let id = spec.id;
    let mut state = 1 + u64::from(id.round) * 7_919 + u64::from(id.board) * 104_729 + u64::from(id.game) * 1_299_709;
    let mut chance = move |most: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % most
    };
    let begun = GameRecord::begin(spec);
    let setup = spec
        .opening
        .start_fen()
        .parse::<shakmaty::fen::Fen>()
        .expect("a position");
    let mut position: Chess = setup
        .into_position(shakmaty::CastlingMode::Standard)
        .expect("a position");
    let opening = spec.opening.moves_text();
    let play = |position: &mut Chess, word: &str| {
        let uci: shakmaty::uci::UciMove = word.parse().expect("a move");
        let legal = uci.to_move(&*position).expect("a legal move");
        position.play_unchecked(legal);
    };
    opening
        .split_ascii_whitespace()
        .for_each(|word| play(&mut position, word));
    let line = |position: &Chess, chance: &mut dyn FnMut(u64) -> u64, plies: usize| {
        let (mut at, mut words) = (position.clone(), Vec::new());
        while words.len() < plies {
            let legal = at.legal_moves();
            if legal.is_empty() {
                break;
            }
            let chosen = legal[usize::try_from(chance(legal.len() as u64)).expect("it is small")];
            words.push(chosen.to_uci(shakmaty::CastlingMode::Standard).to_string());
            at.play_unchecked(chosen);
        }
        words
    };
    let (mut moves, mut pv) = (Vec::new(), Variations::default());
    while moves.len() < PLIES {
        let variation = line(&position, &mut chance, 8);
        let Some(word) = variation.first().cloned() else { break };
        play(&mut position, &word);
        pv.push(&variation.join(" "));
        moves.push(word);
    }
    let mut column = |most: u64| -> Vec<u64> { moves.iter().map(|_| chance(most)).collect() };
    let (time_us, nodes, eval, depth) = (column(900_000), column(5_000_000), column(400), column(20));
    let outcome = match column(5).first() {
        Some(0 | 1) => Outcome::Draw,
        Some(2) => Outcome::win(Side::Black),
        _ => Outcome::win(Side::White),
    };
    ScriptedGame::Record(Box::new(GameRecord {
        moves: moves.join(" "),
        outcome,
        termination: Termination::ArbiterAdjudication,
        clock_us: time_us.iter().map(|time| 60_000_000 - time).collect(),
        time_us,
        eval: eval
            .into_iter()
            .map(|eval| Some(Eval::Centipawns(i32::try_from(eval).expect("small") - 200)))
            .collect(),
        depth: depth.into_iter().map(|depth| u32::try_from(depth).ok()).collect(),
        nodes: nodes.into_iter().map(Some).collect(),
        pv,
        ..begun
    }))
}
