//! What is asked for, as it is written on the command line.
//!
//! May not: judge it; `tournament::arbiter::decide` does.

use anyhow::anyhow;
use clap::{Args, ValueEnum};
use swiss_system::count;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::word::Word as _;
use swissmatch_tournament::results::results_after;

use swissmatch_game::record::GameId;
use swissmatch_game::termination::Outcome;
use swissmatch_host::machine;
use swissmatch_report::minutes;
use swissmatch_tournament::arbiter::Command;
use swissmatch_tournament::arbiter::decide::overruling;
use swissmatch_tournament::log::{Act, ArbiterActed, ByeWorth, Limit};
use swissmatch_tournament::state::State;

use super::several::Where;
use super::submit;
use crate::cli::exit::{Exit, Failure};
use crate::cli::screen::{self, confirmed};
use crate::cli::which_run::WhichRunArgs;
use crate::cli::why::find;

/// On which run, who acts, and why.
#[derive(Debug, Args)]
pub(super) struct ActArgs {
    #[command(flatten)]
    pub(super) run: WhichRunArgs,
    #[command(flatten)]
    pub(super) signature: SignatureArgs,
}

/// The same, of an act that a limit of the event may be against.
#[derive(Debug, Args)]
pub(super) struct OverrulingArgs {
    #[command(flatten)]
    pub(super) signed: ActArgs,
    /// Do it even if a limit of the event or an earlier `forbid` is against it
    #[arg(long)]
    overrule: bool,
}

impl OverrulingArgs {
    /// Has the act done that `act` makes of the run.
    pub(super) fn submit(&self, act: impl Fn(&State) -> Result<Act, Failure>) -> Result<Exit, Failure> {
        self.submit_at(&self.signed.run.to_act()?, act)
    }

    /// The same, of a run that was chosen before.
    pub(super) fn submit_at(
        &self,
        place: &WhichRunArgs,
        act: impl Fn(&State) -> Result<Act, Failure>,
    ) -> Result<Exit, Failure> {
        self.signed.signature.submit_at(place, self.overrule, act)
    }
}

/// Who acts.
#[derive(Clone, Debug, Args)]
pub(super) struct ArbiterNameArgs {
    /// Who acts (default: the environment variable SWISSMATCH_ARBITER)
    #[arg(long, value_name = "NAME", env = "SWISSMATCH_ARBITER", hide_env = true)]
    by: String,
}

/// Who acts, and why.
#[derive(Debug, Args)]
pub(super) struct SignatureArgs {
    #[command(flatten)]
    pub(super) who: ArbiterNameArgs,
    /// Why; this is kept in the log
    #[arg(long, value_name = "TEXT")]
    pub(super) reason: String,
    /// Print the answer as JSON
    #[arg(long)]
    pub(super) json: bool,
}

impl SignatureArgs {
    /// Who acts.
    ///
    /// # Errors
    /// Wrong usage where nobody is named.
    pub(super) fn by(&self) -> Result<String, Failure> {
        match self.who.by.trim() {
            "" => Err(Failure::usage(anyhow!("--by must say who acts"))),
            name => Ok(name.to_owned()),
        }
    }
}

impl ActArgs {
    /// Has the act done that `act` makes of the run.
    pub(super) fn submit(&self, act: impl Fn(&State) -> Result<Act, Failure>) -> Result<Exit, Failure> {
        self.signature.submit_at(&self.run.to_act()?, false, act)
    }
}

impl SignatureArgs {
    /// Has the act done that `act` makes of the run at `place`; every limit that is against it is overruled where `overrules`
    /// says so.
    pub(super) fn submit_at(
        &self,
        place: &WhichRunArgs,
        overrules: bool,
        act: impl Fn(&State) -> Result<Act, Failure>,
    ) -> Result<Exit, Failure> {
        let by = self.by()?;
        let command = |state: &State| {
            let act = act(state)?;
            let overruled = match overrules {
                true => overruling(state, &act),
                false => Vec::new(),
            };
            Ok(self.command(&by, act, overruled))
        };
        submit::main(place, &command, self.json)
    }

    fn command(&self, by: &str, act: Act, overruled: Vec<Limit>) -> Command {
        Command::Act(ArbiterActed {
            act,
            by: by.to_owned(),
            reason: self.reason.trim().to_owned(),
            overruled,
        })
    }
}

/// The round that is paired next, from 1.
pub(super) fn coming_round(state: &State) -> u32 {
    u32::try_from(state.rounds().len() + 1).expect("few rounds")
}

fn player(state: &State, called: &str) -> Result<PairingNumber, Failure> {
    find(&results_after(state, 0), called)
}

#[derive(Debug, Args)]
pub(super) struct PlayerActArgs {
    /// A player, by name or pairing number
    #[arg(value_name = "PLAYER")]
    player: String,
    #[command(flatten)]
    signed: ActArgs,
}

impl PlayerActArgs {
    pub(super) fn submit(&self, act: impl Fn(PairingNumber) -> Act) -> Result<Exit, Failure> {
        self.signed.submit(|state| Ok(act(player(state, &self.player)?)))
    }
}

#[derive(Debug, Args)]
pub(super) struct DisqualifyArgs {
    /// A player, by name or pairing number
    #[arg(value_name = "PLAYER")]
    player: String,
    #[command(flatten)]
    signed: ActArgs,
    /// Treat its mini-matches as if they had never been played, for its opponents too
    #[arg(long)]
    annul: bool,
}

impl DisqualifyArgs {
    pub(super) fn submit(&self) -> Result<Exit, Failure> {
        self.signed.submit(|state| {
            Ok(Act::Disqualify {
                player: player(state, &self.player)?,
                annul: self.annul,
            })
        })
    }
}

#[derive(Debug, Args)]
pub(super) struct PresenceArgs {
    /// A player, by name or pairing number
    #[arg(value_name = "PLAYER")]
    player: String,
    #[command(flatten)]
    signed: ActArgs,
    /// The round (default: the one that is paired next)
    #[arg(long, value_name = "N")]
    round: Option<u32>,
}

impl PresenceArgs {
    pub(super) fn submit(&self, act: impl Fn(PairingNumber, u32) -> Act) -> Result<Exit, Failure> {
        self.signed.submit(|state| {
            let round = self.round.unwrap_or_else(|| coming_round(state));
            Ok(act(player(state, &self.player)?, round))
        })
    }
}

#[derive(Debug, Args)]
pub(super) struct RequestByeArgs {
    /// A player, by name or pairing number
    #[arg(value_name = "PLAYER")]
    player: String,
    /// The round of the bye
    #[arg(value_name = "ROUND")]
    round: u32,
    #[command(flatten)]
    overruling: OverrulingArgs,
}

impl RequestByeArgs {
    pub(super) fn submit(&self) -> Result<Exit, Failure> {
        self.overruling.submit(|state| {
            Ok(Act::RequestBye {
                player: player(state, &self.player)?,
                round: self.round,
            })
        })
    }
}

#[derive(Debug, Args)]
pub(super) struct AwardByeArgs {
    /// A player, by name or pairing number
    #[arg(value_name = "PLAYER")]
    player: String,
    #[command(flatten)]
    signed: ActArgs,
    /// The round of the bye
    #[arg(long, value_name = "N")]
    round: u32,
    /// What the bye is worth: as much as a win, as much as a draw, or nothing
    #[arg(long, value_name = "WORTH")]
    points: Worth,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Worth {
    Full,
    Half,
    Zero,
}

impl From<Worth> for ByeWorth {
    fn from(worth: Worth) -> Self {
        match worth {
            Worth::Full => Self::Full,
            Worth::Half => Self::Half,
            Worth::Zero => Self::Zero,
        }
    }
}

impl AwardByeArgs {
    pub(super) fn submit(&self) -> Result<Exit, Failure> {
        self.signed.submit(|state| {
            Ok(Act::AwardBye {
                player: player(state, &self.player)?,
                round: self.round,
                worth: self.points.into(),
            })
        })
    }
}

#[derive(Debug, Args)]
pub(super) struct ForbidArgs {
    /// A player, by name or pairing number
    #[arg(value_name = "PLAYER")]
    one: String,
    /// The other player
    #[arg(value_name = "OTHER")]
    other: String,
    #[command(flatten)]
    signed: ActArgs,
}

impl ForbidArgs {
    pub(super) fn submit(&self) -> Result<Exit, Failure> {
        self.signed.submit(|state| {
            Ok(Act::Forbid {
                one: player(state, &self.one)?,
                other: player(state, &self.other)?,
                round: coming_round(state),
            })
        })
    }
}

#[derive(Debug, Args)]
pub(super) struct ForceArgs {
    /// The player with White, by name or pairing number
    #[arg(value_name = "PLAYER")]
    white: String,
    /// The other player
    #[arg(value_name = "OTHER")]
    black: String,
    #[command(flatten)]
    overruling: OverrulingArgs,
}

impl ForceArgs {
    pub(super) fn submit(&self) -> Result<Exit, Failure> {
        self.overruling.submit(|state| {
            Ok(Act::Force {
                white: player(state, &self.white)?,
                black: player(state, &self.black)?,
                round: coming_round(state),
            })
        })
    }
}

/// A game, or all that meet conditions.
#[derive(Debug, Args)]
pub(super) struct GameActArgs {
    /// A game, such as 3.2.1; RUN, where --where says which games
    #[arg(value_name = "GAME", required_unless_present = "conditions")]
    game: Option<String>,
    #[command(flatten)]
    signed: ActArgs,
    /// All games that meet these conditions, divided by commas: COLUMN=VALUE for a column of games.csv (also !=, <, <=, >, >=), before=TIME
    /// and after=TIME for when they ended, such as "termination=threefold-repetition, before=10:48". They are listed, and you are asked once
    #[arg(long = "where", value_name = "CONDITIONS")]
    conditions: Option<Where>,
    /// Do not ask before games that --where found are acted on
    #[arg(long, requires = "conditions")]
    yes: bool,
}

impl GameActArgs {
    pub(super) fn submit(&self, act: impl Fn(GameId) -> Act) -> Result<Exit, Failure> {
        match &self.conditions {
            None => {
                let game = self.game.as_deref().unwrap_or_default();
                let game: GameId = game
                    .parse()
                    .map_err(|why| Failure::usage(anyhow!("{game:?} is no game: {why}")))?;
                self.signed.submit(|_| Ok(act(game)))
            }
            Some(conditions) => self.submit_all(conditions, &act),
        }
    }

    /// The same act on each game that is meant.
    fn submit_all(&self, conditions: &Where, act: &dyn Fn(GameId) -> Act) -> Result<Exit, Failure> {
        let place = match &self.game {
            Some(game) if self.signed.run.is_named() => {
                return Err(Failure::usage(anyhow!("give a game ({game}), or --where, not both")));
            }
            // The only word is the run.
            Some(run) => WhichRunArgs::named(run.into()).to_act()?,
            None => self.signed.run.to_act()?,
        };
        let signature = &self.signed.signature;
        let by = signature.by()?;
        let run = place.open_event()?;
        let meant = conditions.of(&run);
        let meant = meant.map_err(|why| Failure::usage(anyhow!("--where: {why}")))?;
        if meant.games.is_empty() {
            return Err(Failure::usage(anyhow!(
                "--where: no game that has ended meets all of this; nothing was done"
            )));
        }
        let games = count::of(meant.games.len(), "game", "games");
        screen::say(&format!("{}\n{games}", meant.table.text(machine::columns_of_errors())));
        if !self.yes && !confirmed(&format!("Do this to {games}?")) {
            return Err(Failure::usage(anyhow!(
                "nothing was done: say yes to {games}, or give --yes"
            )));
        }
        let commands = meant
            .games
            .iter()
            .map(|game| signature.command(&by, act(*game), Vec::new()));
        let commands: Vec<Command> = commands.collect();
        // Others may have acted while this was read; and a reader would keep the log's -wal file where it is.
        drop(run);
        let run = place.open_silently()?;
        let before = run.state.clone();
        let mut refused = 0;
        submit::all(run, &commands, signature.json, |number, Failure { error, .. }| {
            refused += 1;
            screen::say(&format!("{}: {error}", meant.games[number]));
        })?;
        let after = place.open_silently()?;
        let changes = minutes::changes(&before, &after.state);
        changes.iter().for_each(|line| screen::say(line));
        match refused {
            0 => Ok(Exit::Done),
            all if all == meant.games.len() => Err(Failure::usage(anyhow!(
                "nothing was done: {games} refused, as is said above"
            ))),
            _ => Err(Failure::usage(anyhow!(
                "{refused} of {games} refused, as is said above; it was done to the others"
            ))),
        }
    }
}

#[derive(Debug, Args)]
pub(super) struct RulingArgs {
    /// A game, such as 3.2.1
    #[arg(value_name = "GAME")]
    game: GameId,
    /// 1-0, 0-1, 1/2-1/2 (also 1/2 or draw), or 0-0 if both lose
    #[arg(value_name = "RESULT", value_parser = result)]
    result: Outcome,
    #[command(flatten)]
    signed: ActArgs,
}

impl RulingArgs {
    pub(super) fn submit(&self, act: impl Fn(GameId, Outcome) -> Act) -> Result<Exit, Failure> {
        self.signed.submit(|_| Ok(act(self.game, self.result)))
    }
}

fn result(text: &str) -> Result<Outcome, String> {
    let plain = |c: char| if ":–—".contains(c) { '-' } else { c };
    let text: String = text.chars().filter(|c| *c != ' ').map(plain).collect();
    if ["draw", "1/2", "½", "½-½", "0.5", "0.5-0.5"]
        .iter()
        .any(|word| text.eq_ignore_ascii_case(word))
    {
        return Ok(Outcome::Draw);
    }
    let results = [Outcome::WhiteWins, Outcome::BlackWins, Outcome::Draw, Outcome::BothLose];
    let meant = results.into_iter().find(|outcome| outcome.word() == text);
    meant.ok_or_else(|| "write 1-0, 0-1, 1/2-1/2 or 0-0 (draw and 1/2 are 1/2-1/2)".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_as_people_write_them() {
        for text in ["1-0", " 1 - 0 ", "1:0", "1–0"] {
            assert_eq!(result(text), Ok(Outcome::WhiteWins), "{text}");
        }
        for text in ["1/2-1/2", "1/2 : 1/2", "0.5-0.5", "½–½", "½", "Draw"] {
            assert_eq!(result(text), Ok(Outcome::Draw), "{text}");
        }
        assert_eq!(
            (result("0:1"), result("0-0")),
            (Ok(Outcome::BlackWins), Ok(Outcome::BothLose))
        );
        for text in ["", "1", "10", "2-0", "1-O", "+--", "half"] {
            assert!(result(text).is_err(), "{text}");
        }
    }
}
