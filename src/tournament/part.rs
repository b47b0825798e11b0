//! Parts of an event, each played and ranked for itself: stages one after the other, sections side by side.
//!
//! A part is seen as a [`State`] of its own: its players have numbers from 1 in the order of the part, its rounds are
//! counted from 1, and its setup is what counts in it. So whatever is told of an event can be told of a part.
//!
//! May not: pair or rank anybody.

mod round;

use std::collections::BTreeSet;
use std::fmt;

use crate::game::record::GameId;
use crate::game::time_control::TimeControl;
use crate::pairing::all_play_all;
use crate::pairing::history::PairingNumber;
use crate::pairing::rounds::{Format, RoundPlan, Rounds};
use crate::standings::Standings;

use super::event::{Created, StageBegun};
use super::placing;
use super::setup::{PlayerKeys, SectionKeys, Setup};
use super::state::{BrokenLog, Round, State};
use super::ties;
use super::ties::Playoffs;
use super::tour::TOUR_PLAN;

/// A stage, or one of `event.sections`, as it is known before anything is played. An event that has neither is one stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// What is played.
    pub format: Rounds,
    /// How many play it, the house player not counted.
    pub players: u32,
    /// Rounds of the stages before it.
    pub rounds_before: u32,
    /// Its own rounds.
    pub rounds: u32,
    /// Games of a mini-match.
    pub games: u32,
    /// Its limit, where it is not that of the event.
    pub time_control: Option<TimeControl>,
    /// Which of `event.sections`, from 0; `None` where everybody plays together.
    pub section: Option<usize>,
    /// Whether a house player makes an odd number even.
    pub house: bool,
}

impl Stage {
    /// Boards of a round in which everybody plays who can.
    #[must_use]
    pub const fn boards(&self) -> u32 {
        if self.house {
            self.players.div_ceil(2)
        } else {
            self.players / 2
        }
    }

    /// The pairs of each round, if nobody is absent.
    #[must_use]
    pub fn pairs(&self) -> Vec<u32> {
        if self.house {
            return vec![self.boards(); self.rounds as usize];
        }
        self.format.pairs(self.players)
    }

    /// The setup that counts in it.
    #[must_use]
    pub fn setup(&self, event: &Setup) -> Setup {
        let mut setup = event.clone();
        setup.event.stages.clear();
        setup.event.sections.clear();
        setup.swiss.rounds = self.format;
        setup.mini_match.games = self.games;
        let own = self
            .section
            .and_then(|section| event.event.sections[section].prizes.as_ref());
        setup.prizes = own.unwrap_or(&event.prizes).clone();
        if let Some(control) = self.clone().time_control {
            setup.game.time_control = control;
        }
        setup
    }
}

impl Setup {
    /// The stages of the event, or its sections; one where it has no list of them.
    #[must_use]
    pub fn stages(&self) -> Vec<Stage> {
        self.stages_of(&self.players)
    }

    /// The same where these are all its players.
    pub(super) fn stages_of(&self, entries: &[PlayerKeys]) -> Vec<Stage> {
        let ranked = || entries.iter().filter(|player| !player.house);
        let everybody = u32::try_from(ranked().count()).unwrap_or(u32::MAX);
        let stage = |format: Rounds, players: u32, rounds_before: u32| Stage {
            format,
            players,
            rounds_before,
            rounds: format.plan(players).rounds,
            games: self.mini_match.games,
            time_control: None,
            section: None,
            house: entries.iter().any(|player| player.house),
        };
        if !self.event.sections.is_empty() {
            let sections = self.event.sections.iter().enumerate().map(|(place, keys)| {
                let is_own = |player: &&PlayerKeys| self.section_of(player) == Ok(place);
                let own = u32::try_from(ranked().filter(is_own).count()).unwrap_or(u32::MAX);
                Stage {
                    section: Some(place),
                    house: entries.iter().filter(is_own).any(|player| player.house),
                    ..stage(keys.format.unwrap_or(self.swiss.rounds), own, 0)
                }
            });
            return sections.collect();
        }
        if self.event.stages.is_empty() {
            return vec![stage(self.swiss.rounds, everybody, 0)];
        }
        let mut rounds_before: u32 = 0;
        let stages = self.event.stages.iter().map(|keys| {
            let written = stage(keys.format, keys.top.unwrap_or(everybody), rounds_before);
            rounds_before = rounds_before.saturating_add(written.rounds);
            Stage {
                games: keys.games.or(keys.format.games()).unwrap_or(written.games),
                time_control: keys.clone().time_control,
                ..written
            }
        });
        stages.collect()
    }

    /// How long the event is, and of what kind.
    #[must_use]
    pub fn plan(&self) -> RoundPlan {
        if !self.tour.runs.is_empty() {
            return TOUR_PLAN;
        }
        let stages = self.stages();
        match stages.as_slice() {
            sections if !self.event.sections.is_empty() => RoundPlan {
                rounds: sections.iter().map(|section| section.rounds).max().unwrap_or(0),
                format: Format::Sections,
            },
            [only] if self.event.stages.is_empty() => only.format.plan(only.players),
            _ => RoundPlan {
                rounds: stages.iter().map(|stage| stage.rounds).sum(),
                format: Format::Stages,
            },
        }
    }
}

/// Which standings of a part: the final ones, or those in which ties are looked for.
pub(super) type OfPart = fn(&State, usize) -> Standings;

/// Part of an event that has begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Which stage, from 1; `None` in an event that has no stages.
    pub stage: Option<u32>,
    /// Which section, from 1; `None` where everybody of the stage plays together.
    pub section: Option<u32>,
    /// Its players by their numbers in the event, in the order of their numbers in the part.
    pub players: Vec<PairingNumber>,
    /// Rounds of the event before its first.
    pub rounds_before: u32,
    /// Its rounds.
    pub rounds: u32,
    /// What is played.
    pub format: Rounds,
    /// The stage that it is, or is of.
    of: Stage,
    /// The name of the section, one of `event.sections`.
    pub name: Option<String>,
}

impl Part {
    /// Whether the event's round after the first `rounds` has boards of it.
    #[must_use]
    pub const fn has_round(&self, rounds: usize) -> bool {
        let before = self.rounds_before as usize;
        before <= rounds && rounds < before + self.rounds as usize
    }

    /// How many of the event's first `rounds` rounds are its own; `None` where it has not begun by then.
    #[must_use]
    pub fn own_rounds(&self, rounds: usize) -> Option<usize> {
        let own = rounds.checked_sub(self.rounds_before as usize)?;
        (own > 0 || self.rounds_before == 0).then(|| own.min(self.rounds as usize))
    }

    /// Its number of a player of the event.
    #[must_use]
    pub fn own_number(&self, number: PairingNumber) -> Option<PairingNumber> {
        let place = self.players.iter().position(|player| *player == number)?;
        Some(PairingNumber::from_index(place))
    }
}

/// `stage 2`, `section 3`, `stage 2, section 3`, or the name of a section.
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

impl State {
    /// Whether the event has parts that are ranked each for itself.
    #[must_use]
    pub const fn is_divided(&self) -> bool {
        matches!(self.created.format, Format::Quads | Format::Stages | Format::Sections)
    }

    /// The parts that have begun, in order; of an event that is not divided the event itself.
    #[must_use]
    pub fn parts(&self) -> Vec<Part> {
        if self.created.format == Format::Sections {
            return self.sections();
        }
        let everybody: Vec<PairingNumber> = self.numbers().collect();
        let fields = std::iter::once(&everybody).chain(&self.fields);
        let mut parts = Vec::new();
        for ((number, of), field) in (1..).zip(self.setup().stages()).zip(fields) {
            let part = |section, players, format: Rounds, rounds| Part {
                stage: (self.created.format == Format::Stages).then_some(number),
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

    /// The last of the rounds that were paired on the results of a game's round; `None` where there is none, as in a format
    /// whose table says who meets whom.
    #[must_use]
    pub fn last_paired_on(&self, game: GameId) -> Option<u32> {
        let before = game.round as usize - 1;
        let player = self
            .rounds
            .get(before)?
            .pairing
            .pairs
            .get(game.mini_match as usize - 1)?
            .white;
        let mut parts = self.parts().into_iter();
        let part = parts.find(|part| part.has_round(before) && part.players.contains(&player))?;
        let is_table = matches!(self.format_of(&part), Format::AllPlayAll | Format::Gauntlet);
        let paired = u32::try_from(self.rounds.len()).expect("few rounds");
        let last = paired.min(part.rounds_before + part.rounds);
        (!is_table && last > game.round).then_some(last)
    }

    /// The name of the section that a player of an event with `event.sections` belongs to.
    #[must_use]
    pub fn section_name(&self, number: PairingNumber) -> Option<&str> {
        let setup = self.setup();
        let section = setup.section_of(self.player(number)).ok()?;
        Some(&setup.event.sections[section].name)
    }

    /// The section that a player of an event with `event.sections` belongs to.
    #[must_use]
    pub fn section(&self, player: &PlayerKeys) -> Option<Part> {
        let place = self.setup().section_of(player).ok()?;
        self.sections().into_iter().nth(place)
    }

    /// The parts of an event with `event.sections`.
    fn sections(&self) -> Vec<Part> {
        let setup = self.setup();
        let own = |place: usize| {
            let is_own = |number: &PairingNumber| setup.section_of(self.player(*number)) == Ok(place);
            self.numbers().filter(is_own).collect()
        };
        let sections = setup
            .stages_of(self.entries_from_start())
            .into_iter()
            .zip(&setup.event.sections);
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

    /// The parts that had begun after the first `rounds` rounds of the event, each as an event of its own, with its own
    /// number of these rounds.
    #[must_use]
    pub fn parts_after(&self, rounds: usize) -> Vec<(Part, Self, usize)> {
        let playoffs = ties::at_the_end(self);
        let begun = self.parts().into_iter().filter_map(|part| {
            let own = part.own_rounds(rounds)?;
            let state = self.seen_as_event(&part, playoffs.as_ref());
            Some((part, state, own))
        });
        begun.collect()
    }

    /// A part as an event of its own.
    ///
    /// # Panics
    /// When the part is of another event.
    #[must_use]
    pub fn of_part(&self, part: &Part) -> Self {
        self.seen_as_event(part, ties::at_the_end(self).as_ref())
    }

    /// A part as an event of its own, whatever play-offs made of its ties.
    pub(super) fn part_by_rounds(&self, part: &Part) -> Self {
        self.seen_as_event(part, None)
    }

    /// How pairs of a part are made.
    fn format_of(&self, part: &Part) -> Format {
        let ranked = part.players.iter().filter(|number| !self.player(**number).house);
        let ranked = u32::try_from(ranked.count()).expect("few players");
        part.format.plan(ranked).format
    }

    fn seen_as_event(&self, part: &Part, playoffs: Option<&Playoffs>) -> Self {
        let entries_by_number: Vec<usize> = part
            .players
            .iter()
            .map(|number| self.created.order[number.index()])
            .collect();
        let entries: BTreeSet<usize> = entries_by_number.iter().copied().collect();
        let mut setup = part.of.setup(self.setup());
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
        let created = Created {
            setup,
            rounds: part.rounds,
            format: self.format_of(part),
            order: entries_by_number.iter().map(place).collect(),
            agents: entries
                .iter()
                .map(|&entry| self.created.agents[entry].clone())
                .collect(),
            ..self.created.clone()
        };
        let rounds = self
            .rounds
            .iter()
            .skip(part.rounds_before as usize)
            .take(part.rounds as usize);
        Self {
            created,
            rounds: (1..)
                .zip(rounds)
                .map(|(number, round)| round::own(part, number, round))
                .collect(),
            fields: Vec::new(),
            // Play-offs are of the whole event.
            lots: Vec::new(),
            void_lots: Vec::new(),
            decisions: Vec::new(),
            of_event: Some(playoffs.map_or_else(Vec::new, |playoffs| placing::refined_of_part(playoffs, part))),
            analysis: self.analysis_of(part),
            orders: self
                .orders
                .of_part(|number| part.own_number(number), part.rounds_before),
            out_of_ties: self.out_of_ties.as_ref().map(|players| {
                let own = players.iter().filter_map(|number| part.own_number(*number));
                own.collect()
            }),
            entered: part
                .players
                .iter()
                .filter_map(|number| self.entered_after(*number))
                .collect(),
        }
    }

    /// A stage after the first begins.
    pub(super) fn begin_stage(&mut self, begun: &StageBegun) -> Result<(), BrokenLog> {
        let next = self.stage_after(self.fields.len());
        let fits = next.is_some_and(|next| {
            begun.stage as usize == self.fields.len() + 2
                && next.rounds_before as usize == self.rounds.len()
                && self.rounds.iter().all(Round::is_over)
                && begun.players.len() == next.players as usize
        });
        if !fits || !self.has_each_once(begun.players.iter().copied()) {
            return Err(BrokenLog::Stage(begun.stage));
        }
        self.fields.push(begun.players.clone());
        Ok(())
    }

    /// The stage that has to begin before another round is paired, from 2.
    #[must_use]
    pub(super) fn next_stage(&self) -> Option<u32> {
        let begun = self.fields.len();
        let stage = self.stage_after(begun)?;
        (stage.rounds_before as usize == self.rounds.len()).then(|| u32::try_from(begun + 2).expect("few stages"))
    }

    /// The stage after the first and so many more; `None` of an event that has no stages.
    fn stage_after(&self, begun: usize) -> Option<Stage> {
        let has_stages = self.created.format == Format::Stages;
        let mut stages = self.setup().stages().into_iter().filter(|_| has_stages);
        stages.nth(begun + 1)
    }

    /// Who plays a stage, from 2, by the standings of the stage before it, which is over.
    #[must_use]
    pub fn field_by_rank(&self, stage: u32) -> Vec<PairingNumber> {
        let stages = self.setup().stages();
        let place = stage as usize - 1;
        let ranking = self.ranking_of_stage(stage - 1, stages[place].rounds_before as usize, Self::standings);
        let mut field: Vec<PairingNumber> = ranking.into_iter().map(|(_, number)| number).collect();
        // Who has gone takes nobody's place; the field is filled up with them where there are too few others.
        let everybody = self.numbers().filter(|number| !field.contains(number));
        let unlisted: Vec<PairingNumber> = everybody.collect();
        field.extend(unlisted);
        field.sort_by_key(|number| self.orders.gone.contains_key(number));
        field.truncate(stages[place].players as usize);
        field
    }

    /// Who plays the stages after the first, as the log has it.
    #[must_use]
    pub fn fields(&self) -> &[Vec<PairingNumber>] {
        &self.fields
    }

    /// The ranking of a stage, from 1, after the first `rounds` rounds of the event: its standings; sections one after the
    /// other.
    fn ranking_of_stage(&self, stage: u32, rounds: usize, standings: OfPart) -> Vec<(u32, PairingNumber)> {
        let mut ranking = Vec::new();
        for (part, state, own) in self.parts_after(rounds) {
            if part.stage.is_none_or(|of| of == stage) {
                let before = u32::try_from(ranking.len()).expect("few players");
                let rows = standings(&state, own).rows;
                ranking.extend(
                    rows.iter()
                        .map(|row| (before + row.place, part.players[row.player.index()])),
                );
            }
        }
        ranking
    }

    /// The ranking of an event of several parts after its first `rounds` rounds: who plays the last stage that has begun as
    /// that stage ranks them, then the others as the stage before left them, and so on.
    #[must_use]
    pub fn ranking(&self, rounds: usize) -> Vec<(u32, PairingNumber)> {
        self.ranking_by(rounds, Self::standings)
    }

    /// The same by such standings of each part.
    pub(super) fn ranking_by(&self, rounds: usize, standings: OfPart) -> Vec<(u32, PairingNumber)> {
        let mut ranking: Vec<(u32, PairingNumber)> = Vec::new();
        let stages = u32::try_from(self.fields.len() + 1).expect("few stages");
        for stage in (1..=stages).rev() {
            let before = u32::try_from(ranking.len()).expect("few players");
            let mut rest = self.ranking_of_stage(stage, rounds, standings);
            rest.retain(|(_, number)| ranking.iter().all(|(_, ranked)| ranked != number));
            let places: Vec<u32> = rest.iter().map(|(place, _)| *place).collect();
            let ahead =
                |own: u32| u32::try_from(places.iter().filter(|&&place| place < own).count()).expect("few players");
            ranking.extend(rest.iter().map(|&(place, number)| (before + ahead(place) + 1, number)));
        }
        ranking
    }

    /// Games of a mini-match of a round, from 1.
    #[must_use]
    pub(super) fn games_of_round(&self, round: u32) -> u32 {
        self.stage_of_round(round)
            .map_or(self.setup().mini_match.games, |stage| stage.games)
    }

    /// The time control of the stage of a round, from 1, where it has one of its own.
    #[must_use]
    pub(super) fn control_of_stage(&self, round: u32) -> Option<&TimeControl> {
        let stages = self.setup().stages();
        let stage = stages.iter().rposition(|stage| stage.rounds_before < round)?;
        self.setup().event.stages.get(stage)?.time_control.as_ref()
    }

    fn stage_of_round(&self, round: u32) -> Option<Stage> {
        let mut stages = self.setup().stages().into_iter().rev();
        stages.find(|stage| stage.rounds_before < round)
    }
}
