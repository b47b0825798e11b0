//! Runs whose games are played on other machines than the runner's.

use super::*;
use swissmatch::run::account::Account;
use swissmatch::tournament::log::{PlayedOn, WorkerAdmitted};
use swissmatch::tournament::state::BrokenLogError;

fn worker(name: &str, class: &str) -> WorkerAdmitted {
    WorkerAdmitted {
        worker: name.to_owned(),
        class: class.to_owned(),
        machine: serde_json::json!({
            "system": "Linux", "kernel": "6.1", "architecture": "x86_64", "processor": "a processor", "cores": 8,
            "topology": null, "memory": "32 GiB",
        }),
    }
}

fn on_two_workers() -> Box<dyn GameHost> {
    let workers = vec![worker("UA", "fast"), worker("UB", "slow\u{1b}[31m")];
    Box::new(ScriptedHost::new(by_numbers).with_slots(2).on_workers(workers))
}

#[test]
fn the_log_the_manifest_and_the_account_of_a_game_name_the_machine_it_was_played_on() {
    let place = Place::new();
    let event = || place.event(KEYS, 9);
    let local = place.run("local");
    play(create(event(), &local, scripted()), &mut Listener::default());
    let dir = place.run("away");
    let run = create(event(), &dir, on_two_workers());
    let mut listener = Listener::stopping(&run, 20, false);
    assert_eq!(play(run, &mut listener).ended, RunEnd::Stopped);
    // Whoever takes it up hears of the same workers, which the log has.
    let played = play(resume(event(), &dir, on_two_workers()), &mut Listener::default());
    assert_eq!(played.ended, RunEnd::Complete);
    assert_eq!(published(&dir), published(&local));

    let run = Run::open(&dir).expect("a run");
    let admitted = run.logged.iter().filter_map(|logged| match &logged.entry {
        Entry::WorkerAdmitted(admitted) => Some(admitted.worker.as_str()),
        _ => None,
    });
    assert_eq!(admitted.collect::<Vec<_>>(), ["UA", "UB"]);
    let on = |id: GameId| {
        run.logged.iter().rev().find_map(|logged| match &logged.entry {
            Entry::GameFinished(finished) if finished.id == id => finished.played_on.clone(),
            _ => None,
        })
    };
    let all: BTreeSet<String> = run
        .state
        .finished_games()
        .filter_map(|game| Some(on(game.finished.id)?.worker))
        .collect();
    assert_eq!(all, BTreeSet::from(["UA".to_owned(), "UB".to_owned()]));
    let manifest = std::fs::read_to_string(dir.join("manifest.json")).expect("a manifest");
    let manifest: serde_json::Value = serde_json::from_str(&manifest).expect("JSON");
    let hosts = manifest["hosts"].as_array().expect("hosts");
    assert_eq!((hosts.len(), &hosts[1]["worker"]), (2, &"UB".into()));
    let of_local = std::fs::read_to_string(local.join("manifest.json")).expect("a manifest");
    assert!(!of_local.contains("hosts"));

    let of_slow = run.state.finished_games().map(|game| game.finished.id);
    let id = of_slow
        .into_iter()
        .find(|id| on(*id).is_some_and(|on| on.worker == "UB"))
        .expect("a game");
    let account = Account::of(&run, id).expect("a game of the run");
    let text = account.text(false).expect("its text");
    assert!(
        text.contains("Played by the worker UB, on a machine of the class slow[31m."),
        "{text}"
    );
    assert!(text.contains("machine ") && !text.contains("seating"), "{text}");
    let json: serde_json::Value = serde_json::from_str(&account.json(false).expect("its JSON")).expect("JSON");
    assert_eq!(
        json["played_on"],
        serde_json::json!({ "worker": "UB", "class": "slow[31m", "issue": 1 })
    );
    assert_eq!(json["seating"], serde_json::Value::Null);
    let findings = verify(Some(&dir), Against::default()).expect("a run");
    assert!(findings.iter().all(|finding| finding.problem.is_none()), "{findings:?}");
}

/// "A whole mini-match on one worker", also where the runner was started anew between its games, and hears of workers in another order.
#[test]
fn a_mini_match_stays_where_it_was_over_a_restart_of_the_runner() {
    let place = Place::new();
    let keys = KEYS
        .replace("rounds = 5", "rounds = 1")
        .replace("games = 4", "games = 400");
    let (event, dir) = (|| place.event(&keys, 4), place.run("stays"));
    let on = |names: [&str; 2]| -> Box<dyn GameHost> {
        let workers = names.map(|name| worker(name, "fast")).to_vec();
        Box::new(ScriptedHost::new(by_numbers).with_slots(2).on_workers(workers))
    };
    let names = [["UA", "UB"], ["UB", "UA"]];
    let mut run = create(event(), &dir, on(names[0]));
    let mut starts = 1;
    for names in names.iter().cycle().skip(1) {
        let mut listener = Listener::stopping(&run, 1, true);
        drop(play(run, &mut listener));
        run = match Run::resume(event(), &dir, on(*names), &mut |_| {}) {
            Ok(HeldRun::Run(run)) => *run,
            Ok(HeldRun::Over(_)) => break,
            other => panic!("it goes on: {other:?}"),
        };
        starts += 1;
    }
    assert!(starts > 3, "it was started {starts} times");
    let run = Run::open(&dir).expect("a run");
    let mut workers: BTreeMap<GameId, BTreeSet<String>> = BTreeMap::new();
    for logged in &run.logged {
        if let Entry::GameFinished(finished) = &logged.entry
            && let Some(on) = &finished.played_on
        {
            let all = workers.entry(*finished.id.mini_match().start()).or_default();
            all.insert(on.worker.clone());
        }
    }
    assert!(workers.values().all(|workers| workers.len() == 1), "{workers:?}");
    assert_eq!(workers.len(), 2);
}

/// A game that the arbiter has replayed is given out once more: what came of it before counts no more.
#[test]
fn a_game_that_is_replayed_has_another_number_of_issue() {
    let place = Place::new();
    let (event, dir) = (|| place.event(KEYS, 9), place.run("replayed"));
    let run = create(event(), &dir, on_two_workers());
    let mut listener = Listener::stopping(&run, 10, false);
    drop(play(run, &mut listener));
    let id: GameId = "1.1.2".parse().expect("a game");
    let done = Run::open(&dir).expect("a run");
    done.act::<RunError>(|_| Ok(act(Act::Replay { game: id })), |_| {})
        .unwrap_or_else(|error| panic!("{error}"));
    let played = play(resume(event(), &dir, on_two_workers()), &mut Listener::default());
    assert_eq!((played.ended, played.state.issue_of(id)), (RunEnd::Complete, 2));
    let run = Run::open(&dir).expect("a run");
    let issues = run.logged.iter().filter_map(|logged| match &logged.entry {
        Entry::GameFinished(finished) if finished.id == id => Some(finished.played_on.as_ref()?.issue),
        _ => None,
    });
    assert_eq!(issues.collect::<Vec<_>>(), [1, 2]);
    let text = Account::of(&run, id).expect("a game").text(false).expect("its text");
    assert!(
        text.contains("; it was given out 2 times, as the arbiter had it replayed."),
        "{text}"
    );

    // A log that has it otherwise is refused.
    let entries = || run.logged.iter().map(|logged| &logged.entry);
    State::fold(entries()).expect("it is right");
    let changes: [fn(&mut PlayedOn); 3] = [
        |on| on.issue = 1,
        |on| "fast, too".clone_into(&mut on.class),
        |on| "UC".clone_into(&mut on.worker),
    ];
    for change in changes {
        let mut entries: Vec<Entry> = entries().cloned().collect();
        let last = entries.iter_mut().rev().find_map(|entry| match entry {
            Entry::GameFinished(finished) if finished.id == id => finished.played_on.as_deref_mut(),
            _ => None,
        });
        change(last.expect("it was played on a worker"));
        assert_eq!(State::fold(&entries), Err(BrokenLogError::Worker(id)));
    }
}

/// A host that tells of a worker, and something else, before each answer.
struct Talks(ScriptedHost, Option<Reports>);

impl GameHost for Talks {
    fn connect(&mut self, reports: Reports) {
        self.0.connect(reports.clone());
        self.1 = Some(reports);
    }

    fn order(&mut self, order: HostOrder) {
        if matches!(order, HostOrder::Find { .. } | HostOrder::Open(_)) {
            let reports = self.1.as_ref().expect("it is connected");
            reports.tell(HostReport::Remark("UA is back".to_owned()));
            reports.tell(HostReport::Worker(Box::new(worker("UA", "fast"))));
        }
        self.0.order(order);
    }
}

#[test]
fn what_a_host_tells_before_games_are_played_is_no_answer_and_is_heard() {
    let place = Place::new();
    let dir = place.run("talking");
    let host = Talks(ScriptedHost::new(by_numbers).with_slots(2), None);
    let mut listener = Listener::default();
    let played = play(create(place.event(KEYS, 9), &dir, Box::new(host)), &mut listener);
    assert_eq!(played.ended, RunEnd::Complete);
    assert_eq!(listener.remarks, ["UA is back", "UA is back"]);
    let run = Run::open(&dir).expect("a run");
    let admitted = run.logged.iter();
    let admitted = admitted.filter(|logged| matches!(logged.entry, Entry::WorkerAdmitted(_)));
    assert_eq!(admitted.count(), 1);
}
