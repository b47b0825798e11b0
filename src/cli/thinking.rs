//! `swissmatch thinking RUN`
//!
//! May not: read records, or count anything.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::anyhow;
use clap::Args;
use swiss_system::count;
use swiss_system::pairing::history::PairingNumber;

use crate::cli::progress::Progress;
use swissmatch_game::time_control::{TimeTextError, parse_duration};
use swissmatch_report::player_name;
use swissmatch_report::thinking::ThinkingReport;
use swissmatch_run::collected::write_plots;
use swissmatch_run::thinking;
use swissmatch_tournament::state::{EndedGame, State};
use swissmatch_tournament::thinking::ThinkingQuery;

use super::exit::{Exit, Failure};
use super::form::FormFlags;
use super::output::print;
use super::which_run::WhichRunArgs;

/// How many moves a band has, where it is not said.
const BAND: NonZeroU32 = NonZeroU32::new(10).expect("not 0");
/// So many players have lines of their own in a plot.
const PLOTTED: usize = 8;

/// How agents used their time and depth
///
/// From the records of a run: time, depth, nodes and speed of each agent's moves, with --band also by
/// the number of the move; how near it came to its limits, and how often beyond; its first evaluations
/// after the opening; and its own measure of its time beside the runner's.
/// docs/thinking.md says what each figure is.
///
///   swissmatch thinking                                  the latest run in results/
///   swissmatch thinking results/monday --player Alpha --player Bravo
///   swissmatch thinking --band 5 --near 100ms
///   swissmatch thinking --plot plots                     over the number of the move
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct ThinkingArgs {
    #[command(flatten)]
    run: WhichRunArgs,
    /// Only this player, by its name; may be given several times
    #[arg(long, value_name = "NAME")]
    player: Vec<String>,
    /// Also by the number of the move, in bands of so many moves (JSON always has them, of 10 moves unless this says otherwise)
    #[arg(long, value_name = "MOVES")]
    band: Option<NonZeroU32>,
    /// A move is a near miss if less than this was left of its limit (default: 20ms, and of a time per move at most half of
    /// the overhead)
    #[arg(long, value_name = "TIME", value_parser = time)]
    near: Option<Duration>,
    /// Draw time-per-move, depth, nodes and speed (.svg) of the first eight players in this directory, which is
    /// made; such files in it are replaced
    #[arg(long, value_name = "DIR")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    form: FormFlags,
}

impl ThinkingArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let run = self.run.open()?;
        let players = self.players(&run.state)?;
        let is_wanted = |game: &EndedGame| {
            let two = [game.finished.white, game.finished.black];
            two.iter().any(|player| players.contains(player))
        };
        let games: Vec<EndedGame> = run.state.finished_games().filter(is_wanted).collect();
        let wanted = ThinkingQuery {
            one_by_one: self.plot.as_ref().map_or(0, |_| PLOTTED),
            players: players.clone(),
            band: self.band.unwrap_or(BAND),
            near: self.near,
        };
        let progress = Progress::new(games.len() as u64, "games");
        let found = thinking::of_games(&run, &games, wanted, || progress.step());
        drop(progress);
        let (thinking, without_record) = found.map_err(|error| Failure::machine(anyhow!(error)))?;
        let shown = ThinkingReport {
            state: &run.state,
            thinking: &thinking,
            without_record,
            has_bands: self.band.is_some(),
        };
        if let Some(directory) = &self.plot {
            let plots = shown.plots();
            write_plots(directory, &plots).map_err(Failure::machine)?;
        }
        Ok(print(&self.form.text(|| shown.pages(), || shown.json())))
    }

    /// Those that were asked for, in that order, or all.
    fn players(&self, state: &State) -> Result<Vec<PairingNumber>, Failure> {
        if self.player.is_empty() {
            return Ok(state.numbers().collect());
        }
        let mut players = Vec::new();
        for name in &self.player {
            let is_called = |number: &PairingNumber| state.player(*number).name == *name;
            let number = state.numbers().find(is_called).ok_or_else(|| unknown(name, state))?;
            if !players.contains(&number) {
                players.push(number);
            }
        }
        Ok(players)
    }
}

/// That nobody is called so.
fn unknown(name: &str, state: &State) -> Failure {
    /// So many names are listed.
    const LISTED: usize = 20;
    let names: Vec<String> = state
        .numbers()
        .take(LISTED)
        .map(|number| player_name(state, number))
        .collect();
    let more = match state.player_count().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(" and {}", count::of(more, "more", "more")),
    };
    Failure::usage(anyhow!(
        "--player {name}: no player is called `{name}`; give one of {}{more}",
        names.join(", ")
    ))
}

/// A time with its unit.
fn time(text: &str) -> Result<Duration, TimeTextError> {
    parse_duration(text)
}
