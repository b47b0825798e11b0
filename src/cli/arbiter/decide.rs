//! `swissmatch arbiter decide`: a tie that a play-off left open.

use anyhow::anyhow;
use clap::Args;
use swiss_system::pairing::history::PairingNumber;
use swissmatch_tournament::results::results_after;

use swissmatch_game::time_control::TimeControl;
use swissmatch_report::{explain, playoff as report};
use swissmatch_tournament::arbiter::Command;
use swissmatch_tournament::log::{ArbiterDecided, ArbiterDirection, Decision};
use swissmatch_tournament::playoff::decision;
use swissmatch_tournament::playoff::stand::{Question, Stand};
use swissmatch_tournament::state::State;
use swissmatch_tournament::ties;

use super::order::ActArgs;
use super::submit;
use crate::cli::exit::{Exit, Failure};
use crate::cli::why::find;

/// Decide a tie that a play-off left open: by a further round robin, or by a result
///
/// For a tie that is left after the last stage of the play-off, and for an Armageddon game to which
/// neither side came. The runner ends by itself when a decision is due; after the decision,
/// `swissmatch run` goes on.
///
///   swissmatch arbiter decide results/tour --by "C. Arbiter" --consulted Alpha --consulted Beta \
///     --reason "time for one more" --round-robin 3:00+2
///   swissmatch arbiter decide results/tour --by "C. Arbiter" --reason "better in rapid" \
///     --result Beta
///
/// Players who are not named in --result share a place, behind those who are.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct DecideArgs {
    #[command(flatten)]
    signed: ActArgs,
    /// Whom the arbiter consulted; may be given several times
    #[arg(long, value_name = "NAME")]
    consulted: Vec<String>,
    /// Direct a further round robin with this time control
    #[arg(
        long,
        value_name = "TIME",
        conflicts_with = "result",
        required_unless_present = "result"
    )]
    round_robin: Option<TimeControl>,
    /// Direct a result: players in order, best first, by name or pairing number
    #[arg(long, value_name = "PLAYER", num_args = 1.., required_unless_present = "round_robin")]
    result: Vec<String>,
    /// Which tie, if more than one waits: its places, such as 1-3, or its name in the message
    #[arg(long, value_name = "TIE")]
    tie: Option<String>,
}

impl DecideArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let signature = &self.signed.signature;
        let by = signature.by()?;
        let decided = |state: &State| {
            Ok(Command::Decide(ArbiterDecided {
                decision: self.decision(state)?,
                by: by.clone(),
                consulted: self.consulted.iter().map(|name| name.trim().to_owned()).collect(),
                reason: signature.reason.trim().to_owned(),
            }))
        };
        submit::main(&self.signed.run.to_act()?, &decided, signature.json)
    }

    /// What is decided, refused with the players' names where it answers nothing.
    fn decision(&self, state: &State) -> Result<Decision, Failure> {
        let playoffs = ties::all(state);
        let open = playoffs.iter().flat_map(|playoffs| {
            let stand = &playoffs.stand;
            stand.questions.iter().map(move |question| (stand, question))
        });
        let (stand, question) = self.asked(state, &open.collect::<Vec<_>>())?;
        let decision = Decision {
            contest: question.contest,
            directed: self.directed(state, question)?,
        };
        decision::check(&decision, stand).map_err(|refused| {
            let players: Vec<String> = question
                .players
                .iter()
                .map(|&number| explain::called(state, number))
                .collect();
            Failure::usage(anyhow!("{refused} (players: {})", players.join(", ")))
        })?;
        Ok(decision)
    }

    /// The question that is meant.
    fn asked<'a>(
        &self,
        state: &State,
        open: &[(&'a Stand, &'a Question)],
    ) -> Result<(&'a Stand, &'a Question), Failure> {
        let id = |question: &Question| report::tie_id(question.contest.tie);
        let is_meant = |question: &Question| self.tie.as_ref().is_none_or(|tie| *tie == id(question));
        let meant: Vec<_> = open.iter().filter(|(_, question)| is_meant(question)).collect();
        let sentences: Vec<String> = open
            .iter()
            .map(|(_, question)| format!("\n  {} (--tie {})", report::asked(state, question), id(question)))
            .collect();
        match (meant.as_slice(), open) {
            ([one], _) => Ok(**one),
            (_, []) => Err(Failure::usage(anyhow!("nothing waits for a decision in this run"))),
            ([], _) => Err(Failure::usage(anyhow!(
                "no such tie waits for a decision; these do:{}",
                sentences.concat()
            ))),
            // Several games of one knockout to which nobody came.
            _ => self.of_players(state, &meant).ok_or_else(|| {
                Failure::usage(anyhow!(
                    "several ties wait for a decision; choose one with --tie:{}",
                    sentences.concat()
                ))
            }),
        }
    }

    /// The question about the players who are named.
    fn of_players<'a>(&self, state: &State, open: &[&(&'a Stand, &'a Question)]) -> Option<(&'a Stand, &'a Question)> {
        let results = results_after(state, 0);
        let named: Vec<PairingNumber> = self
            .result
            .iter()
            .filter_map(|called| find(&results, called).ok())
            .collect();
        let is_about =
            |question: &Question| !named.is_empty() && named.iter().all(|player| question.players.contains(player));
        let mut about = open.iter().filter(|(_, question)| is_about(question));
        let one = about.next()?;
        about.next().is_none().then_some(**one)
    }

    fn directed(&self, state: &State, question: &Question) -> Result<ArbiterDirection, Failure> {
        if let Some(limits) = &self.round_robin {
            return Ok(ArbiterDirection::RoundRobin(limits.clone()));
        }
        let results = results_after(state, 0);
        let find = |called: &String| Ok(vec![find(&results, called)?]);
        let mut groups = self.result.iter().map(find).collect::<Result<Vec<_>, Failure>>()?;
        let named = |player: &PairingNumber| groups.iter().flatten().any(|named| named == player);
        let rest: Vec<PairingNumber> = question
            .players
            .iter()
            .copied()
            .filter(|player| !named(player))
            .collect();
        if !rest.is_empty() {
            groups.push(rest);
        }
        Ok(ArbiterDirection::Result(groups))
    }
}
