//! How games and the match end: adjudication, the cap on moves, tablebases, limits of engines, the sequential test.
//!
//! May not: look for tablebases.

use super::reading::Reading;
use crate::match_words::Dialect;
use crate::match_words::event::EventText;
use crate::value::quoted;
use swissmatch_stats::sprt::Decimal;

/// Most centipawns, and most moves in a row.
const MOST_SCORE: i64 = 100_000;
const MOST_COUNT: i64 = 1000;
/// Highest number of a move before which no draw is adjudicated, and longest game in moves.
const MOST_NUMBER: i64 = 10_000;
const MOST_MOVES: i64 = 100_000;
/// Most milliseconds of a limit.
const MOST_LIMIT: i64 = 86_400_000;
/// Centipawns within which `-quick` adjudicates draws.
const SCORE_OF_QUICK: i64 = 8;
/// Probability of wrong verdicts if none is given.
const SHARE: &str = "0.05";

/// Reads how games end.
pub(super) fn read(reading: &mut Reading<'_>, engines: usize, event: &mut EventText) {
    draw(reading, event);
    resign(reading, event);
    longest(reading, event);
    tablebases(reading, event);
    limits(reading, event);
    if reading.has("-sprt") {
        sprt(reading, engines, event);
    }
}

/// Whether these words must be given: cutechess-cli has no default for them.
fn needs(reading: &mut Reading<'_>, option: &str, keys: &[&str]) -> bool {
    let missing: Vec<&str> = keys
        .iter()
        .copied()
        .filter(|key| reading.value(option, key).is_none())
        .collect();
    let is_needed = reading.dialect == Dialect::Cutechess && !missing.is_empty();
    if is_needed {
        reading.wrong(option, format!("missing: {}", missing.join(", ")), "");
    }
    is_needed
}

fn draw(reading: &mut Reading<'_>, event: &mut EventText) {
    let of_quick = reading.has("-quick");
    if !reading.has("-draw") && !of_quick {
        return;
    }
    if !of_quick && needs(reading, "-draw", &["movenumber", "movecount", "score"]) {
        return;
    }
    let (number, count, score) = if of_quick { (30, 8, SCORE_OF_QUICK) } else { (0, 1, 0) };
    let mut given = |key, range, usual| match reading.value("-draw", key) {
        Some(_) => reading.number_of("-draw", key, range),
        None => Some(usual),
    };
    let number = given("movenumber", 0..=MOST_NUMBER, number);
    let count = given("movecount", 1..=MOST_COUNT, count);
    let score = given("score", 0..=MOST_SCORE, score);
    let Some(((number, count), score)) = number.zip(count).zip(score) else {
        return;
    };
    if number == 0 && reading.dialect == Dialect::Cutechess {
        reading.note("-draw movenumber=0 is no adjudication of draws, as in cutechess-cli");
        return;
    }
    event.set("adjudication.draw_score", score);
    event.set("adjudication.draw_moves", count);
    event.set("adjudication.draw_from_move", number.max(1));
}

fn resign(reading: &mut Reading<'_>, event: &mut EventText) {
    if !reading.has("-resign") || needs(reading, "-resign", &["movecount", "score"]) {
        return;
    }
    let is_cutechess = reading.dialect == Dialect::Cutechess;
    let least = if is_cutechess { 0 } else { 1 };
    let count = match reading.value("-resign", "movecount") {
        Some(_) => reading.number_of("-resign", "movecount", least..=MOST_COUNT),
        None => Some(1),
    };
    let score = match reading.value("-resign", "score") {
        Some(_) => reading.number_of("-resign", "score", 1..=MOST_SCORE),
        None => {
            reading.wrong(
                "-resign",
                "without a score every side that is not ahead would resign",
                "`-resign score=600`",
            );
            None
        }
    };
    let two_sided = reading.switch("-resign", "twosided").unwrap_or(false);
    let Some((count, score)) = count.zip(score) else { return };
    if count == 0 {
        reading.note("-resign movecount=0 is no adjudication of resignations, as in cutechess-cli");
        return;
    }
    let level = reading
        .value("-draw", "score")
        .and_then(|level| level.parse::<i64>().ok());
    let level = level.or(reading.has("-quick").then_some(SCORE_OF_QUICK));
    if level.is_some_and(|level| level >= score) {
        let words = format!("-resign score={score}");
        reading.wrong(
            &words,
            "the same score would count both as level and as lost",
            "a score above that of -draw",
        );
    }
    event.set("adjudication.resign_score", score);
    event.set("adjudication.resign_moves", count);
    event.set("adjudication.resign_two_sided", two_sided);
}

fn longest(reading: &mut Reading<'_>, event: &mut EventText) {
    let least = if reading.dialect == Dialect::Cutechess { 0 } else { 1 };
    match reading.number("-maxmoves", least..=MOST_MOVES) {
        None | Some(0) => {}
        Some(moves) => event.set("game.max_moves", moves),
    }
}

fn tablebases(reading: &mut Reading<'_>, event: &mut EventText) {
    let men = reading.number("-tbpieces", 3..=7);
    let which = match reading.last("-tbadjudicate") {
        None => None,
        Some("BOTH") => Some("win-draw"),
        Some("WIN_LOSS") => Some("win"),
        Some("DRAW") => Some("draw"),
        Some(other) => {
            reading.wrong(&format!("-tbadjudicate {other}"), "expected BOTH, WIN_LOSS or DRAW", "");
            None
        }
    };
    let Some(paths) = reading.last("-tb") else {
        for option in ["-tbpieces", "-tbignore50", "-tbadjudicate"] {
            if reading.has(option) {
                reading.note(format!("{option} does nothing without -tb"));
            }
        }
        return;
    };
    let paths: Vec<String> = paths
        .split([':', ';'])
        .filter(|path| !path.is_empty())
        .map(quoted)
        .collect();
    if paths.is_empty() {
        reading.wrong("-tb", "it names no directory", "`-tb DIR`");
        return;
    }
    event.set("adjudication.tablebases", format!("[{}]", paths.join(", ")));
    match men {
        Some(men) => event.set("adjudication.tablebase_men", men),
        None => {
            event.set("adjudication.tablebase_men", 5);
            reading.note("without -tbpieces positions of up to 5 men are looked up, whichever tables are there");
        }
    }
    if reading.has("-tbignore50") {
        event.set("adjudication.tablebase_rule50", false);
    }
    if let Some(which) = which {
        event.set("adjudication.tablebase_adjudicate", quoted(which));
    }
}

fn limits(reading: &mut Reading<'_>, event: &mut EventText) {
    let keys = [
        ("-startup-ms", "engine.start_limit"),
        ("-ucinewgame-ms", "engine.ready_limit"),
        ("-ping-ms", "engine.step_limit"),
    ];
    for (option, key) in keys {
        if let Some(limit) = reading.number(option, 1..=MOST_LIMIT) {
            event.set(key, quoted(&format!("{limit}ms")));
        }
    }
}

fn sprt(reading: &mut Reading<'_>, engines: usize, event: &mut EventText) {
    if engines > 2 {
        reading.refuse_case(
            &format!("-sprt {}", reading.words("-sprt").join(" ")),
            "-sprt",
            "more than two",
        );
        return;
    }
    if needs(reading, "-sprt", &["elo0", "elo1", "alpha", "beta"]) {
        return;
    }
    let mut decimal = |key: &str, usual: &str| {
        let text = reading.value("-sprt", key).unwrap_or(usual);
        let read = text.parse::<Decimal>().ok();
        if read.is_none() {
            reading.wrong(
                &format!("-sprt {key}={text}"),
                "expected a number such as 0.05, at most six digits after the point",
                "",
            );
        }
        read
    };
    let (elo0, elo1) = (decimal("elo0", "0"), decimal("elo1", "0"));
    let (alpha, beta) = (decimal("alpha", SHARE), decimal("beta", SHARE));
    let (Some(elo0), Some(elo1), Some(alpha), Some(beta)) = (elo0, elo1, alpha, beta) else {
        return;
    };
    let words = format!("-sprt {}", reading.words("-sprt").join(" "));
    if elo0 >= elo1 {
        reading.wrong(&words, "elo0 must be below elo1", "");
    }
    let (nothing, all) = (Decimal::ZERO, Decimal::ONE);
    if alpha <= nothing || beta <= nothing || alpha.plus(beta) >= all {
        reading.wrong(&words, "alpha and beta are shares above 0, together below 1", "");
    }
    for key in ["alpha", "beta"] {
        if reading.value("-sprt", key).is_none() {
            reading.note(format!("-sprt without {key}: {SHARE}"));
        }
    }
    let model = reading.value("-sprt", "model").unwrap_or("normalized");
    if !matches!(model, "normalized" | "logistic" | "bayesian") {
        reading.wrong(
            &format!("-sprt model={model}"),
            "there is no such model",
            "normalized, logistic, bayesian",
        );
    }
    for (key, value) in [("elo0", elo0), ("elo1", elo1), ("alpha", alpha), ("beta", beta)] {
        event.set(&format!("sprt.{key}"), value);
    }
    event.set("sprt.model", quoted(model));
    let is_of_pairs = match reading.dialect {
        Dialect::Cutechess => model != "bayesian",
        Dialect::Fastchess | Dialect::Own => reading.counts_pairs(),
    };
    let counts = if is_of_pairs { "pentanomial" } else { "trinomial" };
    event.set("sprt.counts", quoted(counts));
    if reading.dialect == Dialect::Cutechess {
        reading.note(format!(
            "cutechess-cli would compute another LLR: it counts single games, by BayesElo scaled to Elo; here it is the model \
             {model}, {counts}"
        ));
    }
}
