//! `swissmatch export`

use std::path::PathBuf;

use anyhow::anyhow;
use clap::{Args, ValueEnum};

use swiss_system::count;
use swissmatch_host::files;
use swissmatch_report::pgn::Comments;
use swissmatch_report::results_pgn::{self, Program};
use swissmatch_report::{games, parts, trf, warnings};
use swissmatch_run::open_run::OpenRun;
use swissmatch_run::{self as run, database, publish};
use swissmatch_tournament::log::GameFinished;
use swissmatch_tournament::state::EndedGame;

use super::exit::{Exit, Failure};
use super::output::print;
use super::screen;
use super::which_run::{WhichRunArgs, chosen_part, refuse_tour};

/// What `export` writes.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum What {
    /// Games as PGN, in schedule order
    Pgn,
    /// A list of games as CSV
    GamesCsv,
    /// A list of games as JSON
    GamesJson,
    /// Standings as CSV
    Csv,
    /// Standings as JSON
    Json,
    /// Standings and pairings of every round as Markdown
    Markdown,
    /// A tournament file (TRF) that other programs can check; see docs/trf.md
    Trf,
    /// Moves, times, evaluations and attempts of games as JSON, one game per line
    Records,
    /// Results alone as PGN for Ordo: the games that count, without moves; docs/statistics.md
    Ordo,
    /// The same for BayesElo, which keeps 63 bytes of a name
    #[value(name = "bayeselo")]
    BayesElo,
    /// UCI transcript and standard error of one game, if kept
    Evidence,
    /// Variations and claims of engines that cannot be true, as JSON, one per line: game, move, position, variation
    Warnings,
    /// The whole run as an SQLite database for notebooks: games, moves, players, faults, standings; see docs/database.md
    Sqlite,
}

/// How `export trf` shows a mini-match.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum View {
    /// Each agent a player, each mini-match one result: to check the pairings and match points
    Individual,
    /// Each agent a team, each game a board: to check the game points
    Teams,
}

/// Games and tables as PGN, CSV, JSON, Markdown or SQLite
///
/// They go to standard output, or to a file; a database goes to a file alone:
///
/// swissmatch export sqlite --output run.db
#[derive(Debug, Args)]
pub(super) struct ExportArgs {
    /// What to write
    what: What,
    #[command(flatten)]
    run: WhichRunArgs,
    /// Only this game (ROUND.BOARD.GAME), board (ROUND.BOARD) or round (ROUND); play-off rounds after round 9 are 9p1, 9p2 …
    #[arg(long, value_name = "ID")]
    only: Option<String>,
    /// PGN without comments: the same moves give the same bytes
    #[arg(long)]
    no_comments: bool,
    /// How a tournament file shows mini-matches (default: individual)
    #[arg(long)]
    view: Option<View>,
    /// Of an event of several parts (sections, stages), a tournament file of this part, from 1
    #[arg(long, value_name = "N")]
    part: Option<usize>,
    /// A tournament file as it stood after this round; 0 means before the first
    #[arg(long, value_name = "N")]
    round: Option<usize>,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl ExportArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        if matches!(self.what, What::Sqlite) {
            return self.database();
        }
        let run = self.run.open()?;
        let text = self.text(&run)?;
        let Some(path) = &self.output else {
            return Ok(print(&text));
        };
        files::write_out(path, &text).map_err(Failure::machine)?;
        Ok(Exit::Done)
    }

    fn database(&self) -> Result<Exit, Failure> {
        let Some(path) = &self.output else {
            return Err(Failure::usage(anyhow!(
                "a database is a file: name it, as in `swissmatch export sqlite --output run.db`"
            )));
        };
        let is_part = self.only.is_some() || self.part.is_some() || self.round.is_some();
        if is_part || self.view.is_some() || self.no_comments {
            return Err(Failure::usage(anyhow!(
                "a database has the whole run: --only, --part, --round, --view and --no-comments are not for it; choose by SQL"
            )));
        }
        database::write(&self.run.open()?, path).map_err(|error| match error.is_usage() {
            true => Failure::usage(error),
            false => Failure::machine(error),
        })?;
        Ok(Exit::Done)
    }

    fn text(&self, run: &OpenRun) -> Result<String, Failure> {
        let rounds = run.state.rounds().len();
        let of_trf = self.view.is_some() || self.round.is_some() || self.part.is_some();
        if of_trf && !matches!(self.what, What::Trf) {
            return Err(Failure::usage(anyhow!("--view, --round and --part are only for trf")));
        }
        if self.only.is_some() && matches!(self.what, What::Csv | What::Json | What::Markdown | What::Trf) {
            return Err(Failure::usage(anyhow!(
                "--only chooses games; for standings after an earlier round, use `swissmatch standings --round N`"
            )));
        }
        if matches!(self.what, What::Csv | What::Json | What::Markdown | What::Trf) {
            refuse_tour(run)?;
        }
        Ok(match self.what {
            What::Pgn => {
                let comments = if self.no_comments {
                    Comments::None
                } else {
                    Comments::Full
                };
                publish::render_games(&run.state, &self.games(run)?, run.created_at(), &run.store, comments)
                    .map_err(Failure::machine)?
            }
            What::GamesCsv => games::table(&run.state, &self.games(run)?).csv(),
            What::GamesJson => games::json(&run.state, &self.games(run)?),
            What::Csv => parts::standings(&run.state, rounds).csv(),
            What::Json => parts::standings_json(&run.state, rounds),
            What::Markdown => {
                let pairings = (1..=rounds).filter_map(|round| games::round(&run.state, round));
                let tables = [
                    parts::standings(&run.state, rounds).markdown(),
                    parts::crosstables(&run.state, rounds).markdown(),
                ];
                let pairings = pairings.map(|page| page.markdown());
                tables.into_iter().chain(pairings).collect::<Vec<_>>().join("\n")
            }
            What::Trf => {
                let view = match self.view {
                    None | Some(View::Individual) => trf::View::Individual,
                    Some(View::Teams) => trf::View::Teams,
                };
                let over = run.state.rounds_over();
                let round = self.round.unwrap_or(over);
                if round > over {
                    return Err(Failure::usage(anyhow!(
                        "round {round} is not over; so far {} of {} are",
                        over,
                        count::of(run.state.created().rounds as usize, "round", "rounds")
                    )));
                }
                let (state, round) = chosen_part(run.state.clone(), self.part, round)?;
                trf::text(&state, view, round).map_err(Failure::usage)?
            }
            What::Ordo => self.results(run, Program::Ordo)?,
            What::BayesElo => self.results(run, Program::BayesElo)?,
            What::Records => self.texts(run, OpenRun::record_as_kept)?.join("\n") + "\n",
            What::Evidence => {
                let texts = self.texts(run, OpenRun::evidence)?;
                if texts.is_empty() {
                    return Err(Failure::usage(anyhow!(
                        "no evidence was kept of this game; it is kept of games with faults, or of all games with \
                        run.evidence = \"all\""
                    )));
                }
                texts.join("\n")
            }
            What::Warnings => {
                let warned = run::warnings::of_games(run, &self.games(run)?);
                warnings::json_lines(&run.state, &warned.map_err(|error| Failure::machine(anyhow!(error)))?)
            }
            What::Sqlite => unreachable!("a database is no text"),
        })
    }

    /// Results alone; which games do not count is said.
    fn results(&self, run: &OpenRun, program: Program) -> Result<String, Failure> {
        let results = results_pgn::results(&run.state, &self.games(run)?, program);
        if let Some(left_out) = &results.left_out {
            screen::say(&format!("note: {left_out}"));
        }
        Ok(results.text)
    }

    fn games(&self, run: &OpenRun) -> Result<Vec<EndedGame>, Failure> {
        let Some(only) = &self.only else {
            return Ok(run.state.finished_games().collect());
        };
        let (round, rest) = only.split_once('.').unwrap_or((only, "1"));
        let is_number = |part: &str| part.parse::<u32>().is_ok();
        // A play-off round is called by the round that it follows: 9p2.
        let is_round = round.split('p').count() <= 2 && round.split('p').all(is_number);
        if !is_round || rest.split('.').count() > 2 || !rest.split('.').all(is_number) {
            return Err(Failure::usage(anyhow!(
                "--only {only}: write ROUND, ROUND.BOARD or ROUND.BOARD.GAME, such as 2.1.14; in a play-off 9p2.1.1"
            )));
        }
        let is_of = |game: &EndedGame| format!("{}.", game.finished.id).starts_with(&format!("{only}."));
        let games: Vec<_> = run.state.finished_games().filter(is_of).collect();
        if games.is_empty() {
            Err(Failure::usage(anyhow!("no finished game has the number {only}")))
        } else {
            Ok(games)
        }
    }

    /// What the log keeps of each game, where it keeps that.
    fn texts(
        &self,
        run: &OpenRun,
        kept: impl Fn(&OpenRun, &GameFinished) -> Result<Option<String>, String>,
    ) -> Result<Vec<String>, Failure> {
        let games = self.games(run)?;
        let texts = games.iter().filter_map(|game| {
            let finished = run.finished(game);
            finished.and_then(|finished| kept(run, finished)).transpose()
        });
        texts
            .map(|text| text.map_err(|why| Failure::machine(anyhow!(why))))
            .collect()
    }
}
