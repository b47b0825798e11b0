//! Counts, and the figures that they give.

mod interval;

use super::*;

#[test]
fn games_and_pairs_are_counted() {
    use Score::{Draw, Loss, Win};
    let (mut pairs, mut games) = (Pairs::default(), Wdl::default());
    let all = [
        [Win, Win],
        [Win, Loss],
        [Loss, Win],
        [Draw, Draw],
        [Draw, Loss],
        [Win, Draw],
        [Loss, Loss],
    ];
    for pair in all {
        pairs += pair;
        pair.into_iter().for_each(|score| games += score);
    }
    assert_eq!(pairs.pentanomial(), [1, 1, 3, 1, 1]);
    assert_eq!((pairs.count(), pairs.games(), games.games()), (7, games, 14));
    assert_eq!((pairs.draw_ratio(), pairs.pairs_ratio()), (Some(3.0 / 7.0), Some(1.0)));
    assert_eq!(pairs.wl_dd_ratio(), Some(2.0));
    assert_eq!(pairs.of_the_other().games(), games.of_the_other());
}

#[test]
fn what_is_no_number_is_none() {
    assert_eq!(Wdl::default().figures(), None);
    assert_eq!(Pairs::default().pairs_ratio(), None);
    let won = Pairs {
        ww: 3,
        ..Pairs::default()
    };
    let figures = won.figures().expect("three pairs");
    assert_eq!(
        (figures.score, figures.elo, figures.nelo, figures.los),
        (1.0, None, None, None)
    );
    assert_eq!(won.pairs_ratio(), Some(f64::INFINITY));
    // One pair, or several with equal results, say nothing about their error.
    for pairs in [
        Pairs { wd: 1, ..Pairs::NONE },
        Pairs { ld: 9, ..Pairs::NONE },
        Pairs {
            dd: 4,
            wl: 1,
            ..Pairs::NONE
        },
    ] {
        let figures = pairs.figures().expect("pairs");
        let errors = [figures.score_error, figures.elo_error, figures.nelo_error, figures.los];
        assert!(figures.elo.is_some() && errors == [None; 4], "{figures:?}");
    }
}

#[test]
fn elo_and_score_are_the_inverse_of_each_other() {
    for elo in [-800.0, -3.5, 0.0, 100.0, 1200.0] {
        let back = elo_of_score(score_of_elo(elo)).expect("between 0 and 1");
        assert!((back - elo).abs() < 1e-9, "{elo}: {back}");
    }
    assert!((normal(1.0) - 0.841_344_746_068_543).abs() < 1e-15);
}
