//! Formats and stages.

use std::path::Path;

use super::{PLAYERS, check, load_text, loaded, with_flag};
use crate::{Flag, PRESETS, difference, effective, load};
use swissmatch_tournament::setup::{PairingSystem, Setup};

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
        !printed
            .split("[lichess]")
            .next()
            .is_some_and(|keys| keys.contains("\nrounds = ")),
        "the list says what is played: {printed}"
    );
    assert_eq!(load_text(&printed).map(|loaded| loaded.setup.event.stages), Ok(stages));
    let by_round = "stages = [{ format = \"knockout\", games_by_round = [4, 6] }]";
    let printed = effective(&loaded(&format!("event.{by_round}")));
    assert!(printed.contains(by_round), "{printed}");
    let as_tables = loaded("[[event.stages]]\nformat = \"RR\"\n[[event.stages]]\nformat = \"gauntlet\"\ntop = 2\n");
    assert_eq!(as_tables.setup.event.stages.len(), 2);
    let flag = with_flag("event.stages", "[{ format = \"RR\" }]").expect("as in a file");
    assert_eq!(flag.setup.event.stages.len(), 1);
}

#[test]
fn formats_that_do_not_fit() {
    check(
        "[mini_match]\ngames = 4\n[swiss]\nrounds = \"double-RR\"",
        "2:1: mini_match.games: 4 games with swiss.rounds = \"double-RR\", which has 2 games a round; leave games out, or write \
         swiss.rounds without \"double-\"",
    );
    check(
        "[swiss]\nrounds = \"gauntlet-2\"",
        "2:1: swiss.rounds: the first 2 of 2 players meet everybody else, but there is nobody else; write a smaller number, \
         or \"RR\"",
    );
    check(
        "[swiss]\npairing = \"us-chess\"\ncolor = \"first-game\"",
        "3:1: swiss.color: pairing = \"us-chess\" pairs without regard to colour; write color = \"ignore\", or pairing = \
         \"dutch\"",
    );
    check(
        "[swiss]\nrounds = \"gauntlet\"\nforbidden = [[\"A\", \"B\"]]",
        "3:1: swiss.forbidden: \"gauntlet\" already says who meets whom; give a number of rounds, or leave the key out",
    );
    let refused = load(
        Path::new("event.toml"),
        &format!("swiss.rounds = \"double-SS\"{PLAYERS}"),
        &[Flag::set("mini_match.games", "10")],
    );
    assert_eq!(
        refused.map(|loaded| loaded.setup.mini_match.games).map_err(|error| error.to_string()),
        Err("--set: mini_match.games: 10 games with swiss.rounds = \"double-SS\", which has 2 games a round; leave games \
             out, or write swiss.rounds without \"double-\""
            .to_owned())
    );
}

#[test]
fn stages_that_do_not_fit() {
    for (stages, message) in [
        ("{ }", "a stage has no format; give it one, such as format = \"7-SS\""),
        (
            "{ format = \"7-XX\" }",
            "format of a stage: expected a format as in swiss.rounds",
        ),
        (
            "{ format = \"RR\", rounds = 2 }",
            "unknown entry \"rounds\" of a stage; a stage has format, top, games, games_by_round and time_control",
        ),
        (
            "{ format = \"RR\", games = 3 }",
            "games of a stage: expected 1 or an even number of games up to 1000000",
        ),
        (
            "{ format = \"knockout\", games_by_round = [4, 5] }",
            "games_by_round of a stage: expected a list of games, such as [4, 6, 8]",
        ),
        (
            "{ format = \"knockout\", games = 2, games_by_round = [2, 4] }",
            "stage 1 has games and games_by_round, and both say how many games there are; leave one of them out",
        ),
        (
            "{ format = \"RR\", games_by_round = [2, 4] }",
            "stage 1: games_by_round with format = \"RR\"; it is for a knockout; write games, which counts in every round",
        ),
        (
            "{ format = \"RR\", top = 2 }",
            "stage 1 has top, but there is no stage before it; leave top out: everybody plays stage 1",
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
            "stage 2 takes the top 2 of \"quads\", which has several tables of four; put \"quads\" last, or write another format",
        ),
        (
            "{ format = \"RR\" }, { format = \"double-RR\", top = 2, games = 4 }",
            "stage 2: 4 games with format = \"double-RR\", which has 2 games a round; leave games out, or write the format \
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
        "1:7: event.stages: swiss.rounds is given too, and both say what is played; give only one of them",
    );
    let warnings = loaded("swiss.rounds = \"knockout\"\nplayoff.places = [1]").warnings;
    assert!(
        warnings
            .iter()
            .any(|warning| warning.starts_with("playoff.places: the places of a knockout")),
        "{warnings:?}"
    );
    let nothing = "playoff.third: nothing is played for third place";
    let is_warned = |text: &str| loaded(text).warnings.iter().any(|warning| warning.starts_with(nothing));
    let of_knockout = "swiss.rounds = \"knockout\"\nplayoff.third = ";
    assert!(is_warned(&format!("{of_knockout}\"match\"")));
    assert!(!is_warned(&format!("{of_knockout}\"better-seed\"")));
}

const DOUBLE_SWISS: &str = "swiss.pairing = \"double-swiss\"\nswiss.rounds = \"1-double-SS\"\n\
                            standings.order = [\"game-points\", \"BH\"]\n";

#[test]
fn every_preset_takes_every_pairing_system() {
    for (preset, _) in PRESETS {
        let swiss = |keys: &str| loaded(&format!("preset = \"{preset}\"\n{keys}")).setup.swiss;
        let immortal = swiss("swiss.pairing = \"immortal\"\nswiss.color_streak = 3\nswiss.color = \"ignore\"");
        assert_eq!(
            (immortal.pairing, immortal.color_streak),
            (PairingSystem::Immortal, Some(3)),
            "{preset}"
        );
        assert_eq!(
            swiss("swiss.pairing = \"immortal\"\nswiss.color_streak = \"none\"").color_streak,
            None
        );
        assert_eq!(swiss(DOUBLE_SWISS).pairing, PairingSystem::DoubleSwiss, "{preset}");
    }
}

#[test]
fn a_streak_of_colors_is_for_the_immortal_system() {
    assert_eq!(loaded("swiss.color_streak = 2").setup.swiss.color_streak, Some(2));
    let help = "only the immortal system uses this; write pairing = \"immortal\", or leave the key out";
    check("[swiss]\ncolor_streak = 3", &format!("2:1: swiss.color_streak: {help}"));
    check(
        "[swiss]\nrounds = 1\npairing = \"dutch\"\ncolor_streak = \"none\"",
        &format!("4:1: swiss.color_streak: {help}"),
    );
    check(
        "[swiss]\npairing = \"immortal\"\ncolor_streak = 0",
        "3:16: swiss.color_streak: expected \"none\" or a whole number from 1 to 1000, found 0",
    );
    check(
        "[swiss]\npairing = \"immortal\"\ncolor = \"first-game\"",
        "3:1: swiss.color: pairing = \"immortal\" has its own rule for colours, swiss.color_streak; write color = \
         \"ignore\", or pairing = \"dutch\"",
    );
    check(
        "[swiss]\npairing = \"immortal\"\nedition = \"2017\"",
        "3:1: swiss.edition: only the Dutch system uses this; write pairing = \"dutch\", or leave the key out",
    );
}

#[test]
fn a_setup_stored_before_there_was_a_streak_of_colors_is_read_and_goes_on() {
    let mut old = serde_json::to_value(loaded("").setup).expect("JSON");
    let swiss = old["swiss"].as_object_mut().expect("a table");
    assert!(swiss.remove("color_streak").is_some());
    let read = serde_json::from_value::<Setup>(old).expect("a setup");
    assert_eq!(difference(&read, &loaded("").setup), []);
}

#[test]
fn an_odd_immortal_field_that_runs_out_of_byes_is_warned_of() {
    let third = "[[player]]\nname = \"C\"\ncommand = \"c\"";
    let event = |rounds: u32| format!("[swiss]\npairing = \"immortal\"\nrounds = {rounds}\n{third}");
    assert_eq!(loaded(&event(3)).setup.players.len(), 3);
    let warnings = |text: &str| {
        let mut warnings = loaded(text).warnings;
        warnings.retain(|warning| warning.contains("bye.again") || warning.contains("repeat"));
        warnings
    };
    assert!(warnings(&event(3)).is_empty());
    assert_eq!(
        warnings(&event(4)),
        [
            "4 rounds of 3 players: after 3 rounds everybody has met, and then pairings repeat",
            "3 players in 4 rounds: 4 rounds have a bye, and only 3 players may have one (nobody twice); whoever is left over \
             after that gets the bye anyway (bye.again = \"bye\")",
        ]
    );
    assert!(warnings(&format!("bye.again = \"zero\"\n{}", event(4)))[1].contains("gets nothing"));
    // By match points nobody is barred, unless a further bye is worth something else.
    let by_points = |again: &str| format!("bye.again = \"{again}\"\n[swiss]\nrounds = 4\n{third}");
    assert_eq!(warnings(&by_points("bye")).len(), 1);
    assert_eq!(warnings(&by_points("requested")).len(), 2);
    // An even field has a bye in the rounds in which one player asked not to play.
    let asks = "bye.requests = [{ rounds = 9, byes = 3 }]\n[swiss]\npairing = \"immortal\"\nrounds = 4\n[[player]]\nname = \
                \"C\"\ncommand = \"c\"\nbyes = [1, 2]";
    assert_eq!(warnings(asks).len(), 1, "two rounds are odd");
    assert_eq!(warnings("[swiss]\npairing = \"immortal\"\nrounds = 4").len(), 1, "even");
    assert_eq!(
        warnings("swiss.rounds = \"log2+2\"").len(),
        1,
        "log2+2 of two is three rounds"
    );
}

#[test]
fn a_match_of_the_double_swiss_system_is_two_games_and_game_points_rank() {
    let double = |rounds: &str, order: &str| {
        format!("[swiss]\npairing = \"double-swiss\"\nrounds = {rounds}\n[standings]\norder = [\"{order}\"]")
    };
    check(
        &format!("mini_match.games = 4\n{}", double("1", "game-points")),
        "1:12: mini_match.games: a match of the Double-Swiss system (C.04.5) has two games, but here it has 4; write games = \
         2, or a \
         format such as \"5-double-SS\", which has two games a round",
    );
    check(
        &double("\"1-double-SS\"", "match-points"),
        "5:1: standings.order: the Double-Swiss system (C.04.5) pairs by the sum of game points, but here match points rank \
         first; \
         write order = [\"game-points\", …]",
    );
    check(
        &double("\"2-double-SS\"", "game-points"),
        "3:1: swiss.rounds: 2 rounds of 2 players: in the Double-Swiss system nobody meets twice, so 1 round is the most; \
         write fewer rounds, or pairing = \"match-points\", which repeats pairings where it must",
    );
    let with_third = |keys: &str| {
        let third = "[[player]]\nname = \"C\"\ncommand = \"c\"";
        loaded(&format!("{DOUBLE_SWISS}{keys}\n{third}")).warnings
    };
    let about_byes = |warnings: &[String]| {
        warnings
            .iter()
            .any(|warning| warning.starts_with("bye.game_points = 1:"))
    };
    assert!(about_byes(&with_third("")));
    assert!(!about_byes(&with_third("bye.game_points = 1.5")));
    assert!(!about_byes(&loaded(DOUBLE_SWISS).warnings), "nobody has a bye");
}

#[test]
fn a_us_chess_section_that_runs_out_of_byes_is_warned_of() {
    let event = |rated: usize, players: usize, rounds: &str| {
        let mut text = format!("preset = \"us-chess\"\n[swiss]\nrounds = \"{rounds}\"\n");
        for player in 0..players {
            let rating = if player < rated { "rating = 1500" } else { "" };
            text += &format!("[[player]]\nname = \"P{player}\"\ncommand = \"p\"\n{rating}\n");
        }
        let mut warnings = load_text(&text).expect("it can be played").warnings;
        warnings.retain(|warning| warning.contains("bye.again"));
        warnings.pop()
    };
    assert_eq!(event(3, 5, "3-SS"), None);
    let warned = event(2, 5, "3-SS").expect("two may have it");
    assert!(warned.contains("only 2 players may have one"), "{warned}");
    assert!(warned.contains("what a requested bye gives"), "{warned}");
    assert_eq!(event(0, 5, "5-SS"), None, "four games are left to whoever has the bye");
    assert!(event(3, 3, "5-SS").is_some(), "nobody twice");
    assert!(event(0, 7, "quads").is_some());
    assert_eq!(event(0, 8, "quads"), None);
    assert_eq!(event(7, 7, "quads"), None);
    assert_eq!(event(0, 6, "3-SS"), None);
}
