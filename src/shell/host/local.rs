//! The host of this machine: each place is a slot, a thread with the two engines of its game.
//!
//! May not: decide what is played.

pub mod cores;
pub mod roll_call;
pub mod slot;

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::time::{Duration, Instant};

use jiff::Timestamp;

use crate::pairing::history::PairingNumber;
use crate::shell::{agents, roles, threads};
use crate::tournament::event::{Created, FileHash};
use crate::tournament::setup::PlayerKeys;

use super::{GameHost, Order, Report, Reports};
use roll_call::{Registered, RollCall};
use slot::{Agents, Assignment};

/// This machine as a host.
#[derive(Debug)]
pub struct LocalHost {
    agents: Arc<Agents>,
    /// What late entries are measured by.
    created: Created,
    /// Each agent as it was registered, by pairing number.
    registered: Vec<(PlayerKeys, Vec<FileHash>)>,
    slots: Vec<Sender<Assignment>>,
    /// It is being looked who is there.
    roll_call: Option<RollCall>,
    reports: Reports,
}

impl LocalHost {
    /// Starts as many slots as `agents` have cores. `registered` has the agents as they were registered, by pairing number.
    ///
    /// # Errors
    /// When the machine does not give each slot a thread, or this program did not begin with [`crate::begin`].
    pub fn start(
        agents: Agents,
        created: &Created,
        registered: Vec<(PlayerKeys, Vec<FileHash>)>,
        reports: Reports,
    ) -> io::Result<Self> {
        roles::require_begun().map_err(io::Error::other)?;
        let agents = Arc::new(agents);
        let slots: io::Result<Vec<_>> = (0..agents.cores.len())
            .map(|slot| start_slot(slot, &agents, reports.clone()))
            .collect();
        Ok(Self {
            slots: slots?,
            agents,
            created: created.clone(),
            registered,
            roll_call: None,
            reports,
        })
    }

    fn hand(&self, slot: usize, assignment: Assignment) {
        // A slot that has gone reports why.
        let _ = self.slots[slot].send(assignment);
    }

    /// Asks who is there.
    fn call_the_roll(&mut self, round: u32, players: Vec<PairingNumber>, limit: Duration) {
        let registered = players.into_iter().map(|player| {
            let (keys, files) = self.registered[player.index()].clone();
            Registered {
                player,
                command: self.agents.command(player),
                keys,
                files,
            }
        });
        let registered = registered.collect();
        self.roll_call = Some(RollCall::begin(
            round,
            registered,
            limit,
            self.slots.len(),
            self.reports.clone(),
        ));
    }
}

impl GameHost for LocalHost {
    fn places(&self) -> usize {
        self.slots.len()
    }

    fn order(&mut self, order: Order) {
        match order {
            Order::Present { round, players, limit } => self.call_the_roll(round, players, limit),
            Order::Abandon => self.roll_call = None,
            Order::Seat { place, players } => self.hand(place, Assignment::Seat(players)),
            Order::Play { place, task } => {
                // What was said of an earlier try at a game is not meant for this one.
                task.games.iter().for_each(|spec| self.agents.verdicts.forget(spec.id));
                let mut since = task.since.map(instant);
                for spec in task.games {
                    let since = since.take();
                    let spec = Box::new(spec);
                    self.hand(place, Assignment::Play { spec, since });
                }
            }
            Order::Adjudicate { game, outcome } => self.agents.verdicts.ask(game, outcome),
            Order::Rest { place } => self.hand(place, Assignment::Rest),
            Order::Enter { player, agent } => {
                match agents::late_entry(&player, &agent, &self.created) {
                    Ok(command) => {
                        self.agents.enter(command);
                        self.registered.push((*player, agent.files));
                    }
                    // Whoever entered it has looked: it has gone since, and numbers would be others' from here on.
                    Err(why) => self.reports.tell(Report::Gone { place: 0, why }),
                }
            }
        }
    }
}

/// An instant of the clock on the wall, on the clock that nobody sets.
fn instant(wall: Timestamp) -> Instant {
    let ago = Duration::try_from(Timestamp::now().duration_since(wall)).unwrap_or_default();
    Instant::now().checked_sub(ago).unwrap_or_else(Instant::now)
}

fn start_slot(slot: usize, agents: &Arc<Agents>, reports: Reports) -> io::Result<Sender<Assignment>> {
    /// Tells of the slot's end also when it ends by a panic.
    struct End {
        slot: usize,
        why: String,
        reports: Reports,
    }
    impl Drop for End {
        fn drop(&mut self) {
            self.reports.tell(Report::Gone {
                place: self.slot,
                why: std::mem::take(&mut self.why),
            });
        }
    }
    let (hand, assignments) = mpsc::channel();
    let agents = Arc::clone(agents);
    threads::start(format!("slot {slot}"), move || {
        let mut end = End {
            slot,
            why: "its thread panicked".to_owned(),
            reports: reports.clone(),
        };
        let ended = slot::run(slot, &agents, &assignments, &reports);
        end.why = ended.err().map_or_else(String::new, |error| error.to_string());
    })?;
    Ok(hand)
}
