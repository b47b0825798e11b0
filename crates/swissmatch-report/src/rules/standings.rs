//! Rules of points, standings, play-offs and prizes.

use swiss_system::count;
use swiss_system::pairing::rounds::RoundPlan;
use swiss_system::score::Points;
use swiss_system::standings::criterion::{Code, Criterion};
use swiss_system::text::harmless;

use super::super::why::meaning;
use super::{RulesSection, has_knockout, listed, table};
use swissmatch_game::time_control::duration_in_words;
use swissmatch_tournament::money::Cents;
use swissmatch_tournament::playoff_rules::{Colors, PlayoffStage};
use swissmatch_tournament::setup::{
    BlackWins, DisqualificationEffect, Entrants, HeadToHeadDays, LevelTie, PlayoffNumbers, PlayoffWhen, Prize,
    PrizeKeys, Setup, Third, TieBreakEdition, TiedOn,
};

pub(super) fn points(setup: &Setup) -> RulesSection {
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
    RulesSection::new("Points", rules.into_iter().map(Some))
}

/// `Buchholz: points of the opponents, without the lowest (BH/C1)`
fn criterion(criterion: &Criterion, edition: TieBreakEdition) -> String {
    let (name, meaning) = (criterion.to_string(), meaning(criterion, edition));
    match name.replace('-', " ") == meaning {
        true => name.replace('-', " "),
        false => format!("{meaning} ({name})"),
    }
}

pub(super) fn order(setup: &Setup) -> RulesSection {
    let keys = &setup.standings;
    let order = (1..).zip(&keys.order).map(|(place, each): (usize, _)| {
        let first = if place == 1 { "Players are ranked by" } else { "Then by" };
        Some(format!("{first} {}.", criterion(each, keys.edition)))
    });
    let has = |codes: &[Code]| keys.order.iter().any(|each| codes.contains(&each.code));
    let last = match has(&[Code::Lot, Code::PairingNumber]) {
        true => "So nobody shares a place.",
        false => "Players who are level on all of these share a place.",
    };
    let adjusted = has(&[Code::ModifiedMedian, Code::Solkoff, Code::Median]).then(|| {
        "The adjusted score of an opponent has half a point for each of its games that was not played, whatever that gave. A round that the \
         player did not play counts as an opponent with an adjusted score of 0."
            .to_owned()
    });
    let edition = match keys.edition {
        TieBreakEdition::Of2026 => "Unplayed rounds count in tie-breaks by FIDE's C.07 in force since 1 March 2026.",
        TieBreakEdition::Of2024 => "Unplayed rounds count in tie-breaks by FIDE's C.07 of 2024.",
        TieBreakEdition::Of2022 => "Unplayed rounds count in tie-breaks by the virtual opponent (FIDE, 2022).",
        TieBreakEdition::PlayedOnly => "Rounds that were not played do not count in tie-breaks.",
    };
    let unrated = keys
        .unrated
        .map(|rating| format!("A player without a rating counts as rated {rating} in tie-breaks."));
    // Criteria that take modifiers are those of C.07.
    let black_wins = match keys.black_wins {
        BlackWins::OverTheBoard => None,
        BlackWins::WithForfeits => {
            let has_it = keys.order.iter().any(|each| each.code == Code::BlackWins);
            has_it.then(|| {
                "A game won because the opponent, who had White, did not come is a game won with Black.".to_owned()
            })
        }
    };
    let disqualified = match keys.disqualified {
        DisqualificationEffect::OffTheList => {
            "A player who is disqualified is taken off the list and everybody below moves up; nobody's points or tie-breaks change, \
             unless the arbiter annuls the player's results."
        }
        DisqualificationEffect::Annulled => {
            "A player who is disqualified is taken off the list and everybody below moves up. After the end of the event the player's \
             results are annulled, too, and count for nobody, unless a play-off rests on them; before it, where the arbiter says so."
        }
    };
    let is_of_edition = keys.order.iter().any(|each| !each.code.modifiers().is_empty());
    let edition = is_of_edition.then(|| edition.to_owned());
    let rules = [
        Some(last.to_owned()),
        adjusted,
        edition,
        unrated,
        black_wins,
        Some(disqualified.to_owned()),
    ];
    RulesSection::new("Standings", order.chain(rules))
}

pub(super) fn play_offs(setup: &Setup, plan: RoundPlan) -> RulesSection {
    let keys = &setup.playoff;
    let has_knockout = has_knockout(setup, plan);
    let of_knockout = has_knockout.then(|| {
        match keys.knockout {
            LevelTie::PlayOff => "A mini-match of a knockout that ends level is played off between the two.",
            LevelTie::BetterSeed => {
                "A mini-match of a knockout that ends level is won by the better seed: who has the better place in the stage before, or, where \
                 the knockout is the first, the smaller pairing number."
            }
        }
        .to_owned()
    });
    let stages = setup.stages();
    let third = match keys.third {
        Third::BetterSeed => {
            "Of the two who lose in the semi-finals the better seed is third, and the other one is fourth."
        }
        Third::Match if stages.iter().any(|stage| stage.third == Third::Match) => {
            "The two who lose in the semi-finals meet once more, beside the final and with as many games: who wins is third, \
             and the other one is fourth."
        }
        Third::Match => "Nothing is played for the third place: fewer than four players play the knockout.",
        Third::Shared => "",
    };
    let third = (has_knockout && !third.is_empty()).then(|| third.to_owned());
    let is_played_off = !keys.places.is_empty() || has_knockout && keys.knockout == LevelTie::PlayOff;
    if !is_played_off {
        return RulesSection::new("Play-offs", [of_knockout, third]);
    }
    let tied = match keys.tied_on {
        TiedOn::Points => "level on points",
        TiedOn::Order => "level on all criteria of the standings",
    };
    let which = match keys.when {
        PlayoffWhen::Tied => "There is a play-off",
        PlayoffWhen::IndivisiblePrize => "Where a prize cannot be divided, there is a play-off",
    };
    let what = (!keys.places.is_empty()).then(|| {
        let places: Vec<String> = keys.places.iter().map(u32::to_string).collect();
        format!(
            "{which} when players who are {tied} share {} {} and the place after it.",
            if places.len() == 1 {
                "place"
            } else {
                "one of the places"
            },
            listed(&places)
        )
    });
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
        PlayoffStage::HeadToHead => match keys.head_to_head {
            HeadToHeadDays::SameDay => {
                "First, the result between the two counts, if they have met on the day of the last round and it was decisive."
            }
            HeadToHeadDays::AnyDay => "First, the result between the two counts, if they have met and it was decisive.",
        }
        .to_owned(),
        PlayoffStage::RoundRobin { two, more } => match keys.entrants {
            Entrants::All => format!(
                "Two players play a mini-match of two games at {}; three or more meet each other once at {}.",
                two.with_words(),
                more.with_words()
            ),
            Entrants::TopTwo => format!("The two play a mini-match of two games at {}.", two.with_words()),
        },
        PlayoffStage::Armageddon { white, black, colors } => {
            let more = match keys.entrants {
                Entrants::All => ", or a knockout of such games where more than two are level",
                Entrants::TopTwo => "",
            };
            let colors = match colors {
                Colors::Lot => "the colours are drawn by lot",
                Colors::Choice => "who wins the toss of a coin chooses the colour",
            };
            format!(
                "Then Armageddon: one game, White at {}, Black at {}{more}; a draw is a win for Black, and {colors}.",
                white.with_words(),
                black.with_words()
            )
        }
    });
    // An Armageddon always has a winner, which is all that the first place needs.
    let is_settled = matches!(keys.stages.last(), Some(PlayoffStage::Armageddon { .. }))
        && keys.places.iter().all(|place| *place == 1);
    let last = (!is_settled).then(|| "If players are still level after that, the arbiter decides.".to_owned());
    let pause = (!keys.start_after.is_zero()).then(|| {
        format!(
            "A play-off begins at least {} after the last game.",
            duration_in_words(keys.start_after)
        )
    });
    let rules = [what, of_knockout, third, Some(who.to_owned()), Some(numbers)].into_iter();
    RulesSection::new("Play-offs", rules.chain(stages.map(Some)).chain([last, pause]))
}

pub(super) fn prizes(setup: &Setup) -> RulesSection {
    let sections = &setup.event.sections;
    // If each section has prizes of its own, nobody gets those of the event.
    let is_inherited = sections.is_empty() || sections.iter().any(|section| section.prizes.is_none());
    let of_event = prizes_of(&setup.prizes, "").into_iter().filter(|_| is_inherited);
    let of_sections = sections.iter().filter_map(|section| {
        let whose = format!("Section {}: ", harmless(&section.name));
        Some(prizes_of(section.prizes.as_ref()?, &whose))
    });
    RulesSection::new("Prizes", of_event.chain(of_sections.flatten()).map(Some))
}

/// The prizes in sentences, which begin with `whose` they are.
fn prizes_of(keys: &PrizeKeys, whose: &str) -> Vec<String> {
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
        format!("{whose}Place {place}: {}{whole}.", listed(&what))
    });
    let shared = (!keys.by_place.is_empty()).then(|| {
        let whole = match keys.by_place.iter().any(Prize::is_indivisible) {
            true => "; what cannot be divided goes to whoever has the place",
            false => "",
        };
        format!("{whose}Players who are {tied} share their prizes equally{whole}.")
    });
    let fixed = (keys.winner_fixed != Cents::default()).then(|| {
        format!(
            "{whose}Of the first prize {}{currency} goes to whoever wins a tie for first; only the rest of it is shared.",
            keys.winner_fixed
        )
    });
    let points: Vec<String> = keys.points.iter().map(Points::to_string).collect();
    let points = (!points.is_empty()).then(|| {
        format!(
            "{whose}Tour points for the first {}: {}. Players who are {tied} share them equally.",
            count::of(points.len(), "place", "places"),
            points.join(", ")
        )
    });
    by_place.chain(shared).chain(fixed).chain(points).collect()
}
