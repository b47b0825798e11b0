//! What a runner owes to machines that play for it and outlive it.
//!
//! May not: choose a game.

use swissmatch_game::record::GameId;
use swissmatch_host::host::{GameReport, HostOrder};
use swissmatch_host::writer;

use super::{ConductError, Conductor, Reader, TICK, World};

impl Conductor {
    /// Whether games are played on when this runner ends.
    fn plays_elsewhere(&self) -> bool {
        self.groups.iter().any(|group| group.outlives)
    }

    /// Tells the host what runners before this one have written: results of theirs may still be on their way.
    pub(super) fn tell_what_is_known(&mut self) {
        if self.plays_elsewhere() {
            self.host
                .order(HostOrder::Known(self.workers.values().cloned().collect()));
            let finished = self.state.finished_games().map(|game| game.finished.id);
            let booked = finished.map(|game| (game, self.state.issue_of(game))).collect();
            self.host.order(HostOrder::Booked(booked));
        }
    }

    /// A game is in the log, whoever played it.
    pub(super) fn is_booked(&mut self, game: GameId) {
        if self.plays_elsewhere() {
            let issue = self.state.issue_of(game);
            self.host.order(HostOrder::Booked(vec![(game, issue)]));
        }
    }

    /// Whether the log will know where a game was played; the rest of its mini-match is played there, too.
    pub(super) fn knows_where(&mut self, played: &GameReport) -> bool {
        let Some(on) = &played.played_on else {
            return true;
        };
        let is_known = self
            .workers
            .get(&on.worker)
            .is_some_and(|known| known.class == on.class);
        if is_known {
            self.homes.begins(played.record.id, &on.worker);
        }
        is_known
    }

    /// Hears what happens, and decides nothing.
    pub(super) fn waits_to_write(&mut self, stopping: &mut bool, reader: &mut impl Reader) -> Result<(), ConductError> {
        match self.world.recv_timeout(TICK) {
            Ok(World::Host(report)) => self.heard(report, *stopping, reader),
            Ok(World::Log(writer::Outcome::Committed(entries))) => self.committed(&entries, reader),
            Ok(World::Log(writer::Outcome::Failed(error))) => Err(error.into()),
            Ok(World::Stop) => {
                *stopping = true;
                Ok(())
            }
            Ok(World::Asked(asked)) => {
                self.desk.take(*asked);
                Ok(())
            }
            Err(_) => Ok(()),
        }
    }
}
