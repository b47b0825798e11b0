//! Agents that may run their own programs alone: which ones play, and what those are told that want more. What they cannot get at is in
//! `hostile`.

use crate::isolation::{STOCK, agents_of, expect, script};
use crate::support::{Guest, Place, finish, say_what_is_missing, system_engine, without_bubblewrap};

const GUARDED: &str = "engine.isolation = \"guarded\"";

#[test]
fn stock_engines_play_sealed() {
    let place = Place::new();
    agents_of(&place);
    place.write("event.toml", &STOCK.replace(GUARDED, "engine.isolation = \"sealed\""));
    let ran = finish(
        place
            .command(&["run", "event.toml", "--out", "run"])
            .spawn()
            .expect("it starts"),
    );
    let said = String::from_utf8_lossy(&ran.stderr);
    if said.contains("cannot isolate agents as they have to be") {
        return say_what_is_missing(&said);
    }
    expect(&ran, 0, "Isolation     sealed");
    assert!(!said.contains("agents can run"), "{said}");
    let rules = place.read("run/rules.md");
    assert!(rules.contains("An agent may run its own programs alone."), "{rules}");
}

/// By the kernel's rules on files alone, and as somebody with fewer rights.
#[test]
fn stock_engines_play_by_their_own_programs() {
    let Some(guest) = Guest::new(&["greedy"]) else { return };
    agents_of(&guest.place);
    let own = format!("{GUARDED}\nengine.exec = \"own\"");
    guest.place.write("event.toml", &STOCK.replace(GUARDED, &own));
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
    expect(&event(""), 3, &told);
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
