//! Hosts whose slots are given several games of a mini-match at once.

use std::sync::{Arc, Mutex};

use super::*;
use swissmatch::game::record::GameRecord;

/// A host that keeps how many games each task has.
struct Counting {
    host: Box<dyn GameHost>,
    tasks: Arc<Mutex<Vec<usize>>>,
}

impl GameHost for Counting {
    fn connect(&mut self, reports: Reports) {
        self.host.connect(reports);
    }

    fn order(&mut self, order: HostOrder) {
        if let HostOrder::Play { task, .. } = &order {
            self.tasks.lock().expect("whole").push(task.games.len());
        }
        self.host.order(order);
    }
}

/// That host, and the sizes of its tasks.
fn counting(host: ScriptedHost) -> (Box<dyn GameHost>, Arc<Mutex<Vec<usize>>>) {
    let tasks = Arc::default();
    let host = Counting {
        host: Box::new(host),
        tasks: Arc::clone(&tasks),
    };
    (Box::new(host), tasks)
}

fn without_a_warning(event: EventFile, dir: &Path, host: Box<dyn GameHost>) {
    let mut listener = Listener::default();
    assert_eq!(play(create(event, dir, host), &mut listener).ended, RunEnd::Complete);
    assert_eq!(listener.warnings, Vec::<String>::new());
}

#[test]
fn a_slot_may_be_given_several_games_of_a_mini_match_at_once() {
    let place = Place::new();
    let event = |keys: &str| place.event(&format!("{KEYS}{keys}"), 9);
    without_a_warning(event(""), &place.run("single"), scripted());
    // Where a fault may end the mini-match, what comes next depends on what came before.
    for (keys, most) in [("", 3), ("[faults]\nforfeit_after = 1\n", 1)] {
        let (host, tasks) = counting(ScriptedHost::new(by_numbers).with_slots(2).with_tasks_of(3));
        let dir = place.run(&format!("tasks{}", keys.len()));
        without_a_warning(event(keys), &dir, host);
        let tasks = tasks.lock().expect("whole");
        assert_eq!(tasks.iter().max(), Some(&most), "{tasks:?}");
        if keys.is_empty() {
            assert_eq!(tasks.iter().sum::<usize>(), 5 * 4 * 4, "each game once");
            assert_eq!(published(&dir), published(&place.run("single")));
        }
    }
}

/// Does something when a game is being played.
struct WhilePlaying(Option<Box<dyn FnOnce()>>);

impl Reader for WhilePlaying {
    fn committed(&mut self, _: &State, _: &CommittedEntry) {}
    fn tick(&mut self, _: &State, playing: &BTreeSet<GameId>) {
        if !playing.is_empty()
            && let Some(what) = self.0.take()
        {
            what();
        }
    }
    fn stopping(&mut self, playing: usize) {
        assert_eq!(playing, 1, "those behind it are not played");
    }
    fn waiting(&mut self, _: &State, _: Option<Wait>) {}
    fn proposed(&mut self, _: &State, _: &RoundPaired) {}
    fn remark(&mut self, _: &str) {}
    fn warn(&mut self, sentence: &str) {
        panic!("{sentence}");
    }
}

/// Who stops a run does not wait for what has not begun; and an act is answered while games wait behind the one that is played.
#[test]
fn what_has_not_begun_is_called_back() {
    let place = Place::new();
    let event = || place.event(KEYS, 9);
    let (dir, endless) = (place.run("stopped"), "1.1.1".parse::<GameId>().expect("a game"));
    let host = ScriptedHost::new(move |spec: &GameSpec| match spec.id == endless {
        true => ScriptedGame::GoesOn,
        false => by_numbers(spec).into(),
    });
    let run = create(event(), &dir, Box::new(host.with_tasks_of(4)));
    let (stopper, (answer, answers)) = (run.stopper(), mpsc::channel());
    let outcome = Outcome::win(Side::White);
    let mut reader = WhilePlaying(Some(Box::new(move || {
        stopper.stop();
        stopper.ask(AskedAct {
            command: act(Act::Adjudicate { game: endless, outcome }),
            answer,
        });
    })));
    let played = run.play(&mut [&mut reader]).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(played.ended, RunEnd::Stopped);
    assert!(matches!(answers.recv(), Ok(Ok(_))));
    assert_eq!(played.state.progress().1, 1, "the one that had begun");
    drop(played);
    let played = play(resume(event(), &dir, scripted()), &mut Listener::default());
    assert_eq!((played.ended, played.state.progress().1), (RunEnd::Complete, 80));
}

/// Where an agent does not start, the rest is forfeited without being tried, as it is where games are given one by one.
#[test]
fn after_an_agent_that_does_not_start_nothing_more_of_the_task_is_begun() {
    let place = Place::new();
    let keys = format!("{KEYS}[faults]\nno_show = \"mini-match\"\n");
    let event = || place.event(&keys, 9);
    let host = |games| {
        let begun = Arc::new(Mutex::new(BTreeSet::new()));
        let seen = Arc::clone(&begun);
        let host = ScriptedHost::new(move |spec: &GameSpec| {
            seen.lock().expect("whole").insert(spec.id);
            match spec.id.to_string() == "1.2.2" {
                true => ScriptedGame::Record(Box::new(GameRecord::not_started(spec, [true, false]))),
                false => by_numbers(spec).into(),
            }
        });
        (Box::new(host.with_tasks_of(games)), begun)
    };
    let [one, four] = [1, 4].map(|games| {
        let (dir, (host, begun)) = (place.run(&format!("tasks-of-{games}")), host(games));
        play(create(event(), &dir, host), &mut Listener::default());
        let begun = begun.lock().expect("whole").clone();
        (published(&dir), begun)
    });
    assert!(
        !four.1.contains(&"1.2.3".parse::<GameId>().expect("a game")),
        "{:?}",
        four.1
    );
    assert_eq!(one, four);
}

/// A host that is far away: it ends a game when it is let.
struct Far(Arc<Mutex<(Option<ScriptedHost>, Option<HostOrder>)>>);

impl Drop for Far {
    fn drop(&mut self) {
        self.0.lock().expect("whole").0 = None;
    }
}

impl GameHost for Far {
    fn connect(&mut self, reports: Reports) {
        let (host, _) = &mut *self.0.lock().expect("whole");
        host.as_mut().expect("it is there").connect(reports);
    }

    fn order(&mut self, order: HostOrder) {
        let (host, kept) = &mut *self.0.lock().expect("whole");
        match order {
            HostOrder::Adjudicate { .. } => assert!(kept.replace(order).is_none(), "it was asked once"),
            order => host.as_mut().expect("it is there").order(order),
        }
    }
}

/// Counts games and announcements.
struct Counts<'a> {
    games: usize,
    told: usize,
    at: &'a dyn Fn(usize, usize),
}

impl Reader for Counts<'_> {
    fn committed(&mut self, _: &State, entry: &CommittedEntry) {
        match &entry.bundle.entry {
            Entry::GameFinished(_) => self.games += 1,
            Entry::Acted(acted) if matches!(acted.act, Act::Announce { .. }) => self.told += 1,
            _ => return,
        }
        (self.at)(self.games, self.told);
    }
    fn tick(&mut self, _: &State, _: &BTreeSet<GameId>) {}
    fn stopping(&mut self, _: usize) {}
    fn waiting(&mut self, _: &State, _: Option<Wait>) {}
    fn proposed(&mut self, _: &State, _: &RoundPaired) {}
    fn remark(&mut self, _: &str) {}
    fn warn(&mut self, sentence: &str) {
        panic!("{sentence}");
    }
}

#[test]
fn an_adjudication_that_takes_its_time_holds_up_neither_other_acts_nor_other_games() {
    let place = Place::new();
    let (dir, endless) = (place.run("far"), "1.1.1".parse::<GameId>().expect("a game"));
    let host = ScriptedHost::new(move |spec: &GameSpec| match spec.id == endless {
        true => ScriptedGame::GoesOn,
        false => by_numbers(spec).into(),
    });
    let host = Arc::new(Mutex::new((Some(host.with_slots(2)), None)));
    let run = create(place.event(KEYS, 9), &dir, Box::new(Far(Arc::clone(&host))));
    let (stopper, (answer, answers)) = (run.stopper(), mpsc::channel());
    let ask = move |asked| {
        stopper.ask(AskedAct {
            command: act(asked),
            answer: answer.clone(),
        });
    };
    let outcome = Outcome::win(Side::White);
    let mut reader = Counts {
        games: 0,
        told: 0,
        at: &move |games, told| {
            if (games, told) == (3, 0) {
                let end = Act::Adjudicate { game: endless, outcome };
                let text = "Lunch is served.".to_owned();
                [end.clone(), end, Act::Announce { text }].into_iter().for_each(&ask);
            }
            // All others of the round are played, and the other act is in the log.
            if (games, told) == (15, 1) {
                let (host, kept) = &mut *host.lock().expect("whole");
                let end = kept.take().expect("it was asked to end it");
                host.as_mut().expect("it is there").order(end);
            }
        },
    };
    let played = run.play(&mut [&mut reader]).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((played.ended, played.state.progress().1), (RunEnd::Complete, 80));
    let answers: Vec<_> = answers.try_iter().collect();
    let [Err(again), Ok(_), Ok(over)] = answers.as_slice() else {
        panic!("{answers:?}");
    };
    assert!(again.contains("game 1.1.1 is already being ended"), "{again}");
    assert_eq!(over, "The game is over.");
    let findings = verify(Some(&dir), Against::default()).expect("a run");
    assert!(findings.iter().all(|finding| finding.problem.is_none()), "{findings:?}");
}
