//! What the page tells of games beside their moves, from a real run that was analysed: it agrees with what the program says elsewhere,
//! and has nothing that is not public.

use serde_json::Value;

use crate::support::{Place, engine, system_engine};

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// A run of three agents, one of which fails and writes to standard error; its last round is held back for so many rounds.
fn played(embargo: u32) -> Place {
    let place = Place::new();
    let agents = [
        ("Alpha", "alphabeta", ""),
        ("Random", "random-mover", ""),
        (
            "Faulty",
            "fault-agent",
            "args = [\"--fault\", \"illegal\", \"--at\", \"6\"]\n",
        ),
    ];
    let players: String = agents
        .into_iter()
        .map(|(name, program, more)| format!("[[player]]\nname = {name:?}\ncommand = '{}'\n{more}", engine(program)))
        .collect();
    place.write(
        "event.toml",
        &format!(
            "preset = \"none\"\n[event]\nname = \"told\"\n[swiss]\nrounds = \"RR\"\nseeding = \"listed\"\n[mini_match]\ngames = 2\n[game]\n\
             time_control = \"20+1\"\nnodes = 500\nmax_plies = 60\n[run]\nmax_faults = \"100%\"\nevidence = \"all\"\n\
             [publish]\nembargo_rounds = {embargo}\n{players}"
        ),
    );
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
    place
}

fn published(place: &Place) -> Value {
    place.swissmatch(&["publish", "public", "run"]).expect_code(0);
    json(&place.read("public/event.json"))
}

#[test]
fn analysed_games_have_what_the_analysis_says() {
    let place = played(0);
    let stockfish = system_engine("stockfish");
    let ran = place.swissmatch(&["analyse", "run", "--engine", &stockfish, "--nodes", "300", "--json"]);
    let analysis = json(&ran.expect_code(0).stdout());
    let event = published(&place);
    for player in event["players"].as_array().expect("players") {
        let own = analysis["players"].as_array().expect("players").iter();
        let own = own
            .clone()
            .find(|own| own["name"] == player["name"])
            .expect("the player");
        for key in [
            "games",
            "moves",
            "acpl",
            "accuracy",
            "inaccuracies",
            "mistakes",
            "blunders",
        ] {
            assert_eq!(player["analysed"][key], own[key], "{key}");
        }
    }
    let mut games = 0;
    for analysed in analysis["games_analysed"].as_array().expect("games") {
        let id = analysed["id"].as_str().expect("a name");
        let (board, number) = id.rsplit_once('.').expect("a name");
        let all = json(&place.read(&format!("public/games/{board}.json")));
        let number: u64 = number.parse().expect("a number");
        let game = all["games"]
            .as_array()
            .expect("games")
            .iter()
            .find(|game| game["game"] == number);
        let game = game.expect("the game");
        let count = |key: &str| game[key].as_array().map_or(0, Vec::len);
        let moves = game["moves"].as_str().expect("moves").split_whitespace().count();
        assert_eq!((count("reference"), count("lost")), (moves + 1, moves), "{id}");
        let lost = game["lost"]
            .as_array()
            .expect("numbers")
            .iter()
            .filter_map(Value::as_u64)
            .sum::<u64>();
        let of = |side: &str| analysed[side]["centipawns_lost"].as_u64().expect("a number");
        assert_eq!(lost, of("white") + of("black"), "{id}");
        let marks = game["marks"].as_str().expect("marks");
        let blunders = |side: &str| analysed[side]["blunders"].as_u64().expect("a number");
        assert_eq!(
            marks.matches('b').count() as u64,
            blunders("white") + blunders("black"),
            "{id}"
        );
        games += 1;
    }
    assert!(games >= 4, "{games}");
    assert!(event["analysis"].as_str().expect("a sentence").starts_with("Stockfish"));
    // Tags are those of the published games.
    let pgn = place.read("run/games.pgn");
    for board in ["1.1", "2.1", "3.1"] {
        let all = json(&place.read(&format!("public/games/{board}.json")));
        for account in all["accounts"].as_array().expect("accounts") {
            let tags = account["tags"].as_str().expect("tags");
            assert!(pgn.contains(&format!("{tags}\n")), "{tags}");
            assert!(!account["account"].as_array().expect("sections").is_empty());
        }
        let text = place.read(&format!("public/games/{board}.json"));
        let run = place.path("run").display().to_string();
        for private in [
            engine("fault-agent").as_str(),
            &stockfish,
            "--fault",
            "Standard error",
            "> go",
            &run,
            "swissmatch verify",
        ] {
            assert!(!text.contains(private), "{private} in {board}");
        }
    }
    let whole = place.read("public/event.json");
    assert!(!whole.contains(&stockfish) && !place.read("public/index.html").contains(&stockfish));
}

/// Acts of the arbiter are told with their games, but not while an embargo lasts.
#[test]
fn an_embargo_holds_for_the_words_of_games() {
    let place = played(1);
    let ruled = [
        "arbiter",
        "set-result",
        "1.1.1",
        "1/2-1/2",
        "run",
        "--by",
        "Anna",
        "--reason",
        "a word of mine",
    ];
    place.swissmatch(&ruled).expect_code(0);
    published(&place);
    let games = || place.read("public/games/1.1.json");
    assert!(!games().contains("a word of mine"));
    assert!(!place.path("public/games/3.1.json").exists());
    place
        .swissmatch(&["arbiter", "release", "run", "--by", "Anna", "--reason", "it is over"])
        .expect_code(0);
    published(&place);
    assert!(games().contains("a word of mine") && games().contains("Rulings of the arbiter"));
    // What the game is said to have ended by is not all that gave its result.
    let event = json(&place.read("public/event.json"));
    let match_1 = &event["mini_matches"][0];
    assert!(
        match_1["results"]
            .as_str()
            .is_some_and(|results| results.starts_with('='))
    );
    let ending = |game: usize| {
        let number = match_1["endings"][game].as_u64().expect("it is over");
        event["endings"][number as usize]["text"]
            .as_str()
            .expect("words")
            .to_owned()
    };
    assert!(ending(0).ends_with(", then ruled by the arbiter"), "{}", ending(0));
    assert!(!ending(1).contains("ruled"), "{}", ending(1));
}
