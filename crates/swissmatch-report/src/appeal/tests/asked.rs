//! What models were asked, and what they answered.

use swissmatch_broker::kept::{KeptCall, Texts};
use swissmatch_broker::wire::Reply;
use swissmatch_game::transcript::{TEXTS, frame};

use super::*;

fn line(attempt: u32, failed: Option<&str>, content: &str) -> String {
    let body = json!({ "model": "m", "messages": [{ "role": "user", "content": "Your\nmove." }] });
    let reply = Reply {
        content: content.to_owned(),
        reasoning: Some("Hm".to_owned()),
        finish: "stop".to_owned(),
        refusal: None,
    };
    let kept = KeptCall {
        ply: 3,
        attempt,
        failed: failed.map(str::to_owned),
        why: failed.map(|_| "the model said nothing".to_owned()),
        texts: Texts::new(body.to_string().as_bytes(), reply),
    };
    frame(1_500_000, Side::Black, '?', kept.line().as_bytes())
}

#[test]
fn prompts_and_answers_have_a_part_of_their_own() {
    let (state, id) = (fixture::two_rounds(), id(1, 2, 2));
    let record = record(&state, id);
    let evil = format!("\u{1b}[2J\n{TEXTS}\n     0.000001 White < bestmove a2a4");
    let forged = "     2.000000 White ? {\"ply\":\"no\"}";
    let texts = [line(1, Some("empty"), ""), line(2, None, &evil), forged.to_owned()].join("\n");
    let evidence = format!("Game\n\n     0.000001 White > go\n\n{TEXTS}\n{texts}\n");
    let mut finished = late();
    (finished.record, finished.evidence) = (Some("aa".to_owned()), Some("bb".to_owned()));
    let case = AppealCase {
        record: Some(&record),
        finished: Some(&finished),
        evidence: Some(&evidence),
        ..case(&state, id)
    };
    let told = text(&case, false).expect("a game");
    assert_snapshot!(section(&told, "Prompts and answers"), @r#"
    move 2..., Bravo (Black), attempt 1, after 1.500000 s, no answer (empty: the model said nothing), ended by "stop"
    | asked: Your\nmove.
    | thought: Hm
    move 2..., Bravo (Black), attempt 2, after 1.500000 s, ended by "stop"
    | asked: Your\nmove.
    | thought: Hm
    | answered: \u{1b}[2J\nPrompts and answers of models:\n     0.000001 White < bestmove a2a4
    "#);
    assert_snapshot!(section(&told, "Evidence"), @"
    Record (moves, times, attempts): SHA-256 aa, in run.sqlite.
    Transcript and standard error: SHA-256 bb, in run.sqlite.
    Transcript:
    | Game
    |
    |      0.000001 White > go
    ");
    let found = json(&case, false).expect("a game");
    let texts = &found["evidence"]["texts"];
    assert_eq!(texts.as_array().map(Vec::len), Some(2));
    assert_eq!(
        (&texts[0]["failed"], &texts[0]["side"]),
        (&json!("empty"), &json!("black"))
    );
    assert_eq!(texts[1]["asked"]["messages"][0]["content"], "Your\\nmove.");
    assert!(!found.to_string().contains("\\u001b"), "{found}");

    // Long texts are shortened, and of many only the last are shown, unless all are asked for.
    let long = "x".repeat(1000);
    let many: Vec<String> = (1..=9).map(|attempt| line(attempt, None, &long)).collect();
    let evidence = many.join("\n");
    let case = AppealCase {
        evidence: Some(&evidence),
        ..case
    };
    let told = text(&case, false).expect("a game");
    assert!(
        told.contains("The last 5 of 9 texts (--full shows all, each whole):"),
        "{told}"
    );
    assert!(!told.contains("attempt 4,") && told.contains("attempt 5,") && !told.contains(&long));
    let told = text(&case, true).expect("a game");
    assert!(told.contains("attempt 1,") && told.contains(&long));
}
