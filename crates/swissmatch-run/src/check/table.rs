//! One slot of a host, at which the games of a check are played one after the other.
//!
//! May not: judge a game.

use std::io;

use super::CheckError;
use crate::hosted::HostConnection;
use swissmatch_game::record::GameSpec;
use swissmatch_host::host::{
    AgentSpec, GameReport, HostError, HostOrder, HostReport, IssuedGame, NotPlayedCause, Task, Terms,
};
use swissmatch_tournament::setup::{Evidence, HostKeys, Pinning, Setup};

/// A slot, and the host that has it.
#[derive(Debug)]
pub(crate) struct CheckSlot(HostConnection);

impl CheckSlot {
    /// Opens a slot of a host for the games of these agents.
    pub(crate) fn open(mut hosted: HostConnection, agents: Vec<AgentSpec>, setup: &Setup) -> Result<Self, CheckError> {
        let terms = Terms {
            threads: vec![1; agents.len()],
            agents,
            host: HostKeys {
                concurrency: Some(1),
                pin: Pinning::None,
                oversubscribe: true,
                // Nobody is judged: the two sides of a game may share one.
                gpus: setup.run.gpus.repeat(2),
            },
            beside: 0,
            start_attempts: 1,
            evidence: Evidence::All,
            evidence_game: setup.run.evidence_game,
            replays: setup.run.replays,
            by_the_clock: false,
            weigh: true,
            tablebase_men: (!setup.adjudication.tablebases.is_empty()).then_some(setup.adjudication.tablebase_men),
            taken: Vec::new(),
        };
        match hosted.ask(HostOrder::Open(Box::new(terms))) {
            HostReport::Open(Ok(_)) => Ok(Self(hosted)),
            HostReport::Open(Err(HostError::Machine(why))) => Err(io::Error::other(why).into()),
            other => Err(io::Error::other(format!("the host did not open: {other:?}")).into()),
        }
    }

    /// Plays a game.
    pub(crate) fn play(&mut self, spec: GameSpec) -> Result<GameReport, CheckError> {
        let task = Box::new(Task {
            games: vec![IssuedGame { spec, issue: 1 }],
            since: None,
        });
        self.0.host.order(HostOrder::Play { slot: 0, task });
        loop {
            match self.0.line.1.report() {
                HostReport::Played(played) => return Ok(*played),
                HostReport::NotPlayed {
                    whose: whose @ (NotPlayedCause::Service | NotPlayedCause::Configuration),
                    why,
                    ..
                } => return Err(CheckError::Unserved { whose, why }),
                HostReport::NotPlayed { why, .. } | HostReport::Gone { why, .. } => {
                    return Err(io::Error::other(why).into());
                }
                _ => {}
            }
        }
    }

    /// Ends the engines, and waits until they have gone.
    pub(crate) fn close(self) {
        let HostConnection { host, line } = self.0;
        drop(host);
        while !matches!(line.1.report(), HostReport::Gone { .. }) {}
    }
}
