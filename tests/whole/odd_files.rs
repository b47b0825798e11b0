//! Files and commands that are not what they should be: pipes, directories, arguments beyond every bound.

use std::process::Command;

use crate::support::{Place, engine};

const RUN: [&str; 4] = ["run", "event.toml", "--out", "run"];

fn event(keys: &str, of_player: &str) -> String {
    let agent = engine("greedy");
    format!(
        "[event]\nname = \"odd\"\n[swiss]\nrounds = 1\n[mini_match]\ngames = 2\n{keys}\n\
         [game]\nmax_moves = 2\nnodes = 20\n\
         [[player]]\nname = \"A\"\n{of_player}\n[[player]]\nname = \"B\"\ncommand = \"{agent}\"\n"
    )
}

fn plain() -> String {
    event("openings = \"none\"", &format!("command = \"{}\"", engine("greedy")))
}

fn pipe(place: &Place, name: &str) {
    let _ = std::fs::remove_file(place.path(name));
    let made = Command::new("mkfifo").arg(place.path(name)).status();
    assert!(made.is_ok_and(|status| status.success()), "{name}");
}

/// Of a pipe that nobody writes to somebody would read for ever.
#[test]
fn nobody_waits_for_what_a_pipe_might_say() {
    let place = Place::new();
    for ending in ["epd", "pgn", "bin", "epd.gz"] {
        let name = format!("book.{ending}");
        pipe(&place, &name);
        let command = format!("command = \"{}\"", engine("greedy"));
        place.write("event.toml", &event(&format!("openings = \"{name}\""), &command));
        let refused = place.swissmatch(&RUN);
        refused.expect_code(4);
        let said = refused.stderr();
        assert!(said.contains(&name) && said.contains("it is no plain file"), "{said}");
    }
    place.write("event.toml", &plain());
    place.swissmatch(&RUN).expect_code(0);
    for name in ["standings.csv", "games.pgn", "tournament.trf"] {
        pipe(&place, &format!("run/{name}"));
        let differs = place.swissmatch(&["verify", "run"]);
        differs.expect_code(1);
        let said = differs.stdout() + &differs.stderr();
        assert!(said.contains(name) && said.contains("it is no plain file"), "{said}");
        std::fs::remove_file(place.path(&format!("run/{name}"))).expect("it goes");
        place.swissmatch(&RUN).expect_code(0);
        place.swissmatch(&["verify", "run"]).expect_code(0);
    }
}

#[test]
fn a_command_that_is_no_program_is_refused_with_what_is_meant() {
    let place = Place::new();
    std::fs::create_dir(place.path("engines")).expect("a directory");
    let greedy = engine("greedy");
    for (command, expected) in [
        ("./engines", "engines is a directory, and no program".to_owned()),
        (
            "greedy --x 5",
            "but greedy: its arguments go into a list of their own, args = [\"--x\", \"5\"]".to_owned(),
        ),
        (
            &format!("{greedy} --net 'my net'"),
            "its arguments go into a list of their own, args = [\"--net\", \"my net\"]".to_owned(),
        ),
        ("nobody --x 5", "`nobody --x 5` was found neither beside".to_owned()),
    ] {
        place.write(
            "event.toml",
            &event("openings = \"none\"", &format!("command = \"{command}\"")),
        );
        let refused = place.swissmatch(&RUN);
        refused.expect_code(4);
        let said = refused.stderr();
        assert!(
            said.contains("event.toml:13:") && said.contains("player.command: ") && said.contains(&expected),
            "{command}: {said}"
        );
    }
}

#[test]
fn arguments_that_no_program_can_be_given_are_the_event_files_fault() {
    let place = Place::new();
    let long = "x".repeat(200_000);
    let of_player = format!("command = \"{}\"\nargs = [\"{long}\"]", engine("greedy"));
    place.write("event.toml", &event("openings = \"none\"", &of_player));
    let refused = place.swissmatch(&RUN);
    refused.expect_code(4);
    let said = refused.stderr();
    assert!(
        said.contains("event.toml:14:1: player.args: its arguments and variables are longer than this machine allows"),
        "{}",
        said.chars().filter(|c| *c != 'x').collect::<String>()
    );
    assert!(!place.path("run").exists());
}
