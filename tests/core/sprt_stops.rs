//! A match of 2,000 games beside what fastchess makes of it: its LLR after each game pair, and the pair at which it stops. The games
//! are in `tests/data/stats/match.json`, which says how they were made; a run with a scripted host plays them again, as a gate does.

use serde::Deserialize;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::word::Word as _;
use swissmatch::config::match_words::{MatchFlags, of_two};
use swissmatch::game::Side;
use swissmatch::game::record::GameSpec;
use swissmatch::game::termination::Outcome;
use swissmatch::report::gate::{Gate, GateRule, MatchEnd, Outcome as GateOutcome};
use swissmatch::run::{EventFile, Run};
use swissmatch::shell::host::scripted::ScriptedHost;
use swissmatch::stats::pairs::{Pairs, Score};
use swissmatch::stats::sprt::{Sprt, SprtModel, Verdict};
use swissmatch::tournament::state::State;

/// By how much an LLR may differ. fastchess ends its search for the likeliest distribution when its λ is known to 1e-3 in the logistic
/// model, and in the normalized one to 1e-7 where no share changes by 1e-4 any more; ours goes on to the last digits. The likelihood
/// is flat where it is greatest: N pairs of variance σ² are off by N σ² / 2 · (1e-3)² at most, 4e-5 in the end. It is less flat while
/// a kind of pair has not been seen; both take its count as 0.001.
fn tolerance(model: SprtModel, counted: &Pairs) -> f64 {
    match model {
        SprtModel::Normalized => 2e-6,
        SprtModel::Logistic | SprtModel::Bayesian if counted.pentanomial().contains(&0) => 1e-3,
        SprtModel::Logistic | SprtModel::Bayesian => 1e-4,
    }
}

#[derive(Deserialize)]
struct Match {
    pairs: Counts,
    /// Two letters a pair, of the first player, in the order of the schedule.
    games: Vec<String>,
    tests: Vec<Test>,
}

#[derive(Deserialize)]
#[serde(rename_all = "UPPERCASE")]
struct Counts {
    ll: u64,
    ld: u64,
    wl: u64,
    dd: u64,
    wd: u64,
    ww: u64,
}

/// What fastchess says.
#[derive(Deserialize)]
struct Test {
    sprt: Sprt,
    stop: Option<Stop>,
    /// After each pair.
    llr: Vec<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
struct Stop {
    /// The number of the pair, from 1.
    after: u32,
    verdict: Verdict,
}

impl Match {
    fn stored() -> Self {
        serde_json::from_str(include_str!("../data/stats/match.json")).expect("it is in order")
    }

    fn pairs(&self) -> Vec<[Score; 2]> {
        let score = |letter: u8| match letter {
            b'W' => Score::Win,
            b'D' => Score::Draw,
            b'L' => Score::Loss,
            other => panic!("{other} is no result"),
        };
        let pairs = self.games.iter().flat_map(|line| line.split(' '));
        let pairs = pairs.map(|pair| <[u8; 2]>::try_from(pair.as_bytes()).expect("two games").map(score));
        pairs.collect()
    }
}

#[test]
fn the_stored_match_has_2000_games_and_its_counts() {
    let stored = Match::stored();
    let pairs = stored.pairs();
    assert_eq!(pairs.len(), 1000);
    let mut counted = Pairs::NONE;
    pairs.into_iter().for_each(|pair| counted += pair);
    let Counts { ll, ld, wl, dd, wd, ww } = stored.pairs;
    assert_eq!(counted, Pairs { ll, ld, wl, dd, wd, ww });
}

#[test]
fn after_each_pair_the_llr_is_that_of_fastchess() {
    let stored = Match::stored();
    let pairs = stored.pairs();
    for Test { sprt, llr, .. } in &stored.tests {
        assert_eq!(llr.len(), pairs.len());
        let mut counted = Pairs::NONE;
        for (&pair, theirs) in pairs.iter().zip(llr) {
            counted += pair;
            let (ours, number) = (sprt.of_pairs(&counted), counted.count());
            assert!(
                (ours - theirs).abs() <= tolerance(sprt.model, &counted),
                "{sprt:?}: {ours} after pair {number}, {theirs} by fastchess"
            );
        }
    }
}

/// The match as a gate plays it, until its test decides or all games are played.
fn played(sprt: &Sprt, pairs: &[[Score; 2]]) -> State {
    let flags = MatchFlags {
        games: u32::try_from(2 * pairs.len()).ok(),
        time: Some("nodes=1000".to_owned()),
        openings: Some("none".to_owned()),
        sprt: Some(format!("{},{}", sprt.elo0, sprt.elo1)),
        alpha: Some(sprt.alpha.to_string()),
        beta: Some(sprt.beta.to_string()),
        model: Some(sprt.model.word().to_owned()),
        set: vec!["run.max_faults=0".to_owned()],
        ..MatchFlags::default()
    };
    let event = of_two([("--new", "./new"), ("--old", "./old")], &flags).expect("a match");
    let place = tempfile::tempdir().expect("a directory");
    let event = EventFile::parse(&place.path().join("gate.toml"), &event.event).expect("an event");
    let scores = pairs.concat();
    let result = move |spec: &GameSpec| {
        let new = match spec.white == PairingNumber(1) {
            true => Side::White,
            false => Side::Black,
        };
        match scores[spec.id.game as usize - 1] {
            Score::Win => Outcome::win(new),
            Score::Draw => Outcome::Draw,
            Score::Loss => Outcome::win(new.other()),
        }
    };
    let host = Box::new(ScriptedHost::new(result));
    let run = Run::create(event, &place.path().join("run"), host, &mut |_| {}).expect("a run");
    run.play(&mut []).expect("it is played").state
}

#[test]
fn a_gate_stops_at_the_pair_at_which_fastchess_stops() {
    let stored = Match::stored();
    let pairs = stored.pairs();
    for Test { sprt, stop, .. } in &stored.tests {
        let state = played(sprt, &pairs);
        let decided = state.verdict().map(|decided| Stop {
            after: decided.after,
            verdict: decided.verdict,
        });
        assert_eq!(decided, *stop, "{sprt:?}");
        let outcome = match stop.map(|stop| stop.verdict) {
            Some(Verdict::H0) => GateOutcome::Failed,
            Some(Verdict::H1) => GateOutcome::Passed,
            Some(Verdict::Neither) | None => GateOutcome::Inconclusive,
        };
        assert_eq!(
            Gate::of(&state, GateRule::ByTest, MatchEnd::Over, GateOutcome::Inconclusive).outcome,
            outcome,
            "{sprt:?}"
        );
    }
    // The match shows something only if it stops by both bounds, and at times not at all.
    for verdict in [Some(Verdict::H0), Some(Verdict::H1), None] {
        let stops = stored.tests.iter().map(|test| test.stop.map(|stop| stop.verdict));
        assert!(stops.into_iter().any(|stop| stop == verdict), "{verdict:?}");
    }
}
