//! The sentences below the table of ratings.
//!
//! May not: compute what they say.

use swiss_system::count;

use super::{RatingList, RatingListRow, elo};
use swissmatch_game::pgn_results::NameId;
use swissmatch_stats::rating::fitted::{AT_95, Parameter, ParameterSource, Value};
use swissmatch_stats::rating::model::RatingModel;
use swissmatch_stats::rating::{ENOUGH, Errors, Origin};
use swissmatch_tournament::collected::Collection;

/// Most names that are listed.
const LISTED: usize = 20;
/// Ratings that move less are not listed, in Elo.
pub(super) const MOVES: f64 = 0.5;

/// All sentences, each a line.
pub(super) fn notes(rated: &RatingList<'_>) -> Vec<String> {
    let mut notes = vec![model(rated), white(rated), draws(rated)];
    notes.extend(errors(rated));
    notes.extend(groups(rated));
    notes.extend(left_out(rated.collection, rated.asked.leave_out_faults));
    notes.extend(faults(rated));
    notes.extend(duplicates(rated.collection));
    let ambiguous = rated.collection.ambiguous();
    if !ambiguous.is_empty() {
        notes.push(format!(
            "Different programs with one name in several runs, rated as one player: {}.",
            listed(&ambiguous)
        ));
    }
    notes.extend(two(rated));
    notes
}

/// Sentences on the games that do not count.
pub(super) fn left_out(collection: &Collection, without_faults: bool) -> Vec<String> {
    let left_out = collection.left_out();
    let faulty = if without_faults { collection.faulty_games() } else { 0 };
    let kinds = [
        (left_out.unfinished, "unfinished"),
        (left_out.unusable, "unusable"),
        (left_out.annulled, "annulled"),
        (left_out.lost_by_both, "lost by both players"),
        (left_out.not_played, "forfeited without being played"),
        (faulty, "ended by a fault"),
    ];
    let kinds: Vec<String> = (kinds.iter().filter(|(games, _)| *games > 0))
        .map(|(games, kind)| format!("{games} {kind}"))
        .collect();
    let mut lines = Vec::new();
    if !kinds.is_empty() {
        lines.push(format!("Games left out: {}.", kinds.join(", ")));
    }
    for unusable in collection.unusable() {
        lines.push(format!("{}, {}", unusable.file, unusable.game));
    }
    if left_out.of_runs > 0 {
        lines.push(format!(
            "Games of files that are games of a run given too, and count once: {}.",
            left_out.of_runs
        ));
    }
    if left_out.taken > 0 {
        lines.push(format!(
            "Games that a run took from another one, and count once: {}.",
            left_out.taken
        ));
    }
    let more = left_out.unusable - collection.unusable().len() as u64;
    if more > 0 {
        lines.push(format!("And {more} more that cannot be used."));
    }
    lines
}

pub(super) const fn model_word(model: RatingModel) -> &'static str {
    match model {
        RatingModel::Davidson => "davidson",
        RatingModel::RaoKupper => "rao-kupper",
        RatingModel::Halves => "halves",
    }
}

pub(super) const fn errors_word(errors: Errors) -> &'static str {
    match errors {
        Errors::ByCount => "auto",
        Errors::Model => "model",
        Errors::Games => "games",
        Errors::Pairs => "pairs",
        Errors::Resampled { .. } => "resampled",
    }
}

pub(super) const fn source_word(source: ParameterSource) -> &'static str {
    match source {
        ParameterSource::Estimated => "estimated",
        ParameterSource::Given => "given",
        ParameterSource::NotTold => "not-told",
        ParameterSource::NoMaximum => "no-maximum",
        ParameterSource::NoDraws => "no-draws",
    }
}

fn model(rated: &RatingList<'_>) -> String {
    let model = match rated.fit.model {
        RatingModel::Davidson => "Davidson's",
        RatingModel::RaoKupper => "Rao and Kupper's",
        RatingModel::Halves => "a draw is half a win",
    };
    let zero = match &rated.asked.options.origin {
        Origin::Average { value, .. } => format!("the average of a group is {}", elo(*value)),
        Origin::Anchors(_) => "anchors are as given".to_owned(),
    };
    let prior = match rated.asked.options.prior_draws {
        0.0 => String::new(),
        draws => format!("; each player is taken to have {draws} draws more"),
    };
    format!("Model: {model}; ratings in Elo, {zero}{prior}.")
}

/// A value with half of its 95 % interval.
fn with_error(parameter: Parameter, unit: &str, factor: f64) -> String {
    let value = elo(parameter.value * factor);
    match parameter.error {
        Some(error) => format!("{value} ± {:.1} {unit}", error * AT_95 * factor),
        None => format!("{value} {unit}"),
    }
}

fn white(rated: &RatingList<'_>) -> String {
    let white = rated.fit.white;
    let value = with_error(white, "Elo", 1.0);
    match white.source {
        ParameterSource::Estimated => format!("White's advantage: {value}."),
        ParameterSource::Given => format!("White's advantage: {value}, given."),
        ParameterSource::NotTold => {
            "White's advantage is taken as none: strengths explain the games as well.".to_owned()
        }
        ParameterSource::NoMaximum | ParameterSource::NoDraws => {
            "White's advantage is taken as none: no finite one is the likeliest.".to_owned()
        }
    }
}

fn draws(rated: &RatingList<'_>) -> String {
    let draw = rated.fit.draw;
    let value = with_error(draw, "%", 100.0);
    match draw.source {
        ParameterSource::Estimated | ParameterSource::NotTold => format!("Draws between equals: {value}."),
        ParameterSource::Given => format!("Draws between equals: {value}, given."),
        ParameterSource::NoMaximum => {
            format!("Draws between equals: {value}, about as many as were played: no share is the likeliest.")
        }
        ParameterSource::NoDraws => "There are no draws, and none are expected.".to_owned(),
    }
}

/// A sentence on where errors come from; `None` without errors.
fn errors(rated: &RatingList<'_>) -> Option<String> {
    let alike = rated
        .are_alike()
        .then(|| "The game pairs do not differ, so ratings have no error.".to_owned());
    let of_ratings = rated
        .rows
        .iter()
        .any(|row| matches!(row.value, Value::Estimate(_, Some(_))));
    let of_all = [rated.fit.white, rated.fit.draw]
        .iter()
        .any(|parameter| parameter.error.is_some());
    let by = (of_ratings || of_all).then(|| errors_by(rated));
    let all: Vec<String> = alike.into_iter().chain(by).collect();
    (!all.is_empty()).then(|| all.join(" "))
}

fn errors_by(rated: &RatingList<'_>) -> String {
    let asked = rated.asked.options.errors;
    let by = match rated.fit.errors_by {
        Errors::Pairs | Errors::ByCount => "from the spread of game pairs",
        Errors::Model => "from the model",
        Errors::Games => "from the spread of single games",
        Errors::Resampled { samples, seed } => {
            return format!(
                "± is half of a 95 % interval, from {samples} fits to games and pairs drawn anew (seed {seed})."
            );
        }
    };
    let why = match (asked, rated.fit.errors_by) {
        (Errors::ByCount, Errors::Pairs) => {
            format!(", as every player has at least {ENOUGH} (games without a pair count as one each)")
        }
        (Errors::ByCount, _) => format!(
            ", as a player has fewer than {ENOUGH} game pairs (games without a pair count as one each), or pairs do not differ"
        ),
        _ => String::new(),
    };
    format!("± is half of a 95 % interval, {by}{why}.")
}

/// Sentences on players who cannot be compared, and why.
fn groups(rated: &RatingList<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    if rated.groups > 1 {
        lines.push(format!(
            "No games connect the {} groups: ratings of different groups cannot be compared.",
            rated.groups
        ));
    }
    let of = |is_such: &dyn Fn(&RatingListRow) -> bool| -> Vec<String> {
        let such = rated.rows.iter().filter(|row| is_such(row));
        such.map(|row| rated.names[row.player].clone()).collect()
    };
    let above = of(&|row| matches!(row.value, Value::AtLeast(_)));
    if !above.is_empty() {
        lines.push(format!(
            "Scored all against those below, which has no upper bound; ≥ is the lower one, with 95 % confidence: {}.",
            listed(&above)
        ));
    }
    let below = of(&|row| matches!(row.value, Value::AtMost(_)));
    if !below.is_empty() {
        lines.push(format!(
            "Scored nothing against those above, which has no lower bound; ≤ is the upper one, with 95 % confidence: {}.",
            listed(&below)
        ));
    }
    let unknown = of(&|row| matches!(row.value, Value::Unknown));
    if !unknown.is_empty() {
        lines.push(format!("Nothing compares these with the others: {}.", listed(&unknown)));
    }
    lines
}

fn faults(rated: &RatingList<'_>) -> Vec<String> {
    let collection = rated.collection;
    if collection.faulty_games() == 0 {
        return Vec::new();
    }
    let number = |row: &RatingListRow| -> (NameId, u64) {
        let id = rated.ids[row.player];
        (id, collection.faults_of(id))
    };
    let by_player: Vec<String> = (rated.rows.iter().map(|row| (row, number(row).1)))
        .filter(|(_, games)| *games > 0)
        .map(|(row, games)| format!("{} {games}", rated.names[row.player]))
        .collect();
    let by = match by_player.is_empty() {
        true => String::new(),
        false => format!(", by {}", listed(&by_player)),
    };
    let all = count::of(collection.faulty_games(), "game", "games");
    let mut lines = vec![format!("Ended by a fault: {all}{by}.")];
    match rated.moved() {
        Some(Ok(moved)) => {
            let far: Vec<String> = (moved.iter().filter(|(_, by)| by.abs() > MOVES))
                .map(|(player, by)| format!("{} {by:+.1}", rated.names[*player]))
                .collect();
            lines.push(match far.is_empty() {
                true => format!("Without them no rating moves by more than {MOVES} Elo."),
                false => format!("Without them ratings move: {}.", listed(&far)),
            });
        }
        Some(Err(refused)) => lines.push(match rated.asked.leave_out_faults {
            true => format!("With them nobody is rated: {refused}."),
            false => format!("Without them nobody is rated: {refused}."),
        }),
        None => {}
    }
    lines
}

fn duplicates(collection: &Collection) -> Option<String> {
    let duplicates = collection.duplicates();
    (duplicates > 0).then(|| {
        let repeat = count::of(duplicates, "game repeats", "games repeat");
        let count = if duplicates == 1 { "counts" } else { "count" };
        format!("{repeat} an earlier one of the same players move by move, and {count} all the same.")
    })
}

fn two(rated: &RatingList<'_>) -> Vec<String> {
    let Some([games, pairs]) = rated.two().filter(|_| rated.rows.len() == 2) else {
        return Vec::new();
    };
    // Each figure appears once: if all games are in pairs, only those of the pairs do.
    let counts = [Some(games).filter(|games| games.games() != pairs.games()), Some(pairs)];
    let [one, other] = [0, 1].map(|row: usize| &rated.names[rated.rows[row].player]);
    let lines = counts.iter().flatten().filter_map(|counts| counts.line());
    lines.map(|line| format!("{one} – {other}: {line}.")).collect()
}

/// The first few of a list, and how many more there are.
fn listed(all: &[String]) -> String {
    match all.len() > LISTED {
        true => format!("{} and {} more", all[..LISTED].join(", "), all.len() - LISTED),
        false => all.join(", "),
    }
}
