//! A slot: one thread and the two engines of a game, which live through a whole mini-match.
//!
//! The thread serves both engines by blocking calls: between moves there is no hand-over between threads, and nothing
//! else that wakes it.

mod arrival;
mod disk;
mod evidence;
mod killed;
mod measure;
mod memory;
mod seats;
mod service;
mod start;
mod texts;
mod verdicts;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::PathBuf;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use swiss_system::pairing::history::PairingNumber;
use swissmatch_game::Side;
use swissmatch_game::alarm;
use swissmatch_game::handshake::StartError;
use swissmatch_game::isolation::{Isolation, Lack, UnopenedFile};
use swissmatch_game::play::{Game, Input, Meanwhile, Output, PreparationTime};
use swissmatch_game::record::{EngineEnd, GameId, GameRecord, GameSpec};
use swissmatch_game::transcript::{Direction, Room, Transcript};
use swissmatch_game::uci;
use swissmatch_tournament::setup::Evidence;
use tracing::{info, warn};

use super::cores::{self, CpuList};
use crate::confine::denied::Clues;
use crate::engine::{Engine, EngineCommand, EngineRead, EngineWrite, OtherEngine, Ran};
use crate::gpus::{NO_GPU, Pool};
use crate::host::views::{Shows, View, Views};
use crate::host::{GameReport, HostReport, NotPlayedCause, Reports};
use crate::tablebase::Tablebases;
use crate::{machine, pulse, shortage};

use arrival::Up;
use evidence::LastWords;
use killed::{is_in_doubt, may_be_meant_for_all};
use seats::SlotSeats;
use start::{start_missing, start_within};
use texts::Texts;
pub(crate) use verdicts::Verdicts;

/// How long to wait, and how many times, for a machine that cannot start an engine.
pub(crate) const HOST_WAIT: Duration = Duration::from_secs(1);
pub(crate) const HOST_WAITS: u32 = 5;
/// How long a game is held back in which a process seems to have been ended from outside. If the runner is being ended
/// too, in whatever order, that comes first, and the game is due again.
pub(crate) const DOUBT: Duration = Duration::from_secs(1);

/// How long the arbiter's word on a game may wait for its slot.
const LOOK: Duration = Duration::from_secs(1);

/// What every slot of a run knows.
#[derive(Debug)]
pub(crate) struct Agents {
    /// The command of each player's engine, by pairing number; late entries are added.
    pub commands: RwLock<Vec<EngineCommand>>,
    /// How many times to try to start an engine.
    pub start_attempts: u32,
    /// Which games keep their evidence.
    pub evidence: Evidence,
    /// The room for a game's evidence.
    pub room: Room,
    /// Each game reports how much memory its engines took.
    pub weigh: bool,
    /// The hardware threads of each slot, if it has its own; the length is the number of slots.
    pub cores: Vec<Option<CpuList>>,
    /// The GPUs that engines are given.
    pub gpus: Arc<Pool>,
    /// Endgame tablebases, if games are adjudicated by them.
    pub tablebases: Option<Tablebases>,
    /// The arbiter's words on games that are being played.
    pub verdicts: Verdicts,
    /// The views of games that are being played, one for each slot.
    pub views: Arc<Views>,
    /// Players whose first moves have been listened to.
    pub heard: Mutex<BTreeSet<PairingNumber>>,
    /// How many times each game was given up because the machine had no memory, and how many times it may be.
    pub taken: Mutex<BTreeMap<GameId, u32>>,
    pub replays: u32,
    /// The receiver of reports.
    pub reports: Reports,
}

impl Agents {
    pub(crate) fn command(&self, player: PairingNumber) -> EngineCommand {
        let commands = self.commands.read().unwrap_or_else(PoisonError::into_inner);
        commands[player.index()].clone()
    }

    /// The agents that use most of this machine, as a sentence without its end.
    pub(crate) fn heaviest(&self) -> Option<String> {
        let commands = self.commands.read().unwrap_or_else(PoisonError::into_inner);
        shortage::heaviest(&commands)
    }

    /// True if a player's first words are to be listened to; only once.
    fn hear_first(&self, player: PairingNumber) -> bool {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).insert(player)
    }

    /// Adds the agent of a late entry, who has the next pairing number; its own files are left out of others'
    /// directories.
    pub(crate) fn enter(&self, command: EngineCommand, its_own: &[PathBuf]) {
        let mut commands = self.commands.write().unwrap_or_else(PoisonError::into_inner);
        let registered = commands.iter().filter_map(|other| other.registered.as_ref());
        registered.for_each(|registered| registered.leave_out(its_own));
        commands.push(command);
    }
}

/// An order to a slot.
#[derive(Debug)]
pub(crate) enum Assignment {
    Play {
        spec: Box<GameSpec>,
        /// Since when the first clock runs, if it runs by the schedule; `None` if it starts with the game.
        since: Option<Instant>,
    },
    /// A game between these two will begin soon: start their engines.
    Seat([PairingNumber; 2]),
    /// There is nothing to play for now: end the engines.
    Rest,
}

/// Runs slot number `slot` until its assignments end. Each played game is reported.
///
/// # Errors
/// The machine cannot start an engine, however long it is waited for, or refuses the core.
pub(crate) fn run(slot: usize, agents: &Arc<Agents>, assignments: &Receiver<Assignment>) -> io::Result<()> {
    let reports = &agents.reports;
    if let Some(cpus) = &agents.cores[slot] {
        cores::stay_on(cpus)?;
    }
    info!(slot, cores = ?agents.cores[slot], "slot is ready");
    let mut seats = SlotSeats::default();
    while let Ok(assignment) = assignments.recv() {
        match assignment {
            Assignment::Play { spec, since } => {
                let id = spec.id;
                let view = agents.views.at(slot);
                let played = play(*spec, since, agents, &mut seats, view).inspect_err(|error| {
                    reports.tell(HostReport::NotPlayed {
                        slot,
                        game: id,
                        whose: whose(error),
                        why: error.to_string(),
                    });
                });
                let (record, evidence) = match played {
                    // Nothing is wrong with this slot.
                    Err(error) if memory::is_taken(&error) || service::not_served(&error).is_some() => {
                        seats.leave();
                        continue;
                    }
                    played => played?,
                };
                if is_in_doubt(&record) {
                    std::thread::sleep(DOUBT);
                }
                view.end(&record);
                agents.verdicts.forget(id);
                reports.tell(HostReport::Played(Box::new(GameReport {
                    slot,
                    up: seats.up(),
                    doubtful: may_be_meant_for_all(&record),
                    record,
                    evidence,
                    memory: agents.weigh.then(|| seats.most_memory()),
                    taken_from: None,
                    played_on: None,
                })));
                continue;
            }
            Assignment::Seat(players) => seats.fill(players, agents),
            Assignment::Rest => seats.leave(),
        }
        let up = seats.up();
        reports.tell(HostReport::Free { slot, up });
    }
    seats.leave();
    Ok(())
}

/// What kept a game from being played: the machine, if it lacks something, even to start an engine.
fn whose(error: &io::Error) -> NotPlayedCause {
    if let Some(whose) = service::not_served(error) {
        return whose;
    }
    let is_of_a_start = error.get_ref().is_some_and(|inner| inner.is::<StartError>());
    match is_of_a_start || memory::is_taken(error) || machine::is_short(error) {
        true => NotPlayedCause::Machine,
        false => NotPlayedCause::Host,
    }
}

/// Plays a game; returns its record, and its evidence if that is kept. Engines in `seats` play on, missing ones are
/// started; those that can play another game stay there. `view` shows the game meanwhile.
///
/// # Errors
/// The machine cannot start an engine, however long it is waited for, or its disk is full.
fn play(
    spec: GameSpec,
    since: Option<Instant>,
    agents: &Agents,
    seats: &mut SlotSeats,
    view: &View,
) -> io::Result<(GameRecord, Option<String>)> {
    let players = [spec.white, spec.black];
    let waited = seats.make_room(players, agents, &|| agents.verdicts.on(spec.id).is_some());
    if waited.is_none() && agents.verdicts.on(spec.id).is_none() {
        return Err(io::Error::other(NO_GPU));
    }
    let commands = players.map(|player| seats.command(player, agents));
    let without_room = disk::wait_for_room(&commands, agents)?;
    // Time in which others had a GPU or the disk counts against nobody.
    let since = since.map(|since| since + waited.unwrap_or_default() + without_room);

    let mut failures = Vec::new();
    let mut last_words = [LastWords::default(), LastWords::default()];
    let seated = players.map(|player| seats.take(player));
    let prepared = seated
        .each_ref()
        .map(|up| up.as_ref().map_or_else(PreparationTime::default, |up| up.prepared));
    let (mut engines, clock) = match since {
        None => {
            let mut engines = seated.map(|up| up.map(|up| up.engine));
            if waited.is_some() {
                start_missing(&mut engines, agents, (players, &commands), &mut failures)?;
            }
            (engines, None)
        }
        Some(since) => arrival::come(&spec, since, (agents, &commands), seated, &mut failures)?,
    };
    let mut begun = Instant::now();
    let mut texts = Texts::new(begun, agents.room);
    let (mut record, said, prepared) = match &mut engines {
        [Some(_), Some(_)] => {
            let (failures, last_words) = (&mut failures, &mut last_words);
            let game = new_game(spec.clone()).keeping(agents.room).after(prepared);
            let (begin, game) = match clock {
                None => (Instant::now(), game),
                Some(clock) => (clock.since, game.by_schedule(clock.late)),
            };
            let mut table = SlotGame {
                engines: &mut engines,
                agents,
                players,
                commands: &commands,
                failures,
                last_words,
                ended: [None; 2],
                off_turn: [Ran::default(); 2],
                first_words: players.map(|player| agents.hear_first(player).then(Clues::default)),
                unopened: Vec::new(),
                memory: memory::Memory::default(),
                asked: service::AskedCalls::new(begin, agents.room),
                begin,
            };
            begun = begin;
            let played = table.play(game, &spec, view.game(&spec, begin))?;
            texts = table.asked.into_texts();
            played
        }
        [white, black] => match agents.verdicts.on(spec.id) {
            Some(outcome) => {
                let mut game = new_game(spec);
                game.end_by_arbiter(outcome);
                let (record, said) = game.finish();
                (record, said, prepared)
            }
            None if disk::is_full(&commands) => return Err(disk::no_room(agents)),
            None => (
                GameRecord::not_started(&spec, [white.is_some(), black.is_some()]),
                Transcript::default(),
                prepared,
            ),
        },
    };
    let gpus = players.map(|player| seats.gpu(player, agents).map(|gpu| gpu.number));
    if gpus.iter().any(Option::is_some) {
        record.gpus = gpus.into();
    }
    let doors = players.map(|player| seats.door_use(player, agents));
    if doors.iter().any(Option::is_some) {
        record.doors = doors.into();
    }
    let isolation = commands.map(|command| command.isolated);
    if isolation.iter().any(|of_one| of_one.isolation != Isolation::Off) {
        record.isolation = isolation.into();
    }
    for (words, engine) in last_words.iter_mut().zip(&mut engines) {
        words.hear(engine.as_mut().map(Engine::take_alarms).unwrap_or_default());
    }
    let has_alarms = last_words.iter().any(LastWords::has_alarms);
    let is_kept = agents.evidence == Evidence::All || record.has_faults() || has_alarms || !texts.is_empty();
    if is_kept {
        for (words, engine) in last_words.iter_mut().zip(&mut engines) {
            words.add(
                engine.as_mut().map(Engine::take_stderr).unwrap_or_default(),
                agents.room,
            );
        }
    }
    record.alarms = alarm::of_sides(last_words.each_mut().map(LastWords::take_alarms));
    let room = (agents.evidence == Evidence::All).then_some(agents.room);
    let evidence = is_kept.then(|| evidence::render(&record, (&said, &texts), (&last_words, begun), room, &failures));
    for ((player, engine), prepared) in players.into_iter().zip(engines).zip(prepared) {
        if let Some(engine) = engine {
            let at = Instant::now();
            seats.keep(player, Up { engine, at, prepared });
        }
    }
    Ok((record, evidence))
}

fn new_game(spec: GameSpec) -> Game {
    Game::new(spec).expect("openings are checked before the event starts")
}

/// A game under way.
struct SlotGame<'a> {
    engines: &'a mut [Option<Engine>; 2],
    agents: &'a Agents,
    players: [PairingNumber; 2],
    /// How the engines are started, White's first.
    commands: &'a [EngineCommand; 2],
    failures: &'a mut Vec<String>,
    /// Standard error of engines that have been ended.
    last_words: &'a mut [LastWords; 2],
    /// How engines ended by themselves that have not been started anew.
    ended: [Option<EngineEnd>; 2],
    /// The processor time that ended engines used while the other side was to move.
    off_turn: [Ran; 2],
    /// What each side has said until its first move, if nobody has listened to that yet.
    first_words: [Option<Clues>; 2],
    /// Files that they could not open, by these words.
    unopened: Vec<UnopenedFile>,
    memory: memory::Memory,
    /// Calls of sides that are asked over the broker.
    asked: service::AskedCalls,
    begin: Instant,
}

impl SlotGame<'_> {
    fn play(
        &mut self,
        mut game: Game,
        spec: &GameSpec,
        mut shows: Shows<'_>,
    ) -> io::Result<(GameRecord, Transcript, [PreparationTime; 2])> {
        pulse::start()?;
        self.engines.iter_mut().flatten().for_each(Engine::forget_work);
        // The time of the last thing that happened; nothing lies between it and the next poll.
        let mut now = self.begin.elapsed();
        loop {
            if let Some(outcome) = self.agents.verdicts.on(spec.id) {
                game.end_by_arbiter(outcome);
            }
            shows.show(&game, false);
            let input = match game.poll(now) {
                Output::Send {
                    side,
                    until,
                    fresh,
                    begins,
                } => {
                    let (engine, other) = at_table(self.engines, side);
                    if begins {
                        engine.begin(until.saturating_sub(now));
                        let asked = (&*engine, &self.commands[side.index()]);
                        self.asked.ask((spec.id, &game), side, asked, until.saturating_sub(now));
                    }
                    if let Some(other) = other {
                        other.unheard();
                        if begins {
                            other.rest(engine.is_watched());
                            game.worked(side.other(), other.take_work().map(|work| work.ran));
                        }
                    }
                    if fresh {
                        engine.discard();
                    }
                    match engine.write(game.outgoing(), until, self.begin) {
                        EngineWrite::All { at, was_full } => {
                            now = at - self.begin;
                            Input::Sent { was_full }
                        }
                        EngineWrite::Deadline => self.late(Input::Deadline, &mut now),
                        EngineWrite::Closed(end) => self.closed(side, spec, end, &mut now),
                    }
                }
                Output::Wait { side, until, other } => {
                    let (engine, beside) = at_table(self.engines, side);
                    let beside = match (beside, other) {
                        (Some(beside), Meanwhile::Rests) => {
                            if spec.limits.freeze {
                                beside.freeze();
                            }
                            OtherEngine::Resting(beside)
                        }
                        (Some(beside), Meanwhile::Ponders) => OtherEngine::Pondering(beside),
                        (None, _) | (_, Meanwhile::Answers) => OtherEngine::Nobody,
                    };
                    let look = until.min(now + LOOK);
                    let player = engine.player().cloned();
                    match engine.read(look, self.begin, beside) {
                        EngineRead::Line(line) => {
                            // What a side said while it pondered was read before it was asked.
                            now = now.max(line.at.saturating_duration_since(self.begin));
                            let has_moved = self.first_words[side.index()].as_mut().is_some_and(|words| {
                                words.hear(Direction::Received, line.text);
                                matches!(uci::read(line.text), uci::UciLine::BestMove(_))
                            });
                            game.wakeup(line.late);
                            if let Some(player) = player
                                && let uci::UciLine::BestMove(word) = uci::read(line.text)
                            {
                                let is_none =
                                    !game.is_legal(word) && !word.eq_ignore_ascii_case(uci::RESIGN.as_bytes());
                                let command = &self.commands[side.index()];
                                let (off_clock, end) = self.asked.answered(side, &player, command, is_none)?;
                                game.of_service(off_clock, end);
                            }
                            game.handle(now, Input::Line(line.text));
                            if has_moved {
                                self.end_first_words(side);
                            }
                            continue;
                        }
                        EngineRead::Deadline if look < until => {
                            now = self.begin.elapsed();
                            shows.show(&game, true);
                            continue;
                        }
                        EngineRead::Deadline => self.late(Input::Deadline, &mut now),
                        EngineRead::Closed(end) => self.closed(side, spec, end, &mut now),
                    }
                }
                Output::Restart { side, within } => {
                    let input = self.restart(side, spec.player(side), within)?;
                    self.unheard();
                    self.late(input, &mut now)
                }
                Output::Doubt { side, since, answered } => {
                    let measured = self.measure(side, since, now, answered);
                    self.late(Input::Doubt(measured), &mut now)
                }
                Output::Probe => {
                    let tablebases = self.agents.tablebases.as_ref();
                    let verdict = tablebases.map(|tables| tables.probe(game.position())).transpose()?;
                    self.unheard();
                    self.late(Input::Probed(verdict), &mut now)
                }
                Output::Over => break,
            };
            game.handle(now, input);
        }
        // When an engine goes, so do its files.
        let no_room = disk::is_full(self.commands).then(|| disk::no_room(self.agents));
        for side in Side::BOTH {
            if let Some(engine) = &mut self.engines[side.index()] {
                engine.rest(false);
                self.asked.end(side, engine);
                game.worked(side, engine.take_work().map(|work| work.ran));
            }
            if game.is_spoilt(side) {
                self.end(side);
            }
        }
        let prepared = Side::BOTH.map(|side| game.prepared(side));
        let (mut record, said) = game.finish();
        self.asked.finish(&mut record, self.commands)?;
        record.off_turn = self.off_turn();
        record.memory_peak = self.memory.peaks(self.engines);
        record.unopened = std::mem::take(&mut self.unopened);
        if let Some(error) = no_room.filter(|_| disk::may_be_by_it(&record)) {
            return Err(error);
        }
        match self.memory.taken(&record, self.agents) {
            Some(error) => Err(error),
            None => Ok((record, said, prepared)),
        }
    }

    /// Ends the first words of a side, which has made its first move: reports the files that it could not open.
    fn end_first_words(&mut self, side: Side) {
        let Some(mut words) = self.first_words[side.index()].take() else {
            return;
        };
        let said = self.engines[side.index()]
            .as_mut()
            .map(Engine::stderr_so_far)
            .unwrap_or_default();
        for line in said.split(|byte| *byte == b'\n') {
            words.hear(Direction::Remark, line);
        }
        let unopened = words.unopened(&self.commands[side.index()]).into_iter();
        let unopened: Vec<UnopenedFile> = unopened
            .map(|one| UnopenedFile {
                side: Some(side),
                lack: one.lack.map(|lack| Lack { gives: None, ..lack }),
                ..one
            })
            .collect();
        if !unopened.is_empty() {
            self.unopened.extend(unopened.iter().cloned());
            let player = self.players[side.index()];
            self.agents.reports.tell(HostReport::Unopened { player, unopened });
        }
    }

    /// Ends the engine of a side and starts it anew, within `within` if that is limited.
    ///
    /// # Errors
    /// The machine cannot start it, however long it is waited for.
    fn restart(&mut self, side: Side, player: PairingNumber, within: Option<Duration>) -> io::Result<Input<'static>> {
        let asked = Instant::now();
        let why = self.ended[side.index()].take();
        let why = why.map_or_else(|| "it did not answer in time".to_owned(), |end| format!("{end:?}"));
        let command = &self.commands[side.index()];
        warn!(player = command.name, why, "engine is started anew");
        self.end(side);
        let ended = asked.elapsed();
        let (engine, lacked) = start_within(self.agents, (player, command), within, self.failures)?;
        let waited = ended + lacked;
        let is_started = engine.is_some();
        self.engines[side.index()] = engine;
        Ok(match within {
            _ if is_started => Input::Restarted { waited },
            Some(within) if asked.elapsed() >= waited + within => Input::StartTooLong { waited },
            _ => Input::StartFailed,
        })
    }

    /// An input without a time stamp of a line or write: it happens now.
    fn late(&self, input: Input<'static>, now: &mut Duration) -> Input<'static> {
        *now = self.begin.elapsed();
        input
    }

    /// Handles an engine that has ended or closed a pipe.
    fn closed(&mut self, side: Side, spec: &GameSpec, end: EngineEnd, now: &mut Duration) -> Input<'static> {
        let input = self.late(Input::Closed(end), now);
        let player = &self.commands[side.index()].name;
        warn!(player, game = %spec.id, how = ?end, "engine is gone in a game");
        if let Some(engine) = &mut self.engines[side.index()] {
            self.memory.look(engine, self.agents);
        }
        self.ended[side.index()] = Some(end);
        input
    }

    /// Notes that nobody listened to the engines for some time.
    fn unheard(&mut self) {
        for engine in self.engines.iter_mut().flatten() {
            engine.unheard();
        }
    }

    /// Ends an engine with its whole tree, keeping its last words.
    fn end(&mut self, side: Side) {
        if let Some(mut engine) = self.engines[side.index()].take() {
            self.off_turn[side.index()] += engine.off_turn();
            self.asked.end(side, &engine);
            self.memory.add(side, &mut engine);
            self.last_words[side.index()].add(engine.end(), self.agents.room);
        }
    }
}

/// The engine of a side, and the other one if it is there.
fn at_table(engines: &mut [Option<Engine>; 2], side: Side) -> (&mut Engine, Option<&mut Engine>) {
    let [white, black] = engines.each_mut().map(Option::as_mut);
    let (engine, other) = match side {
        Side::White => (white, black),
        Side::Black => (black, white),
    };
    (engine.expect("a game asks nothing of an engine that has gone"), other)
}
