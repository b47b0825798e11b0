//! What a server gives to other viewers and to those who take games along: the feed, and games as PGN.

use serde_json::{Value, json};

use super::{ask, get, played, serve};
use crate::schemas::check;

/// A body that was sent in pieces, each after its length.
fn unpieced(body: &str) -> String {
    let (mut text, mut rest) = (String::new(), body);
    while let Some((length, after)) = rest.split_once("\r\n") {
        let length = usize::from_str_radix(length, 16).expect("a length");
        let (piece, after) = after.split_at(length);
        text += piece;
        rest = after.strip_prefix("\r\n").expect("the end of a piece");
        if length == 0 {
            return text;
        }
    }
    panic!("it was broken off: {body}")
}

#[test]
fn the_feed_and_games_as_pgn_are_those_of_the_run() {
    let place = played("");
    let (_server, address) = serve(&place, &["run"]);
    // What other viewers read, with what only a server knows.
    place.swissmatch(&["publish", "public", "run"]).expect_code(0);
    let feed = get(&address, "/feed.json");
    let tag = format!("If-None-Match: {}", feed.header("etag").expect("a tag"));
    assert_eq!(ask(&address, "GET /feed.json", &[&tag]).status, 304);
    let mut feed = feed.json();
    check("feed", &feed);
    let under_way = feed.as_object_mut().and_then(|feed| feed.remove("under_way"));
    assert_eq!(under_way, Some(json!([])));
    let there: Value = serde_json::from_str(&place.read("public/feed.json")).expect("JSON");
    check("feed", &there);
    assert_eq!(feed, there);
    let count = |key: &str| feed[key].as_array().map_or(0, Vec::len);
    let keys = ["players", "rounds", "pairings", "byes", "games", "standings"];
    assert_eq!(keys.map(count), [4, 2, 4, 0, 8, 8]);
    assert!(feed["standings"][7]["points"].is_string(), "{feed}");
    assert!(feed["rounds"][1]["ended"].is_string(), "{feed}");
    // Games as games.pgn has them: all, of a mini-match, of a round, of a player.
    let all = place.read("run/games.pgn");
    let parts: Vec<&str> = all.split_inclusive("\n\n").collect();
    let games: Vec<String> = parts.chunks(2).map(|parts| parts.concat()).collect();
    assert_eq!(games.len(), 8, "{all}");
    let of = |has: &dyn Fn(&str) -> bool| -> String { games.iter().filter(|game| has(game)).cloned().collect() };
    let name = feed["players"][2]["name"].as_str().expect("a name");
    for (path, file, text) in [
        ("/games.pgn", "games.pgn", all.clone()),
        (
            "/games/1.2.pgn",
            "match-1.2.pgn",
            of(&|game| game.contains("[Round \"1.2.")),
        ),
        ("/rounds/2.pgn", "round-2.pgn", of(&|game| game.contains("[Round \"2."))),
        (
            "/agents/3.pgn",
            "agent-3.pgn",
            of(&|game| game.contains(&format!(" \"{name}\"]"))),
        ),
    ] {
        let answer = get(&address, path);
        assert_eq!((answer.status, unpieced(&answer.body)), (200, text), "{path}");
        let named = format!("attachment; filename=\"{file}\"");
        assert_eq!(answer.header("content-disposition"), Some(named.as_str()), "{path}");
    }
    for (what, status) in [
        ("GET /games/9.9.pgn", 404),
        ("GET /rounds/3.pgn", 404),
        ("GET /agents/x.pgn", 404),
        ("GET /rounds/2.json", 404),
        ("HEAD /games.pgn", 200),
        ("POST /games.pgn", 405),
    ] {
        assert_eq!(ask(&address, what, &[]).status, status, "{what}");
    }
}

#[test]
fn what_is_held_back_is_in_no_feed_and_no_pgn() {
    for (more, rounds) in [("embargo_rounds = 1", 1), ("delay = \"60m\"", 0)] {
        let place = played(&format!("[publish]\n{more}\n"));
        let (_server, address) = serve(&place, &["run"]);
        let feed = get(&address, "/feed.json").json();
        check("feed", &feed);
        for (key, count) in [("pairings", 2), ("games", 4), ("standings", 4)] {
            assert_eq!(feed[key].as_array().map(Vec::len), Some(count * rounds), "{key} {more}");
        }
        for path in ["/rounds/2.pgn", "/games/2.1.pgn"] {
            assert_eq!(get(&address, path).status, 404, "{path} {more}");
        }
        assert_eq!(get(&address, "/games.pgn").status == 200, rounds > 0, "{more}");
        let all = get(&address, "/agents/1.pgn").body;
        assert_eq!(all.matches("[Round \"1.").count(), 2 * rounds, "{more}");
        assert_eq!(all.matches("[Round \"2.").count(), 0, "{more}");
    }
}
