//! The round robin of six settings of one engine, compared with other programs' results for the same games.

use super::*;

/// For each two: pairs by the first one's result with White and with Black.
const PAIRS: [([usize; 2], [[u64; 3]; 3]); 15] = [
    ([0, 1], [[2, 1, 2], [0, 0, 1], [3, 0, 2]]),
    ([0, 2], [[0, 0, 1], [0, 0, 0], [0, 0, 10]]),
    ([0, 3], [[0, 0, 1], [0, 0, 0], [1, 0, 9]]),
    ([0, 4], [[0, 0, 0], [0, 0, 1], [0, 0, 10]]),
    ([0, 5], [[0, 0, 0], [0, 0, 0], [0, 0, 11]]),
    ([1, 2], [[0, 0, 2], [1, 0, 0], [0, 0, 8]]),
    ([1, 3], [[0, 0, 0], [0, 0, 0], [1, 0, 10]]),
    ([1, 4], [[0, 0, 2], [0, 0, 0], [0, 0, 9]]),
    ([1, 5], [[0, 0, 0], [0, 0, 0], [0, 1, 10]]),
    ([2, 3], [[0, 0, 2], [0, 0, 0], [2, 1, 6]]),
    ([2, 4], [[0, 1, 0], [0, 0, 0], [0, 0, 10]]),
    ([2, 5], [[0, 0, 0], [0, 0, 0], [0, 0, 11]]),
    ([3, 4], [[1, 0, 1], [0, 0, 0], [2, 4, 3]]),
    ([3, 5], [[0, 1, 2], [0, 0, 2], [0, 0, 6]]),
    ([4, 5], [[0, 0, 1], [1, 0, 3], [2, 0, 4]]),
];

fn games() -> RatedGames {
    RatedGames {
        players: 6,
        single: Vec::new(),
        pairs: PAIRS.map(|(players, counts)| GamePairs { players, counts }).to_vec(),
    }
}

fn fitted(options: &Options) -> Fit {
    fit(&games(), options).expect("it has a maximum")
}

/// Half widths of the 95 % intervals.
fn errors(fit: &Fit) -> Vec<f64> {
    fit.errors
        .iter()
        .map(|error| AT_95 * error.expect("all are in one group"))
        .collect()
}

fn near(found: &[f64], known: &[f64], bound: f64) {
    for (found, known) in found.iter().zip(known) {
        assert!((found - known).abs() <= bound, "{found} is not {known}");
    }
}

/// Ordo's scale is 76 % at 202, Elo's 75 % at 190.85.
const ORDO: f64 = 1.008_784_7;

#[test]
fn ratings_and_errors_of_ordo() {
    // Ordo 1.2.6, -a 0 -W -D -s 2000.
    let ratings = [-401.172, -361.703, -84.925, 144.104, 266.246, 437.451];
    let intervals = [101.999, 96.871, 79.072, 81.422, 87.573, 102.942];
    let fit = fitted(&Options::ordo());
    let scaled: Vec<f64> = fit.ratings.iter().map(|rating| rating * ORDO).collect();
    println!("ratings {scaled:.1?}, White {:.2}", fit.white.value * ORDO);
    near(&scaled, &ratings, 0.01);
    near(&[fit.white.value * ORDO], &[20.67], 0.1);
    for (found, known) in errors(&fit).iter().zip(intervals) {
        let share = found * ORDO / known;
        println!("± {:.1}, Ordo's {known}: {share:.3}", found * ORDO);
        assert!((0.93..1.07).contains(&share), "{share}");
    }
    // -a 0: no advantage of White's.
    let plain = [-400.223, -360.867, -84.726, 143.809, 265.635, 436.372];
    let options = Options {
        white: White::Given(0.0),
        ..Options::ordo()
    };
    let scaled: Vec<f64> = fitted(&options).ratings.iter().map(|rating| rating * ORDO).collect();
    near(&scaled, &plain, 0.05);
    // -a 2800 -A n1000 -W -D.
    let anchored = [2254.724, 2294.193, 2570.971, 2800.0, 2922.142, 3093.347];
    let options = Options {
        origin: Origin::Anchors(vec![(3, 2800.0)]),
        ..Options::ordo()
    };
    let fit = fitted(&options);
    let scaled: Vec<f64> = fit
        .ratings
        .iter()
        .map(|rating| 2800.0 + (rating - 2800.0) * ORDO)
        .collect();
    near(&scaled, &anchored, 0.01);
    assert_eq!(fit.errors[3], Some(0.0));
}

#[test]
fn an_exact_logistic_fit() {
    // Worked out independently of the programs: no advantage of White's, a draw is half a win.
    let ratings = [
        -396.738_197_572_125_4,
        -357.724_460_693_960_45,
        -83.988_040_307_527_1,
        142.556_876_656_515_44,
        263.322_089_595_149_35,
        432.571_732_321_948_16,
    ];
    let by_games = [
        98.937_317_241_828_91,
        104.622_956_213_054_08,
        64.143_364_110_334_74,
        82.493_968_229_175_11,
        85.461_334_974_366_75,
        93.078_440_847_280_02,
    ];
    let by_pairs = [
        97.640_576_046_883_48,
        104.730_912_765_270_23,
        67.227_483_550_571_62,
        78.795_970_500_818_58,
        86.924_399_038_203_62,
        91.522_113_169_168_34,
    ];
    for (errors_by, known, units) in [(Errors::Games, by_games, 330.0), (Errors::Pairs, by_pairs, 165.0)] {
        let fit = fitted(&Options {
            white: White::Given(0.0),
            errors: errors_by,
            ..Options::ordo()
        });
        near(&fit.ratings, &ratings, 1e-6);
        // It ignores that five ratings were fitted.
        let fewer = f64::sqrt(units / (units - 5.0));
        near(&errors(&fit), &known.map(|error| error * fewer), 1e-3);
    }
}

#[test]
fn ratings_of_bayeselo() {
    // bayeselo 0057.2, which prints whole numbers: "mm; ratings".
    let fit = fitted(&Options::bayeselo());
    near(&fit.ratings, &[-383.0, -345.0, -77.0, 146.0, 251.0, 408.0], 0.5);
    // "mm 1 1; ratings; advantage; drawelo": it stops a little before the maximum.
    let fit = fitted(&Options {
        white: White::Estimated,
        draw: Draw::Estimated,
        ..Options::bayeselo()
    });
    near(&fit.ratings, &[-369.0, -332.0, -74.0, 142.0, 243.0, 391.0], 0.5);
    let draw_elo = RatingModel::RaoKupper.parameter(fit.draw.value) / model::PER_ELO;
    println!("advantage {:.4}, drawelo {draw_elo:.4}", fit.white.value / fit.scale);
    near(&[fit.white.value / fit.scale, draw_elo], &[16.9095, 58.1373], 0.01);
}

#[test]
fn errors_by_random_weights_are_those_by_pairs() {
    for model in MODELS {
        let by = |errors_by| {
            errors(&fitted(&Options {
                model,
                errors: errors_by,
                ..Options::default()
            }))
        };
        let resampled = by(Errors::Resampled { samples: 400, seed: 22 });
        for (one, other) in resampled.iter().zip(by(Errors::Pairs)) {
            assert!((0.85..1.18).contains(&(one / other)), "{model:?}: {one} {other}");
        }
        assert_ne!(resampled, by(Errors::Resampled { samples: 400, seed: 23 }));
        let threads = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let pool = pool.expect("there are threads");
            pool.install(|| by(Errors::Resampled { samples: 20, seed: 22 }))
        };
        assert_eq!(threads(1), threads(3));
    }
}
