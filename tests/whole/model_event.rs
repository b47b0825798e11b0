//! An event of models, engines and a script: played whole over a real server, and over one that is killed in the middle.

use std::time::Duration;

use serde_json::Value;

use crate::death::{Background, games_in_log, until};
use crate::move_command::first_legal;
use crate::services::llama;
use crate::support::Place;

const PATIENCE: Duration = Duration::from_secs(120);

/// Four models at one endpoint, of which the last may say nothing but a legal move, two engines and a script of ten lines.
fn event(address: &str) -> String {
    let models = ["Ada", "Bea", "Cyd"].map(|name| format!("[[player]]\nname = \"{name}\"\nmodel = \"local:random\"\n"));
    format!(
        "preset = \"none\"\n\
         [event]\nname = \"Models\"\n\
         [swiss]\nrounds = 3\n\
         [mini_match]\ngames = 2\n\
         [game]\ntime_control = \"30s/move\"\nattempts = 2\nmax_moves = 4\n\
         [run]\nreplays = 100\nmax_faults = \"100%\"\n\
         [endpoint.local]\nurl = \"{address}/v1\"\npatience = \"1s\"\n\
         [model]\nprompt = \"move.jinja\"\ntemperature = 0.0\nmax_tokens = 8\n\
         {}\
         [[player]]\nname = \"Dot\"\nmodel = \"local:random\"\nresponse_format = \"legal-moves\"\nmax_tokens = 100\n\
         [[player]]\nname = \"Fish\"\ncommand = \"/usr/games/stockfish\"\nnodes = 100\n\
         [[player]]\nname = \"Mover\"\ncommand = \"random-mover\"\n\
         [[player]]\nname = \"Shell\"\nmove_command = [\"./move.sh\"]\n",
        models.concat()
    )
}

fn place(address: &str) -> Place {
    let place = Place::new();
    place.write("event.toml", &event(address));
    place.write("move.jinja", "{{ FEN }}");
    first_legal(&place);
    place
}

/// Who played whom in each game, what it gave, and the failed attempts.
fn games(place: &Place) -> Vec<[Value; 5]> {
    let games = place.export_json("run", "games-json");
    let games = games["games"].as_array().expect("a list").iter();
    let keys = ["id", "result", "termination", "fault_of", "failed_attempts"];
    games.map(|game| keys.map(|key| game[key].clone())).collect()
}

fn winner(place: &Place) -> Value {
    place.export_json("run", "json")["players"][0]["name"].clone()
}

#[test]
fn a_server_that_is_killed_costs_no_model_a_game() {
    let model = Place::new();
    let (server, address) = llama(&model, 0);
    let whole = place(&address);
    // Models of random weights lose by what they answer.
    whole.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
    whole.swissmatch(&["verify", "run"]).expect_code(0);

    let killed = place(&address);
    let mut running = Background::start(&killed, &["run", "event.toml", "--out", "run"]);
    until("some games", PATIENCE, || {
        (games_in_log(&killed, "run") >= 4).then_some(())
    });
    drop(server);
    until("a game that is due again", PATIENCE, || {
        killed.read("complained").contains("is due again").then_some(())
    });
    let port = address.rsplit_once(':').expect("a port").1.parse().expect("a number");
    let (_server, again) = llama(&model, port);
    assert_eq!(again, address);
    assert_eq!(running.end(PATIENCE).code(), Some(0));
    killed.swissmatch(&["verify", "run"]).expect_code(0);

    // Each game ended as it does where nobody is killed: none is charged to a model.
    assert_eq!(games(&killed), games(&whole));
    assert_eq!(winner(&killed), winner(&whole));
    for game in games(&killed) {
        let [id, _, termination, ..] = &game;
        let is_of_chess = ["illegal-move", "move-cap", "checkmate", "resignation"]
            .contains(&termination.as_str().unwrap_or_default());
        assert!(is_of_chess, "{id}: {termination}");
    }
    let account = killed.swissmatch(&["export", "records", "run"]).stdout();
    let words = ["illegal", "unparsable", "empty", "truncated"];
    for record in account
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("a record"))
    {
        for attempt in record["failed_attempts"].as_array().into_iter().flatten() {
            let end = &attempt["end"];
            let word = end
                .as_str()
                .or_else(|| end.as_object()?.keys().next().map(String::as_str));
            assert!(word.is_some_and(|word| words.contains(&word)), "{attempt}");
        }
    }
}
