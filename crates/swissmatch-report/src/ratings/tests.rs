//! Tables, sentences and JSON of small data.

use insta::assert_snapshot;

use super::*;
use crate::fixture;
use swissmatch_game::pgn_results::{Depth, UsableGame, read_with_openings};
use swissmatch_stats::rating::games::{GamePairs, Meeting};
use swissmatch_tournament::collected::{BreakdownOptions, Detail};

/// A file of games: White, Black, result, tags.
fn file(games: &[(&str, &str, &str, &str)]) -> Collection {
    file_by(BreakdownOptions::default(), games)
}

fn file_by(by: BreakdownOptions, games: &[(&str, &str, &str, &str)]) -> Collection {
    let text: String = (1..)
        .zip(games)
        .map(|(round, (white, black, result, more)): (u32, _)| {
            let opening = ["e4", "d4", "c4", "Nf3"][((round - 1) / 2 % 4) as usize];
            format!(
                "[Round \"{}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n{more}\n1. {opening} {{book}} e{} {result}\n\n",
                round.div_ceil(2),
                round % 4 + 3,
            )
        })
        .collect();
    collected(by, &text)
}

fn collected(by: BreakdownOptions, text: &str) -> Collection {
    let mut collection = Collection::with(by);
    let (mut rows, mut numbers, mut unusable) = (Vec::new(), Vec::new(), Vec::new());
    let each = |game: Result<UsableGame, _>| match game {
        Ok(game) => {
            rows.push(game.row);
            numbers.push(game.opening);
        }
        Err(why) => unusable.push(why),
    };
    let Collection { names, openings, .. } = &mut collection;
    read_with_openings(text.as_bytes(), Depth::Moves, names, openings, each).expect("a text");
    collection.add_file("games.pgn", &rows, &numbers, unusable.len() as u64, unusable);
    collection
}

const WON: &str = "1-0";
const LOST: &str = "0-1";
const DRAWN: &str = "1/2-1/2";
const TIME: &str = "[Termination \"time forfeit\"]";

fn text(collection: &Collection, asked: RatingListRequest) -> String {
    RatingList::new(collection, asked).expect("ratings").pages().text(None)
}

#[test]
fn two_players() {
    let collection = file(&[
        ("A", "B", WON, ""),
        ("B", "A", DRAWN, ""),
        ("A", "B", WON, ""),
        ("B", "A", WON, ""),
        ("A", "B", DRAWN, ""),
        ("B", "A", DRAWN, ""),
    ]);
    assert_snapshot!(text(&collection, RatingListRequest::default()), @"
    2 players, 6 games of 1 file, 6 in game pairs

    Rank  Player  Rating      ±  Games  Points  Score %  Draws %  LOS %
    ───────────────────────────────────────────────────────────────────
       1  A         39.8  118.9      6     3.5     58.3     50.0   74.4
       2  B        -39.8  118.9      6     2.5     41.7     50.0      –

    Model: Davidson's; ratings in Elo, the average of a group is 0.0.
    White's advantage: 200.0 ± 237.7 Elo.
    Draws between equals: 50.0 %, about as many as were played: no share is the likeliest.
    ± is half of a 95 % interval, from the model, as a player has fewer than 10 game pairs (games without a pair count as one each), or pairs do not differ.
    A – B: 3 game pairs, by points 0 to 2: 0, 0, 2, 1, 0; 2 won, 3 drawn, 1 lost of 6 games; Elo +58.5 ± 98.1, nElo +173.7 ± 278.0.
    ");
}

/// One pair has no spread: nothing is said of how sure its figures are, but by a model that knows what games vary by.
#[test]
fn where_nothing_varies_there_is_no_error() {
    let collection = file(&[("A", "B", WON, ""), ("B", "A", DRAWN, "")]);
    for errors in [Errors::Pairs, Errors::Resampled { samples: 20, seed: 1 }] {
        let options = Options {
            errors,
            ..Options::default()
        };
        let asked = RatingListRequest {
            options,
            los: true,
            ..RatingListRequest::default()
        };
        let rated = RatingList::new(&collection, asked).expect("ratings");
        let shown = rated.pages().text(None);
        assert!(!shown.contains(" 0.0  ") && !shown.contains("100.0"), "{shown}");
        assert!(shown.contains("Elo +190.8, nElo –."), "{shown}");
        let json: serde_json::Value = serde_json::from_str(&rated.json()).expect("JSON");
        let first = &json["players"][0];
        assert!(
            first["rating"].is_number() && first["error"].is_null() && first["los_over_next"].is_null(),
            "{first}"
        );
    }
    let with = |errors: Errors| {
        let options = Options {
            errors,
            ..Options::default()
        };
        let asked = RatingListRequest {
            options,
            ..RatingListRequest::default()
        };
        RatingList::new(&collection, asked).expect("ratings").pages().text(None)
    };
    let by_model = with(Errors::Model);
    assert!(by_model.contains("196.6"), "{by_model}");
    // By itself it says what the figures of the pairs say.
    let by_itself = with(Errors::ByCount);
    let says = "The game pairs do not differ, so ratings have no error.";
    assert!(by_itself.contains(says) && !by_itself.contains("196.6"), "{by_itself}");
    // One pair that was won: a bound, and no word of ten pairs.
    let won = file(&[("A", "B", WON, ""), ("B", "A", LOST, "")]);
    let rated = RatingList::new(&won, RatingListRequest::default()).expect("ratings");
    let shown = rated.pages().text(None);
    assert!(shown.contains('≥') || shown.contains('≤'), "{shown}");
    assert!(!shown.contains("± is half"), "{shown}");
    let json: serde_json::Value = serde_json::from_str(&rated.json()).expect("JSON");
    assert_eq!(json["errors"], "model");
}

#[test]
fn several_games_that_repeat_an_earlier_one_count() {
    let game = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n";
    let collection = collected(BreakdownOptions::default(), &game.repeat(3));
    assert_eq!(collection.duplicates(), 2);
    let shown = RatingList::new(&collection, RatingListRequest::default())
        .expect("ratings")
        .pages()
        .text(None);
    assert!(
        shown.contains("2 games repeat an earlier one of the same players move by move, and count all the same."),
        "{shown}"
    );
}

#[test]
fn who_cannot_be_compared_is_told() {
    let collection = file(&[
        ("A", "B", WON, ""),
        ("B", "A", WON, ""),
        ("A", "C", WON, ""),
        ("C", "B", LOST, ""),
        ("D", "A", WON, ""),
        ("X", "Y", WON, ""),
        ("Y", "X", DRAWN, ""),
    ]);
    let asked = RatingListRequest {
        los: true,
        by_opponent: true,
        ..RatingListRequest::default()
    };
    assert_snapshot!(text(&collection, asked), @"
    6 players, 7 games of 1 file, 2 in game pairs

    Group  Rank  Player    Rating      ±  Games  Points  Score %  Draws %  LOS %
    ────────────────────────────────────────────────────────────────────────────
        1     1  D       ≥ -348.9      –      1     1.0    100.0      0.0      –
        1     2  A            0.0  205.0      4     2.0     50.0      0.0   50.0
        1     3  B            0.0  205.0      3     2.0     66.7      0.0      –
        1     4  C        ≤ 105.8      –      2     0.0      0.0      0.0      –
        2     1  X           96.5  240.8      2     1.5     75.0     50.0   78.4
        2     2  Y          -96.5  240.8      2     0.5     25.0     50.0      –

    Model: Davidson's; ratings in Elo, the average of a group is 0.0.
    White's advantage is taken as none: no finite one is the likeliest.
    Draws between equals: 27.5 ± 46.7 %.
    ± is half of a 95 % interval, from the model, as a player has fewer than 10 game pairs (games without a pair count as one each), or pairs do not differ.
    No games connect the 2 groups: ratings of different groups cannot be compared.
    Scored all against those below, which has no upper bound; ≥ is the lower one, with 95 % confidence: D.
    Scored nothing against those above, which has no lower bound; ≤ is the upper one, with 95 % confidence: C.

    Likelihood of superiority in %, of the player of the row over that of the column

    Rank  Player  1     2     3  4     5     6
    ──────────────────────────────────────────
       1  D       –     –     –  –     –     –
       2  A       –     –  50.0  –     –     –
       3  B       –  50.0     –  –     –     –
       4  C       –     –     –  –     –     –
       5  X       –     –     –  –     –  78.4
       6  Y       –     –     –  –  21.6     –

    Expected and actual points of everybody who met, of the player of the higher rank

    Player  Opponent  Games  Points  Expected  Difference  Deviations
    ─────────────────────────────────────────────────────────────────
    D       A             1     1.0       1.0        +0.0           –
    A       B             2     1.0       1.0        +0.0        +0.0
    A       C             1     1.0       1.0        +0.0           –
    B       C             1     1.0       1.0        +0.0           –
    X       Y             2     1.5       1.5        +0.0        +0.0

    Deviations are by the model: one in 20 is beyond ±2 by chance.
    ");
}

#[test]
fn faults_and_what_they_change() {
    let games = [
        ("A", "B", WON, TIME),
        ("B", "A", WON, ""),
        ("A", "B", DRAWN, ""),
        ("B", "A", DRAWN, ""),
        ("A", "B", "*", ""),
        ("A", "A", WON, ""),
    ];
    let collection = file(&games);
    let with = RatingList::new(&collection, RatingListRequest::default()).expect("ratings");
    assert_snapshot!(with.page().notes[4..].join("\n"), @"
    Games left out: 1 unfinished, 1 unusable.
    games.pgn, line 41: the game that begins in line 36 is left out: `A` plays against itself
    Ended by a fault: 1 game, by B 1.
    Without them ratings move: A -45.7, B +45.7.
    A – B: 2 game pairs, by points 0 to 2: 0, 0, 2, 0, 0; 1 won, 2 drawn, 1 lost of 4 games; Elo +0.0, nElo –.
    ");
    let asked = RatingListRequest {
        leave_out_faults: true,
        ..RatingListRequest::default()
    };
    let without = RatingList::new(&collection, asked).expect("ratings");
    assert_eq!(without.game_count(), 3);
    // The same, whichever is shown.
    let moved = |rated: &RatingList<'_>| {
        let mut moved = rated.moved().expect("faults").expect("a fit");
        moved.sort_by_key(|(player, _)| *player);
        moved
    };
    assert_eq!(moved(&without), moved(&with));
    assert!(
        without
            .page()
            .notes
            .iter()
            .any(|note| note == "Games left out: 1 unfinished, 1 unusable, 1 ended by a fault.")
    );
}

#[test]
fn anchors_and_averages() {
    let games = [("A", "B", WON, ""), ("B", "A", DRAWN, ""), ("A", "B", LOST, "")];
    let collection = file(&games);
    let of = |origin| {
        let asked = RatingListRequest {
            options: Options {
                origin,
                ..Options::default()
            },
            ..RatingListRequest::default()
        };
        let rated = RatingList::new(&collection, asked).expect("ratings");
        rated
            .page()
            .table
            .rows
            .into_iter()
            .map(|row| row[1..4].join(" "))
            .collect::<Vec<_>>()
    };
    let anchored = of(Origin::Anchors(vec![(1, 2500.0)]));
    assert!(anchored.contains(&"B 2500.0 anchor".to_owned()), "{anchored:?}");
    let average = of(Origin::Average {
        players: Vec::new(),
        value: 100.0,
    });
    assert!(
        average
            .iter()
            .all(|row| row.starts_with("A 1") || row.starts_with("B ")),
        "{average:?}"
    );
}

#[test]
fn without_a_game_nobody_is_rated() {
    let collection = file(&[("A", "B", "*", ""), ("A", "A", WON, "")]);
    let error = RatingList::new(&collection, RatingListRequest::default()).expect_err("no game");
    assert_snapshot!(error, @"
    there is no game that counts, so nobody is rated
    Games left out: 1 unfinished, 1 unusable.
    games.pgn, line 13: the game that begins in line 8 is left out: `A` plays against itself
    ");
}

#[test]
fn a_run() {
    let mut collection = Collection::default();
    let added = collection.add_run("results/test", &fixture::over(), &BTreeSet::new(), |_, _| {
        Detail::default()
    });
    added.expect("names");
    assert_snapshot!(text(&collection, RatingListRequest::default()), @"
    5 players, 12 games of 1 run, 12 in game pairs

    Rank  Player   Rating      ±  Games  Points  Score %  Draws %  LOS %
    ────────────────────────────────────────────────────────────────────
       1  Bravo     162.4  350.7      4     2.5     62.5     25.0   59.8
       2  Charlie   101.9  309.7      6     3.0     50.0     33.3   56.5
       3  Alpha      71.6  311.4      6     3.5     58.3     16.7   66.9
       4  Delta     -57.8  343.4      4     2.0     50.0      0.0   80.7
       5  Echo     -278.1  385.7      4     1.0     25.0      0.0      –

    Model: Davidson's; ratings in Elo, the average of a group is 0.0.
    White's advantage: 243.1 ± 252.0 Elo.
    Draws between equals: 23.6 ± 30.1 %.
    ± is half of a 95 % interval, from the model, as a player has fewer than 10 game pairs (games without a pair count as one each), or pairs do not differ.
    Ended by a fault: 5 games, by Bravo 1, Delta 1, Echo 3.
    Without them ratings move: Bravo -192.0, Charlie -131.6, Alpha -12.3.
    ");
    let rated = RatingList::new(&collection, RatingListRequest::default()).expect("ratings");
    let json: serde_json::Value = serde_json::from_str(&rated.json()).expect("JSON");
    assert_eq!(json["sources"][0]["kind"], "run");
    assert_eq!(json["players"].as_array().map(Vec::len), Some(5));
    assert_eq!(json.get("los"), None);
}

#[test]
fn results_are_of_each_player_by_its_own_side() {
    let mut counts = [[0; 3]; 3];
    counts[0][1] = 2;
    counts[2][2] = 1;
    let games = RatedGames {
        players: 2,
        single: vec![Meeting {
            white: 1,
            black: 0,
            wins: 3,
            ..Meeting::default()
        }],
        pairs: vec![GamePairs {
            players: [0, 1],
            counts,
        }],
    };
    let [one, other] = results(&games)[..] else {
        panic!("two players")
    };
    assert_eq!((one.wins, one.draws, one.losses), (2, 2, 5));
    assert_eq!(other, one.of_the_other());
}

#[test]
fn plots_have_a_row_for_everybody() {
    let collection = file(&[("A", "B", WON, ""), ("B", "A", DRAWN, ""), ("A", "C", WON, "")]);
    let rated = RatingList::new(&collection, RatingListRequest::default()).expect("ratings");
    let plots = rated.plots();
    let names: Vec<&str> = plots.iter().map(|plot| plot.name).collect();
    assert_eq!(names, ["ratings", "los"]);
    for plot in &plots {
        assert!(
            plot.svg.contains(">A<") && plot.svg.contains(">C<") || plot.name == "los",
            "{}",
            plot.svg
        );
    }
}

const BY: BreakdownOptions = BreakdownOptions {
    opening: true,
    length: true,
    termination: true,
    without_faults: false,
};

#[test]
fn games_are_counted_by_colour_opening_length_and_termination() {
    // A pair that White won twice, one of two draws, one that A won by B's fault.
    let games = [
        ("A", "B", WON, ""),
        ("B", "A", WON, ""),
        ("A", "B", DRAWN, ""),
        ("B", "A", DRAWN, ""),
        ("A", "B", WON, ""),
        ("B", "A", LOST, TIME),
    ];
    let rated = |by: BreakdownOptions, leave_out_faults| {
        let collection = file_by(by, &games);
        let asked = RatingListRequest {
            leave_out_faults,
            by_colour: true,
            ..RatingListRequest::default()
        };
        let rated = RatingList::new(&collection, asked).expect("ratings");
        let json: serde_json::Value = serde_json::from_str(&rated.json()).expect("JSON");
        (json, rated.pages().text(None))
    };
    let (all, text) = rated(BY, false);
    let colours: Vec<String> = (all["by_colour"].as_array().expect("a list").iter())
        .map(|of| {
            format!(
                "{} {} {} {} {}",
                of["player"], of["colour"], of["wins"], of["draws"], of["losses"]
            )
        })
        .collect();
    assert_eq!(
        colours,
        [
            r#""A" "white" 2 1 0"#,
            r#""A" "black" 1 1 1"#,
            r#""B" "white" 1 1 1"#,
            r#""B" "black" 0 1 2"#
        ]
    );
    // By Davidson's model what is expected of a player in all is what it scored.
    let expected: f64 = (0..2)
        .map(|row| all["by_colour"][row]["expected"].as_f64().expect("points"))
        .sum();
    assert!((expected - 4.0).abs() < 1e-6, "{expected}");
    let openings: Vec<String> = (all["by_opening"].as_array().expect("a list").iter())
        .map(|of| {
            let kinds = [
                "games",
                "pairs",
                "decisive_pairs",
                "drawn_twice",
                "white_twice",
                "black_twice",
            ];
            format!("{} {}", of["moves"], kinds.map(|kind| of[kind].to_string()).join(" "))
        })
        .collect();
    assert_eq!(
        openings,
        [r#""c4" 2 1 1 0 0 0"#, r#""d4" 2 1 0 1 0 0"#, r#""e4" 2 1 0 0 1 0"#]
    );
    assert_eq!(all["by_length"]["median"], 1);
    assert_eq!(all["by_length"]["lengths"][0]["games"], 6);
    let of = &all["by_termination"];
    assert_eq!(
        (&of["terminations"][0]["termination"], &of["terminations"][1]["games"]),
        (&"not-told".into(), &1.into())
    );
    assert_eq!(
        of["faults"],
        serde_json::json!([{ "player": "B", "termination": "time-forfeit", "games": 1 }])
    );
    for said in [
        "By opening: 3 openings",
        "Of 3 game pairs: 1 decisive (33.3 %), 1 drawn twice, 1 won by White twice, 0 by Black twice.",
        "Mean 1.0 moves, median 1, longest 1",
        "Faults that ended games, by player",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
    let (sound, _) = rated(
        BreakdownOptions {
            without_faults: true,
            ..BY
        },
        true,
    );
    assert_eq!(
        (&sound["by_opening"][2]["games"], &sound["by_opening"][2]["pairs"]),
        (&1.into(), &0.into())
    );
    assert_eq!(sound["by_length"]["lengths"][0]["games"], 5);
    // Why games ended is told of all.
    assert_eq!(sound["by_termination"], all["by_termination"]);
    let (none, text) = rated(BreakdownOptions::default(), false);
    assert_eq!(none.get("by_opening"), None);
    assert!(!text.contains("By opening"), "{text}");
}

#[test]
fn a_long_list_of_openings_is_cut_but_not_in_csv() {
    let game = |number: u32| {
        let result = [WON, LOST][number as usize % 2];
        format!("[White \"A\"]\n[Black \"B\"]\n[Result \"{result}\"]\n[ECO \"A{number:02}\"]\n\n1. e4 e5 {result}\n\n")
    };
    let collection = collected(BY, &(0..40).map(game).collect::<String>());
    let pages = |whole_lists| {
        let asked = RatingListRequest {
            whole_lists,
            ..RatingListRequest::default()
        };
        RatingList::new(&collection, asked).expect("ratings").pages()
    };
    let text = pages(false).text(None);
    assert!(text.contains("\nA29 ") && !text.contains("\nA30 "), "{text}");
    assert!(text.contains("… and 10 more; --csv and --json have all."), "{text}");
    let csv = pages(true).csv();
    assert!(csv.contains("A39"), "{csv}");
}
