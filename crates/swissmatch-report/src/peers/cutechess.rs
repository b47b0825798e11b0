//! Reports of cutechess-cli.

use super::count::{Count, CountedPlayer, file_order};
use super::number::{fixed, general};
use crate::player_name;
use swissmatch_game::Side;
use swissmatch_stats::pairs::Wdl;
use swissmatch_stats::printed::{PrintedFigures, percent, ratio};
use swissmatch_stats::sprt::{Units, Verdict};
use swissmatch_tournament::state::State;

/// The score of two players after a game.
pub(super) fn score(state: &State, count: &Count) -> Vec<String> {
    let &[first, second] = file_order(state).as_slice() else {
        return Vec::new();
    };
    let games = all_games(&count.players[first.index()]);
    vec![format!(
        "Score of {} vs {}: {}",
        player_name(state, first),
        player_name(state, second),
        counts(&games)
    )]
}

/// `2 - 1 - 1  [0.625] 4`
fn counts(games: &Wdl) -> String {
    let [wins, losses, draws] = [games.wins, games.losses, games.draws];
    format!(
        "{wins} - {losses} - {draws}  [{}] {}",
        fixed(share(games), 3),
        games.games()
    )
}

fn share(games: &Wdl) -> f64 {
    ratio(2 * games.wins + games.draws, 2 * games.games())
}

fn all_games(of_player: &CountedPlayer) -> Wdl {
    let [white, black] = of_player.sides;
    sum(white, black)
}

const fn sum(one: Wdl, other: Wdl) -> Wdl {
    Wdl {
        wins: one.wins + other.wins,
        draws: one.draws + other.draws,
        losses: one.losses + other.losses,
    }
}

/// The figures of two players, or a table of more, with the test.
pub(super) fn ranking(state: &State, count: &Count) -> Vec<String> {
    let players = file_order(state);
    let mut lines = match players.as_slice() {
        &[first, _] => {
            let of_first = &count.players[first.index()];
            of_two(&player_name(state, first), of_first)
        }
        _ => {
            let mut rows: Vec<(String, Wdl)> = players
                .iter()
                .map(|player| (player_name(state, *player), all_games(&count.players[player.index()])))
                .collect();
            // Players without a game come last, the others by score.
            let key = |games: &Wdl| if games.games() == 0 { -1.0 } else { share(games) };
            rows.sort_by(|one, other| key(&other.1).total_cmp(&key(&one.1)));
            table(&rows)
        }
    };
    if let (Some(sprt), Some(first)) = (state.setup().sprt.test(), players.first()) {
        let of_first = &count.players[first.index()];
        let decided = state.verdict();
        let llr = decided.map_or_else(
            || match sprt.counts {
                Units::Pentanomial => sprt.of_pairs(&of_first.pairs),
                Units::Trinomial => sprt.of_games(&of_first.games),
            },
            |decided| decided.llr.value(),
        );
        let [lower, upper] = sprt.bounds();
        let accepted = match decided.map(|decided| decided.verdict) {
            Some(Verdict::H0) => " - H0 was accepted",
            Some(Verdict::H1) => " - H1 was accepted",
            Some(Verdict::Neither) | None => "",
        };
        lines.push(format!(
            "SPRT: llr {} ({}%), lbound {}, ubound {}{accepted}",
            general(llr, 3),
            fixed(llr / upper * 100.0, 1),
            general(lower, 3),
            general(upper, 3)
        ));
    }
    lines
}

fn of_two(name: &str, of_first: &CountedPlayer) -> Vec<String> {
    let [white, black] = of_first.sides;
    let mut lines = Vec::new();
    for (side, games) in Side::BOTH.into_iter().zip([white, black]) {
        if games.games() > 0 {
            lines.push(format!("...      {name} playing {}: {}", side.name(), counts(&games)));
        }
    }
    let all = sum(white, black);
    if all.games() > 0 {
        let of_white = sum(white, black.of_the_other());
        lines.push(format!("...      White vs Black: {}", counts(&of_white)));
    }
    let printed = PrintedFigures::of_cutechess(&all);
    lines.push(format!(
        "Elo difference: {} +/- {}, LOS: {} %, DrawRatio: {} %",
        fixed(printed.elo, 1),
        fixed(printed.elo_error, 1),
        fixed(printed.los * 100.0, 1),
        fixed(percent(all.draws, all.games()), 1)
    ));
    lines
}

fn table(rows: &[(String, Wdl)]) -> Vec<String> {
    let head = format!(
        "{:>4} {:<25} {:>7} {:>7} {:>7} {:>7} {:>7} ",
        "Rank", "Name", "Elo", "+/-", "Games", "Score", "Draw"
    );
    let rows = (1..).zip(rows).map(|(rank, (name, games))| {
        let printed = PrintedFigures::of_cutechess(games);
        format!(
            "{rank:>4} {name:<25} {:>7} {:>7} {:>7} {:>6}% {:>6}% ",
            fixed(printed.elo, 0),
            fixed(printed.elo_error, 0),
            games.games(),
            fixed(share(games) * 100.0, 1),
            fixed(percent(games.draws, games.games()), 1)
        )
    });
    std::iter::once(head).chain(rows).chain([String::new()]).collect()
}

/// How the games of each player ended, and how often.
pub(super) fn outcomes(state: &State, count: &Count) -> Vec<String> {
    let mut lines = Vec::new();
    for player in file_order(state) {
        if lines.is_empty() {
            lines.push(String::new());
        }
        lines.push(format!("Player: {}", player_name(state, player)));
        let outcomes = count.players[player.index()].outcomes.iter();
        lines.extend(outcomes.map(|(why, games)| format!("   \"{why}\": {games}")));
    }
    lines
}
