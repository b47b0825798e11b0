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
fn prompts_are_played_by_a_model_of_the_event() {
    let event = |keys: &str, of_b: &str| {
        format!(
            "[endpoint.local]\nurl = \"http://127.0.0.1:8000/v1\"\n[engine]\nisolation = \"off\"\n[submissions]\ncontract = \
             \"prompt\"\n{keys}\n[[player]]\nname = \"A\"\n[[player]]\nname = \"B\"\n{of_b}\n"
        )
    };
    let model = "model = \"local:m\"";
    let loaded = load_text(&event(model, "temperature = 0.5")).expect("an event");
    assert_eq!(loaded.setup.submissions.entry(Contract::Prompt), "prompt.jinja");
    assert_eq!(loaded.setup.submissions.model.as_deref(), Some("local:m"));
    assert!(loaded.setup.players.iter().all(PlayerKeys::awaits_submission));
    assert!(
        !loaded.warnings.iter().any(|warning| warning.contains("endpoint.local")),
        "{:?}",
        loaded.warnings
    );
    let again = load_text(&effective(&loaded)).map(|loaded| loaded.setup);
    assert_eq!(again, Ok(loaded.setup));

    let refused = |keys: &str, of_b: &str, expected: &str| {
        let said = load_text(&event(keys, of_b)).expect_err("it is refused").to_string();
        assert!(said.contains(expected), "{expected}: {said}");
    };
    refused(
        "",
        "",
        "submissions.model: missing; a language model plays by the prompts; write model = \"ENDPOINT:MODEL\" under [submissions]",
    );
    refused(
        "model = \"locl:m\"",
        "",
        "7:1: submissions.model: no endpoint is named \"locl\"; did you mean local?",
    );
    for key in ["function = \"f\"", "python = \"env\""] {
        refused(&format!("{model}\n{key}"), "", ": a prompt is not Python; leave it out");
    }
    refused(
        model,
        "prompt = \"p.jinja\"",
        "12:1: player.prompt: this player hands in its prompt; leave it out",
    );
    refused(
        model,
        "options = { Hash = 16 }",
        "12:1: player.options: a model or a web service has no UCI options",
    );
    refused(
        model,
        "ponder = true",
        "12:1: player.ponder: a model or a web service does not ponder",
    );
    check(
        "[submissions]\ncontract = \"uci\"\nmodel = \"local:m\"",
        "3:1: submissions.model: no model plays by what is handed in; leave it out, or write contract = \"prompt\"",
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
