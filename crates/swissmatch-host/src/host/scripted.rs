//! A host that plays by a script: it starts no process, and each game has the result that the script gives it. It
//! serves to try out a rule set, to embed a run, or to test what rests on results alone. No command reaches it.
//!
//! Games are as short as chess allows, so that their records are checked like any others: a mate in three or four moves
//! from the usual start position, a forfeit on time from any other; a draw repeats a position. Each move takes a
//! millisecond, and no game has a clock.
//!
//! May not: touch the machine.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::time::Duration;

use jiff::Timestamp;
use shakmaty::{Move, Position as _, Role};
use swiss_system::pairing::history::PairingNumber;

use swissmatch_game::record::{GameId, GameRecord, GameSpec};
use swissmatch_game::rules::Board;
use swissmatch_game::seen::GameView;
use swissmatch_game::termination::{Outcome, Termination};
use swissmatch_game::variant::Variant;
use swissmatch_game::{Side, conformance};
use swissmatch_tournament::beside::Takes;
use swissmatch_tournament::log::{AgentIntroduction, PlayedOn, PresenceChecked, WorkerAdmitted};

use super::views::Live;
use super::{
    AgentFound, AgentSpec, ExaminationReport, GameHost, GameReport, HostError, HostOrder, HostReport,
    IntroductionReport, IssuedGame, NotPlayedCause, Reports, SlotGroup, SlotsReport, Terms,
};

/// The time of each move, in microseconds.
const MOVE_US: u64 = 1000;
/// No repetition is longer than this.
const LONGEST_SHUFFLE: u32 = 20;
/// The shortest wins from the usual start position.
const WHITE_MATES: &str = "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7";
const BLACK_MATES: &str = "f2f3 e7e5 g2g4 d8h4";

/// What happens to a game.
#[derive(Clone, Debug)]
pub enum ScriptedGame {
    /// It is played and ends with this result.
    Ends(Outcome),
    /// It is played, and this is its record.
    Record(Box<GameRecord>),
    /// It goes on until the arbiter ends it.
    GoesOn,
    /// It is not played, through no fault of its players.
    NotPlayed(NotPlayedCause, String),
    /// Its slot goes, for this reason.
    Gone(String),
}

impl From<Outcome> for ScriptedGame {
    fn from(outcome: Outcome) -> Self {
        Self::Ends(outcome)
    }
}

type Script = Box<dyn FnMut(&GameSpec) -> ScriptedGame + Send>;

/// A host that plays by a script.
///
/// ```
/// use swissmatch_game::{Side, termination::Outcome};
/// use swissmatch_host::host::scripted::ScriptedHost;
///
/// // Whoever has the lower pairing number wins.
/// let host = ScriptedHost::new(|game| {
///     Outcome::win(if game.white < game.black { Side::White } else { Side::Black })
/// });
/// ```
pub struct ScriptedHost {
    script: Script,
    reports: Reports,
    slots: usize,
    gone: Vec<bool>,
    has_clock: bool,
    /// The duration of each agent's start.
    start: Option<Duration>,
    /// How many games a slot may be given at once.
    games_a_task: usize,
    /// Games that go on, with their slots.
    under_way: BTreeMap<GameId, (usize, GameSpec)>,
    /// What each slot plays after that.
    queues: BTreeMap<usize, VecDeque<IssuedGame>>,
    /// The workers that have the slots, in turn; if empty, the slots are the runner's own.
    workers: Vec<WorkerAdmitted>,
    /// The last issue of each game.
    issues: BTreeMap<GameId, u32>,
}

impl fmt::Debug for ScriptedHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScriptedHost")
            .field("slots", &self.slots)
            .finish_non_exhaustive()
    }
}

impl ScriptedHost {
    /// A host with one slot, whose games end as `script` says, in the order in which they begin.
    pub fn new<S: Into<ScriptedGame>>(mut script: impl FnMut(&GameSpec) -> S + Send + 'static) -> Self {
        Self {
            script: Box::new(move |game| script(game).into()),
            reports: Reports::to(drop),
            slots: 1,
            gone: Vec::new(),
            has_clock: true,
            start: None,
            games_a_task: 1,
            under_way: BTreeMap::new(),
            queues: BTreeMap::new(),
            workers: Vec::new(),
            issues: BTreeMap::new(),
        }
    }

    /// Puts the slots on these machines in turn, instead of the runner's.
    #[must_use]
    pub fn on_workers(mut self, workers: Vec<WorkerAdmitted>) -> Self {
        self.workers = workers;
        self
    }

    /// Sets the number of slots, besides those for games that need no core.
    #[must_use]
    pub fn with_slots(mut self, slots: usize) -> Self {
        self.slots = slots;
        self
    }

    /// Makes each agent's start before the event take this long, on paper: nobody waits for it.
    #[must_use]
    pub const fn starting_in(mut self, took: Duration) -> Self {
        self.start = Some(took);
        self
    }

    /// Lets slots be given this many games at once.
    #[must_use]
    pub const fn with_tasks_of(mut self, games: usize) -> Self {
        self.games_a_task = games;
        self
    }

    /// Makes the clock one that nobody can trust, so that clocks that run by the schedule are refused.
    #[must_use]
    pub const fn without_clock(mut self) -> Self {
        self.has_clock = false;
        self
    }

    fn open(&mut self, terms: &Terms) -> Result<SlotsReport, HostError> {
        if terms.by_the_clock && !self.has_clock {
            return Err(HostError::Key {
                key: "schedule.clock".to_owned(),
                message: "this host has no clock, so games cannot begin at a time".to_owned(),
                help: "write schedule.clock = \"game\"".to_owned(),
            });
        }
        let slots = self.slots + terms.beside;
        self.gone = vec![false; slots];
        let on_cores = SlotGroup {
            slots: self.slots,
            takes: match terms.beside {
                0 => Takes::All,
                _ => Takes::OnCores,
            },
            gpus: terms.host.gpus.len(),
            games_a_task: self.games_a_task,
            outlives: !self.workers.is_empty(),
            class: self.workers.first().map(|worker| worker.class.clone()),
        };
        let beside = SlotGroup {
            slots: terms.beside,
            takes: Takes::Beside,
            games_a_task: self.games_a_task,
            ..SlotGroup::default()
        };
        Ok(SlotsReport {
            groups: vec![on_cores, beside],
            manifest: serde_json::json!({ "games_at_once": slots, "scripted": true }),
            why_no_groups: None,
            memory: None,
            within_reach: Vec::new(),
            missing: Vec::new(),
            machine: None,
        })
    }

    fn free(&self, slot: usize, up: &[PairingNumber]) {
        self.reports.tell(HostReport::Free { slot, up: up.to_vec() });
    }

    /// Plays what the slot was given, up to a game that goes on.
    fn go_on(&mut self, slot: usize) {
        while !self.under_way.values().any(|(at, _)| *at == slot)
            && let Some(IssuedGame { spec, issue }) = self.queues.get_mut(&slot).and_then(VecDeque::pop_front)
        {
            self.issues.insert(spec.id, issue);
            self.play(slot, spec);
        }
    }

    fn recall(&mut self, games: &[GameId]) {
        for (&slot, queue) in &mut self.queues {
            for issued in std::mem::take(queue) {
                match games.contains(&issued.spec.id) {
                    true => self.reports.tell(HostReport::NotPlayed {
                        slot,
                        game: issued.spec.id,
                        whose: NotPlayedCause::Stop,
                        why: "it was not to be begun".to_owned(),
                    }),
                    false => queue.push_back(issued),
                }
            }
        }
    }

    fn play(&mut self, slot: usize, spec: GameSpec) {
        let record = match (self.script)(&spec) {
            ScriptedGame::Ends(outcome) => record(&spec, outcome),
            ScriptedGame::Record(record) => *record,
            ScriptedGame::GoesOn => {
                self.under_way.insert(spec.id, (slot, spec));
                return;
            }
            ScriptedGame::NotPlayed(whose, why) => {
                return self.reports.tell(HostReport::NotPlayed {
                    slot,
                    game: spec.id,
                    whose,
                    why,
                });
            }
            ScriptedGame::Gone(why) => {
                self.gone[slot] = true;
                self.queues.remove(&slot);
                return self.reports.tell(HostReport::Gone { slot, why });
            }
        };
        let was_played = record.termination.was_played();
        self.played(slot, &spec, record);
        if !was_played {
            let behind: Vec<GameId> = self.queues[&slot].iter().map(|issued| issued.spec.id).collect();
            self.recall(&behind);
        }
    }

    fn played(&self, slot: usize, spec: &GameSpec, record: GameRecord) {
        self.reports.tell(HostReport::Live(Box::new(Live {
            slot,
            begun: Timestamp::now(),
            game: GameView::whole(&record),
        })));
        self.reports.tell(HostReport::Played(Box::new(GameReport {
            slot,
            up: vec![spec.white, spec.black],
            record,
            evidence: None,
            doubtful: false,
            memory: None,
            taken_from: None,
            played_on: self.played_on(slot, spec.id),
        })));
    }

    fn played_on(&self, slot: usize, game: GameId) -> Option<PlayedOn> {
        let worker = self.workers.get(slot.checked_rem(self.workers.len())?)?;
        Some(PlayedOn {
            worker: worker.worker.clone(),
            class: worker.class.clone(),
            issue: self.issues.get(&game).copied().unwrap_or(1),
        })
    }

    /// Every agent of a script is there.
    fn present(&mut self, round: u32, _: Vec<PairingNumber>) -> PresenceChecked {
        PresenceChecked {
            round,
            absent: Vec::new(),
        }
    }
}

impl GameHost for ScriptedHost {
    fn connect(&mut self, reports: Reports) {
        self.reports = reports;
    }

    fn order(&mut self, order: HostOrder) {
        match order {
            HostOrder::Find { agents, .. } => {
                let found = agents.iter().map(|agent| Ok(found(agent)));
                self.reports.tell(HostReport::Found(found.collect()));
            }
            HostOrder::Introduce { agents, .. } => {
                let introduced = agents.iter().map(|agent| IntroductionReport {
                    no_names: Vec::new(),
                    said: Ok(introduction(agent, self.start)),
                    changes: Vec::new(),
                    printed: Vec::new(),
                    lacks: Vec::new(),
                    cause: None,
                });
                self.reports.tell(HostReport::Introduced(Ok(introduced.collect())));
            }
            HostOrder::Listen { .. } => {
                self.reports
                    .tell(HostReport::Heard(Ok(Box::new(conformance::FirstMoveReport {
                        first_move: Some("e2e4".to_owned()),
                        ..conformance::FirstMoveReport::default()
                    }))))
            }
            HostOrder::Examine { .. } => {
                let seen = conformance::StepReport::not_reached("a script has no agents to look at");
                let examined = ExaminationReport {
                    seen,
                    introduction: None,
                    lacks: Vec::new(),
                };
                self.reports.tell(HostReport::Examined(Ok(Box::new(examined))));
            }
            HostOrder::Open(terms) => {
                let opened = self.open(&terms);
                let slots = opened.as_ref().map_or(0, SlotsReport::slots);
                self.reports.tell(HostReport::Open(opened));
                for worker in &self.workers {
                    self.reports.tell(HostReport::Worker(Box::new(worker.clone())));
                }
                for (slot, worker) in (0..slots).zip(self.workers.iter().cycle()) {
                    let place = worker.worker.clone();
                    self.reports.tell(HostReport::At { slot, place });
                }
                (0..slots).for_each(|slot| self.free(slot, &[]));
            }
            HostOrder::Present { round, players, .. } => {
                let present = self.present(round, players);
                self.reports.tell(HostReport::Present(Ok(present)));
            }
            HostOrder::Abandon | HostOrder::Booked(_) | HostOrder::Known(_) | HostOrder::Over => {}
            HostOrder::Seat { slot, players } => self.free(slot, &players),
            HostOrder::Play { slot, task } => {
                self.queues.entry(slot).or_default().extend(task.games);
                self.go_on(slot);
            }
            HostOrder::Recall { games } => self.recall(&games),
            HostOrder::Adjudicate { game, outcome } => {
                if let Some((slot, spec)) = self.under_way.remove(&game) {
                    let record = adjudicated(&spec, outcome);
                    self.played(slot, &spec, record);
                    self.go_on(slot);
                }
            }
            HostOrder::Rest { slot } => self.free(slot, &[]),
            HostOrder::Enter(_) => self.reports.tell(HostReport::Entered(Ok(()))),
        }
    }
}

impl Drop for ScriptedHost {
    fn drop(&mut self) {
        let left = self.gone.iter().enumerate().filter(|(_, gone)| !**gone);
        for (slot, _) in left {
            self.reports.tell(HostReport::Gone {
                slot,
                why: String::new(),
            });
        }
    }
}

fn found(agent: &AgentSpec) -> AgentFound {
    AgentFound {
        program: agent.player.command.clone(),
        directory: String::new(),
        files: Vec::new(),
        own: Vec::new(),
        left_out: Vec::new(),
        manifests: Vec::new(),
        leading_out: Vec::new(),
        interpreter: None,
        patterns: Vec::new(),
        legal_moves: None,
    }
}

fn introduction(agent: &AgentSpec, start: Option<Duration>) -> AgentIntroduction {
    AgentIntroduction {
        name: agent.player.name.clone(),
        author: "a script".to_owned(),
        threads: 1,
        start_us: start.map(|took| u64::try_from(took.as_micros()).unwrap_or(u64::MAX)),
        options_left_out: Vec::new(),
        options_unread: Vec::new(),
        unopened: Vec::new(),
    }
}

/// The record of a game with this result.
fn record(spec: &GameSpec, outcome: Outcome) -> GameRecord {
    let forfeit = |by| with_moves(spec, "", outcome, Termination::TimeForfeit { by });
    let start = &spec.opening;
    let is_usual = start.variant == Variant::Standard && start.fen.is_none() && start.moves.is_empty();
    let has_room = |moves: &str| {
        let plies = moves.split(' ').count();
        spec.limits.max_plies.is_none_or(|most| plies <= most as usize)
    };
    match outcome {
        Outcome::WhiteWins if is_usual && has_room(WHITE_MATES) => {
            with_moves(spec, WHITE_MATES, outcome, Termination::Checkmate)
        }
        Outcome::BlackWins if is_usual && has_room(BLACK_MATES) => {
            with_moves(spec, BLACK_MATES, outcome, Termination::Checkmate)
        }
        Outcome::WhiteWins => forfeit(Side::Black),
        Outcome::BlackWins => forfeit(Side::White),
        Outcome::Draw => repetition(spec).unwrap_or_else(|| adjudicated(spec, outcome)),
        Outcome::BothLose => GameRecord::not_started(spec, [false; 2]),
        Outcome::Void => adjudicated(spec, outcome),
    }
}

fn adjudicated(spec: &GameSpec, outcome: Outcome) -> GameRecord {
    with_moves(spec, "", outcome, Termination::ArbiterAdjudication)
}

fn with_moves(spec: &GameSpec, moves: &str, outcome: Outcome, termination: Termination) -> GameRecord {
    GameRecord {
        moves: moves.to_owned(),
        time_us: vec![MOVE_US; moves.split_ascii_whitespace().count()],
        outcome,
        termination,
        ..GameRecord::begin(spec)
    }
}

/// A game in which both sides move a piece back and forth until it is drawn; `None` if neither side can.
fn repetition(spec: &GameSpec) -> Option<GameRecord> {
    let mut board = Board::new(&spec.opening).ok()?;
    let mut moves = Vec::new();
    let shuffle = there_and_back(&board)?;
    for step in shuffle.into_iter().cycle() {
        if board.plies() == LONGEST_SHUFFLE {
            return None;
        }
        moves.push(board.uci(step).to_string());
        board.play(step);
        if let Some((outcome, termination)) = board.ending(spec.limits.ends()) {
            let record = with_moves(spec, &moves.join(" "), outcome, termination);
            return (outcome == Outcome::Draw).then_some(record);
        }
    }
    None
}

/// Four plies after which the pieces stand as before.
fn there_and_back(board: &Board) -> Option<[Move; 4]> {
    let quiet = |board: &Board| {
        let moves = board.position().legal_moves().into_iter();
        moves.filter(|step| matches!(step, Move::Normal { role, capture: None, .. } if *role != Role::Pawn))
    };
    let after = |board: &Board, step: Move| {
        let mut next = board.clone();
        next.play(step);
        next
    };
    for mine in quiet(board) {
        let then = after(board, mine);
        for yours in quiet(&then) {
            let (Some(mine_back), Some(yours_back)) = (back(mine), back(yours)) else {
                continue;
            };
            let there = after(&then, yours);
            if !there.position().is_legal(mine_back) {
                continue;
            }
            if after(&there, mine_back).position().is_legal(yours_back) {
                return Some([mine, yours, mine_back, yours_back]);
            }
        }
    }
    None
}

/// The same move in reverse.
fn back(step: Move) -> Option<Move> {
    match step {
        Move::Normal { role, from, to, .. } => Some(Move::Normal {
            role,
            from: to,
            capture: None,
            to: from,
            promotion: None,
        }),
        _ => None,
    }
}
