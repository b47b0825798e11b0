//! The two seats of a slot: whose engines are up between games, and which GPUs they have.
//!
//! A slot takes the GPUs of both players at once, and has none while it waits for them, so no two slots wait for each
//! other. It keeps them as long as the same two play. May not: play.

use std::sync::Arc;
use std::time::{Duration, Instant};

use swiss_system::pairing::history::PairingNumber;
use tracing::warn;

use super::Agents;
use super::arrival::Up;
use crate::door::Doors;
use crate::engine::{Engine, EngineCommand};
use crate::gpus::{Gpu, LentGpus};
use crate::threads;
use swissmatch_game::alarm::HeardAlarm;
use swissmatch_game::play::PreparationTime;
use swissmatch_game::record::DoorUse;
use swissmatch_tournament::setup::Restart;

#[derive(Default)]
pub(super) struct SlotSeats {
    engines: Vec<SeatedEngine>,
    /// Dropped after the engines.
    gpus: Option<PlayerGpus>,
    /// The doors of players whose engines are up, or were meant to be.
    doors: Vec<PlayerDoors>,
}

/// The doors of a player's processes.
struct PlayerDoors {
    player: PairingNumber,
    doors: Arc<Doors>,
    /// What had gone through them when the player's last game ended.
    told: DoorUse,
}

/// An engine at rest between two games, with its player.
struct SeatedEngine {
    player: PairingNumber,
    up: Up,
    /// It has played a game, and was not only brought up for one.
    has_played: bool,
}

/// The GPUs of two players: first that of the first player who must have one, then the other's.
struct PlayerGpus {
    players: [PairingNumber; 2],
    taken: LentGpus,
}

impl SlotSeats {
    /// The players whose engines are up.
    pub(super) fn up(&self) -> Vec<PairingNumber> {
        self.engines.iter().map(|seat| seat.player).collect()
    }

    /// The most memory of the processes of one engine, in bytes.
    pub(super) fn most_memory(&self) -> u64 {
        let of_each = self.engines.iter().map(|seat| seat.up.engine.peak_memory());
        of_each.max().unwrap_or(0)
    }

    /// Ends all engines, and gives their GPUs back.
    pub(super) fn leave(&mut self) {
        dismiss(std::mem::take(&mut self.engines));
        self.gpus = None;
        self.doors.clear();
    }

    /// Keeps engines that may play on for these two players, ends the others, and takes the two players' GPUs. Returns
    /// how long it waited for GPUs; `None` if that was given up, or there are too few.
    pub(super) fn make_room(
        &mut self,
        players: [PairingNumber; 2],
        agents: &Agents,
        is_given_up: &dyn Fn() -> bool,
    ) -> Option<Duration> {
        let keeps = |held: &PlayerGpus| players.iter().all(|player| held.players.contains(player));
        let keeps_gpus = self.gpus.as_ref().is_some_and(keeps);
        let plays_on = |seat: &SeatedEngine| {
            let command = agents.command(seat.player);
            let may = !seat.has_played || command.restart == Restart::Never;
            players.contains(&seat.player) && may && (keeps_gpus || !command.needs_gpu)
        };
        let (stay, gone) = std::mem::take(&mut self.engines).into_iter().partition(plays_on);
        self.engines = stay;
        dismiss(gone);
        let stays = |player| self.engines.iter().any(|seat| seat.player == player);
        self.doors.retain(|counted| stays(counted.player));
        if keeps_gpus {
            return Some(Duration::ZERO);
        }
        self.gpus = None;
        let count = players
            .iter()
            .filter(|player| agents.command(**player).needs_gpu)
            .count();
        let asked = Instant::now();
        let taken = agents.gpus.take(count, is_given_up)?;
        let waited = asked.elapsed();
        self.gpus = (count > 0).then_some(PlayerGpus { players, taken });
        Some(waited)
    }

    /// The GPU of a player.
    pub(super) fn gpu(&self, player: PairingNumber, agents: &Agents) -> Option<&Gpu> {
        let held = self.gpus.as_ref()?;
        let needing = held
            .players
            .into_iter()
            .filter(|player| agents.command(*player).needs_gpu);
        let mut given = needing.zip(held.taken.gpus());
        given.find(|(whose, _)| *whose == player).map(|(_, gpu)| gpu)
    }

    /// How to start the engine of a player here.
    pub(super) fn command(&mut self, player: PairingNumber, agents: &Agents) -> EngineCommand {
        let command = agents.command(player).on(self.gpu(player, agents));
        let doors = Arc::clone(&self.counted(player).doors);
        EngineCommand { doors, ..command }
    }

    /// What went through the player's door since the last game, if the player has one.
    pub(super) fn door_use(&mut self, player: PairingNumber, agents: &Agents) -> Option<DoorUse> {
        if agents.command(player).launch.connect.is_empty() {
            return None;
        }
        let counted = self.counted(player);
        let all = counted.doors.all();
        let told = std::mem::replace(&mut counted.told, all);
        Some(all.since(told))
    }

    fn counted(&mut self, player: PairingNumber) -> &mut PlayerDoors {
        let at = self.doors.iter().position(|counted| counted.player == player);
        let at = at.unwrap_or_else(|| {
            self.doors.push(PlayerDoors {
                player,
                doors: Arc::default(),
                told: DoorUse::default(),
            });
            self.doors.len() - 1
        });
        &mut self.doors[at]
    }

    /// Takes the engine of a player for a game, if it is up.
    pub(super) fn take(&mut self, player: PairingNumber) -> Option<Up> {
        let at = self.engines.iter().position(|seat| seat.player == player)?;
        Some(self.engines.swap_remove(at).up)
    }

    /// Keeps an engine that has played.
    pub(super) fn keep(&mut self, player: PairingNumber, up: Up) {
        self.engines.push(SeatedEngine {
            player,
            up,
            has_played: true,
        });
    }

    /// Starts the engines of these two, once each; one that does not come up, or finds no GPU free, is tried again when
    /// the game begins.
    pub(super) fn fill(&mut self, players: [PairingNumber; 2], agents: &Agents) {
        if self.make_room(players, agents, &|| true).is_none() {
            return;
        }
        let is_missing = |player: &PairingNumber| self.engines.iter().all(|seat| seat.player != *player);
        let missing: Vec<PairingNumber> = players.into_iter().filter(is_missing).collect();
        let missing = missing.into_iter().map(|player| (player, self.command(player, agents)));
        let missing: Vec<_> = missing.collect();
        let started: Vec<Option<SeatedEngine>> = std::thread::scope(|scope| {
            let start = |player: PairingNumber, command: &EngineCommand| {
                let (engine, _) = Engine::start(command).ok()?;
                let up = Up {
                    engine,
                    at: Instant::now(),
                    prepared: PreparationTime::default(),
                };
                Some(SeatedEngine {
                    player,
                    up,
                    has_played: false,
                })
            };
            let threads: Vec<_> = missing
                .iter()
                .map(|(player, command)| threads::start_in(scope, move || start(*player, command)))
                .collect();
            // If the machine has no thread for an engine, it comes up when the game begins.
            threads
                .into_iter()
                .flatten()
                .map(|thread| thread.join().expect("starts do not panic"))
                .collect()
        });
        self.engines.extend(started.into_iter().flatten());
    }
}

/// Ends engines, all at the same time. Their games are in the log by then, so an alarm at the end only goes into
/// `run.log`.
fn dismiss(seats: Vec<SeatedEngine>) {
    let (players, engines): (Vec<PairingNumber>, Vec<Engine>) =
        seats.into_iter().map(|seat| (seat.player, seat.up.engine)).unzip();
    for (player, alarms) in players.into_iter().zip(Engine::dismiss(engines)) {
        for HeardAlarm { pattern, lines, line } in alarms {
            warn!(%player, pattern, lines, line, "an engine gave an alarm as it ended, after its games");
        }
    }
}
