//! Two runs of the same agents side by side: rules, standings, pairs, games, faults and times.
//!
//! May not: say that one run is right; read files. Players are matched by name alone, games by White, Black and the number of their meeting
//! so far.

use std::collections::BTreeMap;

use serde::Serialize;
use swiss_system::count;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::score::Points;
use swiss_system::word::Word as _;

use super::table::{Column, Page, Table, folded};
use super::untrusted::{event, name};
use swissmatch_game::Side;
use swissmatch_game::termination::Outcome;
use swissmatch_tournament::ranking::standings_after;
use swissmatch_tournament::state::{EndedGame, State};

/// A key whose value differs between two runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KeyDifference {
    /// As `table.name`.
    pub key: String,
    /// Both values as event files have them; `None` where the key is not set.
    pub values: [Option<String>; 2],
}

#[derive(Serialize)]
pub struct Comparison {
    schema: u32,
    runs: [ComparedRun; 2],
    keys: Vec<KeyDifference>,
    agents: Agents,
    players: Vec<ComparedPlayer>,
    pairs: Vec<ComparedPair>,
    games: GamesComparison,
}

#[derive(Serialize)]
struct ComparedRun {
    event: String,
    rounds_over: usize,
    rounds: u32,
    games: usize,
}

/// Whether the players of both runs are played by the same files.
#[derive(Serialize)]
struct Agents {
    /// Players of one run alone.
    only_in: [Vec<String>; 2],
    same_files: usize,
    /// Players whose files, commands or options differ.
    differ: Vec<String>,
    /// Players whose files are unknown in at least one run.
    unknown: Vec<String>,
}

/// A player of both runs.
#[derive(Serialize)]
struct ComparedPlayer {
    player: String,
    places: [Option<u32>; 2],
    points: [Option<Points>; 2],
    game_points: [Option<Points>; 2],
    faults: [u32; 2],
    /// Mean thinking time of a move, in microseconds; `None` without a move.
    move_us: [Option<u64>; 2],
}

/// Two players who have played each other in both runs, and the first one's score.
#[derive(Serialize)]
struct ComparedPair {
    players: [String; 2],
    games: [u32; 2],
    scores: [Points; 2],
}

#[derive(Serialize)]
struct GamesComparison {
    /// Games of both runs.
    in_both: usize,
    /// Games of both runs with the same result.
    same_result: usize,
    /// Games of both runs with the same moves.
    same_moves: usize,
    /// Games whose result differs.
    differing: Vec<Differing>,
}

#[derive(Serialize)]
struct Differing {
    white: String,
    black: String,
    ids: [String; 2],
    results: [&'static str; 2],
}

/// Compares two runs; `keys` has the keys that differ.
pub fn compare(states: [&State; 2], keys: Vec<KeyDifference>) -> Comparison {
    let run = |state: &State| ComparedRun {
        event: event(state),
        rounds_over: state.rounds_over(),
        rounds: state.created().rounds,
        games: state.finished_games().count(),
    };
    let both = in_both(states);
    Comparison {
        schema: 1,
        runs: states.map(run),
        keys,
        agents: agents(states, &both),
        players: players(states, &both),
        pairs: pairs(states, &both),
        games: games(states),
    }
}

/// The numbers of the players of both runs, in order of the first run.
fn in_both([one, other]: [&State; 2]) -> Vec<[PairingNumber; 2]> {
    let called = |number| (other.player(number).name.as_str(), number);
    let others: BTreeMap<&str, PairingNumber> = other.numbers().map(called).collect();
    let pairs = one
        .numbers()
        .filter_map(|number| Some([number, *others.get(one.player(number).name.as_str())?]));
    pairs.collect()
}

fn agents(states: [&State; 2], both: &[[PairingNumber; 2]]) -> Agents {
    let only_in = [0, 1].map(|at| {
        let alone = states[at]
            .numbers()
            .filter(|number| both.iter().all(|pair| pair[at] != *number));
        alone.map(|number| name(states[at], number)).collect()
    });
    let (mut same_files, mut differ, mut unknown) = (0, Vec::new(), Vec::new());
    for pair in both {
        let of = |at: usize| {
            let state: &State = states[at];
            let created = state.created();
            let (files, player) = (
                &created.agents[created.order[pair[at].index()]].files,
                state.player(pair[at]),
            );
            let hashes: Vec<&str> = files.iter().map(|file| file.sha256.as_str()).collect();
            (hashes, &player.args, state.setup().options(player))
        };
        let [one, other] = [of(0), of(1)];
        let called = name(states[0], pair[0]);
        match (one.0.is_empty() || other.0.is_empty(), one == other) {
            (true, _) => unknown.push(called),
            (false, true) => same_files += 1,
            (false, false) => differ.push(called),
        }
    }
    Agents {
        only_in,
        same_files,
        differ,
        unknown,
    }
}

fn players(states: [&State; 2], both: &[[PairingNumber; 2]]) -> Vec<ComparedPlayer> {
    let standings = states.map(|state| standings_after(state, state.rounds().len()));
    let player = |pair: &[PairingNumber; 2]| {
        let rows = [0, 1].map(|at| standings[at].rows.iter().find(|row| row.player == pair[at]));
        let seen = [0, 1].map(|at| seen(states[at], pair[at]));
        ComparedPlayer {
            player: name(states[0], pair[0]),
            places: rows.map(|row| row.map(|row| row.place)),
            points: rows.map(|row| row.map(|row| row.points)),
            game_points: rows.map(|row| row.map(|row| row.game_points)),
            faults: seen.map(|(faults, _)| faults),
            move_us: seen.map(|(_, move_us)| move_us),
        }
    };
    let mut players: Vec<ComparedPlayer> = both.iter().map(player).collect();
    players.sort_by_key(|player| player.places.map(|place| place.unwrap_or(u32::MAX)));
    players
}

/// Games that a player lost by a fault of its own, and its mean time of a move in microseconds.
fn seen(state: &State, player: PairingNumber) -> (u32, Option<u64>) {
    let (mut faults, mut moves, mut time) = (0, 0, 0);
    for EndedGame { finished, .. } in state.finished_games() {
        for (at, side, of_side) in [(0, Side::White, finished.white), (1, Side::Black, finished.black)] {
            if of_side == player {
                faults += u32::from(finished.termination.is_fault_of(side));
                if let Some(thinking) = finished.thinking {
                    moves += u64::from(thinking[at].moves);
                    time += thinking[at].time_us;
                }
            }
        }
    }
    (faults, time.checked_div(moves))
}

/// The games of each pair that count, and the score of the player with the smaller number.
fn scores(state: &State) -> BTreeMap<[PairingNumber; 2], (u32, Points)> {
    let mut scores = BTreeMap::new();
    for game in state.finished_games() {
        let white = match game.outcome() {
            Outcome::WhiteWins => [2, 0],
            Outcome::BlackWins => [0, 2],
            Outcome::Draw => [1, 1],
            Outcome::BothLose => [0, 0],
            Outcome::Void => continue,
        };
        let (pair, halves) = match game.finished.white < game.finished.black {
            true => ([game.finished.white, game.finished.black], white[0]),
            false => ([game.finished.black, game.finished.white], white[1]),
        };
        let (games, score) = scores.entry(pair).or_insert((0, Points::ZERO));
        *games += 1;
        *score += Points::halves(halves);
    }
    scores
}

fn pairs(states: [&State; 2], both: &[[PairingNumber; 2]]) -> Vec<ComparedPair> {
    let [of_one, of_other] = states.map(scores);
    let other = |number: PairingNumber| both.iter().find(|pair| pair[0] == number).map(|pair| pair[1]);
    let pairs = of_one.iter().filter_map(|(&[a, b], &(games, score))| {
        let (c, d) = (other(a)?, other(b)?);
        let (other_games, first) = *of_other.get(&[c.min(d), c.max(d)])?;
        let all = Points::whole(i64::from(other_games));
        // The score of the same player in the other run.
        let other_score = if c < d { first } else { all - first };
        Some(ComparedPair {
            players: [name(states[0], a), name(states[0], b)],
            games: [games, other_games],
            scores: [score, other_score],
        })
    });
    pairs.collect()
}

/// Games by White, Black and the number of their meeting.
fn by_players(state: &State) -> BTreeMap<(&str, &str, usize), EndedGame> {
    let mut games: Vec<EndedGame> = state.finished_games().collect();
    games.sort_unstable_by_key(|game| game.finished.id);
    let mut known: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let keyed = games.into_iter().map(|game| {
        let called = |number| state.player(number).name.as_str();
        let (white, black) = (called(game.finished.white), called(game.finished.black));
        let times = known.entry((white, black)).or_default();
        *times += 1;
        ((white, black, *times), game)
    });
    keyed.collect()
}

fn games(states: [&State; 2]) -> GamesComparison {
    let [of_one, of_other] = states.map(by_players);
    let both: Vec<[EndedGame; 2]> = of_one
        .iter()
        .filter_map(|(key, game)| Some([*game, *of_other.get(key)?]))
        .collect();
    let is_same = |games: &&[EndedGame; 2]| games[0].outcome() == games[1].outcome();
    let has_same_moves = |games: &&[EndedGame; 2]| {
        let [one, other] = games.map(|game| game.finished.movetext);
        one.is_some() && one == other
    };
    let mut differing: Vec<&[EndedGame; 2]> = both.iter().filter(|games| !is_same(games)).collect();
    differing.sort_unstable_by_key(|games| games[0].finished.id);
    GamesComparison {
        in_both: both.len(),
        same_result: both.iter().filter(is_same).count(),
        same_moves: both.iter().filter(has_same_moves).count(),
        differing: differing
            .into_iter()
            .map(|games| Differing {
                white: name(states[0], games[0].finished.white),
                black: name(states[0], games[0].finished.black),
                ids: games.map(|game| game.finished.id.to_string()),
                results: games.map(|game| game.outcome().word()),
            })
            .collect(),
    }
}

impl Comparison {
    /// The comparison as JSON.
    ///
    /// # Panics
    /// Never: everything in it can be written.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).expect("plain data") + "\n"
    }

    /// The comparison as text, in `width` columns.
    pub fn text(&self, width: Option<u16>) -> String {
        let pages = [self.rules(), self.standings(), self.head_to_head(), self.results()];
        let texts: Vec<String> = pages.iter().map(|page| page.text(width)).collect();
        folded(&self.head(), width) + "\n" + &texts.join("\n")
    }

    fn head(&self) -> String {
        let mut lines: Vec<String> = (1..)
            .zip(&self.runs)
            .map(|(number, run)| {
                format!(
                    "Run {number}: {}, {} of {} rounds over, {}.",
                    run.event,
                    run.rounds_over,
                    run.rounds,
                    count::of(run.games, "game", "games")
                )
            })
            .collect();
        let agents = &self.agents;
        for (number, only) in (1..).zip(&agents.only_in) {
            if !only.is_empty() {
                lines.push(format!("Only in run {number}: {}.", only.join(", ")));
            }
        }
        lines.push(match agents.differ.as_slice() {
            [] => format!(
                "{} with the same files, arguments and options in both runs.",
                count::of(agents.same_files, "player is played by an agent", "players are played by agents")
            ),
            differ => format!(
                "These agents are not the same in both runs (files, arguments or options): {}. Differences in their games may \
                 be due to that.",
                differ.join(", ")
            ),
        });
        if !agents.unknown.is_empty() {
            lines.push(format!(
                "A run knows no files of these agents, so they may differ: {}.",
                agents.unknown.join(", ")
            ));
        }
        lines.join("\n") + "\n"
    }

    fn rules(&self) -> Page {
        let columns = vec![Column::names("Key"), Column::words("Run 1"), Column::words("Run 2")];
        let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "not set".to_owned());
        let rows = self.keys.iter().map(|key| {
            let [one, other] = &key.values;
            vec![key.key.clone(), value(one), value(other)]
        });
        page("Keys that differ", "No key differs", columns, rows.collect())
    }

    fn standings(&self) -> Page {
        let columns = vec![
            Column::names("Player"),
            Column::figures("Place"),
            Column::figures("Points"),
            Column::figures("Game points").goes(1),
            Column::figures("Faults"),
            Column::figures("ms a move").goes(0),
        ];
        let rows = self.players.iter().map(|player| {
            let millis = player.move_us.map(|time| time.map(|time| time / 1000));
            vec![
                player.player.clone(),
                side_by_side(player.places.map(shown)),
                side_by_side(player.points.map(shown)),
                side_by_side(player.game_points.map(shown)),
                side_by_side(player.faults.map(|faults| faults.to_string())),
                side_by_side(millis.map(shown)),
            ]
        });
        let mut page = page(
            "Standings: run 1 / run 2",
            "No player is in both runs",
            columns,
            rows.collect(),
        );
        page.notes.extend(
            (!self.players.is_empty())
                .then(|| "ms a move: the mean thinking time of a move, in milliseconds.".to_owned()),
        );
        page
    }

    fn head_to_head(&self) -> Page {
        let columns = vec![
            Column::names("Player"),
            Column::names("Opponent"),
            Column::figures("Run 1"),
            Column::figures("Run 2"),
        ];
        let rows = self.pairs.iter().map(|pair| {
            let [player, opponent] = pair.players.clone();
            let score = |at: usize| format!("{} of {}", pair.scores[at], pair.games[at]);
            vec![player, opponent, score(0), score(1)]
        });
        page(
            "What the first of two scored against the other",
            "No two players have met in both runs",
            columns,
            rows.collect(),
        )
    }

    fn results(&self) -> Page {
        let games = &self.games;
        let columns = vec![
            Column::names("White"),
            Column::names("Black"),
            Column::words("Game 1"),
            Column::words("Game 2"),
            Column::words("Result 1"),
            Column::words("Result 2"),
        ];
        let rows = games.differing.iter().map(|game| {
            let mut row = vec![game.white.clone(), game.black.clone()];
            row.extend(game.ids.clone());
            row.extend(game.results.map(str::to_owned));
            row
        });
        let mut page = page(
            "Games whose result differs",
            "No game has a different result in the other run",
            columns,
            rows.collect(),
        );
        page.notes.push(format!(
            "{} compared, by White, Black and order: {} the same result, {} the same move by move.",
            count::of(games.in_both, "game is", "games are"),
            count::of(games.same_result, "has", "have"),
            count::of(games.same_moves, "is", "are")
        ));
        let sets_openings =
            |key: &KeyDifference| key.key == "event.rng_seed" || key.key.starts_with("mini_match.opening");
        if self.keys.iter().any(sets_openings) {
            page.notes.push(
                "The openings may differ or come in another order, so these need not be the same games.".to_owned(),
            );
        }
        page
    }
}

fn side_by_side([one, other]: [String; 2]) -> String {
    format!("{one} / {other}")
}

fn shown<T: ToString>(figure: Option<T>) -> String {
    figure.map_or_else(|| "–".to_owned(), |figure| figure.to_string())
}

/// A table under its title, or a sentence in its place if it has no rows.
fn page(title: &str, none: &str, columns: Vec<Column>, rows: Vec<Vec<String>>) -> Page {
    match rows.is_empty() {
        true => Page {
            title: format!("{none}."),
            ..Page::default()
        },
        false => Page {
            title: title.to_owned(),
            table: Table { columns, rows },
            notes: Vec::new(),
        },
    }
}
