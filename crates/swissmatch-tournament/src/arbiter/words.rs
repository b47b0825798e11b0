//! Acts of the arbiter, described in words.
//!
//! May not: judge them.

use swiss_system::pairing::history::PairingNumber;
use swiss_system::pairing::rounds::TournamentFormat;
use swiss_system::word::Word as _;

use crate::results::has_byes;
use crate::schedule;
use crate::state::{EndedGame, State};

use crate::log::{Act, ArbiterActed, ByeWorth, Limit};

impl ArbiterActed {
    /// The act and the limits overruled for it, as the end of a sentence.
    pub fn done(&self, state: &State) -> String {
        let limits: Vec<&str> = self.overruled.iter().map(|limit| limit.called()).collect();
        match limits.as_slice() {
            [] => self.act.done(state),
            _ => format!("{}, and overruled {}", self.act.done(state), limits.join(" and ")),
        }
    }
}

impl Limit {
    /// The name of the limit within a sentence.
    pub const fn called(self) -> &'static str {
        match self {
            Self::Registration => "registration.until",
            Self::ByeRequests => "bye.requests",
            Self::Forbid => "an earlier `forbid` of the two",
            Self::KeptApart => "what the event keeps apart (swiss.keep_apart, swiss.forbidden)",
        }
    }
}

impl Act {
    /// The act as the end of a sentence that begins with the acting person: `withdrew Alpha`. Names come from `state`,
    /// which need not have a late entry yet.
    pub fn done(&self, state: &State) -> String {
        let name = |player: &PairingNumber| called(state, *player);
        match self {
            Self::Pause => "paused the event".to_owned(),
            Self::Resume => "resumed the event".to_owned(),
            Self::StopAfterRound => "ordered the runner to stop after the round".to_owned(),
            Self::End => "ended the event with the rounds it has".to_owned(),
            Self::Enter { player, .. } => format!("entered {}", player.name),
            Self::Withdraw { player } => format!("withdrew {}", name(player)),
            Self::Reinstate { player } => format!("reinstated {}", name(player)),
            Self::Disqualify { player, annul: false } => format!("disqualified {}", name(player)),
            Self::Disqualify { player, annul: true } => {
                format!("disqualified {} and annulled its results", name(player))
            }
            Self::Absent { player, round } => format!("noted {} as absent in round {round}", name(player)),
            Self::Present { player, round } => format!("noted {} as present in round {round}", name(player)),
            Self::RequestBye { player, round } => {
                format!(
                    "accepted the request of {} for a half-point bye in round {round}",
                    name(player)
                )
            }
            Self::AwardBye { player, round, worth } => {
                let worth = match worth {
                    ByeWorth::Full => "full-point",
                    ByeWorth::Half => "half-point",
                    ByeWorth::Zero => "zero-point",
                };
                format!("gave {} a {worth} bye in round {round}", name(player))
            }
            Self::Forbid { one, other, round } => {
                format!("forbade the pair {} – {} in round {round}", name(one), name(other))
            }
            Self::Force { white, black, round } => {
                format!("paired {} – {} in round {round}", name(white), name(black))
            }
            Self::Replay { game } => format!("ordered game {game} to be replayed"),
            Self::Void { game } => format!("voided game {game}"),
            Self::SetResult { game, outcome } => format!("set the result of game {game} to {}", outcome.word()),
            Self::Adjudicate { game, outcome } => format!("adjudicated game {game}: {}", outcome.word()),
            Self::Confirm { round, .. } => format!("confirmed the pairing of round {round}"),
            Self::Release => "released what had been held back from the published files".to_owned(),
            Self::Announce { text } => format!("announced: {text}"),
        }
    }

    /// A half-sentence if a correction makes void what was drawn for a play-off; otherwise empty.
    fn makes_void(&self, state: &State) -> &'static str {
        match self.corrects(state.rounds().len()) && state.has_drawn() {
            true => " Whatever was drawn, paired or decided for the play-off is void, and is done again.",
            false => "",
        }
    }

    /// When the act takes effect, as a sentence; `state` is that before it.
    pub fn takes_effect(&self, state: &State) -> String {
        let next = state.rounds().len() + 1;
        let is_last = next > state.last_round() as usize;
        match self {
            Self::Pause => "Games under way are finished; no others are started until `arbiter resume`.".to_owned(),
            Self::Resume => "Games are started again at once.".to_owned(),
            Self::StopAfterRound => format!("The runner ends when round {} is over.", state.round_to_end()),
            Self::End => {
                let (paired, rounds) = (state.rounds().len(), state.created().rounds);
                let when = match state.rounds_over() == paired {
                    true => format!("The event has ended after round {paired} of {rounds}"),
                    false => format!("The event ends when round {paired} of {rounds} is over"),
                };
                format!("{when}; play-offs and prizes follow.")
            }
            Self::Enter { .. } => format!("It is paired from round {next} on."),
            Self::Reinstate { .. } if !is_last => format!("It is listed, and paired from round {next} on."),
            Self::Reinstate { .. } => "It is listed again at once.".to_owned(),
            Self::Withdraw { player } => {
                let (rest, early) = (forfeits(state, *player), leaves_early(state, *player));
                format!("It is not paired from round {next} on; what it plays now counts.{rest}{early}")
            }
            Self::Disqualify { player, annul } => {
                let early = if *annul {
                    String::new()
                } else {
                    leaves_early(state, *player)
                };
                let rest = format!("{}{early}", forfeits(state, *player));
                let results = match annul {
                    true => "its results are treated as if they had never been",
                    false => "nobody's points change",
                };
                match is_last {
                    true => format!("It is off the list at once; {results}.{rest}{}", self.makes_void(state)),
                    false => format!(
                        "It is off the list at once, {results}, and it is not paired from round {next} on.{rest}"
                    ),
                }
            }
            Self::Absent { round, .. }
            | Self::Present { round, .. }
            | Self::RequestBye { round, .. }
            | Self::AwardBye { round, .. }
                if *round as usize >= next =>
            {
                format!("It takes effect when round {round} is paired.")
            }
            Self::Absent { .. } | Self::Present { .. } | Self::RequestBye { .. } | Self::AwardBye { .. } => {
                format!("The standings change at once.{}", self.makes_void(state))
            }
            Self::Forbid { round, .. } | Self::Force { round, .. } => {
                format!("It takes effect when round {round} is paired, for that round only.")
            }
            Self::Replay { game } if state.is_due(*game) => {
                "The game is handed out again; its interruptions are counted anew.".to_owned()
            }
            Self::Replay { .. } => {
                let due = "The game is due again at once; its old result no longer counts.";
                format!("{due}{}", self.makes_void(state))
            }
            Self::Void { .. } | Self::SetResult { .. } => {
                let stay = "The standings change at once; rounds that are paired stay as they are.";
                format!("{stay}{}", self.makes_void(state))
            }
            Self::Adjudicate { .. } => "The game is over.".to_owned(),
            Self::Confirm { round, .. } => format!("Round {round} begins with the pairing that was shown."),
            Self::Release => "The files are written at once.".to_owned(),
            Self::Announce { .. } => "The page of the event shows it at once.".to_owned(),
        }
    }
}

/// What happens to the leaving player's games in this round.
fn forfeits(state: &State, player: PairingNumber) -> &'static str {
    match schedule::has_games_due(state, player) {
        true => " Games that have not begun are forfeited.",
        false => "",
    }
}

/// "If a player has completed less than 50 % of the games, the results remain in the tournament table, but the points
/// scored by the player or against the player are not counted in the final standings" (FIDE Handbook C.05, art. 6.6, of
/// round robins). The arbiter has to do that.
fn leaves_early(state: &State, player: PairingNumber) -> String {
    if state.created().format != TournamentFormat::AllPlayAll || has_byes(state) {
        return String::new();
    }
    let setup = state.setup();
    let opponents = (state.player_count() - 1) * setup.swiss.rounds.cycles() as usize;
    let all = opponents * setup.mini_match.games as usize;
    let is_its = |game: &EndedGame| {
        game.finished.termination.was_played() && [game.finished.white, game.finished.black].contains(&player)
    };
    let played = state.finished_games().filter(is_its).count();
    match played * 2 < all {
        true => format!(
            " It has played {played} of its {all} games, fewer than half, so points of these games are not to count in the final standings \
             (FIDE C.05, art. 6.6): `swissmatch arbiter disqualify {player} --annul` treats them as if they had never been played."
        ),
        false => String::new(),
    }
}

/// A player's name and number.
pub fn called(state: &State, player: PairingNumber) -> String {
    match player.0 as usize {
        number if (1..=state.player_count()).contains(&number) => {
            format!("{} ({player})", state.player(player).name)
        }
        _ => format!("player {player}"),
    }
}
