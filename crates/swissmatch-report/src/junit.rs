//! A run as a JUnit report, for the test pages of continuous integration: a case for the test of a match, for the faults of each
//! agent, and for each mini-match.
//!
//! May not: read a run; the evidence of a game is handed in.

mod checks;
pub(crate) mod xml;

use std::collections::BTreeMap;

use swiss_system::count;
use swiss_system::pairing::history::{Pair, PairingNumber};

pub use checks::{of_check, of_checks};
use xml::{JUnitCase, JUnitEnding, JUnitReport, Status, Suite};

use super::event_name;
use super::faults::{START_FAILED, over_bound_by_player};
use super::gate::{Gate, Outcome};
use super::untrusted::name;
use super::versus::Versus;
use swissmatch_game::Side;
use swissmatch_game::alarm::is_sentence;
use swissmatch_game::excerpt::last_lines;
use swissmatch_stats::sprt::Verdict;
use swissmatch_tournament::state::{EndedGame, LoggedGame, MiniMatch, Sitting, State};

/// Most games with a fault or an alarm in a mini-match whose last lines are shown.
const SHOWN: usize = 5;
/// The name of a test's case.
const TEST: &str = "sequential test";

/// The report of a run. `evidence` is asked for what was said in a game that ended by a fault or in which an agent gave an alarm.
///
/// # Errors
/// An error of `evidence`.
pub fn text<E>(state: &State, evidence: impl FnMut(&EndedGame) -> Result<Option<String>, E>) -> Result<String, E> {
    Ok(report(state, evidence)?.to_string())
}

/// Like [`text`], with a case for what decides a gate.
///
/// # Errors
/// An error of `evidence`.
pub fn of_gate<E>(
    state: &State,
    gate: &Gate,
    evidence: impl FnMut(&EndedGame) -> Result<Option<String>, E>,
) -> Result<String, E> {
    let suite = match test(state) {
        // The case says what the gate does.
        Some(suite) if gate.outcome == gate.counts_as() => suite,
        by_test => decision(state, gate, by_test.is_some()),
    };
    Ok(with(state, Some(suite), evidence)?.to_string())
}

/// Like [`of_gate`], but for a match of this name that was not played.
pub fn of_unplayed(name: &str, gate: &Gate) -> String {
    let case = JUnitCase::new("same build", status_of(gate, "")).of(name);
    JUnitReport::new(name, vec![Suite::new("gate", vec![case])]).to_string()
}

/// Like [`text`], but as a report that can be added to.
///
/// # Errors
/// An error of `evidence`.
pub(super) fn report<E>(
    state: &State,
    evidence: impl FnMut(&EndedGame) -> Result<Option<String>, E>,
) -> Result<JUnitReport, E> {
    with(state, test(state), evidence)
}

fn with<E>(
    state: &State,
    decides: Option<Suite>,
    mut evidence: impl FnMut(&EndedGame) -> Result<Option<String>, E>,
) -> Result<JUnitReport, E> {
    let event = event_name(state);
    let mut suites = Vec::from_iter(decides);
    suites.push(agents(state));
    for sitting in state.sittings() {
        let mut cases = Vec::new();
        for (board, of) in (1..).zip(sitting.mini_matches) {
            let case = JUnitCase::new(players(state, of.pair), of_match(state, of, &mut evidence)?);
            cases.push(case.of(format!("{event}.board {board}")));
        }
        suites.push(Suite::new(sitting_name(&sitting), cases));
    }
    Ok(JUnitReport::new(event, suites))
}

/// The case that decides a gate, by a test or by an interval.
fn decision(state: &State, gate: &Gate, by_test: bool) -> Suite {
    let lines = Versus::now(state).lines(state).join("\n");
    let name = if by_test { TEST } else { "95 % interval" };
    deciding(state, name, status_of(gate, &lines), &lines)
}

/// The status of the case of a gate.
fn status_of(gate: &Gate, lines: &str) -> Status {
    let why = gate.why.join("; ");
    match (gate.counts_as(), gate.outcome) {
        (Outcome::Passed, _) => Status::Passed,
        (Outcome::Failed, Outcome::Failed) => failed("regression", why, lines),
        (Outcome::Failed, _) => failed("inconclusive", why, lines),
        _ => skipped(why, Some(lines)),
    }
}

fn test(state: &State) -> Option<Suite> {
    state.setup().sprt.test()?;
    let versus = Versus::now(state);
    let lines = versus.lines(state).join("\n");
    let status = match state.verdict().map(|decided| decided.verdict) {
        Some(Verdict::H1) => Status::Passed,
        Some(Verdict::H0) => failed("regression", "the test accepted H0", &lines),
        Some(Verdict::Neither) | None => skipped("the test accepted neither hypothesis", Some(&lines)),
    };
    Some(deciding(state, TEST, status, &lines))
}

/// A suite of the one case that decides.
fn deciding(state: &State, name: &str, status: Status, lines: &str) -> Suite {
    let case = JUnitCase {
        output: Some(lines.to_owned()),
        ..JUnitCase::new(name, status).of(event_name(state))
    };
    Suite::new("gate", vec![case])
}

fn agents(state: &State) -> Suite {
    let mut beyond: BTreeMap<PairingNumber, String> = over_bound_by_player(state).collect();
    let of_player = |player| {
        let status = match beyond.remove(&player) {
            None => Status::Passed,
            Some(sentence) => failed("faults", sentence, ""),
        };
        JUnitCase::new(format!("{}: faults", name(state, player)), status).of(event_name(state))
    };
    Suite::new("agents", state.numbers().map(of_player).collect())
}

fn of_match<E>(
    state: &State,
    of: &MiniMatch,
    evidence: &mut impl FnMut(&EndedGame) -> Result<Option<String>, E>,
) -> Result<Status, E> {
    let is_faulty = |game: &EndedGame| game.finished.is_faulty();
    if of.faults().next().is_none() && of.alarms().next().is_none() {
        if of.is_over() {
            return Ok(Status::Passed);
        }
        return Ok(skipped("not all of its games were played", None));
    }
    // Counted as games, since both sides may be at fault in one.
    let games = |is_one: fn(&EndedGame) -> bool| of.games.iter().flatten().filter(is_one).count();
    let faults = games(|game| game.finished.termination.is_fault());
    let alarms = games(|game| game.finished.alarms.contains(&true));
    let mut told = Vec::new();
    let faulty = || of.games.iter().flatten().filter(is_faulty);
    for game in faulty().take(SHOWN) {
        let evidence = evidence(&game)?;
        let of_game = of_game(state, &game.finished);
        let start = start_that_failed(evidence.as_deref()).map(str::to_owned);
        let alarms = alarms_of_game(&game.finished, evidence.as_deref());
        let lines = last_lines(evidence.as_deref());
        told.push(
            [vec![of_game], Vec::from_iter(start), alarms, lines]
                .concat()
                .join("\n"),
        );
    }
    let more = faulty().skip(SHOWN).count();
    if more > 0 {
        told.push(format!("and {more} more"));
    }
    Ok(failed("faults", in_short(faults, alarms), &told.join("\n\n")))
}

/// The number of games that ended by a fault, and of alarms.
fn in_short(faults: usize, alarms: usize) -> String {
    let games = |games: usize| count::of(games, "game", "games");
    match (faults, alarms) {
        (_, 0) => format!("{} ended by a fault", games(faults)),
        (0, _) => format!("an agent gave an alarm in {}", games(alarms)),
        _ => format!(
            "{} ended by a fault, and an agent gave an alarm in {}",
            games(faults),
            games(alarms)
        ),
    }
}

/// Why the last attempt at starting an agent failed, according to the evidence, which is harmless already.
fn start_that_failed(evidence: Option<&str>) -> Option<&str> {
    let head = evidence?.lines().take_while(|line| !line.is_empty());
    head.filter(|line| line.starts_with(START_FAILED)).last()
}

/// The alarms of a game from its evidence; where that is not kept, at least the agents that gave them.
fn alarms_of_game(game: &LoggedGame, evidence: Option<&str>) -> Vec<String> {
    let sides = Side::BOTH.into_iter().filter(|side| game.alarms[side.index()]);
    match evidence {
        Some(evidence) => evidence
            .lines()
            .filter(|line| is_sentence(line))
            .map(str::to_owned)
            .collect(),
        None => sides.map(|side| format!("Alarm of {}", side.name())).collect(),
    }
}

/// `Alpha – Bravo`, White of game 1 first.
fn players(state: &State, pair: Pair) -> String {
    format!("{} – {}", name(state, pair.white), name(state, pair.black))
}

fn sitting_name(sitting: &Sitting<'_>) -> String {
    match sitting.playoff {
        0 => format!("round {}", sitting.round),
        playoff => format!("play-off {playoff} after round {}", sitting.round),
    }
}

/// The players of a game and how it ended.
fn of_game(state: &State, game: &LoggedGame) -> String {
    let (white, black) = (name(state, game.white), name(state, game.black));
    format!("game {}, {white} – {black}: {}", game.id, game.termination.word())
}

pub(super) fn failed(kind: &'static str, message: impl Into<String>, description: &str) -> Status {
    Status::Other {
        ending: JUnitEnding::Failed(kind),
        message: message.into(),
        description: (!description.is_empty()).then(|| description.to_owned()),
    }
}

/// A case that neither passed nor failed.
fn skipped(message: impl Into<String>, description: Option<&str>) -> Status {
    Status::Other {
        ending: JUnitEnding::Skipped,
        message: message.into(),
        description: description.map(str::to_owned),
    }
}
