//! Conversations of adapters, with the runner's lines beside the player's.

use std::time::Instant;

use serde_json::{Value, json};

use crate::answer::{MovePlace, Notation, Reading, Take};
use crate::model::{Again, LanguageModel, Manner};
use crate::position::UciPosition;
use crate::program::Program;
use crate::prompt::{Prompt, variables};
use crate::service::Service;
use crate::uci::{Adapter, AskedPlayer, Effect};
use swissmatch_game::variant::Variant;

/// The way in which the challenge reads answers.
pub(crate) fn reading() -> Reading {
    Reading {
        place: MovePlace::Tag,
        tag: "uci_move".to_owned(),
        take: Take::First,
        notation: Notation::Uci,
        in_reasoning: false,
        resign: true,
    }
}

fn prompt(text: &'static str) -> Prompt {
    Prompt::new("p.jinja", move |name| (name == "p.jinja").then(|| text.to_owned())).expect("a template")
}

fn model(text: &'static str, history: usize, again: Again) -> Adapter<LanguageModel> {
    let manner = Manner {
        system: Some("You play chess.".to_owned()),
        history,
        again,
        reading: reading(),
    };
    Adapter::new(LanguageModel::new("m", prompt(text), manner))
}

/// The question that is asked at the end of these lines.
fn asked(adapter: &mut Adapter<impl AskedPlayer>, lines: &[&str]) -> Value {
    let effects: Vec<Effect> = lines.iter().flat_map(|line| adapter.hear(line)).collect();
    match effects.as_slice() {
        [.., Effect::Ask(question)] => serde_json::from_str(question).expect("an object"),
        other => panic!("{other:?}"),
    }
}

fn said(adapter: &mut Adapter<impl AskedPlayer>, answer: &str) -> String {
    match adapter.answered(answer).as_slice() {
        [Effect::Say(line)] => line.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_program_is_asked_with_everything_that_it_needs() {
    let mut adapter = Adapter::new(Program::new("move.sh"));
    let introduced = adapter.hear("uci");
    assert_eq!(introduced.first(), Some(&Effect::Say("id name move.sh".to_owned())));
    assert_eq!(introduced.last(), Some(&Effect::Say("uciok".to_owned())));
    assert_eq!(
        adapter.hear("isready"),
        [Effect::Prepare, Effect::Say("readyok".to_owned())]
    );
    let fen = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1";
    let position = format!("position fen {fen} moves e1e2 e8d7");
    let go = "go wtime 60000 btime 50000 winc 1000 binc 0 movestogo 7";
    let question = asked(&mut adapter, &["ucinewgame", &position, go]);
    let legal = question["legal"].as_array().expect("moves").clone();
    assert_eq!(legal.first(), Some(&json!("e2f3")));
    assert_eq!(
        &legal[legal.len() - 4..],
        ["a7a8q", "a7a8r", "a7a8b", "a7a8n"].map(|word| json!(word))
    );
    let others = json!({
        "schema": 1, "fen": "8/P2k4/8/8/8/8/4K3/8 w - - 2 2", "start": fen, "moves": ["e1e2", "e8d7"], "legal": legal,
        "side": "white", "variant": "standard", "time_left_ms": 60000, "increment_ms": 1000, "opponent_time_left_ms": 50000,
        "moves_to_go": 7, "attempt": 1,
    });
    assert_eq!(question, others);
    assert_eq!(said(&mut adapter, "a7a8q\r"), "bestmove a7a8q");
    // Nobody asked for more.
    assert_eq!(adapter.answered("a7a8r"), []);
}

#[test]
fn another_attempt_is_told_what_was_wrong_with_the_last() {
    let mut adapter = Adapter::new(Program::new("move.sh"));
    let first = ["position startpos", "go movetime 100"];
    for (answer, word, error, last_answer) in [
        ("e2e5", "e2e5", "illegal", Some("e2e5")),
        ("Nf3", "Nf3", "unparsable", Some("Nf3")),
        ("I play e2e4", "(none)", "unparsable", None),
        (r#"{"move": 7}"#, "(none)", "unparsable", None),
        ("", "(none)", "empty", None),
        (r#"{"move": ""}"#, "(none)", "empty", None),
        (r#"{"move": "e2e4", "depth": 9}"#, "e2e4", "late", None),
        ("RESIGN", "resign", "late", None),
    ] {
        let question = asked(&mut adapter, &["ucinewgame", first[0], first[1]]);
        assert_eq!(
            (&question["attempt"], question.get("last_error")),
            (&json!(1), None),
            "{answer}"
        );
        assert_eq!(said(&mut adapter, answer), format!("bestmove {word}"), "{answer}");
        let question = asked(&mut adapter, &first);
        assert_eq!(question["attempt"], 2, "{answer}");
        assert_eq!(question["last_error"], error, "{answer}");
        assert_eq!(
            question.get("last_answer"),
            last_answer.map(|word| json!(word)).as_ref(),
            "{answer}"
        );
    }
    // Another position is another turn.
    let question = asked(&mut adapter, &["position startpos moves e2e4 e7e5", "go movetime 100"]);
    assert_eq!(question["attempt"], 1);
}

#[test]
fn who_is_stopped_answers_at_once_and_what_comes_later_is_no_answer() {
    let mut adapter = Adapter::new(Program::new("move.sh"));
    asked(&mut adapter, &["position startpos", "go movetime 100"]);
    let stopped = [Effect::HangUp, Effect::Say("bestmove (none)".to_owned())];
    assert_eq!(adapter.hear("stop"), stopped);
    assert_eq!(adapter.hear("stop"), []);
    assert_eq!(adapter.answered("e2e4"), []);
    assert_eq!(asked(&mut adapter, &["go movetime 100"])["last_error"], "late");
    // A game that ends meanwhile needs no answer.
    assert_eq!(adapter.hear("ucinewgame"), [Effect::HangUp]);
    assert_eq!(adapter.hear("position fen nonsense"), []);
    assert_eq!(adapter.hear("go"), [Effect::Say("bestmove (none)".to_owned())]);
    assert_eq!(adapter.hear("quit"), [Effect::Quit]);
}

#[test]
fn a_position_that_goes_on_is_the_same_as_one_that_is_read_whole() {
    let text = "{{ FEN }}|{{ move_history_san }}|{{ move_history_uci }}|{{ last_move }}";
    let prompt_of = |adapter: &mut Adapter<LanguageModel>, position: &str| {
        asked(adapter, &[position, "go movetime 9"])["messages"][1]["content"].clone()
    };
    for start in ["startpos", "fen 4k3/P7/8/8/8/8/8/4K2R w K - 0 1"] {
        let moves = match start {
            "startpos" => ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "g8f6", "e1g1"],
            _ => ["e1g1", "e8d7", "a7a8q", "d7d6", "a8b8", "d6d5", "g1g2"],
        };
        let mut goes_on = model(text, 0, Again::Same);
        let mut position = format!("position {start} moves");
        for played in moves {
            position = format!("{position} {played}");
            let whole = prompt_of(&mut model(text, 0, Again::Same), &position);
            assert_eq!(prompt_of(&mut goes_on, &position), whole, "{position}");
        }
        // Another promotion, a move that is not legal, and what is legal again.
        for other in [
            "e2e4 e7e5",
            "e1g1 e8d7 a7a8",
            "e1g1 e8d7 a7a8q",
            "e1g1 e8d7 a7a8q d7d6 a8h1",
        ] {
            let position = format!("position {start} moves {other}");
            let answer = |adapter: &mut Adapter<LanguageModel>| {
                let lines = [position.as_str(), "go movetime 9"];
                lines.map(|line| {
                    adapter
                        .hear(line)
                        .iter()
                        .map(|effect| format!("{effect:?}"))
                        .collect::<String>()
                })
            };
            let numbered = answer(&mut goes_on).concat();
            let whole = answer(&mut model(text, 0, Again::Same)).concat();
            let said = |text: &str| text.split_once("messages").map(|(_, said)| said.to_owned());
            assert_eq!(said(&numbered), said(&whole), "{position}");
        }
    }
}

#[test]
fn chess960_is_played_where_it_is_told() {
    let mut adapter = Adapter::new(Program::new("move.sh"));
    let lines = [
        "setoption name UCI_Chess960 value true",
        "position fen 4k3/8/8/8/8/8/8/4K2R w H - 0 1",
        "go depth 3",
    ];
    let question = asked(&mut adapter, &lines);
    assert_eq!(
        (&question["variant"], &question["depth"]),
        (&json!("chess960"), &json!(3))
    );
    assert_eq!(said(&mut adapter, "e1h1"), "bestmove e1h1");
}

/// The answer to the call with this number.
fn reply(number: u64, content: &str) -> String {
    let reply = json!({ "content": content, "reasoning": null, "finish": "stop", "refusal": null });
    json!({ "number": number, "reply": reply }).to_string()
}

#[test]
fn a_model_has_its_last_moves_and_what_was_wrong() {
    let mut model = model("{{ side_to_move }}: {{ FEN }}{{ last_error }}", 1, Again::Told);
    let question = asked(&mut model, &["ucinewgame", "position startpos", "go movetime 9"]);
    let start = "White: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let system = json!({ "role": "system", "content": "You play chess." });
    let user = |content: &str| json!({ "role": "user", "content": content });
    assert_eq!(question["call"], "model");
    assert_eq!(question["messages"], json!([system, user(start)]));
    assert_eq!(question["legal"].as_array().map(Vec::len), Some(20));
    let bad = "<uci_move>e2e5</uci_move>";
    assert_eq!(said(&mut model, &reply(1, bad)), "bestmove e2e5");
    let question = asked(&mut model, &["position startpos", "go movetime 9"]);
    let told = "Your move e2e5 is not legal here. Choose a legal move, and answer in the same form. (illegal)";
    let assistant = |content: &str| json!({ "role": "assistant", "content": content });
    let again = format!("{start}illegal");
    assert_eq!(
        question["messages"],
        json!([system, user(&again), assistant(bad), user(told)])
    );
    let good = "<uci_move> e2e4\n</uci_move>";
    assert_eq!(said(&mut model, &reply(2, good)), "bestmove e2e4");
    let question = asked(&mut model, &["position startpos moves e2e4 e7e5", "go movetime 9"]);
    assert_eq!(question["messages"][1], user(&again));
    assert_eq!(question["messages"][2], assistant(good));
    assert_eq!(question["messages"].as_array().map(Vec::len), Some(4));
    let question = asked(&mut model, &["ucinewgame", "position startpos", "go movetime 9"]);
    assert_eq!(question["messages"].as_array().map(Vec::len), Some(2));
}

#[test]
fn each_failure_of_a_call_has_its_word() {
    let mut model = model("{{ attempt }}{{ last_error }}", 0, Again::Same);
    let ended = |number: u64, content: &str, finish: &str, refusal: Option<&str>| {
        let reply = json!({ "content": content, "finish": finish, "refusal": refusal });
        json!({ "number": number, "reply": reply }).to_string()
    };
    let move_in_tag = "<uci_move>e2e4</uci_move>";
    assert_eq!(
        [
            &ended(1, "I think", "length", None),
            &ended(2, move_in_tag, "stop", Some("no")),
            &ended(3, move_in_tag, "length", None),
            &reply(4, "<think>e2e4"),
            &reply(5, "<uci_move>resign</uci_move>")
        ]
        .map(|answer| {
            asked(&mut model, &["ucinewgame", "position startpos", "go movetime 9"]);
            let word = said(&mut model, answer);
            (word, format!("{:?}", model.last_failure()))
        }),
        [
            ("bestmove (none)", "Some(Truncated)"),
            ("bestmove (none)", "Some(Refused)"),
            ("bestmove e2e4", "None"),
            ("bestmove (none)", "Some(Empty)"),
            ("bestmove resign", "None"),
        ]
        .map(|(word, failure)| (word.to_owned(), failure.to_owned()))
    );
    for failed in ["empty", "truncated", "refused", "late", "transport", "configuration"] {
        let question = asked(&mut model, &["ucinewgame", "position startpos", "go movetime 9"]);
        let answer = json!({ "number": question["number"], "failed": failed, "why": "so" }).to_string();
        let effects = model.answered(&answer);
        let told = [
            Effect::Complain("so".to_owned()),
            Effect::Say("bestmove (none)".to_owned()),
        ];
        assert_eq!(effects, told);
        let failure = model.last_failure().expect("a failure");
        assert_eq!(serde_json::to_value(failure).expect("a word"), failed);
        // The repeated prompt does not mention it.
        let again = asked(&mut model, &["position startpos", "go movetime 9"]);
        assert_eq!(again["messages"][1]["content"], "2");
    }
}

#[test]
fn a_service_is_asked_over_the_wire() {
    let mut service = Adapter::new(Service::new("service"));
    let question = asked(&mut service, &["position startpos moves e2e4", "go movetime 9"]);
    assert_eq!(question["call"], "move");
    assert_eq!(
        (&question["body"]["side"], &question["body"]["movetime_ms"]),
        (&json!("black"), &json!(9))
    );
    assert_eq!(said(&mut service, &reply(1, r#"{"move": "e7e5"}"#)), "bestmove e7e5");
    asked(&mut service, &["position startpos", "go movetime 9"]);
    assert_eq!(
        service.answered(&reply(1, "e7e5")),
        [],
        "it answers a call that is over"
    );
    assert_eq!(said(&mut service, "<html>"), "bestmove (none)");
}

/// A template that would run for ever fails the attempt, and nothing else.
#[test]
#[expect(clippy::disallowed_methods, reason = "it measures")]
fn a_template_that_works_for_ever_fails_soon() {
    let bombs = [
        "{% for a in range(99999) %}{% for b in range(99999) %}x{% endfor %}{% endfor %}",
        "{% set ns = namespace(x='xxxxxxxx') %}{% for a in range(99) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}{{ ns.x }}",
        "{{ 'x' * 900000000 }}",
        "{% macro m() %}{{ m() }}{{ m() }}{% endmacro %}{{ m() }}",
        "{% include 'p.jinja' %}{% include 'p.jinja' %}",
        "{{ 'x' * 600000 }}{{ 'y' * 600000 }}",
    ];
    for bomb in bombs {
        let mut model = model(bomb, 0, Again::Same);
        let begun = Instant::now();
        let effects: Vec<Effect> = ["position startpos", "go movetime 9"]
            .iter()
            .flat_map(|line| model.hear(line))
            .collect();
        let took = begun.elapsed().as_millis();
        assert!(
            matches!(effects.as_slice(), [Effect::Complain(_), Effect::Say(line)] if line == "bestmove (none)"),
            "{bomb}: {effects:.300?}"
        );
        // Fifty in an optimised build.
        assert!(took < 1000, "{bomb}: {took} ms");
    }
}

#[test]
fn a_template_includes_what_lies_below_and_nothing_else() {
    let load = |name: &str| match name {
        "main.jinja" => Some("{% include 'parts/rules.jinja' %}: {{ side_to_move }}\n".to_owned()),
        "up.jinja" => Some("{% include '../secret' %}".to_owned()),
        "parts/rules.jinja" => Some("<b>Rules & such</b>".to_owned()),
        "../secret" | "/etc/passwd" => panic!("{name} is asked for"),
        _ => None,
    };
    let placed = UciPosition::read("startpos", Variant::Standard).expect("a position");
    let variables = variables::of_position(&placed);
    let render = |name| Prompt::new(name, load).and_then(|prompt| prompt.render(&variables));
    assert_eq!(render("main.jinja"), Ok("<b>Rules & such</b>: White".to_owned()));
    for name in ["up.jinja", "gone.jinja", "../secret", "/etc/passwd", ""] {
        assert!(render(name).is_err(), "{name}");
    }
}

#[test]
fn names_that_no_variable_has_are_noted_where_a_template_comes_to_them() {
    let load = |name: &str| match name {
        "p" => Some(
            "{% set mine = 1 %}{{ colour }} {{ fen }} {{ FEN }} {{ mine }}{% for one in range(2) %}{{ loop.index }}{{ one }}{% endfor %}\
             {% macro m(a) %}{{ a }}{{ inner }}{% endmacro %}{{ m(1) }}{% include 'part' %}{% set n = namespace(b=1) %}{{ n.c }}\
             {% if mine == 2 %}{{ never }}{% endif %}",
        ),
        "part" => Some("{{ mine }}{{ Fen }}"),
        _ => None,
    };
    let prompt = Prompt::new("p", move |name| load(name).map(str::to_owned)).expect("a template");
    let placed = crate::position::UciPosition::read("startpos", swissmatch_game::variant::Variant::Standard);
    let variables = variables::of_position(&placed.expect("a position"));
    let (text, unknown) = prompt.render_noting(&variables).expect("it is filled in");
    assert_eq!(Ok(text), prompt.render(&variables));
    assert_eq!(Vec::from_iter(unknown), ["Fen", "colour", "fen", "inner"]);
}
