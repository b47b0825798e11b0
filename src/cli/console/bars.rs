//! The bars of a run on a terminal: the round, and the mini-matches that are being played.
//!
//! May not: print lines.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use jiff::Timestamp;

use crate::cli::screen::{self, Drawn};
use crate::game::record::GameId;
use crate::report::waiting;
use crate::tournament::state::{MiniMatch, State};
use crate::tournament::waiting::Wait;

/// Most mini-matches shown as lines of their own.
const SHOWN: usize = 12;
/// How often bars are drawn anew at most.
const REDRAW: Duration = Duration::from_millis(100);

pub(super) struct Bars {
    pub(super) screen: MultiProgress,
    round: ProgressBar,
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
        let screen = MultiProgress::new();
        let round = screen.add(ProgressBar::new(0));
        let style = ProgressStyle::with_template("{prefix} [{wide_bar:.green/dim}] {pos}/{len} games {msg}");
        round.set_style(style.expect("the template is right").progress_chars("=> "));
        screen::draws(Some(Drawn::Bars(screen.clone())));
        Self {
            screen,
            round,
            boards: Vec::new(),
            drawn: Instant::now(),
        }
    }

    pub(super) fn draw(
        &mut self,
        state: &State,
        playing: &BTreeSet<GameId>,
        games: usize,
        elapsed: Duration,
        wait: Option<Wait>,
    ) {
        if self.drawn.elapsed() < REDRAW {
            return;
        }
        self.drawn = Instant::now();
        let wait = wait.map(|wait| waiting::sentence(wait, Timestamp::now(), &state.setup().schedule.time_zone));
        let Some(sitting) = state.sittings().last() else {
            self.round.set_message(wait.unwrap_or_default());
            return;
        };
        let boards = || sitting.mini_matches.iter();
        let (total, done) = (
            boards().map(|b| b.games.len()).sum::<usize>(),
            boards().map(finished).sum::<usize>(),
        );
        self.round.set_length(total as u64);
        self.round.set_position(done as u64);
        let rounds = state.created().rounds as usize;
        self.round.set_prefix(match sitting.playoff {
            0 => format!("Round {}/{rounds}", sitting.round),
            playoff => format!("Play-off round {playoff}"),
        });
        // How long a play-off goes on nobody knows.
        let (of_event, before) = match sitting.playoff {
            0 => (total * rounds, total * (state.rounds().len() - 1)),
            _ => (total, 0),
        };
        let pace = || pace(games, elapsed, of_event - (before + done).min(of_event));
        self.round.set_message(wait.unwrap_or_else(pace));

        let running: BTreeSet<u32> = playing.iter().map(|id| id.board).collect();
        let table = &state.setup().scoring;
        let lines = running.iter().take(SHOWN).filter_map(|&number| {
            let board = sitting.mini_matches.get(number as usize - 1)?;
            let (white, black) = (board.pair.white, board.pair.black);
            let score = (board.game_points(white, table), board.game_points(black, table));
            let (white, black) = (&state.player(white).name, &state.player(black).name);
            let (done, all) = (finished(board), board.games.len());
            Some(format!(
                "  {number:>3}  {white} {} – {} {black}  ({done}/{all})",
                score.0, score.1
            ))
        });
        let mut lines: Vec<String> = lines.collect();
        if running.len() > SHOWN {
            lines.push(format!("       and {} more", running.len() - SHOWN));
        }
        while self.boards.len() < lines.len() {
            let line = self.screen.add(ProgressBar::new_spinner());
            line.set_style(ProgressStyle::with_template("{msg}").expect("the template is right"));
            self.boards.push(line);
        }
        lines.resize(self.boards.len(), String::new());
        for (bar, line) in self.boards.iter().zip(lines) {
            bar.set_message(line);
        }
    }
}

fn finished(board: &MiniMatch) -> usize {
    board.games.iter().flatten().count()
}

/// Games a second, and the time left for `left` games at that pace.
fn pace(games: usize, elapsed: Duration, left: usize) -> String {
    let millis = elapsed.as_millis().max(1);
    let tenths_a_second = games as u128 * 10_000 / millis;
    let rate = format!("{}.{}/s", tenths_a_second / 10, tenths_a_second % 10);
    if games == 0 {
        return rate;
    }
    let seconds = left as u128 * millis / games as u128 / 1000;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{rate}, event {hours}:{minutes:02}:{seconds:02} left")
}
