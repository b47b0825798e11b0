//! Players that hand in what plays, and programs that say when they have loaded.

use super::*;
use swissmatch_tournament::setup::Contract;

/// With two players who hand in what plays.
fn handed_in(keys: &str) -> String {
    format!("[submissions]\ncontract = \"get-move\"\n{keys}\n[[player]]\nname = \"A\"\n[[player]]\nname = \"B\"\n")
}

#[test]
fn players_without_a_program_hand_it_in() {
    let loaded = load_text(&handed_in(
        "entry = \"src/agent_2.py\"\nlock = 2026-09-11T18:00:00+01:00",
    ))
    .expect("an event");
    let setup = &loaded.setup;
    assert!(setup.players.iter().all(PlayerKeys::awaits_submission));
    assert_eq!(setup.submissions.entry(Contract::GetMove), "src/agent_2.py");
    assert_eq!(setup.submissions.function(Contract::GetMove), Some("get_move"));
    let lock = setup.submissions.lock.map(|lock| lock.to_string());
    assert_eq!(lock.as_deref(), Some("2026-09-11T17:00:00Z"));
    let again = load_text(&effective(&loaded)).map(|loaded| loaded.setup);
    assert_eq!(again, Ok(loaded.setup));
}

#[test]
fn what_does_not_go_together_is_refused() {
    check(
        "[submissions]\nper_day = 3",
        "2:1: submissions.per_day: nothing is handed in, because submissions.contract is \"none\"; write contract = \"get-move\" or another \
         one under [submissions], or leave this out",
    );
    check(
        "[submissions]\ncontract = \"uci\"\npython = \"env\"",
        "3:1: submissions.python: a UCI engine is started by itself; leave it out",
    );
    check(
        "[submissions]\ncontract = \"get-move\"\nentry = \"../agent.py\"",
        "3:9: submissions.entry: write a path below the root of the archive, such as \"agent.py\" or \"bin/engine\"",
    );
    check_whole(
        &handed_in("[engine]\nisolation = \"off\""),
        "4:1: engine.isolation: what is handed in is never started without isolation; write \"sealed\" or \"guarded\"",
    );
    check_whole(
        &handed_in("[eligibility]\nrequired = true"),
        "4:1: eligibility.required: every submission is tried when it is handed in; leave it out",
    );
    check_whole(
        &(handed_in("") + "args = [\"x\"]\n"),
        "8:1: player.args: what this player hands in says that; leave it out, or write command to have this player play by a program of \
         yours",
    );
}

#[test]
fn only_a_program_that_goes_on_says_when_it_is_ready() {
    let player = |keys: &str| format!("[[player]]\nname = \"A\"\n{keys}\n[[player]]\nname = \"B\"\ncommand = \"b\"\n");
    check_whole(
        &player("command = \"a\"\nsays_ready = true"),
        "4:1: player.says_ready: only a program that is asked once a move says so by a line; leave it out; an engine is ready when it \
         answers isready",
    );
    check_whole(
        &player("move_command = [\"a\"]\nsays_ready = true"),
        "4:1: player.says_ready: a program that is started for each move is asked at once; write keep_alive = true, too, or leave it out",
    );
}
