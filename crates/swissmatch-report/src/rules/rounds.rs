//! Rules of rounds: format, pairing, entries, times, publication.

use swiss_system::count;
use swiss_system::pairing::dutch::rules::DutchEdition;
use swiss_system::pairing::rounds::{RoundPlan, Rounds, TournamentFormat};
use swiss_system::pairing::system::PairingSystem;
use swiss_system::text::harmless;

use super::{RulesPart, RulesSection, listed, tables};
use crate::stop;
use swissmatch_game::time_control::duration_in_words;
use swissmatch_tournament::setup::{
    AccelerationRule, ClockStart, Kinship, MissedRounds, PresenceCheck, RegistrationUntil, Seeding, Setup, StageKeys,
};

pub(super) fn format(setup: &Setup, plan: RoundPlan) -> RulesSection {
    let rounds = count::of(plan.rounds as usize, "round", "rounds");
    let format = match plan.format {
        TournamentFormat::Swiss => format!("The event is a Swiss of {rounds}."),
        TournamentFormat::AllPlayAll => format!(
            "Everybody meets everybody else{}, by Berger tables, in {rounds}.",
            in_cycles(setup)
        ),
        TournamentFormat::Gauntlet => format!(
            "The first players meet everybody else{}, in {rounds}.",
            in_cycles(setup)
        ),
        TournamentFormat::Knockout => format!("The event is a knockout of {rounds}: whoever loses is out."),
        TournamentFormat::Quads => {
            let remainder = match tables(setup, plan).iter().any(RulesPart::has_a_swiss) {
                true => " The last five to seven play a Swiss of three rounds.",
                false => "",
            };
            format!(
                "The players play in sections of four. In each section everybody meets everybody else, in {rounds}.{remainder}"
            )
        }
        TournamentFormat::Stages => {
            format!("The event has stages, {rounds} in all. Those who are left after one stage play the next.")
        }
        TournamentFormat::Sections => {
            format!("The event has sections, {rounds} at most. Players of different sections do not meet.")
        }
    };
    let stages = setup.event.stages.iter().zip(setup.stages()).map(|(stage, of)| {
        let top = stage
            .top
            .map_or_else(String::new, |_| format!(", for the first {}", of.players));
        let games = games_of(stage);
        let control = stage.time_control.as_ref();
        let control = control.map_or_else(String::new, |control| format!(", at {}", control.with_words()));
        format!("Stage: {}{top}{games}{control}.", in_words(stage.format))
    });
    let sections = setup.event.sections.iter().map(|section| {
        let bounds = match (section.from, section.to) {
            (None, None) => String::new(),
            (Some(from), None) => format!(", ratings from {from}"),
            (None, Some(to)) => format!(", ratings up to {to}"),
            (Some(from), Some(to)) => format!(", ratings from {from} to {to}"),
        };
        format!("Section: {}{bounds}.", harmless(&section.name))
    });
    let seeding = match setup.swiss.seeding {
        Seeding::Rating => "go by rating, the highest first",
        Seeding::Submitted => "go by submission, the earliest first",
        Seeding::Listed => "follow the organizer's list of players",
        Seeding::Random => "are drawn by lot",
        Seeding::Ladder => "go by the rating in the ladder before the event, the highest first",
    };
    let seeding = format!("Pairing numbers {seeding}.");
    let lots = format!(
        "Lots are drawn from the seed {} so that anybody can draw them again.",
        setup.event.rng_seed
    );
    let rules = std::iter::once(format)
        .chain(stages)
        .chain(sections)
        .chain(stop::rules(setup))
        .chain([seeding, lots]);
    RulesSection::new("Format", rules.map(Some))
}

/// The number of games in the mini-matches of a stage, if it has its own; for a knockout counted from its end.
fn games_of(stage: &StageKeys) -> String {
    let by_round = match stage.games_by_round.as_slice() {
        [] => stage.games.as_slice(),
        by_round => by_round,
    };
    let Some((first, later)) = by_round.split_first() else {
        return String::new();
    };
    let mut games = format!(", mini-matches of {}", count::of(*first as usize, "game", "games"));
    for (games_of_round, left) in later.iter().zip((0..later.len()).rev()) {
        let round = match left {
            0 => "the final".to_owned(),
            1 => "the semi-finals".to_owned(),
            2 => "the quarter-finals".to_owned(),
            _ => format!("the round that has {left} after it"),
        };
        games += &format!(", of {games_of_round} in {round}");
    }
    games
}

/// How often players meet, if more than once.
fn in_cycles(setup: &Setup) -> String {
    match setup.swiss.rounds.cycles() {
        1 => String::new(),
        cycles => format!(" in each of {cycles} cycles, with colours changed from one to the next"),
    }
}

fn in_words(format: Rounds) -> String {
    let swiss = |rounds: u32| format!("a Swiss of {}", count::of(rounds as usize, "round", "rounds"));
    match format {
        Rounds::Auto | Rounds::Log2Plus(_) => format!(
            "a Swiss whose number of rounds depends on the number of players \
             ({format})"
        ),
        Rounds::Number(rounds) => swiss(rounds),
        Rounds::AllPlayAll { cycles: 1 } => "everybody meets everybody else once".to_owned(),
        Rounds::AllPlayAll { cycles } => format!("everybody meets everybody else in each of {cycles} cycles"),
        Rounds::DoubleAllPlayAll => "everybody meets everybody else, two games each".to_owned(),
        Rounds::DoubleSwiss(Some(rounds)) => format!("{}, two games each", swiss(rounds)),
        Rounds::DoubleSwiss(None) => "a Swiss, two games in each round".to_owned(),
        Rounds::Gauntlet { runners, cycles } => {
            let who = match runners {
                1 => "the first player meets everybody else".to_owned(),
                _ => format!("the first {runners} meet everybody else"),
            };
            match cycles {
                1 => who,
                _ => format!("{who} in each of {cycles} cycles"),
            }
        }
        Rounds::Knockout => "a knockout".to_owned(),
        Rounds::Quads => "sections of four".to_owned(),
    }
}

pub(super) fn pairing(setup: &Setup, plan: RoundPlan) -> RulesSection {
    let keys = &setup.swiss;
    let is_swiss = tables(setup, plan).iter().any(RulesPart::has_a_swiss);
    let edition = match keys.edition {
        DutchEdition::Of2026 => "in force since 1 February 2026",
        DutchEdition::Of2017 => "of 2017",
    };
    let system = match keys.pairing {
        PairingSystem::MatchPoints => {
            "Each round is paired by match points. The aims are, in this order: as few repeated meetings as possible; opponents \
             with the same number of match points, or nearly the same; and, among players with the same points, the top half \
             against the bottom half."
                .to_owned()
        }
        PairingSystem::Dutch => format!("Rounds are paired by the FIDE (Dutch) System, C.04.3, {edition}."),
        PairingSystem::UsChess => "Rounds are paired by the rules of US Chess.".to_owned(),
        PairingSystem::Immortal => immortal(setup, plan),
        PairingSystem::DoubleSwiss => "Rounds are paired by the FIDE Double-Swiss System, C.04.5.".to_owned(),
    };
    let baku = (keys.acceleration == AccelerationRule::Baku)
        .then(|| "The first rounds are accelerated by virtual points (Baku, C.04.7).".to_owned());
    let apart: Vec<String> = keys
        .keep_apart
        .iter()
        .map(|kinship| match kinship {
            Kinship::Team => "of the same team".to_owned(),
            Kinship::Author => "of the same author".to_owned(),
        })
        .collect();
    let apart = (!apart.is_empty()).then(|| format!("Players {} never meet.", apart.join(" or ")));
    let forbidden = keys.forbidden.iter().map(|group| {
        let names: Vec<String> = group.iter().map(|name| harmless(name)).collect();
        Some(format!("{} never meet.", listed(&names)))
    });
    let rules = [is_swiss.then_some(system), baku, apart].into_iter().chain(forbidden);
    RulesSection::new("Pairing", rules)
}

/// The aims of Immortal Game, in order.
fn immortal(setup: &Setup, plan: RoundPlan) -> String {
    let must_repeat = tables(setup, plan)
        .iter()
        .any(|table| table.format == TournamentFormat::Swiss && table.must_repeat());
    let meetings = match must_repeat {
        false => "Nobody meets the same opponent twice, unless the round could not be paired otherwise.",
        true => {
            "There are more rounds than opponents, so that some players meet again: in each round as few as possible, those who have met \
             least often."
        }
    };
    let colors = setup.swiss.color_streak.map(|streak| {
        format!(
            " After that nobody has the same colour more than {streak} times in a row, unless the round could not be paired otherwise."
        )
    });
    format!(
        "In round 1 the top half by rating meets the bottom half. {meetings}{} After that opponents have the same number of points, \
         or nearly the same.",
        colors.unwrap_or_default()
    )
}

pub(super) fn entries(setup: &Setup, plan: RoundPlan) -> RulesSection {
    let missed = match setup.registration.missed {
        MissedRounds::Zero => "A late entry gets nothing for the rounds that it missed.",
        MissedRounds::HalfPoint => "A late entry gets a half-point bye for each round that it missed.",
    };
    // Only a Swiss takes late entries, even as a section.
    let takes_entries = match plan.format {
        TournamentFormat::Swiss => true,
        TournamentFormat::Sections => tables(setup, plan)
            .iter()
            .any(|table| table.format == TournamentFormat::Swiss),
        _ => false,
    };
    let until = setup.registration.until;
    let late = match until.played(plan.rounds).filter(|_| takes_entries) {
        None => "Nobody may enter once the event has begun.".to_owned(),
        Some(0) => "A player may enter until round 1 is paired.".to_owned(),
        Some(_) if until == RegistrationUntil::Half && plan.format == TournamentFormat::Sections => format!(
            "A player may enter until half of the rounds of its section, less one and rounded up, have been played. {missed}"
        ),
        Some(played) => format!(
            "A player may enter until {} been played. {missed}",
            match played {
                1 => "1 round has".to_owned(),
                played => format!("{played} rounds have"),
            }
        ),
    };
    let keys = &setup.eligibility;
    let qualified = keys.required.then(|| {
        format!(
            "Only agents that have qualified may play. To qualify, an agent has to score at least {} of the points in {} \
             against the baseline.",
            keys.score,
            count::of(keys.games as usize, "game", "games")
        )
    });
    let presence = (setup.presence.check == PresenceCheck::BeforeEachRound).then(|| {
        format!(
            "Every agent is checked before each round. An agent whose files have changed, or that does not answer within {}, is \
             left out of the round.",
            duration_in_words(setup.presence.limit)
        )
    });
    RulesSection::new("Entries", [Some(late), qualified, presence])
}

pub(super) fn times(setup: &Setup) -> RulesSection {
    let keys = &setup.schedule;
    let start = keys.start.map(|start| format!("Round 1 is paired at {start}."));
    let between = (!keys.r#break.is_zero()).then(|| {
        format!(
            "There is a break of {} between rounds.",
            duration_in_words(keys.r#break)
        )
    });
    let notice = (!keys.notice.is_zero()).then(|| {
        format!(
            "A pairing is announced at least {} before its round begins.",
            duration_in_words(keys.notice)
        )
    });
    let at = (1..)
        .zip(&keys.rounds_at)
        .map(|(round, at): (usize, _)| Some(format!("Round {round} does not begin before {at}.")));
    let window = keys.window.as_ref().map(|window| {
        format!(
            "Games are started only during these hours of the day: {window} ({}).",
            keys.time_zone
        )
    });
    let clock = (keys.clock == ClockStart::Schedule).then(|| {
        "The clock of the side that moves first starts when the game is due, whether or not its engine is up."
            .to_owned()
    });
    let rules = [start, between, notice].into_iter().chain(at).chain([window, clock]);
    RulesSection::new("Times", rules)
}

pub(super) fn published(setup: &Setup) -> RulesSection {
    let embargo = setup.publish.embargo_rounds;
    let held_back = (embargo > 0).then(|| {
        format!(
            "What happens in the last {} is not published until the arbiter releases it.",
            match embargo {
                1 => "round".to_owned(),
                rounds => format!("{rounds} rounds"),
            }
        )
    });
    let confirmed = setup
        .arbiter
        .confirm_rounds
        .then(|| "The arbiter confirms each pairing before it is played.".to_owned());
    RulesSection::new("Arbiter and publication", [confirmed, held_back])
}
