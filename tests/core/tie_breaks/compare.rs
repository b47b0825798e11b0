//! Random tournaments and random lists of criteria: every value and every place by the product and by the wording.

use swiss_system::lot::Draws;
use swiss_system::standings::RankingRules;
use swiss_system::standings::criterion::Code;
use swiss_system::standings::criterion::Criterion;
use swiss_system::standings::rank;
use swiss_system::standings::results::Results;
use swiss_system::standings::unplayed::{BlackWins, TieBreakEdition};

use super::generate;
use super::literal;
use super::literal::Has;
use super::literal::fraction::Fraction;
use super::literal::view::View;

/// Tournaments in every test run.
const FEW: u64 = 250;
/// Tournaments of a long run.
const MANY: u64 = 40_000;

/// All texts of unplayed rounds.
const EDITIONS: [TieBreakEdition; 4] = [
    TieBreakEdition::Of2026,
    TieBreakEdition::Of2024,
    TieBreakEdition::Of2022,
    TieBreakEdition::PlayedOnly,
];

/// A code with modifiers that it takes.
fn modified(draws: &mut Draws, code: Code) -> Criterion {
    let mut text = code.name().to_owned();
    let modifiers: [&[&str]; 6] = [
        &["", ":MP", ":GP"],
        &["", "/C1", "/C2", "/M1", "/M2"],
        &["", "/P"],
        &["", "/F"],
        &["", "/R"],
        &["", "/L+1", "/L-1", "/L+3"],
    ];
    for choices in modifiers {
        let longer = text.clone() + choices[draws.below(choices.len() as u64) as usize];
        if longer.parse::<Criterion>().is_ok() {
            text = longer;
        }
    }
    text.parse().expect("tried before")
}

/// RankingRules by a number: some criteria that rank, and every code once more that does not.
pub(crate) fn rules(seed: u64) -> RankingRules {
    let draws = &mut Draws::new(seed, "rules");
    let codes: Vec<Code> = Code::all().collect();
    let any = |draws: &mut Draws| codes[draws.below(codes.len() as u64) as usize];
    let mut order = Vec::new();
    // Mostly points first, and encounters among those level; also anything at all.
    if draws.below(4) > 0 {
        let first = [Code::Points, Code::MatchPoints, Code::GamePoints][draws.below(3) as usize];
        order.push(Criterion::from(first));
    }
    for _ in 0..draws.below(6) {
        let stages = [
            Code::DirectEncounter,
            Code::ExtendedDirectEncounter,
            Code::ImmortalDirectEncounter,
            Code::H2h,
        ];
        let code = match draws.below(3) {
            0 => stages[draws.below(4) as usize],
            _ => any(draws),
        };
        let criterion = modified(draws, code);
        if criterion.code.may_be_repeated() || !order.contains(&criterion) {
            order.push(criterion);
        }
    }
    let also = codes
        .iter()
        .map(|&code| modified(draws, code))
        .filter(|criterion| !order.contains(criterion));
    RankingRules {
        also: also.collect(),
        order,
        edition: EDITIONS[draws.below(4) as usize],
        unrated: (draws.below(2) == 0).then_some(1500),
        black_wins: match draws.below(2) {
            0 => BlackWins::OverTheBoard,
            _ => BlackWins::WithForfeits,
        },
    }
}

/// Every value and every place that differs, in words.
fn differences(results: &Results, rules: &RankingRules) -> Vec<String> {
    let standings = rank(results, rules);
    let view = View::new(results, rules);
    let (columns, places) = literal::standings(&view, &rules.order, &rules.also);
    assert_eq!(standings.criteria.len(), columns.len());
    let mut differences = Vec::new();
    for row in &standings.rows {
        let player = row.player.index();
        for ((criterion, cell), column) in standings.criteria.iter().zip(&row.cells).zip(&columns) {
            let has = Has {
                value: cell.value.map(Fraction::from),
                all_met: cell.all_met,
            };
            if has != column[player] {
                let edition = rules.edition;
                differences.push(format!(
                    "{criterion} {edition:?} player {player}: {has:?}, by the text {:?}",
                    column[player]
                ));
            }
        }
        if row.place as usize != places[player] {
            differences.push(format!(
                "place of {player}: {}, by the text {}, by {:?}",
                row.place,
                places[player],
                rules.order.iter().map(ToString::to_string).collect::<Vec<_>>()
            ));
        }
    }
    differences
}

/// Compares so many tournaments and says how many values that were.
fn compare(seeds: std::ops::Range<u64>) {
    let (mut tournaments, mut players, mut values, mut different) = (0, 0, 0, 0);
    let mut first = Vec::new();
    for seed in seeds {
        let (results, rules) = (generate::results(seed), rules(seed));
        let differences = differences(&results, &rules);
        tournaments += 1;
        players += results.players.len();
        values += results.players.len() * (rules.order.len() + rules.also.len());
        different += differences.len();
        let said = differences
            .iter()
            .take(3)
            .map(|difference| format!("{seed}: {difference}"));
        first.extend(said.take(40_usize.saturating_sub(first.len())));
    }
    println!("{tournaments} tournaments, {players} players, {values} values: {different} differ");
    assert!(
        different == 0,
        "{different} of {values} values and places differ:\n{}",
        first.join("\n")
    );
}

#[test]
fn random_tournaments_have_the_values_of_the_wording() {
    compare(0..FEW);
}

#[test]
#[ignore = "takes a minute or two: make tie-breaks-check"]
fn many_random_tournaments_have_the_values_of_the_wording() {
    compare(FEW..MANY);
}

/// What the comparison rests on: that nothing of it is always the same.
#[test]
fn tournaments_are_of_all_kinds() {
    use swiss_system::standings::results::Bye;
    use swiss_system::standings::results::MatchResult;
    use swiss_system::standings::results::ResultsFormat;
    use swiss_system::standings::results::RoundFate;
    let all: Vec<Results> = (0..FEW).map(generate::results).collect();
    let rounds = || {
        all.iter()
            .flat_map(|results| &results.players)
            .flat_map(|player| &player.rounds)
    };
    let fates = |is: &dyn Fn(&RoundFate) -> bool| rounds().filter(|round| is(&round.fate)).count();
    for bye in [Bye::PairingAllocated, Bye::FullPoint, Bye::HalfPoint, Bye::ZeroPoint] {
        assert!(fates(&|fate| *fate == RoundFate::Bye(bye)) > 20, "{bye:?}");
    }
    for result in [MatchResult::Won, MatchResult::Drawn, MatchResult::Lost] {
        assert!(fates(&|fate| fate.is_forfeit(result)) > 20, "{result:?}");
    }
    assert!(fates(&|fate| matches!(fate, RoundFate::Forfeit { opponent: None, .. })) > 20);
    assert!(fates(&|fate| *fate == RoundFate::Annulled) > 20);
    assert!(fates(&|fate| *fate == RoundFate::Free) > 20);
    assert!(fates(&|fate| matches!(fate, RoundFate::Unfinished { .. })) > 20);
    assert!(rounds().any(|round| round.repeat) && rounds().any(|round| round.games.played() == 40));
    assert!(
        all.iter()
            .any(|results| results.players.iter().any(|player| player.ratings.is_empty()))
    );
    assert!(
        all.iter()
            .filter(|results| results.format == ResultsFormat::RoundRobin)
            .count()
            > 10
    );
    assert!(
        all.iter().any(|results| results.players.len() == 2) && all.iter().any(|results| results.players.len() > 35)
    );
    let met = |is: &dyn Fn(&Criterion) -> bool| (0..FEW).filter(|&seed| rules(seed).order.iter().any(is)).count();
    for code in Code::all() {
        assert!(met(&|criterion| criterion.code == code) > 0, "{code:?} ranks somewhere");
    }
}
