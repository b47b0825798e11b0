//! What must hold for any results and any list of criteria.

use proptest::prelude::*;
use swiss_system::lot;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::standings::RankingRules;
use swiss_system::standings::criterion::Code;
use swiss_system::standings::criterion::Criterion;
use swiss_system::standings::evaluate::evaluate;
use swiss_system::standings::rank;
use swiss_system::standings::results::Results;
use swiss_system::standings::results::RoundFate;
use swiss_system::standings::table::ScoreTable;
use swiss_system::standings::term::Term;
use swiss_system::standings::unplayed::TieBreakEdition;
use swiss_system::standings::value::Value;

use super::compare::rules;
use super::generate;

/// The tournament and the rules of a number: a failure so shows a number and not forty players.
fn tournament(seed: u64) -> (Results, RankingRules) {
    (generate::results(seed), rules(seed))
}

/// The same tournament with player `i` (from 0) numbered `to[i]`.
fn renumbered(results: &Results, to: &[usize]) -> Results {
    let number = |player: PairingNumber| PairingNumber::from_index(to[player.index()]);
    let mut other = results.clone();
    other.left_out.iter_mut().for_each(|player| *player = number(*player));
    for (from, &to) in to.iter().enumerate() {
        let mut player = results.players[from].clone();
        for round in &mut player.rounds {
            match &mut round.fate {
                RoundFate::Played { opponent, .. } | RoundFate::Unfinished { opponent, .. } => {
                    *opponent = number(*opponent)
                }
                RoundFate::Forfeit { opponent, .. } => *opponent = opponent.map(number),
                RoundFate::Bye(_) | RoundFate::Free | RoundFate::Annulled => {}
            }
        }
        other.players[to] = player;
        other.submission[to] = results.submission[from];
        other.lots[to] = results.lots[from];
        other.names[to].clone_from(&results.names[from]);
        other.numbers[to] = results.numbers[from];
    }
    other
}

/// How a value comes from what counts.
#[derive(Debug, PartialEq)]
enum From {
    /// It is the sum.
    Sum,
    /// The mean.
    Mean,
    /// The mean, rounded to a whole number.
    RoundedMean,
    /// The rounded mean of the ratings, and what the percentage adds.
    Performance,
    /// The lowest rating with which the sum is expected.
    Expectation,
    /// A number that a player simply has.
    Alone,
    /// Nothing that a player has.
    Stage,
}

fn how(code: Code, edition: TieBreakEdition) -> From {
    match code {
        code if code.is_stage() => From::Stage,
        Code::AverageOfOpponentsBuchholz => From::Mean,
        Code::AverageRating if edition == TieBreakEdition::PlayedOnly => From::Mean,
        Code::AverageRating | Code::AveragePerformance | Code::AveragePerfectPerformance => From::RoundedMean,
        Code::Performance => From::Performance,
        Code::PerfectPerformance => From::Expectation,
        Code::PairingNumber | Code::Rating | Code::Lot | Code::Submitted | Code::WinRate => From::Alone,
        _ => From::Sum,
    }
}

fn check_terms(criterion: &Criterion, edition: TieBreakEdition, value: Option<Value>, terms: &[Term]) {
    let of_opponents: Vec<Term> = terms
        .iter()
        .filter(|term| term.cut.is_none() && term.opponent.is_some())
        .copied()
        .collect();
    let count = u32::try_from(of_opponents.len()).expect("few");
    let mean = || (count > 0).then(|| Term::sum(&of_opponents).divided_by(count));
    let rounded_mean = || mean().map(|mean| Value::whole(mean.rounded()));
    let how = how(criterion.code, edition);
    match (&how, value) {
        (From::Stage, value) => assert_eq!((value, terms), (None, &[][..]), "{criterion}"),
        (From::Alone, _) => assert_eq!(terms, [], "{criterion}"),
        (From::Sum, value) => assert_eq!(value, Some(Term::sum(terms)), "{criterion}: {terms:?}"),
        (From::Mean, value) => assert_eq!(value, mean(), "{criterion}: {terms:?}"),
        (From::RoundedMean, value) => assert_eq!(value, rounded_mean(), "{criterion}: {terms:?}"),
        (From::Performance | From::Expectation, None) => assert_eq!(mean(), None, "{criterion}: {terms:?}"),
        (From::Performance, Some(value)) => {
            let difference = terms.last().expect("of the percentage");
            let average = rounded_mean().expect("somebody was met");
            assert_eq!(value, average + difference.amount, "{criterion}: {terms:?}");
        }
        (From::Expectation, Some(value)) => {
            let by_one = |term: &&Term| (value - term.worth).rounded().abs() <= 800;
            assert!(terms.iter().any(|term| by_one(&term)), "{criterion} {value}: {terms:?}");
        }
    }
    for term in terms {
        if let Some(times) = term.times {
            assert_eq!(term.amount, term.worth.times(times), "{criterion}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_lot_or_the_submission_puts_all_in_order(
        seed: u64,
        last in prop::sample::select(vec![Code::Lot, Code::Submitted]),
    ) {
        let (results, mut rules) = tournament(seed);
        rules.order.push(last.into());
        let places = rank(&results, &rules).rows.into_iter().map(|row| row.place);
        prop_assert!(places.eq((1..).take(results.players.len() - results.left_out.len())));
    }

    #[test]
    fn other_numbers_for_the_players_number_the_standings_anew(seed: u64, other: u64) {
        let (mut results, rules) = tournament(seed);
        if results.numbers.is_empty() {
            results.numbers = (1..).take(results.players.len()).collect();
        }
        let to = lot::order(other, "numbers", results.players.len());
        let mut expected = rank(&results, &rules).rows;
        for row in &mut expected {
            row.player = PairingNumber::from_index(to[row.player.index()]);
        }
        prop_assert_eq!(rank(&renumbered(&results, &to), &rules).rows, expected);
    }

    #[test]
    fn a_name_changes_nothing(seed: u64, renamed: prop::sample::Index) {
        let (results, rules) = tournament(seed);
        let mut other = results.clone();
        *renamed.get_mut(&mut other.names) = "somebody else".to_owned();
        prop_assert_eq!(rank(&other, &rules), rank(&results, &rules));
    }

    #[test]
    fn what_counts_adds_up_to_the_value(seed: u64) {
        let (results, rules) = tournament(seed);
        let table = ScoreTable::new(&results, &rules);
        let mut terms = Vec::new();
        for criterion in rules.order.iter().chain(&rules.also) {
            for player in table.numbers() {
                let value = evaluate(&table, rules.primary(), criterion, player, &mut terms);
                check_terms(criterion, rules.edition, value, &terms);
            }
        }
    }
}
