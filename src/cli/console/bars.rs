//! What a run draws on a terminal: the round, how long it goes on or what it waits for, and the mini-matches that are played.
//!
//! May not: print lines.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use jiff::Timestamp;

use super::pace::{Pace, finished, played, scheduled};
use crate::cli::screen::{self, ScreenBars};
use swissmatch_game::record::GameId;
use swissmatch_report::waiting;
use swissmatch_tournament::state::{Sitting, State};
use swissmatch_tournament::waiting::Wait;

/// Most mini-matches shown as lines of their own.
const SHOWN: usize = 12;
/// How often is drawn anew at most, a second.
const REDRAWS: u8 = 5;

/// Why no game is begun.
#[derive(Clone, Copy, Debug)]
pub(super) enum HoldReason {
    /// The event is paused.
    Paused,
    /// The pairing of this round waits for the arbiter's yes.
    Yes(u32),
    /// Time alone brings what comes next.
    Time(Wait),
}

pub(super) struct Bars {
    pub(super) screen: MultiProgress,
    round: ProgressBar,
    /// Below it: the pace, or what is waited for.
    course: ProgressBar,
    boards: Vec<ProgressBar>,
    drawn: Instant,
}

impl Drop for Bars {
    fn drop(&mut self) {
        screen::draws(None);
        // A terminal that has gone is no reason to stop an event.
        let _ = self.screen.clear();
    }
}

impl Bars {
    pub(super) fn new() -> Self {
        let screen = MultiProgress::with_draw_target(ProgressDrawTarget::stderr_with_hz(REDRAWS));
        let round = screen.add(ProgressBar::new(0));
        round.set_style(text());
        let course = screen.add(ProgressBar::new(0));
        course.set_style(text());
        screen::draws(Some(ScreenBars::Bars(screen.clone())));
        Self {
            screen,
            round,
            course,
            boards: Vec::new(),
            drawn: Instant::now(),
        }
    }

    /// Draws how things stand; `figures` are those of a match of two players.
    pub(super) fn draw(
        &mut self,
        state: &State,
        playing: &BTreeSet<GameId>,
        held: Option<HoldReason>,
        pace: &Pace,
        figures: Option<String>,
    ) {
        if self.drawn.elapsed() < Duration::from_secs(1) / u32::from(REDRAWS) {
            return;
        }
        self.drawn = Instant::now();
        let sitting = state.sittings().last();
        sitting.iter().for_each(|sitting| self.draw_round(state, *sitting));
        self.course.set_message(match held {
            None => {
                let known: Vec<String> = pace.shown(state).into_iter().chain(figures).collect();
                format!("  {}", known.join("; "))
            }
            Some(held) => reason(state, held, playing.len()),
        });
        let mut lines = sitting.map_or_else(Vec::new, |sitting| boards(state, sitting, playing));
        while self.boards.len() < lines.len() {
            let line = self.screen.add(ProgressBar::new_spinner());
            line.set_style(text());
            self.boards.push(line);
        }
        // Lines that are not needed stay empty: a bar that is taken away leaves the screen a line off.
        lines.resize(self.boards.len(), String::new());
        for (bar, line) in self.boards.iter().zip(lines) {
            bar.set_message(line);
        }
    }

    /// Draws how far the round is.
    fn draw_round(&self, state: &State, sitting: Sitting<'_>) {
        let (total, done) = (scheduled(sitting), played(sitting));
        let name = match sitting.playoff {
            0 => format!("Round {}/{}", sitting.round, state.created().rounds),
            playoff => format!("Play-off round {playoff}"),
        };
        if total == 0 {
            self.round.set_style(text());
            self.round.set_message(name);
        } else {
            self.round.set_style(bar());
            self.round.set_prefix(name);
            self.round.set_length(total as u64);
            self.round.set_position(done as u64);
        }
    }
}

fn bar() -> ProgressStyle {
    let style = ProgressStyle::with_template("{prefix} [{wide_bar:.green/dim}] {pos}/{len} games");
    style.expect("the template is right").progress_chars("=> ")
}

/// A line that is cut where the terminal ends.
fn text() -> ProgressStyle {
    ProgressStyle::with_template("{wide_msg}").expect("the template is right")
}

/// Why no game is begun, while so many are played.
fn reason(state: &State, held: HoldReason, playing: usize) -> String {
    match held {
        HoldReason::Paused if playing > 0 => format!("  PAUSED, {playing} under way"),
        HoldReason::Paused => "  PAUSED".to_owned(),
        HoldReason::Yes(round) => format!("  round {round} waits to be confirmed"),
        HoldReason::Time(wait) => {
            let sentence = waiting::sentence(wait, Timestamp::now(), &state.setup().schedule.time_zone);
            format!("  {sentence}")
        }
    }
}

/// The mini-matches that are being played, a line each, the last one for those that are too many. Names stand last: where the
/// terminal ends they are cut.
fn boards(state: &State, sitting: Sitting<'_>, playing: &BTreeSet<GameId>) -> Vec<String> {
    let running: BTreeSet<u32> = playing.iter().map(|id| id.board).collect();
    let table = &state.setup().scoring;
    let lines = running.iter().take(SHOWN).filter_map(|&number| {
        let board = sitting.mini_matches.get(number as usize - 1)?;
        let (white, black) = (board.pair.white, board.pair.black);
        let points = |player| board.game_points(player, table).to_string();
        let (of_white, of_black) = (points(white), points(black));
        let (white, black) = (&state.player(white).name, &state.player(black).name);
        let (done, all) = (finished(board).to_string(), board.games.len().to_string());
        let width = all.len();
        Some(format!(
            "  {number:>3}  {of_white:>4} – {of_black:<4}  {done:>width$}/{all}  {white} – {black}"
        ))
    });
    let mut lines: Vec<String> = lines.collect();
    if running.len() > SHOWN {
        lines.push(format!("       … and {} more", running.len() - SHOWN));
    }
    lines
}
