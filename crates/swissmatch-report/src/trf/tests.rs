//! What the two views hold, as text; that it reads back; and what is refused.

use insta::assert_snapshot;
use swiss_system::trf::{Tournament, read};
use swissmatch_tournament::ranking::standings_after;

use super::super::fixture;
use super::*;
use swissmatch_game::Side;
use swissmatch_game::termination::{Outcome, Termination};
use swissmatch_tournament::setup::{InitialColor, Kinship, Setup, TieBreakEdition};

/// More rounds than any event has.
const ALL: usize = 99;

/// Both texts of an event, each read back without a warning.
fn texts(state: &State) -> [String; 2] {
    [View::Individual, View::Teams].map(|view| {
        let text = text(state, view, ALL).expect("the format holds it");
        let reading = read(text.as_bytes()).expect("it reads");
        assert_eq!(reading.warnings, [], "{text}");
        assert!(text.is_ascii());
        text
    })
}

/// The lines with these codes.
fn lines(text: &str, codes: &[&str]) -> String {
    let wanted = |line: &&str| codes.iter().any(|code| line.starts_with(code));
    text.lines().filter(wanted).collect::<Vec<_>>().join("\n")
}

/// That the points of every player are what its letters give by the file itself, and what the standings say.
fn assert_points(state: &State) {
    let tournament = individual(state, ALL).expect("the format holds it");
    let system = tournament.point_system();
    let standings = standings_after(state, state.rounds_over());
    for row in &standings.rows {
        let player = tournament.player(row.player.0).expect("a line each");
        let sum: Points = player.rounds.iter().map(|&cell| system.of_round(cell)).sum();
        assert_eq!((player.points, sum), (Some(row.points), row.points), "{player:?}");
        assert_eq!(player.rank, Some(row.place));
    }
}

fn dutch(setup: &mut Setup) {
    setup.swiss.pairing = PairingSystem::Dutch;
    setup.swiss.color = ColorRule::FirstGame;
    setup.swiss.initial_color = InitialColor::Black;
}

#[test]
fn an_event_as_players() {
    let state = fixture::over();
    assert_points(&state);
    assert_snapshot!(texts(&state)[0], @"
    012 Spring qualifier
    062 5
    072 3
    092 Individual: Swiss-System, mini-matches of 2 games
    122 30s/move
    142 3
    162  W 1.0    D 0.5    L 0.0    P 0.5
    182 swissmatch 0.0.0
    192 CUSTOM_SWISS
    212 PTS,OTHER_H2H,OTHER_BUCHHOLZ,OTHER_SONNEBORN-BERGER
    001    1      Alpha                             2100                             2.0    1     3 w 1     5 b =     3 b =
    001    2      Bravo                             2000                             1.5    2     4 w 1     3 b 0  0000 - U
    001    3      Charlie                           1900                             1.5    3     1 b 0     2 w 1     1 w =
    001    4      Delta                                                              1.5    4     2 b 0  0000 - U     5 w +
    001    5      Echo                                                               1.0    5  0000 - U     1 w =     4 b -
    ### editions: C.07 2026
    ");
}

#[test]
fn an_event_as_teams() {
    let [_, teams] = texts(&fixture::over());
    assert_snapshot!(teams, @"
    012 Spring qualifier
    062 10
    072 6
    082 5
    092 Team: Swiss-System, mini-matches of 2 games
    122 30s/move
    142 3
    182 swissmatch 0.0.0
    192 CUSTOM_TEAM_SWISS_MP
    212 PTS,OTHER_H2H,OTHER_BUCHHOLZ,OTHER_SONNEBORN-BERGER
    352 WB
    362 TW 1.0   TD 0.5   TL 0.0
    001    1      Alpha #1                          2100                             1.0          5 w 1     9 b 0     5 b 0
    001    2      Alpha #2                          2100                             2.5          6 b =    10 w 1     6 w 1
    001    3      Bravo #1                          2000                             1.0          7 w 1     5 b 0
    001    4      Bravo #2                          2000                             1.5          8 b 1     6 w =
    001    5      Charlie #1                        1900                             2.0          1 b 0     3 w 1     1 w 1
    001    6      Charlie #2                        1900                             1.0          2 w =     4 b =     2 b 0
    001    7      Delta #1                                                           1.0          3 b 0               9 w +
    001    8      Delta #2                                                           1.0          4 w 0              10 b +
    001    9      Echo #1                                                            1.0                    1 w 1     7 b -
    001   10      Echo #2                                                            0.0                    2 b 0     8 w -
    310   1 Alpha                                    2100    2.0    3.5   1     1    2
    310   2 Bravo                                    2000    1.5    3.5   2     3    4
    310   3 Charlie                                  1900    1.5    3.0   3     5    6
    310   4 Delta                                            1.5    3.0   4     7    8
    310   5 Echo                                             1.0    2.0   5     9   10
    320  0.5  1.0   5   4   2
    ### editions: C.07 2026
    ");
}

#[test]
fn a_round_that_is_not_over_is_left_out() {
    assert_eq!(texts(&fixture::third_round_begun()), texts(&fixture::two_rounds()));
    for view in [View::Individual, View::Teams] {
        let after_two = text(&fixture::over(), view, 2);
        assert_eq!(after_two, text(&fixture::two_rounds(), view, ALL), "as it was then");
    }
    assert_snapshot!(lines(&texts(&fixture::created_only())[0], &["001", "142"]), @"
    142 3
    001    1      Alpha                             2100                             0.0    1
    001    2      Bravo                             2000                             0.0    1
    001    3      Charlie                           1900                             0.0    1
    001    4      Delta                                                              0.0    1
    001    5      Echo                                                               0.0    1
    ");
}

#[test]
fn fides_name_only_where_all_of_its_rules_hold() {
    let code = |change: fn(&mut Setup)| {
        let state = fixture::over_with(|setup| {
            dutch(setup);
            change(setup);
        });
        let [individual, teams] = texts(&state);
        let (individual, teams) = (lines(&individual, &["152", "192"]), lines(&teams, &["152", "192"]));
        format!("{individual} / {teams}").replace('\n', ", ")
    };
    assert_snapshot!(code(|_| ()), @"152 B, 192 FIDE_DUTCH / 152 B, 192 CUSTOM_TEAM_SWISS_MP");
    assert_snapshot!(code(|setup| setup.swiss.edition = DutchEdition::Of2017), @"152 B, 192 FIDE_DUTCH_2017 / 152 B, 192 CUSTOM_TEAM_SWISS_MP");
    assert_snapshot!(code(|setup| setup.swiss.acceleration = AccelerationRule::Baku), @"152 B, 192 FIDE_DUTCH_BAKU / 152 B, 192 CUSTOM_TEAM_SWISS_MP");
    assert_snapshot!(code(|setup| setup.swiss.color = ColorRule::Ignore), @"152 B, 192 CUSTOM_SWISS / 152 B, 192 CUSTOM_TEAM_SWISS_MP");
    assert_snapshot!(code(|setup| setup.swiss.pairing = PairingSystem::MatchPoints), @"192 CUSTOM_SWISS / 192 CUSTOM_TEAM_SWISS_MP");
    assert_snapshot!(code(|setup| setup.swiss.pairing = PairingSystem::Immortal), @"192 CUSTOM_SWISS / 192 CUSTOM_TEAM_SWISS_MP");
    assert_snapshot!(code(|setup| setup.swiss.pairing = PairingSystem::DoubleSwiss), @"192 CUSTOM_SWISS / 192 CUSTOM_TEAM_SWISS_GP");
    let berger = fixture::of_players(4, |created| {
        created.format = TournamentFormat::AllPlayAll;
        dutch(&mut created.setup);
    });
    assert_snapshot!(lines(&texts(&berger)[0], &["092", "152", "192"]), @"
    092 Individual: Round-Robin, mini-matches of 2 games
    192 FIDE_ROUNDROBIN
    ");
    assert_snapshot!(lines(&texts(&berger)[1], &["092", "152", "192"]), @"
    092 Team: Round-Robin, mini-matches of 2 games
    192 FIDE_TEAM_ROUNDROBIN
    ");
}

#[test]
fn the_editions_stand_in_a_comment() {
    let comment = |change: fn(&mut Setup)| lines(&texts(&fixture::over_with(change))[1], &["###"]);
    assert_eq!(
        comment(|setup| {
            dutch(setup);
            setup.swiss.edition = DutchEdition::Of2017;
            setup.standings.edition = TieBreakEdition::PlayedOnly;
        }),
        "### editions: C.07 played-only, C.04.3 2017"
    );
    assert_eq!(
        comment(|_| ()),
        "### editions: C.07 2026",
        "no Dutch system, no edition of it"
    );
}

#[test]
fn acceleration_and_forbidden_pairs() {
    let state = fixture::of_players(10, |created| {
        created.rounds = 9;
        let setup = &mut created.setup;
        dutch(setup);
        setup.swiss.acceleration = AccelerationRule::Baku;
        setup.swiss.keep_apart = vec![Kinship::Team];
        for number in [1, 4, 9] {
            setup.players[number - 1].team = Some("A".to_owned());
        }
        let named = |numbers: [usize; 2]| numbers.map(|number| format!("Player {number}")).to_vec();
        setup.swiss.forbidden = vec![named([9, 2]), named([4, 2]), named([10, 7])];
    });
    let [individual, teams] = texts(&state);
    assert_snapshot!(lines(&individual, &["250", "260"]), @"
    250       1.0   1   3    1    6
    250       0.5   4   5    1    6
    260   1   9    1    4    9
    260   1   9    2    4    9
    260   1   9    7   10
    ");
    assert_snapshot!(lines(&teams, &["250", "260"]), @"
    250  1.0  0.0   1   3    1    6
    250  0.5  0.0   4   5    1    6
    260   1   9    1    4    9
    260   1   9    2    4    9
    260   1   9    7   10
    ");
}

#[test]
fn a_value_is_written_where_it_is_not_the_usual_one() {
    let points = |change: fn(&mut Setup)| {
        let state = fixture::over_with(change);
        assert_points(&state);
        let [individual, teams] = texts(&state);
        format!(
            "{}\n{}",
            lines(&individual, &["162"]),
            lines(&teams, &["162", "362", "320"])
        )
    };
    assert_snapshot!(points(|setup| setup.bye.match_points = Points::ONE), @"

    362 TW 1.0   TD 0.5   TL 0.0
    320  1.0  1.0   5   4   2
    ");
    let three_one_zero = |setup: &mut Setup| {
        setup.scoring.r#match.win = Points::whole(3);
        setup.scoring.r#match.draw = Points::ONE;
        setup.scoring.game.win = Points::whole(2);
        setup.scoring.game.draw = Points::ONE;
        setup.bye.match_points = Points::ONE;
    };
    assert_snapshot!(points(three_one_zero), @"
    162  W 3.0    D 1.0    L 0.0    P 1.0
    162  W 2.0    D 1.0    L 0.0
    362 TW 3.0   TD 1.0   TL 0.0
    320  1.0  1.0   5   4   2
    ");
}

#[test]
fn mini_matches_of_which_no_game_was_played() {
    let white = |by| (Outcome::WhiteWins, Termination::DidNotStart { by });
    let black = |by| (Outcome::BlackWins, Termination::DidNotStart { by });
    let neither = (Outcome::BothLose, Termination::NeitherStarted);
    let of = |games, change: fn(&mut Setup)| {
        let state = fixture::after_games(games, change);
        assert_points(&state);
        let [individual, teams] = texts(&state);
        let boards = ["001    1", "001    2", "001    5", "001    6"];
        let parts = [
            lines(&individual, &["162", "001    1", "001    3"]),
            lines(&teams, &["162"]),
            lines(&teams, &boards),
        ];
        parts.join("\n")
    };
    // Charlie did not start.
    assert_snapshot!(of([white(Side::Black), black(Side::White)], |_| ()), @"
    162  W 1.0    D 0.5    L 0.0    P 0.5
    001    1      Alpha                             2100                             1.0    1     3 w +
    001    3      Charlie                           1900                             0.0    5     1 b -

    001    1      Alpha #1                          2100                             1.0          5 w +
    001    2      Alpha #2                          2100                             1.0          6 b +
    001    5      Charlie #1                        1900                             0.0          1 b -
    001    6      Charlie #2                        1900                             0.0          2 w -
    ");
    assert_snapshot!(of([neither, neither], |_| ()), @"
    162  W 1.0    D 0.5    L 0.0    P 0.5
    001    1      Alpha                             2100                             0.0    4     3 w -
    001    3      Charlie                           1900                             0.0    4     1 b -

    001    1      Alpha #1                          2100                             0.0          5 w -
    001    2      Alpha #2                          2100                             0.0          6 b -
    001    5      Charlie #1                        1900                             0.0          1 b -
    001    6      Charlie #2                        1900                             0.0          2 w -
    ");
    // Each did not start once.
    assert_snapshot!(of([white(Side::Black), white(Side::Black)], |_| ()), @"
    162  W 1.0    D 0.5    L 0.0    P 0.5
    001    1      Alpha                             2100                             0.5    1     3 w D
    001    3      Charlie                           1900                             0.5    1     1 b D

    001    1      Alpha #1                          2100                             1.0          5 w +
    001    2      Alpha #2                          2100                             0.0          6 b -
    001    5      Charlie #1                        1900                             0.0          1 b -
    001    6      Charlie #2                        1900                             1.0          2 w +
    ");
    // A loss is worth something, and nobody was absent.
    let worth = |setup: &mut Setup| setup.scoring.r#match.loss = "0.2".parse().expect("points");
    assert_snapshot!(of([white(Side::Black), black(Side::White)], worth), @"
    162  W 1.0    D 0.5    L 0.2    A 0.2    P 0.5
    001    1      Alpha                             2100                             1.0    1     3 w +
    001    3      Charlie                           1900                             0.2    5     1 b -

    001    1      Alpha #1                          2100                             1.0          5 w +
    001    2      Alpha #2                          2100                             1.0          6 b +
    001    5      Charlie #1                        1900                             0.0          1 b -
    001    6      Charlie #2                        1900                             0.0          2 w -
    ");
}

#[test]
fn an_absence_that_is_not_worth_what_a_forfeit_is() {
    let [forfeit, absent, bye] = [
        ResultCode::ForfeitLoss,
        ResultCode::ZeroPointBye,
        ResultCode::PairingAllocatedBye,
    ];
    let worth = |letters: &[ResultCode], loss| {
        let cells: Vec<RoundCell> = letters.iter().map(|&letter| RoundCell::bye(letter)).collect();
        absence(cells.iter(), loss)
    };
    assert_eq!(worth(&[forfeit, absent], Points::ZERO), Ok(None));
    assert_eq!(worth(&[absent, bye], Points::HALF), Ok(None));
    assert_eq!(worth(&[bye, forfeit], Points::HALF), Ok(Some(Points::HALF)));
    assert_eq!(
        worth(&[forfeit, absent], Points::HALF),
        Err(TrfExportError::Absence(Points::HALF))
    );
}

#[test]
fn names_are_cut_and_made_ascii() {
    let state = fixture::with_names([
        "Zoë, v1.2",
        "名人",
        "A \u{202e}B\tC",
        "Delta of a very very long name indeed",
        "\u{200b} ",
    ]);
    let [individual, teams] = texts(&state);
    assert_snapshot!(lines(&individual, &["001"]), @"
    001    1      Zo?, v1.2                         2100                             0.0    1
    001    2      ??                                2000                             0.0    1
    001    3      A BC                              1900                             0.0    1
    001    4      Delta of a very very long name in                                  0.0    1
    001    5      ?                                                                  0.0    1
    ");
    assert_snapshot!(lines(&teams, &["310", "001    8"]), @"
    001    8      Delta of a very very long name #2                                  0.0
    310   1 Zo?, v1.2                                2100    0.0    0.0   1     1    2
    310   2 ??                                       2000    0.0    0.0   1     3    4
    310   3 A BC                                     1900    0.0    0.0   1     5    6
    310   4 Delta of a very very long name i                 0.0    0.0   1     7    8
    310   5 ?                                                0.0    0.0   1     9   10
    ");
}

#[test]
fn ratings_that_no_column_holds_are_left_out() {
    let state = fixture::of_players(4, |created| {
        for (player, rating) in created.setup.players.iter_mut().zip([9999, 10_000, 0, -1]) {
            player.rating = Some(rating);
        }
    });
    let ratings = |tournament: &Tournament| tournament.players().map(|player| player.rating).collect::<Vec<_>>();
    let tournament = individual(&state, ALL).expect("the format holds it");
    assert_eq!(ratings(&tournament), [Some(9999), None, None, None]);
    assert_eq!(tournament.header(Header::RatedPlayers), Some("1"));
}

#[test]
fn boards_are_numbered_so_that_a_teams_first_player_is_below_1000() {
    let numbers = |teams: usize, games: u32| {
        let state = fixture::of_players(teams, |created| created.setup.mini_match.games = games);
        let tournament = super::teams(&state, ALL).expect("the format holds it");
        let players: Vec<Vec<u32>> = tournament.teams().map(|team| team.players.clone()).collect();
        assert!(
            players
                .iter()
                .all(|players| players[0] <= 999 && players.len() == games as usize)
        );
        let mut all = players.concat();
        all.sort_unstable();
        assert!(
            all.into_iter().eq(1..=u32::try_from(teams).expect("few") * games),
            "each number once"
        );
        players
    };
    assert_eq!(numbers(25, 40)[24][..2], [961, 962]);
    assert_eq!(numbers(26, 40)[25][..2], [26, 52]);
    numbers(249, 40);
    numbers(999, 10);
}

#[test]
fn what_no_file_holds_is_refused() {
    let players = |count| fixture::of_players(count, |created| created.setup.mini_match.games = 1);
    assert_snapshot!(individual(&players(10_000), ALL).expect_err("too many"), @"10000 players; a tournament file holds at most 9999");
    assert!(individual(&players(9_999), ALL).is_ok());
    assert_snapshot!(teams(&players(1_000), ALL).expect_err("too many"), @"1000 players in mini-matches of 1; the view as teams holds at most 999 players, and players times games up to 9999");
    let boards = fixture::of_players(250, |created| created.setup.mini_match.games = 40);
    assert_snapshot!(teams(&boards, ALL).expect_err("too many"), @"250 players in mini-matches of 40; the view as teams holds at most 999 players, and players times games up to 9999");
    let fine = fixture::over_with(|setup| setup.bye.match_points = "0.25".parse().expect("points"));
    assert_snapshot!(text(&fine, View::Individual, ALL).expect_err("two decimals"), @"record 7: the points of the result 0.25: the format has one decimal");
}
