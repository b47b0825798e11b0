//! The state of a run: progress, boards in play, faults, leaders.
//!
//! May not: know which games are in flight; a mini-match is being played when it is due and not over.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use swiss_system::count;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::pairing::rounds::TournamentFormat;
use swiss_system::score::Points;
use swiss_system::standings::criterion::Score;
use swiss_system::text::harmless;

use super::duplicates::RepeatedGames;
use super::figures::EventFigures;
use super::machine::Machine;
use super::progress::RoundProgress;
use super::standings::{early, wdl};
use super::table::{Column, Page, Table, wrapped};
use super::untrusted::{event, name};
use super::waiting::WaitJson;
use super::warnings::PlayerWarnings;
use super::{byes, playoff};
use swissmatch_game::Side;
use swissmatch_game::record::{GameId, is_zero};
use swissmatch_tournament::games::games_in_all;
use swissmatch_tournament::part::Part;
use swissmatch_tournament::part_events::parts_after;
use swissmatch_tournament::ranking::standings_after;
use swissmatch_tournament::state::State;
use swissmatch_tournament::ties::event_is_over;
use swissmatch_tournament::waiting::Wait;

/// Players shown as leaders.
const LEADERS: usize = 5;
/// Mini-matches, and players at fault, that the text names one by one; JSON has all.
const LISTED: usize = 20;
/// The header of the column of failed attempts.
const FAILED_ATTEMPTS: &str = "Failed attempts";
/// The header of the column of games in which an agent gave an alarm.
const ALARMS: &str = "Alarms";

/// The state of the run for people, in `width` columns of a terminal; `None`: as wide as it is.
pub fn text(state: &State, width: Option<u16>) -> String {
    RunSummary::new(state).text(width)
}

/// The state of the run as a JSON object, with what it waits for, and each player's warnings if they were looked for.
///
/// # Panics
/// Never: everything in it can be written.
pub fn json(state: &State, wait: Option<Wait>, warnings: Option<Vec<PlayerWarnings>>) -> String {
    let summary = RunSummary {
        waiting: wait.map(WaitJson::from),
        warnings,
        ..RunSummary::new(state)
    };
    serde_json::to_string_pretty(&summary).expect("plain data") + "\n"
}

#[derive(Serialize)]
struct RunSummary {
    schema: u32,
    event: String,
    format: TournamentFormat,
    players: usize,
    /// The round paired last; 0 before the first.
    round: usize,
    rounds: u32,
    #[serde(rename = "final")]
    is_final: bool,
    #[serde(skip)]
    rounds_are_over: bool,
    /// Who ended the event early, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    ended: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_tour: bool,
    games: GamesProgress,
    bye: Option<String>,
    /// The byes of further sections.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    further_byes: Vec<String>,
    mini_matches: Vec<UnfinishedMiniMatch>,
    faults: Vec<PlayerFaults>,
    /// Answers that came after their limit but were in time because of what the machine took.
    #[serde(skip_serializing_if = "Option::is_none")]
    in_doubt: Option<Machine>,
    /// Games that repeat an earlier one move by move.
    #[serde(skip_serializing_if = "Option::is_none")]
    duplicate_games: Option<DuplicateGames>,
    #[serde(skip)]
    duplicates: Option<String>,
    leaders: Vec<Leader>,
    figures: EventFigures,
    /// The state of each play-off, as a sentence.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    playoff_status: Vec<String>,
    /// What comes by the passing of time alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    waiting: Option<WaitJson>,
    /// Of each player, by kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    warnings: Option<Vec<PlayerWarnings>>,
}

#[derive(Serialize)]
struct GamesProgress {
    round_played: usize,
    round: usize,
    event_played: usize,
    event: usize,
}

#[derive(Serialize)]
struct UnfinishedMiniMatch {
    board: usize,
    white_first: String,
    black_first: String,
    white_first_points: Points,
    black_first_points: Points,
    played: usize,
    games: usize,
}

#[derive(Serialize)]
struct PlayerFaults {
    pairing_number: u32,
    name: String,
    /// Games that ended by the player's fault, by termination.
    games: BTreeMap<&'static str, u32>,
    /// Failed attempts at moves, in all games.
    failed_attempts: u32,
    /// Games in which its agent gave an alarm.
    #[serde(skip_serializing_if = "is_zero")]
    alarms: u32,
    /// The first game of each kind, in schedule order.
    #[serde(skip)]
    first: Vec<(GameId, &'static str)>,
}

#[derive(Serialize)]
struct DuplicateGames {
    games: usize,
    /// Those between the same two players.
    between_the_same_players: usize,
}

#[derive(Serialize)]
struct Leader {
    /// The part, in an event of several parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<String>,
    place: u32,
    name: String,
    match_points: Points,
    /// Only if they rank.
    #[serde(skip_serializing_if = "Option::is_none")]
    game_points: Option<Points>,
    /// Games won, drawn and lost, as the JSON of the standings has them.
    #[serde(skip)]
    wdl: String,
}

impl RunSummary {
    fn new(state: &State) -> Self {
        let (round, rounds) = (state.rounds().len(), state.created().rounds);
        let last = state.rounds().last();
        let byes = last.into_iter().flat_map(|last| last.pairing.byes());
        let note = |player| last.map_or("", |last| byes::note(state, &last.pairing, player));
        let mut byes = byes.map(|player| name(state, player) + note(player));
        let duplicates = RepeatedGames::of(state);
        let of_round = last.map(|last| RoundProgress::new(round, last));
        let (round_played, round_games) = of_round.map_or((0, 0), |of| (of.played, of.games));
        Self {
            schema: 1,
            event: event(state),
            format: state.created().format,
            players: state.player_count(),
            round,
            rounds,
            is_final: event_is_over(state),
            rounds_are_over: state.rounds_are_over(),
            ended: early(state),
            is_tour: state.created().tour.is_some(),
            games: GamesProgress {
                round_played,
                round: round_games,
                event_played: state
                    .finished_games()
                    .filter(|game| game.finished.id.playoff == 0)
                    .count(),
                event: games_in_all(state),
            },
            bye: byes.next(),
            further_byes: byes.collect(),
            mini_matches: mini_matches(state),
            faults: faults(state),
            in_doubt: Machine::of_run(state),
            duplicate_games: (duplicates.count() > 0).then(|| DuplicateGames {
                games: duplicates.count(),
                between_the_same_players: duplicates.of_same_players(),
            }),
            duplicates: duplicates.sentence(),
            leaders: leaders(state, round),
            figures: EventFigures::new(state),
            playoff_status: playoff::status(state),
            waiting: None,
            warnings: None,
        }
    }

    fn text(&self, width: Option<u16>) -> String {
        let mut text = wrapped_lines(&self.course(), width);
        let unfinished = (!self.mini_matches.is_empty()).then(|| self.unfinished());
        let pages = [unfinished, Some(self.faults_page()), self.leaders_page()];
        for page in pages.into_iter().flatten() {
            text += "\n";
            text += &page.text(width);
        }
        text
    }

    /// What the event is, and its progress.
    fn course(&self) -> Vec<String> {
        let format = match self.format {
            _ if self.is_tour => "play-offs of a tour",
            TournamentFormat::Swiss => "Swiss",
            TournamentFormat::AllPlayAll => "all-play-all",
            TournamentFormat::Gauntlet => "gauntlet",
            TournamentFormat::Knockout => "knockout",
            TournamentFormat::Quads => "quads",
            TournamentFormat::Stages => "stages",
            TournamentFormat::Sections => "sections",
        };
        let players = count::of(self.players, "player", "players");
        let GamesProgress {
            round_played,
            round,
            event_played,
            event,
        } = self.games;
        let rounds = self.rounds as usize;
        let done = match (self.rounds_are_over, self.round) {
            (true, over) if over < rounds => format!("{over} of {} over", count::of(rounds, "round is", "rounds are")),
            (true, 1) => "The round is over".to_owned(),
            (true, _) => format!("All {rounds} rounds are over"),
            (false, 0) => format!("Round 1 of {rounds} is not paired yet"),
            (false, number) => format!(
                "Round {number} of {rounds}: {round_played} of {}",
                count::of(round, "game", "games")
            ),
        };
        let games = count::of(event, "game", "games");
        let mut lines = vec![
            format!("{}: {format}, {players}", self.event),
            format!("{done}; {event_played} of {games} in all"),
        ];
        lines.extend(self.figures.in_short());
        lines.extend(self.ended.clone());
        lines.extend(self.playoff_status.iter().cloned());
        if let (Some(bye), false) = (&self.bye, self.rounds_are_over) {
            let all: Vec<&str> = std::iter::once(bye)
                .chain(&self.further_byes)
                .map(String::as_str)
                .collect();
            let what = if all.len() == 1 { "Bye" } else { "Byes" };
            lines.push(format!("{what}: {}", all.join(", ")));
        }
        lines
    }

    fn unfinished(&self) -> Page {
        let rows = self.mini_matches.iter().take(LISTED).map(|board| {
            vec![
                board.board.to_string(),
                board.white_first.clone(),
                format!("{} – {}", board.white_first_points, board.black_first_points),
                board.black_first.clone(),
                format!("{} of {}", board.played, board.games),
            ]
        });
        Page {
            title: "To be finished in this round:".to_owned(),
            table: Table {
                columns: vec![
                    Column::figures("Board"),
                    Column::names("White in game 1"),
                    Column::words("Points"),
                    Column::names("Black in game 1"),
                    Column::words("Played").goes(0),
                ],
                rows: rows.collect(),
            },
            notes: rest(self.mini_matches.len()).into_iter().collect(),
        }
    }

    /// Faults, and other facts worth a look.
    fn faults_page(&self) -> Page {
        let kinds: BTreeSet<&str> = self
            .faults
            .iter()
            .flat_map(|player| player.games.keys().copied())
            .collect();
        let has_attempts = self.faults.iter().any(|player| player.failed_attempts > 0);
        let has_alarms = self.faults.iter().any(|player| player.alarms > 0);
        let mut columns = vec![Column::names("Name")];
        columns.extend(kinds.iter().map(|kind| Column::figures(*kind).below()));
        columns.extend(has_attempts.then(|| Column::figures(FAILED_ATTEMPTS).below()));
        columns.extend(has_alarms.then(|| Column::figures(ALARMS).below()));
        let has_games = !kinds.is_empty();
        columns.extend(has_games.then(|| Column::words("First of each kind").below()));
        let shown = |count: u32| if count == 0 { String::new() } else { count.to_string() };
        let rows = self.faults.iter().take(LISTED).map(|player| {
            let games = kinds
                .iter()
                .map(|kind| shown(player.games.get(kind).copied().unwrap_or(0)));
            let attempts = has_attempts.then(|| shown(player.failed_attempts));
            let alarms = has_alarms.then(|| shown(player.alarms));
            let first = player.first.iter().map(|(id, kind)| format!("{id} {kind}"));
            let first = has_games.then(|| first.collect::<Vec<_>>().join(", "));
            std::iter::once(player.name.clone())
                .chain(games)
                .chain(attempts)
                .chain(alarms)
                .chain(first)
                .collect()
        });
        let mut notes: Vec<String> = rest(self.faults.len()).into_iter().collect();
        notes.extend(
            self.in_doubt
                .map(|machine| format!("The machine: {}", machine.sentence())),
        );
        let duplicates = self.duplicates.as_ref();
        notes.extend(duplicates.map(|sentence| format!("{sentence} (`swissmatch status --duplicates` lists them)")));
        let is_clean = self.faults.is_empty();
        Page {
            title: if is_clean {
                "No faults"
            } else {
                "Faults (games lost by each kind):"
            }
            .to_owned(),
            table: match is_clean {
                true => Table::default(),
                false => Table {
                    columns,
                    rows: rows.collect(),
                },
            },
            notes,
        }
    }

    /// The leaders; `None` before round 1.
    fn leaders_page(&self) -> Option<Page> {
        if self.round == 0 || self.leaders.is_empty() {
            return None;
        }
        let has_parts = self.leaders.iter().any(|leader| leader.part.is_some());
        let mut columns: Vec<Column> = has_parts.then(|| Column::names("Part")).into_iter().collect();
        let score = if self.leaders[0].game_points.is_some() {
            "GP"
        } else {
            "MP"
        };
        columns.extend([
            Column::figures("#"),
            Column::names("Name"),
            Column::figures(score),
            Column::figures("W/D/L").goes(0),
        ]);
        let rows = self.leaders.iter().map(|leader| {
            let part = has_parts.then(|| leader.part.clone().unwrap_or_default());
            let points = leader.game_points.unwrap_or(leader.match_points);
            let figures = [
                leader.place.to_string(),
                leader.name.clone(),
                points.to_string(),
                leader.wdl.clone(),
            ];
            part.into_iter().chain(figures).collect()
        });
        Some(Page {
            title: if self.is_final { "First places:" } else { "Leaders:" }.to_owned(),
            table: Table {
                columns,
                rows: rows.collect(),
            },
            notes: Vec::new(),
        })
    }
}

/// Lines with their line ends, wrapped to `width` columns.
fn wrapped_lines(lines: &[String], width: Option<u16>) -> String {
    lines.iter().map(|line| wrapped(line, width)).collect()
}

/// How many more there are than are listed.
fn rest(count: usize) -> Option<String> {
    let more = count.checked_sub(LISTED).filter(|more| *more > 0)?;
    Some(format!("And {more} more."))
}

/// The leaders; in an event of several parts those of each part of the current stage, for quads only the first player.
fn leaders(state: &State, rounds: usize) -> Vec<Leader> {
    let of = |state: &State, rounds: usize, part: Option<&Part>| -> Vec<Leader> {
        let is_section = part.is_some_and(|part| part.section.is_some() && part.name.is_none());
        let standings = standings_after(state, rounds);
        let score = state.setup().standings.rules().primary();
        let leaders = standings.rows.iter().take(LEADERS);
        leaders
            .filter(|row| !is_section || row.place == 1)
            .map(|row| Leader {
                part: part.map(|part| harmless(&part.to_string())),
                place: row.place,
                name: name(state, row.player),
                match_points: row.points,
                game_points: (score == Score::Game).then_some(row.game_points),
                wdl: wdl(row.games.both()),
            })
            .collect()
    };
    if state.created().tour.is_some() {
        return Vec::new();
    }
    if !state.is_divided() {
        return of(state, rounds, None);
    }
    let parts = parts_after(state, rounds);
    let last = parts.last().and_then(|(part, ..)| part.stage);
    let parts = parts.iter().filter(|(part, ..)| part.stage == last);
    parts
        .flat_map(|(part, own, rounds)| of(own, *rounds, Some(part)))
        .collect()
}

fn mini_matches(state: &State) -> Vec<UnfinishedMiniMatch> {
    let scoring = &state.setup().scoring;
    let boards = state
        .rounds()
        .last()
        .map(|round| round.mini_matches.as_slice())
        .unwrap_or_default();
    let running = (1..).zip(boards).filter(|(_, mini_match)| !mini_match.is_over());
    let running = running.map(|(board, mini_match)| UnfinishedMiniMatch {
        board,
        white_first: name(state, mini_match.pair.white),
        black_first: name(state, mini_match.pair.black),
        white_first_points: mini_match.game_points(mini_match.pair.white, scoring),
        black_first_points: mini_match.game_points(mini_match.pair.black, scoring),
        played: mini_match.games.iter().flatten().count(),
        games: mini_match.games.len(),
    });
    running.collect()
}

/// Players at fault, in order of pairing numbers.
fn faults(state: &State) -> Vec<PlayerFaults> {
    let mut players: BTreeMap<PairingNumber, PlayerFaults> = BTreeMap::new();
    for game in state.finished_games() {
        for (side, player) in [(Side::White, game.finished.white), (Side::Black, game.finished.black)] {
            let failed_attempts = game.finished.failed_attempts[side.index()];
            let at_fault = game.finished.termination.is_fault_of(side);
            let has_alarm = game.finished.alarms[side.index()];
            if !at_fault && !has_alarm && failed_attempts == 0 {
                continue;
            }
            let faults = players.entry(player).or_insert_with(|| PlayerFaults {
                pairing_number: player.0,
                name: name(state, player),
                games: BTreeMap::new(),
                failed_attempts: 0,
                alarms: 0,
                first: Vec::new(),
            });
            if at_fault {
                let kind = game.finished.termination.word();
                let games = faults.games.entry(kind).or_default();
                if *games == 0 {
                    faults.first.push((game.finished.id, kind));
                }
                *games += 1;
            }
            faults.failed_attempts += failed_attempts;
            faults.alarms += u32::from(has_alarm);
        }
    }
    players.into_values().collect()
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::super::fixture;
    use super::*;

    #[test]
    fn before_the_first_round() {
        assert_snapshot!(text(&fixture::created_only(), None), @"
        Spring qualifier: Swiss, 5 players
        Round 1 of 3 is not paired yet; 0 of 12 games in all

        No faults
        ");
    }

    #[test]
    fn while_a_round_is_played() {
        assert_snapshot!(text(&fixture::third_round_begun(), None), @"
        Spring qualifier: Swiss, 5 players
        Round 3 of 3: 2 of 4 games; 10 of 12 games in all
        9 games played: White won 6, 2 drawn, Black won 1; White scored 77.8 %; a game had 84.7 plies on average
        Bye: Bravo

        To be finished in this round:

        Board  White in game 1  Points  Black in game 1  Played
        ───────────────────────────────────────────────────────
            1  Charlie          1 – 0   Alpha            1 of 2
            2  Delta            1 – 0   Echo             1 of 2

        Faults (games lost by each kind):

        Name   crash  illegal-move  not-started  time-forfeit  Failed attempts  First of each kind
        ──────────────────────────────────────────────────────────────────────────────────────────────────────
        Alpha                                                                1
        Bravo                    1                                           3  2.2.1 illegal-move
        Delta                                               1                3  1.2.2 time-forfeit
        Echo       1                          1                                 2.1.2 crash, 3.2.1 not-started

        Leaders:

        #  Name      MP  W/D/L
        ──────────────────────
        1  Alpha    1.5  2/1/2
        2  Bravo    1.5  2/1/1
        3  Charlie    1  2/2/1
        4  Echo       1  1/0/1
        5  Delta    0.5  0/0/2
        ");
    }

    #[test]
    fn at_the_end() {
        assert_snapshot!(text(&fixture::over(), None), @"
        Spring qualifier: Swiss, 5 players
        All 3 rounds are over; 12 of 12 games in all
        10 games played: White won 7, 2 drawn, Black won 1; White scored 80.0 %; a game had 79.4 plies on average

        Faults (games lost by each kind):

        Name   crash  illegal-move  not-started  time-forfeit  Failed attempts  First of each kind
        ──────────────────────────────────────────────────────────────────────────────────────────────────────
        Alpha                                                                1
        Bravo                    1                                           3  2.2.1 illegal-move
        Delta                                               1                3  1.2.2 time-forfeit
        Echo       1                          2                                 2.1.2 crash, 3.2.1 not-started

        First places:

        #  Name      MP  W/D/L
        ──────────────────────
        1  Alpha      2  3/1/2
        2  Bravo    1.5  2/1/1
        3  Charlie  1.5  2/2/2
        4  Delta    1.5  0/0/2
        5  Echo       1  1/0/1
        ");
    }

    #[test]
    fn duplicate_games_are_counted() {
        let state = fixture::with_movetexts(|game| (game.plies > 0).then(|| "a".repeat(64)));
        let line = "9 games repeat an earlier one move by move, 6 of them an earlier game of the same two players \
                    (`swissmatch status --duplicates` lists them)";
        let said = text(&state, None);
        assert!(said.lines().any(|said| said == line), "{said}");
        let value: serde_json::Value = serde_json::from_str(&json(&state, None, None)).expect("JSON");
        assert_eq!(value["duplicate_games"]["games"], 9);
    }

    #[test]
    fn json_says_the_same() {
        let value: serde_json::Value =
            serde_json::from_str(&json(&fixture::third_round_begun(), None, None)).expect("JSON");
        assert_snapshot!(value, @r#"{"bye":"Bravo","event":"Spring qualifier","faults":[{"failed_attempts":1,"games":{},"name":"Alpha","pairing_number":1},{"failed_attempts":3,"games":{"illegal-move":1},"name":"Bravo","pairing_number":2},{"failed_attempts":3,"games":{"time-forfeit":1},"name":"Delta","pairing_number":4},{"failed_attempts":0,"games":{"crash":1,"not-started":1},"name":"Echo","pairing_number":5}],"figures":{"faults":{"crash":1,"illegal-move":1,"not-started":1,"time-forfeit":1},"games":{"black_wins":1,"both_lost":0,"draws":2,"forfeited":1,"played":9,"void":0,"white_wins":6},"mini_matches":{"decided":3,"drawn":1,"over":4},"plies":{"longest":400,"mean":84.7,"median":55,"shortest":9},"terminations":{"checkmate":4,"crash":1,"illegal-move":1,"move-cap":1,"not-started":1,"threefold-repetition":1,"time-forfeit":1},"thinking":null,"white_score_percent":77.8},"final":false,"format":"swiss","games":{"event":12,"event_played":10,"round":4,"round_played":2},"leaders":[{"match_points":1.5,"name":"Alpha","place":1},{"match_points":1.5,"name":"Bravo","place":2},{"match_points":1,"name":"Charlie","place":3},{"match_points":1,"name":"Echo","place":4},{"match_points":0.5,"name":"Delta","place":5}],"mini_matches":[{"black_first":"Alpha","black_first_points":0,"board":1,"games":2,"played":1,"white_first":"Charlie","white_first_points":1},{"black_first":"Echo","black_first_points":0,"board":2,"games":2,"played":1,"white_first":"Delta","white_first_points":1}],"players":5,"round":3,"rounds":3,"schema":1}"#);
    }
}
