//! Random histories: the marks in them.

use jiff::Timestamp;

use super::{
    BuildComparison, History, Night, NightBuild, NightEnd, NightGame, NightSeries, VERSION, changes, plays_since,
    still_weaker,
};
use crate::league::{self, NightView};
use swissmatch_game::record::GameId;
use swissmatch_game::termination::Outcome;
use swissmatch_stats::rating::fitted::Value;
use swissmatch_tournament::log::TakenFrom;
use swissmatch_tournament::noise::Noise;

/// A stream of random numbers: splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        (z >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// A night whose builds have letters as names, each with this hash and strength.
fn night(number: u32, builds: &[(&str, String, f64)], pairs: u32, random: &mut Random) -> Night {
    let mut games = Vec::new();
    let mut board = 0;
    for (white, one) in builds.iter().enumerate() {
        for (black, other) in builds.iter().enumerate().skip(white + 1) {
            board += 1;
            for pair in 0..pairs {
                // An opening gives White the same advantage in both games.
                let opening = 150.0 * (random.next() - 0.5);
                for (game, [first, second]) in [[(white, one.2), (black, other.2)], [(black, other.2), (white, one.2)]]
                    .into_iter()
                    .enumerate()
                {
                    let score = 1.0 / (1.0 + 10_f64.powf(-(first.1 - second.1 + 30.0 + opening) / 400.0));
                    let draws = 1.6 * score * (1.0 - score);
                    let at = random.next();
                    let result = match at {
                        at if at < score - draws / 2.0 => Outcome::WhiteWins,
                        at if at < score + draws / 2.0 => Outcome::Draw,
                        _ => Outcome::BlackWins,
                    };
                    games.push(NightGame {
                        id: GameId {
                            round: 1,
                            playoff: 0,
                            board,
                            game: 2 * pair + u32::try_from(game).expect("small") + 1,
                        },
                        white: u16::try_from(first.0).expect("small"),
                        black: u16::try_from(second.0).expect("small"),
                        result,
                        key: None,
                        fault: false,
                        from: None,
                    });
                }
            }
        }
    }
    Night {
        version: VERSION,
        run: format!("run {number}"),
        name: format!("night {number}"),
        dir: format!("night-{number}"),
        began: Timestamp::from_second(i64::from(number) * 86_400).expect("a time"),
        machine: "a machine".to_owned(),
        ended: NightEnd::Complete,
        noise: Noise::default(),
        by_time: true,
        conditions: "10+0.1".to_owned(),
        builds: builds
            .iter()
            .map(|(name, build, _)| NightBuild {
                version: build.clone(),
                ..NightBuild::new(name, build.clone())
            })
            .collect(),
        broken: Vec::new(),
        changes: Vec::new(),
        pairs: Vec::new(),
        games,
    }
}

/// What changed in the last night.
fn judged(history: &History) -> Vec<BuildComparison> {
    let series = NightSeries::until(history, history.nights.last().expect("a night"));
    changes(&series, &series.fit().expect("a fit")).compared
}

/// Adds a night with the changes in it.
fn play(history: &mut History, night: Night) {
    history.add(night);
    let changes = judged(history);
    history.nights.last_mut().expect("it was added").changes = changes;
}

/// Five builds that are new every night, two that stay.
fn builds(number: u32, main: f64) -> Vec<(&'static str, String, f64)> {
    let new = |name: &'static str, strength| (name, format!("{name}{number}"), strength);
    vec![
        new("a", main),
        new("b", 40.0),
        new("c", -30.0),
        new("d", 0.0),
        new("e", 10.0),
        ("f", "f".to_owned(), 0.0),
        ("g", "g".to_owned(), -60.0),
    ]
}

/// In 300 histories without a change at most 5 % of the nights mark any; each history's last night is looked at.
#[test]
fn false_marks_are_rare() {
    let mut random = Random(7);
    let (mut false_marks, mut compared) = (0, 0);
    for _ in 0..300 {
        let mut history = History::default();
        for number in 0..2 {
            history.add(night(number, &builds(number, 0.0), 10, &mut random));
        }
        let changes = judged(&history);
        compared += changes.len();
        false_marks += usize::from(changes.iter().any(BuildComparison::is_marked));
    }
    assert_eq!(compared, 300 * 5, "every new build is compared");
    assert!(false_marks <= 15, "{false_marks} of 300");
}

/// Games are added night after night, and each time the same builds are compared anew: still at most 5 % of the histories mark any.
#[test]
fn false_marks_stay_rare_however_often_one_looks() {
    let mut random = Random(13);
    let mut false_marks = 0;
    for _ in 0..300 {
        let mut history = History::default();
        play(&mut history, night(0, &builds(0, 0.0), 6, &mut random));
        for number in 1..6 {
            play(&mut history, night(number, &builds(1, 0.0), 6, &mut random));
        }
        assert_eq!(history.nights[5].changes.len(), 5, "all of them are still compared");
        let mut changes = history.nights.iter().flat_map(|night| &night.changes);
        false_marks += usize::from(changes.any(BuildComparison::is_marked));
    }
    assert!(false_marks <= 15, "{false_marks} of 300");
}

/// A change that the few games of its first night did not show is found later, and marked once.
#[test]
fn a_change_is_marked_once_when_there_are_games_enough() {
    let mut random = Random(17);
    let (mut late, mut found) = (0, 0);
    for _ in 0..20 {
        let mut history = History::default();
        play(&mut history, night(0, &builds(0, 0.0), 60, &mut random));
        for number in 1..9 {
            play(&mut history, night(number, &builds(1, -80.0), 10, &mut random));
        }
        let of_a = |night: &Night| night.changes.iter().find(|change| change.name == "a").cloned();
        let marked: Vec<usize> = (0..9)
            .filter(|number| of_a(&history.nights[*number]).is_some_and(|change| change.is_marked()))
            .collect();
        assert!(marked.len() <= 1, "{marked:?}");
        found += marked.len();
        late += usize::from(marked.first().is_some_and(|number| *number > 1));
        let last = of_a(&history.nights[8]).expect("it is still compared");
        assert_eq!((last.since.as_str(), last.versions[0].as_str()), ("night 0", "a0"));
        assert_eq!(
            last.marked_in,
            marked
                .first()
                .filter(|night| **night < 8)
                .map(|night| format!("night {night}"))
        );
        // Each night is told with what was known then, even if it is looked at later.
        let series = NightSeries::until(&history, &history.nights[8]);
        for (number, night) in (0..).zip(&history.nights) {
            let since = plays_since(&series, night, night.build("a").expect("it played"));
            assert_eq!(
                since.map(|since| since.name.as_str()),
                Some(if number == 0 { "night 0" } else { "night 1" })
            );
            let weaker = still_weaker(&series, night, night.build("a").expect("it played"));
            let marked = marked.first().filter(|marked| **marked < number);
            assert_eq!(
                weaker.map(|night| &night.name),
                marked.map(|marked| &history.nights[*marked].name)
            );
        }
    }
    assert!(found >= 16, "{found} of 20");
    assert!(late >= 6, "{late} of {found}");
}

/// Two nights of one day may have one name: the build from before the mark is found all the same.
#[test]
fn who_is_still_weaker_does_not_depend_on_the_names_of_nights() {
    let mut random = Random(23);
    let mut history = History::default();
    for (number, version, strength) in [(0, 0, 0.0), (1, 1, -400.0), (2, 1, -400.0), (3, 0, 0.0)] {
        let mut night = night(number, &builds(version, strength), 40, &mut random);
        night.name = "today".to_owned();
        play(&mut history, night);
    }
    assert!(
        history.nights[1]
            .changes
            .iter()
            .any(|change| change.name == "a" && change.is_marked())
    );
    let series = NightSeries::until(&history, &history.nights[3]);
    let weaker = history.nights.iter().map(|night| {
        let marked_in = still_weaker(&series, night, night.build("a").expect("it played"));
        marked_in.map(|night| night.run.as_str())
    });
    let marked_in = Some(history.nights[1].run.as_str());
    assert_eq!(weaker.collect::<Vec<_>>(), [None, None, marked_in, None]);
}

/// A build that only serves to measure others may be replaced; nobody asks whether it got weaker.
#[test]
fn opponents_are_not_compared() {
    let mut random = Random(19);
    let mut history = History::default();
    play(&mut history, night(0, &builds(0, 0.0), 5, &mut random));
    let mut later = night(1, &builds(1, -300.0), 5, &mut random);
    for build in &mut later.builds {
        build.opponent = build.name != "b";
    }
    play(&mut history, later);
    let names: Vec<&str> = history.nights[1]
        .changes
        .iter()
        .map(|change| change.name.as_str())
        .collect();
    assert_eq!(names, ["b"]);
}

/// A build that was at fault too often is passed over: the next one is compared with the last one that was not.
#[test]
fn who_is_at_fault_is_no_measure() {
    let mut random = Random(23);
    let mut history = History::default();
    play(&mut history, night(0, &builds(0, 0.0), 10, &mut random));
    let mut faulty = night(1, &builds(1, -300.0), 10, &mut random);
    for build in &mut faulty.builds {
        build.too_many_faults = build.name == "a";
    }
    play(&mut history, faulty);
    play(&mut history, night(2, &builds(2, 0.0), 10, &mut random));
    let since = |number: usize| {
        let changes = history.nights[number].changes.iter();
        changes
            .map(|change| (change.name.as_str(), change.since.as_str()))
            .collect::<Vec<_>>()
    };
    assert!(
        since(1).iter().all(|(name, _)| *name != "a") && since(1).len() == 4,
        "{:?}",
        since(1)
    );
    assert_eq!(since(2)[..2], [("a", "night 0"), ("b", "night 1")]);
}

/// Under another time control or with other openings a new series begins.
#[test]
fn other_conditions_are_not_compared() {
    let mut random = Random(29);
    let mut history = History::default();
    play(&mut history, night(0, &builds(0, 0.0), 5, &mut random));
    let mut later = night(1, &builds(1, -300.0), 5, &mut random);
    later.conditions = "20+0.2".to_owned();
    play(&mut history, later.clone());
    assert_eq!(history.nights[1].changes, []);
    assert_eq!(NightSeries::until(&history, &later).nights.len(), 1);
}

/// Two builds that lost every game to the others, and drew with each other, have ratings, too.
#[test]
fn several_that_lost_everything_are_rated() {
    let strong = ["a", "b"].map(|name| (name, name.to_owned(), 0.0));
    let weak = ["c", "d"].map(|name| (name, name.to_owned(), -5000.0));
    let mut random = Random(31);
    let mut history = History::default();
    history.add(night(0, &[strong, weak].concat(), 5, &mut random));
    let series = NightSeries::until(&history, &history.nights[0]);
    let fit = series.fit().expect("a fit");
    let rating = |build: &str| match fit.value(series.number(build).expect("it played")) {
        Value::Estimate(rating, _) => rating,
        other => panic!("{build}: {other:?}"),
    };
    assert!(rating("c").max(rating("d")) < rating("a").min(rating("b")) - 100.0);
}

/// Of 40 games none is won or drawn: no error that is as large as the difference hides that.
#[test]
fn a_build_that_lost_everything_is_marked() {
    for (pairs, is_marked) in [(20, true), (4, false)] {
        let mut random = Random(17);
        let mut history = History::default();
        for (number, strength) in [(0, 0.0), (1, -9000.0)] {
            let builds = [("a", format!("a{number}"), strength), ("f", "f".to_owned(), 0.0)];
            history.add(night(number, &builds, pairs, &mut random));
        }
        let changes = judged(&history);
        let of_a = &changes[0];
        assert!(of_a.ahead < -100.0, "{of_a:?}");
        assert_eq!(of_a.is_marked(), is_marked, "{pairs} pairs: {of_a:?}");
    }
}

#[test]
fn a_change_is_marked() {
    let mut random = Random(11);
    let mut marked = 0;
    for _ in 0..20 {
        let mut history = History::default();
        history.add(night(0, &builds(0, 0.0), 20, &mut random));
        history.add(night(1, &builds(1, -140.0), 20, &mut random));
        let changes = judged(&history);
        let of_a = changes
            .iter()
            .find(|change| change.name == "a")
            .expect("it is compared");
        marked += usize::from(of_a.is_marked() && of_a.ahead < 0.0);
        assert_eq!(
            (of_a.since.as_str(), &of_a.versions),
            ("night 0", &["a0".to_owned(), "a1".to_owned()])
        );
    }
    assert!(marked >= 18, "{marked} of 20");
}

/// "A game counts once in any fit, SPRT or mark, however many nights refer to it; a night made of stored games alone marks nothing."
#[test]
fn games_of_earlier_nights_count_once() {
    let mut random = Random(3);
    let first = night(0, &builds(0, 0.0), 5, &mut random);
    let mut second = night(1, &builds(0, 0.0), 5, &mut random);
    for (game, original) in second.games.iter_mut().zip(&first.games) {
        game.result = original.result;
        game.from = Some(TakenFrom {
            run: first.run.clone(),
            game: original.id,
        });
    }
    let mut alone = History::default();
    alone.add(first.clone());
    let mut both = alone.clone();
    both.add(second.clone());
    let series = |history: &History| {
        let series = NightSeries::until(history, history.nights.last().expect("a night"));
        series.games().clone()
    };
    assert_eq!(series(&alone), series(&both));
    // Another name for the same build is no change.
    for build in &mut second.builds {
        build.build = format!("{} by another name", build.build);
    }
    let mut renamed = alone.clone();
    renamed.add(second);
    assert_eq!(judged(&renamed), []);
    assert!(!renamed.add(renamed.nights[1].clone()), "a night is added once");
}

/// Whoever lost the runs of earlier nights plays their games again: by fixed nodes they are the same games, and count once.
#[test]
fn the_same_game_again_counts_once() {
    let mut random = Random(37);
    let mut first = night(0, &builds(0, 0.0), 5, &mut random);
    first.by_time = false;
    for (game, key) in first.games.iter_mut().zip(0..) {
        game.key = Some(format!("{key}"));
    }
    let mut again = first.clone();
    again.run = "another run".to_owned();
    again.began = first.began + jiff::SignedDuration::from_hours(24);
    let games = |nights: &[&Night]| {
        let mut history = History::default();
        nights.iter().for_each(|night| assert!(history.add((*night).clone())));
        NightSeries::until(&history, history.nights.last().expect("a night"))
            .games()
            .clone()
    };
    assert_eq!(games(&[&first, &again]), games(&[&first]));
    // With limits of time they are different games.
    again.by_time = true;
    first.by_time = true;
    assert_ne!(games(&[&first, &again]), games(&[&first]));
}

/// A change of the machine begins a new series; a noisy night is neither compared nor counted, unless its games do not depend on time.
#[test]
fn other_machines_and_noise_are_not_compared() {
    let mut random = Random(5);
    let mut history = History::default();
    history.add(night(0, &builds(0, 0.0), 5, &mut random));
    let mut elsewhere = night(1, &builds(1, -300.0), 5, &mut random);
    elsewhere.machine = "another machine".to_owned();
    history.add(elsewhere.clone());
    assert_eq!(judged(&history), [], "there is nothing to compare it with");
    let mut noisy = night(2, &builds(2, -300.0), 20, &mut random);
    noisy.noise.steal = Some(100);
    let mut with_noise = history.clone();
    with_noise.add(noisy.clone());
    assert_eq!(judged(&with_noise), []);
    let series = NightSeries::until(&with_noise, &noisy);
    assert_eq!(
        (series.nights.len(), series.games().players),
        (2, 7),
        "its games are left out"
    );
    noisy.by_time = false;
    history.add(noisy);
    assert_eq!(judged(&history).len(), 5);
}

/// The page of the last night.
fn page(history: &History) -> String {
    let series = NightSeries::until(history, history.nights.last().expect("a night"));
    let fit = series.fit().expect("a fit");
    let view = NightView::new("League", &series, Ok(&fit), &changes(&series, &fit)).expect("the night");
    league::page(&view, &series, Some(&fit))
}

#[test]
fn the_page_of_a_night_draws_no_empty_axes_and_has_colors_of_its_own_for_the_dark() {
    let mut random = Random(3);
    let builds = |main: &str| [("main", main.to_owned(), 0.0), ("base", "b".to_owned(), 0.0)];
    let mut history = History::default();
    play(&mut history, night(1, &builds("a"), 20, &mut random));
    let first = page(&history);
    let (nothing, course) = (
        "is drawn once one of them has played in two nights",
        "builds through the nights",
    );
    assert!(first.contains(nothing) && !first.contains(course), "{first}");
    assert_eq!(first.matches("<svg").count(), 1, "{first}");
    play(&mut history, night(2, &builds("c"), 20, &mut random));
    let second = page(&history);
    assert!(!second.contains(nothing) && second.contains(course), "{second}");
    assert_eq!(
        (second.matches("<svg").count(), second.matches("<figcaption").count()),
        (2, 2)
    );
    let (style, shown) = second.split_once("</style>").expect("a style");
    assert!(
        style.contains("prefers-color-scheme: dark") && style.contains("max-width: 100%"),
        "{style}"
    );
    assert!(style.contains("text:not([fill])"), "{style}");
    // What is drawn in the colour of paper or ink has that of the page.
    for attribute in ["fill", "stroke"] {
        for color in ["#ffffff", "#222222", "#595959", "#000000", "#e3e3e3"] {
            let is_drawn = shown.contains(&format!(" {attribute}=\"{color}\""));
            let is_told = style.contains(&format!("[{attribute}=\"{color}\"]"));
            assert!(is_told || !is_drawn, "{attribute} {color}");
        }
    }
}
