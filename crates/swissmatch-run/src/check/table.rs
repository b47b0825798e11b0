//! One slot of a host, at which the games of a check are played one after the other.
//!
//! May not: judge a game.

use std::io;

use super::Trouble;
use crate::hosted::Hosted;
use swissmatch_game::record::GameSpec;
use swissmatch_host::host::{AgentSpec, Issued, Order, Played, Refused, Report, Task, Terms, Whose};
use swissmatch_tournament::setup::{Evidence, HostKeys, Pinning, Setup};

/// A slot, and the host that has it.
#[derive(Debug)]
pub(crate) struct Table(Hosted);

impl Table {
    /// Opens a slot of a host for the games of these agents.
    pub(crate) fn open(mut hosted: Hosted, agents: Vec<AgentSpec>, setup: &Setup) -> Result<Self, Trouble> {
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
        match hosted.ask(Order::Open(Box::new(terms))) {
            Report::Open(Ok(_)) => Ok(Self(hosted)),
            Report::Open(Err(Refused::Machine(why))) => Err(io::Error::other(why).into()),
            other => Err(io::Error::other(format!("the host did not open: {other:?}")).into()),
        }
    }

    /// Plays a game.
    pub(crate) fn play(&mut self, spec: GameSpec) -> Result<Played, Trouble> {
        let task = Box::new(Task {
            games: vec![Issued { spec, issue: 1 }],
            since: None,
        });
        self.0.host.order(Order::Play { slot: 0, task });
        loop {
            match self.0.line.1.report() {
                Report::Played(played) => return Ok(*played),
                Report::NotPlayed {
                    whose: whose @ (Whose::Service | Whose::Configuration),
                    why,
                    ..
                } => return Err(Trouble::Unserved { whose, why }),
                Report::NotPlayed { why, .. } | Report::Gone { why, .. } => return Err(io::Error::other(why).into()),
                _ => {}
            }
        }
    }

    /// Ends the engines, and waits until they have gone.
    pub(crate) fn close(self) {
        let Hosted { host, line } = self.0;
        drop(host);
        while !matches!(line.1.report(), Report::Gone { .. }) {}
    }
}
