//! The parts of an event, and what each round was for their players.

use std::borrow::Cow;

use rusqlite::{Transaction, params};
use swiss_system::pairing::history::PairingNumber;
use swiss_system::standings::results::{PlayerRound, Results};
use swiss_system::text::harmless;

use super::{FillError, count, insert};
use swissmatch_report as report;
use swissmatch_report::crosstable::json;
use swissmatch_tournament::part::{Part, parts_of};
use swissmatch_tournament::part_events::parts_after;
use swissmatch_tournament::results::results_after;
use swissmatch_tournament::state::{MiniMatch, State};

/// A part that has begun, seen as an event of its own.
pub(super) struct BegunPart<'a> {
    /// Its number, from 1.
    pub(super) number: u32,
    pub(super) part: Part,
    /// The event of its own; of an event that is one the event.
    pub(super) state: Cow<'a, State>,
    /// Its own rounds that have been paired.
    pub(super) rounds: usize,
    /// What these were for its players.
    results: Results,
    /// The number in the part of each player of the event.
    own: Vec<Option<PairingNumber>>,
}

/// All of them.
pub(super) struct BegunParts<'a>(pub(super) Vec<BegunPart<'a>>);

impl<'a> BegunParts<'a> {
    /// Those of an event; a tour has none, since nobody is paired in it.
    pub(super) fn of(state: &'a State) -> Self {
        let rounds = state.rounds().len();
        let parts: Vec<(Part, Cow<'a, State>, usize)> = match (&state.created().tour, state.is_divided()) {
            (Some(_), _) => Vec::new(),
            (None, true) => {
                let parts = parts_after(state, rounds).into_iter();
                parts
                    .map(|(part, own, rounds)| (part, Cow::Owned(own), rounds))
                    .collect()
            }
            (None, false) => {
                let parts = parts_of(state).into_iter();
                parts.map(|part| (part, Cow::Borrowed(state), rounds)).collect()
            }
        };
        let played = (1..).zip(parts).map(|(number, (part, own_state, rounds))| {
            let mut own = vec![None; state.player_count()];
            for (place, player) in part.players.iter().enumerate() {
                own[player.index()] = Some(PairingNumber::from_index(place));
            }
            BegunPart {
                number,
                results: results_after(&own_state, rounds),
                state: own_state,
                part,
                rounds,
                own,
            }
        });
        Self(played.collect())
    }

    /// The part that a mini-match of a round, from 1, belongs to.
    pub(super) fn of_board(&self, round: u32, mini_match: &MiniMatch) -> Option<&BegunPart<'a>> {
        let is_its_part = |played: &&BegunPart<'_>| {
            let has_round = played.part.has_round(round as usize - 1);
            has_round && played.own[mini_match.pair.white.index()].is_some()
        };
        self.0.iter().find(is_its_part)
    }

    /// `parts` and `player_rounds`.
    pub(super) fn write(&self, transaction: &Transaction<'_>) -> Result<(), FillError> {
        let mut row = insert(transaction, "parts")?;
        for BegunPart { number, part, .. } in &self.0 {
            row.execute(params![
                number,
                harmless(&part.to_string()),
                part.stage,
                part.section,
                part.format.to_string(),
                part.rounds_before,
                part.rounds,
            ])?;
        }
        let mut row = insert(transaction, "player_rounds")?;
        for played in &self.0 {
            for own_round in 1..=played.rounds {
                let whites = played.whites(own_round);
                for (own, number) in played.part.players.iter().enumerate() {
                    let had = &played.results.players[own].rounds[own_round - 1];
                    let opponent = had.fate.paired();
                    row.execute(params![
                        played.number,
                        count(played.round_of_event(own_round)),
                        number.0,
                        report::player_name(&played.state, PairingNumber::from_index(own)),
                        json::fate(had.fate),
                        opponent.map(|opponent| played.of_event(opponent).0),
                        opponent.map(|_| if whites[own] { "white" } else { "black" }),
                        json::result(had.fate),
                        had.points.to_string(),
                        had.game_points.to_string(),
                        had.repeat,
                    ])?;
                }
            }
        }
        Ok(())
    }
}

impl BegunPart<'_> {
    /// A player of it by its number in the event.
    pub(super) fn of_event(&self, own: PairingNumber) -> PairingNumber {
        self.part.players[own.index()]
    }

    /// The round of the event that its own round, from 1, is.
    pub(super) fn round_of_event(&self, own_round: usize) -> usize {
        self.part.rounds_before as usize + own_round
    }

    /// What a round of the event, from 1, was for a player of the event.
    pub(super) fn round(&self, round: u32, player: PairingNumber) -> Option<&PlayerRound> {
        let own = self.own[player.index()]?;
        let own_round = (round as usize).checked_sub(self.part.rounds_before as usize + 1)?;
        self.results.players[own.index()].rounds.get(own_round)
    }

    /// Who of its players had White in game 1 of its own round, from 1.
    fn whites(&self, own_round: usize) -> Vec<bool> {
        let mut whites = vec![false; self.part.players.len()];
        for pair in &self.state.rounds()[own_round - 1].pairing.pairs {
            whites[pair.white.index()] = true;
        }
        whites
    }
}
