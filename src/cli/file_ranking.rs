//! `swissmatch standings FILE.trf`: any tournament file ranked by any tie-breaks.
//!
//! May not: rank anybody.

use std::io;
use std::io::Write as _;
use std::path::Path;

use anyhow::anyhow;
use clap::Args;
use swiss_system::standings::criterion;
use swiss_system::standings::criterion::{Code, Criterion, RankingOrder};
use swiss_system::standings::results::{Results, ResultsFormat};
use swiss_system::standings::table::unrated_players;
use swiss_system::standings::unplayed::{BlackWins, TieBreakEdition};
use swiss_system::standings::{RankingRules, Standings, file, rank};
use swiss_system::trf::{EditionBy, Header};
use swiss_system::word::Word as _;

use swissmatch_report::file_standings::About;

use super::exit::Failure;
use super::tournament_file::{named, read};

/// How a tournament file is ranked.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options for tournament files")]
pub(super) struct FileRankingArgs {
    /// Tie-breaks in their order, such as BH/C1,SB,DE; points come first (default: record 212 or 202 of the file, else
    /// only points)
    #[arg(long, value_name = "LIST")]
    pub(super) tiebreaks: Option<String>,
    /// Edition of C.07 for unplayed rounds: 2026, in force since 1 March 2026; 2024; 2022, the virtual opponent, before
    /// September 2023; or played-only (default: as the file's comment `### editions` says, else by record 042, the
    /// first day)
    #[arg(long, value_name = "YEAR", value_parser = named::<TieBreakEdition>())]
    edition: Option<TieBreakEdition>,
    /// Whether forfeits count as games, as in a round robin (default: as records 192 and 092 say)
    #[arg(long, value_name = "FORMAT", value_parser = named::<ResultsFormat>())]
    format: Option<ResultsFormat>,
    /// Rating for players without one; otherwise tie-breaks by rating are left out if any player has no rating
    #[arg(long, value_name = "RATING", allow_negative_numbers = true)]
    unrated: Option<i32>,
    /// Seed of the tie-break lot, and of the samples of --confidence (default: 1; for a run, its event.rng_seed)
    #[arg(long, value_name = "SEED")]
    pub(super) rng_seed: Option<u64>,
}

/// A tournament file, ranked.
pub(super) struct RankedFile {
    pub(super) results: Results,
    pub(super) rules: RankingRules,
    pub(super) standings: Standings,
    pub(super) about: About,
}

impl FileRankingArgs {
    /// The seed of a file's lot.
    fn seed(&self) -> u64 {
        self.rng_seed.unwrap_or(1)
    }

    /// The flag that was given although it is for tournament files alone.
    pub(super) fn given(&self) -> Option<&'static str> {
        let flags = [
            (self.tiebreaks.is_some(), "--tiebreaks"),
            (self.edition.is_some(), "--edition"),
            (self.format.is_some(), "--format"),
            (self.unrated.is_some(), "--unrated"),
            (self.rng_seed.is_some(), "--rng-seed"),
        ];
        flags.into_iter().find(|(given, _)| *given).map(|(_, flag)| flag)
    }

    /// Reads and ranks a file; warnings go to standard error.
    ///
    /// # Errors
    /// Wrong usage, when it is no tournament file, or a tie-break is none.
    pub(super) fn rank(&self, path: &Path, round: Option<usize>) -> Result<RankedFile, Failure> {
        let (name, reading) = read(path)?;
        let tournament = &reading.tournament;
        let mut warnings: Vec<String> = reading
            .warnings
            .iter()
            .map(|warning| format!("line {}: {}", warning.line, warning.text))
            .collect();
        let order = match &self.tiebreaks {
            Some(list) => {
                let order = parse_list("--tiebreaks", list)?;
                warnings.extend(order.doubts.into_iter().map(|doubt| format!("--tiebreaks: {doubt}")));
                order.criteria
            }
            None => match file::order(tournament) {
                Some(order) => {
                    let line = reading.tie_breaks().map_or(0, |(line, _)| line);
                    let order = order
                        .map_err(|error| Failure::usage(anyhow!("{name}:{line}: {error}; or give --tiebreaks")))?;
                    warnings.extend(order.doubts.into_iter().map(|doubt| format!("line {line}: {doubt}")));
                    order.criteria
                }
                None => {
                    warnings.push(
                        "no tie-breaks: there is neither --tiebreaks nor a record 212 or 202; only points rank"
                            .to_owned(),
                    );
                    vec![Criterion::from(Code::Points)]
                }
            },
        };
        let round = round.map(|round| u32::try_from(round).unwrap_or(u32::MAX));
        let results = file::results(tournament, round, self.format, self.seed())
            .map_err(|error| Failure::usage(anyhow!("{name}: {error}")))?;
        let (edition, edition_by) = match self.edition {
            Some(edition) => (edition, EditionBy::Flag),
            None => file::edition(tournament),
        };
        let rules = RankingRules {
            order,
            also: Vec::new(),
            edition,
            // That edition is Immortal Game's.
            black_wins: match edition {
                TieBreakEdition::PlayedOnly => BlackWins::WithForfeits,
                TieBreakEdition::Of2026 | TieBreakEdition::Of2024 | TieBreakEdition::Of2022 => BlackWins::OverTheBoard,
            },
            unrated: self.unrated,
        };
        warnings.extend(file::doubts(&reading));
        let is_of_teams = tournament.teams().next().is_some();
        warnings.extend(doubtful(&rules, &results, is_of_teams));
        for warning in &warnings {
            // Standard error may be a pipe that nobody reads any more.
            let _ = writeln!(io::stderr(), "swissmatch: {name}: {warning}");
        }
        let title = tournament
            .header(Header::Name)
            .map(str::trim)
            .filter(|title| !title.is_empty());
        let about = About {
            title: title.unwrap_or(&name).to_owned(),
            rounds: results.rounds(),
            edition: rules.edition.word(),
            edition_by,
            rng_seed: self.seed(),
            primary: rules.primary(),
            warnings,
        };
        Ok(RankedFile {
            standings: rank(&results, &rules),
            results,
            rules,
            about,
        })
    }
}

/// Criteria with commas or blanks between them, points first.
///
/// # Errors
/// Wrong usage, for a code that is none, or is there twice.
pub(super) fn parse_list(flag: &str, list: &str) -> Result<RankingOrder, Failure> {
    let codes = list.split([',', ';', ' ']).filter(|code| !code.is_empty());
    criterion::listed(codes)
        .and_then(criterion::after_points)
        .map_err(|error| Failure::usage(anyhow!("{flag}: {error}")))
}

/// What the rules say of a list that can be computed all the same.
fn doubtful(rules: &RankingRules, results: &Results, is_of_teams: bool) -> Vec<String> {
    let mut doubts = Vec::new();
    let is_rated = rules.unrated.is_some() || unrated_players(results).next().is_none();
    for criterion in &rules.order {
        let code = criterion.code;
        if code.is_of_ratings() && !is_rated {
            doubts.push(format!(
                "{criterion} is left out, because a player has no rating (C.07); --unrated gives one"
            ));
        }
        if criterion.is_of_game_points() && !is_of_teams {
            doubts.push(format!(
                "{criterion} counts game points, and a file of individuals has none: its points count instead"
            ));
        }
        let is_buchholz = matches!(
            code,
            Code::Buchholz | Code::ForeBuchholz | Code::AverageOfOpponentsBuchholz
        );
        match results.format {
            ResultsFormat::RoundRobin if is_buchholz && rules.edition == TieBreakEdition::Of2026 => {
                doubts.push(format!("{criterion} is not for round robins (C.07 of 2026)"));
            }
            ResultsFormat::Swiss if code == Code::Koya => {
                doubts.push(format!(
                    "{criterion} is only for round robins (C.07); add --format round-robin if this is one"
                ));
            }
            _ => {}
        }
    }
    doubts
}

/// Every code with its meaning: `standings --list`.
pub(super) fn list() -> String {
    let lines = Code::all().map(|code| {
        let modifiers = code.modifiers();
        let takes = if modifiers.is_empty() {
            String::new()
        } else {
            format!(" ({modifiers})")
        };
        format!("{:26} {}{takes}\n", code.name(), code.meaning())
    });
    lines.collect()
}
