//! `swissmatch stats RUN… | FILE.pgn…`, `stats --wdl W,D,L`, `stats --pentanomial …`
//!
//! May not: rate anybody; read games.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::{ArgGroup, Args, ValueEnum};

use swissmatch_report::counts::ResultCounts;
use swissmatch_report::ratings::{RatingList, RatingListError, RatingListRequest};
use swissmatch_run::collected::{self, Collecting};
use swissmatch_stats::rating::model::RatingModel;
use swissmatch_stats::rating::{Errors, Options, Origin};
use swissmatch_tournament::collected::{BreakdownOptions, Collection};

use super::exit::{Exit, Failure};
use super::form::{Form, FormFlags};
use super::match_plots::MatchPlots;
use super::output::print;
use super::which_run;

/// Samples where none are asked for.
const SAMPLES: u32 = 1000;

/// Rate all players of runs and PGN files by one fit
///
/// Gives the rating of each player with its 95 % interval and the likelihood that it is stronger than
/// the next one, White's advantage and the share of draws, and says what these do not tell: who cannot
/// be compared, which games were left out, what faults changed. Players with one name are one player.
/// docs/statistics.md has the model, the formulas and their sources.
///
///   swissmatch stats                                     the latest run in results/
///   swissmatch stats results/monday results/tuesday games.pgn.gz
///   swissmatch stats games.pgn --anchor "Stockfish 15=3500" --los --plot plots
///   swissmatch stats games.pgn --ordo --json             as Ordo has it; --bayeselo as BayesElo does
///   swissmatch stats games.pgn --by opening,length       decisive pairs of each opening, bands of moves
///   swissmatch stats --wdl 164,23,13                     from counts alone: won, drawn, lost
///   swissmatch stats --pentanomial 2,0,10,21,67          game pairs by points: 0, ½, 1, 1½, 2
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
#[command(group(ArgGroup::new("counts").args(["wdl", "pentanomial"])))]
pub(super) struct StatsArgs {
    /// Runs (their directories or event files) and PGN files, which may be packed by gzip; the latest run if none is named
    #[arg(value_name = "RUN|FILE.pgn", conflicts_with = "counts")]
    sources: Vec<PathBuf>,
    /// Figures of these games instead, won, drawn and lost
    #[arg(long, value_name = "W,D,L", value_parser = ResultCounts::of_games)]
    wdl: Option<ResultCounts>,
    /// Figures of these game pairs instead: those with 0, ½, 1, 1½ and 2 points, or six counts LL,LD,WL,DD,WD,WW
    #[arg(long, value_name = "COUNTS", value_parser = ResultCounts::of_pairs)]
    pentanomial: Option<ResultCounts>,
    #[command(flatten)]
    fit: FitArgs,
    /// Leave out the games that ended by a fault of an agent; what that changes is said in any case
    #[arg(long, conflicts_with = "counts")]
    leave_out_faults: bool,
    /// Add the matrix of likelihoods of superiority
    #[arg(long, conflicts_with = "counts")]
    los: bool,
    /// Add the expected and the actual points of everybody who met
    #[arg(long, conflicts_with = "counts")]
    by_opponent: bool,
    /// Add tables by these, separated by commas
    #[arg(
        long,
        value_enum,
        value_name = "WHAT",
        value_delimiter = ',',
        conflicts_with = "counts"
    )]
    by: Vec<ByWord>,
    /// Draw ratings and los (.svg) in this directory, which is made; of one run or file of two players also score,
    /// and of a run with a test llr; such files in it are replaced
    #[arg(long, value_name = "DIR", conflicts_with = "counts")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    form: FormFlags,
}

#[derive(Debug, Args)]
struct FitArgs {
    /// The model of games (default: davidson)
    #[arg(long, value_enum, conflicts_with_all = ["counts", "bayeselo", "ordo"])]
    model: Option<ModelWord>,
    /// The model and the defaults of BayesElo
    #[arg(long, conflicts_with_all = ["counts", "ordo"])]
    bayeselo: bool,
    /// The model of Ordo with -W -D
    #[arg(long, conflicts_with = "counts")]
    ordo: bool,
    /// A player whose rating is given; may be given several times
    #[arg(long, value_name = "NAME=ELO", value_parser = anchor, conflicts_with_all = ["counts", "average"])]
    anchor: Vec<(String, f64)>,
    /// The average of all ratings (default: 0)
    #[arg(long, value_name = "ELO", value_parser = elo, allow_negative_numbers = true, conflicts_with = "counts")]
    average: Option<f64>,
    /// Where errors come from (default: auto, by pairs where there are enough, else by the model)
    #[arg(long, value_enum, conflicts_with = "counts")]
    errors: Option<ErrorsWord>,
    /// How many samples `--errors resampled` takes (default: 1000)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=1_000_000), conflicts_with = "counts")]
    samples: Option<u32>,
    /// Fixes the random numbers of `--errors resampled` (default: 1)
    #[arg(long, value_name = "N", conflicts_with = "counts")]
    rng_seed: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ModelWord {
    Davidson,
    RaoKupper,
    Halves,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ErrorsWord {
    Auto,
    Model,
    Games,
    Pairs,
    Resampled,
}

/// By what games are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ByWord {
    /// Each player's games with White and with Black, with the points that the fit expects
    #[value(alias = "color")]
    Colour,
    /// Each opening: White's score, draws, the share of decisive pairs
    Opening,
    /// Numbers of moves, with mean and median
    Length,
    /// Why games ended, and whose faults ended them
    #[value(alias = "ending")]
    Termination,
}

impl StatsArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        if let Some(counts) = self.wdl.or(self.pentanomial) {
            return Ok(print(&self.form.text(|| counts.page(), || counts.json())));
        }
        let options = self.fit.options()?;
        let is_one = self.plot.is_some() && self.sources.len() <= 1;
        let mut of_match = MatchPlots::new(is_one, self.leave_out_faults);
        let collection = self.collection(&mut of_match)?;
        let asked = RatingListRequest {
            options: Options {
                origin: self.fit.origin(&collection)?,
                ..options
            },
            leave_out_faults: self.leave_out_faults,
            by_opponent: self.by_opponent,
            los: self.los,
            by_colour: self.by.contains(&ByWord::Colour),
            whole_lists: self.form.form() == Form::Csv,
        };
        let rated = RatingList::new(&collection, asked).map_err(|error| match error {
            RatingListError::NoGames(_) => Failure::usage(error),
            RatingListError::Refused(_) => Failure::usage(anyhow!(
                "{error}; --bayeselo takes each player to have two draws more, which connects all who met"
            )),
        })?;
        if let Some(directory) = &self.plot {
            let mut plots = rated.plots();
            plots.extend(of_match.plots);
            collected::write_plots(directory, &plots).map_err(Failure::machine)?;
        }
        Ok(print(&self.form.text(|| rated.pages(), || rated.json())))
    }

    fn collection(&self, of_match: &mut MatchPlots) -> Result<Collection, Failure> {
        let mut collecting = Collecting::new(BreakdownOptions {
            opening: self.by.contains(&ByWord::Opening),
            length: self.by.contains(&ByWord::Length),
            termination: self.by.contains(&ByWord::Termination),
            without_faults: self.leave_out_faults,
        });
        let (files, mut runs): (Vec<Option<&Path>>, Vec<Option<&Path>>) =
            (self.sources.iter().map(|source| Some(source.as_path()))).partition(|source| source.is_some_and(is_pgn));
        if self.sources.is_empty() {
            runs.push(None);
        }
        for file in files.into_iter().flatten() {
            collecting.read_file(file).map_err(Failure::usage)?;
            of_match.of_file(file)?;
        }
        for run in runs {
            let run = which_run::open(run)?;
            of_match.of_run(&run.state)?;
            collecting.add_run(&run).map_err(Failure::usage)?;
        }
        Ok(collecting.finish())
    }
}

impl FitArgs {
    /// What is asked for, but for what ratings are relative to.
    fn options(&self) -> Result<Options, Failure> {
        let mut options = match () {
            () if self.bayeselo => Options::bayeselo(),
            () if self.ordo => Options::ordo(),
            () => Options::default(),
        };
        match self.model {
            Some(ModelWord::Davidson) => options.model = RatingModel::Davidson,
            Some(ModelWord::RaoKupper) => options.model = RatingModel::RaoKupper,
            Some(ModelWord::Halves) => options.model = RatingModel::Halves,
            None => {}
        }
        for (flag, is_given) in [
            ("--samples", self.samples.is_some()),
            ("--rng-seed", self.rng_seed.is_some()),
        ] {
            if is_given && self.errors != Some(ErrorsWord::Resampled) {
                return Err(Failure::usage(anyhow!(
                    "{flag} is for errors by resampling: add --errors resampled, or leave it out"
                )));
            }
        }
        match self.errors {
            Some(ErrorsWord::Auto) => options.errors = Errors::ByCount,
            Some(ErrorsWord::Model) => options.errors = Errors::Model,
            Some(ErrorsWord::Games) => options.errors = Errors::Games,
            Some(ErrorsWord::Pairs) => options.errors = Errors::Pairs,
            Some(ErrorsWord::Resampled) => {
                options.errors = Errors::Resampled {
                    samples: self.samples.unwrap_or(SAMPLES),
                    seed: self.rng_seed.unwrap_or(1),
                }
            }
            None => {}
        }
        Ok(options)
    }

    fn origin(&self, collection: &Collection) -> Result<Origin, Failure> {
        if self.anchor.is_empty() {
            return Ok(Origin::Average {
                players: Vec::new(),
                value: self.average.unwrap_or(0.0),
            });
        }
        let mut anchors: Vec<(usize, f64)> = Vec::new();
        for (name, elo) in &self.anchor {
            let number = collection.number_of(name).ok_or_else(|| {
                Failure::usage(anyhow!(
                    "--anchor {name}={elo}: no game of a player `{name}` counts; names are as in the table, which `swissmatch stats` shows \
                     without --anchor"
                ))
            })?;
            if anchors.iter().any(|(player, _)| *player == number) {
                return Err(Failure::usage(anyhow!(
                    "--anchor {name}={elo}: `{name}` has a rating by another --anchor: give each player one"
                )));
            }
            anchors.push((number, *elo));
        }
        Ok(Origin::Anchors(anchors))
    }
}

/// Whether it is a file of games rather than a run.
fn is_pgn(path: &Path) -> bool {
    which_run::is_tournament_file(path) && path.extension().is_none_or(|extension| extension != "trf")
}

/// Why a value is none.
type BadFlagValue = String;

fn anchor(text: &str) -> Result<(String, f64), BadFlagValue> {
    let help = || "give a name and its rating, such as \"Stockfish 15=3500\"".to_owned();
    // A name may have the sign in it.
    let (name, rating) = text.rsplit_once('=').ok_or_else(help)?;
    match (name, elo(rating)) {
        ("", _) | (_, Err(_)) => Err(help()),
        (name, Ok(elo)) => Ok((name.to_owned(), elo)),
    }
}

fn elo(text: &str) -> Result<f64, BadFlagValue> {
    match text.trim().parse::<f64>() {
        Ok(elo) if elo.abs() <= 1e6 => Ok(elo),
        _ => Err("give a rating in Elo, such as 2800".to_owned()),
    }
}
