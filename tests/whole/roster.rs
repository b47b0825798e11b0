//! A roster from the list that people handed in to the run that it begins: `roster import`, `lock`, `verify`, `show`.

use crate::support::{Place, engine};

const EVENT: &str = "# The spring event.\npreset = \"none\"\n[swiss]\nrounds = 1\nkeep_apart = [\"team\"]\n\
                     [mini_match]\ngames = 1\nopenings = \"none\"\n[game]\nmax_plies = 6\ntime_control = \"10s/move\"\n\
                     [run]\noversubscribe = true\n";

/// Keys of a list that the organizer wrote.
const OWN: &str = "command,dir,rating,unrated,env";

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
        .swissmatch(&["roster", "import", "list.csv", "--into", "event.toml", "--trust", OWN])
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
    let ran = place.swissmatch(&["roster", "import", "list.txt", "--format", "csv", "--trust", "command"]);
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

/// Three submissions, of which one has links that lead elsewhere, and a file of the organizer's.
fn submissions() -> Place {
    let place = Place::new();
    place.write("event.toml", EVENT);
    for name in ["Anna", "berta-7", "Carla"] {
        std::fs::create_dir_all(place.path(&format!("handed-in/{name}/nets"))).expect("a directory");
        std::os::unix::fs::symlink(engine("random-mover"), place.path(&format!("handed-in/{name}/linked")))
            .expect("a link");
        std::fs::copy(engine("random-mover"), place.path(&format!("handed-in/{name}/agent"))).expect("a copy");
    }
    place.write("secret", "of the organizer");
    for (link, to) in [("out", "../../secret"), ("later", "../../not-yet")] {
        std::os::unix::fs::symlink(to, place.path(&format!("handed-in/Carla/{link}"))).expect("a link");
    }
    std::os::unix::fs::symlink("berta-7", place.path("handed-in/Dora")).expect("a link");
    place
}

const BELOW: [&str; 7] = [
    "roster",
    "import",
    "list.csv",
    "--into",
    "event.toml",
    "--below",
    "handed-in",
];

#[test]
fn entrants_name_what_is_in_their_own_directories_and_play() {
    let place = submissions();
    place.write(
        "list.csv",
        "name,command,args,dir,team,contact\n\
         Anna,handed-in/Anna/agent,,,Reds,anna@example.org\n\
         Berta,handed-in/berta-7/nets/../agent,--net=nets/a.bin none,handed-in/berta-7/nets,,\n",
    );
    let imported = place.swissmatch(&BELOW);
    imported.expect_code(0);
    assert!(!imported.stderr().contains("trusted"), "{}", imported.stderr());
    let event = place.read("event.toml");
    // Without dir an entrant works in the directory of its name.
    assert!(event.contains("dir = \"handed-in/Anna\""), "{event}");
    place
        .swissmatch(&["run", "event.toml", "--out", "out", "-q"])
        .expect_code(0);
    // Whoever comes later has a directory of its own, too.
    place.write(
        "list.csv",
        "name,command,dir\nMallory,handed-in/berta-7/agent,handed-in/berta-7\n",
    );
    let refused = place.swissmatch(&BELOW);
    refused.expect_code(4);
    assert!(
        refused.stderr().contains(
            "list.csv:2:33: player.dir: entry 1 (\"Mallory\"): handed-in/berta-7 is the directory of \"Berta\", too;"
        ),
        "{}",
        refused.stderr()
    );
    assert_eq!(place.read("event.toml"), event);
}

#[test]
fn a_row_that_reaches_for_more_is_refused() {
    let place = submissions();
    let rows = [
        // What is asked for, and what is said of it.
        (
            "rating",
            "2900",
            "2:6: player.rating: entry 1 (\"Anna\"): it is taken from a list only on trust; look at it in every row and add --trust rating",
        ),
        ("env", "KEY=$SECRET", "player.env"),
        ("isolation", "off", "player.isolation"),
        ("write", "/etc", "player.write"),
        ("connect", "example.org:443", "player.connect"),
        ("devices", "gpu", "player.devices"),
        (
            "args",
            "--net=/etc/passwd",
            "2:6: player.args: entry 1 (\"Anna\"): \"/etc/passwd\" leads out of handed-in/Carla; name only what is there, or look at it in every row and add --trust args",
        ),
        ("args", "nets/../../Anna/agent", "player.args"),
        ("args", "gone/../out", "player.args"),
        ("args", "out", "player.args"),
        ("args", "later", "player.args"),
        (
            "options",
            "File=a;Book=nets:out",
            "\"out\" leads out of handed-in/Carla",
        ),
    ];
    for (key, value, said) in rows {
        let list = format!("name,{key},command,dir\nAnna,\"{value}\",handed-in/Carla/agent,handed-in/Carla\n");
        place.write("list.csv", &list);
        let refused = place.swissmatch(&BELOW);
        refused.expect_code(4);
        assert!(refused.stderr().contains(said), "{key}: {}", refused.stderr());
    }
    for (row, said) in [
        (
            "Anna,python3,",
            "player.command: entry 1 (\"Anna\"): \"python3\" is looked up, and not in handed-in/Anna;",
        ),
        ("Anna,handed-in/Anna/linked,", "player.command"),
        ("Anna,handed-in/Carla/agent,", "player.command"),
        (
            "Nobody,handed-in/Anna/agent,",
            "there is no directory of this name in handed-in",
        ),
        (
            "..,handed-in/Anna/agent,",
            "there is no directory of this name in handed-in",
        ),
        ("Anna,handed-in/Anna/agent,handed-in", "player.dir"),
        ("Anna,handed-in/Anna/agent,.", "player.dir"),
        ("Anna,handed-in/Anna/agent,handed-in/Anna/../../..", "player.dir"),
        (
            "Anna,handed-in/Dora/agent,handed-in/Dora\nBerta,handed-in/berta-7/agent,handed-in/berta-7",
            "player.dir",
        ),
    ] {
        place.write("list.csv", &format!("name,command,dir\n{row}\n"));
        let refused = place.swissmatch(&BELOW);
        refused.expect_code(4);
        assert!(refused.stderr().contains(said), "{row}: {}", refused.stderr());
        // Without --below nothing that may name a file is taken.
        let refused = place.swissmatch(&BELOW[..5]);
        refused.expect_code(4);
        assert!(
            refused.stderr().contains("add --below DIR, where each entrant has a directory, or look at it in every row and add --trust command"),
            "{}",
            refused.stderr()
        );
    }
    assert_eq!(place.read("event.toml"), EVENT);
}

/// A prompt is the entrant's own file; what it costs to ask, and where, is the organizer's to say.
#[test]
fn a_row_of_a_model_has_a_prompt_of_its_own_and_nothing_else() {
    let place = submissions();
    place.write("handed-in/Anna/own.jinja", "Move.");
    let import = |row: &str, trust: &str| {
        place.write("list.csv", &format!("name,model,prompt,max_tokens,move_url\n{row}\n"));
        place.swissmatch(&[&BELOW[..3], &["--below", "handed-in", "--trust", trust]].concat())
    };
    let taken = import("Anna,local:m,handed-in/Anna/own.jinja,,", "model");
    let wanted = "model = \"local:m\"\ndir = \"handed-in/Anna\"\nprompt = \"handed-in/Anna/own.jinja\"\n";
    let tables = taken.expect_code(0).stdout();
    assert!(tables.contains(wanted), "{tables}");
    for (row, said) in [
        ("Anna,local:m,handed-in/Anna/own.jinja,,", "player.model"),
        ("Anna,local:m,handed-in/Anna/own.jinja,9,", "player.max_tokens"),
        ("Anna,,,,http://127.0.0.1/move", "player.move_url"),
        (
            "Anna,local:m,handed-in/Carla/own.jinja,,",
            "player.prompt: entry 1 (\"Anna\"): \"handed-in/Carla/own.jinja\" leads out of handed-in/Anna; name only what is there",
        ),
    ] {
        let refused = import(row, "rating");
        refused.expect_code(4);
        assert!(refused.stderr().contains(said), "{row}: {}", refused.stderr());
    }
}

#[test]
fn what_is_trusted_is_shown_row_by_row() {
    let place = submissions();
    place.write(
        "list.csv",
        "name,command,env,rating\nAnna,handed-in/Anna/agent,A=$B,\nCarla,handed-in/Carla/linked,,1800\n",
    );
    let trust = |keys| place.swissmatch(&[&BELOW[..], &["--trust", keys]].concat());
    let ran = trust("rating");
    ran.expect_code(4);
    assert_eq!(ran.stderr().matches("add --trust ").count(), 2, "{}", ran.stderr());
    let ran = trust("rating,env,command");
    ran.expect_code(0);
    for line in [
        "list.csv:2: entry 1 (\"Anna\"): trusted: command = \"handed-in/Anna/agent\"\n",
        "list.csv:2: entry 1 (\"Anna\"): trusted: env = { A = \"$B\" }\n",
        "list.csv:3: entry 2 (\"Carla\"): trusted: command = \"handed-in/Carla/linked\"\n",
        "list.csv:3: entry 2 (\"Carla\"): trusted: rating = 1800\n",
    ] {
        assert!(ran.stderr().contains(line), "{line}: {}", ran.stderr());
    }
    assert_eq!(ran.stderr().matches("trusted: ").count(), 4, "{}", ran.stderr());
    trust("comand").expect_code(4);
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
