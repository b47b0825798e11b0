//! The games to play: their number, who meets whom, openings, the variant.
//!
//! May not: read openings.

use super::engines::Engines;
use super::reading::Reading;
use crate::match_words::event::EventText;
use crate::match_words::{Dialect, Surroundings, rank_by_games};
use crate::value::quoted;
use swissmatch_tournament::setup::MOST_GAMES;

/// Pairs of games that fastchess plays with `-rounds 0 -sprt`, and with `-quick`.
const ROUNDS_OF_SPRT: i64 = 500_000;
const ROUNDS_OF_QUICK: i64 = 25_000;
/// Most plies of an opening; a larger number means all of them.
const MOST_PLIES: i64 = 1000;
/// Mini-matches by which a level tie of a knockout is played off.
const PLAY_OFFS: usize = 10;

/// Reads the options about games.
pub(super) fn read(reading: &mut Reading<'_>, engines: &Engines, around: &Surroundings, event: &mut EventText) {
    let is_random = reading.last("-variant") == Some("fischerandom");
    match reading.last("-variant") {
        None | Some("standard" | "fischerandom") => {}
        Some(other) => reading.wrong_case(&format!("-variant {other}"), "-variant", "others"),
    }
    let has_file = reading.value("-openings", "file").is_some() || reading.value("-quick", "book").is_some();
    let games = number_of_games(reading, engines.count(), has_file || is_random);
    let format = format(reading, engines.count());
    event.set("swiss.rounds", quoted(&format.rounds));
    event.set("swiss.seeding", quoted(format.seeding));
    event.set("mini_match.games", games);
    openings(reading, engines.count(), is_random, around, event);
    if is_random {
        event.set("game.variant", quoted("chess960"));
    }
    if format.rounds == "knockout" {
        knockout(reading, engines, event);
    } else {
        rank_by_games(event, engines.count());
    }
    seed(reading, event);
}

/// The number of games of two engines. A number that is not possible is refused, and the nearest one is played.
fn number_of_games(reading: &mut Reading<'_>, engines: usize, has_openings: bool) -> i64 {
    let played = match reading.dialect {
        Dialect::Cutechess => as_cutechess(reading, engines),
        Dialect::Fastchess | Dialect::Own => as_fastchess(reading),
    };
    let Some(PeerGames { games, is_twice, words }) = played else {
        return 2;
    };
    if games > i64::from(MOST_GAMES) {
        reading.refuse_case(&words, "-games", "more than");
        return i64::from(MOST_GAMES);
    }
    if games > 1 && games % 2 == 1 {
        reading.refuse_case(&words, "-games", "an odd number");
        return games + 1;
    }
    if games > 1 && has_openings && !is_twice {
        reading.refuse_case(&words, "-games", "1, with openings");
    }
    games
}

/// Games of two engines as a program plays them.
struct PeerGames {
    games: i64,
    /// Whether each opening is played twice.
    is_twice: bool,
    /// The words that say so.
    words: String,
}

fn as_fastchess(reading: &mut Reading<'_>) -> Option<PeerGames> {
    let (mut games, mut rounds) = (2, 2);
    let mut words = Vec::new();
    for given in reading.given.clone() {
        let (option, value) = (given.option, given.values.first().copied());
        let whole = format!("{option} {}", value.unwrap_or_default());
        let whole = whole.trim_end();
        match option {
            "-games" => games = reading.whole(whole, value?, 0..=i64::from(i32::MAX))?,
            "-rounds" => rounds = reading.whole(whole, value?, 0..=i64::from(i32::MAX))?,
            "-repeat" => {
                let number =
                    value.filter(|value| given.values.len() == 1 && value.bytes().all(|byte| byte.is_ascii_digit()));
                match number {
                    Some(number) => games = reading.whole(whole, number, 0..=i64::from(i32::MAX))?,
                    None if given.values.is_empty() => games = 2,
                    None => reading.wrong(whole, "expected a number, or nothing", "`-repeat`"),
                }
            }
            "-quick" => (games, rounds) = (2, ROUNDS_OF_QUICK),
            _ => continue,
        }
        words.push(whole.to_owned());
    }
    // The way in which fastchess corrects it.
    let is_swapped = games > 2;
    if is_swapped {
        (games, rounds) = (rounds, games);
    }
    if rounds == 0 && reading.has("-sprt") {
        rounds = ROUNDS_OF_SPRT;
    }
    let words = words.join(" ");
    if games > 2 || games == 0 || rounds == 0 {
        reading.wrong(
            &words,
            "fastchess plays 1 or 2 games a round, and at least one round",
            "`-rounds N -games 2`",
        );
        return None;
    }
    if !reading.has("-rounds") && !reading.has("-quick") && !is_swapped {
        reading.note("without -rounds fastchess plays 2 rounds, and so it is here");
    }
    reading.has_pairs = games == 2;
    Some(PeerGames {
        games: games * rounds,
        is_twice: games == 2,
        words,
    })
}

fn as_cutechess(reading: &mut Reading<'_>, engines: usize) -> Option<PeerGames> {
    let is_given = |reading: &Reading<'_>, option| reading.has(option);
    let most = i64::from(i32::MAX);
    let number = |reading: &mut Reading<'_>, option| match is_given(reading, option) {
        true => reading.number(option, 1..=most),
        false => Some(1),
    };
    let games = number(reading, "-games")?;
    if reading.has("-rounds") && reading.last("-tournament") == Some("knockout") {
        reading.wrong("-rounds", "a knockout has its own number of rounds", "leave it out");
    }
    let rounds = number(reading, "-rounds")?;
    let repetitions = match (reading.has("-repeat"), reading.last("-repeat")) {
        (false, _) => 1,
        (true, None) => 2,
        (true, Some(text)) => reading.whole(&format!("-repeat {text}"), text, 1..=most)?,
    };
    if repetitions > 2 {
        reading.refuse_case(&format!("-repeat {repetitions}"), "-repeat", "N other");
    }
    let given = ["-rounds", "-games", "-repeat"]
        .into_iter()
        .filter(|option| reading.has(option));
    let words: Vec<String> = given
        .map(|option| match reading.last(option) {
            Some(value) => format!("{option} {value}"),
            None => option.to_owned(),
        })
        .collect();
    Some(PeerGames {
        games: games * rounds,
        // With more than two engines, each new pair has a new opening.
        is_twice: repetitions >= 2 && (engines <= 2 || games % 2 == 0),
        words: words.join(" "),
    })
}

struct RoundsFormat {
    rounds: String,
    seeding: &'static str,
}

fn format(reading: &mut Reading<'_>, engines: usize) -> RoundsFormat {
    let listed = |rounds: String| RoundsFormat {
        rounds,
        seeding: "listed",
    };
    let seeds = match reading.has("-seeds") {
        true => reading.number("-seeds", 0..=i64::from(i32::MAX)),
        false => None,
    };
    let kind = reading.last("-tournament").unwrap_or("roundrobin");
    let count = i64::try_from(engines).unwrap_or(i64::MAX);
    match kind {
        "roundrobin" | "round-robin" | "pyramid" => listed("RR".to_owned()),
        "gauntlet" if engines <= 2 => listed("RR".to_owned()),
        "gauntlet" => {
            let seeds = seeds.unwrap_or(1);
            let words = format!("-tournament gauntlet -seeds {seeds}");
            let first = seeds.clamp(1, count - 1);
            if reading.dialect == Dialect::Cutechess {
                return listed(format!("gauntlet-{first}"));
            }
            if seeds == 0 {
                reading.wrong(&words, "fastchess plays no games so", "`-seeds 1`");
            }
            // A gauntlet of all but one is a round robin.
            if first == count - 1 {
                return listed("RR".to_owned());
            }
            if first > 1 {
                reading.refuse_case(&words, "-seeds", "above 1");
            }
            listed(format!("gauntlet-{first}"))
        }
        "knockout" => {
            let seeds = seeds.unwrap_or(0);
            if seeds > 0 && seeds < count {
                reading.refuse_case(&format!("-seeds {seeds}"), "-seeds", "a part");
            }
            RoundsFormat {
                rounds: "knockout".to_owned(),
                seeding: if seeds == 0 { "random" } else { "listed" },
            }
        }
        other => {
            let instead = "roundrobin, gauntlet, knockout, pyramid";
            reading.wrong(&format!("-tournament {other}"), "there is no such kind", instead);
            listed("RR".to_owned())
        }
    }
}

/// Sets what follows a level tie. cutechess-cli plays on until it is decided.
fn knockout(reading: &mut Reading<'_>, engines: &Engines, event: &mut EventText) {
    let Some(control) = engines.control().map(ToString::to_string) else {
        reading.note("a level tie of the knockout waits for the arbiter, because the engines have different times");
        return;
    };
    let control = quoted(&control);
    let stage = format!("{{ kind = \"round-robin\", two = {control}, more = {control} }}");
    event.set("playoff.stages", format!("[{}]", vec![stage; PLAY_OFFS].join(", ")));
    reading.note(format!(
        "a level tie of the knockout is played off by up to {PLAY_OFFS} pairs of games, then the arbiter decides"
    ));
}

fn openings(reading: &mut Reading<'_>, engines: usize, is_random: bool, around: &Surroundings, event: &mut EventText) {
    let of_quick = reading.value("-quick", "book");
    let file = reading.value("-openings", "file").or(of_quick);
    let format = reading.value("-openings", "format");
    if let Some(format) = format.filter(|format| !matches!(*format, "epd" | "pgn")) {
        reading.wrong(
            &format!("-openings format={format}"),
            "there is no such format",
            "epd, pgn",
        );
    }
    let plies = reading.number_of("-openings", "plies", -1..=i64::from(i32::MAX));
    let start = reading.number_of("-openings", "start", 1..=i64::from(u32::MAX));
    let order = reading.value("-openings", "order");
    let usual = if of_quick.is_some() { "random" } else { "sequential" };
    match order {
        None | Some("random" | "sequential") => {}
        Some(order) => reading.wrong(
            &format!("-openings order={order}"),
            "there is no such order",
            "random, sequential",
        ),
    }
    let policy = policy(reading, engines);
    match file {
        Some(file) => {
            let of_name = kind_of(file);
            if of_name.is_none() && format.is_none() {
                reading.wrong_case(&format!("-openings file={file}"), "-openings", "a file");
            }
            event.set("mini_match.openings", quoted(file));
            if let Some(format) = format.filter(|format| of_name != Some(format)) {
                event.set("mini_match.opening_format", quoted(format));
            }
            event.set("mini_match.opening_order", quoted(order.unwrap_or(usual)));
            let kind = format.or(of_name);
            let is_of_moves = matches!(kind, Some("pgn" | "bin"));
            match plies {
                Some(0) => reading.wrong("-openings plies=0", "an opening has at least one ply", "`plies=N`"),
                Some(plies @ 1..=MOST_PLIES) if is_of_moves => event.set("mini_match.opening_plies", plies),
                _ if kind == Some("bin") => {
                    let why = "a Polyglot book is a tree of moves";
                    reading.wrong(&format!("-openings file={file}"), why, "`plies=8` beside it");
                }
                _ => {}
            }
            if let Some(start) = start {
                event.set("mini_match.opening_start", begun(start, around, reading));
            }
        }
        None => {
            if reading.has("-openings") {
                reading.wrong("-openings", "it names no file", "`-openings file=FILE`");
            }
            event.set(
                "mini_match.openings",
                quoted(if is_random { "chess960" } else { "none" }),
            );
            if is_random {
                event.set("mini_match.opening_order", quoted("random"));
            }
        }
    }
    if engines > 2 && (file.is_some() || is_random) {
        let comment = match policy {
            "event" => "every pairing plays the same openings",
            _ => "",
        };
        event.explain("mini_match.opening_policy", quoted(policy), comment);
    }
}

/// The number of the first opening. Beyond the last one it starts again from the first, as in both programs.
fn begun(start: i64, around: &Surroundings, reading: &mut Reading<'_>) -> i64 {
    let Some(count) = around
        .openings
        .map(i64::from)
        .filter(|count| (1..start).contains(count))
    else {
        return start;
    };
    let begun = (start - 1) % count + 1;
    reading.note(format!(
        "-openings start={start}: the file has {count} openings, so they begin again, with number {begun}"
    ));
    begun
}

/// Which pairings share openings, if there are more than two engines.
fn policy(reading: &mut Reading<'_>, engines: usize) -> &'static str {
    let policy = reading.value("-openings", "policy");
    match (policy, reading.dialect) {
        (Some("round"), Dialect::Cutechess) => "round",
        (Some("encounter"), _) => "mini-match",
        (None | Some("default" | "round"), _) => {
            if engines > 2 && reading.has("-openings") {
                reading.note("every pairing plays the same openings; in fastchess and cutechess-cli each has others");
            }
            "event"
        }
        (Some(other), _) => {
            let words = format!("-openings policy={other}");
            reading.wrong(&words, "there is no such policy", "default, encounter, round");
            "event"
        }
    }
}

/// The kind of a file of openings, by its name.
fn kind_of(file: &str) -> Option<&'static str> {
    let name = file.to_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    let kinds = ["epd", "fen", "pgn", "bin"];
    kinds
        .into_iter()
        .find(|kind| name.strip_suffix(kind).is_some_and(|rest| rest.ends_with('.')))
}

/// Sets the seed for the order of openings, even if none is given and it matters: the same words make the same match.
fn seed(reading: &mut Reading<'_>, event: &mut EventText) {
    match reading.last("-srand").map(|text| (text, text.parse::<u64>())) {
        Some((_, Ok(seed))) => event.set("event.rng_seed", seed),
        Some((text, Err(_))) => {
            let why = format!("expected a whole number up to {}", u64::MAX);
            reading.wrong(&format!("-srand {text}"), why, "");
        }
        None if event.is("mini_match.opening_order", &quoted("random")) => {
            event.explain("event.rng_seed", 1, "the order of openings; -srand gives another");
        }
        None => {}
    }
}
