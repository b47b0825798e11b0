//! A run that is played: who conducts, who reads, what is left when it ends.
//!
//! May not: speak to a person.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;

use swiss_system::pairing::history::PairingNumber;
use swissmatch_game::opening::OpeningSuite;
use swissmatch_game::record::GameId;
use swissmatch_host::anchor::{AnchorTarget, DeliveryStatus};
use swissmatch_host::beside::{ServerChange, SideServer};
use swissmatch_host::broadcast::{self, Said};
use swissmatch_host::host::views::Views;
use swissmatch_host::host::{LeftFile, SlotsReport};
use swissmatch_host::open_games;
use swissmatch_host::run_dir::RunDir;
use swissmatch_host::signature::Signer;
use swissmatch_host::store::{CommittedEntry, Head, Store};
use swissmatch_report::beginning::PlayingVenue;
use swissmatch_tournament::beside::Takes;
use swissmatch_tournament::log::RoundPaired;
use swissmatch_tournament::opening_plan::OpeningPlan;
use swissmatch_tournament::state::State;
use swissmatch_tournament::ties::event_is_over;
use swissmatch_tournament::waiting::{Ends, Wait};

use super::agent_files::AgentFiles;
use super::anchors::Anchors;
use super::conduct::{Conductor, Reader, RunEnd, Stopper};
use super::doings::{self, Doings};
use super::error::RunError;
use super::hosted::HostConnection;
use super::interrupted;
use super::live::{LiveLine, LiveLines, OpenGallery};
use super::open_desk::OpenDesk;
use super::publish::{Publisher, Remark, Signing};
use super::viewers::Viewers;

/// A run that is about to be played; its directory is held.
#[derive(Debug)]
pub struct Run {
    pub(super) state: State,
    pub(super) store: Store,
    pub(super) openings: OpeningSuite,
    pub(super) hosted: HostConnection,
    pub(super) opened: SlotsReport,
    pub(super) dir: RunDir,
    pub(super) created_at: String,
    pub(super) resumed: bool,
    /// When what has been played ended.
    pub(super) ends: Ends,
    /// Who is told the log's head.
    pub(super) anchors: Vec<AnchorTarget>,
    /// Where its games are shown, if anywhere.
    pub(super) broadcast: Option<broadcast::BroadcastTarget>,
    /// By what its files are signed.
    pub(super) signer: Option<Signer>,
    /// Which run it is: the hash of its first entry.
    pub(super) id: String,
    /// The entry with which this runner began.
    pub(super) began: Head,
    /// Closed before the directory is let go.
    pub(super) desk: OpenDesk,
    /// Who listens in this process to what is seen of its games.
    pub(super) live: Vec<SyncSender<LiveLine>>,
    /// The page's server, and whether it stays when play is over.
    pub(super) server: Option<SideServer>,
    pub(super) server_stays: bool,
}

/// How playing ended, and the state that it left.
#[derive(Debug)]
pub struct PlayedRun {
    /// How playing ended.
    pub ended: RunEnd,
    /// What follows from the log.
    pub state: State,
    /// The page's server where it stays: whoever has it keeps it up, and ends it.
    pub server: Option<SideServer>,
}

/// Where an event is played, for people.
pub(super) fn place(opened: &SlotsReport) -> PlayingVenue<'_> {
    let of = |slots: usize| u32::try_from(slots).unwrap_or(u32::MAX);
    let slots = |beside| -> usize {
        let groups = opened.groups.iter();
        let groups = groups.filter(|group| (group.takes == Takes::Beside) == beside && !group.outlives);
        groups.map(|group| group.slots).sum()
    };
    PlayingVenue {
        slots: of(slots(false)),
        beside: of(slots(true)),
        workers: opened.groups.iter().any(|group| group.outlives),
        missing: &opened.missing,
        why_no_groups: opened.why_no_groups.as_deref(),
        memory: opened.memory,
        within_reach: &opened.within_reach,
    }
}

impl Run {
    /// What follows from the log so far.
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// Its directory.
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// Whether it goes on, rather than begins.
    pub const fn is_resumed(&self) -> bool {
        self.resumed
    }

    /// Where it is played.
    pub fn place(&self) -> PlayingVenue<'_> {
        place(&self.opened)
    }

    /// A handle by which it can be asked to stop, and for acts of the arbiter.
    pub fn stopper(&self) -> Stopper {
        self.hosted.line.0.clone()
    }

    /// What is seen of its games while they are played, to be read by another thread; whoever does not read slows nothing down.
    ///
    /// ```no_run
    /// use swissmatch_run::{Run, RunError, live::LiveLine};
    ///
    /// fn play(mut run: Run, in_a_thread: impl FnOnce(Box<dyn FnOnce() + Send>)) -> Result<(), RunError> {
    ///     let lines = run.live();
    ///     in_a_thread(Box::new(|| {
    ///         for line in lines {
    ///             if let LiveLine::Game(game) = line {
    ///                 println!("{}: {} – {}: {}", game.id, game.white.name, game.black.name, game.moves);
    ///             }
    ///         }
    ///     }));
    ///     run.play(&mut [])?;
    ///     Ok(())
    /// }
    /// ```
    pub fn live(&mut self) -> LiveLines {
        let (told, lines) = LiveLines::new();
        self.live.push(told);
        lines
    }

    /// Has this server up while it is played, or longer where it `stays`. It starts again where it ends, and costs no game.
    pub fn serve(&mut self, server: SideServer, stays: bool) {
        (self.server, self.server_stays) = (Some(server), stays);
    }

    /// Plays until the event is over, waits for the arbiter, or is asked to stop. Its files are written meanwhile; `readers` are
    /// told what happens.
    ///
    /// # Errors
    /// When the disk or the machine make going on impossible; or when the files of the run could not be written to the end.
    pub fn play(self, readers: &mut [&mut dyn Reader]) -> Result<PlayedRun, RunError> {
        doings::begins(&self.state, self.dir(), self.resumed, &self.opened.manifest);
        let played = self.conduct(readers);
        doings::ends(played.as_ref().map(|played| (&played.ended, &played.state)));
        played
    }

    fn conduct(self, readers: &mut [&mut dyn Reader]) -> Result<PlayedRun, RunError> {
        let HostConnection { host, line } = self.hosted;
        let stopper = line.0.clone();
        let (openings, dir) = (
            OpeningPlan::new(self.state.setup(), self.openings),
            self.dir.path().to_path_buf(),
        );
        let manifest = Some(&self.opened.manifest);
        let signing = self.signer.map(|signer| Signing {
            signer,
            run: self.id.clone(),
            head: self.store.head(),
        });
        let publisher = Publisher::start(self.dir.path(), &self.state, &self.created_at, manifest, signing);
        let views = host.views();
        let views = views.unwrap_or_else(|| Arc::new(Views::new(self.opened.slots())));
        let viewers = Viewers::start(self.dir.path(), &self.state, self.broadcast).map_err(RunError::machine)?;
        let (viewers, lines) = viewers.unzip();
        let live = self.live.into_iter().chain(lines).collect();
        let (gallery, unseen) = OpenGallery::open(self.dir.path(), Arc::clone(&views), &self.state, live);
        let anchors = Anchors::start(self.anchors, &self.id, self.store.head());
        let mut audience = Audience {
            agent_files: AgentFiles::start(self.dir.path()).map_err(RunError::machine)?,
            publisher: publisher.map_err(RunError::machine)?,
            anchors: anchors.map_err(RunError::machine)?,
            viewers,
            desk: self.desk,
            gallery,
            server: self.server,
            doings: Doings,
            readers,
        };
        audience.desk.conduct(stopper);
        if let Some(why) = unseen {
            audience.warn(&why);
        }
        let conductor = Conductor::new(
            self.state,
            openings,
            (host, views, &self.opened),
            self.store,
            self.ends,
            line,
        )?;
        let conducted = conductor.run(&mut audience);
        audience.desk.close();
        audience.gallery.close();
        let (ended, state, store) = match conducted {
            Ok(conducted) => conducted,
            Err(error) => {
                if let Err(anchors) = audience.anchors.finish() {
                    anchors
                        .iter()
                        .for_each(|sentence| audience.readers.iter_mut().for_each(|reader| reader.warn(sentence)));
                }
                if let Some(server) = audience.server {
                    server.finish();
                }
                if let Some((said, shown)) = audience.viewers.map(Viewers::finish) {
                    let said = said.into_iter().chain(shown.err().map(Said::Failed));
                    said.for_each(|said| tell(audience.readers, &said));
                }
                return Err(error.into());
            }
        };
        let published = audience.publisher.finish(&state);
        for sentence in audience.agent_files.finish() {
            audience.doings.warn(&sentence);
            audience.readers.iter_mut().for_each(|reader| reader.warn(&sentence));
        }
        let anchored = audience.anchors.finish();
        let (said, shown) = audience.viewers.map_or((Vec::new(), Ok(())), Viewers::finish);
        for said in said {
            tell(&mut [&mut audience.doings], &said);
            tell(audience.readers, &said);
        }
        // It has a last look at the log, which is put together when nobody reads it. One that stays reads only for a moment at a time.
        let mut server = audience.server;
        if let Some(server) = server.take_if(|_| !self.server_stays) {
            server.finish();
        }
        match store.settle() {
            Ok(()) => open_games::tell(&open_games::GuardMessage::Ended),
            Err(error) => {
                let note = format!("note: the log keeps its -wal file beside it for now ({error})");
                audience.doings.remark(&note);
                audience.readers.iter_mut().for_each(|reader| reader.remark(&note));
                // A guard writes it anew, with games that were open.
                if let Err(error) = interrupted::leave_none(&dir, self.began) {
                    let sentence = error.to_string();
                    audience.doings.warn(&sentence);
                    audience.readers.iter_mut().for_each(|reader| reader.warn(&sentence));
                }
            }
        }
        let is_over = event_is_over(&state);
        let failed = match (published, anchored) {
            (Ok(()), Ok(())) => match shown {
                Ok(()) => return Ok(PlayedRun { ended, state, server }),
                Err(why) => RunError::NotShown { is_over, why },
            },
            (Err(source), anchored) => {
                let sentences = anchored.err().into_iter().flatten().chain(shown.err());
                sentences.for_each(|sentence| audience.readers.iter_mut().for_each(|reader| reader.warn(&sentence)));
                RunError::Unpublished { is_over, source }
            }
            (Ok(()), Err(anchors)) => {
                if let Err(sentence) = shown {
                    audience.readers.iter_mut().for_each(|reader| reader.warn(&sentence));
                }
                RunError::NotAnchored { is_over, anchors }
            }
        };
        if let Some(server) = server {
            server.finish();
        }
        Err(failed)
    }
}

/// Tells readers what was said of viewers.
fn tell(readers: &mut [&mut dyn Reader], said: &Said) {
    for reader in readers {
        match said {
            Said::Failed(sentence) => reader.warn(sentence),
            Said::Right(sentence) => reader.remark(sentence),
        }
    }
}

/// Those who are told what happens: the publisher, the anchors, viewers, the gallery, whoever notes it, and everybody else; and the desk,
/// which has remarks of its own.
struct Audience<'a, 'b> {
    publisher: Publisher,
    agent_files: AgentFiles,
    anchors: Anchors,
    viewers: Option<Viewers>,
    desk: OpenDesk,
    gallery: OpenGallery,
    server: Option<SideServer>,
    doings: Doings,
    readers: &'a mut [&'b mut dyn Reader],
}

impl Audience<'_, '_> {
    fn keep_server_up(&mut self) {
        match self.server.as_mut().and_then(SideServer::keep_up) {
            None => {}
            Some(ServerChange::Begun(lines)) => self.gallery.seat(lines),
            Some(ServerChange::Ended(why)) => self.warn(&format!(
                "the page's server has ended ({why}) and is started again; play goes on"
            )),
        }
    }

    fn each(&mut self, mut tell: impl FnMut(&mut dyn Reader)) {
        tell(&mut self.doings);
        for reader in self.readers.iter_mut() {
            tell(&mut **reader);
        }
    }
}

impl Reader for Audience<'_, '_> {
    fn left(&mut self, state: &State, player: PairingNumber, files: Vec<LeftFile>) {
        self.agent_files.take(player.0, &state.player(player).name, files);
    }

    fn committed(&mut self, state: &State, entry: &CommittedEntry) {
        self.each(|reader| reader.committed(state, entry));
        self.publisher.committed(state, entry);
        self.anchors.committed(state, entry);
        if let Some(viewers) = &self.viewers {
            viewers.committed(state, entry);
        }
        self.gallery.committed(state, &entry.bundle.entry);
    }

    fn may_begin(&self, in_flight: usize) -> bool {
        self.readers.iter().all(|reader| reader.may_begin(in_flight))
    }

    fn tick(&mut self, state: &State, playing: &BTreeSet<GameId>) {
        self.each(|reader| reader.tick(state, playing));
        let turned_away: Vec<String> = self.desk.remarks().chain(self.gallery.remarks()).collect();
        turned_away.iter().for_each(|sentence| self.remark(sentence));
        self.keep_server_up();
        let not_copied: Vec<String> = self.agent_files.warnings().collect();
        not_copied.iter().for_each(|sentence| self.warn(sentence));
        let remarks: Vec<Remark> = self.publisher.remarks().collect();
        for remark in remarks {
            match remark {
                Remark::Warning(sentence) => self.warn(&sentence),
                Remark::Right(sentence) => self.remark(sentence),
            }
        }
        let told: Vec<DeliveryStatus> = self.anchors.told().collect();
        for told in told {
            match told {
                DeliveryStatus::Failed(sentence) => self.warn(&sentence),
                DeliveryStatus::Right(sentence) => self.remark(&sentence),
            }
        }
        let said: Vec<Said> = self.viewers.iter().flat_map(Viewers::said).collect();
        for said in said {
            match said {
                Said::Failed(sentence) => self.warn(&sentence),
                Said::Right(sentence) => self.remark(&sentence),
            }
        }
    }

    fn waiting(&mut self, state: &State, wait: Option<Wait>) {
        self.each(|reader| reader.waiting(state, wait));
    }

    fn proposed(&mut self, state: &State, paired: &RoundPaired) {
        self.each(|reader| reader.proposed(state, paired));
    }

    fn stopping(&mut self, playing: usize) {
        self.each(|reader| reader.stopping(playing));
    }

    fn remark(&mut self, sentence: &str) {
        self.each(|reader| reader.remark(sentence));
    }

    fn warn(&mut self, sentence: &str) {
        self.each(|reader| reader.warn(sentence));
    }
}
