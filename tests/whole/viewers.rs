//! What viewers that exist are given of a run: live.pgn and live.json, and games pushed to a broadcast of Lichess.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::Value;

use crate::death::{Background, until};
use crate::schemas;
use crate::support::{Place, engine, finish};

const PATIENCE: Duration = Duration::from_secs(60);
const RUN: [&str; 4] = ["run", "event.toml", "--out", "run"];
const TOKEN: &str = "lip_TokenThatNobodyMaySee42";

/// Two rounds of four players who take so many milliseconds for a move, two games at once.
fn event(ms: u32, games: u32, more: &str) -> String {
    let mut text = format!(
        "preset = \"none\"\n[event]\nname = \"Spring\"\nsite = \"Lab\"\n[swiss]\nrounds = 2\n[mini_match]\ngames = {games}\n\
         openings = \"none\"\n[game]\ntime_control = \"60+1\"\nmax_plies = 40\n[run]\nconcurrency = 2\noversubscribe = true\n{more}"
    );
    for (seed, name) in ["Anna", "Berta", "Carla", "Dora"].into_iter().enumerate() {
        text += &format!(
            "[[player]]\nname = \"{name}\"\ncommand = {:?}\nargs = [\"--fault\", \"sleep\", \"--ms\", \"{ms}\", \"--seed\", \"{seed}\"]\n",
            engine("fault-agent")
        );
    }
    text
}

fn read(place: &Place, name: &str) -> String {
    std::fs::read_to_string(place.path(name)).unwrap_or_default()
}

fn live_json(place: &Place) -> Value {
    let value = serde_json::from_str(&read(place, "run/live.json")).expect("JSON");
    schemas::check("live", &value);
    value
}

#[test]
fn games_under_way_are_in_files_for_viewers() {
    let place = Place::new();
    place.write("event.toml", &event(30, 2, "[publish]\nlive_files = true\n"));
    let mut run = Background::start(&place, &RUN);
    let text = until("two games under way", PATIENCE, || {
        let text = read(&place, "run/live.pgn");
        (text.matches("[Result \"*\"]").count() == 2 && text.contains(" [%eval ")).then_some(text)
    });
    assert!(text.contains("[Event \"Spring\"]\n[Site \"Lab\"]\n"), "{text}");
    assert!(
        text.contains("[TimeControl \"60+1\"]") && text.contains("{[%clk 0:01:"),
        "{text}"
    );
    assert!(text.contains(", mt=3") && text.trim_end().ends_with('*'), "{text}");
    // It is written after the other file.
    let json = until("the second game", PATIENCE, || {
        let json = live_json(&place);
        (json["Games"].as_array().map(Vec::len) == Some(1)).then_some(json)
    });
    assert_eq!(json["Headers"]["Event"], "Spring");
    assert_eq!(run.end(PATIENCE).code(), Some(0));

    // The last game of each slot, as it ended.
    let text = read(&place, "run/live.pgn");
    assert_eq!(text.matches("[Event ").count(), 2, "{text}");
    assert!(!text.contains('*') && text.contains("[PlyCount \"40\"]"), "{text}");
    let json = live_json(&place);
    assert_eq!(json["Moves"].as_array().map(Vec::len), Some(40));
    let all = read(&place, "run/games.pgn");
    assert!(all.contains(json["Headers"]["Round"].as_str().expect("a number")));
    place.swissmatch(&["verify", "run"]).expect_code(0);
    let drafts = std::fs::read_dir(place.path("run")).expect("it is there").flatten();
    let drafts = drafts.filter(|entry| entry.file_name().to_string_lossy().ends_with(".part"));
    assert_eq!(drafts.count(), 0);

    // They are files of the run; without the key there are none.
    place.write("event.toml", &event(0, 1, ""));
    place.swissmatch(&[&RUN[..], &["--fresh"]].concat()).expect_code(0);
    assert!(place.path("run.1/live.pgn").exists() && place.path("run.1/live.json").exists());
    assert!(!place.path("run/live.pgn").exists() && !place.path("run/live.json").exists());
}

#[test]
fn an_embargo_and_a_delay_hold_for_the_files() {
    let place = Place::new();
    let keys = "[publish]\nlive_files = true\nembargo_rounds = 1\n";
    place.write("event.toml", &event(0, 1, keys));
    place.swissmatch(&RUN).expect_code(0);
    let text = read(&place, "run/live.pgn");
    assert!(text.contains("[Round \"1.") && !text.contains("[Round \"2."), "{text}");

    let keys = "[publish]\nlive_files = true\ndelay = \"59m\"\n";
    place.write("event.toml", &event(10, 1, keys));
    let mut run = Background::start(&place, &["run", "event.toml", "--out", "late"]);
    until("a round is over", PATIENCE, || {
        read(&place, "late/games.pgn").contains("[Event").then_some(())
    });
    assert_eq!(read(&place, "late/live.pgn"), "");
    assert_eq!(run.end(PATIENCE).code(), Some(0));
    // Nothing is played any more.
    assert!(read(&place, "late/live.pgn").contains("[Round \"2."));
}

/// A request: its path, its token, and its games.
struct Push {
    round: String,
    authorization: String,
    games: Vec<String>,
}

fn request(stream: &TcpStream) -> Push {
    let (mut reader, mut head, mut length) = (BufReader::new(stream), String::new(), 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).expect("a line");
        if line.trim().is_empty() {
            break;
        }
        if let Some(number) = line.to_lowercase().strip_prefix("content-length:") {
            length = number.trim().parse().expect("a number");
        }
        head += &line;
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("the body");
    let body = String::from_utf8(body).expect("text");
    assert!(head.to_lowercase().contains("content-type: text/plain"), "{head}");
    let path = head
        .strip_prefix("POST ")
        .and_then(|rest| rest.split(' ').next())
        .expect("a path");
    let round = path
        .strip_prefix("/api/broadcast/round/")
        .and_then(|rest| rest.strip_suffix("/push"))
        .unwrap_or_else(|| panic!("{path}"));
    let authorization = head.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        name.eq_ignore_ascii_case("authorization")
            .then(|| value.trim().to_owned())
    });
    let mut games = Vec::new();
    for line in body.lines() {
        if line.starts_with("[Event ") {
            games.push(String::new());
        }
        let game: &mut String = games.last_mut().expect("a game begins with its event");
        game.push_str(line);
        game.push('\n');
    }
    Push {
        round: round.to_owned(),
        authorization: authorization.unwrap_or_default(),
        games,
    }
}

/// A server with the first of these answers to the first request, and so on; the last one to all others.
fn server(answers: &'static [&'static str]) -> (String, Receiver<Push>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    let (says, pushes) = channel();
    std::thread::spawn(move || {
        for (number, stream) in listener.incoming().enumerate() {
            let mut stream = stream.expect("a connection");
            let push = request(&stream);
            let answer = answers[number.min(answers.len() - 1)];
            let body = match answer.starts_with("200") {
                true => format!(
                    "{{\"games\":[{}]}}",
                    vec!["{\"tags\":{},\"moves\":1}"; push.games.len()].join(",")
                ),
                // One that tells what it was told.
                false => format!("{{\"error\":\"no: {}\"}}", push.authorization),
            };
            let head = format!(
                "HTTP/1.1 {answer}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                body.len()
            );
            stream.write_all((head + &body).as_bytes()).expect("an answer");
            if says.send(push).is_err() {
                return;
            }
        }
    });
    (address, pushes)
}

fn lichess(server: &str, rounds: &str, more: &str) -> String {
    format!("[lichess]\nrounds = {rounds}\nserver = \"{server}\"\n{more}")
}

/// `swissmatch` with a token in its environment.
fn with_token(place: &Place, args: &[&str]) -> (Option<i32>, String) {
    let output = place
        .command(args)
        .env("LICHESS_TOKEN", TOKEN)
        .output()
        .expect("it runs");
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(said).expect("text"))
}

/// The value of a tag.
fn tag<'a>(game: &'a str, name: &str) -> &'a str {
    let start = format!("[{name} \"");
    let line = game
        .lines()
        .find_map(|line| line.strip_prefix(&start))
        .unwrap_or_else(|| panic!("{name}: {game}"));
    line.trim_end_matches("\"]")
}

/// That a text stands in no file of a directory.
fn assert_nowhere(dir: &Path, secret: &str) {
    let mut files = 0;
    for entry in std::fs::read_dir(dir).expect("it is there") {
        let path = entry.expect("a name").path();
        if path.is_dir() {
            assert_nowhere(&path, secret);
        } else if path.metadata().is_ok_and(|of| of.is_file()) {
            files += 1;
            let bytes = std::fs::read(&path).expect("it is read");
            let is_there = bytes.windows(secret.len()).any(|part| part == secret.as_bytes());
            assert!(!is_there, "{}", path.display());
        }
    }
    assert!(files > 0 || dir.read_dir().is_ok_and(|mut dir| dir.next().is_none()));
}

#[test]
fn games_are_pushed_to_the_rounds_of_a_broadcast_with_a_token_that_is_nowhere_else() {
    let place = Place::new();
    let (address, pushes) = server(&["200 OK"]);
    let keys = lichess(
        &address,
        "[\"aaaaaaaa\", \"bbbbbbbb\"]",
        "by_round = true\n[publish]\nlive_files = true\n",
    );
    place.write("event.toml", &event(60, 2, &keys));
    let (code, said) = with_token(&place, &RUN);
    assert_eq!(code, Some(0), "{said}");
    let pushes: Vec<Push> = pushes.try_iter().collect();
    let games = || {
        pushes
            .iter()
            .flat_map(|push| push.games.iter().map(|game| (push.round.as_str(), game)))
    };
    assert!(
        pushes
            .iter()
            .all(|push| push.authorization == format!("Bearer {TOKEN}"))
    );
    assert!(
        games().any(|(_, game)| tag(game, "Result") == "*"),
        "seen while it was played"
    );
    for (round, game) in games() {
        let number = tag(game, "Round");
        assert_eq!(
            round,
            if number.starts_with("1.") {
                "aaaaaaaa"
            } else {
                "bbbbbbbb"
            },
            "{game}"
        );
        // Two games of a mini-match differ for a server that looks at players, event and site.
        assert_eq!(tag(game, "Site"), format!("Lab, game {number}"));
        assert!(!game.contains("pv=") && !game.contains("mt="), "{game}");
    }
    // The last state of each is the whole game.
    let mut numbers: Vec<&str> = games()
        .filter(|(_, game)| tag(game, "Result") != "*" && tag(game, "PlyCount") == "40")
        .map(|(_, game)| tag(game, "Round"))
        .collect();
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(
        numbers,
        ["1.1.1", "1.1.2", "1.2.1", "1.2.2", "2.1.1", "2.1.2", "2.2.1", "2.2.2"]
    );

    let report = with_token(&place, &["report", "run", "-o", "page.html"]);
    assert!(!report.1.contains(TOKEN) && !said.contains(TOKEN), "{said}");
    assert_nowhere(&place.path(""), TOKEN);
    // On an event that is over the same command pushes them again.
    let (address, pushes) = server(&["200 OK"]);
    let keys = lichess(&address, "[\"aaaaaaaa\"]", "[publish]\nlive_files = true\n");
    place.write("event.toml", &event(60, 2, &keys));
    let (code, said) = with_token(&place, &RUN);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(pushes.try_iter().map(|push| push.games.len()).sum::<usize>(), 8);
}

#[test]
fn agents_are_not_given_the_token() {
    let place = Place::new();
    let (address, _pushes) = server(&["200 OK"]);
    let spy = place.write("spy", "#!/bin/sh\nenv > \"$0.env\"\nexec \"$ENGINE\"\n");
    std::fs::set_permissions(&spy, std::fs::Permissions::from_mode(0o755)).expect("rights");
    let event = |env: &str| {
        let player = |name: &str| {
            format!(
                "[[player]]\nname = \"{name}\"\ncommand = \"./spy\"\nisolation = \"off\"\n\
                 env = {{ ENGINE = {:?}{env} }}\n",
                engine("greedy")
            )
        };
        format!(
            "preset = \"none\"\n[event]\nname = \"spy\"\n[swiss]\nrounds = 1\n[mini_match]\ngames = 1\nopenings = \"none\"\n\
             [game]\nnodes = 20\nmax_moves = 2\n{}{}{}",
            lichess(&address, "[\"aaaaaaaa\"]", ""),
            player("Anna"),
            player("Berta")
        )
    };
    place.write("event.toml", &event(""));
    let (code, said) = with_token(&place, &RUN);
    assert_eq!(code, Some(0), "{said}");
    let seen = place.read("spy.env");
    assert!(
        seen.contains("ENGINE=") && !seen.contains(TOKEN) && !seen.contains("LICHESS_TOKEN"),
        "{seen}"
    );

    place.write("event.toml", &event(", KEY = \"$LICHESS_TOKEN\""));
    let (code, said) = with_token(&place, &["run", "event.toml", "--out", "other"]);
    assert_eq!(code, Some(4), "{said}");
    assert!(
        said.contains("player.env: $LICHESS_TOKEN would give the agent the token"),
        "{said}"
    );
}

#[test]
fn a_server_that_takes_nothing_never_stops_play_and_is_told_once() {
    let place = Place::new();
    for (name, answers, why) in [
        (
            "slower",
            &["429 Too Many Requests"][..],
            "it asks for fewer requests (429)",
        ),
        (
            "refused",
            &["401 Unauthorized"],
            "the server answered 401 Unauthorized: no: Bearer …",
        ),
    ] {
        let (address, pushes) = server(answers);
        place.write("event.toml", &event(0, 1, &lichess(&address, "[\"aaaaaaaa\"]", "")));
        let (code, said) = with_token(&place, &["run", "event.toml", "--out", name]);
        assert_eq!(code, Some(5), "{said}");
        assert_eq!(said.matches("Lichess (round aaaaaaaa): ").count(), 1, "{said}");
        assert!(said.contains(why) && said.contains("play goes on"), "{said}");
        assert!(said.contains("not on Lichess as it ended"), "{said}");
        assert!(
            said.contains("the event has been played to its end, and the log has every finished game"),
            "{said}"
        );
        if name == "slower" {
            assert_eq!(pushes.try_iter().count(), 1, "it was asked to wait");
        }
        assert!(!said.contains(TOKEN));
        assert_nowhere(&place.path(name), TOKEN);
        place.swissmatch(&["verify", name]).expect_code(0);
    }
    // Nobody there at all.
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    drop(listener);
    place.write("event.toml", &event(0, 1, &lichess(&address, "[\"aaaaaaaa\"]", "")));
    let (code, said) = with_token(&place, &["run", "event.toml", "--out", "nobody"]);
    assert_eq!(code, Some(5), "{said}");
    assert_eq!(said.matches("Lichess (round aaaaaaaa): ").count(), 1, "{said}");
}

#[test]
fn what_is_pushed_again_after_a_failure_is_the_newest() {
    let place = Place::new();
    let (address, pushes) = server(&["503 Service Unavailable", "200 OK"]);
    place.write("event.toml", &event(100, 1, &lichess(&address, "[\"aaaaaaaa\"]", "")));
    let (code, said) = with_token(&place, &RUN);
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("503 Service Unavailable") && said.contains("Lichess takes games again"),
        "{said}"
    );
    let mut ended: Vec<String> = pushes
        .try_iter()
        .skip(1)
        .flat_map(|push| push.games)
        .filter(|game| tag(game, "Result") != "*")
        .map(|game| tag(&game, "Round").to_owned())
        .collect();
    ended.sort_unstable();
    ended.dedup();
    assert_eq!(ended, ["1.1.1", "1.2.1", "2.1.1", "2.2.1"]);
}

#[test]
fn what_cannot_be_shown_is_refused_before_anything_begins() {
    let place = Place::new();
    let refused = |keys: &str, games: u32, token: Option<&str>, why: &str| {
        place.write("event.toml", &event(0, games, keys));
        let mut command = place.command(&RUN);
        command.env_remove("LICHESS_TOKEN");
        if let Some(token) = token {
            command.env("LICHESS_TOKEN", token);
        }
        let output = finish(command.spawn().expect("it runs"));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(4), "{said}");
        assert!(said.contains(why), "{why}: {said}");
        assert!(
            !place.path("run").exists() && token.is_none_or(|token| !said.contains(token)),
            "{said}"
        );
    };
    let one = "[lichess]\nrounds = [\"aaaaaaaa\"]\n";
    refused(
        one,
        2,
        None,
        "lichess.token_env: the environment has no variable LICHESS_TOKEN",
    );
    refused(
        one,
        2,
        Some("lip two words"),
        "lichess.token_env: what is there is no token",
    );
    refused(
        one,
        30,
        Some(TOKEN),
        "lichess.rounds: 1 round cannot show this event: the event has up to 120 games, and a round of a broadcast takes 100",
    );
    let each = "[lichess]\nrounds = [\"aaaaaaaa\"]\nby_round = true\n";
    refused(each, 2, Some(TOKEN), "each of 2 rounds has up to 4 games");
    let twice = "[lichess]\nrounds = [\"aaaaaaaa\", \"aaaaaaaa\"]\n";
    refused(twice, 2, Some(TOKEN), "aaaaaaaa is named twice");
    refused(
        "[lichess]\nrounds = [\"short\"]\n",
        2,
        Some(TOKEN),
        "expected a list of rounds of a broadcast, such as [\"aBcD1234\"], found \"short\"",
    );
    let open = "[lichess]\nrounds = [\"aaaaaaaa\"]\nserver = \"http://example.org\"\n";
    refused(open, 2, Some(TOKEN), "http:// is for a server of this machine alone");
    let file = "[lichess]\nrounds = [\"aaaaaaaa\"]\ntoken_file = \"none\"\n";
    refused(file, 2, Some(TOKEN), "lichess.token_file:");
}
