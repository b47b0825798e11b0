//! What came of starting an agent before the event, in the words of the event file.
//!
//! May not: start anything.

use std::collections::BTreeMap;

use swiss_system::text::escaped;

use swissmatch_config::{ConfigError, LoadedEvent};
use swissmatch_game::handshake::{Cause, FLUSH, StartError};
use swissmatch_game::isolation::{Isolation, Lack};
use swissmatch_game::uci::OptionError;
use swissmatch_game::{variant, well_known};
use swissmatch_host::host::AgentSpec;
use swissmatch_tournament::log::{Agent, AgentIntroduction};
use swissmatch_tournament::setup::Setup;

use super::error::{NotStarted, RunError};

/// How an agent that has not started went: the last lines that it printed, what it seems to lack, and the cause that was seen.
pub(super) type StartTraces = (Vec<String>, Vec<Lack>, Option<Cause>);

/// An agent has not started; its player stands at `index` in the event file.
pub(super) fn failed(
    loaded: &LoadedEvent,
    index: usize,
    agent: &AgentSpec,
    failure: &StartError,
    last: StartTraces,
) -> RunError {
    let at = |key, what: String| RunError::Event(loaded.error_at_player(index, key, what));
    match failure {
        StartError::Option(refused) => option_refused(loaded, index, agent, refused).into(),
        StartError::Host(_) => RunError::Machine(format!("{}: {failure}", agent.player.name)),
        StartError::TooLong => at("player.args", failure.to_string()),
        failure => RunError::EntryNotStarted(Box::new(not_started(loaded, index, agent, failure, last))),
    }
}

/// An agent that does not start, with the last lines that it printed and the remedy; its player stands at `index`.
pub(super) fn not_started(
    loaded: &LoadedEvent,
    index: usize,
    agent: &AgentSpec,
    failure: &StartError,
    (printed, lacks, cause): StartTraces,
) -> NotStarted {
    let player = &agent.player;
    let why = format!(
        "{} does not start: {}",
        escaped(&player.name),
        Cause::in_words(cause.as_ref(), failure)
    );
    NotStarted {
        what: loaded.error_at_player(index, "player.command", why).to_string(),
        printed: Some(printed),
        remedy: lacking(loaded, index, &lacks)
            .or_else(|| cause.map(|cause| cause.remedy))
            .unwrap_or_else(|| {
                remedy(
                    (&player.command, &player.args),
                    player.dir.is_some(),
                    agent.isolation,
                    failure,
                )
            }),
    }
}

/// What the isolated agent of the player at `index` seems to lack, each at its key; `None`: nothing.
pub(super) fn lacking(loaded: &LoadedEvent, index: usize, lacks: &[Lack]) -> Option<String> {
    let name = escaped(&loaded.setup.players[index].name);
    let each = lacks.iter().map(|lack| {
        let why = match (loaded.can_set(&lack.key), lack.why.split_once(": ")) {
            (false, Some((fact, _))) => format!("{fact}, and no word of this command line gives it"),
            _ => lack.why.clone(),
        };
        let message = format!("{name} {why}");
        loaded.error_at_player(index, &lack.key, message).to_string()
    });
    (!lacks.is_empty()).then(|| each.collect::<Vec<_>>().join("; "))
}

/// What to do about an agent that does not start, of which nothing else is known.
pub(super) fn remedy(
    (command, args): (&str, &[String]),
    has_directory: bool,
    isolation: Isolation,
    failure: &StartError,
) -> String {
    let usual = match failure {
        StartError::Changed(_) => {
            return "put back what it was, or register it again; what is written while it plays is to be named in player.write, or to lie \
                    elsewhere"
                .to_owned();
        }
        StartError::NotRun(_) => "see whether it is a program for this machine, and has the libraries that it needs",
        StartError::Ended => "run it by hand: it has to keep running, and to answer `uci` with `uciok`",
        StartError::OverLimit(overuse) => {
            return format!("if that is right for it, raise {}", overuse.resource.key());
        }
        StartError::Silent(_) | StartError::Unflushed(_) => {
            return well_known::remedy(command, args, &unflushed(failure));
        }
        StartError::NotRead(_) => {
            let usual = "it has to read its standard input, and to answer `uci` with `uciok`; slow engines need more time \
                         (engine.start_limit)";
            return well_known::remedy(command, args, usual);
        }
        StartError::NoUciOk(_) => {
            "it has to answer `uci` with `uciok`; some engines need an argument for that, slow ones more time (engine.start_limit)"
        }
        _ => "it has to answer `isready` with `readyok`; slow engines need more time (engine.start_limit)",
    };
    well_known::remedy(command, args, &isolation.remedy(usual, has_directory))
}

/// What to do about an engine that read `uci` and from which nothing came: whether it answered is seen only if that came in the end.
fn unflushed(failure: &StartError) -> String {
    match failure {
        StartError::Unflushed(_) => FLUSH.to_owned(),
        _ => format!("{FLUSH}; if it does, it needs more time (engine.start_limit)"),
    }
}

/// An option of the event file does not fit the engine of a player.
fn option_refused(loaded: &LoadedEvent, player: usize, agent: &AgentSpec, refused: &OptionError) -> ConfigError {
    let message = refused.to_string();
    match refused {
        OptionError::Unknown { name, .. } if name == variant::OPTION => loaded.error_at_player(
            player,
            "player.command",
            format!("it does not play Chess960 (game.variant): it has no option {name}"),
        ),
        OptionError::Value { name, .. } if !agent.options.has_own(name) => {
            let name = escaped(&loaded.setup.players[player].name);
            let help = format!("set {name} for this player in player.options");
            ConfigError {
                help: Some(help),
                ..loaded.error_at("engine.options", format!("{name}: {message}"))
            }
        }
        _ => loaded.error_at_player(player, "player.options", message),
    }
}

/// Which engines do not have an option for all: they play without it.
pub(super) fn options_left_out(setup: &Setup, agents: &[Agent]) -> Vec<String> {
    let all = players_by_option(setup, agents, |said| &said.options_left_out);
    let sentence = |(option, players): (&str, Vec<String>)| {
        format!(
            "engine.options: these engines have no option {option} and play without it: {}",
            players.join(", ")
        )
    };
    all.into_iter().map(sentence).collect()
}

/// Which engines are set an option though their declaration of it was not understood.
pub(super) fn options_unread(setup: &Setup, agents: &[Agent]) -> Vec<String> {
    let all = players_by_option(setup, agents, |said| &said.options_unread);
    let sentence = |(option, players): (&str, Vec<String>)| {
        format!(
            "option {option} is sent as it was asked for, though it was not understood how these engines declare it: {}",
            players.join(", ")
        )
    };
    all.into_iter().map(sentence).collect()
}

/// Of each option that is named of any engine, the players.
fn players_by_option<'a>(
    setup: &Setup,
    agents: &'a [Agent],
    options: impl Fn(&'a AgentIntroduction) -> &'a Vec<String>,
) -> BTreeMap<&'a str, Vec<String>> {
    let mut all: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (player, agent) in setup.players.iter().zip(agents) {
        for option in agent.introduction.iter().flat_map(&options) {
            all.entry(option).or_default().push(escaped(&player.name));
        }
    }
    all
}
