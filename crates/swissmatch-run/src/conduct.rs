//! The loop that conducts an event: it waits for what happens, asks the state what is due, hands it to free slots, and
//! lets what has ended be committed. It alone waits; it decides nothing.

mod desk;
mod elsewhere;
mod end;
mod failures;
mod games;
mod homes;
mod line;
mod pace;
mod services;
mod slots;
mod test;
mod timing;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use jiff::Timestamp;
use swiss_system::count;
use swiss_system::pairing::history::PairingNumber;

use swissmatch_game::record::GameId;
use swissmatch_report::player_name;
use swissmatch_report::warnings::unopened_by;
use swissmatch_tournament::director::{Coming, Next};
use swissmatch_tournament::log::{Entry, GamesInterrupted, RoundPaired, WorkerAdmitted};
use swissmatch_tournament::opening_plan::OpeningPlan;
use swissmatch_tournament::schedule;
use swissmatch_tournament::sprt::Test;
use swissmatch_tournament::state::State;
use swissmatch_tournament::ties::event_is_over;
use swissmatch_tournament::waiting::{Ends, Wait};

use self::desk::ActQueue;
pub use self::desk::{ActAnswer, AskedAct};
pub use self::end::RunEnd;
use self::failures::Failures;
use self::games::UnplayedGame;
use self::homes::Homes;
pub use self::line::{Ear, Stopper};
use self::pace::Pace;
use self::services::Services;
use self::slots::Slot;
use self::timing::Clock;
use super::entered::with_manifests;

use swissmatch_host::awake::GuardWatch;
use swissmatch_host::host::views::Views;
use swissmatch_host::host::{Fence, GameHost, HostReport, LeftFile, MayWrite, NotPlayedCause, SlotGroup, SlotsReport};
use swissmatch_host::open_games::{self, GuardMessage};
pub use swissmatch_host::store::CommittedEntry;
use swissmatch_host::store::{Store, StoreError};
use swissmatch_host::writer::{self, Item, Shares, Writer};

/// How often readers are told that time has passed.
const TICK: Duration = Duration::from_millis(200);
/// Most of what happens that is heard before anything is decided.
const MOST_AT_ONCE: usize = 1000;

/// Everything that can happen to the loop.
#[derive(Debug)]
enum World {
    /// The host reports.
    Host(HostReport),
    Log(writer::Outcome),
    Stop,
    Asked(Box<AskedAct>),
}

/// Why the loop could not go on.
#[derive(Debug, thiserror::Error)]
pub enum ConductError {
    /// Events could not be saved.
    #[error("the log could not be written, so the event stops here; finished games are safe: {0}")]
    Log(StoreError),
    /// The log was taken away.
    #[error("the event stops here: {0}")]
    Gone(StoreError),
    /// There is no room for the games at once.
    #[error("{0}; play fewer games at once with --concurrency")]
    Thread(io::Error),
    /// Another runner plays the event on.
    #[error("the event stops here, and nothing more is written: {0}")]
    Overtaken(String),
    /// The machine cannot start agents to see whether they are there.
    #[error("the presence check failed: {0}")]
    Presence(String),
    /// An entry does not fit the log: a bug.
    #[error(transparent)]
    Broken(#[from] swissmatch_tournament::state::BrokenLogError),
}

impl From<StoreError> for ConductError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Gone { .. } => Self::Gone(error),
            error => Self::Log(error),
        }
    }
}

/// Who is told what has happened.
pub trait Reader {
    /// An entry has been committed and is part of `state`.
    fn committed(&mut self, state: &State, entry: &CommittedEntry);
    /// Whether another game may begin while so many are not in the log yet.
    fn may_begin(&self, _in_flight: usize) -> bool {
        true
    }
    /// Time has passed; these games are being played.
    fn tick(&mut self, state: &State, playing: &BTreeSet<GameId>);
    /// All processes of an agent have ended, and it left these files.
    fn left(&mut self, _state: &State, _player: PairingNumber, _files: Vec<LeftFile>) {}
    /// The first request to stop has come.
    fn stopping(&mut self, playing: usize);
    /// From now on the event waits for this, which time alone brings, or for nothing of that kind.
    fn waiting(&mut self, state: &State, wait: Option<Wait>);
    /// The pairing of a round waits for the arbiter's yes.
    fn proposed(&mut self, state: &State, paired: &RoundPaired);
    /// Something is worth a sentence: who was turned away, what came right again.
    fn remark(&mut self, sentence: &str);
    /// Something has gone wrong, and play goes on: a file that cannot be written.
    fn warn(&mut self, sentence: &str);
}

/// The loop and what it needs.
pub(crate) struct Conductor {
    state: State,
    openings: OpeningPlan,
    host: Box<dyn GameHost>,
    fence: Fence,
    groups: Vec<SlotGroup>,
    slots: Vec<Slot>,
    /// The other machines that play, as they were told of last.
    workers: BTreeMap<String, WorkerAdmitted>,
    homes: Homes,
    /// How long games take that slots are given several of at once.
    pace: Pace,
    /// What is seen of their games.
    views: Arc<Views>,
    /// Nobody is left who plays, or who plays games of one kind.
    abandoned: Option<RunEnd>,
    /// What of the organizer's has to be mended before another game begins.
    to_mend: Option<String>,
    services: Services,
    failures: Failures,
    /// Handed out, and not played because of a service or the machine; not in the log yet.
    unplayed: Vec<UnplayedGame>,
    /// Handed out and not committed.
    in_flight: BTreeSet<GameId>,
    /// Of these, being played.
    playing: BTreeSet<GameId>,
    /// Of these, ended because an engine did not start.
    unstarted: BTreeSet<GameId>,
    writer: Writer,
    /// Appended and not committed are so many entries on which everything rests: what is due by the director, and acts of
    /// the arbiter. Nothing else is decided before they are.
    pending: usize,
    desk: ActQueue,
    /// Whether a pairing was shown and waits to be confirmed.
    is_proposed: bool,
    /// When what is committed ended.
    ends: Ends,
    clock: Clock,
    /// What kind of thing comes next, where that has been looked at since the last entry.
    coming: Option<Coming>,
    /// What readers were told last that time alone brings.
    wait: Option<Wait>,
    /// It is being looked who is there, before this round.
    roll_call: Option<u32>,
    /// Why evidence is not kept whole, as far as it was told.
    short_of_room: BTreeSet<String>,
    guard: GuardWatch,
    /// Where there is a test of two players, how it stands.
    test: Option<Test>,
    world: Receiver<World>,
    /// What the host reported before there was a loop.
    kept: Vec<HostReport>,
}

impl Conductor {
    /// Makes the writer. The log in `store` has been folded to `state`; what is in it ended at `ends`. `host`, which has opened a
    /// slot for each view, as `opened` says, reports to the stopper of the same line.
    ///
    /// # Errors
    /// When the machine does not give it a thread.
    pub(crate) fn new(
        state: State,
        openings: OpeningPlan,
        (host, views, opened): (Box<dyn GameHost>, Arc<Views>, &SlotsReport),
        store: Store,
        ends: Ends,
        (Stopper(report), Ear { world, kept }): (Stopper, Ear),
    ) -> Result<Self, ConductError> {
        let shares = Shares::of(&state, &store)?;
        let fence = host.fence();
        let mut homes = Homes::new(&Slot::all(&opened.groups));
        homes.remember(&state, &store)?;
        let writer = Writer::start(store, (shares, fence.clone()), report, World::Log).map_err(ConductError::Thread)?;
        let test = Test::of(&state);
        let workers = state.workers().clone();
        let mut conductor = Self {
            state,
            openings,
            workers,
            slots: Slot::all(&opened.groups),
            groups: opened.groups.clone(),
            views,
            abandoned: None,
            to_mend: None,
            pace: Pace::default(),
            homes,
            services: Services::default(),
            failures: Failures::default(),
            unplayed: Vec::new(),
            host,
            fence,
            in_flight: BTreeSet::new(),
            playing: BTreeSet::new(),
            unstarted: BTreeSet::new(),
            writer,
            pending: 0,
            desk: ActQueue::default(),
            is_proposed: false,
            ends: ends.not_after(Timestamp::now()),
            clock: Clock::now(),
            coming: None,
            wait: None,
            short_of_room: BTreeSet::new(),
            roll_call: None,
            guard: GuardWatch::default(),
            test,
            world,
            kept,
        };
        conductor.heed_the_test();
        conductor.tell_what_is_known();
        Ok(conductor)
    }

    /// Plays until the event is over, or until asked to stop. Gives the state and the store back.
    ///
    /// # Errors
    /// When the disk, the machine or the rules make going on impossible.
    pub(crate) fn run(mut self, reader: &mut impl Reader) -> Result<(RunEnd, State, Store), ConductError> {
        let mut stopping = false;
        for report in std::mem::take(&mut self.kept) {
            self.heard(report, stopping, reader)?;
        }
        loop {
            if self.fence.may_write() != MayWrite::Now {
                self.waits_to_write(&mut stopping, reader)?;
                continue;
            }
            self.heed_the_wall();
            self.note_unplayed();
            self.answer_the_arbiter();
            let is_paused = self.state.orders().paused.is_some();
            let begins_none = stopping || is_paused || self.to_mend.is_some() || self.abandoned.is_some();
            let holds = begins_none || self.stops_after_round();
            match if holds { Ok(Next::Nothing) } else { self.next() } {
                Ok(Next::Entries(entries)) => self.append(entries, reader),
                Ok(Next::Decision) => return self.leave(RunEnd::Decision, reader),
                Ok(Next::Nothing) => {}
                Err(why) => return self.leave(RunEnd::NoPairing(why), reader),
            }
            // An act that is being committed may make void what has been paired.
            let is_judged = !self.desk.has_waiting() && !self.desk.is_committing();
            if is_judged {
                self.forfeit();
            }
            if !begins_none && is_judged && !self.is_decided() {
                match self.may_start_games() {
                    true => self.hand_out(reader),
                    false => self.keep_free_slots(),
                }
            }
            if self.in_flight.is_empty() && self.pending == 0 && self.desk.is_empty() {
                if event_is_over(&self.state) {
                    return self.leave(RunEnd::Complete, reader);
                }
                if let Some(why) = self.to_mend.take() {
                    return self.leave(RunEnd::ToMend { why }, reader);
                }
                if stopping {
                    return self.leave(RunEnd::Stopped, reader);
                }
                if self.stops_after_round() && self.state.sittings().all(|sitting| sitting.is_over()) {
                    return self.leave(RunEnd::AfterRound, reader);
                }
                if !is_paused && schedule::waits_for_rulings(&self.state) {
                    return self.leave(RunEnd::Rulings, reader);
                }
            }
            if let Some(why) = self.waits_in_vain(begins_none) {
                return self.leave(RunEnd::ToMend { why }, reader);
            }
            let quiet = self.look_at_the_clock(holds, reader);
            // What has happened meanwhile is heard together, and decided on once.
            let mut next = match self.world.recv_timeout(quiet) {
                Ok(happened) => Some(happened),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => unreachable!("the loop's own stopper holds a sender"),
            };
            let mut more = 1..MOST_AT_ONCE;
            while let Some(happened) = next {
                match happened {
                    World::Stop if stopping => return self.leave(RunEnd::StoppedAtOnce, reader),
                    World::Stop => {
                        stopping = true;
                        self.recall();
                        reader.stopping(self.playing.len());
                    }
                    World::Host(report) => self.heard(report, stopping, reader)?,
                    World::Log(writer::Outcome::Committed(entries)) => self.committed(&entries, reader)?,
                    World::Log(writer::Outcome::Failed(error)) => {
                        error.may_lack_room().then(|| self.trace_shortage(reader));
                        return Err(error.into());
                    }
                    World::Asked(asked) => self.desk.take(*asked),
                }
                next = more.next().and_then(|_| self.world.try_recv().ok());
            }
            reader.tick(&self.state, &self.playing);
            if self.guard.look() {
                reader.remark("the guard was stopped by a signal, and goes on");
            }
            // What the last slot could not play is in the log first.
            let is_settled = self.playing.is_empty() && self.unplayed.is_empty() && self.pending == 0;
            if let Some(ended) = self.abandoned.take_if(|_| is_settled) {
                return self.leave(ended, reader);
            }
        }
    }

    /// The host reports.
    fn heard(&mut self, report: HostReport, stopping: bool, reader: &mut impl Reader) -> Result<(), ConductError> {
        match report {
            HostReport::Played(mut played) => {
                let (slot, id) = (played.slot, played.record.id);
                if !self.knows_where(&played) {
                    self.slots[slot].free(Vec::new());
                    self.is_due_again(id);
                    self.next_of(slot, id);
                    return Ok(());
                }
                self.slots[slot].played(std::mem::take(&mut played.up));
                if played.taken_from.is_none() {
                    self.failures.played(id);
                    self.pace.took(&played.record);
                }
                self.look_at_models(&played.record, reader);
                self.played(played, stopping);
                self.next_of(slot, id);
            }
            HostReport::NotPlayed { slot, game, whose, why } => {
                self.slots[slot].free(Vec::new());
                if whose != NotPlayedCause::Stop {
                    reader.warn(&format!("game {game} was not played and is due again: {why}"));
                }
                // The signal that stops this runner may have ended the host's processes, too.
                match (whose, stopping) {
                    (NotPlayedCause::Stop, _) | (NotPlayedCause::Host | NotPlayedCause::Machine, true) => {
                        self.is_due_again(game)
                    }
                    (whose, _) => self.was_not_played(slot, game, (whose, why), reader),
                }
                self.next_of(slot, game);
            }
            HostReport::Free { slot, up } => self.slots[slot].free(up),
            HostReport::At { slot, place } => self.homes.opens(slot, place),
            HostReport::Closed { slot } => {
                self.slots[slot].close();
                self.homes.closes(slot);
            }
            HostReport::Overtaken(who) => return Err(ConductError::Overtaken(who)),
            HostReport::Live(live) => self.views.put(*live),
            HostReport::Present(checked) => self.called(checked)?,
            HostReport::Outage(outage) => self.heard_of_outage(*outage, reader),
            HostReport::Entered(entered) => self.entered(entered),
            HostReport::Left { player, files } => reader.left(&self.state, player, files),
            HostReport::Unopened { player, unopened } => {
                for sentence in unopened_by(&self.state, player, &unopened) {
                    reader.warn(&sentence);
                }
            }
            HostReport::Gone { slot, why } => {
                for game in self.slots[slot].leave() {
                    self.is_due_again(game);
                }
                let left = self.slots.iter().filter(|slot| !slot.is_gone());
                let left: Vec<&Slot> = left.collect();
                // Nobody else plays what was for the last slot of its kind.
                if !left.iter().any(|other| other.does_the_work_of(&self.slots[slot])) {
                    self.abandoned = Some(RunEnd::NoSlot { slot, why });
                } else {
                    let left = count::of(left.len(), "slot plays on", "slots play on");
                    reader.warn(&format!("slot {slot} plays no more: {why}; {left}"));
                }
            }
            HostReport::Remark(sentence) => reader.remark(&sentence),
            HostReport::Worker(admitted) => {
                let known = self.workers.insert(admitted.worker.clone(), (*admitted).clone());
                if known.as_ref() != Some(&*admitted) {
                    self.writer.append(item(Entry::WorkerAdmitted(admitted)));
                }
            }
            // Asked for before there was a loop.
            HostReport::Found(_)
            | HostReport::Introduced(_)
            | HostReport::Examined(_)
            | HostReport::Heard(_)
            | HostReport::Open(_) => {}
        }
        Ok(())
    }

    /// The machine lacks something: says which agents use most of it.
    fn trace_shortage(&self, reader: &mut impl Reader) {
        if let Some(heaviest) = self.host.heaviest() {
            reader.warn(&heaviest);
        }
    }

    /// Appends them; a pairing only when it need not wait for the arbiter's yes, or has it.
    fn append(&mut self, entries: Vec<Entry>, reader: &mut impl Reader) {
        if let Some(paired) = entries.iter().find_map(|entry| match entry {
            Entry::RoundPaired(paired) => Some(paired),
            _ => None,
        }) && !self.is_confirmed(paired)
        {
            reader.proposed(&self.state, paired);
            self.is_proposed = true;
            return;
        }
        self.pending += entries.len();
        self.writer.append_all(entries.into_iter().map(item).collect());
    }

    /// Whether a pairing need not wait for a yes, or has it.
    fn is_confirmed(&self, paired: &RoundPaired) -> bool {
        let confirmed = self.state.orders().confirmed.as_ref();
        !self.state.setup().arbiter.confirm_rounds
            || confirmed.is_some_and(|(round, pairing)| (*round, pairing) == (paired.round, &paired.pairing))
    }

    /// Whether the arbiter has it stop, and the round after which has been paired.
    fn stops_after_round(&self) -> bool {
        let after = self.state.orders().stop_after;
        after.is_some_and(|rounds| self.state.rounds().len() >= rounds)
    }

    fn committed(&mut self, entries: &[CommittedEntry], reader: &mut impl Reader) -> Result<(), ConductError> {
        for committed in entries {
            let entry = &committed.bundle.entry;
            self.ends.apply(&mut self.state, entry, Timestamp::now())?;
            self.coming = None;
            match entry {
                Entry::GameFinished(finished) => {
                    self.in_flight.remove(&finished.id);
                    self.is_booked(finished.id);
                    open_games::tell(&GuardMessage::Over(finished.id));
                    self.unstarted.remove(&finished.id);
                    if let Some(why) = committed
                        .bundle
                        .evidence
                        .as_ref()
                        .and_then(|evidence| evidence.cut.as_ref())
                        && self.short_of_room.insert(why.clone())
                    {
                        let name = |player| player_name(&self.state, player);
                        let (white, black) = (name(finished.white), name(finished.black));
                        reader.warn(&format!(
                            "the evidence of game {} of {white} and {black} is not kept whole, and later games may be affected too: {why}",
                            finished.id
                        ));
                    }
                }
                Entry::RoundPaired(_)
                | Entry::StageBegun(_)
                | Entry::PlayoffPaired(_)
                | Entry::LotDrawn(_)
                | Entry::Decided(_)
                | Entry::Acted(_)
                | Entry::PresenceChecked(_)
                | Entry::SprtDecided(_)
                | Entry::EventStopped(_)
                | Entry::Interrupted(_) => {
                    if let Entry::Acted(_) | Entry::SprtDecided(_) = entry {
                        // What is due may be another thing now.
                        self.recall();
                    }
                    if let Entry::Acted(_) = entry {
                        self.test = Test::of(&self.state);
                    }
                    if let Entry::Interrupted(GamesInterrupted { games: Some(games), .. }) = entry {
                        self.in_flight.retain(|id| !games.contains(id));
                    }
                    self.pending = self.pending.saturating_sub(1);
                    // Whatever was done, a pairing is shown as it is now.
                    self.is_proposed = false;
                }
                // Nothing that is decided rests on these.
                Entry::Created(_)
                | Entry::Resumed(_)
                | Entry::AnalysisBegun(_)
                | Entry::GameAnalysed(_)
                | Entry::WorkerAdmitted(_) => {}
            }
            reader.committed(&self.state, committed);
        }
        self.heed_the_test();
        if self.pending == 0 {
            self.desk.done();
        }
        Ok(())
    }

    /// Lets host and writer end what they do; a host that is to stop at once is left behind for the process to end.
    fn leave(self, ended: RunEnd, reader: &mut impl Reader) -> Result<(RunEnd, State, Store), ConductError> {
        let Self {
            mut host,
            slots,
            writer,
            mut state,
            mut desk,
            world,
            ..
        } = self;
        if ended == RunEnd::Complete {
            host.order(swissmatch_host::host::HostOrder::Over);
        }
        drop(host);
        if ended != RunEnd::StoppedAtOnce {
            // Each slot ends its engines and then itself, which it tells.
            for _ in slots.iter().filter(|slot| !slot.is_gone()) {
                loop {
                    match world.recv() {
                        Ok(World::Host(HostReport::Left { player, files })) => reader.left(&state, player, files),
                        Ok(World::Host(HostReport::Gone { .. }) | World::Stop) | Err(_) => break,
                        Ok(_) => {}
                    }
                }
            }
        }
        let store = writer.finish();
        // What was being committed while it stopped at once counts, and is told.
        for left in world.try_iter() {
            match left {
                World::Log(writer::Outcome::Committed(entries)) => {
                    for entry in &entries {
                        state.apply(&entry.bundle.entry)?;
                        if let Entry::GameFinished(finished) = &entry.bundle.entry {
                            open_games::tell(&GuardMessage::Over(finished.id));
                        }
                        reader.committed(&state, entry);
                    }
                }
                World::Log(writer::Outcome::Failed(error)) => return Err(error.into()),
                World::Host(_) | World::Stop | World::Asked(_) => {}
            }
        }
        // The act in hand is in the log now. Those that still waited are let go unanswered: they were not carried out.
        desk.done();
        Ok((ended, state, store))
    }
}

fn item(entry: Entry) -> Item {
    Item::Entry(Box::new(with_manifests(entry)))
}
