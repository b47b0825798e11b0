//! A run played through the library by a scripted host: what a program that embeds it does, without a process.
#![expect(clippy::disallowed_methods, reason = "a run has files")]

mod services;
mod tasks;
mod workers;

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc;

use swiss_system::pairing::history::PairingNumber;
use swissmatch::game::Side;
use swissmatch::game::record::{GameId, GameSpec};
use swissmatch::game::termination::{Outcome, Termination};
use swissmatch::run::act::{By, DoneAct};
use swissmatch::run::conduct::{AskedAct, CommittedEntry, Reader, RunEnd};
use swissmatch::run::live::LiveLine;
use swissmatch::run::verify::{Against, verify};
use swissmatch::run::{EventFile, HeldRun, PlayedRun, Run, RunError};
use swissmatch::shell::host::scripted::{ScriptedGame, ScriptedHost};
use swissmatch::shell::host::{GameHost, HostOrder, HostReport, NotPlayedCause, Reports};
use swissmatch::tournament::arbiter::Command;
use swissmatch::tournament::log::{Act, ArbiterActed, Entry, RoundPaired};
use swissmatch::tournament::ranking::standings_after;
use swissmatch::tournament::setup::PlayerKeys;
use swissmatch::tournament::state::State;
use swissmatch::tournament::waiting::Wait;

/// A directory of its own, which goes with it.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a directory"))
    }

    fn event(&self, keys: &str, players: usize) -> EventFile {
        let players: String = (1..=players)
            .map(|number| format!("[[player]]\nname = \"P{number}\"\ncommand = \"p{number}\"\n"))
            .collect();
        let file = self.0.path().join("event.toml");
        EventFile::parse(&file, &format!("{keys}\n{players}")).unwrap_or_else(|error| panic!("{error}"))
    }

    fn run(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

const KEYS: &str = "[event]\nname = \"Scripted\"\n[swiss]\nrounds = 5\n[mini_match]\ngames = 4\n";

/// A result that looks like chance and follows from the game alone.
fn by_numbers(spec: &GameSpec) -> Outcome {
    let (white, black) = (spec.white.index() + 1, spec.black.index() + 1);
    match (white * 7 + black * 13 + spec.id.round as usize * 5 + spec.id.game as usize * 3) % 5 {
        0 | 1 => Outcome::Draw,
        2 => Outcome::win(Side::Black),
        _ if white < black => Outcome::win(Side::White),
        _ => Outcome::win(Side::Black),
    }
}

fn scripted() -> Box<dyn GameHost> {
    Box::new(ScriptedHost::new(by_numbers).with_slots(3))
}

/// Does something when so many games are committed; keeps what it is warned of.
#[derive(Default)]
struct Listener {
    then: Option<(usize, Box<dyn FnOnce()>)>,
    games: usize,
    warnings: Vec<String>,
    remarks: Vec<String>,
}

impl Listener {
    fn after(games: usize, what: impl FnOnce() + 'static) -> Self {
        Self {
            then: Some((games, Box::new(what))),
            ..Self::default()
        }
    }

    /// Asks the run to stop, at once or when the games under way are over.
    fn stopping(run: &Run, games: usize, at_once: bool) -> Self {
        let stopper = run.stopper();
        Self::after(games, move || {
            stopper.stop();
            if at_once {
                stopper.stop();
            }
        })
    }
}

impl Reader for Listener {
    fn committed(&mut self, _: &State, entry: &CommittedEntry) {
        self.games += usize::from(matches!(entry.bundle.entry, Entry::GameFinished(_)));
        if let Some((_, what)) = self.then.take_if(|(games, _)| self.games >= *games) {
            what();
        }
    }
    fn tick(&mut self, _: &State, _: &BTreeSet<GameId>) {}
    fn stopping(&mut self, _: usize) {}
    fn waiting(&mut self, _: &State, _: Option<Wait>) {}
    fn proposed(&mut self, _: &State, _: &RoundPaired) {}
    fn remark(&mut self, sentence: &str) {
        self.remarks.push(sentence.to_owned());
    }
    fn warn(&mut self, sentence: &str) {
        self.warnings.push(sentence.to_owned());
    }
}

fn create(event: EventFile, dir: &Path, host: Box<dyn GameHost>) -> Run {
    Run::create(event, dir, host, &mut |_| {}).unwrap_or_else(|error| panic!("{error}"))
}

fn play(run: Run, listener: &mut Listener) -> PlayedRun {
    run.play(&mut [listener]).unwrap_or_else(|error| panic!("{error}"))
}

fn resume(event: EventFile, dir: &Path, host: Box<dyn GameHost>) -> Run {
    match Run::resume(event, dir, host, &mut |_| {}) {
        Ok(HeldRun::Run(run)) => *run,
        other => panic!("it goes on: {other:?}"),
    }
}

/// Every published file, but for what tells of the time and of the place at which it was written: the page has the hash of the log.
fn published(dir: &Path) -> BTreeMap<String, String> {
    let entries = std::fs::read_dir(dir).expect("a run");
    let names = entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"));
    let texts =
        names.filter(|name| !name.starts_with("run.sqlite") && name != "manifest.json" && !name.starts_with('.'));
    let texts = texts.filter(|name| name != "report.html" && dir.join(name).is_file());
    texts
        .map(|name| {
            let text = std::fs::read_to_string(dir.join(&name)).expect("text");
            (name, text)
        })
        .collect()
}

#[test]
fn a_run_that_is_dropped_in_the_middle_and_resumed_has_the_bytes_of_the_undisturbed_one() {
    let place = Place::new();
    let event = || place.event(KEYS, 9);
    let whole = play(
        create(event(), &place.run("whole"), scripted()),
        &mut Listener::default(),
    );
    assert_eq!(whole.ended, RunEnd::Complete);
    let expected = published(&place.run("whole"));
    assert!(
        expected.keys().any(|name| name == "standings.csv"),
        "{:?}",
        expected.keys()
    );

    for (games, at_once) in [(1, true), (7, false), (33, true), (64, true)] {
        let dir = place.run(&format!("stopped-{games}"));
        let run = create(event(), &dir, scripted());
        let mut listener = Listener::stopping(&run, games, at_once);
        let stopped = play(run, &mut listener);
        assert_ne!(stopped.ended, RunEnd::Complete);
        let (_, done) = stopped.state.progress();
        assert!(done >= games && done < whole.state.progress().1, "{done}");
        drop(stopped);
        let resumed = play(resume(event(), &dir, scripted()), &mut Listener::default());
        assert_eq!(resumed.ended, RunEnd::Complete);
        assert_eq!(
            standings_after(&resumed.state, 5).rows,
            standings_after(&whole.state, 5).rows
        );
        assert_eq!(published(&dir), expected, "stopped after {games}");
        let findings = verify(Some(&dir), Against::default()).expect("a run");
        assert!(
            findings
                .iter()
                .all(|finding| finding.problem.is_none() && finding.skipped.is_none()),
            "{findings:?}"
        );
    }
}

/// Whoever goes on adds to the files that the last one left, and writes them anew only where they are not what was written.
#[test]
fn files_of_games_are_gone_on_with_where_they_hold_what_was_written() {
    let place = Place::new();
    let event = || place.event(KEYS, 9);
    play(
        create(event(), &place.run("whole"), scripted()),
        &mut Listener::default(),
    );
    let expected = published(&place.run("whole"));
    let file = |dir: &Path| std::fs::metadata(dir.join("games.pgn")).expect("the games").ino();
    for (name, is_gone_on_with) in [("left", true), ("longer", true), ("changed", false), ("ruled", false)] {
        let dir = place.run(name);
        let run = create(event(), &dir, scripted());
        let mut listener = Listener::stopping(&run, 40, false);
        play(run, &mut listener);
        let before = file(&dir);
        let games = dir.join("games.pgn");
        let text = std::fs::read_to_string(&games).expect("the games");
        match name {
            "longer" => std::fs::write(&games, format!("{text}{{half of a comment")).expect("it is written"),
            "changed" => std::fs::write(&games, text.replacen("P1", "P9", 1)).expect("it is written"),
            "ruled" => {
                let void = || {
                    act(Act::Void {
                        game: "1.1.1".parse().expect("a game"),
                    })
                };
                let run = Run::open(&dir).expect("a run");
                run.act::<RunError>(|_| Ok(void()), |_| ()).expect("it is done");
            }
            _ => {}
        }
        let resumed = play(resume(event(), &dir, scripted()), &mut Listener::default());
        assert_eq!(resumed.ended, RunEnd::Complete);
        assert_eq!(file(&dir) == before, is_gone_on_with, "{name}");
        if name == "ruled" {
            let findings = verify(Some(&dir), Against::default()).expect("a run");
            assert!(
                findings
                    .iter()
                    .all(|finding| finding.problem.is_none() && finding.skipped.is_none()),
                "{findings:?}"
            );
        } else {
            assert_eq!(published(&dir), expected, "{name}");
        }
    }
}

#[test]
fn a_game_that_was_not_played_is_due_again_and_a_place_that_goes_ends_nothing() {
    let place = Place::new();
    let event = || place.event(KEYS, 9);
    play(
        create(event(), &place.run("whole"), scripted()),
        &mut Listener::default(),
    );
    let expected = published(&place.run("whole"));

    let mut begun = 0;
    let troubled = ScriptedHost::new(move |spec: &GameSpec| {
        begun += 1;
        match begun {
            5 => ScriptedGame::NotPlayed(NotPlayedCause::Machine, "no processes".to_owned()),
            9 => ScriptedGame::NotPlayed(NotPlayedCause::Stop, "told to end".to_owned()),
            20 | 31 => ScriptedGame::Gone("its cable was pulled".to_owned()),
            _ => by_numbers(spec).into(),
        }
    });
    let mut listener = Listener::default();
    let run = create(event(), &place.run("troubled"), Box::new(troubled.with_slots(3)));
    assert_eq!(play(run, &mut listener).ended, RunEnd::Complete);
    assert_eq!(published(&place.run("troubled")), expected);
    let [not_played, first_gone, second_gone] = listener.warnings.as_slice() else {
        panic!("{:?}", listener.warnings);
    };
    assert!(
        not_played.ends_with("was not played and is due again: no processes"),
        "{not_played}"
    );
    assert!(
        first_gone.ends_with("plays no more: its cable was pulled; 2 slots play on"),
        "{first_gone}"
    );
    assert!(second_gone.ends_with("; 1 slot plays on"), "{second_gone}");
}

#[test]
fn a_host_that_goes_leaves_a_run_that_another_one_takes_up() {
    let place = Place::new();
    let event = || place.event(KEYS, 9);
    play(
        create(event(), &place.run("whole"), scripted()),
        &mut Listener::default(),
    );

    let mut begun = 0;
    let going = ScriptedHost::new(move |spec: &GameSpec| {
        begun += 1;
        match begun {
            30.. => ScriptedGame::Gone("its cable was pulled".to_owned()),
            _ => by_numbers(spec).into(),
        }
    });
    let dir = place.run("left");
    let left = play(
        create(event(), &dir, Box::new(going.with_slots(2))),
        &mut Listener::default(),
    );
    assert!(
        matches!(&left.ended, RunEnd::NoSlot { why, .. } if why == "its cable was pulled"),
        "{left:?}"
    );
    assert_eq!(left.state.progress().1, 29, "every game that was played counts");
    let state = Run::open(&dir).expect("a run").state;
    assert_eq!(state.progress().1, 29, "and is in the log");
    drop(left);
    play(resume(event(), &dir, scripted()), &mut Listener::default());
    assert_eq!(published(&dir), published(&place.run("whole")));
}

/// A host to whom every order, and from whom every report, goes in writing; no order has one of `secrets`.
struct InWriting {
    host: Box<dyn GameHost>,
    secrets: Vec<String>,
}

impl GameHost for InWriting {
    fn connect(&mut self, reports: Reports) {
        self.host.connect(Reports::to(move |report| {
            let text = serde_json::to_string(&report).expect("it can be written");
            reports.tell(serde_json::from_str::<HostReport>(&text).expect("it can be read"));
        }));
    }

    fn order(&mut self, order: HostOrder) {
        let text = serde_json::to_string(&order).expect("it can be written");
        let told = self.secrets.iter().find(|secret| text.contains(secret.as_str()));
        assert_eq!(told, None, "{text}");
        self.host.order(serde_json::from_str(&text).expect("it can be read"));
    }
}

#[test]
fn every_order_and_report_can_be_written_down_and_no_order_tells_a_secret() {
    let place = Place::new();
    let keys = format!(
        "{KEYS}[presence]\ncheck = \"before-each-round\"\n[[player]]\nname = \"S\"\ncommand = \"s\"\n\
         env = {{ KEY = \"$PATH\" }}\n"
    );
    let event = || place.event(&keys, 7);
    play(
        create(event(), &place.run("direct"), scripted()),
        &mut Listener::default(),
    );
    // What variables stand for, and where the event file is, is the host's to know.
    let path = std::env::var("PATH").expect("a PATH");
    let host = Box::new(InWriting {
        host: scripted(),
        secrets: vec![path, place.0.path().display().to_string()],
    });
    play(create(event(), &place.run("written"), host), &mut Listener::default());
    assert_eq!(published(&place.run("written")), published(&place.run("direct")));
}

#[test]
fn a_run_begins_once_and_only_what_was_begun_goes_on() {
    let place = Place::new();
    let (event, dir) = (|| place.event(KEYS, 4), place.run("once"));
    let none = Run::resume(event(), &dir, scripted(), &mut |_| {});
    assert!(matches!(none, Err(RunError::Open(_))), "{none:?}");
    assert!(!dir.exists(), "nothing was made");
    play(create(event(), &dir, scripted()), &mut Listener::default());
    let again = Run::create(event(), &dir, scripted(), &mut |_| {});
    assert!(matches!(again, Err(RunError::Exists(_))), "{again:?}");
    let over = Run::resume(event(), &dir, scripted(), &mut |_| {});
    assert!(matches!(over, Ok(HeldRun::Over(_))), "{over:?}");
}

#[test]
fn a_host_without_a_clock_refuses_clocks_by_the_schedule() {
    let place = Place::new();
    let event = place.event("preset = \"immortal-game\"\n[schedule]\nclock = \"schedule\"\n", 4);
    let host = Box::new(ScriptedHost::new(by_numbers).without_clock());
    let refused = Run::create(event, &place.run("clock"), host, &mut |_| {}).expect_err("refused");
    assert!(
        refused.to_string().contains("schedule.clock: this host has no clock"),
        "{refused}"
    );
    assert!(!place.run("clock").exists(), "nothing was made");
}

/// More reports than are heard together.
#[test]
fn a_host_of_many_slots_is_heard_to_the_last_report() {
    let place = Place::new();
    let event = place.event("[swiss]\nrounds = 1\n[mini_match]\ngames = 20\n", 120);
    let host = Box::new(ScriptedHost::new(by_numbers).with_slots(600));
    let run = create(event, &place.run("many"), host);
    let (over, is_over) = mpsc::channel();
    // A run that waits for a report that was lost would wait for ever.
    std::thread::spawn(move || over.send(play(run, &mut Listener::default()).state.progress().1));
    let played = is_over.recv_timeout(std::time::Duration::from_mins(1));
    assert_eq!(played, Ok(60 * 20));
}

#[test]
fn five_hundred_players_play_nine_rounds() {
    let place = Place::new();
    for pairing in ["match-points", "dutch"] {
        let keys = format!(
            "[event]\nname = \"Large\"\n[swiss]\nrounds = 9\npairing = \"{pairing}\"\n[mini_match]\ngames = 1\n"
        );
        let dir = place.run(pairing);
        let host = Box::new(ScriptedHost::new(by_numbers).with_slots(8));
        let played = play(create(place.event(&keys, 500), &dir, host), &mut Listener::default());
        assert_eq!(played.ended, RunEnd::Complete);
        assert_eq!(played.state.finished_games().count(), 9 * 250);
        let findings = verify(Some(&dir), Against::default()).expect("a run");
        assert!(
            findings
                .iter()
                .all(|finding| finding.problem.is_none() && finding.skipped.is_none()),
            "{findings:?}"
        );
    }
}

fn act(act: Act) -> Command {
    Command::Act(ArbiterActed {
        act,
        by: "the arbiter".to_owned(),
        reason: "a test".to_owned(),
        overruled: Vec::new(),
    })
}

#[test]
fn an_act_on_a_stopped_run_counts_when_it_goes_on() {
    let place = Place::new();
    let (event, dir) = (|| place.event(KEYS, 9), place.run("acted"));
    let run = create(event(), &dir, scripted());
    let mut listener = Listener::stopping(&run, 20, false);
    drop(play(run, &mut listener));
    let first = PairingNumber::from_index(0);
    let done = Run::open(&dir)
        .expect("a run")
        .act::<RunError>(|_| Ok(act(Act::Withdraw { player: first })), |_| {});
    assert!(
        matches!(
            done,
            Ok(DoneAct {
                by: By::Here { .. },
                ..
            })
        ),
        "{done:?}"
    );

    let played = play(resume(event(), &dir, scripted()), &mut Listener::default());
    assert_eq!(played.ended, RunEnd::Complete);
    let later = played.state.rounds()[2..].iter().flat_map(|round| &round.mini_matches);
    let players: Vec<_> = later.flat_map(|board| [board.pair.white, board.pair.black]).collect();
    assert!(!players.is_empty() && !players.contains(&first), "{players:?}");
    let findings = verify(Some(&dir), Against::default()).expect("a run");
    assert!(
        findings
            .iter()
            .all(|finding| finding.problem.is_none() && finding.skipped.is_none()),
        "{findings:?}"
    );
}

#[test]
fn the_arbiter_ends_a_game_that_goes_on_and_enters_a_late_agent() {
    let place = Place::new();
    let keys = format!("{KEYS}[registration]\nuntil = 3\n");
    let (event, dir) = (|| place.event(&keys, 8), place.run("asked"));
    let endless: GameId = "1.1.1".parse().expect("a game");
    let host = ScriptedHost::new(move |spec: &GameSpec| match spec.id == endless {
        true => ScriptedGame::GoesOn,
        false => by_numbers(spec).into(),
    });
    let run = create(event(), &dir, Box::new(host.with_slots(2)));
    let (stopper, (answer, answers)) = (run.stopper(), mpsc::channel());
    let player = PlayerKeys {
        name: "Late".to_owned(),
        command: "late".to_owned(),
        ..PlayerKeys::default()
    };
    let agent = run.state().created().agents[0].clone();
    let mut listener = Listener::after(3, move || {
        let acts = [
            Act::Enter {
                player: Box::new(player),
                agent: Box::new(agent),
            },
            Act::Adjudicate {
                game: endless,
                outcome: Outcome::win(Side::Black),
            },
        ];
        for asked in acts {
            stopper.ask(AskedAct {
                command: act(asked),
                answer: answer.clone(),
            });
        }
    });
    let played = play(run, &mut listener);
    assert_eq!(played.ended, RunEnd::Complete);
    let answers: Vec<_> = answers.iter().collect();
    assert!(answers.len() == 2 && answers.iter().all(Result::is_ok), "{answers:?}");
    let game = played.state.finished_games().find(|game| game.finished.id == endless);
    let ending = game.map(|game| (game.outcome(), game.finished.termination));
    assert_eq!(ending, Some((Outcome::BlackWins, Termination::ArbiterAdjudication)));
    assert_eq!(played.state.player(PairingNumber::from_index(8)).name, "Late");
    let findings = verify(Some(&dir), Against::default()).expect("a run");
    assert!(
        findings
            .iter()
            .all(|finding| finding.problem.is_none() && finding.skipped.is_none()),
        "{findings:?}"
    );
}

#[test]
fn live_lines_tell_of_games_as_the_log_has_them() {
    let place = Place::new();
    let mut run = create(place.event(KEYS, 9), &place.run("live"), scripted());
    let lines = run.live();
    // Whoever listens has a thread of its own.
    let heard = std::thread::spawn(move || lines.collect::<Vec<_>>());
    let played = play(run, &mut Listener::default());
    let lines = heard.join().expect("it listens to the end");
    assert!(
        matches!(&lines[0], LiveLine::Event(event) if event.event == "Scripted" && event.slots == 3),
        "{lines:?}"
    );
    let games = lines.iter().filter_map(|line| match line {
        LiveLine::Game(game) => Some(game),
        _ => None,
    });
    let mut told = 0;
    for game in games {
        let stored = played
            .state
            .finished_games()
            .find(|stored| stored.finished.id == game.id)
            .expect("in the log");
        let ended = game.ended.as_ref().expect("a script plays games whole");
        assert_eq!((game.plies, ended.result), (stored.finished.plies, stored.outcome()));
        told += 1;
    }
    assert!(told >= 3, "the last game of each slot at least: {told}");
}
