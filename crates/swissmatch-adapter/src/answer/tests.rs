//! Which moves are read from answers, and which are not.

use super::{MovePlace, Notation, Reading, Take};
use crate::position::UciPosition;
use crate::tests::reading;
use crate::turn::PlayerAnswer;
use swissmatch_game::variant::Variant;

fn read_at(reading: &Reading, position: &str, content: &str) -> String {
    let placed = UciPosition::read(position, Variant::Standard).expect("a position");
    match reading.read(content, Some("<uci_move>a2a3</uci_move>"), &placed) {
        PlayerAnswer::Move(word) => word,
        PlayerAnswer::Resign => "resign".to_owned(),
        PlayerAnswer::No(failed) => {
            let failure = serde_json::to_value(failed.failure).expect("a word");
            let answer = failed.answer.map_or_else(String::new, |answer| format!(" {answer}"));
            format!("{}{answer}", failure.as_str().expect("a word"))
        }
    }
}

fn read(reading: &Reading, content: &str) -> String {
    read_at(reading, "startpos", content)
}

#[test]
fn the_move_stands_in_the_tag() {
    let first = reading();
    for (content, is) in [
        ("<uci_move>e2e4</uci_move>", "e2e4"),
        ("Good.\n<UCI_Move>\n e2e4 \n</uci_MOVE>", "e2e4"),
        ("<uci_move>e2e4</uci_move> or <uci_move>d2d4</uci_move>", "e2e4"),
        ("<uci_move>e2e5</uci_move>", "illegal e2e5"),
        ("<uci_move>Nf3</uci_move>", "unparsable Nf3"),
        ("<uci_move>I will play e2e4</uci_move>", "unparsable"),
        ("<uci_move></uci_move>", "empty"),
        ("<uci_move>resign</uci_move>", "resign"),
        ("<uci_move>e2e4", "unparsable"),
        ("I play e2e4.", "unparsable"),
        (r#"{"uci_move": "e2e4"}"#, "unparsable"),
        (" \n", "empty"),
        (
            "<think>hm <uci_move>d2d4</uci_move></think><uci_move>e2e4</uci_move>",
            "e2e4",
        ),
        ("hm <uci_move>d2d4</uci_move></think><uci_move>e2e4</uci_move>", "e2e4"),
        ("<think>hm <uci_move>d2d4</uci_move>", "empty"),
        ("<uci_move>e2e4</uci_move><THINK>or <uci_move>d2d4</uci_move>", "e2e4"),
        ("İ<uci_move>e2e4</uci_move>", "e2e4"),
    ] {
        assert_eq!(read(&first, content), is, "{content}");
    }
    let two = "<uci_move>e2e4</uci_move> no, <uci_move>d2d4</uci_move>";
    let take = |take| Reading { take, ..reading() };
    assert_eq!(read(&take(Take::Last), two), "d2d4");
    assert_eq!(read(&take(Take::Only), two), "unparsable");
    let in_reasoning = Reading {
        in_reasoning: true,
        ..reading()
    };
    assert_eq!(read(&in_reasoning, "<think>d</think><uci_move>e2e4</uci_move>"), "a2a3");
    let unresigned = Reading {
        resign: false,
        ..reading()
    };
    assert_eq!(read(&unresigned, "<uci_move>resign</uci_move>"), "unparsable resign");
}

#[test]
fn an_object_has_the_move_as_its_property() {
    let object = Reading {
        place: MovePlace::Object,
        ..reading()
    };
    assert_eq!(read(&object, "\n{\"uci_move\": \"e2e4\", \"why\": 1}\n"), "e2e4");
    for wrong in [
        r#"{"move": "e2e4"}"#,
        r#"{"uci_move": 1}"#,
        "<uci_move>e2e4</uci_move>",
        "e2e4",
    ] {
        assert_eq!(read(&object, wrong), "unparsable", "{wrong}");
    }
}

/// The harness of Kaggle's Game Arena misreads the answers that are marked here; it takes none of them for a legal
/// move.
#[test]
fn a_final_answer_is_what_follows_the_mark() {
    let kaggle = Reading {
        place: MovePlace::FinalAnswer,
        take: Take::Last,
        notation: Notation::San,
        ..reading()
    };
    for (content, is) in [
        ("Final Answer: Nf3", "g1f3"),
        ("So **Final Answer:** `Nf3`.", "g1f3"),
        ("Final Answer: $\\boxed{\\text{Nf3}}$", "g1f3"),
        ("Final Answer: 1. e4", "e2e4"),
        ("Final Answer: 1.e4!", "e2e4"),
        ("Final Answer: d4\nNo.\nFinal Answer:\ne4", "e2e4"),
        // Misread: `developsapiece`.
        ("Final Answer: Nf3\n\nThis develops a piece.", "g1f3"),
        // Misread: `good`.
        ("Final Answer: e4\nNote: good", "e2e4"),
        // Misread: what follows `is`, `:`.
        ("My move is e4", "unparsable"),
        ("Move: e4", "unparsable"),
        ("Final Answer: Ke2", "illegal Ke2"),
        ("Final Answer: the knight", "unparsable the"),
        ("Final Answer:", "unparsable"),
    ] {
        assert_eq!(read(&kaggle, content), is, "{content}");
    }
    let mut own = Reading {
        tag: "My move:".to_owned(),
        take: Take::First,
        ..kaggle.clone()
    };
    let twice = "MY MOVE: d4\nFinal Answer: a3\nmy move: e4";
    assert_eq!(read(&own, twice), "d2d4");
    own.take = Take::Only;
    assert_eq!(read(&own, twice), "unparsable");
    // Misread: one of them by chance.
    let ambiguous = "fen 4k3/8/8/8/8/8/2K5/R6R w - - 0 1";
    assert_eq!(read_at(&kaggle, ambiguous, "Final Answer: Rd1"), "unparsable Rd1");
    assert_eq!(read_at(&kaggle, ambiguous, "Final Answer: Rad1"), "a1d1");
    let castling = "fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    assert_eq!(read_at(&kaggle, castling, "Final Answer: 0-0+"), "e1g1");
}

#[test]
fn what_stands_beside_the_move_is_its_rationale() {
    let beside = |place, content: &str| {
        let reading = Reading { place, ..reading() };
        reading.beside(content)
    };
    for (place, content, is) in [
        (
            MovePlace::Tag,
            "I like the centre.\n\n<UCI_move>e2e4</uci_move> So\tthere.",
            "I like the centre. So there.",
        ),
        (
            MovePlace::Tag,
            "<think>Hm, {d4}?</think>Yes: <uci_move>a</uci_move>{b}<uci_move>",
            "Yes: {b}<uci_move>",
        ),
        (
            MovePlace::Tag,
            "A\u{1b}[31m\u{202e}B <uci_move>e2e4</uci_move>",
            "A[31mB",
        ),
        (
            MovePlace::Object,
            r#"{"n": 1, "so": "It is", "uci_move": "e2e4", "why": "good."}"#,
            "It is good.",
        ),
        (
            MovePlace::FinalAnswer,
            "It develops.\nFinal Answer:\n e2e4\nGood luck!",
            "It develops. Good luck!",
        ),
        (
            MovePlace::FinalAnswer,
            "It develops. final answer: e2e4 and so on",
            "It develops.",
        ),
    ] {
        assert_eq!(beside(place, content).as_deref(), Some(is), "{content}");
    }
    for (place, content) in [
        (MovePlace::Tag, "<uci_move>e2e4</uci_move>\n"),
        (MovePlace::Object, r#"{"uci_move": "e2e4"}"#),
        (MovePlace::Object, "prose"),
        (MovePlace::FinalAnswer, "Final Answer: e2e4"),
        (MovePlace::Tag, "<think>only thoughts"),
    ] {
        assert_eq!(beside(place, content), None, "{content}");
    }
    let long = beside(MovePlace::Tag, &"word ".repeat(1000)).expect("words");
    assert_eq!((long.chars().count(), long.ends_with('…')), (500, true));
}
