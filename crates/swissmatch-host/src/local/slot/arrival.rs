//! Coming to a game whose clock runs by the schedule: both engines are started at the same time, again and again, until
//! the clock of the one that does not come has run out.
//!
//! "You are connected and your opponent is not, you win the game" (Immortal Game). The clock of the side that moves
//! first runs from the scheduled time until it is up; the other side's runs from then on. If the first side does not
//! come before its clock has run out, the game is over then, whoever else has come.
//!
//! May not: play.

use std::io;
use std::sync::{Mutex, PoisonError};
use std::thread::ScopedJoinHandle;
use std::time::{Duration, Instant};

use swiss_system::text::escaped;
use tracing::warn;

use swissmatch_game::Side;
use swissmatch_game::handshake::StartError;
use swissmatch_game::play::PreparationTime;
use swissmatch_game::record::GameSpec;

use super::{Agents, HOST_WAIT, HOST_WAITS};
use crate::engine::{Engine, EngineCommand};
use crate::threads;

/// The pause between two starts of an engine that does not come up: longer each time, up to the second value.
const PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// The most failed starts that a game's evidence names.
const NAMED: u32 = 20;

/// An engine that is up, and since when.
pub(super) struct Up {
    pub(super) engine: Engine,
    pub(super) at: Instant,
    /// What it has used of its time to get ready for earlier games.
    pub(super) prepared: PreparationTime,
}

/// The clock of the side that moves first.
pub(super) struct FirstClock {
    /// Since when it runs: later than scheduled if the machine lacked something, which is nobody's fault.
    pub(super) since: Instant,
    /// How long it had run when that side was up.
    pub(super) late: Duration,
}

/// Brings up the engines of a game that are not up yet; the first clock runs from `since`. Returns who came in time,
/// White first, and that clock if the side that moves first came. Once the arbiter has ruled, nobody is waited for.
///
/// # Errors
/// The machine cannot start an engine, however long it is waited for.
pub(super) fn come(
    spec: &GameSpec,
    since: Instant,
    (agents, commands): (&Agents, &[EngineCommand; 2]),
    seated: [Option<Up>; 2],
    failures: &mut Vec<String>,
) -> io::Result<([Option<Engine>; 2], Option<FirstClock>)> {
    let game = super::new_game(spec.clone());
    let arrival = Arrival {
        agents,
        commands,
        spec,
        first: game.turn(),
        limits: Side::BOTH.map(|side| game.limit(side)),
    };
    let (up, since) = arrival.bring(seated, since, failures)?;
    let first = up[arrival.first.index()].as_ref();
    let clock = first.map(|first| FirstClock {
        since,
        late: first.at.saturating_duration_since(since),
    });
    Ok((up.map(|up| up.map(|up| up.engine)), clock))
}

/// Who is waited for, and how long.
struct Arrival<'a> {
    agents: &'a Agents,
    /// How their engines are started, White's first.
    commands: &'a [EngineCommand; 2],
    spec: &'a GameSpec,
    /// The side that moves first.
    first: Side,
    /// The time of each side's own clock for its first move, White first.
    limits: [Duration; 2],
}

/// The result of starting an engine again and again.
#[derive(Default)]
struct StartTries {
    /// The engine, in time or not.
    up: Option<Up>,
    failures: Vec<String>,
    /// What the machine lacked.
    host: Option<StartError>,
}

impl StartTries {
    fn lacking(what: String) -> Self {
        Self {
            host: Some(StartError::Host(what)),
            ..Self::default()
        }
    }
}

impl Arrival<'_> {
    /// Returns who came in time, and since when the first clock has run: later if the machine lacked something, which
    /// is nobody's fault.
    fn bring(
        &self,
        mut up: [Option<Up>; 2],
        mut since: Instant,
        failures: &mut Vec<String>,
    ) -> io::Result<([Option<Up>; 2], Instant)> {
        let mut waits = 0;
        while let Err(failure) = self.wait_for_both(&mut up, since, failures) {
            if waits == HOST_WAITS {
                return Err(io::Error::other(failure));
            }
            waits += 1;
            warn!(lacks = %failure, waited = waits, "the machine lacks something to start an engine, and is waited for");
            std::thread::sleep(HOST_WAIT);
            since = Instant::now();
        }
        // An engine may have come up after its time, or before the clock ran.
        let first_came = up[self.first.index()].as_ref().map(|up| up.at);
        let in_time = |(up, side): (Option<Up>, Side)| {
            let deadline = self.deadline(side, since, first_came);
            up.filter(|up| up.at <= deadline)
        };
        let [white, black] = up;
        Ok(([(white, Side::White), (black, Side::Black)].map(in_time), since))
    }

    /// When a side that is not up has lost; `first_came` is when the side that moves first was up.
    fn deadline(&self, side: Side, since: Instant, first_came: Option<Instant>) -> Instant {
        match first_came {
            Some(came) if side != self.first => since.max(came) + self.limits[side.index()],
            _ => since + self.limits[self.first.index()],
        }
    }

    /// # Errors
    /// What the machine lacks.
    fn wait_for_both(
        &self,
        up: &mut [Option<Up>; 2],
        since: Instant,
        failures: &mut Vec<String>,
    ) -> Result<(), StartError> {
        let first_came = Mutex::new(up[self.first.index()].as_ref().map(|up| up.at));
        let first_came = &first_came;
        let missing = Side::BOTH.into_iter().filter(|side| up[side.index()].is_none());
        let tried: Vec<(Side, StartTries)> = std::thread::scope(|scope| {
            let threads: Vec<_> = missing
                .map(|side| {
                    let start = move || self.keep_starting(side, since, first_came);
                    (side, threads::start_in(scope, start))
                })
                .collect();
            let tried = |thread: io::Result<ScopedJoinHandle<'_, StartTries>>| match thread {
                Ok(thread) => thread.join().expect("starts do not panic"),
                Err(error) => StartTries::lacking(error.to_string()),
            };
            threads
                .into_iter()
                .map(|(side, thread)| (side, tried(thread)))
                .collect()
        });
        let mut host = None;
        for (side, tried) in tried {
            up[side.index()] = tried.up;
            failures.extend(tried.failures);
            host = host.or(tried.host);
        }
        host.map_or(Ok(()), Err)
    }

    fn keep_starting(&self, side: Side, since: Instant, first_came: &Mutex<Option<Instant>>) -> StartTries {
        let first_came = || first_came.lock().unwrap_or_else(PoisonError::into_inner);
        let deadline = || match self.agents.verdicts.on(self.spec.id) {
            Some(_) => since,
            None => self.deadline(side, since, *first_came()),
        };
        let player = self.spec.player(side);
        let command = &self.commands[side.index()];
        let (mut tried, mut starts, mut pause) = (StartTries::default(), 0, PAUSE);
        while Instant::now() < deadline() {
            starts += 1;
            match Engine::start_until(command, Some(&deadline)) {
                Ok((engine, _)) => {
                    let at = Instant::now();
                    if side == self.first {
                        *first_came() = Some(at);
                    }
                    tried.up = Some(Up {
                        engine,
                        at,
                        prepared: PreparationTime::default(),
                    });
                    return tried;
                }
                Err(failure @ StartError::Host(_)) => {
                    tried.host = Some(failure);
                    return tried;
                }
                Err(failure) if starts <= NAMED => {
                    warn!(
                        player = command.name,
                        attempt = starts,
                        why = escaped(failure.to_string()),
                        "engine did not start"
                    );
                    tried
                        .failures
                        .push(format!("player {player}, start {starts}: {failure}"));
                }
                Err(_) => {}
            }
            std::thread::sleep(pause.min(deadline().saturating_duration_since(Instant::now())));
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
        tried.failures.push(format!(
            "player {player}: not up when its time was over, after {starts} starts"
        ));
        tried
    }
}
