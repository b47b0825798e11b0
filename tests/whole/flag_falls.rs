//! A flag that falls against a side that cannot mate: by this program, by the links, in what is told of it, in `verify` and `rescore`.

use serde_json::Value;
use swissmatch::game::Side;
use swissmatch::game::termination::Outcome;

use crate::links::call;
use crate::support::{Place, engine};

/// White has king and rook, Black a bare king.
const ROOK: &str = "8/8/8/4k3/8/8/4K3/4R3 w - - hmvc 0;\n";

/// Two games from there, in which `Silent` never answers in time: with the rook, then with the bare king.
fn event(keys: &str) -> String {
    let (stall, greedy) = (engine("fault-agent"), engine("greedy"));
    format!(
        "preset = \"none\"\n[event]\nname = \"flags\"\n[swiss]\nrounds = 1\n[mini_match]\ngames = 2\nopenings = \"rook.epd\"\n\
         [game]\ntime_control = \"0.3+0\"\n{keys}\n[run]\nconcurrency = 1\nmax_faults = \"none\"\n\
         [[player]]\nname = \"Silent\"\ncommand = \"{stall}\"\nargs = [\"--fault\", \"stall\", \"--at\", \"1\"]\n\
         [[player]]\nname = \"Greedy\"\ncommand = \"{greedy}\"\n"
    )
}

/// How the games ended, in order.
fn endings(place: &Place) -> Vec<String> {
    let games = place.export_json("run", "games-json");
    let games = games["games"].as_array().expect("a list");
    let text = |value: &Value| value.as_str().unwrap_or("nobody").to_owned();
    let ending = |game: &Value| {
        [&game["result"], &game["termination"], &game["fault_of"]]
            .map(text)
            .join(" ")
    };
    games.iter().map(ending).collect()
}

#[test]
fn against_a_bare_king_it_is_a_draw_and_the_bare_kings_own_flag_loses() {
    let place = Place::new();
    place.write("rook.epd", ROOK);
    place.write("event.toml", &event(""));
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
    let expected = ["1/2-1/2 flag-fall-draw nobody", "1-0 time-forfeit black"];
    assert_eq!(endings(&place), expected);
    place.swissmatch(&["verify", "run"]).expect_code(0);
    let told = place.swissmatch(&["explain", "game", "1.1.1", "run"]).stdout();
    for sentence in [
        "Draw: White's flag fell against too little material.",
        "It was Silent's flag that fell, and the game is a draw because Greedy cannot mate",
        "loses at once, unless the other side cannot mate.",
    ] {
        assert!(told.contains(sentence), "{sentence}: {told}");
    }
    let pgn = place.read("run/games.pgn");
    assert_eq!(pgn.matches("[Termination \"time forfeit\"]").count(), 2, "{pgn}");
    assert_eq!(pgn.matches("[Result \"1/2-1/2\"]").count(), 1, "{pgn}");
    assert!(pgn.contains("White's flag fell"), "{pgn}");
    // By the rule from before there was the key it had lost.
    let other = place.swissmatch(&["rescore", "run", "--set", "game.flag_fall=loses"]);
    other.expect_code(0);
    assert!(
        other.stdout().contains("Game 1.1.1, Silent – Greedy: 1/2-1/2 → 0-1."),
        "{}",
        other.stdout()
    );
}

/// cutechess-cli scores a draw since 1.3.0, fastchess 1.8.2 a loss.
#[test]
fn the_links_score_as_these_programs_do() {
    for (name, first) in [
        ("fastchess", "0-1 {White loses on time"),
        ("cutechess-cli", "1/2-1/2 {Draw by timeout}"),
    ] {
        let place = Place::new();
        place.write("rook.epd", ROOK);
        let (stall, greedy) = (
            format!("cmd={}", engine("fault-agent")),
            format!("cmd={}", engine("greedy")),
        );
        let words = [
            "-engine",
            &stall,
            "name=Silent",
            "arg=--fault",
            "arg=stall",
            "arg=--at",
            "arg=1",
            "-engine",
            &greedy,
            "name=Greedy",
            "-each",
            "proto=uci",
            "tc=0.3",
            "-openings",
            "file=rook.epd",
            "format=epd",
            "-repeat",
            "-games",
            "2",
            "-rounds",
            "1",
        ];
        let words: Vec<&str> = match name {
            // It takes arguments as one word.
            "fastchess" => words
                .iter()
                .filter(|word| !["arg=stall", "arg=--at", "arg=1"].contains(*word))
                .map(|word| {
                    if *word == "arg=--fault" {
                        "args=--fault stall --at 1"
                    } else {
                        word
                    }
                })
                .collect(),
            _ => words.to_vec(),
        };
        let ran = call(&place, name, &words);
        let out = ran.stdout();
        assert!(
            out.contains(&format!("Finished game 1 (Silent vs Greedy): {first}")),
            "{out}{}",
            ran.stderr()
        );
        assert!(
            out.contains("Finished game 2 (Greedy vs Silent): 1-0 {Black loses on time"),
            "{out}"
        );
    }
}

/// A log whose games were lost on time by the rule of then is verified, and told by the other rule; by the key of today it is found.
#[test]
fn a_run_goes_on_by_its_own_rule() {
    let place = Place::new();
    place.write("rook.epd", ROOK);
    for (rule, code) in [("loses", 0), ("draw-if-cannot-mate", 1)] {
        let event = event(&format!("flag_fall = \"{rule}\""));
        place.play_by_script(&event, rule, |_| Outcome::win(Side::Black));
        place.swissmatch(&["verify", rule]).expect_code(code);
    }
    let other = place.swissmatch(&["rescore", "loses", "--set", "game.flag_fall=draw-if-cannot-mate"]);
    other.expect_code(0);
    for line in [
        "Game 1.1.1, Silent – Greedy: 0-1 → 1/2-1/2.",
        "Game 1.1.2, Greedy – Silent: 0-1 → 1/2-1/2.",
    ] {
        assert!(other.stdout().contains(line), "{line}: {}", other.stdout());
    }
    let same = place.swissmatch(&["rescore", "loses", "--set", "game.flag_fall=us-chess", "--json"]);
    same.expect_code(0);
    assert_eq!(same.stdout().matches("→ 1/2-1/2").count(), 2, "{}", same.stdout());
}

/// Whoever takes up a run from before there was the key needs no word about it; a word against it is refused.
#[test]
fn a_run_is_taken_up_by_the_rule_that_it_began_with() {
    let place = Place::new();
    place.write("rook.epd", ROOK);
    place.write("event.toml", &event(""));
    let run = |more: &[&str]| place.swissmatch(&[&["run", "event.toml", "--out", "run"], more].concat());
    run(&["--set", "game.flag_fall=loses"]).expect_code(0);
    let expected = ["0-1 time-forfeit white", "1-0 time-forfeit black"];
    assert_eq!(endings(&place), expected);
    run(&[]).expect_code(0);
    place.swissmatch(&["verify", "run"]).expect_code(0);
    assert_eq!(endings(&place), expected);
    let other = run(&["--set", "game.flag_fall=draw-if-cannot-mate"]);
    other.expect_code(4);
    assert!(other.stderr().contains("game.flag_fall: was"), "{}", other.stderr());
}
