//! Services that are away, or that have to be mended: what a run plays meanwhile, what it says, and how it goes on.

use std::net::TcpListener;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::adapters::{Request, response, service};
use crate::death::{Background, until};
use crate::interrupted::logged;
use crate::models::{GREEDY, RUN, event, plays, said};
use crate::support::Place;

const PATIENCE: Duration = Duration::from_secs(120);

/// Two engines beside two models: in each of three rounds somebody plays who asks nobody.
fn others() -> String {
    let model = "[[player]]\nname = \"Strict\"\nmodel = \"local:small\"\nresponse_format = \"legal-moves\"\n";
    let mover = "[[player]]\nname = \"Mover\"\ncommand = \"random-mover\"\n";
    format!("{model}{GREEDY}{mover}")
}

/// A legal move, and an answer to whoever asks only whether it is there.
fn answers(request: &Request) -> Option<String> {
    plays(request).or_else(|| Some(said("Yes.", "stop")))
}

/// An event whose games may not be interrupted once, at a service that is waited for so long.
fn strict_event(place: &Place, url: &str, patience: &str, players: &str) {
    event(place, url, "engine.isolation = \"off\"\nrun.replays = 0", players);
    let text = place.read("event.toml");
    let text = text.replace("patience = \"1s\"", &format!("patience = \"{patience}\""));
    place.write("event.toml", &text.replace("key_env = \"MODELS_KEY\"\n", ""));
}

#[test]
fn games_wait_for_a_service_that_is_away_and_none_is_used_up() {
    static AWAY: AtomicBool = AtomicBool::new(false);
    let (url, _told) = service(|number, request| {
        if number == 2 {
            AWAY.store(true, Ordering::SeqCst);
        }
        match AWAY.load(Ordering::SeqCst) {
            true => Some(response("503 Away", "", "{}")),
            false => answers(request),
        }
    });
    let place = Place::new();
    strict_event(&place, &url, "6s", &others());
    let mut running = Background::start(&place, &RUN);
    // The games under way are given up; others begin only when it answers.
    until("a game that is due again", PATIENCE, || {
        place.read("complained").contains("is due again").then_some(())
    });
    AWAY.store(false, Ordering::SeqCst);
    let ended = running.end(PATIENCE);
    let told = place.read("complained");
    assert_eq!(ended.code(), Some(0), "{told}");
    let called = format!("endpoint local: {url}/v1, model small");
    assert_eq!(
        told.matches(&format!(
            "{called} does not answer (the service answered 503); games wait"
        ))
        .count(),
        1,
        "{told}"
    );
    assert_eq!(
        told.matches(&format!("{called} answers again, after ")).count(),
        1,
        "{told}"
    );
    // What was away is in the log, and counts for no bound.
    let (_, interrupted) = logged(&place, "run");
    assert!(!interrupted.is_empty());
    for entry in &interrupted {
        assert_eq!(entry["outage"], true, "{entry}");
    }
    let game = interrupted[0]["games"][0].as_str().expect("a game");
    let account = place.swissmatch(&["explain", "game", game, "run"]).stdout();
    assert!(account.contains("It does not count for run.replays."), "{account}");
    place.swissmatch(&["verify", "run"]).expect_code(0);
    // That another model answers than was asked for is told once of each player.
    for player in ["Qwen", "Strict"] {
        let words = format!("{player}: endpoint local answers as the model served-1, asked for was small");
        assert_eq!(told.matches(&words).count(), 1, "{told}");
    }
    let log = place.read("run/run.log");
    assert!(log.contains("games wait") && log.contains("answers again"), "{log}");
}

#[test]
fn a_service_that_stays_away_pauses_the_run_once_all_else_is_played() {
    let place = Place::new();
    let address = {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        listener.local_addr().expect("it has one")
    };
    let url = format!("http://{address}");
    strict_event(&place, &url, "1s", &others());
    let paused = place.swissmatch(&RUN);
    paused.expect_code(5);
    let told = paused.stderr();
    for words in [
        format!("endpoint local: {url}/v1 does not answer (no connection: {address}: "),
        format!("no other game begins until this is mended: endpoint local: {url}/v1 does not answer (no connection: "),
        "and has been away for ".to_owned(),
        "all games that are left wait for it".to_owned(),
        "goes on".to_owned(),
    ] {
        assert!(told.contains(&words), "{words}: {told}");
    }
    assert_eq!(told.matches("games wait").count(), 1, "{told}");
    let (_, interrupted) = logged(&place, "run");
    assert!(
        interrupted.iter().all(|entry| entry["outage"] == true),
        "{interrupted:?}"
    );
    // It comes back at another address, which is told.
    let (moved, _told) = service(|_, request| plays(request));
    place.write("event.toml", &place.read("event.toml").replace(&url, &moved));
    let again = place.swissmatch(&RUN);
    again.expect_code(0);
    assert!(again.stderr().contains("endpoint.local.url"), "{}", again.stderr());
    place.swissmatch(&["verify", "run"]).expect_code(0);
    let games = place.read("run/games.csv");
    assert_eq!(games.lines().count(), 5, "{games}");
    assert!(!games.contains("illegal-move") && !games.contains("crash"), "{games}");
}

/// A run that something of the organizer's pauses: what it says.
fn paused(answer: fn(usize, &Request) -> Option<String>, keys: &str) -> String {
    let (url, _told) = service(answer);
    let place = Place::new();
    strict_event(&place, &url, "1s", GREEDY);
    let text = place.read("event.toml");
    place.write("event.toml", &format!("{text}{keys}"));
    let paused = place.swissmatch(&RUN);
    paused.expect_code(5);
    paused.stderr()
}

#[test]
fn what_has_to_be_mended_is_told_by_its_key() {
    let told = paused(|_, _| Some(response("403 Forbidden", "", "{}")), "");
    let no_key =
        "the service answered 403; it has no key, which endpoint.local.key_env or endpoint.local.key_file would name";
    assert!(told.contains(no_key), "{told}");
    let told = paused(
        |_, _| Some(response("404 Not Found", "", r#"{"error":"no such model"}"#)),
        "",
    );
    let name = "the service answered 404: no such model; mend player.model or endpoint.local.url";
    assert!(told.contains(name), "{told}");
    let quota = |_: usize, _: &Request| {
        let body = r#"{"error":{"message":"used up","code":"insufficient_quota"}}"#;
        Some(response("429 Too Many Requests", "", body))
    };
    let told = paused(quota, "");
    let account =
        "the service answered 429: used up; its quota or its money is used up: mend the account at the service";
    assert!(told.contains(account), "{told}");
    let told = paused(|_, request| answers(request), "[spending]\nrequests = 1\n");
    let limit = "spending.requests is reached: of 1, 1 are counted already, and one more call could go beyond it; spending.requests may \
                 be raised when the run goes on";
    assert!(told.contains(limit), "{told}");
}

#[test]
fn a_game_that_is_lost_by_answers_that_are_cut_off_says_so() {
    let (url, _told) = service(|_, _| Some(said("I think that", "length")));
    let place = Place::new();
    strict_event(&place, &url, "1s", GREEDY);
    let text = place.read("event.toml");
    place.write(
        "event.toml",
        &format!("model.max_tokens = 300\ngame.attempts = 3\n{text}"),
    );
    let ran = place.swissmatch(&RUN);
    let words = "answered no legal move in 3 attempts: each answer was cut off at 300 tokens (model.max_tokens)";
    let told = ran.stderr();
    assert!(told.contains(&format!("(illegal-move: it {words})")), "{told}");
    let account = place.swissmatch(&["explain", "game", "1.1.1", "run"]).stdout();
    assert!(account.contains(words), "{account}");
    let standings = place.swissmatch(&["standings", "run"]).stdout();
    let note = "Answers that were cut off: Qwen, 6 of 6 at 300 tokens (model.max_tokens).";
    assert!(standings.contains(note), "{standings}");
    place.swissmatch(&["verify", "run"]).expect_code(0);
}
