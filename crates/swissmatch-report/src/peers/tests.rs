//! The lines as those programs print them, with names and numbers of our own where they are no figures of stored matches.

use std::collections::BTreeSet;

use insta::assert_snapshot;

use super::count::Count;
use super::*;
use crate::fixture;
use swissmatch_game::Side;
use swissmatch_game::record::{AttemptEnd, FailedAttempt};
use swissmatch_game::termination::Outcome;
use swissmatch_stats::pairs::{Pairs, Wdl};
use swissmatch_stats::printed::PrintedFigures;
use swissmatch_stats::sprt::{Decimal, Verdict};
use swissmatch_tournament::peer_lines::PeerLogOptions;
use swissmatch_tournament::setup::Setup;
use swissmatch_tournament::state::EndedGame;

use Outcome::{BlackWins, Draw, WhiteWins};
use Termination::{Checkmate, ThreefoldRepetition};

/// Two players and one mini-match, of which these games have ended.
fn of_two(games: u32, ended: &[(Outcome, Termination)], change: impl FnOnce(&mut Setup)) -> State {
    fixture::two_players(games, ended, change)
}

fn wanted(lines: PeerFormat, pairs: bool) -> PeerOutput {
    PeerOutput {
        lines,
        pairs,
        rating: 1,
        score: 1,
        ..PeerOutput::default()
    }
}

fn id(game: u32) -> GameId {
    GameId {
        round: 1,
        playoff: 0,
        board: 1,
        game,
    }
}

/// Everything that is printed of a match whose games end in this order.
fn told(wanted: PeerOutput, games: u32, order: &[u32], results: &[(Outcome, Termination)]) -> String {
    let none = of_two(games, &[], |_| ());
    let mut peers = PeerLines::new(wanted, &none);
    let mut lines = peers.begin(&none);
    let all = of_two(games, results, |_| ());
    let ended: Vec<EndedGame> = all.finished_games().collect();
    // The first two are played at once.
    let playing: BTreeSet<GameId> = order.iter().take(2).map(|game| id(*game)).collect();
    lines.extend(peers.playing(&all, &playing));
    for number in order {
        let game = ended[*number as usize - 1];
        lines.extend(peers.finished(&all, &game.finished, None));
    }
    lines.extend(peers.end(&all, PeerMatchEnd::Over));
    lines.extend(peers.finish(3_725));
    lines.join("\n")
}

const FOUR: [(Outcome, Termination); 4] = [
    (WhiteWins, Checkmate),
    (Draw, ThreefoldRepetition),
    (WhiteWins, Termination::Crash { by: Side::Black }),
    (BlackWins, Checkmate),
];

#[test]
fn a_match_as_fastchess_tells_it() {
    assert_snapshot!(told(wanted(PeerFormat::Fastchess, true), 4, &[2, 1, 3, 4], &FOUR), @"
    Started game 1 of 4 (Alpha vs Bravo)
    Started game 2 of 4 (Bravo vs Alpha)
    Finished game 2 (Bravo vs Alpha): 1/2-1/2 {Draw by 3-fold repetition}
    Finished game 1 (Alpha vs Bravo): 1-0 {White mates}
    --------------------------------------------------
    Results of Alpha vs Bravo (30/move, NULL, NULL):
    Elo: 190.85 +/- 0.00, nElo: inf +/- nan
    LOS: 100.00 %, DrawRatio: 0.00 %, PairsRatio: inf
    Games: 2, Wins: 1, Losses: 0, Draws: 1, Points: 1.5 (75.00 %)
    Ptnml(0-2): [0, 0, 0, 1, 0], WL/DD Ratio: nan
    --------------------------------------------------
    Started game 3 of 4 (Alpha vs Bravo)
    Finished game 3 (Alpha vs Bravo): 1-0 {Black disconnects}
    Started game 4 of 4 (Bravo vs Alpha)
    Finished game 4 (Bravo vs Alpha): 0-1 {Black mates}
    --------------------------------------------------
    Results of Alpha vs Bravo (30/move, NULL, NULL):
    Elo: 338.04 +/- nan, nElo: 737.02 +/- 340.48
    LOS: 100.00 %, DrawRatio: 0.00 %, PairsRatio: inf
    Games: 4, Wins: 3, Losses: 0, Draws: 1, Points: 3.5 (87.50 %)
    Ptnml(0-2): [0, 0, 0, 1, 1], WL/DD Ratio: nan
    --------------------------------------------------

    Player: Bravo
      Timeouts: 0
      Crashed: 1

    Finished match
    Total Time: 01:02:05 (hours:minutes:seconds)
    ");
}

#[test]
fn a_match_as_fastchess_tells_it_in_the_words_of_cutechess() {
    assert_snapshot!(told(wanted(PeerFormat::FastchessAsCutechess, false), 4, &[1, 2, 3, 4], &FOUR), @"
    Started game 1 of 4 (Alpha vs Bravo)
    Started game 2 of 4 (Bravo vs Alpha)
    Finished game 1 (Alpha vs Bravo): 1-0 {White mates}
    Score of Alpha vs Bravo: 1 - 0 - 0  [1.000] 1
    Elo difference: inf +/- nan, LOS: 100.00 %, DrawRatio: 0.00 %
    Finished game 2 (Bravo vs Alpha): 1/2-1/2 {Draw by 3-fold repetition}
    Score of Alpha vs Bravo: 1 - 0 - 1  [0.750] 2
    Elo difference: 190.85 +/- nan, LOS: 92.14 %, DrawRatio: 50.00 %
    Started game 3 of 4 (Alpha vs Bravo)
    Finished game 3 (Alpha vs Bravo): 1-0 {Black disconnects}
    Score of Alpha vs Bravo: 2 - 0 - 1  [0.833] 3
    Elo difference: 279.59 +/- nan, LOS: 99.28 %, DrawRatio: 33.33 %
    Started game 4 of 4 (Bravo vs Alpha)
    Finished game 4 (Bravo vs Alpha): 0-1 {Black mates}
    Score of Alpha vs Bravo: 3 - 0 - 1  [0.875] 4
    Elo difference: 338.04 +/- nan, LOS: 99.97 %, DrawRatio: 25.00 %
    Finished match
    Total Time: 01:02:05 (hours:minutes:seconds)
    ");
}

#[test]
fn a_match_as_cutechess_tells_it() {
    let wanted = PeerOutput {
        rating: 0,
        ..wanted(PeerFormat::Cutechess, false)
    };
    assert_snapshot!(told(wanted, 4, &[1, 2, 3, 4], &FOUR), @r#"
    Started game 1 of 4 (Alpha vs Bravo)
    Started game 2 of 4 (Bravo vs Alpha)
    Finished game 1 (Alpha vs Bravo): 1-0 {White mates}
    Score of Alpha vs Bravo: 1 - 0 - 0  [1.000] 1
    Finished game 2 (Bravo vs Alpha): 1/2-1/2 {Draw by 3-fold repetition}
    Score of Alpha vs Bravo: 1 - 0 - 1  [0.750] 2
    Started game 3 of 4 (Alpha vs Bravo)
    Finished game 3 (Alpha vs Bravo): 1-0 {Black disconnects}
    Score of Alpha vs Bravo: 2 - 0 - 1  [0.833] 3
    Started game 4 of 4 (Bravo vs Alpha)
    Finished game 4 (Bravo vs Alpha): 0-1 {Black mates}
    Score of Alpha vs Bravo: 3 - 0 - 1  [0.875] 4
    ...      Alpha playing White: 2 - 0 - 0  [1.000] 2
    ...      Alpha playing Black: 1 - 0 - 1  [0.750] 2
    ...      White vs Black: 2 - 1 - 1  [0.625] 4
    Elo difference: 338.0 +/- nan, LOS: 95.8 %, DrawRatio: 25.0 %

    Player: Alpha
       "Draw by 3-fold repetition": 1
       "Win: Black disconnects": 1
       "Win: Black mates": 1
       "Win: White mates": 1
    Player: Bravo
       "Draw by 3-fold repetition": 1
       "Loss: Black disconnects": 1
       "Loss: Black mates": 1
       "Loss: White mates": 1
    Finished match
    "#);
}

/// The figures that fastchess printed of a match of 200 games, and of one of 70 that its test ended.
#[test]
fn figures_are_those_of_stored_matches() {
    let state = of_two(200, &[], |setup| {
        setup.sprt.elo0 = Some(Decimal::default());
        setup.sprt.elo1 = Some(Decimal::from_millionths(5_000_000));
    });
    let wanted = wanted(PeerFormat::Fastchess, true);
    let pairs = Pairs {
        ll: 10,
        ld: 14,
        wl: 31,
        dd: 2,
        wd: 18,
        ww: 25,
    };
    let mut count = Count::of(&state, true);
    count.is_exactly(&state, pairs.games(), pairs);
    let lines = fastchess::interval(&wanted, &state, &count);
    assert_eq!(
        lines[2..7],
        [
            "Elo: 59.64 +/- 44.68, nElo: 65.95 +/- 48.15",
            "LOS: 99.64 %, DrawRatio: 33.00 %, PairsRatio: 1.79",
            "Games: 200, Wins: 99, Losses: 65, Draws: 36, Points: 117.0 (58.50 %)",
            "Ptnml(0-2): [10, 14, 33, 18, 25], WL/DD Ratio: 15.50",
            "LLR: 0.51 (17.3%) (-2.94, 2.94) [0.00, 5.00]",
        ]
    );
    let state = of_two(70, &[], |setup| {
        setup.sprt.elo0 = Some(Decimal::from_millionths(100_000_000));
        setup.sprt.elo1 = Some(Decimal::from_millionths(150_000_000));
    });
    let pairs = Pairs {
        ll: 6,
        ld: 4,
        wl: 10,
        dd: 2,
        wd: 9,
        ww: 4,
    };
    count.is_exactly(&state, pairs.games(), pairs);
    let decided = SprtDecided {
        verdict: Verdict::H0,
        after: 35,
        llr: Decimal::default(),
        lower: Decimal::default(),
        upper: Decimal::default(),
    };
    let lines = fastchess::verdict(&wanted, &state, &count, &decided);
    assert_eq!(
        [&lines[2], &lines[3], &lines[6], &lines[8]],
        [
            "Elo: 4.96 +/- 71.82, nElo: 5.71 +/- 81.39",
            "LOS: 55.46 %, DrawRatio: 34.29 %, PairsRatio: 1.30",
            "LLR: -2.97 (-100.7%) (-2.94, 2.94) [100.00, 150.00]",
            "SPRT ([100.00, 150.00]) completed - H0 was accepted",
        ]
    );
}

/// Figures of few games as fastchess's own functions write them, except for the sign of `nan`.
#[test]
fn figures_of_few_games() {
    let text = |printed: PrintedFigures| {
        let two = |number| number::fixed(number, 2);
        format!(
            "{} {} {} {} {}",
            two(printed.elo),
            two(printed.elo_error),
            two(printed.nelo),
            two(printed.nelo_error),
            two(printed.los * 100.0)
        )
    };
    let games = |wins, losses, draws| text(PrintedFigures::of_games(&Wdl { wins, draws, losses }));
    assert_eq!(games(0, 0, 10), "-0.00 0.00 nan nan nan");
    assert_eq!(games(0, 10, 0), "-inf nan -inf nan 0.00");
    assert_eq!(games(1, 0, 1), "190.85 nan 347.44 481.51 92.14");
    assert_eq!(games(2, 2, 0), "-0.00 798.10 0.00 340.48 50.00");
    let won_and_lost = Pairs {
        ll: 1,
        ww: 1,
        ..Pairs::NONE
    };
    assert_eq!(
        text(PrintedFigures::of_pairs(&won_and_lost)),
        "-0.00 nan 0.00 340.48 50.00"
    );
}

#[test]
fn a_verdict_ends_the_lines_of_games() {
    let results = [(WhiteWins, Checkmate), (BlackWins, Checkmate)];
    let state = of_two(8, &results, |setup| {
        setup.sprt.elo0 = Some(Decimal::default());
        setup.sprt.elo1 = Some(Decimal::from_millionths(300_000_000));
    });
    let mut peers = PeerLines::new(wanted(PeerFormat::Fastchess, true), &state);
    let decided = SprtDecided {
        verdict: Verdict::H1,
        after: 1,
        llr: Decimal::default(),
        lower: Decimal::default(),
        upper: Decimal::default(),
    };
    let lines = peers.decided(&state, &decided);
    assert_eq!(
        lines.last().map(String::as_str),
        Some("SPRT ([0.00, 300.00]) completed - H1 was accepted")
    );
    let late = fixture::finished((1, 1, 3), (1, 2), Draw, ThreefoldRepetition);
    assert_eq!(peers.finished(&state, &late.finished, None), Vec::<String>::new());
    assert_eq!(peers.playing(&state, &BTreeSet::from([id(4)])), Vec::<String>::new());
}

#[test]
fn more_than_two_have_a_table() {
    let state = fixture::two_rounds();
    let count = Count::of(&state, true);
    let lines = fastchess::interval(&wanted(PeerFormat::Fastchess, true), &state, &count);
    assert_snapshot!(lines.join("\n"), @"
    --------------------------------------------------
    Rank Name                             Elo        +/-       nElo        +/-      Games      Score       Draw           Ptnml(0-2)
       1 Bravo                          88.74        nan      81.89     340.48          4      62.5%       0.0%      [0, 1, 0, 0, 1]
       2 Alpha                          88.74     136.27     245.67     340.48          4      62.5%      50.0%      [0, 0, 1, 1, 0]
       3 Charlie                        -0.00     296.58       0.00     340.48          4      50.0%       0.0%      [0, 1, 0, 1, 0]
       4 Echo                           -0.00       0.00        nan        nan          2      50.0%     100.0%      [0, 0, 1, 0, 0]
       5 Delta                           -inf        nan       -inf        nan          2       0.0%       0.0%      [1, 0, 0, 0, 0]
    --------------------------------------------------
    ");
    let lines = cutechess::ranking(&state, &Count::of(&state, false));
    let row = |cells: [&str; 7]| {
        let [rank, name, elo, error, games, score, draws] = cells;
        format!("{rank:>4} {name:<25} {elo:>7} {error:>7} {games:>7} {score:>7} {draws:>7} ")
    };
    assert_eq!(lines[0], row(["Rank", "Name", "Elo", "+/-", "Games", "Score", "Draw"]));
    assert_eq!(lines[1], row(["1", "Bravo", "89", "nan", "4", "62.5%", "25.0%"]));
    assert!(lines[5].starts_with("   5 Delta ") && lines[6].is_empty(), "{lines:?}");
    // The second game of board 2 in round 2 of two boards of two games.
    let of_round_2 = GameId {
        round: 2,
        board: 2,
        ..id(2)
    };
    assert_eq!(count::number(&state, of_round_2), 8);
}

/// Words that OpenBench's and fishtest's workers look for.
#[test]
fn faults_have_the_words_that_are_looked_for() {
    let by = Side::White;
    let state = of_two(2, &[], |_| ());
    let reason = |termination| {
        let game = fixture::finished((1, 1, 1), (1, 2), BlackWins, termination);
        words::reason(PeerFormat::Fastchess, &state, &game.finished, None)
    };
    assert_eq!(reason(Termination::TimeForfeit { by }), "White loses on time");
    assert_eq!(reason(Termination::Crash { by }), "White disconnects");
    assert_eq!(reason(Termination::NotReady { by }), "White's connection stalls");
    assert_eq!(reason(Termination::IllegalMove { by }), "White makes an illegal move");
    assert_eq!(reason(Termination::Tablebase), "Black wins by adjudication: SyzygyTB");
    let game = fixture::finished((1, 1, 1), (1, 2), BlackWins, Termination::TimeForfeit { by });
    let mut record = fixture::empty_record(&game);
    record.failed_attempts.push(FailedAttempt {
        ply: 0,
        side: by,
        attempt: 1,
        time_us: 30_102_900,
        end: AttemptEnd::Late,
        wakeup_us: None,
        service_us: None,
        ready_us: None,
        doubt: None,
        meant: None,
    });
    let late = |lines| words::reason(lines, &state, &game.finished, Some(&record));
    assert_eq!(late(PeerFormat::Fastchess), "White loses on time (102ms overrun)");
    assert_eq!(late(PeerFormat::Cutechess), "White loses on time");
}

#[test]
fn what_fastchess_warns_of() {
    let by = Side::Black;
    let state = of_two(2, &[], |_| ());
    let game = fixture::finished((1, 1, 1), (1, 2), WhiteWins, Termination::IllegalMove { by });
    let mut record = fixture::empty_record(&game);
    record.moves = "e2e4".to_owned();
    record.pv.push("e2e4 e7e2");
    record.failed_attempts.push(FailedAttempt {
        ply: 1,
        side: by,
        attempt: 1,
        time_us: 1000,
        end: AttemptEnd::Illegal("a1a1".to_owned()),
        wakeup_us: None,
        service_us: None,
        ready_us: None,
        doubt: None,
        meant: None,
    });
    let one_line = PeerOutput {
        is_one_line: true,
        ..wanted(PeerFormat::Fastchess, true)
    };
    assert_eq!(
        words::warnings(&one_line, &state, &game.finished, &record),
        [
            "Warning; Illegal PV move - move e7e2 from Alpha :: Info; info pv e2e4 e7e2 :: Position; startpos :: Moves; ",
            "Warning; Illegal move a1a1 played by Bravo",
        ]
    );
    let said = "     0.000100 White > go nodes 1\n     0.000200 Black ! Assertion failed\n";
    let of = |logged| {
        of_game(
            logged,
            &one_line,
            &state,
            (&game.finished, Some(&record)),
            said,
            "12:00:00.000001",
        )
    };
    let warnings = of(PeerLogOptions {
        has_warnings: true,
        has_engines: false,
    });
    assert_eq!(
        warnings[0],
        "[Engine] [       0.000200] <                   1>  <stderr> Bravo ---> Assertion failed"
    );
    assert_eq!(
        warnings[2],
        "[WARN  ] [12:00:00.000001] <                    > fastchess --- Warning; Illegal move a1a1 played by Bravo"
    );
    let engines = of(PeerLogOptions {
        has_warnings: false,
        has_engines: true,
    });
    assert_eq!(engines.len(), 3);
    assert_eq!(
        engines[0],
        "[Engine] [       0.000100] <                   1>  Alpha <--- position startpos"
    );
    assert!(engines[1].ends_with("Alpha <--- go nodes 1"), "{engines:?}");
}

/// Evidence leaves positions out: they follow from the moves, the attempts at them and what was expected.
#[test]
fn a_log_has_the_positions_that_engines_were_sent() {
    let state = of_two(2, &[(WhiteWins, Checkmate)], |_| {});
    let game = state.finished_games().next().expect("a game");
    let mut record = fixture::empty_record(&game);
    record.opening.moves = vec!["d2d4".parse().expect("a move")];
    record.moves = "d7d5 c2c4 e7e6".to_owned();
    record.time_us = vec![1; 3];
    record.failed_attempts.push(FailedAttempt {
        ply: 1,
        side: Side::White,
        attempt: 1,
        time_us: 1,
        end: AttemptEnd::Late,
        wakeup_us: None,
        meant: None,
        ready_us: None,
        service_us: None,
        doubt: None,
    });
    let said = [
        "Black > go depth 1",
        "Black < bestmove d7d5 ponder c2c4",
        "Black > go ponder depth 1",
        "White > go depth 1",
        "White > stop",
        "White < bestmove c2c4",
        "White > go depth 1",
        "White < bestmove c2c4 ponder d5c4",
        "Black > ponderhit",
        "Black < bestmove e7e6",
        "White > go ponder depth 1",
        "White > stop",
        "White > go depth 1",
    ];
    let said: Vec<String> = said.iter().map(|line| format!("     0.000100 {line}\n")).collect();
    let logged = PeerLogOptions {
        has_warnings: false,
        has_engines: true,
    };
    let wanted = wanted(PeerFormat::Fastchess, true);
    let lines = of_game(
        logged,
        &wanted,
        &state,
        (&game.finished, Some(&record)),
        &said.concat(),
        "",
    );
    let lines = lines
        .iter()
        .filter_map(|line| line.split_once("position startpos moves "));
    let positions: Vec<&str> = lines.map(|(_, moves)| moves).collect();
    let expected = [
        "d2d4",
        "d2d4 d7d5 c2c4",
        "d2d4 d7d5",
        "d2d4 d7d5",
        "d2d4 d7d5 c2c4 d5c4",
        "d2d4 d7d5 c2c4 e7e6",
    ];
    assert_eq!(positions, expected);
}
