//! Runs in which the service of a player does not answer, the machine cannot play a game, or something of the organizer's has to be mended.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use swissmatch::tournament::log::{Cause, GamesInterrupted};

/// The game that a service fails, and what is told of that.
const UNSERVED: &str = "2.1.2";
const WHY: &str = "endpoint \"local\": no connection for 10m";

/// A host by which that game is not played so many times; how often it was handed out.
fn failing(times: usize) -> (Box<dyn GameHost>, Arc<AtomicUsize>) {
    let handed_out = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&handed_out);
    let host = ScriptedHost::new(move |spec: &GameSpec| {
        let is_it = spec.id.to_string() == UNSERVED;
        match is_it && count.fetch_add(1, Ordering::SeqCst) < times {
            true => ScriptedGame::NotPlayed(NotPlayedCause::Service, WHY.to_owned()),
            false => by_numbers(spec).into(),
        }
    });
    (Box::new(host.with_slots(3)), handed_out)
}

fn noted(dir: &Path) -> Vec<GamesInterrupted> {
    let run = Run::open(dir).expect("a run");
    let entries = run.logged.iter().filter_map(|logged| match &logged.entry {
        Entry::Interrupted(interrupted) => Some(interrupted.clone()),
        _ => None,
    });
    entries.collect()
}

fn is_right(dir: &Path) {
    let findings = verify(Some(dir), Against::default()).expect("a run");
    assert!(findings.iter().all(|finding| finding.problem.is_none()), "{findings:?}");
}

#[test]
fn a_game_that_a_service_did_not_let_be_played_is_noted_and_due_again() {
    let place = Place::new();
    let event = || place.event(KEYS, 9);
    play(
        create(event(), &place.run("whole"), scripted()),
        &mut Listener::default(),
    );
    let dir = place.run("troubled");
    let (host, handed_out) = failing(2);
    let mut listener = Listener::default();
    let played = play(create(event(), &dir, host), &mut listener);
    assert_eq!((played.ended, handed_out.load(Ordering::SeqCst)), (RunEnd::Complete, 3));
    let game: GameId = UNSERVED.parse().expect("a game");
    let found = noted(&dir);
    assert_eq!(found.len(), 2);
    for entry in found {
        assert_eq!(entry.games, Some(vec![game]));
        assert_eq!(entry.cause(), Cause::Service(WHY.to_owned()));
    }
    assert_eq!(
        listener.warnings,
        vec![format!("game {UNSERVED} was not played and is due again: {WHY}"); 2]
    );
    assert_eq!(published(&dir), published(&place.run("whole")));
    is_right(&dir);
}

#[test]
fn how_often_a_service_failed_a_game_is_bounded_also_when_the_run_goes_on() {
    let place = Place::new();
    let event = || place.event(KEYS, 9);
    let dir = place.run("run");
    let (host, handed_out) = failing(usize::MAX);
    let run = create(event(), &dir, host);
    // Asked to stop in the second round: what had failed by then counts on.
    let mut listener = Listener::stopping(&run, 25, false);
    assert_eq!(play(run, &mut listener).ended, RunEnd::Stopped);
    let before = handed_out.load(Ordering::SeqCst);
    let (host, again) = failing(usize::MAX);
    let ended = play(resume(event(), &dir, host), &mut Listener::default());
    assert_eq!(ended.ended, RunEnd::Rulings);
    assert_eq!(before + again.load(Ordering::SeqCst), 3, "run.replays = 2");
    let (finished, planned) = (ended.state.progress().1, 9 / 2 * 4 * 2);
    assert_eq!(finished, planned - 1, "all others of its round are played");
    let held: Vec<String> = ended.state.held_games().map(|game| game.to_string()).collect();
    assert_eq!(held, [UNSERVED]);
    let told = swissmatch::report::interruptions::held(&ended.state);
    let why = format!("(run.replays = 2): the service of an agent did not answer: {WHY} (3 times).");
    assert!(told[0].ends_with(&why), "{told:?}");
    drop(ended);
    let (host, again) = failing(0);
    assert_eq!(
        play(resume(event(), &dir, host), &mut Listener::default()).ended,
        RunEnd::Rulings
    );
    assert_eq!(again.load(Ordering::SeqCst), 0, "it waits for the arbiter");
    is_right(&dir);
}

#[test]
fn a_game_that_the_machine_cannot_play_goes_behind_the_others_and_is_left_to_the_arbiter() {
    let place = Place::new();
    let event = |replays: &str| place.event(&format!("{KEYS}[run]\n{replays}"), 9);
    let whole = place.run("whole");
    play(create(event(""), &whole, scripted()), &mut Listener::default());
    let failing = |times: usize| {
        let mut failed = 0;
        let host = ScriptedHost::new(move |spec: &GameSpec| {
            let is_it = spec.id.to_string() == UNSERVED && failed < times;
            failed += usize::from(is_it);
            match is_it {
                true => ScriptedGame::NotPlayed(NotPlayedCause::Machine, "no processes".to_owned()),
                false => by_numbers(spec).into(),
            }
        });
        Box::new(host.with_slots(3))
    };
    let game: GameId = UNSERVED.parse().expect("a game");
    // Others are played between the two, so that both count.
    let dir = place.run("troubled");
    let played = play(create(event(""), &dir, failing(2)), &mut Listener::default());
    assert_eq!(played.ended, RunEnd::Complete);
    let found = noted(&dir);
    assert_eq!(found.len(), 2);
    for entry in found {
        assert_eq!(entry.games, Some(vec![game]));
        assert_eq!(entry.cause(), Cause::Machine("no processes".to_owned()));
    }
    assert_eq!(published(&dir), published(&whole));
    is_right(&dir);
    let dir = place.run("held");
    let ended = play(
        create(event("replays = 1\n"), &dir, failing(usize::MAX)),
        &mut Listener::default(),
    );
    assert_eq!(ended.ended, RunEnd::Rulings);
    let told = swissmatch::report::interruptions::held(&ended.state);
    let why = "(run.replays = 1): the machine could not play it: no processes (2 times).";
    assert!(told[0].ends_with(why), "{told:?}");
    is_right(&dir);
}

#[test]
fn where_something_has_to_be_mended_no_game_begins_and_nobody_loses() {
    let place = Place::new();
    let event = || place.event(KEYS, 9);
    play(
        create(event(), &place.run("whole"), scripted()),
        &mut Listener::default(),
    );
    let dir = place.run("unmended");
    let begun = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&begun);
    let refused = "the key of endpoint \"local\" is refused (401)";
    let host = ScriptedHost::new(move |spec: &GameSpec| match count.fetch_add(1, Ordering::SeqCst) {
        6 => ScriptedGame::NotPlayed(NotPlayedCause::Configuration, refused.to_owned()),
        _ => by_numbers(spec).into(),
    });
    let mut listener = Listener::default();
    let played = play(create(event(), &dir, Box::new(host.with_slots(3))), &mut listener);
    assert_eq!(
        played.ended,
        RunEnd::ToMend {
            why: refused.to_owned()
        }
    );
    let begun = begun.load(Ordering::SeqCst);
    assert!((7..=9).contains(&begun), "no game begins after it: {begun}");
    assert_eq!(played.state.progress().1, begun - 1, "games under way count");
    assert!(
        listener.warnings[1].starts_with("no other game begins until that is mended; "),
        "{:?}",
        listener.warnings
    );
    drop(played);
    assert_eq!(noted(&dir), [], "it does not count for run.replays");
    let resumed = play(resume(event(), &dir, scripted()), &mut Listener::default());
    assert_eq!(resumed.ended, RunEnd::Complete);
    assert_eq!(published(&dir), published(&place.run("whole")));
    is_right(&dir);
}

/// A host whose only slot cannot start an agent, and ends.
struct Ends(ScriptedHost, Option<Reports>);

impl GameHost for Ends {
    fn connect(&mut self, reports: Reports) {
        self.0.connect(reports.clone());
        self.1 = Some(reports);
    }

    fn order(&mut self, order: HostOrder) {
        let HostOrder::Play { slot, task } = order else {
            return self.0.order(order);
        };
        let reports = self.1.as_ref().expect("it is connected");
        let why = "no processes".to_owned();
        reports.tell(HostReport::NotPlayed {
            slot,
            game: task.games[0].spec.id,
            whose: NotPlayedCause::Machine,
            why: why.clone(),
        });
        reports.tell(HostReport::Gone { slot, why });
    }
}

/// Each start again would try the same game first, and nobody could rule on it.
#[test]
fn what_the_last_slot_could_not_play_is_noted_before_the_run_ends() {
    let place = Place::new();
    let event = || place.event(KEYS, 9);
    let (dir, host) = (place.run("run"), || Box::new(Ends(ScriptedHost::new(by_numbers), None)));
    let ended = play(create(event(), &dir, host()), &mut Listener::default()).ended;
    assert!(matches!(ended, RunEnd::NoSlot { .. }), "{ended:?}");
    for _ in 0..2 {
        let ended = play(resume(event(), &dir, host()), &mut Listener::default()).ended;
        assert!(matches!(ended, RunEnd::NoSlot { .. }), "{ended:?}");
    }
    let games: Vec<_> = noted(&dir).into_iter().filter_map(|entry| entry.games).collect();
    assert_eq!((games.len(), games[0].len()), (3, 1));
    let ended = play(resume(event(), &dir, scripted()), &mut Listener::default());
    assert_eq!(ended.ended, RunEnd::Rulings, "it was tried three times");
    assert_eq!(ended.state.held_games().collect::<Vec<_>>(), games[0]);
}
