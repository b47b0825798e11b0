//! Keys of `[swiss]` that do not go together.
//!
//! May not: change a value.

use std::collections::HashSet;

use crate::config::value::shown;
use crate::config::{ConfigError, Loaded, Named as _};
use crate::pairing::all_play_all;
use crate::pairing::all_play_all::SectionFormat;
use crate::score::Points;
use crate::tournament::event::Format;
use crate::tournament::part::Stage;
use crate::tournament::roster;
use crate::tournament::setup::{AccelerationRule, ColorRule, Edition, InitialColor, PairingSystem, Rounds, TpnParity};

pub(super) fn check(loaded: &Loaded) -> Result<(), ConfigError> {
    match loaded.setup.swiss.pairing {
        PairingSystem::MatchPoints => without_dutch(loaded)?,
        PairingSystem::UsChess => {
            without_dutch(loaded)?;
            us_chess(loaded)?;
        }
        PairingSystem::Dutch => dutch(loaded)?,
    }
    for stage in loaded.setup.stages() {
        gauntlet(loaded, &stage)?;
    }
    forbidden(loaded)
}

/// The key that says what is played.
fn key_of_formats(loaded: &Loaded) -> &'static str {
    let event = &loaded.setup.event;
    match (event.stages.is_empty(), event.sections.is_empty()) {
        (true, true) => "swiss.rounds",
        (false, _) => "event.stages",
        (true, false) => "event.sections",
    }
}

fn gauntlet(loaded: &Loaded, stage: &Stage) -> Result<(), ConfigError> {
    let players = stage.players;
    match stage.format {
        Rounds::Gauntlet(runners) if runners >= players => {
            let message =
                format!("the first {runners} of {players} players meet everybody else, and nobody else is there");
            let help = "write a smaller number, or \"RR\"";
            Err(refused(loaded, key_of_formats(loaded), &message, help))
        }
        _ => Ok(()),
    }
}

/// Rounds that can be paired without anybody meeting twice, if nothing else stands in the way.
pub(super) const fn rounds_without_repeats(players: usize) -> usize {
    if players.is_multiple_of(2) {
        players - 1
    } else {
        players
    }
}

fn refused(loaded: &Loaded, key: &str, message: &str, help: &str) -> ConfigError {
    ConfigError {
        help: Some(help.to_owned()),
        ..loaded.error_at(key, message.to_owned())
    }
}

fn without_dutch(loaded: &Loaded) -> Result<(), ConfigError> {
    let swiss = &loaded.setup.swiss;
    if swiss.color == ColorRule::FirstGame {
        let message = format!("pairing = \"{}\" pairs without regard to colour", swiss.pairing.name());
        return Err(refused(
            loaded,
            "swiss.color",
            &message,
            "write color = \"ignore\", or pairing = \"dutch\"",
        ));
    }
    // What another system reads may stand as every preset has it, so that a printed configuration loads again.
    let reads_color = swiss.pairing == PairingSystem::UsChess;
    let changed = [
        ("swiss.edition", swiss.edition != Edition::default()),
        ("swiss.tpn_parity", swiss.tpn_parity != TpnParity::default()),
        (
            "swiss.initial_color",
            swiss.initial_color != InitialColor::default() && !reads_color,
        ),
        ("swiss.acceleration", swiss.acceleration != AccelerationRule::default()),
    ];
    let changed = changed.into_iter().find(|(_, changed)| *changed);
    changed.map_or(Ok(()), |(key, _)| {
        Err(refused(
            loaded,
            key,
            "only the Dutch system reads this",
            "write pairing = \"dutch\", or leave the key out",
        ))
    })
}

/// "Never two for one player; not to an unrated player who would then have fewer than 4 games": where an odd section has more
/// rounds than players who may have its bye, a round comes that cannot be paired.
fn us_chess(loaded: &Loaded) -> Result<(), ConfigError> {
    let setup = &loaded.setup;
    let order = roster::starting_order(&setup.players, setup.swiss.seeding, setup.event.rng_seed);
    let is_rated = |entry: usize| setup.players[entry].rating.is_some();
    for stage in setup.stages() {
        // Who plays a later stage is not known yet: the best that can be is taken.
        let is_of = |entry: &&usize| {
            let section = |place| setup.section_of(&setup.players[**entry]) == Ok(place);
            !setup.players[**entry].house && stage.section.is_none_or(section)
        };
        let field: Vec<bool> = order
            .iter()
            .filter(is_of)
            .map(|entry| is_rated(*entry))
            .take(stage.players as usize)
            .collect();
        let sections: Vec<(Vec<bool>, u32)> = match stage.format {
            Rounds::Quads => all_play_all::quads(field.len())
                .iter()
                .filter_map(|section| match section.format {
                    SectionFormat::Swiss { rounds } => Some((
                        section.players.iter().map(|number| field[number.index()]).collect(),
                        rounds,
                    )),
                    SectionFormat::AllPlayAll => None,
                })
                .collect(),
            format if format.plan(stage.players).format == Format::Swiss => vec![(field, stage.rounds)],
            _ => Vec::new(),
        };
        for (rated, rounds) in sections
            .iter()
            .filter(|(rated, _)| rated.len() % 2 == 1 && !stage.house)
        {
            let have_enough = rounds.saturating_sub(1).saturating_mul(stage.games) >= 4;
            let may = rated.iter().filter(|rated| **rated || have_enough).count();
            if may < *rounds as usize {
                let message = format!(
                    "an odd section of {} players in {rounds} rounds: each round needs another player for the bye, and only {may} \
                     may have it (nobody twice, no unrated player who would then have fewer than 4 games)",
                    rated.len()
                );
                let help =
                    "give players ratings, an even number of players, other rounds, or pairing = \"match-points\"";
                return Err(refused(loaded, key_of_formats(loaded), &message, help));
            }
        }
    }
    Ok(())
}

fn dutch(loaded: &Loaded) -> Result<(), ConfigError> {
    let setup = &loaded.setup;
    for stage in setup.stages() {
        let (players, rounds) = (stage.players as usize, stage.rounds);
        let most = rounds_without_repeats(players);
        if stage.format.plan(stage.players).format == Format::Swiss && rounds as usize > most {
            let message = format!(
                "{rounds} rounds of {players} players: in the Dutch system nobody meets twice, so that {most} rounds are the \
                 most"
            );
            let help = "write fewer rounds, or pairing = \"match-points\", which repeats where it must";
            return Err(refused(loaded, key_of_formats(loaded), &message, help));
        }
    }
    let table = setup.scoring.r#match;
    // C.04.7: "only where a win is worth two draws and a loss nothing".
    let halves = table.draw + table.draw == table.win && table.loss == Points::ZERO;
    if setup.swiss.acceleration == AccelerationRule::Baku && !halves {
        return Err(refused(
            loaded,
            "swiss.acceleration",
            "\"baku\" needs a win that is worth two draws, and a loss worth nothing",
            "change scoring.match, or write acceleration = \"none\"",
        ));
    }
    Ok(())
}

fn forbidden(loaded: &Loaded) -> Result<(), ConfigError> {
    let setup = &loaded.setup;
    let names: HashSet<&str> = setup.players.iter().map(|player| player.name.as_str()).collect();
    for name in setup.swiss.forbidden.iter().flatten() {
        if !names.contains(name.as_str()) {
            let message = format!("no player is called {}", shown(name));
            let help = "write the names as the players have them";
            return Err(refused(loaded, "swiss.forbidden", &message, help));
        }
    }
    let binds = !setup.swiss.forbidden.is_empty() || !setup.swiss.keep_apart.is_empty();
    let formats = setup.stages().into_iter();
    let fixed = formats
        .map(|stage| (stage.players, stage.format, stage.format.plan(stage.players).format))
        .find(|(.., format)| *format != Format::Swiss);
    if let (true, Some((players, written, format))) = (binds, fixed) {
        let key = if setup.swiss.forbidden.is_empty() {
            "swiss.keep_apart"
        } else {
            "swiss.forbidden"
        };
        let message = match format {
            Format::AllPlayAll => format!("with {players} players everybody meets everybody"),
            _ => format!("\"{written}\" says who meets whom"),
        };
        return Err(refused(
            loaded,
            key,
            &message,
            "give a number of rounds, or leave the key out",
        ));
    }
    Ok(())
}
