//! A roster from the list that people handed in to the run that it begins: `roster import`, `lock`, `verify`, `show`.

use crate::support::{Place, engine};

const EVENT: &str = "# The spring event.\npreset = \"none\"\n[swiss]\nrounds = 1\nkeep_apart = [\"team\"]\n\
                     [mini_match]\ngames = 1\nopenings = \"none\"\n[game]\nmax_plies = 6\ntime_control = \"10s/move\"\n\
                     [run]\noversubscribe = true\n";

/// Four entrants, two of a team; Anna's agent has a file and a directory of its own.
fn list() -> String {
    let agent = engine("random-mover");
    format!(
        "name,command,dir,team,author,rating,unrated,contact,env\r\n\
         Anna,{agent},anna,Reds,A. Author,2000,,anna@example.org,SECRET=s3cr3t\r\n\
         \"Berta, \"\"B\"\"\",{agent},,Reds,,1900,,berta@example.org,\r\n\
         Carla,{agent},,Blues,,2100,true,,\r\n\
         Dora,{agent},,,,1800,,,\r\n"
    )
}

fn imported() -> Place {
    let place = Place::new();
    place.write("event.toml", EVENT);
    place.write("list.csv", &list());
    std::fs::create_dir_all(place.path("anna/sub")).expect("a directory");
    place.write("anna/net.bin", "weights");
    place.write("anna/sub/book", "lines");
    place
        .swissmatch(&["roster", "import", "list.csv", "--into", "event.toml"])
        .expect_code(0);
    place
}

#[test]
fn a_list_becomes_the_players_of_an_event_that_is_played() {
    let place = imported();
    let event = place.read("event.toml");
    assert!(event.starts_with(EVENT), "{event}");
    assert!(event.contains("name = \"Berta, \\\"B\\\"\"\n"), "{event}");
    let ran = place.swissmatch(&["run", "event.toml", "--out", "out", "-q"]);
    ran.expect_code(0);
    // Anna and Berta are of one team; Carla counts as unrated, and comes last.
    let games = place.export_json("out", "games-json");
    for game in games["games"].as_array().expect("games") {
        let names = [&game["white"], &game["black"]].map(|name| name.as_str().expect("a name").to_owned());
        assert!(
            !(names.contains(&"Anna".to_owned()) && names.contains(&"Berta, \"B\"".to_owned())),
            "{names:?}"
        );
    }
    let shown = place.swissmatch(&["roster", "show", "event.toml", "--json"]);
    let shown: serde_json::Value = serde_json::from_str(&shown.expect_code(0).stdout()).expect("JSON");
    let names: Vec<&str> = shown["players"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|p| p["name"].as_str())
        .collect();
    assert_eq!(names, ["Anna", "Berta, \"B\"", "Dora", "Carla"]);
    assert_eq!(shown["players"][0]["contact"], "anna@example.org");
    // Contacts are in no file of the run, and its elo tags have no rating of who is unrated.
    for file in std::fs::read_dir(place.path("out"))
        .expect("the run")
        .flatten()
        .filter(|file| file.path().is_file())
    {
        let bytes = std::fs::read(file.path()).expect("a file");
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains("example.org"), "{}", file.path().display());
    }
    let pgn = place.read("out/games.pgn");
    assert!(pgn.contains("Elo \"2000\"") && !pgn.contains("\"2100\""), "{pgn}");
}

#[test]
fn a_list_with_problems_changes_nothing() {
    let place = Place::new();
    place.write("event.toml", EVENT);
    place.write("list.csv", "name,command,rating\nA,a,x\n,b,1\nC,c\n");
    let ran = place.swissmatch(&["roster", "import", "list.csv", "--into", "event.toml"]);
    ran.expect_code(4);
    for problem in [
        "list.csv:2:5: player.rating: entry 1 (\"A\"): expected a whole number",
        "list.csv:3:1: player.name: entry 2: missing",
        "list.csv:4:1: entry 3: 2 cells, but the header has 3",
    ] {
        assert!(ran.stderr().contains(problem), "{}", ran.stderr());
    }
    assert_eq!(place.read("event.toml"), EVENT);
    place.write("list.txt", "name,command\nA,a\n");
    place.swissmatch(&["roster", "import", "list.txt"]).expect_code(4);
    let ran = place.swissmatch(&["roster", "import", "list.txt", "--format", "csv"]);
    assert_eq!(
        ran.expect_code(0).stdout(),
        "[[player]]\nname = \"A\"\ncommand = \"a\"\n"
    );
    std::fs::write(place.path("list.csv"), b"name,command\nA,a\nB\xff,b\n").expect("written");
    let ran = place.swissmatch(&["roster", "import", "list.csv"]);
    ran.expect_code(4);
    assert!(
        ran.stderr().contains("list.csv:3: this is not UTF-8 text"),
        "{}",
        ran.stderr()
    );
}

#[test]
fn a_run_begins_only_with_what_was_locked() {
    let place = imported();
    let verify = || place.swissmatch(&["roster", "verify", "event.toml"]);
    let ran = verify();
    ran.expect_code(4);
    assert!(
        ran.stderr().contains("`swissmatch roster lock event.toml` writes it"),
        "{}",
        ran.stderr()
    );
    place.swissmatch(&["roster", "lock", "event.toml"]).expect_code(0);
    let lock = place.read("event.lock");
    assert!(lock.contains("path = \"anna/sub/book\""), "{lock}");
    assert!(lock.contains("env = [\"SECRET\"]"), "{lock}");
    for private in ["s3cr3t", "example.org"] {
        assert!(!lock.contains(private), "{lock}");
    }
    verify().expect_code(0);

    place.write("anna/net.bin", "other weights");
    place.write("anna/new", "learnt");
    std::fs::remove_file(place.path("anna/sub/book")).expect("removed");
    let ran = verify();
    ran.expect_code(1);
    let run = place.swissmatch(&["run", "event.toml", "--out", "out"]);
    run.expect_code(4);
    for difference in [
        "Anna: anna/net.bin has changed",
        "Anna: anna/new is new",
        "Anna: anna/sub/book is gone",
    ] {
        assert!(ran.stdout().contains(difference), "{}", ran.stdout());
        assert!(run.stderr().contains(difference), "{}", run.stderr());
    }
    assert!(
        run.stderr()
            .contains("lock the roster as it is now with `swissmatch roster lock event.toml`"),
        "{}",
        run.stderr()
    );
    assert!(!place.path("out").exists(), "nothing was made");

    place.write("anna/net.bin", "weights");
    place.write("anna/sub/book", "lines");
    std::fs::remove_file(place.path("anna/new")).expect("removed");
    let run = place.swissmatch(&["run", "event.toml", "--out", "out"]);
    run.expect_code(0);
    assert!(
        run.stderr().contains("event.lock: everything is as it was locked at "),
        "{}",
        run.stderr()
    );
    // A run that has begun goes by its own log: files that agents write while they play do not stop it.
    place.write("anna/log", "played");
    place.swissmatch(&["run", "event.toml", "--out", "out"]).expect_code(0);
}

#[test]
fn options_arguments_and_variables_are_locked_without_their_values() {
    let place = imported();
    place.swissmatch(&["roster", "lock", "event.toml"]).expect_code(0);
    let event = place.read("event.toml");
    place.write("event.toml", &event.replace("s3cr3t", "other"));
    let ran = place.swissmatch(&["roster", "verify", "event.toml", "--json"]);
    ran.expect_code(1);
    let found: serde_json::Value = serde_json::from_str(&ran.stdout()).expect("JSON");
    let differences: Vec<&str> = found["differences"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|d| d.as_str())
        .collect();
    assert_eq!(differences.len(), 2, "{differences:?}");
    assert!(differences[0].starts_with("event.toml has changed"), "{differences:?}");
    assert_eq!(
        differences[1],
        "Anna: an argument, or the value of an option or a variable, has changed"
    );

    place.write("event.lock", "version = 9\n");
    let ran = place.swissmatch(&["run", "event.toml", "--out", "out"]);
    ran.expect_code(4);
    assert!(
        ran.stderr().contains("it has version 9, and this program reads 1"),
        "{}",
        ran.stderr()
    );
    place.swissmatch(&["roster", "lock", "event.toml"]).expect_code(0);
    place.swissmatch(&["roster", "verify", "event.toml"]).expect_code(0);
}
