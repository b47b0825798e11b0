//! The line on which the loop hears what happens, and handles by which it is asked for something.
//!
//! May not: wait, but for a host that is asked before there is a loop.

use std::sync::mpsc::{self, Receiver, Sender};

use swissmatch_host::host::{HostReport, Reports};

use super::{AskedAct, World};

/// A handle by which the loop can be asked to stop.
#[derive(Clone, Debug)]
pub struct Stopper(pub(super) Sender<World>);

/// Where the loop hears what happens.
#[derive(Debug)]
pub struct Ear {
    pub(super) world: Receiver<World>,
    /// What was reported while something else was waited for.
    pub(super) kept: Vec<HostReport>,
}

impl Ear {
    /// What the host reports next, before there is a loop: nothing else is heard then.
    pub(crate) fn report(&self) -> HostReport {
        loop {
            if let World::Host(report) = self.world.recv().expect("whoever listens holds a sender") {
                return report;
            }
        }
    }

    /// The answer of the host to what it was asked, before there is a loop.
    pub(crate) fn answer(&mut self) -> HostReport {
        loop {
            match self.report() {
                report if report.is_answer() => return report,
                report => self.kept.push(report),
            }
        }
    }
}

impl Stopper {
    /// A handle, and where what is asked by it and what a host reports arrives, before there is a loop.
    pub fn new() -> (Self, Ear) {
        let (report, world) = mpsc::channel();
        let kept = Vec::new();
        (Self(report), Ear { world, kept })
    }

    /// Where a host reports to.
    pub fn reports(&self) -> Reports {
        let world = self.0.clone();
        // A loop that has ended hears no more.
        Reports::to(move |report| drop(world.send(World::Host(report))))
    }

    /// Asks to stop: once for the games under way to be finished, twice to stop at once.
    pub fn stop(&self) {
        // A loop that has ended needs no asking.
        let _ = self.0.send(World::Stop);
    }

    /// Asks for an act of the arbiter; the answer comes when it is in the log, or refused. A loop that has ended gives none.
    pub fn ask(&self, asked: AskedAct) {
        let _ = self.0.send(World::Asked(Box::new(asked)));
    }
}
