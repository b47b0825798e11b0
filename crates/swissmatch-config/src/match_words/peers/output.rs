//! Use of the machine, printed lines, and files to write.
//!
//! May not: write a file.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use regex_lite::Regex;

use super::reading::Reading;
use crate::match_words::event::EventText;
use crate::match_words::{Dialect, LogFile, Output, PgnFile, Surroundings};
use crate::value::quoted;
use swissmatch_tournament::peer_lines::{PeerFormat, PeerLogOptions, PeerOutput};

/// The most KiB that a game can keep of what its engines say, and the most MiB that all can.
const MOST_OF_A_GAME: u32 = 65_536;
const MOST_OF_ALL_GAMES: u32 = 1_000_000;
/// Most CPUs that Linux takes in one list.
const MOST_CPUS: usize = 1024;
/// Most games at once.
const MOST_AT_ONCE: i64 = 10_000;
/// Games, or pairs, between two reports of fastchess.
const USUAL_RATING: u32 = 10;
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

/// Reads the options: keys go to the event, the rest is returned.
pub(super) fn read(reading: &mut Reading<'_>, around: &Surroundings, event: &mut EventText) -> Output {
    let cpus = machine(reading, around, event);
    names(reading, event);
    let interval = |reading: &mut Reading<'_>, option| {
        let number = reading.number(option, 0..=i64::from(i32::MAX))?;
        u32::try_from(number).ok()
    };
    let config = reading.switch("-config", "discard");
    if config == Some(false) {
        reading.note("-config discard=false: nothing goes on from a file of fastchess");
    }
    if let Some(file) = reading.value("-config", "outname") {
        reading.note(format!(
            "-config outname={file}: the state is in the directory of the run, and that file is not written"
        ));
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
    let rating_interval = interval(reading, "-ratinginterval");
    let score_interval = interval(reading, "-scoreinterval");
    let lines = lines(reading);
    let is_asked = reading.has("-output");
    let outcomes = interval(reading, "-outcomeinterval");
    if outcomes.is_some() && !(lines == PeerFormat::Cutechess && (is_asked || reading.is_called)) {
        let words = format!(
            "-outcomeinterval {}",
            reading.last("-outcomeinterval").unwrap_or_default()
        );
        reading.refuse_case(&words, "-outcomeinterval", "without");
    }
    let is_of_fastchess = lines.is_of_fastchess();
    reading.switch("-report", "penta");
    let pgn = pgn(reading, event);
    let crc32 = reading.switch("-crc32", "pgn").unwrap_or(false);
    Output {
        crc32: crc32 && pgn.is_some(),
        pgn,
        log: log(reading, event),
        rating_interval,
        score_interval,
        wanted: PeerOutput {
            lines,
            pairs: lines == PeerFormat::Fastchess && reading.counts_pairs(),
            rating: rating_interval.unwrap_or(if is_of_fastchess { USUAL_RATING } else { 0 }),
            score: score_interval.unwrap_or(1),
            outcomes: outcomes.unwrap_or(0),
            is_one_line: reading.has("-testEnv"),
            has_mates: reading.has("-check-mate-pvs"),
        },
        is_asked,
        cpus,
    }
}

/// The lines that are asked for, or are usual.
fn lines(reading: &mut Reading<'_>) -> PeerFormat {
    let of_cutechess = match reading.dialect {
        Dialect::Cutechess => PeerFormat::Cutechess,
        Dialect::Fastchess | Dialect::Own => PeerFormat::FastchessAsCutechess,
    };
    match reading.value("-output", "format") {
        None if reading.dialect == Dialect::Cutechess || reading.has("-quick") => of_cutechess,
        None | Some("fastchess") => PeerFormat::Fastchess,
        Some("cutechess") => of_cutechess,
        Some(other) => {
            reading.wrong(
                &format!("-output format={other}"),
                "there are no such lines",
                "fastchess, cutechess",
            );
            PeerFormat::Fastchess
        }
    }
}

/// Sets the use of the machine; gives the CPUs.
fn machine(reading: &mut Reading<'_>, around: &Surroundings, event: &mut EventText) -> Vec<usize> {
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
    if !reading.has("-use-affinity") {
        return Vec::new();
    }
    let words = reading.words("-use-affinity").join(",");
    let cpus = cpus(&words);
    match cpus.is_empty() {
        true => event.set("run.pin", quoted("always")),
        // Two matches that differ only in this are different matches.
        false => event.explain("run.pin", quoted("always"), &format!("on the CPUs {words}")),
    }
    if cpus.is_empty() && !words.is_empty() {
        let why = format!("expected numbers of CPUs below {MOST_CPUS}, and ranges of them");
        reading.wrong(&format!("-use-affinity {words}"), why, "`-use-affinity 2,4-9`");
    }
    cpus
}

/// The CPUs of a list such as `2,4-9`, each once, in rising order; empty if it is no list.
fn cpus(list: &str) -> Vec<usize> {
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        (first <= last && last < MOST_CPUS).then_some(first..=last)
    };
    let parts: Option<Vec<RangeInclusive<usize>>> = list.split(',').map(range).collect();
    let cpus: BTreeSet<usize> = parts.unwrap_or_default().into_iter().flatten().collect();
    cpus.into_iter().collect()
}

fn names(reading: &mut Reading<'_>, event: &mut EventText) {
    for (option, key, most) in [
        ("-event", "event.name", LONGEST_NAME),
        ("-site", "event.site", LONGEST_SITE),
    ] {
        if !reading.has(option) {
            continue;
        }
        // fastchess joins several words without blanks.
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
    let is_min = reading.switch("-pgnout", "min").unwrap_or(false) || words.contains(&"min");
    let lines: Vec<String> = words
        .iter()
        .filter_map(|word| word.strip_prefix("match_line=").map(str::to_owned))
        .collect();
    for line in &lines {
        let words = format!("-pgnout match_line={line}");
        match Regex::new(line) {
            Ok(_) if is_min => reading.refuse_case(&words, "-pgnout", "match_line= with min"),
            // Lines that are not kept cannot be searched.
            Ok(_) => event.set("run.evidence", quoted("all")),
            Err(_) => reading.wrong(
                &words,
                "it is no regular expression that can be searched for",
                "one without look-around",
            ),
        }
    }
    Some(PgnFile {
        path: path.map(str::to_owned),
        append: reading.switch("-pgnout", "append").unwrap_or(true),
        is_min,
        lines: if is_min { Vec::new() } else { lines },
    })
}

fn log(reading: &mut Reading<'_>, event: &mut EventText) -> Option<LogFile> {
    let level = reading.value("-log", "level").unwrap_or("warn");
    if !matches!(level, "trace" | "info" | "warn" | "err" | "fatal") {
        reading.wrong(
            &format!("-log level={level}"),
            "there is no such level",
            "trace, info, warn, err, fatal",
        );
    }
    if reading.switch("-log", "compress") == Some(true) {
        reading.refuse_case("-log compress=true", "-log", "compress=true");
    }
    reading.switch("-log", "realtime");
    let append = reading.switch("-log", "append").unwrap_or(true);
    let has_engines = reading.switch("-log", "engine").unwrap_or(false);
    // Without a file fastchess writes no log.
    let path = reading.value("-log", "file")?.to_owned();
    if has_engines {
        event.set("run.evidence", quoted("all"));
        event.explain("run.evidence_game", MOST_OF_A_GAME, "the log has every line");
        event.set("run.evidence_event", MOST_OF_ALL_GAMES);
    }
    Some(LogFile {
        path,
        append,
        logged: PeerLogOptions {
            has_warnings: !matches!(level, "err" | "fatal"),
            has_engines,
        },
    })
}
