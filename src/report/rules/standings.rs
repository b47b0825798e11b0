//! Rules of points, standings, play-offs and prizes.

use swiss_system::count;
use swiss_system::score::Points;
use swiss_system::standings::criterion::Criterion;
use swiss_system::text::harmless;

use super::{Section, listed, table};
use crate::game::time_control::write_duration;
use crate::tournament::money::Cents;
use crate::tournament::playoff::rules::Stage;
use crate::tournament::setup::{Entrants, PlayoffNumbers, PlayoffWhen, Setup, TieBreakEdition, TiedOn};

pub(super) fn points(setup: &Setup) -> Section {
    let keys = &setup.scoring;
    let mut rules = vec![format!("Game points: {}.", table(&keys.game))];
    if setup.mini_match.games > 1 {
        rules.push(format!(
            "Match points: {}. The player with more game points in a mini-match wins it.",
            table(&keys.r#match)
        ));
    } else {
        rules.push(format!("Match points: {}.", table(&keys.r#match)));
    }
    rules.extend(
        keys.forfeited_game
            .as_ref()
            .map(|points| format!("Game points of a game that was not played: {}.", table(points))),
    );
    rules.extend(keys.forfeited_match.as_ref().map(|points| {
        format!(
            "Match points of a mini-match in which nothing was played: {}.",
            table(points)
        )
    }));
    Section::new("Points", rules.into_iter().map(Some))
}

/// `Buchholz: points of the opponents (BH/C1)`
fn criterion(criterion: &Criterion) -> String {
    let (name, meaning) = (criterion.to_string(), criterion.code.meaning());
    match name.replace('-', " ") == meaning {
        true => name.replace('-', " "),
        false => format!("{meaning} ({name})"),
    }
}

pub(super) fn order(setup: &Setup) -> Section {
    let keys = &setup.standings;
    let order = (1..).zip(&keys.order).map(|(place, each): (usize, _)| {
        let first = if place == 1 { "Players are ranked by" } else { "Then by" };
        Some(format!("{first} {}.", criterion(each)))
    });
    let last = "Players who are level on all of these share a place, unless the order above ends with a lot.";
    let edition = match keys.edition {
        TieBreakEdition::Of2026 => "Unplayed rounds count in tie-breaks by FIDE's C.07 in force since 1 March 2026.",
        TieBreakEdition::Of2024 => "Unplayed rounds count in tie-breaks by FIDE's C.07 of 2024.",
        TieBreakEdition::Of2022 => "Unplayed rounds count in tie-breaks by the virtual opponent (FIDE, 2022).",
        TieBreakEdition::PlayedOnly => "Rounds that were not played do not count in tie-breaks.",
    };
    let unrated = keys
        .unrated
        .map(|rating| format!("A player without a rating counts as rated {rating} in tie-breaks."));
    // Those that take modifiers are those of C.07.
    let is_of_edition = keys.order.iter().any(|each| !each.code.modifiers().is_empty());
    let edition = is_of_edition.then(|| edition.to_owned());
    Section::new("Standings", order.chain([Some(last.to_owned()), edition, unrated]))
}

pub(super) fn play_offs(setup: &Setup) -> Section {
    let keys = &setup.playoff;
    if keys.places.is_empty() {
        return Section::new("Play-offs", []);
    }
    let places: Vec<String> = keys.places.iter().map(u32::to_string).collect();
    let tied = match keys.tied_on {
        TiedOn::Points => "level on points",
        TiedOn::Order => "level on all criteria of the standings",
    };
    let which = match keys.when {
        PlayoffWhen::Tied => "There is a play-off",
        PlayoffWhen::IndivisiblePrize => "Where a prize cannot be divided, there is a play-off",
    };
    let what = format!(
        "{which} when players who are {tied} share {} {} and the place after it.",
        if places.len() == 1 {
            "place"
        } else {
            "one of the places"
        },
        listed(&places)
    );
    let who = match keys.entrants {
        Entrants::All => "All tied players take part.",
        Entrants::TopTwo => "If three or more are tied, the first two by number play it.",
    };
    let numbers = match &keys.numbers {
        PlayoffNumbers::Lot => "Their numbers are drawn by lot.".to_owned(),
        PlayoffNumbers::By(criteria) => {
            let criteria: Vec<String> = criteria.iter().map(Criterion::to_string).collect();
            format!("Their numbers go by {}, then by lot.", listed(&criteria))
        }
    };
    let stages = keys.stages.iter().map(|stage| match stage {
        Stage::HeadToHead => {
            "First, the result between the two counts, if they have met and it was decisive.".to_owned()
        }
        Stage::RoundRobin { two, more } => format!(
            "Two players play a mini-match of two games at {two}; three or more meet each other once at {more}."
        ),
        Stage::Armageddon { white, black, .. } => {
            format!("Then Armageddon: one game, White at {white}, Black at {black}; a draw is a win for Black.")
        }
    });
    let last = "If players are still level after that, the arbiter decides.".to_owned();
    let pause = (!keys.start_after.is_zero()).then(|| {
        format!(
            "A play-off begins at least {} after the last game.",
            write_duration(keys.start_after)
        )
    });
    let rules = [what, who.to_owned(), numbers].into_iter().chain(stages).chain([last]);
    Section::new("Play-offs", rules.map(Some).chain([pause]))
}

pub(super) fn prizes(setup: &Setup) -> Section {
    let keys = &setup.prizes;
    let currency = match keys.currency.as_str() {
        "" => String::new(),
        currency => format!(" {}", harmless(currency)),
    };
    let tied = match keys.tied_on {
        TiedOn::Points => "level on points",
        TiedOn::Order => "level on all criteria of the standings",
    };
    let by_place = (1..).zip(&keys.by_place).map(|(place, prize): (usize, _)| {
        let money = (prize.money != Cents::default()).then(|| format!("{}{currency}", prize.money));
        let trophy = prize.trophy.as_ref().map(|trophy| harmless(trophy));
        let what: Vec<String> = money.into_iter().chain(trophy).collect();
        let whole = if prize.indivisible { ", not divided" } else { "" };
        format!("Place {place}: {}{whole}.", listed(&what))
    });
    let shared = (!keys.by_place.is_empty()).then(|| format!("Players who are {tied} share their prizes equally."));
    let points: Vec<String> = keys.points.iter().map(Points::to_string).collect();
    let points = (!points.is_empty()).then(|| {
        format!(
            "Tour points for the first {}: {}.",
            count::of(points.len(), "place", "places"),
            points.join(", ")
        )
    });
    Section::new("Prizes", by_place.map(Some).chain([shared, points]))
}
