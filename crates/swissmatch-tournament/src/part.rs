//! Parts of an event, each played and ranked on its own: stages one after the other, sections side by side.
//!
//! A part is seen as a [`State`] of its own: its players are numbered from 1 in the order of the part, its rounds are
//! counted from 1, and its setup is the one that counts in it. So anything that can be told about an event can be told
//! about a part.
//!
//! May not: pair or rank anybody.

mod round;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use swiss_system::pairing::all_play_all;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::pairing::rounds::{Rounds, TournamentFormat};

use swissmatch_game::record::GameId;

use super::log::{EventStopped, GameAnalysed, RunCreated};
use super::setup::{PlayerKeys, SectionKeys};
use super::stage::Stage;
use super::state::{Analysis, OfEvent, State};

/// A part of an event that has begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// From 1; `None` in an event without stages.
    pub stage: Option<u32>,
    /// From 1; `None` where everyone in the stage plays together.
    pub section: Option<u32>,
    /// Its players by their numbers in the event, in the order of their numbers in the part.
    pub players: Vec<PairingNumber>,
    /// Rounds of the event before the part's first round.
    pub rounds_before: u32,
    pub rounds: u32,
    pub format: Rounds,
    /// The stage that the part is, or belongs to.
    of: Stage,
    /// The name of the section, one of `event.sections`.
    pub name: Option<String>,
}

impl Part {
    /// True if the part has boards in the event's round `rounds + 1`.
    pub const fn has_round(&self, rounds: usize) -> bool {
        let before = self.rounds_before as usize;
        before <= rounds && rounds < before + self.rounds as usize
    }

    /// How many of the event's first `rounds` rounds belong to the part; `None` if it has not begun by then.
    pub(crate) fn own_rounds(&self, rounds: usize) -> Option<usize> {
        let own = rounds.checked_sub(self.rounds_before as usize)?;
        (own > 0 || self.rounds_before == 0).then(|| own.min(self.rounds as usize))
    }

    /// The number in the part of a player of the event.
    pub fn own_number(&self, number: PairingNumber) -> Option<PairingNumber> {
        let place = self.players.iter().position(|player| *player == number)?;
        Some(PairingNumber::from_index(place))
    }
}

/// Written as `stage 2`, `section 3`, `stage 2, section 3`, or the name of the section.
impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = &self.name {
            return f.write_str(name);
        }
        match (self.stage, self.section) {
            (Some(stage), None) => write!(f, "stage {stage}"),
            (Some(stage), Some(section)) => write!(f, "stage {stage}, section {section}"),
            (None, Some(section)) => write!(f, "section {section}"),
            (None, None) => f.write_str("event"),
        }
    }
}

/// The parts that have begun, in order. An event that is not divided is its own only part.
pub fn parts_of(state: &State) -> Vec<Part> {
    if state.created.format == TournamentFormat::Sections {
        return sections(state);
    }
    let everybody: Vec<PairingNumber> = state.numbers().collect();
    let fields = std::iter::once(&everybody).chain(&state.fields);
    let mut parts = Vec::new();
    for ((number, of), field) in (1..).zip(state.stages()).zip(fields) {
        let part = |section, players, format: Rounds, rounds| Part {
            stage: (state.created.format == TournamentFormat::Stages).then_some(number),
            section,
            players,
            rounds_before: of.rounds_before,
            rounds,
            format,
            of: of.clone(),
            name: None,
        };
        if of.format != Rounds::Quads {
            parts.push(part(None, field.clone(), of.format, of.rounds));
            continue;
        }
        for (section, of_section) in (1..).zip(all_play_all::quads(field.len())) {
            let players: Vec<PairingNumber> = of_section.players.iter().map(|seed| field[seed.index()]).collect();
            let format = Rounds::from(of_section.format);
            let rounds = format.plan(u32::try_from(players.len()).expect("at most seven")).rounds;
            parts.push(part(Some(section), players, format, rounds));
        }
    }
    parts
}

/// The last round that was paired on the results of this game's round; `None` if there is none, as in a format whose
/// table says who meets whom.
pub fn last_paired_on(state: &State, game: GameId) -> Option<u32> {
    let before = game.round as usize - 1;
    let player = state
        .rounds
        .get(before)?
        .pairing
        .pairs
        .get(game.board as usize - 1)?
        .white;
    let mut parts = parts_of(state).into_iter();
    let part = parts.find(|part| part.has_round(before) && part.players.contains(&player))?;
    let is_table = matches!(
        format_of(state, &part),
        TournamentFormat::AllPlayAll | TournamentFormat::Gauntlet
    );
    let paired = u32::try_from(state.rounds.len()).expect("few rounds");
    let last = paired.min(part.rounds_before + part.rounds);
    (!is_table && last > game.round).then_some(last)
}

/// The name of the section of a player, in an event with `event.sections`.
pub fn section_name(state: &State, number: PairingNumber) -> Option<&str> {
    let setup = state.setup();
    let section = setup.section_of(state.player(number)).ok()?;
    Some(&setup.event.sections[section].name)
}

/// The section of a player, in an event with `event.sections`.
pub fn section_of(state: &State, player: &PlayerKeys) -> Option<Part> {
    let place = state.setup().section_of(player).ok()?;
    sections(state).into_iter().nth(place)
}

/// The sections of an event with `event.sections`.
fn sections(state: &State) -> Vec<Part> {
    let setup = state.setup();
    let own = |place: usize| {
        let is_own = |number: &PairingNumber| setup.section_of(state.player(*number)) == Ok(place);
        state.numbers().filter(is_own).collect()
    };
    let sections = state.stages().into_iter().zip(&setup.event.sections);
    let part = |(place, (of, keys)): (usize, (Stage, &SectionKeys))| Part {
        stage: None,
        section: u32::try_from(place + 1).ok(),
        players: own(place),
        rounds_before: 0,
        rounds: of.rounds,
        format: of.format,
        of,
        name: Some(keys.name.clone()),
    };
    sections.enumerate().map(part).collect()
}

/// How a part is paired.
fn format_of(state: &State, part: &Part) -> TournamentFormat {
    let ranked = part.players.iter().filter(|number| !state.player(**number).house);
    let ranked = u32::try_from(ranked.count()).expect("few players");
    part.format.plan(ranked).format
}

/// A part as an event of its own, including what the play-offs of the whole event settled in it.
///
/// # Panics
/// If the part belongs to another event.
pub(super) fn as_event(state: &State, part: &Part, of_event: OfEvent) -> State {
    let entries_by_number: Vec<usize> = part
        .players
        .iter()
        .map(|number| state.created.order[number.index()])
        .collect();
    let entries: BTreeSet<usize> = entries_by_number.iter().copied().collect();
    let mut setup = part.of.setup(state.setup());
    setup.swiss.rounds = part.format;
    setup.event.name = format!("{}, {part}", setup.event.name);
    setup.players = entries.iter().map(|&entry| setup.players[entry].clone()).collect();
    for player in &mut setup.players {
        let own = player
            .byes
            .iter()
            .filter_map(|round| round.checked_sub(part.rounds_before));
        player.byes = own.collect();
    }
    let place = |entry: &usize| entries.range(..entry).count();
    let created = RunCreated {
        setup,
        rounds: part.rounds,
        format: format_of(state, part),
        order: entries_by_number.iter().map(place).collect(),
        agents: entries
            .iter()
            .map(|&entry| state.created.agents[entry].clone())
            .collect(),
        ..state.created.clone()
    };
    let rounds = state
        .rounds
        .iter()
        .skip(part.rounds_before as usize)
        .take(part.rounds as usize);
    State {
        created,
        entries: state.entries,
        rounds: (1..)
            .zip(rounds)
            .map(|(number, round)| round::own(part, number, round))
            .collect(),
        fields: Vec::new(),
        // Play-offs belong to the whole event.
        lots: Vec::new(),
        void_lots: Vec::new(),
        decisions: Vec::new(),
        of_event: Some(of_event),
        analysis: analysis_of_part(state, part),
        orders: state
            .orders
            .of_part(|number| part.own_number(number), part.rounds_before),
        out_of_ties: state.out_of_ties.as_ref().map(|players| {
            let own = players.iter().filter_map(|number| part.own_number(*number));
            own.collect()
        }),
        entered: part
            .players
            .iter()
            .filter_map(|number| state.entered_after(*number))
            .collect(),
        // Games have other numbers in the part.
        interrupted: BTreeMap::new(),
        // An event with parts has no test.
        verdict: None,
        // An event with parts has no stop rule either, unless this is its only part.
        stopped: state.stopped.as_ref().map(|stopped| EventStopped {
            round: stopped.round.saturating_sub(part.rounds_before),
            ..stopped.clone()
        }),
        workers: state.workers.clone(),
    }
}

/// True if a round of the event, from 1, belongs to a knockout.
pub(crate) fn is_of_knockout(state: &State, round: u32) -> bool {
    let has_round = |part: &Part| part.has_round(round as usize - 1);
    parts_of(state)
        .iter()
        .any(|part| has_round(part) && part.format == Rounds::Knockout)
}

/// The analysis of the part's games, under their numbers in the part.
fn analysis_of_part(state: &State, part: &Part) -> Option<Analysis> {
    let analysis = state.analysis.as_ref()?;
    let is_own = |player: PairingNumber| part.own_number(player).is_some();
    let (before, rounds) = (part.rounds_before, part.rounds);
    let mut games = BTreeMap::new();
    for (number, round) in (1..).zip(state.rounds().iter().skip(before as usize).take(rounds as usize)) {
        let boards = (1..).zip(&round.mini_matches);
        let own = boards.filter(|(_, board)| is_own(board.pair.white) && is_own(board.pair.black));
        for (own_board, (board, mini_match)) in (1..).zip(own) {
            let numbers = 1..=u32::try_from(mini_match.games.len()).unwrap_or(u32::MAX);
            let analysed = numbers.filter_map(|game| {
                let id = |round, mini_match| GameId {
                    round,
                    playoff: 0,
                    board: mini_match,
                    game,
                };
                let own = id(number, own_board);
                let analysed = analysis.games.get(&id(before + number, board))?.clone();
                Some((own, GameAnalysed { id: own, ..analysed }))
            });
            games.extend(analysed);
        }
    }
    Some(Analysis {
        begun: analysis.begun.clone(),
        games,
    })
}
