//! Agents that may run their own programs alone: which ones play, and what those are told that want more. What they cannot get at is in
//! `hostile`.

use crate::isolation::{STOCK, agents_of, expect, script};
use crate::support::{Guest, Place, finish, say_what_is_missing, system_engine, without_bubblewrap};

/// Keys of an event in which Stock's agents may run no program but their own.
const OWN: [(&str, &str); 2] = [
    ("engine.isolation = \"guarded\"", "engine.isolation = \"sealed\""),
    (
        "engine.isolation = \"guarded\"",
        "engine.isolation = \"guarded\"\nengine.exec = \"own\"",
    ),
];

#[test]
fn stock_engines_play_by_their_own_programs() {
    let place = Place::new();
    agents_of(&place);
    for (number, (was, is)) in OWN.into_iter().enumerate() {
        place.write("event.toml", &STOCK.replace(was, is));
        let out = format!("run-{number}");
        let ran = finish(
            place
                .command(&["run", "event.toml", "--out", &out])
                .spawn()
                .expect("it starts"),
        );
        let said = String::from_utf8_lossy(&ran.stderr);
        if said.contains("cannot isolate agents as they have to be") {
            say_what_is_missing(&said);
            continue;
        }
        expect(&ran, 0, "Isolation     ");
        assert!(!said.contains("agents can run"), "{said}");
        assert!(
            place
                .read(&format!("{out}/rules.md"))
                .contains("An agent may run its own programs alone.")
        );
    }
}

/// By the kernel's rules on files alone, and as somebody with fewer rights.
#[test]
fn stock_engines_play_by_their_own_programs_without_namespaces() {
    let Some(guest) = Guest::new(&["greedy"]) else { return };
    agents_of(&guest.place);
    let (was, is) = OWN[1];
    guest.place.write("event.toml", &STOCK.replace(was, is));
    let mut hidden = guest.command(&[], &guest.place.path("swissmatch"));
    hidden.args(["run", "event.toml", "--out", "hidden"]);
    expect(&without_bubblewrap(hidden), 0, "Isolation     guarded");
}

#[test]
fn who_wants_another_program_is_told_the_key_that_gives_it() {
    let stockfish = system_engine("stockfish");
    let place = Place::new();
    std::fs::create_dir(place.path("own")).expect("a directory");
    script(&place, "own/agent.sh", "stockfish </dev/null || exit 1");
    let event = |exec: &str| {
        let text = format!(
            "event.name = \"more\"\nswiss.rounds = 1\nmini_match.games = 2\nmini_match.openings = \"none\"\ngame.max_moves = 2\n\
             engine.exec = \"own\"\n[[player]]\nname = \"A\"\ncommand = \"own/agent.sh\"\nargs = [\"{}\"]\n{exec}\n\
             [[player]]\nname = \"B\"\ncommand = \"greedy\"\n",
            crate::support::engine("greedy"),
        );
        place.write("event.toml", &text);
        let command = place.command(&["run", "event.toml", "--fresh", "--out", "run"]).spawn();
        finish(command.expect("it starts"))
    };
    let told = format!("player.exec: A may not run {stockfish}: exec = [\"{stockfish}\"] lets it run that");
    expect(&event(""), 4, &told);
    expect(&event(&format!("exec = [\"{stockfish}\"]")), 0, "Isolation     guarded");
    // Where it may run any, what it could run is told.
    let ran = event("exec = \"any\"");
    expect(&ran, 0, "Programs      agents can run ");
    expect(&ran, 0, &stockfish);
    // A program that is not there.
    expect(
        &event("exec = [\"no-such-program\"]"),
        4,
        "exec: `no-such-program` was found neither",
    );
}
