//! What an archive opens by what it says: nothing of what others handed in, of the organizer's, or of the system.

use super::{archive, event, good, own, submit};
use crate::support::{Place, engine};

/// Says of each path whether it can be read, and ends.
fn looks_at(paths: &[&str]) -> String {
    let paths = paths.iter().map(|path| format!("{path:?}, ")).collect::<String>();
    format!(
        "import sys\nfor number, path in enumerate([{paths}]):\n    try:\n        open(path, 'rb').read(1)\n        \
         print('opens', number, file=sys.stderr)\n    except OSError:\n        print('lacks', number, file=sys.stderr)\nsys.exit(1)\n"
    )
}

/// An environment of its own gives it no program of the system, and nothing that others handed in; nor does its first line.
#[test]
fn an_archive_chooses_nothing_that_it_is_run_by() {
    let place = Place::new();
    place.write("season.toml", &event("get-move", "per_day = \"none\""));
    good(&place, "good.zip", "");
    submit(&place, "good.zip", "A").expect_code(0);
    let submissions = std::fs::canonicalize(place.path("results/season/submissions")).expect("it is there");
    let log = submissions.join("log.jsonl").display().to_string();
    let event_file = place.path("season.toml").display().to_string();
    let looks = looks_at(&["/usr/bin/tar", &log, &event_file, "rules.py"]);
    let rules = own("rules.py");
    let kept = |refused: &str, home: &str| {
        for expected in ["lacks 0", "lacks 1", "lacks 2", "opens 3"] {
            assert!(refused.contains(expected), "{home}: {refused}");
        }
    };
    for home in [
        "/tmp/../usr/bin".to_owned(),
        submissions.join("shims").display().to_string(),
        place.path("bin").display().to_string(),
    ] {
        let says = format!("home = {home}\n");
        archive(
            &place,
            "it.zip",
            &[
                ("agent.py", looks.as_bytes()),
                ("rules.py", rules.as_bytes()),
                ("pyvenv.cfg", says.as_bytes()),
                ("bin/python", b"#!/bin/sh\n"),
            ],
        );
        kept(&submit(&place, "it.zip", "B").expect_code(1).stdout(), &home);
    }
    let of_engines = event("uci", "per_day = \"none\"").replace("\"season\"", "\"engines\"");
    place.write("season.toml", &of_engines);
    let greedy = std::fs::read(engine("greedy")).expect("an engine");
    for line in ["#!/usr/bin/python3", "#!/tmp/../usr/bin/python3"] {
        let script = format!("{line}\n{looks}");
        archive(
            &place,
            "it.zip",
            &[
                ("engine", script.as_bytes()),
                ("rules.py", rules.as_bytes()),
                ("other", &greedy),
            ],
        );
        kept(&submit(&place, "it.zip", "B").expect_code(1).stdout(), line);
    }
}

/// A module that hides one of Python is not accepted where what would find it is brought down.
#[test]
fn what_cannot_be_looked_at_is_refused() {
    let place = Place::new();
    let bounded = event("get-move", "max_unpacked = 50").replace("[engine]", "[engine]\nmax_memory = 150");
    place.write("season.toml", &bounded);
    // The large file it never reads itself.
    let agent = "import sys\nsys.modules['big'] = sys\nimport big\n".to_owned() + &own("agent.py");
    let big = format!("x = [{}]\n", "[0],".repeat(4_000_000));
    let rules = own("rules.py");
    archive(
        &place,
        "it.zip",
        &[
            ("agent.py", agent.as_bytes()),
            ("rules.py", rules.as_bytes()),
            ("random.py", b"def choice(all):\n    return all[0]\n"),
            ("big.py", big.as_bytes()),
        ],
    );
    let said = submit(&place, "it.zip", "A").expect_code(1).stdout();
    let is_told = [
        "what it imports cannot be looked at",
        "random.py hides the module random",
    ];
    assert!(is_told.iter().any(|told| said.contains(told)), "{said}");
}
