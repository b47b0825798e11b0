//! New event files: their players, the names of these, and their length.

use std::path::Path;

use super::*;
use crate::{LoadedEvent, PLAYER_KEYS, load};

fn engines(names: &[&str]) -> Vec<InitPlayer> {
    names
        .iter()
        .map(|name| InitPlayer {
            name: (*name).to_owned(),
            command: format!("./{name}"),
            args: Vec::new(),
            dir: None,
        })
        .collect()
}

fn loaded(text: &str) -> LoadedEvent {
    load(Path::new("event.toml"), text, &[]).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn names(text: &str) -> Vec<String> {
    let loaded = loaded(text);
    loaded.setup.players.into_iter().map(|player| player.name).collect()
}

fn written(names: &[&str]) -> String {
    NewEvent::of_players(&engines(names)).file().text
}

/// Keys that no player of this event may have: it grants no byes, has no sections, no GPUs, and only two players, which are engines.
const NEED_MORE: [&str; 10] = [
    "byes",
    "section",
    "house",
    "devices",
    "command",
    "model",
    "move_command",
    "move_url",
    "keep_alive",
    "says_ready",
];

#[test]
fn loads_as_it_is_and_with_every_key_taken() {
    assert_eq!(names(&written(&[])), ["greedy", "random-mover"]);
    assert_eq!(names(&written(&["X"])), ["X", "greedy"]);
    let filled_up = |names: &[&str]| NewEvent::of_players(&engines(names)).filled_up;
    assert_eq!(filled_up(&[]), ["greedy", "random-mover"]);
    assert_eq!(
        (filled_up(&["X"]), filled_up(&["X", "Y"])),
        (vec!["greedy".to_owned()], Vec::new())
    );
    assert_eq!(names(&written(&["X", "x", "X", "Y"])), ["X", "x 2", "X 3", "Y"]);
    let taken = written(&["A", "B"]).replace("\n#name", "\nname");
    assert!(taken.contains("\nname = \"My event\"") && taken.contains("\ngames = 4\n"));
    assert_eq!(names(&taken), ["A", "B"]);
    // Every key of the preset, and an example of each that a player can have.
    let all = crate::preset_text("none").expect("it is there");
    let examples = PLAYER_KEYS.iter().filter_map(|key| Some((key.name(), key.example?)));
    let examples = examples.filter(|(name, _)| !NEED_MORE.contains(name));
    let examples: String = examples
        .map(|(name, example)| format!("{name} = {example}\n"))
        .collect();
    assert!(all.contains("\nmust_start = true\n") && examples.contains("rating = 1800\n"));
    let players = "[[player]]\nname = \"A\"\ncommand = \"./A\"\n[[player]]\nname = \"B\"\ncommand = \"./B\"\n";
    assert_eq!(names(&format!("{all}{players}{examples}")), ["A", "B"]);
}

#[test]
fn players_have_the_names_that_their_engines_say() {
    let mut event = NewEvent::of_players(&engines(&["python3", "python3", "x"]));
    let said = |name: &str| Some(name.to_owned());
    event.take_names(&[said("Alpha 3"), said("alpha 3 "), said("\u{1b} ")]);
    let names: Vec<&str> = event.players.iter().map(|player| player.name.as_str()).collect();
    assert_eq!(names, ["Alpha 3", "alpha 3 2", "x"]);
    event.take_names(&[said(&"ü".repeat(200)), None, None]);
    loaded(&event.file().text);
}

/// Long games of up to eight agents on two cores, by every preset that has rounds of a Swiss.
#[test]
fn a_first_event_is_short() {
    for count in 2..=8 {
        let players: Vec<String> = (0..count).map(|number| format!("P{number}")).collect();
        let players: Vec<&str> = players.iter().map(String::as_str).collect();
        for preset in ["global-chess-challenge", "none", "us-chess", "immortal-game"] {
            let event = NewEvent {
                preset: Some(preset.to_owned()),
                ..NewEvent::of_players(&engines(&players))
            };
            let file = event.file();
            let setup = loaded(&file.text).setup;
            let likely = outlook(&setup).likely(SLOW);
            assert!(
                likely.is_some_and(|likely| likely <= FIRST),
                "{preset}, {count} players: {likely:?}\n{}",
                file.text
            );
            assert!(file.lowered.is_some(), "{preset}");
        }
    }
}

#[test]
fn what_is_asked_for_is_written() {
    let event = NewEvent {
        games: Some(40),
        time_control: "30s/move".parse().ok(),
        ..NewEvent::of_players(&engines(&["A", "B"]))
    };
    let file = event.file();
    let setup = loaded(&file.text).setup;
    assert_eq!(setup.mini_match.games, 40);
    assert_eq!(setup.game.time_control.to_string(), "30s/move");
    assert_eq!(file.lowered, None);
}

#[test]
fn models_play_beside_engines_at_limits_in_which_they_can_answer() {
    let of = |url: &str, key_env, models: &[&str], engines: &[InitPlayer]| {
        let models = models.iter().map(|model| (*model).to_owned()).collect();
        let file = NewEvent::of(engines, Some(InitModels::new(url, key_env, "move.jinja", models))).file();
        (loaded(&file.text), file.text)
    };
    let (loaded, text) = of(
        "http://127.0.0.1:8000/v1",
        None,
        &["q:7b", "vendor/X", "Q:7b"],
        &engines(&["A"]),
    );
    let setup = loaded.setup;
    let players: Vec<_> = setup
        .players
        .iter()
        .map(|player| (player.name.as_str(), player.model.as_deref()))
        .collect();
    let model = |name, model| (name, Some(model));
    let wanted = [
        model("q:7b", "local:q:7b"),
        model("vendor/X", "local:vendor/X"),
        model("Q:7b 2", "local:Q:7b"),
    ];
    assert_eq!(players[1..], wanted, "{text}");
    assert_eq!(players[0], ("A", None));
    let endpoint = setup.endpoint("local").expect("it is there");
    assert_eq!(
        (endpoint.url.as_str(), endpoint.has_key()),
        ("http://127.0.0.1:8000/v1", false)
    );
    assert_eq!(
        (setup.game.time_control.to_string().as_str(), setup.mini_match.games),
        ("30s/move", 2)
    );
    // The example in the comment is valid.
    let priced = super::super::load(Path::new("event.toml"), &text.replace("#price", "price"), &[]);
    assert!(
        priced.is_ok_and(|priced| priced.setup.endpoints[0].price.is_some()),
        "{text}"
    );
    let (loaded, _) = of("https://api.example.org:8443/v1", Some("A_KEY"), &["m"], &[]);
    let setup = loaded.setup;
    let names: Vec<&str> = setup.players.iter().map(|player| player.name.as_str()).collect();
    assert_eq!(names, ["greedy", "m"]);
    assert_eq!(
        setup
            .endpoint("api-example-org")
            .and_then(|endpoint| endpoint.key_env.as_deref()),
        Some("A_KEY")
    );
}

#[test]
fn a_model_that_is_called_by_the_path_of_its_file_has_the_name_of_that() {
    for (model, name) in [
        ("/srv/models/Qwen3-8B-Q4_K_M.gguf", "Qwen3-8B-Q4_K_M"),
        ("models/small.GGUF", "small"),
        ("C:\\models\\small.gguf", "small"),
        ("/srv/models/Qwen3-8B/", "Qwen3-8B"),
        ("./tiny", "tiny"),
        ("Qwen/Qwen3-8B", "Qwen/Qwen3-8B"),
        ("qwen3:8b", "qwen3:8b"),
        ("/", "/"),
        (".gguf", ".gguf"),
        ("ü.gguf", "ü"),
    ] {
        assert_eq!(short(model), name);
    }
    let models = ["/a/small.gguf", "/b/small.gguf", "Small"].map(str::to_owned).to_vec();
    let models = InitModels::new("http://127.0.0.1:8080/v1", None, "move.jinja", models);
    let text = NewEvent::of(&[], Some(models)).file().text;
    assert_eq!(names(&text), ["small", "small 2", "Small 3"], "{text}");
    assert!(text.contains("model = \"local:/b/small.gguf\""), "{text}");
}

#[test]
fn what_is_lowered_is_said() {
    let file = NewEvent::of_players(&engines(&["A", "B"])).file();
    insta::assert_snapshot!(file.lowered.unwrap_or_default(), @"
    The preset global-chess-challenge plays 1 round with mini-matches of 40 games at 30s/move, about 10 h 00 min on 2 cores.
    For a first try, the event file asks for less: 1 round with mini-matches of 4 games at 100ms/move, about 30 s on 2 cores.
    To play by the preset, remove these keys from the file: mini_match.games, game.time_control.
    ");
}
