//! Draws that could be claimed: in games of real agents, in what is told of them, in `verify` and `rescore`.

use serde_json::Value;

use crate::support::{Place, engine};

/// White mates with its second move, which is the hundredth without a capture or a pawn move: before it could claim a draw.
const MATE: &str = "7k/8/5K2/8/8/8/8/R7 w - - 97 80\n";

fn event(keys: &str) -> String {
    let agent = engine("alphabeta");
    format!(
        "preset = \"none\"\n[event]\nname = \"claims\"\n[swiss]\nrounds = 1\n[mini_match]\ngames = 2\nopenings = \"mate.fen\"\n\
         [game]\ntime_control = \"60+1\"\ndepth = 4\n{keys}\n[run]\nconcurrency = 1\n\
         [[player]]\nname = \"One\"\ncommand = \"{agent}\"\n[[player]]\nname = \"Two\"\ncommand = \"{agent}\"\n"
    )
}

/// Plays it, and verifies it; result, termination and plies of each game.
fn play(place: &Place, dir: &str, keys: &str) -> Vec<(String, String, usize)> {
    place.write(&format!("{dir}.toml"), &event(keys));
    place
        .swissmatch(&["run", &format!("{dir}.toml"), "--out", dir])
        .expect_code(0);
    place.swissmatch(&["verify", dir]).expect_code(0);
    let records = place.swissmatch(&["export", "records", dir]).stdout();
    let row = |line: &str| {
        let record: Value = serde_json::from_str(line).expect("a record");
        let text = |key: &str| record[key].as_str().unwrap_or_default().to_owned();
        let plies = record["time_us"].as_array().map_or(0, Vec::len);
        (text("result"), text("termination"), plies)
    };
    records.lines().map(row).collect()
}

#[test]
fn a_game_ends_where_a_draw_could_be_claimed_if_the_event_says_so() {
    let place = Place::new();
    place.write("mate.fen", MATE);
    let mate = ("1-0".to_owned(), "checkmate".to_owned(), 3);
    assert_eq!(play(&place, "usual", ""), [mate.clone(), mate]);
    let draw = ("1/2-1/2".to_owned(), "fifty-move-rule".to_owned(), 2);
    assert_eq!(play(&place, "claimed", "claims = \"claimable\""), [draw.clone(), draw]);
    let rules = place.read("claimed/rules.md");
    assert!(
        rules.contains("since that side could claim the draw") && !place.read("usual/rules.md").contains("could claim"),
        "{rules}"
    );
    let told = place.swissmatch(&["explain", "game", "1.1.1", "claimed"]).stdout();
    assert!(
        told.contains("or a legal move would have completed them") && told.contains("game.claims"),
        "{told}"
    );
    // What the other rule makes of the games that were played on, and not the other way round.
    let other = place.swissmatch(&["rescore", "usual", "--set", "game.claims=claimable"]);
    other.expect_code(0);
    for line in [
        "game.claims: \"automatic\" → \"claimable\"",
        "Game 1.1.1, One – Two: 1-0 → 1/2-1/2.",
        "Game 1.1.2, Two – One: 1-0 → 1/2-1/2.",
    ] {
        assert!(other.stdout().contains(line), "{line}: {}", other.stdout());
    }
    // A cap, likewise.
    let capped = place.swissmatch(&["rescore", "usual", "--set", "game.max_plies=2"]);
    let said = capped.expect_code(0).stdout();
    assert!(said.contains("Game 1.1.1, One – Two: 1-0 → 1/2-1/2."), "{said}");
    let back = place.swissmatch(&["rescore", "claimed", "--set", "game.claims=automatic"]);
    back.expect_code(4);
    assert!(
        back.stderr().contains("nobody knows how they would have gone on"),
        "{}",
        back.stderr()
    );
}

#[test]
fn an_opening_after_which_a_draw_could_be_claimed_is_refused() {
    let place = Place::new();
    place.write("mate.fen", "7k/8/6K1/8/8/8/8/R7 w - - 99 80\n");
    place.write("event.toml", &event("claims = \"claimable\""));
    let refused = place.swissmatch(&["run", "event.toml", "--out", "run"]);
    refused.expect_code(4);
    let why = refused.stderr();
    assert!(
        why.contains("game.claims") && why.contains("could claim a draw at once"),
        "{why}"
    );
}
