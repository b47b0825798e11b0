//! How the machine is used, what is printed, and which files are written.
//!
//! May not: write one.

use super::reading::Reading;
use crate::config::match_words::event::EventText;
use crate::config::match_words::{Dialect, Output, PgnFile, Surroundings};
use crate::config::value::quoted;

/// Most games at once.
const MOST_AT_ONCE: i64 = 10_000;
/// Most characters of the event's name and of its site.
const LONGEST_NAME: usize = 100;
const LONGEST_SITE: usize = 200;
/// Words of `-pgnout`, with what they add to comments of moves.
const EXTRAS: [(&str, &str); 8] = [
    ("timeleft", "clock"),
    ("latency", "latency"),
    ("nodes", "nodes"),
    ("seldepth", "seldepth"),
    ("nps", "nps"),
    ("hashfull", "hashfull"),
    ("tbhits", "tbhits"),
    ("pv", "pv"),
];

/// Reads it: keys go to the event, the rest is given.
pub(super) fn read(reading: &mut Reading<'_>, around: &Surroundings, event: &mut EventText) -> Output {
    machine(reading, around, event);
    names(reading, event);
    let interval = |reading: &mut Reading<'_>, option| {
        let number = reading.number(option, 0..=i64::from(i32::MAX))?;
        u32::try_from(number).ok()
    };
    reading.switch("-report", "penta");
    let config = reading.switch("-config", "discard");
    if config == Some(false) {
        reading.note("-config discard=false: nothing goes on from a file of fastchess");
    }
    if let Some(text) = reading.last("-autosaveinterval") {
        reading.whole(&format!("-autosaveinterval {text}"), text, 0..=i64::from(i32::MAX));
    }
    if reading
        .number("-wait", 0..=i64::from(i32::MAX))
        .is_some_and(|wait| wait > 0)
    {
        let words = format!("-wait {}", reading.last("-wait").unwrap_or_default());
        reading.refuse_case(&words, "-wait", "above 0");
    }
    if let Some(mode) = reading
        .last("-bookmode")
        .filter(|mode| !matches!(*mode, "ram" | "disk"))
    {
        reading.wrong(&format!("-bookmode {mode}"), "there is no such mode", "ram, disk");
    }
    Output {
        pgn: pgn(reading, event),
        rating_interval: interval(reading, "-ratinginterval"),
        score_interval: interval(reading, "-scoreinterval"),
    }
}

fn machine(reading: &mut Reading<'_>, around: &Surroundings, event: &mut EventText) {
    let threads = i64::from(around.threads.max(1));
    let usual = if reading.has("-quick") { (threads - 2).max(1) } else { 1 };
    let at_once = match reading.has("-concurrency") {
        true => reading.number("-concurrency", -MOST_AT_ONCE..=MOST_AT_ONCE),
        false => Some(usual),
    };
    if let Some(number) = at_once {
        let number = if number > 0 { number } else { threads + number };
        match number > 0 {
            true => event.set("run.concurrency", number),
            false => {
                let words = format!("-concurrency {}", reading.last("-concurrency").unwrap_or_default());
                reading.wrong(
                    &words,
                    format!("there are {threads} hardware threads"),
                    "`-concurrency 1`",
                );
            }
        }
    }
    if reading.has("-force-concurrency") {
        event.set("run.oversubscribe", true);
    }
    if reading.has("-use-affinity") {
        event.set("run.pin", quoted("always"));
        let cpus = reading.words("-use-affinity").join(" ");
        if !cpus.is_empty() {
            reading.refuse_case(&format!("-use-affinity {cpus}"), "-use-affinity", "CPUS");
        }
    }
}

fn names(reading: &mut Reading<'_>, event: &mut EventText) {
    for (option, key, most) in [
        ("-event", "event.name", LONGEST_NAME),
        ("-site", "event.site", LONGEST_SITE),
    ] {
        if !reading.has(option) {
            continue;
        }
        // fastchess puts several words together without blanks.
        let name = reading.words(option).concat();
        let count = name.chars().count();
        let is_name = name.trim() == name && !name.chars().any(char::is_control);
        match is_name && (1..=most).contains(&count) {
            true => event.set(key, quoted(&name)),
            false => {
                let why = format!("expected a name of 1 to {most} characters without blanks at its ends");
                reading.wrong(&format!("{option} {name}"), why, "");
            }
        }
    }
}

fn pgn(reading: &mut Reading<'_>, event: &mut EventText) -> Option<PgnFile> {
    if !reading.has("-pgnout") {
        return None;
    }
    let words = reading.words("-pgnout");
    let is_bare = |word: &&&str| !word.contains('=') && !matches!(**word, "min" | "fi");
    let bare: Vec<&str> = words.iter().filter(is_bare).copied().collect();
    if bare.len() > 1 {
        reading.wrong(
            &format!("-pgnout {}", bare.join(" ")),
            "it names more than one file",
            "",
        );
    }
    let path = reading.value("-pgnout", "file").or(bare.first().copied());
    if path.is_none() && reading.dialect == Dialect::Cutechess {
        reading.wrong("-pgnout", "it names no file", "`-pgnout FILE`");
    }
    match reading.value("-pgnout", "notation") {
        None | Some("san") => {}
        Some(other @ ("lan" | "uci")) => {
            reading.refuse_case(&format!("-pgnout notation={other}"), "-pgnout", "notation=");
        }
        Some(other) => reading.wrong(&format!("-pgnout notation={other}"), "there is no such notation", "san"),
    }
    let extras = EXTRAS.into_iter().filter_map(|(word, extra)| {
        let is_on = reading.switch("-pgnout", word)?;
        is_on.then(|| quoted(extra))
    });
    let extras: Vec<String> = extras.collect();
    if !extras.is_empty() {
        event.set("run.pgn_extras", format!("[{}]", extras.join(", ")));
    }
    Some(PgnFile {
        path: path.map(str::to_owned),
        append: reading.switch("-pgnout", "append").unwrap_or(true),
    })
}
