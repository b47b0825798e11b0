//! Right files and what they mean.

use std::time::Duration;

use swiss_system::score::Points;
use swiss_system::standings::criterion::Code;

use super::{loaded, with_flag};
use crate::{KEYS, LoadedEvent, Origin, PRESETS, difference, effective, preset_text};
use swissmatch_tournament::setup::{
    ColorRule, FaultBound, IllegalAttempts, OpeningPolicy, Openings, PairingSystem, Restart, Rounds, Setup, Variant,
};

#[test]
fn every_preset_has_every_key() {
    for (name, text) in PRESETS {
        let loaded = loaded(&format!("preset = \"{name}\""));
        for key in KEYS
            .iter()
            .filter(|key| key.path != "event.name" && key.stands_for.is_empty())
        {
            assert_eq!(
                loaded.origin(key.path),
                Some(&Origin::Preset(name.to_owned())),
                "{}",
                key.path
            );
        }
        let bare = |line: &&str| line.contains(" = ") && !line.starts_with('#');
        assert!(
            text.lines().filter(bare).all(|line| !line.starts_with("name")),
            "{name}: the event's name is the file's"
        );
    }
}

/// The text of `none`, which is made of the keys themselves, is an event file that changes nothing.
#[test]
fn the_text_of_none_is_every_default() {
    let text = preset_text("none")
        .expect("it is there")
        .replacen("\"My event\"", "\"event\"", 1);
    let same = Setup {
        players: Vec::new(),
        ..loaded("preset = \"none\"").setup
    };
    let setup = loaded(&format!("preset = \"none\"\n{text}")).setup;
    assert_eq!(
        difference(
            &same,
            &Setup {
                players: Vec::new(),
                ..setup
            }
        ),
        []
    );
    assert_eq!(preset_text("nobody"), None);
}

#[test]
fn the_dutch_system_works_in_every_preset() {
    for (name, _) in PRESETS {
        for (word, color) in [("first-game", ColorRule::FirstGame), ("ignore", ColorRule::Ignore)] {
            let text = format!("preset = \"{name}\"\n[swiss]\nrounds = 1\npairing = \"dutch\"\ncolor = \"{word}\"");
            let swiss = loaded(&text).setup.swiss;
            assert_eq!((swiss.pairing, swiss.color), (PairingSystem::Dutch, color));
        }
    }
}

#[test]
fn the_default_preset_is_the_published_protocol() {
    let LoadedEvent { setup, warnings, .. } = loaded("");
    assert_eq!(setup.preset, "global-chess-challenge");
    assert_eq!(setup.event.name, "event");
    assert_eq!(setup.mini_match.games, 40);
    assert_eq!(setup.mini_match.openings, Openings::Bundled);
    assert_eq!(setup.game.time_control.to_string(), "30s/move");
    assert_eq!(
        (setup.game.attempts, setup.game.illegal_attempts),
        (3, IllegalAttempts::Shared)
    );
    assert_eq!((setup.game.max_moves, setup.game.max_plies), (Some(200), None));
    assert_eq!(setup.game.move_overhead, Duration::from_millis(50));
    assert_eq!(
        (setup.bye.match_points, setup.bye.game_points),
        (Points::HALF, Some(Points::ONE))
    );
    assert_eq!(loaded("bye.score = \"protocol\"").setup.bye, setup.bye);
    assert_eq!(
        setup.standings.order,
        [
            Code::MatchPoints.into(),
            Code::H2h.into(),
            Code::ChallengeBuchholz.into(),
            Code::ChallengeSonnebornBerger.into()
        ]
    );
    assert_eq!(warnings, [""; 0]);
}

#[test]
fn points_are_read_as_written() {
    let points = |text: &str| loaded(text).setup.scoring.game;
    let expected = points("scoring.game = { win = 1, draw = 0.5, loss = 0 }");
    assert_eq!(expected.draw, Points::HALF);
    for text in ["[1, 0.5, 0]", "[1.0, 0.50, 0.0]", "[\"1\", \"0.5\", \"0\"]"] {
        assert_eq!(points(&format!("scoring.game = {text}")), expected);
    }
    assert_eq!(
        points("[scoring.game]\nwin = 3\ndraw = 1\nloss = -0.125")
            .loss
            .to_string(),
        "-0.125"
    );
}

#[test]
fn other_forms() {
    assert_eq!(loaded("swiss.rounds = \"7-SS\"").setup.swiss.rounds, Rounds::Number(7));
    assert_eq!(
        loaded("swiss.rounds = \"5-double-SS\"").setup.swiss.rounds,
        Rounds::DoubleSwiss(Some(5))
    );
    assert_eq!(
        loaded("swiss.rounds = \"log2+2\"").setup.swiss.rounds,
        Rounds::Log2Plus(2)
    );
    assert_eq!(loaded("game.max_moves = \"none\"").setup.game.max_moves, None);
    assert_eq!(
        loaded("event.rng_seed = 18446744073709551615").setup.event.rng_seed,
        u64::MAX
    );
    assert_eq!(loaded("event.rng_seed = 0xff").setup.event.rng_seed, 255);
    let openings = loaded("mini_match.openings = \"suite.epd\"").setup.mini_match.openings;
    assert_eq!(openings, Openings::File("suite.epd".to_owned()));
    let setup = loaded(
        "game.variant = \"chess960\"\n[mini_match]\nopenings = \"chess960\"\nopening_start = 3\nopening_policy = \"mini-match\"",
    )
    .setup;
    assert_eq!(
        (setup.game.variant, &setup.mini_match.openings),
        (Variant::Chess960, &Openings::Chess960)
    );
    assert_eq!(
        (setup.mini_match.opening_start, setup.mini_match.opening_policy),
        (3, OpeningPolicy::MiniMatch)
    );
    let by_name = loaded("bye.score = \"leaderboard\"").setup.bye;
    assert_eq!(
        (by_name.match_points, by_name.game_points),
        (Points::ONE, Some(Points::whole(2)))
    );
    for moment in [
        "2026-01-30T12:00:00+02:00",
        "2026-01-30 10:00Z",
        "\"2026-01-30T10:00:00.000Z\"",
    ] {
        let text = format!("[[player]]\nname = \"C\"\ncommand = \"c\"\nsubmitted_at = {moment}");
        let submitted = loaded(&text).setup.players[0].submitted_at;
        assert_eq!(
            submitted.map(|moment| moment.to_string()).as_deref(),
            Some("2026-01-30T10:00:00Z")
        );
    }
}

#[test]
fn warns_of_what_is_hardly_meant() {
    let warnings = |text: &str| loaded(text).warnings;
    let of_all = "[[player]]\nname = \"C\"\ncommand = \"c\"";
    assert_eq!(warnings(of_all), [""; 0], "the table says who has the bye");
    let third = &format!("swiss.rounds = 2\n{of_all}");
    assert_eq!(
        warnings(third),
        ["no player has submitted_at; where byes and places are still tied, the order of the file decides"]
    );
    assert_eq!(
        warnings(&format!("{third}\nsubmitted_at = 2026-01-30T10:00:00Z")),
        [
            "these players have no submitted_at: \"A\", \"B\"; where byes and places are still tied, the order of the file decides"
        ]
    );
    assert_eq!(
        warnings("swiss.rounds = 2"),
        ["2 rounds of 2 players: after 1 round everybody has met, and then pairings repeat"]
    );
    assert_eq!(warnings("game.time_control = \"60\"\ngame.attempts = 3").len(), 1);
    assert_eq!(
        warnings("game.time_control = \"60\""),
        [""; 0],
        "the preset's attempts are nobody's wish"
    );
    assert_eq!(
        warnings("game.time_control = \"100ms/move\"\ngame.move_overhead = \"20ms\""),
        ["game.move_overhead: 20ms is more than a tenth of the time per move, so 10ms counts"]
    );
    assert_eq!(warnings("game.time_control = \"100ms/move\""), [""; 0]);
    assert_eq!(warnings("mini_match.openings = \"none\"").len(), 1);
    let share = "game.attempts_share = true";
    assert_eq!(warnings(share), [""; 0]);
    assert_eq!(
        warnings(&format!("{share}\ngame.time_control = \"60\"")),
        ["game.attempts_share: under a clock the attempts at a move share it in any case"]
    );
    assert_eq!(
        warnings(&format!("{share}\ngame.attempts = 2\ngame.illegal_attempts = 1")),
        [
            "game.attempts_share: an illegal move loses at once, and so does a late one then; for further attempts set \
             game.illegal_attempts to 2 or more"
        ]
    );
}

/// A player's keys, its own control, the event's keys, the event's control: each bound by itself.
#[test]
fn bounds_come_from_the_nearest_place() {
    let bounds = |text: &str, player: &str| {
        let setup = loaded(&format!("{text}\n[[player]]\nname = \"C\"\ncommand = \"c\"\n{player}")).setup;
        assert_eq!(setup.players[0].name, "C");
        let bounds = setup.bounds(&setup.players[0], &setup.game.time_control);
        (bounds.nodes, bounds.depth)
    };
    let event = "game.time_control = \"10+0.1 nodes=1 depth=2\"";
    assert_eq!(bounds(event, ""), (Some(1), Some(2)));
    assert_eq!(bounds(event, "time_control = \"nodes=3\""), (Some(3), Some(2)));
    let keys = "game.time_control = \"10+0.1 depth=2\"\ngame.nodes = 4";
    assert_eq!(bounds(keys, ""), (Some(4), Some(2)));
    assert_eq!(bounds(keys, "time_control = \"5+0.1 nodes=3\""), (Some(3), Some(2)));
    assert_eq!(
        bounds(keys, "nodes = 6\ntime_control = \"5+0.1 depth=3\""),
        (Some(6), Some(3))
    );
    assert_eq!(bounds("", "time_control = \"5+0.1\""), (None, None));
}

#[test]
fn players_have_controls_of_their_own() {
    let text =
        "game.time_control = \"G/90 +30\"\n[[player]]\nname = \"C\"\ncommand = \"c\"\ntime_control = \"g/45; d5\"";
    let loaded = loaded(text);
    let controls: Vec<String> = loaded.setup.time_controls().map(ToString::to_string).collect();
    assert_eq!(controls, ["G/45 d5", "5400+30", "5400+30"]);
    assert!(
        effective(&loaded).contains("time_control = \"G/45 d5\"  # event.toml:5\n"),
        "{}",
        effective(&loaded)
    );
    let mixed =
        "game.time_control = \"60\"\ngame.attempts = 3\n[[player]]\nname = \"C\"\ncommand = \"c\"\ntime_control";
    let warnings = |control: &str| super::loaded(&format!("{mixed} = \"{control}\"")).warnings;
    let of_attempts = |control| {
        warnings(control)
            .iter()
            .filter(|text| text.starts_with("game.attempts"))
            .count()
    };
    assert_eq!(
        (of_attempts("G/5 d2"), of_attempts("1s/move"), of_attempts("nodes=9")),
        (1, 0, 0)
    );
}

#[test]
fn warns_of_tie_breaks_that_the_event_cannot_give() {
    let warnings = |text: &str| loaded(text).warnings;
    let order = |codes: &str| format!("standings.order = [\"match-points\", {codes}]\nswiss.rounds = 1");
    assert_eq!(
        warnings(&order("\"KS/L+1\"")),
        ["standings: KS/L+1 is only for round robins (C.07), and this event is a Swiss"]
    );
    let all_play_all = "standings.order = [\"match-points\", \"KS\"]\nswiss.rounds = \"auto\"";
    assert_eq!(warnings(all_play_all), [""; 0], "two players meet once");
    let left_out = warnings(&order("\"ARO\", \"TPR\""));
    assert_eq!(
        left_out,
        [
            "standings: ARO, TPR will be left out (C.07), because these players have no rating: \"A\", \"B\"; write rating = … \
             for each, or standings.unrated = …, one rating for all of them"
        ]
    );
    let shown = "standings.columns = [\"ARO\"]\nswiss.rounds = 1";
    assert_eq!(warnings(shown).len(), 1);
    assert_eq!(warnings(&(order("\"ARO\"") + "\nstandings.unrated = 1500")), [""; 0]);
}

/// "May be listed more than once" (C.07 art. 4.3).
#[test]
fn direct_encounters_may_be_listed_twice() {
    let read = loaded("standings.order = [\"match-points\", \"DE\", \"BH\", \"DE\"]");
    let order: Vec<String> = read.setup.standings.order.iter().map(ToString::to_string).collect();
    assert_eq!(order, ["match-points", "DE", "BH", "DE"]);
}

#[test]
fn errors_can_be_made_at_the_place_of_a_key() {
    let loaded = loaded("mini_match.openings = \"suite.epd\"");
    let at = |key| loaded.error_at(key, "no such file").to_string();
    assert_eq!(
        at("mini_match.openings"),
        "event.toml:1:12: mini_match.openings: no such file"
    );
    assert_eq!(
        at("game.attempts"),
        "preset global-chess-challenge: game.attempts: no such file"
    );
    let player = |key| loaded.error_at_player(1, key, "no such file").to_string();
    assert_eq!(player("player.command"), "event.toml:7:1: player.command: no such file");
    assert_eq!(player("player.args"), "event.toml:5:1: player.args: no such file");
}

#[test]
fn flags_override_the_file() {
    let set = |key, value| with_flag(key, value).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(set("run.concurrency", "cores").setup.run.concurrency, None);
    let bound = |text| set("run.max_faults", text).setup.run.max_faults;
    assert_eq!(bound("3"), Some(FaultBound::Games(3)));
    assert_eq!(bound("25%"), Some(FaultBound::Percent(25)));
    assert_eq!(bound("none"), None);
    let four = set("run.concurrency", "4");
    assert_eq!(four.setup.run.concurrency, Some(4));
    assert_eq!(four.origin("run.concurrency"), Some(&Origin::Flag("--set".to_owned())));
    assert_eq!(set("swiss.rounds", "7").setup.swiss.rounds, Rounds::Number(7));
    assert_eq!(
        set("standings.order", "game-points, h2h").setup.standings.order,
        [Code::GamePoints.into(), Code::H2h.into()]
    );
    assert_eq!(set("scoring.game", "3,1,0").setup.scoring.game.win, Points::whole(3));
    assert_eq!(
        set("bye.score", "leaderboard").setup.bye.game_points,
        Some(Points::whole(2))
    );
}

#[test]
fn prizes_are_read_as_written() {
    let prizes = |text: &str| loaded(text).setup.prizes;
    let forms =
        prizes("prizes.by_place = [40000, 12.5, \"0.01\", { money = 20, indivisible = true, trophy = \"Cup\" }]");
    let shown: Vec<_> = forms
        .by_place
        .iter()
        .map(|prize| (prize.money.cents(), prize.indivisible))
        .collect();
    assert_eq!(shown, [(4_000_000, false), (1250, false), (1, false), (2000, true)]);
    assert_eq!(forms.by_place[3].trophy.as_deref(), Some("Cup"));
    assert!(!prizes("").are_set(), "an event has no prizes unless it says so");
    let flag = with_flag("prizes.by_place", "300,200.50").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(flag.setup.prizes.by_place[1].money.to_string(), "200.50");
    assert_eq!(
        prizes("prizes.points = [12, 7.5]").points,
        [Points::whole(12), Points::halves(15)]
    );
    // A preset may bring it, and the event have no prizes.
    assert_eq!(
        prizes("prizes.winner_fixed = 10000\nprizes.by_place = [20000]")
            .winner_fixed
            .cents(),
        1_000_000
    );
}

#[test]
fn a_tour_needs_no_players() {
    let text = "[tour]\nruns = [\"results/spring\"]\nbonus = [175000]\nqualified = 3";
    let tour = super::load_text(text)
        .unwrap_or_else(|error| panic!("{error}"))
        .setup
        .tour;
    assert_eq!((tour.runs.len(), tour.qualified), (1, 3));
    assert_eq!(tour.bonus[0].to_string(), "175000.00");
}

#[test]
fn a_setup_stored_before_there_were_play_offs_and_prizes_is_read_and_goes_on() {
    let stored = |text: &str| serde_json::to_value(loaded(text).setup).expect("JSON");
    let read = |stored| serde_json::from_value::<Setup>(stored).expect("a setup");
    for preset in ["", "preset = \"none\""] {
        let mut old = stored(preset);
        for table in ["playoff", "prizes", "tour"] {
            assert!(old.as_object_mut().expect("tables").remove(table).is_some());
        }
        assert_eq!(difference(&read(old), &loaded(preset).setup), []);
    }
    let rich = "prizes.by_place = [{ money = 20.05, indivisible = true, trophy = \"Cup\" }]\nprizes.points = [7.5]";
    assert_eq!(read(stored(rich)), loaded(rich).setup);
}

#[test]
fn a_setup_stored_before_players_had_an_environment_is_read_and_goes_on() {
    let mut old = serde_json::to_value(loaded("").setup).expect("JSON");
    for (table, key) in [("engine", "options"), ("engine", "restart"), ("run", "oversubscribe")] {
        let keys = old[table].as_object_mut().expect("a table");
        assert!(keys.remove(key).is_some(), "{table}.{key}");
    }
    let read = serde_json::from_value::<Setup>(old).expect("a setup");
    assert_eq!(difference(&read, &loaded("").setup), []);
}

#[test]
fn engines_and_their_surroundings_are_read_as_written() {
    let text = "[engine]\nrestart = \"game\"\n[engine.options]\nHash = 16\nSyzygyPath = \"/tb\"\n[run]\noversubscribe = true\n\
                [[player]]\nname = \"X\"\ncommand = \"a\"\noptions = { hash = 1 }\ndir = \"a b\"\nrestart = \"never\"\n\
                margin = \"20ms\"\nenv = { KEY = \"$KEY\", _x1 = \"$$\", PEM = \"a\\nb\" }\n";
    let one = loaded(text).setup;
    let player = &one.players[0];
    assert_eq!(player.dir.as_deref(), Some("a b"));
    assert_eq!(player.margin, Some(Duration::from_millis(20)));
    let env: Vec<_> = player
        .env
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    assert_eq!(env, [("KEY", "$KEY"), ("PEM", "a\nb"), ("_x1", "$$")]);
    let [a, b] = [0, 1].map(|index| one.options(&one.players[index]));
    assert_eq!((a.own["hash"].as_str(), a.for_all.contains_key("Hash")), ("1", false));
    assert_eq!(
        (a.for_all["SyzygyPath"].as_str(), b.for_all["Hash"].as_str()),
        ("/tb", "16")
    );
    let restarts = [0, 1].map(|index| one.restart(&one.players[index]));
    assert_eq!(restarts, [Restart::Never, Restart::Game]);
    assert!(one.run.oversubscribe);
    let flag = |text| with_flag("run.oversubscribe", text).map(|loaded| loaded.setup.run.oversubscribe);
    assert_eq!(
        (flag("true").ok(), flag("false").ok(), flag("yes").ok()),
        (Some(true), Some(false), None)
    );
    // What is printed reads as the same, and a changed environment is another event.
    assert_eq!(
        super::load_text(&effective(&loaded(text))).expect("it loads").setup,
        one
    );
    let other = loaded(&text.replace("$KEY", "$OTHER")).setup;
    assert_eq!(difference(&one, &other)[0].key, "player.X.env");
}
