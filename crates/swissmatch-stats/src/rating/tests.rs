//! Fits of small events made by hand.

use super::fitted::{AT_95, Fit, Value};
use super::games::{GamePairs, Meeting};
use super::*;

mod coverage;
mod edges;
mod others;

const MODELS: [RatingModel; 3] = [RatingModel::Davidson, RatingModel::RaoKupper, RatingModel::Halves];

/// Games without pairs: White, Black, White's wins, draws, losses.
fn singles(players: usize, rows: &[(usize, usize, u64, u64, u64)]) -> RatedGames {
    let meeting = |&(white, black, wins, draws, losses): &(usize, usize, u64, u64, u64)| Meeting {
        white,
        black,
        wins,
        draws,
        losses,
    };
    RatedGames {
        players,
        single: rows.iter().map(meeting).collect(),
        pairs: Vec::new(),
    }
}

fn fitted(games: &RatedGames, options: &Options) -> Fit {
    fit(games, options).expect("it has a maximum")
}

fn by(model: RatingModel) -> Options {
    Options {
        model,
        ..Options::default()
    }
}

fn near(found: &[f64], known: &[f64], bound: f64) {
    assert_eq!(found.len(), known.len());
    for (found, known) in found.iter().zip(known) {
        assert!((found - known).abs() <= bound, "{found} is not {known}");
    }
}

/// Five players, all against all, with each colour.
fn five() -> RatedGames {
    singles(
        5,
        &[
            (0, 1, 5, 3, 2),
            (1, 0, 4, 4, 2),
            (0, 2, 6, 1, 3),
            (2, 0, 3, 3, 4),
            (0, 3, 8, 2, 0),
            (3, 0, 2, 3, 5),
            (0, 4, 7, 0, 1),
            (4, 0, 1, 2, 9),
            (1, 2, 3, 3, 4),
            (2, 1, 4, 5, 1),
            (1, 3, 6, 2, 2),
            (3, 1, 3, 3, 4),
            (1, 4, 9, 0, 1),
            (4, 1, 0, 3, 7),
            (2, 3, 5, 5, 0),
            (3, 2, 4, 2, 4),
            (2, 4, 4, 6, 0),
            (4, 2, 2, 2, 6),
            (3, 4, 5, 3, 2),
            (4, 3, 3, 4, 3),
        ],
    )
}

#[test]
fn two_players_have_the_difference_of_their_score() {
    // 6 wins, 3 draws, 3 losses of the first, colours alike.
    let games = singles(2, &[(0, 1, 3, 2, 1), (1, 0, 2, 1, 3)]);
    let fit = fitted(&games, &by(RatingModel::Halves));
    let elo = 400.0 * f64::log10(7.5 / 4.5);
    let [ahead, error] = fit.difference(0, 1).expect("they met");
    // The colours differ slightly in their draws.
    near(&[ahead, fit.ratings[0]], &[elo, elo / 2.0], 1.0);
    near(&[error], &[2.0 * fit.errors[0].expect("it has one")], 1e-9);
    let superiority = fit.superiority(0, 1).expect("they met");
    near(&[superiority + fit.superiority(1, 0).expect("they met")], &[1.0], 1e-12);
    assert!((0.8..0.95).contains(&superiority), "{superiority}");

    // Without White's advantage: Bradley and Terry's odds are wins by losses, and ν is d/√(w·l).
    let options = Options {
        white: White::Given(0.0),
        ..by(RatingModel::Davidson)
    };
    let fit = fitted(&games, &options);
    let draws = 3.0 / f64::sqrt(18.0);
    let share = draws / (2.0 + draws);
    near(&[fit.draw.value, fit.scale], &[share, 1.0 - share], 1e-9);
    let [ahead, error] = fit.difference(0, 1).expect("they met");
    near(&[ahead], &[400.0 * f64::log10(2.0) * (1.0 - share)], 1e-6);
    // The error compared with that of the logarithm of odds alone, √(1/w + 1/l).
    assert!(
        (0.75..1.25).contains(&(error / (400.0 / std::f64::consts::LN_10 * (1.0 - share) * f64::sqrt(0.5)))),
        "{error}"
    );
    assert_eq!(fit.errors_by, Errors::Pairs);
}

#[test]
fn expected_scores_are_what_was_scored() {
    for model in [RatingModel::Davidson, RatingModel::Halves] {
        let games = five();
        let fit = fitted(&games, &by(model));
        let mut beyond = vec![0.0; 5];
        let mut draws = 0.0;
        let mut white = 0.0;
        for compared in fit.compared() {
            let [one, other] = compared.players;
            beyond[one] += compared.points - compared.expected;
            beyond[other] -= compared.points - compared.expected;
            assert!(compared.deviation > 0.5 && compared.deviation < 5.0);
        }
        for meeting in &games.single {
            let chances = fit.chances(meeting.white, meeting.black).expect("all are in a group");
            near(&[chances.win + chances.draw + chances.loss], &[1.0], 1e-12);
            let played = meeting.wins + meeting.draws + meeting.losses;
            let [played, wins, drawn] =
                [played, meeting.wins, meeting.draws].map(|count| f64::from(u32::try_from(count).expect("few")));
            white += played * chances.score() - wins - drawn / 2.0;
            draws += played * chances.draw - drawn;
        }
        near(&beyond, &[0.0; 5], 1e-6);
        near(&[white, draws], &[0.0; 2], 1e-6);
        assert_eq!(fit.white.source, fitted::ParameterSource::Estimated);
    }
}

#[test]
fn names_and_rows_change_nothing() {
    for model in MODELS {
        for errors in [Errors::Model, Errors::Pairs, Errors::Games] {
            let options = Options { errors, ..by(model) };
            let games = five();
            let fit = fitted(&games, &options);
            let mut split = games.clone();
            split.single = games
                .single
                .iter()
                .rev()
                .flat_map(|meeting| {
                    let part = Meeting {
                        wins: 1.min(meeting.wins),
                        draws: meeting.draws / 2,
                        losses: 0,
                        ..*meeting
                    };
                    let rest = Meeting {
                        wins: meeting.wins - part.wins,
                        draws: meeting.draws - part.draws,
                        ..*meeting
                    };
                    [part, rest]
                })
                .collect();
            let order = [3, 1, 4, 0, 2];
            let mut named = games.clone();
            for meeting in &mut named.single {
                (meeting.white, meeting.black) = (order[meeting.white], order[meeting.black]);
            }
            let named = fitted(&named, &options);
            let split = fitted(&split, &options);
            near(&split.ratings, &fit.ratings, 1e-6);
            for (player, other) in order.into_iter().enumerate() {
                near(
                    &[named.ratings[other], split.ratings[player]],
                    &[fit.ratings[player]; 2],
                    1e-6,
                );
                let error = |fit: &Fit, player: usize| fit.errors[player].expect("it has one");
                near(
                    &[error(&named, other), error(&split, player)],
                    &[error(&fit, player); 2],
                    1e-6,
                );
            }
            let known = [fit.white.value, fit.draw.value, fit.white.error.expect("estimated")];
            near(
                &[
                    named.white.value,
                    named.draw.value,
                    named.white.error.expect("estimated"),
                ],
                &known,
                1e-6,
            );
            near(&[fit.ratings.iter().sum()], &[0.0], 1e-9);
        }
    }
}

#[test]
fn pairs_are_the_games_they_consist_of() {
    let pairs = RatedGames {
        players: 2,
        single: Vec::new(),
        pairs: vec![GamePairs {
            players: [1, 0],
            counts: [[4, 0, 3], [2, 5, 1], [1, 0, 2]],
        }],
    };
    // With White 1 won 7, drew 8, lost 3; with Black it won 7, drew 5, lost 6.
    let games = singles(2, &[(1, 0, 7, 8, 3), (0, 1, 6, 5, 7)]);
    for model in MODELS {
        let options = Options {
            errors: Errors::Games,
            ..by(model)
        };
        let (one, other) = (fitted(&pairs, &options), fitted(&games, &options));
        near(&one.ratings, &other.ratings, 1e-7);
        near(&[one.errors[0].expect("two")], &[other.errors[0].expect("two")], 1e-6);
        let by_pairs = fitted(
            &pairs,
            &Options {
                errors: Errors::Pairs,
                ..by(model)
            },
        );
        assert!((by_pairs.errors[0].expect("two") / one.errors[0].expect("two") - 1.0).abs() > 0.01);
    }
}
