//! The stages of an event, and the stage of each round.

use std::collections::BTreeSet;

use swiss_system::pairing::history::PairingNumber;
use swiss_system::pairing::rounds::TournamentFormat;

use super::State;
use super::broken::BrokenLogError;
use super::round::Round;
use crate::log::StageBegun;
use crate::stage::Stage;
use swissmatch_game::time_control::TimeControl;

impl State {
    /// True if the event has parts that are ranked separately.
    pub const fn is_divided(&self) -> bool {
        matches!(
            self.created.format,
            TournamentFormat::Quads | TournamentFormat::Stages | TournamentFormat::Sections
        )
    }

    /// The stages of the event, or its sections, as they were when it began: late entries change nothing of what is played.
    pub(crate) fn stages(&self) -> Vec<Stage> {
        self.setup().stages_of(self.entries_from_start())
    }

    /// Who plays the stages after the first, as the log has it.
    pub fn fields(&self) -> &[Vec<PairingNumber>] {
        &self.fields
    }

    /// Begins a stage after the first.
    pub(crate) fn begin_stage(&mut self, begun: &StageBegun) -> Result<(), BrokenLogError> {
        let next = self.stage_after(self.fields.len());
        let fits = next.is_some_and(|next| {
            begun.stage as usize == self.fields.len() + 2
                && next.rounds_before as usize == self.rounds.len()
                && self.rounds.iter().all(Round::is_over)
                && begun.players.len() == next.players as usize
        });
        if !fits || !self.has_each_once(begun.players.iter().copied()) {
            return Err(BrokenLogError::Stage(begun.stage));
        }
        self.fields.push(begun.players.clone());
        Ok(())
    }

    /// The stage that has to begin before another round is paired, from 2.
    pub(crate) fn next_stage(&self) -> Option<u32> {
        let begun = self.fields.len();
        let stage = self.stage_after(begun)?;
        (stage.rounds_before as usize == self.rounds.len()).then(|| u32::try_from(begun + 2).expect("few stages"))
    }

    /// The stage that follows the first one and `begun` more; `None` in an event without stages.
    fn stage_after(&self, begun: usize) -> Option<Stage> {
        let has_stages = self.created.format == TournamentFormat::Stages;
        let mut stages = self.stages().into_iter().filter(|_| has_stages);
        stages.nth(begun + 1)
    }

    /// The players of the stage of a round, from 1; `None` means everyone.
    pub(super) fn field_of_round(&self, round: u32) -> Option<BTreeSet<PairingNumber>> {
        let stages = self.stages();
        let stage = stages.iter().rposition(|stage| stage.rounds_before < round)?;
        let field = self.fields.get(stage.checked_sub(1)?)?;
        Some(field.iter().copied().collect())
    }

    /// Games of a mini-match in a round, from 1.
    pub(crate) fn games_of_round(&self, round: u32) -> u32 {
        self.stage_of_round(round)
            .map_or(self.setup().mini_match.games, |stage| {
                stage.games_in(round - stage.rounds_before - 1)
            })
    }

    /// The time control of the stage of a round, from 1, if it has its own.
    pub(crate) fn control_of_stage(&self, round: u32) -> Option<&TimeControl> {
        let stages = self.stages();
        let stage = stages.iter().rposition(|stage| stage.rounds_before < round)?;
        self.setup().event.stages.get(stage)?.time_control.as_ref()
    }

    fn stage_of_round(&self, round: u32) -> Option<Stage> {
        let mut stages = self.stages().into_iter().rev();
        stages.find(|stage| stage.rounds_before < round)
    }
}
