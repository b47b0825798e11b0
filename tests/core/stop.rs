//! Events that a rule of their own ends early, played by a scripted host: the same end however they were interrupted, and `verify`
//! finds an end that is forged, or that is missing.
#![expect(clippy::disallowed_methods, reason = "a run has files")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, Mutex};

use serde_json::Value;
use swissmatch::game::Side;
use swissmatch::game::record::{GameId, GameSpec};
use swissmatch::game::termination::Outcome;
use swissmatch::run::conduct::{CommittedEntry, Reader, RunEnd, Stopper};
use swissmatch::run::open_run::OpenRun;
use swissmatch::run::verify::{Against, verify};
use swissmatch::run::{EventFile, HeldRun, PlayedRun, Run};
use swissmatch::shell::host::GameHost;
use swissmatch::shell::host::scripted::ScriptedHost;
use swissmatch::stats::stop::StopReason;
use swissmatch::tournament::log::{Entry, RoundPaired};
use swissmatch::tournament::state::State;
use swissmatch::tournament::waiting::Wait;

use crate::forged::rewrite;

const ROUNDS: u32 = 6;

fn event(dir: &Path, stop: &str) -> EventFile {
    of_format(dir, (8, &format!("{ROUNDS}-SS")), stop)
}

/// An event of so many players by this format.
fn of_format(dir: &Path, (players, rounds): (u32, &str), keys: &str) -> EventFile {
    let players: String = (1..=players)
        .map(|number| format!("[[player]]\nname = \"P{number}\"\ncommand = \"p{number}\"\n"))
        .collect();
    let text = format!(
        "[event]\nname = \"Stopped\"\n[swiss]\nrounds = \"{rounds}\"\nseeding = \"listed\"\n[mini_match]\ngames = 4\n{keys}\n{players}"
    );
    EventFile::parse(&dir.join("event.toml"), &text).unwrap_or_else(|error| panic!("{error}"))
}

/// The lower number wins, but for a game in `draws`, which is drawn.
fn by_numbers(draws: u32) -> impl FnMut(&GameSpec) -> Outcome + Send + 'static {
    move |spec: &GameSpec| match spec.id.game % draws {
        0 => Outcome::Draw,
        _ if spec.white < spec.black => Outcome::win(Side::White),
        _ => Outcome::win(Side::Black),
    }
}

/// Nobody is better: each wins one game pair of two.
fn alike(spec: &GameSpec) -> Outcome {
    match (spec.white < spec.black) == (spec.id.game <= 2) {
        true => Outcome::win(Side::White),
        false => Outcome::win(Side::Black),
    }
}

fn host(result: impl FnMut(&GameSpec) -> Outcome + Send + 'static, slots: usize) -> Box<dyn GameHost> {
    Box::new(ScriptedHost::new(result).with_slots(slots))
}

/// Asks to stop when so many games are committed.
struct After(Stopper, usize);

impl Reader for After {
    fn committed(&mut self, _: &State, entry: &CommittedEntry) {
        if let Entry::GameFinished(_) = entry.bundle.entry {
            self.1 = self.1.saturating_sub(1);
            if self.1 == 0 {
                self.0.stop();
                self.0.stop();
            }
        }
    }
    fn tick(&mut self, _: &State, _: &BTreeSet<GameId>) {}
    fn stopping(&mut self, _: usize) {}
    fn waiting(&mut self, _: &State, _: Option<Wait>) {}
    fn proposed(&mut self, _: &State, _: &RoundPaired) {}
    fn remark(&mut self, _: &str) {}
    fn warn(&mut self, _: &str) {}
}

fn play(place: &Path, name: &str, stop: &str, host: Box<dyn GameHost>) -> PlayedRun {
    let run = Run::create(event(place, stop), &place.join(name), host, &mut |_| {});
    let run = run.unwrap_or_else(|error| panic!("{error}"));
    run.play(&mut []).unwrap_or_else(|error| panic!("{error}"))
}

/// What `verify` has against a run, with the check that found it.
fn problems(dir: &Path) -> Vec<(String, String)> {
    let findings = verify(Some(dir), Against::default()).unwrap_or_else(|error| panic!("{error}"));
    let problems = findings
        .into_iter()
        .filter_map(|finding| Some((finding.check.to_owned(), finding.problem?)));
    problems.collect()
}

const PLACES: &str = "[stop]\nwhen = \"place 1 at 95%\"";

#[test]
fn an_event_ends_when_its_places_are_sure_however_it_was_interrupted() {
    let place = tempfile::tempdir().expect("a directory");
    let whole = play(place.path(), "whole", PLACES, host(by_numbers(5), 1));
    assert_eq!(whole.ended, RunEnd::Complete);
    let expected = whole.state.stopped().expect("its places are sure").clone();
    assert_eq!(expected.why, StopReason::Sure);
    assert!((3..ROUNDS).contains(&expected.round), "{expected:?}");
    assert_eq!(whole.state.rounds().len(), expected.round as usize);
    assert_eq!(problems(&place.path().join("whole")), []);
    let standings = std::fs::read_to_string(place.path().join("whole/standings.md")).expect("a file");
    let said = format!(
        "Ended after round {} of {ROUNDS} by its stop rule: place 1 at 95%: 1. P1 100 %.",
        expected.round
    );
    assert!(standings.contains(&said), "{standings}");

    // The last number is that of the games of the last round: it is stopped with the end due and not yet in the log, or with it.
    for games in [1, 23, 40, expected.games as usize] {
        let dir = place.path().join(format!("stopped-{games}"));
        let run = Run::create(event(place.path(), PLACES), &dir, host(by_numbers(5), 3), &mut |_| {});
        let run = run.unwrap_or_else(|error| panic!("{error}"));
        let stopper = run.stopper();
        drop(run.play(&mut [&mut After(stopper, games)]));
        let resumed = match Run::resume(event(place.path(), PLACES), &dir, host(by_numbers(5), 2), &mut |_| {}) {
            Ok(HeldRun::Run(run)) => run.play(&mut []).unwrap_or_else(|error| panic!("{error}")).state,
            Ok(HeldRun::Over(over)) => over.state().clone(),
            Err(error) => panic!("{error}"),
        };
        assert_eq!(resumed.stopped(), Some(&expected), "{games}");
        assert_eq!(problems(&dir), [], "{games}");
    }
}

#[test]
fn an_event_whose_places_are_not_sure_is_played_to_its_end_or_to_its_bound() {
    let place = tempfile::tempdir().expect("a directory");
    let whole = play(place.path(), "whole", PLACES, host(alike, 2));
    assert_eq!((whole.ended, whole.state.stopped()), (RunEnd::Complete, None));
    assert_eq!(whole.state.rounds().len(), ROUNDS as usize);
    assert_eq!(problems(&place.path().join("whole")), []);

    // 16 games a round.
    let bound = format!("{PLACES}\ngames = 79");
    let ended = play(place.path(), "bound", &bound, host(alike, 2));
    let stopped = ended.state.stopped().expect("the bound is reached");
    assert_eq!((stopped.round, stopped.why, stopped.games), (4, StopReason::Games, 64));
    assert_eq!(problems(&place.path().join("bound")), []);
}

/// The first player is better than all others, but not in every round.
fn a_little_better(spec: &GameSpec) -> Outcome {
    match spec.white.min(spec.black).0 == 1 && !spec.id.round.is_multiple_of(3) {
        true => by_numbers(5)(spec),
        false => alike(spec),
    }
}

/// "Rounds or gauntlet games go on until places are sure."
#[test]
fn cycles_go_on_until_places_are_sure() {
    let place = tempfile::tempdir().expect("a directory");
    // Rounds of a cycle and games of it.
    for (name, players, format, cycle, games) in [
        ("all-play-all", 4, "9-RR", 3, 24),
        ("gauntlet", 5, "9-gauntlet", 4, 16),
        ("wide", 5, "9-gauntlet-2", 3, 24),
    ] {
        let keys = "opening_policy = \"event\"\n[stop]\nwhen = \"place 1 at 99%\"\nfrom_round = 5";
        let event = || of_format(place.path(), (players, format), keys);
        let create = |dir: &Path, slots| {
            let run = Run::create(event(), dir, host(a_little_better, slots), &mut |_| {});
            run.unwrap_or_else(|error| panic!("{name}: {error}"))
        };
        let dir = place.path().join(name);
        let whole = create(&dir, 1).play(&mut []).unwrap_or_else(|error| panic!("{error}"));
        let ended = whole.state.stopped().expect("the first is better").clone();
        let cycles = ended.round / cycle;
        assert_eq!(
            (ended.round % cycle, ended.why),
            (0, StopReason::Sure),
            "{name}: {ended:?}"
        );
        assert!((2..9).contains(&cycles), "{name}: {ended:?}");
        assert_eq!(ended.games, u64::from(games * cycles), "{name}");
        assert_eq!(whole.state.rounds().len(), ended.round as usize);
        let pairs = |round: u32| {
            let pairs = &whole.state.rounds()[round as usize].pairing.pairs;
            let pairs = pairs.iter().map(|pair| (pair.white, pair.black, pair.repeat));
            pairs.collect::<BTreeSet<_>>()
        };
        let of_cycle =
            |number: u32| -> BTreeSet<_> { (number * cycle..(number + 1) * cycle).flat_map(pairs).collect() };
        let reversed = of_cycle(1)
            .into_iter()
            .map(|(white, black, repeat)| (black, white, repeat));
        assert_eq!(reversed.collect::<BTreeSet<_>>(), of_cycle(0), "{name}");
        assert_eq!(problems(&dir), [], "{name}");

        for (number, games) in [3, ended.games as usize].into_iter().enumerate() {
            let dir = place.path().join(format!("{name}-{number}"));
            let run = create(&dir, 3);
            let stopper = run.stopper();
            drop(run.play(&mut [&mut After(stopper, games)]));
            let resumed = match Run::resume(event(), &dir, host(a_little_better, 2), &mut |_| {}) {
                Ok(HeldRun::Run(run)) => run.play(&mut []).unwrap_or_else(|error| panic!("{error}")).state,
                Ok(HeldRun::Over(over)) => over.state().clone(),
                Err(error) => panic!("{error}"),
            };
            assert_eq!(resumed.stopped(), Some(&ended), "{name} {games}");
        }
    }
}

#[test]
fn cycles_end_before_their_bound_and_each_has_openings_of_its_own() {
    let place = tempfile::tempdir().expect("a directory");
    let seen = Arc::new(Mutex::new(BTreeMap::<u32, BTreeSet<String>>::new()));
    let keys = "openings = \"bundled\"\nopening_policy = \"event\"\n[stop]\ngames = 60";
    let event = of_format(place.path(), (4, "5-RR"), keys);
    let noted = Arc::clone(&seen);
    let noting = move |spec: &GameSpec| {
        let opening = format!("{:?}", spec.opening);
        let mut seen = noted.lock().expect("nobody panics");
        seen.entry((spec.id.round - 1) / 3).or_default().insert(opening);
        alike(spec)
    };
    let dir = place.path().join("run");
    let run = Run::create(event, &dir, host(noting, 2), &mut |_| {}).unwrap_or_else(|error| panic!("{error}"));
    let ended = run.play(&mut []).unwrap_or_else(|error| panic!("{error}"));
    let stopped = ended.state.stopped().expect("the bound is reached");
    // 24 games a cycle.
    assert_eq!((stopped.round, stopped.why, stopped.games), (6, StopReason::Games, 48));
    assert_eq!(problems(&dir), []);
    let standings = std::fs::read_to_string(dir.join("standings.md")).expect("a file");
    let said = "Ended after round 6 of 15 by its stop rule: 48 games had been played, and another cycle would have made more than 60.";
    assert!(standings.contains(said), "{standings}");
    let seen = seen.lock().expect("nobody panics");
    let [first, second] = [&seen[&0], &seen[&1]];
    assert_eq!((first.len(), second.len(), seen.len()), (2, 2, 2));
    assert!(first.is_disjoint(second), "{seen:?}");
}

/// A tie is played off after the round with which the rule ended the event.
#[test]
fn play_offs_follow_an_early_end() {
    let place = tempfile::tempdir().expect("a directory");
    let keys = "[stop]\ngames = 40\n[playoff]\nplaces = [1]\nwhen = \"tied\"\nentrants = \"top-two\"\nstages = [{ kind = \"armageddon\", white = \"5:00\", black = \"4:00\", colors = \"lot\" }]";
    let ended = play(place.path(), "run", keys, host(alike, 1));
    let state = ended.state;
    assert_eq!((ended.ended, state.last_round()), (RunEnd::Complete, 2));
    assert_eq!(state.stopped().map(|stopped| stopped.round), Some(2));
    assert!(!state.rounds()[1].playoffs.is_empty());
    assert_eq!(problems(&place.path().join("run")), []);
}

/// What `verify` says of the end by the rule, of a run whose log was rewritten.
fn said_of(dir: &Path, change: impl FnOnce(&mut Vec<(String, Value)>)) -> String {
    rewrite(&dir.join("run.sqlite"), change);
    let problems = problems(dir);
    let mut said = problems.into_iter().filter(|(check, _)| check == "stop rule");
    said.next().map_or_else(String::new, |(_, problem)| problem)
}

#[test]
fn a_forged_end_is_found() {
    let place = tempfile::tempdir().expect("a directory");
    let alter = |name: &str, change: fn(&mut Value)| {
        play(place.path(), name, PLACES, host(by_numbers(5), 2));
        said_of(&place.path().join(name), |entries| {
            let stopped = entries.iter_mut().find(|(_, body)| body["entry"] == "event-stopped");
            change(&mut stopped.expect("it was stopped").1);
        })
    };
    let said = alter("share", |entry| entry["held"][0]["share"] = 0.96.into());
    assert!(said.contains("the event was ended by its stop rule as sure"), "{said}");
    let said = alter("why", |entry| entry["why"] = "time".into());
    assert!(said.contains("ended by its stop rule as time"), "{said}");

    // An end for which there is no reason: a bound that is not reached.
    play(place.path(), "none", PLACES, host(alike, 2));
    let said = said_of(&place.path().join("none"), |entries| {
        let of_round = |body: &Value| body["entry"] == "round-paired" && body["round"] == 4;
        let fourth = entries.iter().position(|(_, body)| of_round(body)).expect("a round");
        entries.truncate(fourth);
        let (at, _) = entries[fourth - 1].clone();
        let end =
            serde_json::json!({"entry": "event-stopped", "round": 3, "why": "games", "games": 48, "thinking_us": 0});
        entries.push((at, end));
    });
    assert!(said.contains("the games give no reason to"), "{said}");
}

#[test]
fn a_round_that_was_paired_although_the_event_had_ended_is_found() {
    let place = tempfile::tempdir().expect("a directory");
    // Another rule, under which the same games are played to the end, becomes the one that was kept.
    play(place.path(), "run", "[stop]\ngames = 95", host(by_numbers(5), 2));
    let dir = place.path().join("run");
    let run = OpenRun::open(Some(&dir)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(run.state.stopped().map(|stopped| stopped.round), Some(5));
    drop(run);
    let said = said_of(&dir, |entries| {
        entries[0].1["setup"]["stop"]["when"] = "place 1 at 95%".into();
    });
    assert!(
        said.contains("was paired, but the event had to be ended by its stop rule: sure"),
        "{said}"
    );
}
