//! The test that ends a match: how it is read, and what is refused.

use super::{check, loaded};
use swissmatch_stats::sprt::{Decimal, SprtModel, Units};

/// Whatever follows, a match of two players in one round.
const MATCH: &str = "[swiss]\nrounds = \"RR\"\n[sprt]\n";

#[test]
fn a_test_is_read_exactly() {
    let text =
        format!("{MATCH}elo0 = -1.75\nelo1 = \"0.25\"\nalpha = 0.001\nmodel = \"bayesian\"\ncounts = \"trinomial\"");
    let test = loaded(&text).setup.sprt.test().expect("a test");
    assert_eq!(
        [test.elo0, test.elo1, test.alpha, test.beta].map(|decimal| decimal.to_string()),
        ["-1.75", "0.25", "0.001", "0.05"]
    );
    assert_eq!((test.model, test.counts), (SprtModel::Bayesian, Units::Trinomial));
    assert_eq!(test.elo0, Decimal::from_millionths(-1_750_000));
    assert_eq!(loaded("").setup.sprt.test(), None);
    let idle = loaded("[sprt]\nalpha = 0.01").warnings;
    let warning = "sprt: there is no test without sprt.elo0 and sprt.elo1, so its other keys do nothing";
    assert!(idle.iter().any(|told| told == warning), "{idle:?}");
}

#[test]
fn what_is_no_test_is_refused() {
    let refused = |keys: &str, expected: &str| check(&format!("{MATCH}{keys}"), expected);
    refused(
        "elo0 = 0",
        "4:1: sprt.elo0: H1 is missing; write sprt.elo1 too, such as elo1 = 5",
    );
    refused(
        "elo1 = 0",
        "4:1: sprt.elo1: H0 is missing; write sprt.elo0 too, such as elo0 = 0",
    );
    refused(
        "elo0 = 5\nelo1 = 5",
        "5:1: sprt.elo1: H1 must say more than H0; make sprt.elo1 greater than sprt.elo0",
    );
    refused(
        "elo0 = 0\nelo1 = 5\nmodel = \"bayesian\"",
        "6:1: sprt.model: BayesElo's model knows games, and no pairs; write counts = \"trinomial\" under [sprt], or another model",
    );
    refused(
        "elo0 = 0\nelo1 = 5\nalpha = 0.5",
        "6:9: sprt.alpha: expected a probability above 0 and below 0.5, such as 0.05, found 0.5",
    );
    refused(
        "elo0 = 0\nelo1 = 1e3",
        "5:8: sprt.elo1: expected \"none\" or a difference in Elo, such as 5 or -2.5, with at most six digits after the \
         point, found 1e3",
    );
    refused(
        "elo0 = 0\nelo1 = 5\n[mini_match]\ngames = 1",
        "4:1: sprt.elo0: a test is for more games than one; write an even number under mini_match.games",
    );
    let three = "[swiss]\nrounds = \"RR\"\n[sprt]\nelo0 = 0\nelo1 = 5\n[[player]]\nname = \"C\"\ncommand = \"c\"";
    check(
        three,
        "4:1: sprt.elo0: a test is for a match of two players in one round; write rounds = \"RR\" under [swiss] and two \
         players, and the games in mini_match.games",
    );
}
