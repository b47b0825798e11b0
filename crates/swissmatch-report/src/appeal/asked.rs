//! The questions to models in a game and their answers, as far as they are kept.
//!
//! May not: trust evidence: a line of it may be anything; judge an answer.

use serde_json::{Map, Value, json};
use swiss_system::count;
use swiss_system::text::{escaped, shortened};

use super::course::GameCourse;
use super::{AppealCase, Section};
use crate::untrusted::name;
use swissmatch_broker::kept::KeptCall;
use swissmatch_game::transcript::{FramedLine, TEXTS};

/// Texts at the end of a report, and characters of each, unless all are asked for.
const TAIL: usize = 5;
const CHARACTERS: usize = 300;

/// The texts that are kept, each with the frame of its line.
fn texts<'a>(case: &AppealCase<'a>) -> impl Iterator<Item = (FramedLine<'a>, KeptCall)> {
    let lines = case.evidence.unwrap_or_default().lines().filter_map(FramedLine::of);
    let asked = lines.filter(|line| line.mark == "?");
    asked.filter_map(|line| Some((line, KeptCall::read(line.said)?)))
}

/// Whether a line of evidence is one of these texts.
pub(super) fn is_of_texts(line: &str) -> bool {
    line == TEXTS || FramedLine::of(line).is_some_and(|framed| framed.mark == "?")
}

pub(super) fn section(case: &AppealCase<'_>, course: Option<&GameCourse<'_>>, full: bool) -> Section {
    let texts: Vec<_> = texts(case).collect();
    let skipped = match full {
        true => 0,
        false => texts.len().saturating_sub(TAIL),
    };
    let mut lines = match skipped {
        0 => Vec::new(),
        _ => vec![format!(
            "The last {TAIL} of {} (--full shows all, each whole):",
            count::of(texts.len(), "text", "texts")
        )],
    };
    let brief = |text: &str| {
        let text = escaped(text);
        if full { text } else { shortened(&text, CHARACTERS) }
    };
    for (line, kept) in texts.into_iter().skip(skipped) {
        let player = case
            .record
            .map_or_else(String::new, |record| name(case.state, record.player(line.side)));
        let ply = course.and_then(|course| course.ply(kept.ply as usize));
        let ply = ply.map_or_else(|| format!("ply {}", kept.ply), |ply| format!("move {}", ply.name));
        let KeptCall {
            attempt,
            failed,
            why,
            texts,
            ..
        } = kept;
        let none = failed.map_or_else(String::new, |failed| {
            let why = why.map_or_else(String::new, |why| format!(": {}", brief(&why)));
            format!(", no answer ({}{why})", escaped(&failed))
        });
        let finish = match texts.reply.finish.as_str() {
            "" => String::new(),
            finish => format!(", ended by \"{}\"", brief(finish)),
        };
        lines.push(format!(
            "{ply}, {player} ({}), attempt {attempt}, after {} s{none}{finish}",
            line.side.name(),
            line.at
        ));
        let prompt = texts.prompt().map_or_else(|| texts.asked.to_string(), str::to_owned);
        let said = [
            ("asked", Some(prompt)),
            ("thought", texts.reply.reasoning),
            ("answered", Some(texts.reply.content)),
            ("refused", texts.reply.refusal),
        ];
        let said = said.into_iter().filter_map(|(what, text)| Some((what, text?)));
        let said = said.filter(|(_, text)| !text.is_empty());
        lines.extend(said.map(|(what, text)| format!("| {what}: {}", brief(&text))));
    }
    Section::new("Prompts and answers", lines)
}

/// The last `most` of them, with their frames, and how many there are.
pub(super) fn json(case: &AppealCase<'_>, most: usize) -> (Vec<Value>, usize) {
    let texts: Vec<_> = texts(case).collect();
    let skipped = texts.len().saturating_sub(most);
    let all = texts.len();
    let texts = texts.into_iter().skip(skipped).map(|(line, kept)| {
        let mut text = Map::new();
        text.insert("at".to_owned(), line.at.into());
        text.insert("side".to_owned(), json!(line.side));
        if let Value::Object(kept) = json!(kept) {
            text.extend(kept);
        }
        harmless_json(text.into())
    });
    (texts.collect(), all)
}

/// Escapes all texts in a JSON value.
fn harmless_json(value: Value) -> Value {
    match value {
        Value::String(text) => escaped(text).into(),
        Value::Array(values) => values.into_iter().map(harmless_json).collect(),
        Value::Object(fields) => {
            let fields = fields.into_iter();
            fields
                .map(|(name, value)| (escaped(name), harmless_json(value)))
                .collect()
        }
        other => other,
    }
}
