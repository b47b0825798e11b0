//! Prizes of events: the rules of the Grand Chess Tour 2024 by their numbers (its second section, and its third, whose articles
//! count as 3.x), City Chess, and what always holds.

use proptest::prelude::*;

use super::*;
use crate::setup::Prize;
use crate::state::RefinedTie;

fn money(text: &str) -> Cents {
    text.parse().expect("money")
}

fn keys(prizes: &[&str], winner_fixed: &str) -> PrizeKeys {
    PrizeKeys {
        by_place: prizes.iter().map(|text| Prize::from(money(text))).collect(),
        winner_fixed: money(winner_fixed),
        ..PrizeKeys::default()
    }
}

/// Tour points by place, and those for winning outright.
fn with_points(points: &[i64], bonus: i64, keys: PrizeKeys) -> PrizeKeys {
    PrizeKeys {
        points: points.iter().map(|&points| Points::whole(points)).collect(),
        outright_bonus: Points::whole(bonus),
        ..keys
    }
}

/// Players numbered from 1, level in groups of these sizes; by tie-breaks all told apart.
fn told_apart(sizes: &[u32], refined: &[RefinedTie<u32>]) -> Placing<u32> {
    let levels = groups(sizes);
    let singles = levels.iter().flatten().map(|&player| vec![player]).collect();
    Placing::new(levels, singles, refined)
}

/// The same, with nothing that tells them apart.
fn level(sizes: &[u32], refined: &[RefinedTie<u32>]) -> Placing<u32> {
    Placing::new(groups(sizes), groups(sizes), refined)
}

fn groups(sizes: &[u32]) -> Vec<Vec<u32>> {
    let mut first = 1;
    let groups = sizes.iter().map(|&size| {
        let group = (first..first + size).collect();
        first += size;
        group
    });
    groups.collect()
}

/// A play-off for first place: its winner, and the others.
fn won_by(winner: u32, others: &[u32]) -> RefinedTie<u32> {
    RefinedTie {
        first_place: 1,
        parts: vec![vec![winner], others.to_vec()],
        is_over: true,
    }
}

fn amounts(statement: &Statement<u32>) -> Vec<(u32, String)> {
    let amount = |account: &Account<u32>| (account.player, account.money().to_string());
    statement.accounts.iter().map(amount).collect()
}

fn points(statement: &Statement<u32>) -> Vec<String> {
    statement
        .accounts
        .iter()
        .map(|account| account.points().exact())
        .collect()
}

fn owned<const N: usize>(expected: [(u32, &str); N]) -> Vec<(u32, String)> {
    expected.map(|(player, amount)| (player, amount.to_owned())).into()
}

/// The worked number of the rules: 40,000 / 30,000 / 20,000, three tied for first in a classical event.
#[test]
fn gct_3_6_the_winner_has_10000_and_an_equal_share_of_the_rest() {
    let placing = told_apart(&[3, 2], &[won_by(2, &[1, 3])]);
    let statement = statement(&placing, &keys(&["40000", "30000", "20000"], "10000"));
    let expected = [
        (2, "36666.67"),
        (1, "26666.67"),
        (3, "26666.66"),
        (4, "0.00"),
        (5, "0.00"),
    ];
    assert_eq!(amounts(&statement), owned(expected));
    let share = PrizeLine::Share {
        places: (1, 3),
        pot: money("80000"),
        among: 3,
        money: money("26666.66"),
    };
    let winner = &statement.accounts[0];
    assert_eq!(
        winner.lines,
        [share, PrizeLine::Fixed(money("10000")), PrizeLine::SpareCent]
    );
    assert_eq!(statement.pending, []);
}

#[test]
fn gct_2_6_the_winner_has_5000_and_half_of_the_rest() {
    let placing = level(&[2, 1], &[won_by(1, &[2])]);
    let statement = statement(&placing, &keys(&["40000", "30000", "20000"], "5000"));
    let expected = [(1, "37500.00"), (2, "32500.00"), (3, "20000.00")];
    assert_eq!(amounts(&statement), owned(expected));
}

#[test]
fn gct_2_6_who_wins_without_a_tie_has_the_first_prize() {
    let statement = statement(&told_apart(&[1, 1], &[]), &keys(&["40000", "30000"], "5000"));
    assert_eq!(amounts(&statement), owned([(1, "40000.00"), (2, "30000.00")]));
    assert_eq!(statement.accounts[0].lines.len(), 1);
}

#[test]
fn gct_2_7_a_play_off_leaves_the_tour_points_as_they_are() {
    let keys = with_points(&[12, 10, 8, 7], 1, keys(&[], "0"));
    for winner in [1, 2, 3] {
        let others: Vec<u32> = (1..=3).filter(|other| *other != winner).collect();
        let placing = level(&[3, 1], &[won_by(winner, &others)]);
        assert_eq!(points(&statement(&placing, &keys)), ["10", "10", "10", "7"]);
    }
}

#[test]
fn gct_3_7_the_bonus_is_for_winning_outright() {
    let keys = with_points(&[12, 10, 8], 1, keys(&[], "0"));
    let bonus = |placing| points(&statement(&placing, &keys));
    assert_eq!(bonus(told_apart(&[1, 1, 1], &[])), ["13", "10", "8"]);
    assert_eq!(
        bonus(level(&[2, 1], &[won_by(2, &[1])])),
        ["11", "11", "8"],
        "a play-off was needed"
    );
    assert_eq!(bonus(level(&[2, 1], &[])), ["11", "11", "8"], "or would be");
    assert_eq!(
        bonus(told_apart(&[2, 1], &[])),
        ["11", "11", "8"],
        "tie-breaks are no outright win"
    );
}

#[test]
fn gct_2_8_other_ties_share_money_and_points_without_a_play_off() {
    let keys = with_points(&[12, 10, 8, 7], 1, keys(&["400", "300", "200", "100.01"], "50"));
    let statement = statement(&level(&[1, 3], &[]), &keys);
    assert_eq!(
        amounts(&statement),
        owned([(1, "400.00"), (2, "200.01"), (3, "200.00"), (4, "200.00")])
    );
    assert_eq!(points(&statement), ["13", "25/3", "25/3", "25/3"]);
    assert_eq!(statement.pending, []);
}

#[test]
fn gct_3_8_fewer_prizes_than_players_tied() {
    let statement = statement(&level(&[2, 4], &[won_by(1, &[2])]), &keys(&["50", "30", "10"], "20"));
    assert_eq!(
        amounts(&statement),
        owned([
            (1, "50.00"),
            (2, "30.00"),
            (3, "2.50"),
            (4, "2.50"),
            (5, "2.50"),
            (6, "2.50")
        ])
    );
}

#[test]
fn more_prizes_than_players() {
    let statement = statement(&level(&[2], &[]), &keys(&["50", "30", "10", "5"], "0"));
    assert_eq!(amounts(&statement), owned([(1, "40.00"), (2, "40.00")]));
    assert_eq!(statement.unclaimed, Some(3..=4));
}

#[test]
fn while_the_winner_is_unknown_nothing_is_guessed() {
    let keys = keys(&["40000", "30000", "20000"], "10000");
    let playing = RefinedTie {
        first_place: 1,
        parts: vec![vec![1, 2, 3]],
        is_over: false,
    };
    for placing in [level(&[3], &[]), told_apart(&[3], &[playing])] {
        let statement = statement(&placing, &keys);
        let each = "26666.66";
        assert_eq!(amounts(&statement), owned([(1, each), (2, each), (3, each)]));
        let among = vec![1, 2, 3];
        let pending = |what| Pending {
            what,
            among: among.clone(),
        };
        assert_eq!(
            statement.pending,
            [
                pending(AwaitedPrize::Fixed(money("10000"))),
                pending(AwaitedPrize::SpareCents(2))
            ]
        );
    }
}

/// "Indivisible" is a flag of the prize: it goes whole by final place, the rest is shared.
#[test]
fn city_chess_indivisible_prizes_go_whole_by_final_place() {
    let mut keys = keys(&["100", "50", "20"], "0");
    keys.by_place[0].trophy = Some("Cup".to_owned());
    keys.by_place[1].indivisible = true;
    let statement = |placing: &Placing<u32>| super::statement(placing, &keys);
    let whole = statement(&told_apart(&[3], &[won_by(2, &[1, 3])]));
    assert_eq!(amounts(&whole), owned([(2, "40.00"), (1, "90.00"), (3, "40.00")]));
    assert_eq!(whole.accounts[0].trophies().collect::<Vec<_>>(), ["Cup"]);
    assert_eq!(whole.pending, []);

    let open = statement(&level(&[2, 1], &[]));
    assert_eq!(amounts(&open), owned([(1, "50.00"), (2, "50.00"), (3, "20.00")]));
    let cup = AwaitedPrize::Trophy {
        place: 1,
        name: "Cup".to_owned(),
    };
    let second = AwaitedPrize::Whole {
        place: 2,
        money: money("50"),
    };
    let pending: Vec<_> = open
        .pending
        .iter()
        .map(|pending| (&pending.what, &pending.among))
        .collect();
    assert_eq!(pending, [(&cup, &vec![1, 2]), (&second, &vec![1, 2])]);
}

/// Sizes of levels, a table of prizes in cents and which of them are indivisible, the fixed part, who of the first level wins
/// its play-off, if any, and whether tie-breaks tell everybody apart.
type PrizeCase = (Vec<u32>, Vec<(u64, bool)>, u64, Option<u32>, bool);

fn cases() -> impl Strategy<Value = PrizeCase> {
    (
        prop::collection::vec(1_u32..6, 1..6),
        prop::collection::vec((0_u64..500, prop::bool::weighted(0.2)), 0..12),
        0_u64..500,
        prop::option::of(0_u32..6),
        any::<bool>(),
    )
}

fn case(sizes: &[u32], winner: Option<u32>, is_told_apart: bool) -> Placing<u32> {
    let play_off = winner.map(|winner| {
        let winner = winner % sizes[0] + 1;
        let others: Vec<u32> = (1..=sizes[0]).filter(|other| *other != winner).collect();
        won_by(winner, &others)
    });
    let refined: Vec<_> = play_off.filter(|_| sizes[0] > 1).into_iter().collect();
    if is_told_apart {
        told_apart(sizes, &refined)
    } else {
        level(sizes, &refined)
    }
}

proptest! {
    /// What is given and what is pending are the prizes of the places that there are players for, to the cent; and the tour
    /// points of those places, exactly, with the bonus where one won outright.
    #[test]
    fn nothing_is_lost_and_nothing_is_made((sizes, prizes, fixed, winner, is_told_apart) in cases()) {
        let placing = case(&sizes, winner, is_told_apart);
        let keys = PrizeKeys {
            by_place: prizes.iter().map(|&(cents, indivisible)| Prize {
                money: Cents::new(cents),
                indivisible,
                trophy: None,
            }).collect(),
            winner_fixed: Cents::new(fixed),
            points: prizes.iter().map(|&(points, _)| Points::whole(points as i64)).collect(),
            outright_bonus: Points::ONE,
            ..PrizeKeys::default()
        };
        let statement = statement(&placing, &keys);
        let players = placing.order.len();
        let pot: Cents = keys.by_place.iter().take(players).map(|prize| prize.money).sum();
        let given: Cents = statement.accounts.iter().map(Account::money).sum();
        let pending: Cents = statement.pending.iter().map(|pending| pending.what.money()).sum();
        prop_assert_eq!(given + pending, pot);
        if placing.winner.is_some() && is_told_apart {
            prop_assert_eq!(&statement.pending, &[]);
        }
        let bonus = if sizes[0] == 1 { Value::whole(1) } else { Value::ZERO };
        let points: Value = statement.accounts.iter().map(Account::points).sum();
        let covered: Points = keys.points.iter().take(players).sum();
        prop_assert_eq!(points, Value::from(covered) + bonus);
    }

    /// Those who are level have the same, but for a cent, the winner's fixed part, and what cannot be divided.
    #[test]
    fn players_who_are_level_have_equal_shares((sizes, prizes, fixed, winner, is_told_apart) in cases()) {
        let placing = case(&sizes, winner, is_told_apart);
        let mut keys = keys(&[], "0");
        keys.by_place = prizes.iter().map(|&(cents, _)| Prize::from(Cents::new(cents))).collect();
        keys.winner_fixed = Cents::new(fixed);
        let statement = statement(&placing, &keys);
        let shared = |account: &Account<u32>| {
            let lines = account.lines.iter().filter(|line| !matches!(line, PrizeLine::Fixed(_)));
            lines.map(PrizeLine::money).sum::<Cents>()
        };
        let mut first = 0;
        for level in &placing.levels {
            let shares: Vec<Cents> = statement.accounts[first..first + level.len()].iter().map(shared).collect();
            prop_assert!(shares.is_sorted_by(|one, other| one >= other), "spare cents by placing");
            prop_assert!(shares[0] <= shares[level.len() - 1] + Cents::new(1));
            first += level.len();
        }
    }

    /// With divisible prizes that do not rise with the place, and a first prize that stays the largest without the winner's
    /// part, nobody has less than anybody placed behind.
    #[test]
    fn nobody_has_less_than_anybody_behind((sizes, prizes, fixed, winner, is_told_apart) in cases()) {
        let placing = case(&sizes, winner, is_told_apart);
        let mut cents: Vec<u64> = prizes.iter().map(|&(cents, _)| cents).collect();
        cents.sort_unstable_by(|one, other| other.cmp(one));
        let lead = cents.first().map_or(0, |first| first - cents.get(1).unwrap_or(&0));
        let mut keys = keys(&[], "0");
        keys.by_place = cents.iter().map(|&cents| Prize::from(Cents::new(cents))).collect();
        keys.winner_fixed = Cents::new(fixed.min(lead));
        let statement = statement(&placing, &keys);
        let money: Vec<Cents> = statement.accounts.iter().map(Account::money).collect();
        prop_assert!(money.is_sorted_by(|one, other| one >= other), "{money:?}");
    }
}
