//! Games that say little, too much, or nothing.

use rand::RngExt as _;

use super::fitted::{ParameterSource, Zero};
use super::groups::GroupOrder;
use super::*;
use crate::stream::stream;

fn white(white: f64, model: RatingModel) -> Options {
    Options {
        white: White::Given(white),
        ..by(model)
    }
}

#[test]
fn nobody_and_no_games() {
    for model in MODELS {
        for errors in [
            Errors::ByCount,
            Errors::Pairs,
            Errors::Resampled { samples: 3, seed: 1 },
        ] {
            let options = Options { errors, ..by(model) };
            let nobody = fitted(&RatedGames::default(), &options);
            assert!(nobody.ratings.is_empty() && nobody.groups.is_empty());
            let idle = fitted(&singles(3, &[(0, 1, 0, 0, 0)]), &options);
            assert_eq!(idle.groups.len(), 3);
            for player in 0..3 {
                assert_eq!(idle.value(player), Value::Unknown);
                assert_eq!(idle.errors[player], None);
            }
            assert_eq!((idle.white.source, idle.white.value), (ParameterSource::NotTold, 0.0));
            assert_eq!((idle.draw.source, idle.draw.value), (ParameterSource::NoDraws, 0.0));
            assert_eq!((idle.superiority(0, 1), idle.difference(0, 1)), (None, None));
            assert_eq!(idle.compared().count(), 0);
        }
    }
}

#[test]
fn one_game() {
    for model in MODELS {
        // One win: nothing is known but a bound.
        let won = fitted(&singles(2, &[(0, 1, 1, 0, 0)]), &by(model));
        assert_eq!(won.value(0), Value::Estimate(0.0, None));
        let Value::AtMost(bound) = won.value(1) else {
            panic!("{:?}", won.value(1))
        };
        // A game that is won with a chance of 5 %.
        near(&[bound], &[400.0 * f64::log10(19.0)], 1e-6);
        assert_eq!(won.superiority(0, 1), None);
        // One draw: they are equal, but not for certain.
        let drawn = fitted(&singles(2, &[(0, 1, 0, 1, 0)]), &by(model));
        near(&drawn.ratings, &[0.0, 0.0], 1e-6);
        assert_eq!(drawn.draw.source, ParameterSource::NoMaximum);
        near(&[drawn.draw.value], &[0.75], 1e-12);
        assert_eq!(drawn.white.source, ParameterSource::NotTold);
        let [_, error] = drawn.difference(0, 1).expect("they met");
        assert!((100.0..400.0).contains(&error), "{model:?} {error}");
        assert_eq!(drawn.superiority(0, 1), Some(0.5));
    }
}

#[test]
fn all_draws() {
    for model in MODELS {
        let fit = fitted(
            &singles(3, &[(0, 1, 0, 20, 0), (1, 2, 0, 20, 0), (2, 0, 0, 20, 0)]),
            &by(model),
        );
        near(&fit.ratings, &[0.0; 3], 1e-6);
        near(&[fit.white.value, fit.draw.value], &[0.0, 60.5 / 61.0], 1e-6);
        assert_eq!((fit.draw.source, fit.draw.error), (ParameterSource::NoMaximum, None));
        // There is no spread, which makes nothing certain.
        assert_eq!(fit.errors_by, Errors::Model);
        assert!(fit.errors[0].is_some_and(|error| error > 0.5), "{:?}", fit.errors);
    }
}

#[test]
fn no_draws() {
    let mut found = Vec::new();
    for model in MODELS {
        let fit = fitted(&singles(2, &[(0, 1, 30, 0, 10), (1, 0, 15, 0, 25)]), &by(model));
        assert_eq!(
            (fit.draw.source, fit.draw.value, fit.scale),
            (ParameterSource::NoDraws, 0.0, 1.0)
        );
        found.push(fit.ratings[0]);
        found.push(fit.errors[0].expect("two"));
        let chances = fit.chances(0, 1).expect("two");
        near(&[chances.win, chances.draw], &[0.75, 0.0], 1e-6);
    }
    // All models are then Bradley and Terry's.
    near(&found[2..], &[found[0], found[1], found[0], found[1]], 1e-6);
}

#[test]
fn few_draws_and_wins_that_only_infinite_strengths_explain() {
    // A beats B, both draw with C: the likelihood grows without end with more draws and strengths farther apart.
    let fit = fitted(
        &singles(3, &[(0, 1, 1, 0, 0), (0, 2, 0, 1, 0), (1, 2, 0, 1, 0)]),
        &white(0.0, RatingModel::Davidson),
    );
    assert_eq!(
        (fit.draw.source, fit.draw.value),
        (ParameterSource::NoMaximum, 2.5 / 4.0)
    );
    assert!(fit.ratings[0] > 10.0 && fit.ratings[1] < -10.0);
    near(&[fit.ratings[2]], &[0.0], 1e-6);
}

#[test]
fn white_always_wins() {
    for model in MODELS {
        let fit = fitted(
            &singles(3, &[(0, 1, 3, 0, 0), (1, 2, 3, 0, 0), (2, 0, 3, 0, 0)]),
            &by(model),
        );
        assert_eq!(
            (fit.white.source, fit.white.value, fit.white.error),
            (ParameterSource::NoMaximum, 0.0, None)
        );
        near(&fit.ratings, &[0.0; 3], 1e-6);
        // With a given value it is not needed.
        assert_eq!(
            fitted(&five(), &white(35.0, model)).white.source,
            ParameterSource::Given
        );
    }
}

#[test]
fn colours_that_were_not_played() {
    for model in MODELS {
        // 0 always had White: its strength and White's advantage cannot be told apart.
        let games = singles(3, &[(0, 1, 3, 2, 1), (0, 2, 2, 2, 1)]);
        let fit = fitted(&games, &by(model));
        assert_eq!((fit.white.source, fit.white.value), (ParameterSource::NotTold, 0.0));
        let none = fitted(&games, &white(0.0, model));
        near(&fit.ratings, &none.ratings, 1e-9);
        // Anchors settle it.
        let anchored = Options {
            origin: Origin::Anchors(vec![(0, 0.0), (1, 0.0)]),
            ..by(model)
        };
        let fit = fitted(&games, &anchored);
        assert_eq!(fit.white.source, ParameterSource::Estimated);
        assert!(fit.white.value > 30.0, "{:?}", fit.white);
    }
}

#[test]
fn perfect_scores() {
    for model in MODELS {
        // 5 won all, 6 lost all but to 7, who lost to 6 alone; 8 beat 5.
        let mut games = five();
        games.players = 9;
        let more = [
            (5, 0, 4, 0, 0),
            (1, 5, 0, 0, 4),
            (6, 2, 0, 0, 5),
            (3, 6, 3, 0, 0),
            (6, 7, 1, 0, 0),
            (8, 5, 2, 0, 0),
        ];
        games.single.extend(singles(9, &more).single);
        let fit = fitted(&games, &by(model));
        let alone = fitted(&five(), &by(model));
        near(&fit.ratings[..5], &alone.ratings, 1e-6);
        for player in 0..5 {
            near(
                &[fit.errors[player].expect("one")],
                &[alone.errors[player].expect("one")],
                1e-9,
            );
        }
        near(
            &[fit.white.value, fit.draw.value],
            &[alone.white.value, alone.draw.value],
            1e-9,
        );
        assert_eq!(fit.groups[0].members, [0, 1, 2, 3, 4]);
        let order: Vec<GroupOrder> = fit.groups.iter().map(|group| group.order).collect();
        assert_eq!(
            order,
            [
                GroupOrder::Main,
                GroupOrder::Above,
                GroupOrder::Below,
                GroupOrder::Below,
                GroupOrder::Above
            ]
        );
        let Value::AtLeast(best) = fit.value(5) else {
            panic!("{:?}", fit.value(5))
        };
        // At the bound, the chance of four wins against each of two is 5 %.
        let mut bound = alone.clone();
        bound.ratings[4] = best;
        bound.parameters.ratings = bound.ratings.clone();
        let chance =
            bound.chances(4, 0).expect("one group").win.powi(4) * bound.chances(1, 4).expect("one group").loss.powi(4);
        near(&[chance], &[0.05], 1e-6);
        let Value::AtMost(worst) = fit.value(6) else {
            panic!("{:?}", fit.value(6))
        };
        assert!(worst < fit.ratings[3] && best > fit.ratings[0], "{worst} {best}");
        // Those who met nobody of the main group have no bound beside it.
        assert_eq!([fit.value(7), fit.value(8)], [Value::Unknown; 2]);
        let between = fit
            .compared()
            .find(|compared| compared.players == [0, 5])
            .expect("they met");
        assert_eq!((between.points, between.expected, between.deviation), (0.0, 0.0, 0.0));
        // A prior puts all in one group.
        let prior = Options {
            prior_draws: 2.0,
            ..by(model)
        };
        let fit = fitted(&games, &prior);
        assert_eq!(fit.groups.len(), 1);
        assert!(fit.ratings[8] > fit.ratings[5] && fit.ratings[5] > fit.ratings[0]);
    }
}

#[test]
fn whole_groups_above_others() {
    // 0 and 1 beat 2 and 3 in all games; within the groups everything is open.
    let games = singles(
        4,
        &[
            (0, 1, 3, 0, 1),
            (1, 0, 2, 0, 2),
            (2, 3, 3, 1, 1),
            (3, 2, 3, 0, 2),
            (0, 2, 4, 0, 0),
            (3, 1, 0, 0, 6),
        ],
    );
    let fit = fitted(&games, &by(RatingModel::Davidson));
    assert_eq!(fit.groups.len(), 2);
    // The others have more games.
    assert_eq!(
        (fit.groups[0].order, fit.groups[1].order),
        (GroupOrder::Above, GroupOrder::Main)
    );
    near(
        &[fit.ratings[0] + fit.ratings[1], fit.ratings[2] + fit.ratings[3]],
        &[0.0, 0.0],
        1e-9,
    );
    assert!(fit.difference(0, 1).is_some() && fit.difference(0, 2).is_none());
}

#[test]
fn groups_without_common_games() {
    let mut games = five();
    games.players = 8;
    games
        .single
        .extend(singles(8, &[(5, 6, 3, 1, 1), (6, 5, 2, 0, 2)]).single);
    let options = Options {
        origin: Origin::Average {
            players: vec![0, 6],
            value: 100.0,
        },
        ..by(RatingModel::Davidson)
    };
    let fit = fitted(&games, &options);
    assert_eq!(fit.groups.len(), 3);
    assert_eq!((fit.groups[1].main, fit.groups[1].order), (1, GroupOrder::Main));
    near(&[fit.ratings[0], fit.ratings[6]], &[100.0; 2], 1e-9);
    assert!(fit.errors[0] == fit.errors[6] && fit.errors[0] == Some(0.0) || fit.errors[0].expect("one") < 1e-6);
    assert_eq!(fit.superiority(0, 5), None);
    assert_eq!(fit.value(7), Value::Unknown);
    assert!(fit.chances(5, 6).is_some());
}

#[test]
fn averages_and_anchors() {
    for model in MODELS {
        let free = fitted(&five(), &by(model));
        let origin = |origin| fitted(&five(), &Options { origin, ..by(model) });
        let average = origin(Origin::Average {
            players: vec![1, 2],
            value: 2000.0,
        });
        near(&[average.ratings[1] + average.ratings[2]], &[4000.0], 1e-6);
        // A single anchor only moves the zero, and errors are those of differences from it.
        let one = origin(Origin::Anchors(vec![(3, 1500.0)]));
        assert_eq!(
            (one.ratings[3], one.errors[3], one.groups[0].zero),
            (1500.0, Some(0.0), Zero::Anchors)
        );
        for player in [0, 1, 2, 4] {
            let [ahead, error] = free.difference(player, 3).expect("one group");
            near(&[one.ratings[player] - 1500.0], &[ahead], 1e-6);
            near(
                &[
                    one.errors[player].expect("one"),
                    average.difference(player, 3).expect("one")[1],
                ],
                &[error; 2],
                1e-6,
            );
        }
        near(
            &[one.white.value, one.draw.value],
            &[free.white.value, free.draw.value],
            1e-6,
        );
        // Two anchors at the ratings found change nothing but errors.
        let two = origin(Origin::Anchors(vec![(3, free.ratings[3]), (0, free.ratings[0])]));
        near(&two.ratings, &free.ratings, 1e-5);
        assert!(two.errors[1] < one.errors[1]);
        // Elsewhere they pull the others, who stay between them according to their scores.
        let apart = origin(Origin::Anchors(vec![(3, 0.0), (0, 1000.0)]));
        assert_eq!((apart.ratings[3], apart.ratings[0]), (0.0, 1000.0));
        assert!(
            apart.ratings[1] > 100.0 && apart.ratings[1] < 900.0,
            "{:?}",
            apart.ratings
        );
        assert!(apart.log_likelihood < free.log_likelihood - 1.0);
    }
}

#[test]
fn nothing_else_is_likelier() {
    let anchors = vec![(3, 0.0), (0, 300.0)];
    for model in MODELS {
        let anchored = Options {
            origin: Origin::Anchors(anchors.clone()),
            ..by(model)
        };
        let best = fitted(&five(), &anchored);
        for off in [-2.0, 0.0, 2.0] {
            let with = |player: usize| Options {
                origin: Origin::Anchors([anchors.clone(), vec![(player, best.ratings[player] + off)]].concat()),
                ..anchored.clone()
            };
            let mut others: Vec<Options> = [1, 2, 4].map(with).to_vec();
            others.push(Options {
                white: White::Given(best.white.value + off),
                ..anchored.clone()
            });
            // By halves draws have no likelihood of their own.
            if model != RatingModel::Halves {
                others.push(Options {
                    draw: Draw::Given(best.draw.value + off / 200.0),
                    ..anchored.clone()
                });
            }
            for options in others {
                let likelihood = fitted(&five(), &options).log_likelihood;
                match off == 0.0 {
                    true => near(&[likelihood], &[best.log_likelihood], 1e-9),
                    false => assert!(likelihood < best.log_likelihood - 1e-4, "{options:?}"),
                }
            }
        }
    }
}

#[test]
fn anchors_make_a_group_of_those_between_them() {
    // 2 beat 0 and lost to 1, both anchors: its rating is finite.
    let options = Options {
        origin: Origin::Anchors(vec![(0, 2000.0), (1, 2400.0)]),
        ..by(RatingModel::Davidson)
    };
    let fit = fitted(
        &singles(3, &[(0, 2, 0, 0, 2), (2, 1, 0, 0, 2), (2, 0, 1, 0, 0), (1, 2, 1, 0, 0)]),
        &options,
    );
    assert_eq!(fit.groups.len(), 1);
    near(&[fit.ratings[2]], &[2200.0], 1e-6);
    assert!(fit.errors[2].is_some_and(|error| error > 50.0));
}

#[test]
fn huge_counts() {
    for model in MODELS {
        let mut games = five();
        for meeting in &mut games.single {
            let all = [&mut meeting.wins, &mut meeting.draws, &mut meeting.losses];
            all.into_iter().for_each(|count| *count *= 1_000_000_000_000);
        }
        let (few, many) = (
            fitted(
                &five(),
                &Options {
                    errors: Errors::Model,
                    ..by(model)
                },
            ),
            fitted(
                &games,
                &Options {
                    errors: Errors::Model,
                    ..by(model)
                },
            ),
        );
        near(&many.ratings, &few.ratings, 1e-5);
        for player in 0..5 {
            near(
                &[many.errors[player].expect("one") * 1e6],
                &[few.errors[player].expect("one")],
                1e-4,
            );
        }
    }
    // One game among very many connects two halves.
    let billion = 1_000_000_000;
    let fit = fitted(
        &singles(
            4,
            &[
                (0, 1, billion, billion, billion),
                (2, 3, billion, billion, billion),
                (1, 2, 1, 1, 1),
            ],
        ),
        &white(0.0, RatingModel::Davidson),
    );
    near(&fit.ratings, &[0.0; 4], 1e-3);
    assert!(
        fit.errors[0].is_some_and(|error| (20.0..200.0).contains(&error)),
        "{:?}",
        fit.errors
    );
}

#[test]
fn long_chains_and_wide_ranges() {
    // Each of 40 scores 3 of 4 against the next: 191 Elo a step.
    let rows: Vec<_> = (1..40)
        .flat_map(|player| [(player - 1, player, 15, 0, 5), (player, player - 1, 5, 0, 15)])
        .collect();
    let fit = fitted(&singles(40, &rows), &by(RatingModel::Davidson));
    near(
        &[fit.ratings[0] - fit.ratings[39]],
        &[39.0 * 400.0 * f64::log10(3.0)],
        1e-4,
    );
    assert_eq!(fit.groups.len(), 1);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let refused = |games: &RatedGames, options: &Options| fit(games, options).expect_err("it makes no sense");
    let options = Options::default();
    assert_eq!(
        refused(&singles(2, &[(1, 1, 1, 0, 0)]), &options),
        FitError::AgainstItself(1)
    );
    assert_eq!(
        refused(&singles(2, &[(0, 2, 1, 0, 0)]), &options),
        FitError::NoSuchPlayer(2)
    );
    assert_eq!(refused(&singles(5001, &[]), &options), FitError::TooManyPlayers(5001));
    let of = |origin| Options {
        origin,
        ..Options::default()
    };
    assert_eq!(
        refused(&five(), &of(Origin::Anchors(vec![(1, 0.0), (1, 5.0)]))),
        FitError::AnchorTwice(1)
    );
    assert_eq!(
        refused(&five(), &of(Origin::Anchors(vec![(5, 0.0)]))),
        FitError::NoSuchPlayer(5)
    );
    assert_eq!(
        refused(
            &five(),
            &of(Origin::Average {
                players: vec![9],
                value: 0.0
            })
        ),
        FitError::NoSuchPlayer(9)
    );
    assert_eq!(
        refused(&five(), &of(Origin::Anchors(vec![(1, f64::INFINITY)]))),
        FitError::NotFinite(f64::INFINITY)
    );
    for share in [0.0, 1.0, -0.5] {
        let options = Options {
            draw: Draw::Given(share),
            ..Options::default()
        };
        assert_eq!(refused(&five(), &options), FitError::NoShare(share));
    }
    let options = Options {
        prior_draws: -1.0,
        ..Options::default()
    };
    assert_eq!(refused(&five(), &options), FitError::NotFinite(-1.0));
    let options = Options {
        errors: Errors::Resampled { samples: 1, seed: 0 },
        ..Options::default()
    };
    assert_eq!(refused(&five(), &options), FitError::FewSamples(1));
}

#[test]
fn any_few_games_have_a_fit() {
    let mut sources = std::collections::BTreeMap::new();
    for number in 0..3000 {
        let mut chance = stream(22, "any few games", number);
        let players = chance.random_range(2..7);
        let mut games = RatedGames {
            players,
            ..RatedGames::default()
        };
        for _ in 0..chance.random_range(1..12) {
            let white = chance.random_range(0..players);
            let black = (white + chance.random_range(1..players)) % players;
            let mut count = || chance.random_range(0..3_u64).saturating_sub(1);
            games.single.push(Meeting {
                white,
                black,
                wins: count(),
                draws: count(),
                losses: count(),
            });
        }
        let origin = match chance.random_range(0..3) {
            0 => Origin::Anchors(vec![(0, 50.0), (1, -100.0)]),
            _ => Origin::default(),
        };
        for model in MODELS {
            let fit = fit(
                &games,
                &Options {
                    origin: origin.clone(),
                    ..by(model)
                },
            );
            let fit = fit.unwrap_or_else(|why| panic!("{games:?} {model:?}: {why}"));
            assert!(
                fit.ratings.iter().all(|rating| rating.is_finite()),
                "{games:?} {model:?}"
            );
            assert!(
                fit.errors.iter().flatten().all(|error| error.is_finite()),
                "{games:?} {model:?}"
            );
            *sources
                .entry(format!("{:?}, {:?}", fit.white.source, fit.draw.source))
                .or_insert(0) += 1;
        }
    }
    println!("{sources:#?}");
    assert!(sources.len() >= 8, "{sources:#?}");
}
