//! The policy of byes, step by step.

use swiss_system::count;
use swiss_system::pairing::bye::ByeCriterion;
use swiss_system::pairing::dutch::rules::DutchEdition;
use swiss_system::pairing::rounds::{RoundPlan, TournamentFormat};
use swiss_system::pairing::system::PairingSystem;
use swiss_system::score::Points;

use super::{RulesPart, RulesSection, tables};
use swissmatch_tournament::setup::{ByeAgain, Setup};

/// `1 match point`, `0.5 match points`
fn so_many(points: Points, what: &str) -> String {
    match points == Points::ONE {
        true => format!("1 {what} point"),
        false => format!("{points} {what} points"),
    }
}

/// The policy of byes of an event of this length.
pub(super) fn byes(setup: &Setup, plan: RoundPlan) -> RulesSection {
    let tables = tables(setup, plan);
    if !tables.iter().any(RulesPart::has_byes) {
        let free = "There are no byes. A player without an opponent has a free round, which gives no points.";
        return RulesSection::new("Byes", [Some(free.to_owned())]);
    }
    let free = (!tables.iter().all(RulesPart::has_byes)).then(|| {
        "There are byes in a Swiss alone; elsewhere a player without an opponent has a free round, which gives no points."
            .to_owned()
    });
    let by_table = tables.iter().any(RulesPart::has_byes_by_table).then(|| {
        "The table says who meets whom and, where the number of players is odd, who has the bye. A player whose opponent by the table is \
         gone or absent has a bye, too."
            .to_owned()
    });
    let has_a_swiss = tables.iter().any(RulesPart::has_a_swiss);
    let of_swiss = if has_a_swiss { steps(setup) } else { Vec::new() };
    let (match_points, game_points) = setup.bye_points().in_round(setup.mini_match.games);
    let worth = worth("A bye is worth", match_points, game_points);
    let again = match setup.bye.again {
        _ if !has_a_swiss || !has_rights(setup) => None,
        ByeAgain::Bye => None,
        ByeAgain::Requested => {
            Some("A player who is left over without a right to the bye gets what a requested bye is worth.")
        }
        ByeAgain::Zero => Some("A player who is left over without a right to the bye gets nothing."),
    };
    let (requests, may_ask) = requests(setup, plan, &tables);
    let of_requested = (may_ask || again.is_some() && setup.bye.again == ByeAgain::Requested).then(|| {
        let scoring = &setup.scoring;
        let game = scoring.game.times(setup.mini_match.games);
        self::worth("A requested bye is worth", scoring.r#match.draw, game.draw)
    });
    let rules = [by_table].into_iter().chain(of_swiss.into_iter().map(Some));
    let rules = rules.chain([
        free,
        Some(worth),
        again.map(str::to_owned),
        of_requested,
        Some(requests),
    ]);
    RulesSection::new("Byes", rules)
}

fn worth(what: &str, match_points: Points, game_points: Points) -> String {
    format!(
        "{what} {} and {}.",
        so_many(match_points, "match"),
        so_many(game_points, "game")
    )
}

/// Whether the pairing system knows a right to the bye.
const fn has_rights(setup: &Setup) -> bool {
    matches!(setup.swiss.pairing, PairingSystem::UsChess | PairingSystem::Immortal)
}

/// The steps that find the player with the bye in a Swiss.
fn steps(setup: &Setup) -> Vec<String> {
    let odd = "When the number of players is odd, one player has the bye.";
    let in_turn = |grounds: &[&str]| {
        let numbered = (1..)
            .zip(grounds)
            .map(|(number, ground): (usize, _)| format!("({number}) {ground}"));
        let numbered: Vec<String> = numbered.collect();
        format!("{odd} These decide who, one after the other: {}.", numbered.join("; "))
    };
    let of_rights = |who: &str| {
        let who = format!("{who}; where nobody may, all who are present");
        in_turn(&[
            &who,
            "of these the fewest times left over so far, whatever that gave",
            "the fewest repeated meetings in the round of the others",
            "the fewest points",
            "the lowest rating, the unrated lowest",
            "the largest pairing number",
        ])
    };
    match setup.swiss.pairing {
        PairingSystem::MatchPoints => {
            let order = setup.bye.order.iter().map(|criterion| criterion_of_bye(*criterion));
            let order: Vec<&str> = order.chain(["the largest pairing number"]).collect();
            vec![in_turn(&order)]
        }
        PairingSystem::Immortal => vec![of_rights("who has had no bye may have it")],
        PairingSystem::UsChess => vec![
            of_rights(
                "who has had no full-point bye may have it, but no unrated player who would then have fewer than four games",
            ),
            "These rules of byes follow a text that is shorter than the rulebook of US Chess: what that says besides of half-point byes \
             (22C6) and of unrated players and late entrants (28L) does not apply."
                .to_owned(),
        ],
        PairingSystem::Dutch => vec![in_turn(&[
            match setup.swiss.edition {
                DutchEdition::Of2026 => {
                    "nobody who has had it, or has as many points of a round without playing as a win gives"
                }
                DutchEdition::Of2017 => "nobody who has had it, or has won by forfeit",
            },
            "the others can be paired without a second meeting",
            "the fewest points",
            "then as the rules of the system go on (C.04.3), in the end the largest pairing number",
        ])],
        PairingSystem::DoubleSwiss => vec![in_turn(&[
            "nobody who has had it, has won by forfeit, or has as many points of a round without playing as a win gives",
            "the others can be paired without a second meeting",
            "the fewest points",
            "the most rounds with a game",
            "the largest pairing number",
        ])],
    }
}

/// A sentence on the half-point byes that a player may ask for, and whether any may be asked for.
fn requests(setup: &Setup, plan: RoundPlan, tables: &[RulesPart]) -> (String, bool) {
    // Stages and sections of four take no requests, nor do tables that fix the pairs.
    let is_asked = matches!(plan.format, TournamentFormat::Swiss | TournamentFormat::Sections);
    let swiss = tables
        .iter()
        .filter(|table| is_asked && table.format == TournamentFormat::Swiss);
    let mut by_rounds: Vec<(u32, u32)> = swiss
        .map(|table| (table.rounds, setup.bye.requests_in(table.rounds)))
        .collect();
    by_rounds.sort_unstable();
    by_rounds.dedup();
    let of = |byes: u32| match byes {
        0 => "for no bye".to_owned(),
        1 => "for one half-point bye, before its round is paired".to_owned(),
        byes => format!("for {byes} half-point byes, each before its round is paired"),
    };
    if by_rounds.iter().all(|(_, byes)| *byes == 0) {
        return ("Nobody may ask for a bye.".to_owned(), false);
    }
    let sentence = match by_rounds.as_slice() {
        [(_, byes)] => format!("A player may ask {}.", of(*byes)),
        several => {
            let each = several
                .iter()
                .map(|(rounds, byes)| format!("in {} {}", count::of(*rounds as usize, "round", "rounds"), of(*byes)));
            format!("A player may ask: {}.", each.collect::<Vec<_>>().join("; "))
        }
    };
    (sentence, true)
}

const fn criterion_of_bye(criterion: ByeCriterion) -> &'static str {
    match criterion {
        ByeCriterion::FewestByes => "the fewest byes so far",
        ByeCriterion::LowestMatchPoints => "the fewest match points",
        ByeCriterion::WorstPreviousPlace => "the worst place in the standings before the round",
        ByeCriterion::EarliestSubmission => "the earliest submission",
        ByeCriterion::LowestRating => "the lowest rating",
    }
}
