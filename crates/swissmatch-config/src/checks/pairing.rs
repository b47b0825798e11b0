//! Checks of the keys of `[swiss]` together.
//!
//! May not: change a value.

use std::collections::HashSet;

use swiss_system::count;
use swiss_system::pairing::all_play_all::SectionFormat;
use swiss_system::pairing::rounds::TournamentFormat;
use swiss_system::pairing::{all_play_all, double_swiss};
use swiss_system::score::Points;
use swiss_system::standings::criterion::Score;
use swiss_system::word::Word as _;

use crate::kind::MOST_ROUNDS;
use crate::value::shown;
use crate::{ConfigError, LoadedEvent};
use swissmatch_tournament::roster;
use swissmatch_tournament::setup::{
    AccelerationRule, ByeAgain, ColorRule, DutchEdition, InitialColor, OpeningPolicy, PairingSystem, Rounds, SwissKeys,
    TpnParity,
};
use swissmatch_tournament::stage::Stage;

pub(super) fn check(loaded: &LoadedEvent) -> Result<(), ConfigError> {
    match loaded.setup.swiss.pairing {
        PairingSystem::MatchPoints | PairingSystem::UsChess | PairingSystem::Immortal => without_dutch(loaded)?,
        PairingSystem::Dutch => {
            only_in_immortal(loaded)?;
            dutch(loaded)?;
        }
        PairingSystem::DoubleSwiss => {
            without_dutch(loaded)?;
            double_swiss(loaded)?;
        }
    }
    for stage in loaded.setup.stages() {
        table(loaded, &stage)?;
    }
    forbidden(loaded)
}

/// The key that sets the format.
fn key_of_formats(loaded: &LoadedEvent) -> &'static str {
    let event = &loaded.setup.event;
    match (event.stages.is_empty(), event.sections.is_empty()) {
        (true, true) => "swiss.rounds",
        (false, _) => "event.stages",
        (true, false) => "event.sections",
    }
}

fn table(loaded: &LoadedEvent, stage: &Stage) -> Result<(), ConfigError> {
    let (players, policy) = (stage.players, loaded.setup.mini_match.opening_policy);
    match stage.format {
        format if format.cycles() > 1 && stage.rounds > MOST_ROUNDS => {
            let message = format!(
                "\"{format}\" of {players} players has {} rounds, and {MOST_ROUNDS} is the most",
                stage.rounds
            );
            let help = "write fewer cycles, or a larger number under mini_match.games";
            Err(refused(loaded, key_of_formats(loaded), &message, help))
        }
        format if format.cycles() > 1 && stage.section.is_some() && policy == OpeningPolicy::Event => {
            let message = format!(
                "in \"{format}\" those who meet again do so from other openings, and sections side by side would not play the same ones"
            );
            let help = "write opening_policy = \"round\" or \"mini-match\", or a format without cycles";
            Err(refused(loaded, "mini_match.opening_policy", &message, help))
        }
        Rounds::Gauntlet { runners, .. } if runners >= players => {
            let message =
                format!("the first {runners} of {players} players meet everybody else, but there is nobody else");
            let help = "write a smaller number, or \"RR\"";
            Err(refused(loaded, key_of_formats(loaded), &message, help))
        }
        _ => Ok(()),
    }
}

/// The number of rounds that can be paired without repeats, if nothing else stands in the way.
pub(super) const fn rounds_without_repeats(players: usize) -> usize {
    if players.is_multiple_of(2) {
        players - 1
    } else {
        players
    }
}

fn refused(loaded: &LoadedEvent, key: &str, message: &str, help: &str) -> ConfigError {
    ConfigError {
        help: Some(help.to_owned()),
        ..loaded.error_at(key, message.to_owned())
    }
}

fn without_dutch(loaded: &LoadedEvent) -> Result<(), ConfigError> {
    let swiss = &loaded.setup.swiss;
    if swiss.color == ColorRule::FirstGame {
        let name = swiss.pairing.word();
        let message = match swiss.pairing {
            PairingSystem::Immortal => {
                format!("pairing = \"{name}\" has its own rule for colours, swiss.color_streak")
            }
            _ => format!("pairing = \"{name}\" pairs without regard to colour"),
        };
        return Err(refused(
            loaded,
            "swiss.color",
            &message,
            "write color = \"ignore\", or pairing = \"dutch\"",
        ));
    }
    // Keys of other systems may have the values that all presets have, so that a printed configuration loads again.
    let reads_color = swiss.pairing != PairingSystem::MatchPoints;
    let changed = [
        ("swiss.edition", swiss.edition != DutchEdition::default()),
        ("swiss.tpn_parity", swiss.tpn_parity != TpnParity::default()),
        (
            "swiss.initial_color",
            swiss.initial_color != InitialColor::default() && !reads_color,
        ),
        ("swiss.acceleration", swiss.acceleration != AccelerationRule::default()),
    ];
    let changed = changed.into_iter().find(|(_, changed)| *changed);
    if let Some((key, _)) = changed {
        return Err(refused(
            loaded,
            key,
            "only the Dutch system uses this",
            "write pairing = \"dutch\", or leave the key out",
        ));
    }
    only_in_immortal(loaded)
}

fn only_in_immortal(loaded: &LoadedEvent) -> Result<(), ConfigError> {
    let swiss = &loaded.setup.swiss;
    if swiss.pairing == PairingSystem::Immortal || swiss.color_streak == SwissKeys::default().color_streak {
        return Ok(());
    }
    Err(refused(
        loaded,
        "swiss.color_streak",
        "only the immortal system uses this",
        "write pairing = \"immortal\", or leave the key out",
    ))
}

/// A field that is paired as a Swiss.
struct SwissField {
    /// Whether each player has a rating.
    rated: Vec<bool>,
    rounds: u32,
    /// Games of a meeting.
    games: u32,
    /// Whether a house player joins if the number is odd.
    house: bool,
    /// The rounds of all byes that its players ask for in advance.
    requests: Vec<u32>,
}

impl SwissField {
    /// Whether somebody has a bye in each round, if nobody is absent.
    fn is_odd(&self) -> bool {
        self.rated.len() % 2 == 1 && !self.house
    }

    /// In how many rounds somebody has a bye, if nobody is absent except by request.
    fn odd_rounds(&self) -> usize {
        let asked = |round: &u32| self.requests.iter().filter(|request| *request == round).count();
        let is_odd = |round: &u32| self.rated.len().saturating_sub(asked(round)) % 2 == 1;
        (1..=self.rounds).filter(|round| is_odd(round) && !self.house).count()
    }
}

/// The fields that are paired as a Swiss. As the players of a later stage are not known yet, the best case is assumed.
fn swiss_fields(loaded: &LoadedEvent) -> Vec<SwissField> {
    let setup = &loaded.setup;
    let order = roster::starting_order(&setup.players, setup.swiss.seeding, setup.event.rng_seed);
    let is_rated = |entry: usize| setup.players[entry].rating().is_some();
    let mut fields = Vec::new();
    for stage in setup.stages() {
        // The players of a later stage are not known yet: the best case is assumed.
        let is_of = |entry: &&usize| {
            let section = |place| setup.section_of(&setup.players[**entry]) == Ok(place);
            !setup.players[**entry].house && stage.section.is_none_or(section)
        };
        let entries = || order.iter().filter(is_of).take(stage.players as usize);
        let field: Vec<bool> = entries().map(|entry| is_rated(*entry)).collect();
        let requests = entries().flat_map(|entry| setup.players[*entry].byes.iter().copied());
        // They are rounds of the event, or of a section.
        let requests: Vec<u32> = requests.filter(|_| stage.rounds_before == 0).collect();
        let of_rounds = |rated: Vec<bool>, rounds: u32| SwissField {
            rated,
            rounds,
            games: stage.most_games(),
            house: stage.house,
            requests: requests.clone(),
        };
        match stage.format {
            Rounds::Quads => {
                for section in all_play_all::quads(field.len()) {
                    if let SectionFormat::Swiss { rounds } = section.format {
                        let rated = section.players.iter().map(|number| field[number.index()]).collect();
                        fields.push(of_rounds(rated, rounds));
                    }
                }
            }
            format if format.plan(stage.players).format == TournamentFormat::Swiss => {
                fields.push(of_rounds(field, stage.rounds))
            }
            _ => {}
        }
    }
    fields
}

/// Warns if a round may come in which nobody may have the bye, even if nobody is absent except for byes asked for in advance, and says what
/// happens then. "Never two for one player; not to an unrated player who would then have fewer than 4 games" (City Chess); "they can only
/// be exempted once per tournament" (Immortal Game).
pub(super) fn byes_that_run_out(loaded: &LoadedEvent) -> Option<String> {
    let setup = &loaded.setup;
    let (system, again) = (setup.swiss.pairing, setup.bye.again);
    let enough = |field: &SwissField| field.rounds.saturating_sub(1).saturating_mul(field.games) >= 4;
    let may_have_it = |field: &SwissField| match system {
        PairingSystem::UsChess => field.rated.iter().filter(|rated| **rated || enough(field)).count(),
        PairingSystem::Immortal => field.rated.len(),
        PairingSystem::MatchPoints if again != ByeAgain::Bye => field.rated.len(),
        PairingSystem::MatchPoints | PairingSystem::Dutch | PairingSystem::DoubleSwiss => usize::MAX,
    };
    let fields = swiss_fields(loaded);
    let field = fields.iter().find(|field| field.odd_rounds() > may_have_it(field))?;
    let unrated = match system {
        PairingSystem::UsChess => ", and no unrated player who would then have fewer than 4 games",
        _ => "",
    };
    let then = match again {
        ByeAgain::Bye => "the bye anyway",
        ByeAgain::Requested => "what a requested bye gives",
        ByeAgain::Zero => "nothing",
    };
    Some(format!(
        "{} players in {} rounds: {} rounds have a bye, and only {} players may have one (nobody twice{unrated}); whoever is \
         left over after that gets {then} (bye.again = \"{}\")",
        field.rated.len(),
        field.rounds,
        field.odd_rounds(),
        may_have_it(field),
        again.word()
    ))
}

/// Refuses more rounds than opponents, as nobody meets twice.
fn nobody_twice(loaded: &LoadedEvent, system: &str) -> Result<(), ConfigError> {
    for field in swiss_fields(loaded) {
        let (players, rounds) = (field.rated.len(), field.rounds);
        let most = rounds_without_repeats(players);
        if rounds as usize > most {
            let message = format!(
                "{rounds} rounds of {players} players: in the {system} system nobody meets twice, so {} the most",
                count::of(most, "round is", "rounds are")
            );
            let help = "write fewer rounds, or pairing = \"match-points\", which repeats pairings where it must";
            return Err(refused(loaded, key_of_formats(loaded), &message, help));
        }
    }
    Ok(())
}

/// C.04.5: a match is two games, one with each colour, and the score is the sum of game points.
fn double_swiss(loaded: &LoadedEvent) -> Result<(), ConfigError> {
    nobody_twice(loaded, "Double-Swiss")?;
    let fields = swiss_fields(loaded);
    if let Some(field) = fields.iter().find(|field| field.games != double_swiss::GAMES) {
        let key = match loaded.setup.event.stages.as_slice() {
            [] => "mini_match.games",
            _ => "event.stages",
        };
        let message = format!(
            "a match of the Double-Swiss system (C.04.5) has two games, but here it has {}",
            field.games
        );
        let help = "write games = 2, or a format such as \"5-double-SS\", which has two games a round";
        return Err(refused(loaded, key, &message, help));
    }
    if !fields.is_empty() && loaded.setup.standings.rules().primary() != Score::Game {
        return Err(refused(
            loaded,
            "standings.order",
            "the Double-Swiss system (C.04.5) pairs by the sum of game points, but here match points rank first",
            "write order = [\"game-points\", …]",
        ));
    }
    Ok(())
}

/// Warns that in the Double-Swiss system a bye is worth a win and a draw, unless the event says otherwise.
pub(super) fn bye_of_double_swiss(loaded: &LoadedEvent) -> Option<String> {
    let setup = &loaded.setup;
    if setup.swiss.pairing != PairingSystem::DoubleSwiss || !swiss_fields(loaded).iter().any(SwissField::is_odd) {
        return None;
    }
    let usual = setup.scoring.game.win + setup.scoring.game.draw;
    let points = setup.bye.game_points.filter(|points| *points != usual)?;
    Some(format!(
        "bye.game_points = {points}: in the Double-Swiss system (C.04.5) a bye is worth a win and a draw, {usual} (\"auto\")"
    ))
}

fn dutch(loaded: &LoadedEvent) -> Result<(), ConfigError> {
    nobody_twice(loaded, "Dutch")?;
    let setup = &loaded.setup;
    let table = setup.scoring.r#match;
    // C.04.7: "only where a win is worth two draws and a loss nothing".
    let halves = table.draw + table.draw == table.win && table.loss == Points::ZERO;
    if setup.swiss.acceleration == AccelerationRule::Baku && !halves {
        return Err(refused(
            loaded,
            "swiss.acceleration",
            "\"baku\" needs a win worth two draws, and a loss worth nothing",
            "change scoring.match, or write acceleration = \"none\"",
        ));
    }
    Ok(())
}

fn forbidden(loaded: &LoadedEvent) -> Result<(), ConfigError> {
    let setup = &loaded.setup;
    let names: HashSet<&str> = setup.players.iter().map(|player| player.name.as_str()).collect();
    for name in setup.swiss.forbidden.iter().flatten() {
        if !names.contains(name.as_str()) {
            let message = format!("no player is called {}", shown(name));
            let help = "write the names exactly as the players have them";
            return Err(refused(loaded, "swiss.forbidden", &message, help));
        }
    }
    let binds = !setup.swiss.forbidden.is_empty() || !setup.swiss.keep_apart.is_empty();
    let formats = setup.stages().into_iter();
    let fixed = formats
        .map(|stage| (stage.players, stage.format, stage.format.plan(stage.players).format))
        .find(|(.., format)| *format != TournamentFormat::Swiss);
    if let (true, Some((players, written, format))) = (binds, fixed) {
        let key = if setup.swiss.forbidden.is_empty() {
            "swiss.keep_apart"
        } else {
            "swiss.forbidden"
        };
        let message = match format {
            TournamentFormat::AllPlayAll => format!("with {players} players everybody meets everybody"),
            _ => format!("\"{written}\" already says who meets whom"),
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
