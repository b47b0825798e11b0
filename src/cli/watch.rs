//! `swissmatch status --watch`: a run on the whole screen of a terminal, drawn anew each second.

use std::time::{Duration, Instant};

use anyhow::anyhow;
use jiff::Timestamp;

use swissmatch_host::screen::{Screen, Woken};
use swissmatch_report::waiting::sentence;
use swissmatch_report::watch::{Sight, draw};
use swissmatch_run::watch::Watch;
use swissmatch_tournament::director;
use swissmatch_tournament::live::LiveGame;
use swissmatch_tournament::state::State;
use swissmatch_tournament::ties::event_is_over;
use swissmatch_tournament::waiting;

use super::console::pace::Pace;
use super::exit::{Exit, Failure};
use super::run::{playing_is_held, waits_for_a_yes};

/// Between two frames.
const FRAME: Duration = Duration::from_secs(1);

/// Draws until whoever watches leaves.
pub(super) fn watch(dir: &std::path::Path) -> Result<Exit, Failure> {
    let now = Timestamp::now();
    let mut watched = Watch::open(dir, now).map_err(|error| Failure::machine(anyhow!(error)))?;
    let mut screen = Screen::begin().map_err(|error| {
        Failure::usage(anyhow!(
            "status --watch draws on the whole screen: {error}; `swissmatch status` prints the same once"
        ))
    })?;
    let mut pace = Pace::new(Instant::now());
    loop {
        let frame = Instant::now();
        let now = Timestamp::now();
        (0..watched.look(now)).for_each(|_| pace.game_is_over());
        let games: Vec<LiveGame> = watched.games();
        pace.goes_on(frame, games.iter().any(|game| game.ended.is_none()));
        let state = watched.state();
        let (words, news) = (words(&watched, state, now), watched.news());
        let shown = pace.shown(state);
        let sight = Sight {
            state,
            now,
            games: &games,
            words: &words,
            pace: watched.is_played().then_some(shown.as_str()),
            news: &news,
        };
        let (columns, rows) = screen.size();
        let lines = draw(&sight, columns, rows);
        let drawn = screen.draw(lines.iter().map(|line| (line.text.as_str(), line.is_heading)));
        if drawn.is_err() {
            return Ok(Exit::Done);
        }
        // Lines that come meanwhile are taken in, so that the runner need not drop this listener.
        loop {
            let left = FRAME.saturating_sub(frame.elapsed());
            if left.is_zero() {
                break;
            }
            let lines: Vec<_> = watched.lines().into_iter().collect();
            if screen.pause(left, &lines) == Woken::Leaves {
                return Ok(Exit::Done);
            }
            drop(lines);
            watched.hear();
        }
    }
}

/// What is to be said of how the run stands, the most needed first.
fn words(watched: &Watch, state: &State, now: Timestamp) -> Vec<String> {
    let runner = match (watched.is_played(), event_is_over(state)) {
        (true, _) => "A runner is at work on it.",
        (false, true) => "The event is over.",
        (false, false) => "No runner is at work on it; this goes on when one is.",
    };
    let wait = waiting::awaited(state, &director::coming(state), watched.ends(), now);
    let wait = wait.filter(|_| state.orders().paused.is_none());
    let zone = &state.setup().schedule.time_zone;
    let wait = wait.map(|wait| format!("Waiting: {}", sentence(wait, now, zone)));
    let held = playing_is_held(state).or_else(|| waits_for_a_yes(state));
    let trouble = watched.trouble().map(str::to_owned);
    [runner.to_owned()]
        .into_iter()
        .chain(wait)
        .chain(held)
        .chain(trouble)
        .collect()
}
