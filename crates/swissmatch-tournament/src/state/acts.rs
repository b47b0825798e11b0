//! The effect of an act on the state.
//!
//! May not: judge whether an act may be done; see `decide`.

use swiss_system::pairing::history::PairingNumber;

use super::State;
use super::broken::BrokenLogError;
use super::games::MiniMatchGames;
use super::orders::{Departure, Early, RoundOrder};
use crate::log::{Act, ArbiterActed, PresenceChecked};
use swissmatch_game::record::GameId;
use swissmatch_game::termination::Outcome;

impl State {
    /// Adds an act.
    ///
    /// # Errors
    /// It names players or games that do not exist.
    pub(crate) fn apply_act(&mut self, acted: &ArbiterActed) -> Result<(), BrokenLogError> {
        let round_now = self.rounds.len();
        // A game that has not ended gave nothing that could be corrected.
        let is_of_due = matches!(acted.act, Act::Replay { game } if self.is_due(game));
        if acted.act.corrects(round_now) && !is_of_due {
            self.void_what_was_drawn();
        }
        match &acted.act {
            Act::Pause => self.orders.paused = Some((acted.by.clone(), acted.reason.clone())),
            Act::Resume => self.orders.paused = None,
            Act::StopAfterRound => self.orders.stop_after = Some(self.round_to_end()),
            Act::End => {
                self.orders.ended = Some(Early {
                    rounds: u32::try_from(round_now).expect("few rounds"),
                    by: acted.by.clone(),
                    reason: acted.reason.clone(),
                });
            }
            Act::Enter { player, agent } => {
                let created = &mut self.created;
                created.order.push(created.setup.players.len());
                created.setup.players.push((**player).clone());
                created.agents.push((**agent).clone());
                self.entered.push(round_now);
            }
            Act::Withdraw { player } => self.gone(*player, Some(Departure::Withdrawn))?,
            Act::Reinstate { player } => {
                self.gone(*player, None)?;
                self.orders.reinstated.insert(*player);
            }
            Act::Disqualify { player, annul } => self.gone(*player, Some(Departure::Disqualified { annul: *annul }))?,
            Act::Absent { player, round } => self.order(*player, *round, RoundOrder::Absent)?,
            Act::Present { player, round } => self.order(*player, *round, RoundOrder::Present)?,
            Act::RequestBye { player, round } => self.order(*player, *round, RoundOrder::Requested)?,
            Act::AwardBye { player, round, worth } if *round as usize > round_now => {
                self.order(*player, *round, RoundOrder::Awarded(*worth))?;
            }
            Act::AwardBye { player, round, worth } => {
                self.known([*player])?;
                self.orders.awards.insert((*round, *player), *worth);
            }
            Act::Forbid { one, other, round } => {
                self.known([*one, *other])?;
                self.orders.forbidden.push((*round, *one, *other));
            }
            Act::Force { white, black, round } => {
                self.known([*white, *black])?;
                if !acted.overruled.is_empty() {
                    self.orders.allow(*round, [*white, *black]);
                }
                self.orders.forced.push((*round, *white, *black));
            }
            Act::Replay { game } => {
                self.forgive_interruptions(*game);
                if !is_of_due {
                    self.games_with(*game)?.set(game.game, None);
                    *self.orders.replayed.entry(*game).or_default() += 1;
                }
                if let Some(analysis) = &mut self.analysis {
                    analysis.games.remove(game);
                }
            }
            Act::Void { game } => self.rule(*game, Outcome::Void)?,
            Act::SetResult { game, outcome } => self.rule(*game, *outcome)?,
            // The game's end follows as an entry of its own; an announcement changes nothing.
            Act::Adjudicate { .. } | Act::Announce { .. } => {}
            Act::Confirm { round, pairing } => self.orders.confirmed = Some((*round, pairing.clone())),
            Act::Release => self.orders.released = true,
        }
        Ok(())
    }

    /// Adds the result of a presence check.
    ///
    /// # Errors
    /// It is not for the coming round, or names players that do not exist.
    pub(crate) fn apply_presence(&mut self, checked: &PresenceChecked) -> Result<(), BrokenLogError> {
        let players = checked.absent.iter().map(|absence| absence.player);
        if checked.round as usize != self.rounds.len() + 1 || !self.has_each_once(players) {
            return Err(BrokenLogError::Act);
        }
        self.orders.presence = Some((checked.round, checked.absent.clone()));
        Ok(())
    }

    fn known<const N: usize>(&self, players: [PairingNumber; N]) -> Result<(), BrokenLogError> {
        match self.has_each_once(players) {
            true => Ok(()),
            false => Err(BrokenLogError::Act),
        }
    }

    fn gone(&mut self, player: PairingNumber, gone: Option<Departure>) -> Result<(), BrokenLogError> {
        self.known([player])?;
        match gone {
            Some(gone) => self.orders.gone.insert(player, gone),
            None => self.orders.gone.remove(&player),
        };
        Ok(())
    }

    fn order(&mut self, player: PairingNumber, round: u32, order: RoundOrder) -> Result<(), BrokenLogError> {
        self.known([player])?;
        self.orders.rounds.insert((round, player), order);
        Ok(())
    }

    /// The games of the mini-match of a game that has ended.
    fn games_with(&mut self, id: GameId) -> Result<&mut MiniMatchGames, BrokenLogError> {
        let board = self.mini_match_mut(id).ok_or(BrokenLogError::Act)?;
        match board.games.ended(id.game) {
            Some(_) => Ok(&mut board.games),
            None => Err(BrokenLogError::Act),
        }
    }

    fn rule(&mut self, id: GameId, outcome: Outcome) -> Result<(), BrokenLogError> {
        self.games_with(id)?.rule(id.game, outcome);
        Ok(())
    }
}
