//! Random tournaments of all kinds, each from a number; small ones beside the literal definition.

use swiss_system::lot::Draws;
use swiss_system::pairing::difference::ColorComparison;
use swiss_system::pairing::difference::difference;
use swiss_system::pairing::dutch;
use swiss_system::pairing::dutch::rules::DutchEdition;
use swiss_system::pairing::dutch::rules::TpnParity;
use swiss_system::pairing::file::before_round;
use swiss_system::pairing::file::pairing_of_round;
use swiss_system::pairing::file::rounds_played;
use swiss_system::pairing::generate::Rate;
use swiss_system::pairing::generate::Rates;
use swiss_system::pairing::generate::Spec;
use swiss_system::pairing::generate::generate;
use swiss_system::pairing::infeasible::NoPairingError;
use swiss_system::score::Points;
use swiss_system::trf::Tournament;

use super::criteria;
use super::criteria::Verdict;
use super::literal;
use super::literal::TooLarge;

/// Work granted to the literal definition for one round.
const STEPS: u64 = 1_000_000;

/// Who plays by which text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    /// The text in force.
    pub(crate) edition: DutchEdition,
    /// The reading of article 5.2.5.
    pub(crate) tpn_parity: TpnParity,
    /// The fewest players.
    pub(crate) fewest: u32,
    /// The most players.
    pub(crate) most: u32,
    /// Whether there are other points than 1-½-0, acceleration and forbidden pairs, which other programs do not all know.
    pub(crate) has_extras: bool,
}

/// A tournament of some kind: everything else hangs on the seed. Where a round has no pairing it ends before that.
pub(crate) fn tournament(kind: Kind, rng_seed: u64) -> Tournament {
    let mut draws = Draws::new(rng_seed, "kind of tournament");
    let mut below = |bound: u32| u32::try_from(draws.below(u64::from(bound))).expect("a small number");
    let players = kind.fewest + below(kind.most - kind.fewest + 1);
    let all_play_all = players - 1 + players % 2;
    let rounds = 1 + below(all_play_all.clamp(1, 11));
    let mut rate = |values: [u32; 3]| Rate::per_mille(values[below(3) as usize]);
    let rates = Rates {
        draw: rate([50, 300, 600]),
        forfeit: rate([0, 10, 100]),
        double_forfeit: rate([0, 5, 30]),
        half_point_bye: rate([0, 20, 150]),
        zero_point_bye: rate([0, 20, 100]),
        late_entry: rate([0, 30, 200]),
        withdrawal: rate([0, 50, 300]),
    };
    let mut spec = Spec {
        edition: kind.edition,
        tpn_parity: kind.tpn_parity,
        lowest_rating: [1000, 1600, 2340][below(3) as usize],
        rates,
        ..Spec::new(players, rounds, rng_seed)
    };
    if kind.has_extras {
        let [third, half] = [Points::whole(3), Points::HALF];
        spec.points = [
            [Points::ONE, half, Points::ZERO],
            [third, Points::ONE, Points::ZERO],
            [third, Points::whole(2), Points::ONE],
        ][below(3) as usize];
        spec.is_baku = below(3) == 0;
        spec.forbidden_pairs = below(3) * (players / 4);
    }
    generate(&spec).expect("the spec is right").tournament
}

/// Players of most tournaments that every test run pairs literally.
const SMALL: Kind = Kind {
    edition: DutchEdition::Of2026,
    tpn_parity: TpnParity::Participants,
    fewest: 2,
    most: 10,
    has_extras: true,
};

#[test]
fn small_tournaments_of_2026_are_paired_as_the_text_says() {
    compare_with_literal(SMALL, 400);
}

#[test]
fn small_tournaments_of_2017_are_paired_as_the_text_says() {
    let edition = DutchEdition::Of2017;
    compare_with_literal(Kind { edition, ..SMALL }, 400);
}

#[test]
fn larger_tournaments_are_paired_as_the_text_says() {
    for edition in [DutchEdition::Of2026, DutchEdition::Of2017] {
        let kind = Kind {
            edition,
            fewest: 11,
            most: 24,
            ..SMALL
        };
        compare_with_literal(kind, 100);
    }
}

fn compare_with_literal(kind: Kind, tournaments: u64) {
    let mut rounds = 0;
    for seed in 1..=tournaments {
        let made = tournament(kind, seed);
        let last = made.rounds().expect("a record 142").min(rounds_played(&made) + 1);
        for round in 1..=last {
            check_round(&made, kind, seed, round);
            rounds += 1;
        }
    }
    assert!(rounds > tournaments * 2, "{rounds} rounds were compared");
}

/// Rounds that another program once paired better: who has the bye of a collapsed last bracket.
#[test]
fn rounds_that_were_paired_wrongly_once_are_paired_as_the_text_says() {
    let kind = Kind {
        edition: DutchEdition::Of2017,
        tpn_parity: TpnParity::Listed,
        fewest: 2,
        most: 24,
        has_extras: false,
    };
    for (seed, round) in [
        (3_002_161, 7),
        (3_003_805, 10),
        (3_005_956, 9),
        (3_006_994, 10),
        (3_008_973, 11),
        (3_009_341, 10),
    ] {
        check_round(&tournament(kind, seed), kind, seed, round);
    }
}

/// A round paired from the file is what the file has, and what the literal definition says.
fn check_round(made: &Tournament, kind: Kind, seed: u64, round: u32) {
    let at = format!("{kind:?}, seed {seed}, round {round}");
    let mut before = before_round(made, round).unwrap_or_else(|error| panic!("{at}: {error}"));
    before.rules.tpn_parity = kind.tpn_parity;
    let ours = match dutch::pair(&before.history, &before.rules) {
        Err(NoPairingError::NobodyPresent) => return,
        ours => ours.ok(),
    };
    if round <= rounds_played(made) {
        let in_file = pairing_of_round(made, round);
        let again = ours.as_ref().expect("it was paired once");
        assert_eq!(difference(again, &in_file, ColorComparison::Compared), None, "{at}");
    }
    let literal = literal::pair_within(&before.history, &before.rules, STEPS);
    let literal = literal.unwrap_or_else(|TooLarge| panic!("{at}: too large to be tried"));
    if let (Some(ours), Some(literal)) = (&ours, &literal) {
        let verdict = criteria::compare(&before.history, &before.rules, ours, literal);
        assert_eq!(verdict, Verdict::Same, "{at}: ours first");
    }
    assert_eq!(ours, literal, "{at}");
}
