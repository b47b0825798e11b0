//! Live lines of real games: complete, those of the log, nobody's but the organizer's, and no burden.

use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use swissmatch::game::Side;
use swissmatch::game::eval::Eval;
use swissmatch::game::record::{GameId, GameRecord};
use swissmatch::game::seen::Columns;
use swissmatch::run::live::{LiveGame, LiveLine};

use crate::death::{Background, send, until};
use crate::schemas;
use crate::support::{Place, engine};

const PATIENCE: Duration = Duration::from_secs(60);
const RUN: [&str; 4] = ["run", "event.toml", "--out", "run"];

/// Two rounds of four players who take so many milliseconds for a move.
fn event(ms: u32, extra: &str) -> String {
    let mut text = format!(
        "preset = \"none\"\n[event]\nname = \"Spring\"\n[swiss]\nrounds = 2\n[mini_match]\ngames = 2\nopenings = \"none\"\n\
         [game]\ntime_control = \"60+1\"\nmax_plies = 40\n[run]\nconcurrency = 2\noversubscribe = true\n{extra}"
    );
    for (seed, name) in ["Anna", "Berta", "Carla", "Dora"].into_iter().enumerate() {
        text += &format!(
            "[[player]]\nname = \"{name}\"\ncommand = {:?}\nargs = [\"--fault\", \"sleep\", \"--ms\", \"{ms}\", \"--seed\", \"{seed}\"]\n",
            engine("fault-agent")
        );
    }
    text
}

fn connect(place: &Place) -> UnixStream {
    until("live lines", PATIENCE, || {
        UnixStream::connect(place.path("run/live.sock")).ok()
    })
}

/// Everything that is told until the end.
fn hear(stream: UnixStream) -> Vec<LiveLine> {
    let lines = BufReader::new(stream).lines().map(|line| line.expect("a line"));
    let parsed = lines.map(|line| {
        let value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        schemas::check("live-line", &value);
        serde_json::from_value(value).unwrap_or_else(|error| panic!("{error}: {line}"))
    });
    parsed.collect()
}

fn games(lines: &[LiveLine]) -> Vec<&LiveGame> {
    fn game(line: &LiveLine) -> Option<&LiveGame> {
        match line {
            LiveLine::Game(game) => Some(game),
            _ => None,
        }
    }
    lines.iter().filter_map(game).collect()
}

fn records(place: &Place) -> Vec<GameRecord> {
    let ran = place.swissmatch(&["export", "records", "run"]);
    let text = ran.expect_code(0).stdout();
    text.lines()
        .map(|line| serde_json::from_str(line).expect("a record"))
        .collect()
}

/// That what was seen is the beginning of the game that is in the log.
fn assert_is_of_log(live: &LiveGame, records: &[GameRecord]) {
    let record = records.iter().find(|record| record.id == live.id);
    let record = record.unwrap_or_else(|| panic!("{} is not in the log", live.id));
    let moves = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let (seen, played) = (moves(&live.moves), moves(&record.moves));
    assert!(
        played.starts_with(&seen),
        "{}: {} of {}",
        live.id,
        live.moves,
        record.moves
    );
    assert_eq!(seen.len(), live.plies as usize);
    assert_eq!(
        (live.white.pairing_number, live.black.pairing_number),
        (record.white, record.black)
    );
    for side in [&live.white, &live.black] {
        assert!(side.clock_us.is_some(), "a clock runs");
        let Some(last) = &side.last else { continue };
        let ply = last.ply as usize;
        assert!(ply < seen.len() && ply + 2 >= seen.len());
        assert_eq!(last.time_us, record.time_us[ply]);
        assert_eq!(last.eval, record.eval.get(ply).copied().flatten());
        assert_eq!(last.pv, record.pv.of_ply(ply));
    }
    match &live.ended {
        Some(ended) => {
            assert_eq!((ended.result, ended.termination), (record.outcome, record.termination));
            assert_eq!((seen, live.to_move), (played, None));
        }
        None => {
            let turn = if seen.len().is_multiple_of(2) {
                Side::White
            } else {
                Side::Black
            };
            assert_eq!(live.to_move, Some(turn));
            assert!(live.since.is_none_or(|since| live.begun <= since && since <= live.at));
            assert!(live.limit_us.is_none_or(|limit| limit <= 200_000_000));
        }
    }
}

/// The columns of a game as a listener has put them together: each ply has come once.
fn columns(games: &[&LiveGame], id: GameId) -> Columns {
    let mut columns = Columns::default();
    for new in games
        .iter()
        .filter(|game| game.id == id)
        .filter_map(|game| game.columns.as_ref())
    {
        assert_eq!(
            new.from as usize,
            columns.plies(),
            "{id}: nothing is missing, and nothing comes twice"
        );
        assert!(columns.add(new.from as usize, &new.columns));
    }
    columns
}

#[test]
fn whoever_comes_in_the_middle_sees_whole_games_that_are_those_of_the_log() {
    let place = Place::new();
    place.write("event.toml", &event(25, ""));
    let mut run = Background::start(&place, &RUN);
    let early = connect(&place);
    let mode = place
        .path("run/live.sock")
        .metadata()
        .expect("it is there")
        .permissions()
        .mode();
    assert_eq!(mode & 0o7777, 0o600);
    let early = std::thread::spawn(move || hear(early));
    std::thread::sleep(Duration::from_millis(1500));
    // One who never reads.
    let deaf = connect(&place);
    let late = hear(connect(&place));
    assert_eq!(run.end(PATIENCE).code(), Some(0));
    assert!(!place.path("run/live.sock").exists());
    drop(deaf);
    let early = early.join().expect("it hears");
    let records = records(&place);
    assert_eq!(records.len(), 8);

    for heard in [&early, &late] {
        let LiveLine::Event(event) = &heard[0] else {
            panic!("the event comes first: {heard:?}");
        };
        assert_eq!((event.event.as_str(), event.rounds, event.slots), ("Spring", 2, 2));
        assert_eq!(event.players.len(), 4);
        let games = games(heard);
        games.iter().for_each(|game| assert_is_of_log(game, &records));
        for record in &records {
            let columns = columns(&games, record.id);
            assert!(record.time_us.starts_with(&columns.time_us) && record.clock_us.starts_with(&columns.clock_us));
            let last = games.iter().rfind(|game| game.id == record.id);
            assert_eq!(columns.plies(), last.map_or(0, |game| game.plies as usize));
        }
        for pair in games.windows(2).filter(|pair| pair[0].id == pair[1].id) {
            assert!(pair[0].plies <= pair[1].plies && pair[0].at <= pair[1].at);
        }
    }
    // Games of a second are seen begin and end, and their middle.
    for record in &records {
        let of_game: Vec<_> = games(&early).into_iter().filter(|game| game.id == record.id).collect();
        assert!(of_game.len() >= 4, "{}: {}", record.id, of_game.len());
        assert_eq!(
            of_game.iter().filter(|game| game.ended.is_some()).count(),
            1,
            "{}",
            record.id
        );
        assert!(of_game.last().is_some_and(|game| game.ended.is_some()));
    }
    let first = games(&late)[0];
    assert!(first.plies > 0 && first.ended.is_none(), "{first:?}");
    let rounds = early.iter().filter_map(|line| match line {
        LiveLine::Event(event) => Some(event.round),
        _ => None,
    });
    assert_eq!(rounds.max(), Some(2));
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

#[test]
fn an_agent_that_listens_is_turned_away_and_what_agents_say_is_harmless() {
    let place = Place::new();
    let evil = "\\\\x1b[2J\\\\xe2\\\\x80\\\\xaeG1F3 <script> \\\"";
    let script = format!(
        "#!/bin/sh\n\
         python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); s.connect(\"run/live.sock\"); print(s.recv(9999))' \
         >>agent.said 2>/dev/null </dev/null &\n\
         {} | sed -u \"s/^bestmove/info depth 7 score cp 13 pv E2E4 e7e5 {evil}\\\\nbestmove/\"\n",
        engine("random-mover")
    );
    let cheat = place.write("cheat.sh", &script);
    std::fs::set_permissions(&cheat, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
    let mut text = event(20, "");
    text += &format!(
        "[[player]]\nname = \"Zulu\"\ncommand = \"{}\"\nisolation = \"off\"\n",
        cheat.display()
    );
    place.write("event.toml", &text.replace("rounds = 2", "rounds = 4"));
    let mut run = Background::start(&place, &RUN);
    let stream = connect(&place);
    let lines: Vec<String> = BufReader::new(stream).lines().map(|line| line.expect("text")).collect();
    assert_eq!(run.end(PATIENCE).code(), Some(0));
    let has_python = std::process::Command::new("python3").arg("--version").output().is_ok();
    if has_python {
        let told = place.read("complained");
        assert!(told.contains("the live lines turned somebody away: process "), "{told}");
        let said = place.read("agent.said");
        assert!(
            said.contains("was started by the runner, as agents are, or has gone"),
            "{said}"
        );
        assert!(!said.contains("\"players\""), "{said}");
    } else {
        crate::support::say_what_is_missing("python3, by which an agent would listen");
    }
    let mut heard = false;
    for text in &lines {
        assert!(
            text.chars().all(|c| !c.is_control() && c != '\u{202e}') && !text.contains("script"),
            "{text}"
        );
        let Ok(LiveLine::Game(game)) = serde_json::from_str(text) else {
            continue;
        };
        for side in [&game.white, &game.black]
            .into_iter()
            .filter(|side| side.name == "Zulu")
        {
            let Some(last) = &side.last else { continue };
            assert_eq!(
                (last.pv.as_str(), last.depth, last.eval),
                ("e2e4 e7e5", Some(7), Some(Eval::Centipawns(13)))
            );
            heard = true;
        }
    }
    assert!(heard);
}

#[test]
fn rounds_under_embargo_are_not_told() {
    let place = Place::new();
    place.write("event.toml", &event(10, "[publish]\nembargo_rounds = 1\n"));
    let mut run = Background::start(&place, &RUN);
    let lines = hear(connect(&place));
    assert_eq!(run.end(PATIENCE).code(), Some(0));
    let games = games(&lines);
    assert!(!games.is_empty() && games.iter().all(|game| game.id.round == 1));
    for line in &lines {
        if let LiveLine::Event(event) = line {
            assert_eq!((event.round <= 1, event.embargo_after), (true, Some(1)));
        }
    }
}

/// The same event takes as long with one who connects and never reads as with nobody.
#[test]
fn one_who_does_not_read_slows_nothing_down() {
    let took = |deaf: bool| {
        let place = Place::new();
        place.write("event.toml", &event(5, ""));
        let begun = Instant::now();
        let mut run = Background::start(&place, &RUN);
        let _kept = deaf.then(|| connect(&place));
        assert_eq!(run.end(PATIENCE).code(), Some(0));
        begun.elapsed()
    };
    let (alone, watched) = (took(false), took(true));
    assert!(watched < alone + Duration::from_secs(3), "{watched:?} beside {alone:?}");
}

#[test]
fn a_socket_that_a_killed_runner_left_is_in_nobodys_way() {
    let place = Place::new();
    place.write("event.toml", &event(10, ""));
    let socket = || place.path("run/live.sock").exists();
    for again in [&RUN[..], &["run", "event.toml", "--out", "run", "--fresh"]] {
        let mut run = Background::start(&place, &RUN);
        drop(connect(&place));
        send(run.player(), Signal::KILL);
        run.end(PATIENCE);
        assert!(socket(), "nobody was there to remove it");
        let mut run = Background::start(&place, again);
        let heard = std::thread::scope(|scope| {
            let heard = scope.spawn(|| {
                until("live lines", PATIENCE, || {
                    let stream = UnixStream::connect(place.path("run/live.sock")).ok()?;
                    let lines = hear(stream);
                    (!lines.is_empty()).then_some(lines)
                })
            });
            assert_eq!(run.end(PATIENCE).code(), Some(0));
            heard.join().expect("it hears")
        });
        assert!(!socket() && matches!(heard[0], LiveLine::Event(_)));
        std::fs::remove_dir_all(place.path("run")).expect("the run goes");
    }
}
