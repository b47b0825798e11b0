//! Formats and stages.

use std::path::Path;

use super::{PLAYERS, check, load_text, loaded, with_flag};
use crate::config::{effective, load};
use crate::tournament::setup::PairingSystem;

#[test]
fn a_double_form_says_how_many_games() {
    let games = |text: &str| loaded(text).setup.mini_match.games;
    assert_eq!(games("swiss.rounds = \"RR\""), 40);
    assert_eq!(games("swiss.rounds = \"double-RR\""), 2);
    assert_eq!(games("swiss.rounds = \"3-double-SS\"\nmini_match.games = 2"), 2);
    let printed = effective(&loaded("swiss.rounds = \"double-RR\""));
    let line = printed
        .lines()
        .find(|line| line.starts_with("games = "))
        .unwrap_or_default();
    assert!(
        line.starts_with("games = 2 ") && line.ends_with("# event.toml:1"),
        "{line}"
    );
    let us_chess = loaded("swiss.pairing = \"us-chess\"\nswiss.initial_color = \"black\"");
    assert_eq!(us_chess.setup.swiss.pairing, PairingSystem::UsChess);
}

#[test]
fn stages_are_read_and_printed() {
    let text =
        "event.stages = [{ format = \"7-SS\" }, { format = \"knockout\", top = 2, games = 4, time_control = \"1+0\" }]";
    let stages = loaded(text).setup.event.stages;
    assert_eq!((stages.len(), stages[1].top, stages[1].games), (2, Some(2), Some(4)));
    let printed = effective(&loaded(text));
    assert!(
        printed.contains("stages = [{ format = 7 }, { format = \"knockout\", top = 2, games = 4, time_control = \""),
        "{printed}"
    );
    assert!(
        !printed.contains("\nrounds = "),
        "the list says what is played: {printed}"
    );
    assert_eq!(load_text(&printed).map(|loaded| loaded.setup.event.stages), Ok(stages));
    let as_tables = loaded("[[event.stages]]\nformat = \"RR\"\n[[event.stages]]\nformat = \"gauntlet\"\ntop = 2\n");
    assert_eq!(as_tables.setup.event.stages.len(), 2);
    let flag = with_flag("event.stages", "[{ format = \"RR\" }]").expect("as in a file");
    assert_eq!(flag.setup.event.stages.len(), 1);
}

#[test]
fn formats_that_do_not_fit() {
    check(
        "[mini_match]\ngames = 4\n[swiss]\nrounds = \"double-RR\"",
        "2:1: mini_match.games: 4 games beside swiss.rounds = \"double-RR\", which is 2 games a round; leave games out, or write \
         swiss.rounds without \"double-\"",
    );
    check(
        "[swiss]\nrounds = \"gauntlet-2\"",
        "2:1: swiss.rounds: the first 2 of 2 players meet everybody else, and nobody else is there; write a smaller number, \
         or \"RR\"",
    );
    check(
        "[swiss]\npairing = \"us-chess\"\ncolor = \"first-game\"",
        "3:1: swiss.color: pairing = \"us-chess\" pairs without regard to colour; write color = \"ignore\", or pairing = \
         \"dutch\"",
    );
    check(
        "[swiss]\nrounds = \"gauntlet\"\nforbidden = [[\"A\", \"B\"]]",
        "3:1: swiss.forbidden: \"gauntlet\" says who meets whom; give a number of rounds, or leave the key out",
    );
    check(
        "[swiss]\npairing = \"double-swiss\"",
        "2:11: swiss.pairing: \"double-swiss\" is not supported by this version",
    );
    let refused = load(
        Path::new("event.toml"),
        &format!("swiss.rounds = \"double-SS\"{PLAYERS}"),
        &[("mini_match.games".to_owned(), "10".to_owned())],
    );
    assert_eq!(
        refused.map(|loaded| loaded.setup.mini_match.games).map_err(|error| error.to_string()),
        Err("--games: mini_match.games: 10 games beside swiss.rounds = \"double-SS\", which is 2 games a round; leave games \
             out, or write swiss.rounds without \"double-\""
            .to_owned())
    );
}

#[test]
fn stages_that_do_not_fit() {
    for (stages, message) in [
        (
            "{ }",
            "a stage has no format; write what it plays, such as format = \"7-SS\"",
        ),
        (
            "{ format = \"7-XX\" }",
            "format of a stage: expected a format as in swiss.rounds",
        ),
        (
            "{ format = \"RR\", rounds = 2 }",
            "unknown entry \"rounds\" of a stage; a stage has format, top, games and time_control",
        ),
        (
            "{ format = \"RR\", games = 3 }",
            "games of a stage: expected 1 or an even number of games up to 10000",
        ),
        (
            "{ format = \"RR\", top = 2 }",
            "stage 1 has top, and no stage is before it; leave top out: everybody plays stage 1",
        ),
        (
            "{ format = \"RR\" }, { format = \"knockout\" }",
            "stage 2 does not say who plays it; write top = 8 for the first eight of the stage before",
        ),
        (
            "{ format = \"RR\" }, { format = \"knockout\", top = 3 }",
            "stage 2 takes the top 3 of 2 players; write a number from 2 up to the players of the stage before",
        ),
        (
            "{ format = \"quads\" }, { format = \"RR\", top = 2 }",
            "stage 2 takes the top 2 of \"quads\", which are tables of four each; put \"quads\" last, or write another format",
        ),
        (
            "{ format = \"RR\" }, { format = \"double-RR\", top = 2, games = 4 }",
            "stage 2: 4 games beside format = \"double-RR\", which is 2 games a round; leave games out, or write the format \
             without \"double-\"",
        ),
    ] {
        let text = format!("[event]\nstages = [{stages}]\n{PLAYERS}");
        let error = load_text(&text)
            .map(|loaded| loaded.setup.event.stages)
            .expect_err(stages)
            .to_string();
        let (place, said) = error.split_once(" event.stages: ").expect("the key");
        assert!(place.starts_with("event.toml:2:"), "{error}");
        assert_eq!(said, message);
    }
    check(
        "event.stages = [{ format = \"RR\" }]\nswiss.rounds = 3",
        "1:7: event.stages: swiss.rounds is given too, and each says what is played; give one of them",
    );
    let warnings = loaded("swiss.rounds = \"knockout\"\nplayoff.places = [1]").warnings;
    assert!(
        warnings
            .iter()
            .any(|warning| warning.starts_with("playoff.places: the places of a knockout")),
        "{warnings:?}"
    );
}

#[test]
fn a_us_chess_section_that_runs_out_of_byes_is_refused() {
    let event = |rated: usize, players: usize, rounds: &str| {
        let mut text = format!("preset = \"us-chess\"\n[swiss]\nrounds = \"{rounds}\"\n");
        for player in 0..players {
            let rating = if player < rated { "rating = 1500" } else { "" };
            text += &format!("[[player]]\nname = \"P{player}\"\ncommand = \"p\"\n{rating}\n");
        }
        load_text(&text).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(event(3, 5, "3-SS"), Ok(()));
    let refused = event(2, 5, "3-SS").expect_err("two may have it");
    assert!(refused.contains("only 2 may have it"), "{refused}");
    assert_eq!(
        event(0, 5, "5-SS"),
        Ok(()),
        "four games are left to whoever has the bye"
    );
    assert!(event(3, 3, "5-SS").is_err(), "nobody twice");
    assert!(event(0, 7, "quads").is_err());
    assert_eq!(event(0, 8, "quads"), Ok(()));
    assert_eq!(event(7, 7, "quads"), Ok(()));
    assert_eq!(event(0, 6, "3-SS"), Ok(()));
}
