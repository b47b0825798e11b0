//! `swissmatch explain round N`, `swissmatch explain trf FILE`

use anyhow::anyhow;
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use swiss_system::count;
use swiss_system::pairing::difference::{ColorComparison, difference};
use swiss_system::pairing::dutch::explain as by_dutch;
use swiss_system::pairing::file;
use swiss_system::pairing::history::{Pair, PairingNumber, RoundPairing};
use swiss_system::pairing::rounds::TournamentFormat;
use swiss_system::word::Word as _;

use swissmatch_game::record::GameId;
use swissmatch_host::machine;
use swissmatch_report::explain;
use swissmatch_report::explain::made::PairingBasis;
use swissmatch_report::proposal::{self, Proposal};
use swissmatch_report::table::folded;
use swissmatch_tournament::log::Entry;
use swissmatch_tournament::part::parts_of;
use swissmatch_tournament::part_events::event_of_part;
use swissmatch_tournament::results::free_in;
use swissmatch_tournament::state::State;
use swissmatch_tournament::system::system_of;

use super::account::ExplainGameArgs;
use super::exit::{Exit, Failure};
use super::output::print;
use super::tournament_file::{TournamentFileArgs, edition, rules_json};
use super::which_run::{NamedRunArgs, open_event};
use super::why::ExplainPlayersArgs;

/// Why a place, a pairing or a game is as it is
///
/// For a player: every number of its row, term by term. For two players: the first criterion that
/// separates them, with both sums. For a round: score groups, floaters, and which rule excluded
/// which better-looking pair. Every reason is computed: the better-looking pair is forced, and
/// the best round that has it is compared with the pairing, criterion by criterion.
///
///   swissmatch explain "Alpha 3"                     every number of a player's row
///   swissmatch explain "Alpha 3" Beta                what puts one before the other
///   swissmatch explain 4 7 --file open.trf --tiebreaks BH/C1,SB
///   swissmatch explain round 3                       the latest run in results/
///   swissmatch explain round 3 results/event
///   swissmatch explain game 3.2.1                    what happened in one game, by which rules
///   swissmatch explain round --run results/event     the next round, as it would be paired now
///   swissmatch explain trf tournament.trf --round 6  a tournament file, by the Dutch system
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, args_conflicts_with_subcommands = true)]
pub(super) struct ExplainArgs {
    #[command(flatten)]
    why: ExplainPlayersArgs,
    #[command(subcommand)]
    subject: Option<ExplainCommand>,
}

#[derive(Debug, Subcommand)]
enum ExplainCommand {
    /// A round of a run
    Round(ExplainRoundArgs),
    Game(ExplainGameArgs),
    /// A round of a tournament file, by the FIDE (Dutch) system
    Trf(ExplainTrfArgs),
}

#[derive(Debug, Args)]
struct ExplainRoundArgs {
    /// The round, from 1 (default: the one that is paired next)
    #[arg(value_parser = round_number)]
    number: Option<u32>,
    #[command(flatten)]
    run: NamedRunArgs,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct ExplainTrfArgs {
    #[command(flatten)]
    file: TournamentFileArgs,
    /// The round, from 1 (default: the one after the last that was played)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=999))]
    round: Option<u32>,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

impl ExplainArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let (text, json, as_json) = match &self.subject {
            None => {
                let (text, json) = self.why.explain()?;
                (text, json, self.why.is_json())
            }
            Some(ExplainCommand::Round(round)) => {
                let (text, json) = of_run(round.run.path(), round.number)?;
                (explain::introduced(&text), json, round.json)
            }
            Some(ExplainCommand::Game(account)) => return account.main(),
            Some(ExplainCommand::Trf(trf)) => {
                let (text, json) = of_file(&trf.file, trf.round)?;
                (explain::introduced(&text), json, trf.json)
            }
        };
        Ok(print(&match as_json {
            true => format!("{json:#}\n"),
            false => folded(&text, machine::columns()),
        }))
    }
}

/// The number of a round, as it is given.
fn round_number(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|number| (1..=10_000).contains(number));
    number.ok_or_else(|| match text.parse::<GameId>() {
        Ok(game) => format!("{game} is a game: `swissmatch explain game {game}`"),
        Err(_) => "write the number of a round, such as 3; a run comes after it, or alone as --run RUN".to_owned(),
    })
}

fn of_file(flags: &TournamentFileArgs, round: Option<u32>) -> Result<(String, Value), Failure> {
    let mut loaded = flags.load()?;
    loaded.must_be_dutch()?;
    let played = file::rounds_played(&loaded.tournament);
    let round = round.unwrap_or(played.saturating_add(1));
    let before = loaded.before_round(round)?;
    let explanation = by_dutch::explain(&before.history, &before.rules)
        .map_err(|error| Failure::no_pairing(anyhow!("{}: round {round}: {error}", loaded.name)))?;
    let name = |number: PairingNumber| explain::numbered(number);
    let mut text = explain::dutch(round, &explanation, before.rules.edition, &name);
    if let Some(bye) = before.bye {
        text.push_str(&format!(
            "\n{} has the bye, which the file has for that round.\n",
            name(bye)
        ));
    }
    text.push_str(&format!("\n{}.\n", edition(&before)));
    let mut json = explain::dutch_json(round, &explanation, before.rules.edition, &name);
    json["edition_by"] = rules_json(&before)["edition_by"].clone();
    if round <= played {
        let stored = file::pairing_of_round(&loaded.tournament, round);
        let differs = difference(&stored, &explained(&explanation), ColorComparison::Ignored).is_some();
        json["differs_from_file"] = differs.into();
        if differs {
            text.push_str(
                "\nThe file has a different pairing of this round; the one explained here is what the rules give. \
                 `swissmatch verify-pairings` shows both.\n",
            );
        }
    }
    Ok((text, json))
}

/// The pairing that is explained, but for who has White.
fn explained(explanation: &by_dutch::DutchExplanation) -> RoundPairing {
    let pairs = explanation
        .brackets
        .iter()
        .flat_map(|explained| &explained.bracket.pairs);
    let pair = |&(white, black): &(PairingNumber, PairingNumber)| Pair {
        white,
        black,
        repeat: false,
    };
    RoundPairing::new(
        pairs.map(pair).collect(),
        explanation.bye.as_ref().map(|bye| bye.player),
    )
}

fn of_run(run: Option<&std::path::Path>, round: Option<u32>) -> Result<(String, Value), Failure> {
    let run = open_event(run)?;
    let Some(round) = round else {
        return of_next(&run.state);
    };
    let Some(then) = run.before_round(round).map_err(Failure::machine)? else {
        let paired = run.state.rounds().len();
        let rounds = run.state.created().rounds;
        if round > rounds {
            return Err(Failure::usage(anyhow!(
                "there is no round {round}: the event has {}",
                count::of(rounds, "round", "rounds")
            )));
        }
        return Err(Failure::usage(anyhow!(
            "round {round} is not paired yet; {} paired so far",
            count::of(paired, "round is", "rounds are")
        )));
    };
    of_state(&run.state, &then, round)
}

/// The next round as it would be paired now.
fn of_next(state: &State) -> Result<(String, Value), Failure> {
    let proposed = proposal::next(state, machine::today()).map_err(|why| Failure::no_pairing(anyhow!("{why}")))?;
    match proposed {
        Proposal::Round { paired, state: then } => {
            let (round, mut state) = (paired.round, (*then).clone());
            state.apply(&Entry::RoundPaired(paired)).map_err(Failure::machine)?;
            of_state(&state, &then, round)
        }
        Proposal::None(why) => Err(Failure::usage(anyhow!("no pairing is due: {why}"))),
    }
}

/// Why a round has its pairing, by the state `then` in which it was made.
fn of_state(state: &State, then: &State, round: u32) -> Result<(String, Value), Failure> {
    let before = round as usize - 1;
    if state.is_divided() {
        let (mut texts, mut parts) = (Vec::new(), Vec::new());
        for part in parts_of(then).iter().filter(|part| part.has_round(before)) {
            let (of_now, of_then) = (event_of_part(state, part), event_of_part(then, part));
            let (text, mut json) = of_state(&of_now, &of_then, round - part.rounds_before)?;
            texts.push(format!("For {part}, by its own numbers of players. {text}"));
            json["part"] = part.to_string().into();
            parts.push(json);
        }
        return Ok((texts.join("\n"), json!({ "schema": 1, "round": round, "parts": parts })));
    }
    let name = |number: PairingNumber| explain::called(state, number);
    let paired = &state.rounds()[before];
    let pairing = &paired.pairing;
    let PairingBasis { history, by_arbiter } = PairingBasis::from(then, pairing);
    let free = free_in(state, round);
    let as_it_is = |system: &str, why: &str, shown: &RoundPairing| {
        let mut json =
            json!({ "schema": 1, "round": round, "pairing": system, "pairs": pairing.pairs, "bye": pairing.bye });
        if !pairing.further_byes.is_empty() {
            json["further_byes"] = json!(pairing.further_byes);
        }
        if !pairing.again.is_empty() {
            json["bye_again"] = json!(pairing.again);
        }
        if !free.is_empty() {
            json["free"] = json!(free);
        }
        (explain::as_it_is(round, why, shown, &free, &name), json)
    };
    let format = state.created().format;
    let (text, mut json) = match format {
        TournamentFormat::AllPlayAll => as_it_is("all-play-all", explain::fixed(format).unwrap_or_default(), pairing),
        TournamentFormat::Gauntlet => as_it_is("gauntlet", explain::fixed(format).unwrap_or_default(), pairing),
        TournamentFormat::Knockout => as_it_is("knockout", explain::fixed(format).unwrap_or_default(), pairing),
        TournamentFormat::Quads | TournamentFormat::Stages | TournamentFormat::Sections => {
            return Err(Failure::usage(anyhow!(
                "each part of this event is explained separately"
            )));
        }
        TournamentFormat::Swiss => {
            let system = system_of(then);
            let explanation = system.explain(&history).map_err(Failure::usage)?;
            // Its pairs are told in sentences.
            let in_sentences = RoundPairing {
                pairs: Vec::new(),
                ..pairing.clone()
            };
            let told = explain::swiss(round, system.name(), &explanation, &name);
            let (text, mut json) =
                told.unwrap_or_else(|| as_it_is(system.name().word(), &explain::untold(system.name()), &in_sentences));
            let in_words = match system.is_accelerated() {
                // Points are not those by which it is paired.
                true => String::new(),
                false => explain::pairs::text(&history, system.name(), pairing, &by_arbiter, &name),
            };
            let steps = match pairing.bye {
                Some(bye) => system.bye_steps(&history, bye),
                None => Vec::new(),
            };
            if !steps.is_empty() {
                json["bye_steps"] = explain::bye::json(&steps);
            }
            (
                explain::with_pairs(&text, &in_words)
                    + &explain::bye::text(&steps, &name, &|number| state.player(number).submitted_at.is_some()),
                json,
            )
        }
    };
    let aside = explain::aside(&paired.out, &by_arbiter, &name);
    json["not_paired"] = explain::out_json(&paired.out);
    json["by_arbiter"] = json!(by_arbiter);
    Ok((text + &aside, json))
}
