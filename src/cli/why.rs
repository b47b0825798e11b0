//! `swissmatch explain A [B]`: why a player stands where it stands, in a run or in a tournament file.
//!
//! May not: find reasons; it says those it is given.

use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;
use serde_json::Value;
use swiss_system::count;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::pairing::rounds::TournamentFormat;
use swiss_system::standings::results::Results;
use swiss_system::text::{LONGEST_NAME, brief};
use swiss_system::word::Word as _;

use swissmatch_game::record::GameId;
use swissmatch_report::explain::numbered;
use swissmatch_report::why::ExplainedStandings;
use swissmatch_tournament::part_events::parts_after;
use swissmatch_tournament::ranking::standings_after;
use swissmatch_tournament::results::results_after;
use swissmatch_tournament::state::State;

use super::exit::Failure;
use super::file_ranking::FileRankingArgs;

/// Which players, of which table.
#[derive(Debug, Args)]
pub(super) struct ExplainPlayersArgs {
    /// A player, by name or pairing number: explains every number of its row
    #[arg(value_name = "PLAYER")]
    player: Option<String>,
    /// Another player: explains what puts one before the other
    #[arg(value_name = "OTHER")]
    other: Option<String>,
    /// Directory of the run (default: the one in results/ that was written to last)
    #[arg(long, value_name = "RUN", conflicts_with = "file")]
    run: Option<PathBuf>,
    /// A tournament file (TRF) instead of a run
    #[arg(long, value_name = "FILE.trf")]
    file: Option<PathBuf>,
    /// As it stood after this round
    #[arg(long, value_name = "N")]
    round: Option<usize>,
    /// Print as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    ranking: FileRankingArgs,
}

impl ExplainPlayersArgs {
    pub(super) const fn is_json(&self) -> bool {
        self.json
    }

    /// The explanation, for people and for programs.
    ///
    /// # Errors
    /// Wrong usage, when there is no such player, run or file.
    pub(super) fn explain(&self) -> Result<(String, Value), Failure> {
        let Some(player) = &self.player else {
            return Err(Failure::usage(anyhow!(
                "name a player, two players, `round N` or `trf FILE.trf`; see `swissmatch explain --help`"
            )));
        };
        if let Some(path) = &self.file {
            let ranked = self.ranking.rank(path, self.round)?;
            let name = |number: PairingNumber| {
                let name = brief(&ranked.results.names[number.index()], LONGEST_NAME);
                format!("{} {name}", numbered(ranked.results.number(number)))
            };
            let case = ExplainedStandings {
                results: &ranked.results,
                rules: &ranked.rules,
                standings: &ranked.standings,
                edition: ranked.about.edition,
                edition_by: Some(&ranked.about.edition_by),
                name: &name,
            };
            return explain(&case, player, self.other.as_deref());
        }
        if let Some(flag) = self.ranking.given() {
            return Err(Failure::usage(anyhow!(
                "{flag} is for tournament files (--file); `swissmatch rescore` ranks a run by other rules"
            )));
        }
        let run = super::which_run::open_event(self.run.as_deref())?;
        let rounds = super::which_run::checked_round(&run, self.round)?;
        let (state, rounds, player, other) = self.table_of(&run.state, rounds, player)?;
        let (state, player, other) = (&state, player.as_str(), other.as_deref());
        let results = results_after(state, rounds);
        let case = ExplainedStandings {
            results: &results,
            rules: &state.setup().standings.rules(),
            standings: &standings_after(state, rounds),
            edition: state.setup().standings.edition.word(),
            edition_by: None,
            name: &|number| brief(&state.player(number).name, LONGEST_NAME),
        };
        explain(&case, player, other)
    }

    /// The table that the players stand in: of an event of several parts that of the last one in which all of them play, and
    /// which has a table. With its own number of rounds, and the players as they are found in it.
    fn table_of(
        &self,
        event: &State,
        rounds: usize,
        player: &str,
    ) -> Result<(State, usize, String, Option<String>), Failure> {
        let is_knockout = |state: &State| state.created().format == TournamentFormat::Knockout;
        let no_table = || {
            Failure::usage(anyhow!(
                "a knockout is ranked by the round in which a player went out: there are no numbers to explain; `swissmatch \
                 crosstable` shows who won"
            ))
        };
        if !event.is_divided() {
            if is_knockout(event) {
                return Err(no_table());
            }
            return Ok((event.clone(), rounds, player.to_owned(), self.other.clone()));
        }
        let results = results_after(event, rounds);
        let one = find(&results, player)?;
        let other = self.other.as_deref().map(|other| find(&results, other)).transpose()?;
        let parts = parts_after(event, rounds).into_iter().rev();
        let mut together = parts
            .filter(|(part, ..)| {
                [Some(one), other]
                    .into_iter()
                    .flatten()
                    .all(|n| part.own_number(n).is_some())
            })
            .peekable();
        if together.peek().is_none() {
            return Err(Failure::usage(anyhow!(
                "there is no part of the event in which both of these players play"
            )));
        }
        let (part, state, rounds) = together
            .find(|(_, state, _)| !is_knockout(state))
            .ok_or_else(no_table)?;
        let own = |number| part.own_number(number).map(|number| number.to_string());
        Ok((state, rounds, own(one).unwrap_or_default(), other.and_then(own)))
    }
}

/// One player's row, or what separates two, for people and for programs.
///
/// # Errors
/// Wrong usage, when there is no such player.
pub(super) fn explain(
    case: &ExplainedStandings<'_>,
    player: &str,
    other: Option<&str>,
) -> Result<(String, Value), Failure> {
    let listed = |wanted: &str| {
        let player = find(case.results, wanted)?;
        if case.standings.rows.iter().any(|row| row.player == player) {
            Ok(player)
        } else {
            Err(Failure::usage(anyhow!("{} is not in this table", (case.name)(player))))
        }
    };
    let one = listed(player)?;
    let Some(other) = other else {
        return Ok((case.player(one), case.player_json(one)));
    };
    let other = listed(other)?;
    if one == other {
        return Err(Failure::usage(anyhow!(
            "that is the same player twice; name two different players, or only one"
        )));
    }
    Ok((case.pair(one, other), case.pair_json(one, other)))
}

/// A player by pairing number, by name, or by what only one name has in it; upper and lower case are alike.
///
/// # Errors
/// Wrong usage, when nobody or more than one is meant.
pub(super) fn find(results: &Results, wanted: &str) -> Result<PairingNumber, Failure> {
    let all = || (0..results.players.len()).map(PairingNumber::from_index);
    let named = |player: &PairingNumber| results.names[player.index()].to_lowercase();
    let lower = wanted.to_lowercase();
    let exact = |player: &PairingNumber| results.names[player.index()] == wanted;
    let alike: Vec<PairingNumber> = all().filter(|player| named(player) == lower).collect();
    match alike.as_slice() {
        [] => {}
        &[player] => return Ok(player),
        several => match several.iter().copied().filter(exact).collect::<Vec<_>>().as_slice() {
            &[player] => return Ok(player),
            _ => return Err(ambiguous(results, wanted, several)),
        },
    }
    let number = wanted.strip_prefix('#').unwrap_or(wanted);
    if let Some(player) = all().find(|&player| results.number(player).to_string() == number) {
        return Ok(player);
    }
    let partly: Vec<PairingNumber> = all().filter(|player| named(player).contains(&lower)).collect();
    match partly.as_slice() {
        &[player] if !lower.is_empty() => Ok(player),
        [] if number.parse::<u32>().is_ok() => Err(Failure::usage(anyhow!(
            "nobody has the number {number}; there are {}",
            count::of(results.players.len(), "player", "players")
        ))),
        [] => {
            if let Some(meant) = subject(wanted) {
                return Err(Failure::usage(anyhow!(
                    "no player is called `{}`; {meant}",
                    brief(wanted, LONGEST_NAME)
                )));
            }
            let nearest = all().min_by_key(|player| strsim::damerau_levenshtein(&named(player), &lower));
            let help = nearest.map_or_else(String::new, |player| {
                format!("; the nearest name is {}", list(results, &[player]))
            });
            Err(Failure::usage(anyhow!(
                "no player is called `{}`{help}",
                brief(wanted, LONGEST_NAME)
            )))
        }
        several => Err(ambiguous(results, wanted, several)),
    }
}

/// What of `explain` is meant by a word that names no player: a game, or a subject with a slip of the pen.
fn subject(wanted: &str) -> Option<String> {
    if let Ok(game) = wanted.parse::<GameId>() {
        return Some(format!("for the game: `swissmatch explain game {game}`"));
    }
    let near = |subject: &&str| strsim::damerau_levenshtein(wanted, subject) <= 1;
    let subject = ["round", "game", "trf"].into_iter().find(near)?;
    let of = match subject {
        "round" => "N",
        "game" => "GAME",
        _ => "FILE.trf",
    };
    Some(format!("did you mean `swissmatch explain {subject} {of}`?"))
}

fn list(results: &Results, players: &[PairingNumber]) -> String {
    let called = |player: &PairingNumber| {
        let name = brief(&results.names[player.index()], LONGEST_NAME);
        format!("{} {name}", numbered(results.number(*player)))
    };
    players.iter().take(8).map(called).collect::<Vec<_>>().join(", ")
}

fn ambiguous(results: &Results, wanted: &str, players: &[PairingNumber]) -> Failure {
    Failure::usage(anyhow!(
        "`{}` may mean {}; give the whole name, or the pairing number",
        brief(wanted, LONGEST_NAME),
        list(results, players)
    ))
}
