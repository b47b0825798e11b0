//! Reports of fastchess.

use swiss_system::pairing::history::PairingNumber;
use swiss_system::word::Word as _;

use super::count::{Count, CountedPair, CountedPlayer, file_order};
use super::number::fixed;
use super::settings;
use crate::player_name;
use swissmatch_stats::pairs::{Pairs, Wdl};
use swissmatch_stats::printed::{PrintedFigures, percent, ratio};
use swissmatch_stats::sprt::{Sprt, Units, Verdict};
use swissmatch_tournament::log::SprtDecided;
use swissmatch_tournament::peer_lines::{PeerFormat, PeerOutput};
use swissmatch_tournament::state::State;

const RULE: &str = "--------------------------------------------------";
/// The words of fastchess for games lost on time.
const LOST_ON_TIME: &str = "Timeouts:";
/// Least width of names in a table.
const NAMES: usize = 25;

/// The line `Score of`, which only the lines of cutechess-cli have.
pub(super) fn score(wanted: &PeerOutput, state: &State, count: &Count, meeting: &CountedPair) -> Option<String> {
    let games = count.meeting(meeting.players);
    (wanted.lines == PeerFormat::FastchessAsCutechess).then(|| score_line(state, meeting.players, games))
}

fn score_line(state: &State, players: [PairingNumber; 2], games: Wdl) -> String {
    let [first, second] = players.map(|player| player_name(state, player));
    format!(
        "Score of {first} vs {second}: {} - {} - {}  [{}] {}",
        games.wins,
        games.losses,
        games.draws,
        fixed(PrintedFigures::of_games(&games).score, 3),
        games.games()
    )
}

/// The figures, at an interval.
pub(super) fn interval(wanted: &PeerOutput, state: &State, count: &Count) -> Vec<String> {
    let players = file_order(state);
    let figures = match (players.as_slice(), wanted.lines) {
        (&[first, second], PeerFormat::Fastchess) => of_two(wanted, state, count, [first, second]),
        (&[first, _], _) => vec![of_two_as_cutechess(&count.players[first.index()].games)],
        (all, _) => table(wanted, state, count, all),
    };
    let test = match (state.setup().sprt.test(), players.first()) {
        (Some(sprt), Some(first)) => {
            let of_first = &count.players[first.index()];
            Some(of_test(wanted, &sprt, &of_first.games, &of_first.pairs))
        }
        _ => None,
    };
    match wanted.lines {
        PeerFormat::Fastchess => {
            let mut lines = vec![RULE.to_owned()];
            lines.extend(figures.into_iter().chain(test));
            lines.push(RULE.to_owned());
            lines
        }
        _ => figures.into_iter().chain(test).collect(),
    }
}

fn of_two(wanted: &PeerOutput, state: &State, count: &Count, players: [PairingNumber; 2]) -> Vec<String> {
    let of_first = &count.players[players[0].index()];
    let (games, pairs) = (&of_first.games, &of_first.pairs);
    let [first, second] = players.map(|player| player_name(state, player));
    let printed = printed(wanted, games, pairs);
    let mut ratios = format!(
        "LOS: {} %, DrawRatio: {} %",
        fixed(printed.los * 100.0, 2),
        fixed(draws(wanted, games, pairs), 2)
    );
    if wanted.pairs {
        let ratio = ratio(pairs.wd + pairs.ww, pairs.ld + pairs.ll);
        ratios += &format!(", PairsRatio: {}", fixed(ratio, 2));
    }
    let mut lines = vec![
        format!("Results of {first} vs {second} ({}):", settings::of(state, players)),
        format!(
            "Elo: {}, nElo: {}",
            with_error(printed.elo, printed.elo_error),
            with_error(printed.nelo, printed.nelo_error)
        ),
        ratios,
        format!(
            "Games: {}, Wins: {}, Losses: {}, Draws: {}, Points: {} ({} %)",
            games.games(),
            games.wins,
            games.losses,
            games.draws,
            points(games),
            fixed(percent(2 * games.wins + games.draws, 2 * games.games()), 2)
        ),
    ];
    if wanted.pairs {
        lines.push(format!(
            "Ptnml(0-2): {}, WL/DD Ratio: {}",
            pentanomial(pairs),
            fixed(ratio(pairs.wl, pairs.dd), 2)
        ));
    }
    lines
}

fn of_two_as_cutechess(games: &Wdl) -> String {
    let printed = PrintedFigures::of_games(games);
    format!(
        "Elo difference: {}, LOS: {} %, DrawRatio: {} %",
        with_error(printed.elo, printed.elo_error),
        fixed(printed.los * 100.0, 2),
        fixed(percent(games.draws, games.games()), 2)
    )
}

/// All players, the strongest first.
fn table(wanted: &PeerOutput, state: &State, count: &Count, players: &[PairingNumber]) -> Vec<String> {
    let has_pairs = wanted.lines == PeerFormat::Fastchess;
    let mut rows: Vec<(String, PrintedFigures, &CountedPlayer)> = players
        .iter()
        .map(|player| {
            let of_player = &count.players[player.index()];
            let printed = printed(wanted, &of_player.games, &of_player.pairs);
            (player_name(state, *player), printed, of_player)
        })
        .collect();
    // Players without a number come last.
    let key = |elo: f64| if elo.is_nan() { f64::NEG_INFINITY } else { elo };
    rows.sort_by(|one, other| {
        let (one, other) = (one.1.elo, other.1.elo);
        one.is_nan().cmp(&other.is_nan()).then(key(other).total_cmp(&key(one)))
    });
    let width = rows
        .iter()
        .map(|(name, ..)| name.chars().count())
        .max()
        .unwrap_or(0)
        .max(NAMES);
    let mut head = format!(
        "{:<4} {:<width$} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}",
        "Rank", "Name", "Elo", "+/-", "nElo", "+/-", "Games", "Score", "Draw"
    );
    if has_pairs {
        head += &format!(" {:>20}", "Ptnml(0-2)");
    }
    let mut lines = vec![head];
    for (rank, (name, printed, of_player)) in (1..).zip(&rows) {
        let (games, pairs) = (&of_player.games, &of_player.pairs);
        let [elo, elo_error, nelo, nelo_error] =
            [printed.elo, printed.elo_error, printed.nelo, printed.nelo_error].map(|figure| fixed(figure, 2));
        let score = fixed(percent(2 * games.wins + games.draws, 2 * games.games()), 1);
        let mut line = format!(
            "{rank:>4} {name:<width$} {elo:>10} {elo_error:>10} {nelo:>10} {nelo_error:>10} {:>10} {score:>9}% {:>9}%",
            games.games(),
            fixed(draws(wanted, games, pairs), 1),
        );
        if has_pairs {
            let pairs = if wanted.pairs {
                pentanomial(pairs)
            } else {
                String::new()
            };
            line += &format!(" {pairs:>20}");
        }
        lines.push(line);
    }
    lines
}

fn of_test(wanted: &PeerOutput, sprt: &Sprt, games: &Wdl, pairs: &Pairs) -> String {
    // What the event's test counts is what fastchess would count here.
    let llr = match sprt.counts {
        Units::Pentanomial => sprt.of_pairs(pairs),
        Units::Trinomial => sprt.of_games(games),
    };
    let [lower, upper] = sprt.bounds();
    let way = llr / if llr < 0.0 { lower } else { upper } * 100.0;
    match wanted.lines {
        PeerFormat::Fastchess => format!(
            "LLR: {} ({}%) ({}, {}) {}",
            fixed(llr, 2),
            // With the sign of the bound that it is moving towards.
            fixed(way.copysign(llr), 1),
            fixed(lower, 2),
            fixed(upper, 2),
            hypotheses(sprt)
        ),
        _ => {
            let accepted = match sprt.verdict(llr) {
                Some(verdict) => format!(" - {} was accepted", verdict.word()),
                None => String::new(),
            };
            format!(
                "SPRT: llr {} ({}%), lbound {}, ubound {}{accepted}",
                fixed(llr, 2),
                fixed(way, 1),
                fixed(lower, 2),
                fixed(upper, 2)
            )
        }
    }
}

fn hypotheses(sprt: &Sprt) -> String {
    format!("[{}, {}]", fixed(sprt.elo0.value(), 2), fixed(sprt.elo1.value(), 2))
}

/// The lines of a verdict: the figures that it rests on, and what was accepted.
pub(super) fn verdict(wanted: &PeerOutput, state: &State, count: &Count, decided: &SprtDecided) -> Vec<String> {
    let mut lines = Vec::new();
    if let (&[first, second], PeerFormat::FastchessAsCutechess) = (file_order(state).as_slice(), wanted.lines) {
        lines.push(score_line(state, [first, second], count.meeting([first, second])));
    }
    lines.extend(interval(wanted, state, count));
    lines.push(match (wanted.lines, state.setup().sprt.test(), decided.verdict) {
        (PeerFormat::Fastchess, Some(sprt), Verdict::H0 | Verdict::H1) => {
            let accepted = decided.verdict.word();
            format!("SPRT ({}) completed - {accepted} was accepted", hypotheses(&sprt))
        }
        _ => "Tournament finished".to_owned(),
    });
    lines
}

/// Players who lost games by the clock or by their process; empty if nobody did.
pub(super) fn faults(state: &State, faults: &[[u64; 2]]) -> Vec<String> {
    let mut lines = Vec::new();
    for player in file_order(state) {
        let [late, crashed] = faults[player.index()];
        if late + crashed > 0 {
            lines.push(format!("Player: {}", player_name(state, player)));
            lines.push(format!("  {LOST_ON_TIME} {late}"));
            lines.push(format!("  Crashed: {crashed}"));
        }
    }
    if !lines.is_empty() {
        lines.insert(0, String::new());
        lines.push(String::new());
    }
    lines
}

fn printed(wanted: &PeerOutput, games: &Wdl, pairs: &Pairs) -> PrintedFigures {
    match wanted.pairs {
        true => PrintedFigures::of_pairs(pairs),
        false => PrintedFigures::of_games(games),
    }
}

fn draws(wanted: &PeerOutput, games: &Wdl, pairs: &Pairs) -> f64 {
    match wanted.pairs {
        true => percent(pairs.wl + pairs.dd, pairs.count()),
        false => percent(games.draws, games.games()),
    }
}

fn with_error(figure: f64, error: f64) -> String {
    format!("{} +/- {}", fixed(figure, 2), fixed(error, 2))
}

/// Points in halves.
fn points(games: &Wdl) -> String {
    let halves = 2 * games.wins + games.draws;
    format!("{}.{}", halves / 2, 5 * (halves % 2))
}

fn pentanomial(pairs: &Pairs) -> String {
    let counts = pairs.pentanomial().map(|count| count.to_string());
    format!("[{}]", counts.join(", "))
}
