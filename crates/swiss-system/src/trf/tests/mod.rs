//! Lines in their canonical form, lines in other forms, lines that are refused.

mod lenient;
mod refused;
mod roundtrip;

use super::*;
use crate::score::Points;

/// A player's line; the cells as they stand from column 92 on.
fn line(number: u32, cells: &str) -> String {
    format!("001 {number:>4}{:72}     {:>4}  {cells}", "", 1)
        .trim_end()
        .to_owned()
}

/// Reads a text without any warning.
fn clean(text: &str) -> Tournament {
    let reading = read(text.as_bytes()).unwrap_or_else(|error| panic!("{text:?}: {error}"));
    assert_eq!(reading.warnings, [], "{text:?}");
    reading.tournament
}

/// Checks that a line is read as a record, and the record written as that line.
fn check(text: &str, record: Record) {
    let tournament = Tournament { records: vec![record] };
    assert_eq!(clean(&format!("{text}\n")), tournament, "{text:?}");
    assert_eq!(write(&tournament).as_deref(), Ok(format!("{text}\n").as_str()));
}

fn points(text: &str) -> Points {
    text.parse().expect("points")
}

const fn span(first: u32, last: u32) -> Span {
    Span { first, last }
}

#[test]
fn players() {
    let full = PlayerRecord {
        number: 12,
        sex: "m".to_owned(),
        title: "GM".to_owned(),
        name: "Exemplarović, Łukasz".to_owned(),
        rating: Some(2527),
        federation: "AZE".to_owned(),
        fide_id: "13400304".to_owned(),
        birth: "1978/00/00".to_owned(),
        points: Some(points("4.5")),
        rank: Some(1),
        rounds: vec![
            RoundCell::against(26, Color::White, ResultCode::ForfeitWin),
            RoundCell::bye(ResultCode::HalfPointBye),
            RoundCell::BLANK,
            RoundCell::bye(ResultCode::PairingAllocatedBye),
        ],
    };
    let text = "001   12 m GM Exemplarović, Łukasz              2527 AZE    13400304 1978/00/00  4.5    1";
    let rounds = "    26 w +  0000 - H            0000 - U";
    let opponent = line(26, "  12 b -");
    let file = format!("{text}{rounds}\n{opponent}\n");
    let tournament = clean(&file);
    assert_eq!(tournament.player(12), Some(&full));
    assert_eq!(write(&tournament), Ok(file));
    let bare = PlayerRecord {
        number: 9999,
        ..PlayerRecord::default()
    };
    check("001 9999", Record::Player(Box::new(bare)));
}

#[test]
fn every_result() {
    let letters = [("1", "0"), ("=", "="), ("W", "L"), ("D", "D"), ("+", "-"), ("-", "-")];
    for (mine, theirs) in letters {
        let file = format!(
            "{}\n{}\n",
            line(1, &format!("   2 w {mine}")),
            line(2, &format!("   1 b {theirs}"))
        );
        let tournament = clean(&file);
        let cell = tournament.player(1).expect("it is there").rounds[0];
        let result = cell.result.expect("a result");
        assert_eq!(result.letter().to_string(), mine);
        assert_eq!(cell, RoundCell::against(2, Color::White, result));
        assert_eq!(write(&tournament), Ok(file));
    }
    for letter in ["U", "H", "F", "Z", "+", "-"] {
        let file = line(1, &format!("0000 - {letter}")) + "\n";
        let tournament = clean(&file);
        let cell = tournament.player(1).expect("it is there").rounds[0];
        assert_eq!((cell.opponent, cell.color), (None, None));
        assert_eq!(cell.result.expect("a result").letter().to_string(), letter);
        assert_eq!(write(&tournament), Ok(file));
    }
}

#[test]
fn headers() {
    for header in Header::ALL {
        let text = format!("{} some words, Ünïcödé", header.code());
        check(
            &text,
            Record::Header {
                header,
                text: "some words, Ünïcödé".to_owned(),
            },
        );
        let text = String::new();
        check(header.code(), Record::Header { header, text });
    }
    let text = format!("{:87}05/01/01  05/01/02", "");
    let header = Header::RoundDates;
    check(&format!("132 {text}"), Record::Header { header, text });
}

#[test]
fn rounds_and_colors() {
    for (text, spelling) in [("142 9", Spelling::Fide), ("XXR 9", Spelling::Extended)] {
        check(text, Record::Rounds { spelling, rounds: 9 });
    }
    check("152 W", Record::InitialColor(Color::White));
    check("152 B", Record::InitialColor(Color::Black));
    for (text, by_position, initial_color) in [
        ("XXC white1", false, Some(Color::White)),
        ("XXC rank black1", true, Some(Color::Black)),
        ("XXC rank", true, None),
        ("XXC", false, None),
    ] {
        check(
            text,
            Record::Configuration {
                by_position,
                initial_color,
            },
        );
    }
}

#[test]
fn tie_breaks() {
    let of = |list, codes: &[&str]| TieBreaks {
        list,
        codes: codes.iter().copied().map(str::to_owned).collect(),
    };
    let codes = ["EDET/P", "EMGSB/C1/P", "BH:MP/C1/P", "MPvGP"];
    let after_points = of(TieBreakList::AfterPoints, &codes);
    check(
        "202 EDET/P,EMGSB/C1/P,BH:MP/C1/P,MPvGP",
        Record::TieBreaks(after_points),
    );
    let standings = of(TieBreakList::Standings, &["PTS", "BH/C1", "OTHER_own"]);
    check("212 PTS,BH/C1,OTHER_own", Record::TieBreaks(standings));
    assert_eq!(clean("012 Name\n").tie_breaks(), None);
    assert_eq!(
        clean("222 5400+30\n").header(Header::TimeControlCode),
        Some("5400+30"),
        "a time control"
    );
    let text = "012 Name\r\n202 BH,SB\r\n";
    let reading = read(text.as_bytes()).expect("it can be read");
    let expected = of(TieBreakList::AfterPoints, &["BH", "SB"]);
    assert_eq!(reading.tie_breaks(), Some((2, &expected)));
    assert_eq!(reading.tournament.tie_breaks(), Some(&expected));
    // 212 says everything, wherever it is.
    for text in ["012 A\n202 BH,SB\n212 PTS,bh,SB\n", "212 PTS,bh,SB\n202 BH,SB\n"] {
        let expected = of(TieBreakList::Standings, &["PTS", "bh", "SB"]);
        assert_eq!(clean(text).tie_breaks(), Some(&expected), "{text:?}");
    }
}

#[test]
fn tie_breaks_that_are_put() {
    let put = |text: &str, list| {
        let mut tournament = clean(text);
        let codes = vec!["DE".to_owned(), "BH".to_owned()];
        tournament.put_tie_breaks(TieBreaks { list, codes });
        write(&tournament).expect("it can be written")
    };
    let first = TieBreakList::AfterPoints;
    let text = "### Name\n012 Name\n192 FIDE_DUTCH\n222 5400+30\n001    1\n";
    let expected = "### Name\n012 Name\n192 FIDE_DUTCH\n202 DE,BH\n222 5400+30\n001    1\n";
    assert_eq!(put(text, first), expected);
    let instead = "212 PTS,BH\n012 Name\n202 BH\n222 5400+30\n";
    assert_eq!(put(instead, first), "012 Name\n202 DE,BH\n222 5400+30\n");
    assert_eq!(
        put("012 Name\n202 BH\n", TieBreakList::Standings),
        "012 Name\n212 DE,BH\n"
    );
    assert_eq!(put("", first), "202 DE,BH\n");
}

#[test]
fn values_of_results() {
    let (three, one) = (Points::whole(3), Points::ONE);
    check(
        "162  W 3.0    D 1.0    P 1.0    L 0.0    A 0.0    X 0.5",
        Record::PointValues(vec![
            (PointsSymbol::Win, three),
            (PointsSymbol::Draw, one),
            (PointsSymbol::PairingAllocatedBye, one),
            (PointsSymbol::Loss, Points::ZERO),
            (PointsSymbol::Absence, Points::ZERO),
            (PointsSymbol::Unknown, Points::HALF),
        ]),
    );
    check(
        "162  W10.0",
        Record::PointValues(vec![(PointsSymbol::Win, Points::whole(10))]),
    );
    check(
        "362 TW 2.0   TD 1.0   TL 0.0",
        Record::MatchValues(vec![
            (MatchSymbol::Win, Points::whole(2)),
            (MatchSymbol::Draw, one),
            (MatchSymbol::Loss, Points::ZERO),
        ]),
    );
    check(
        "XXS W=3.0 BD=1.0 PAB=0.5",
        Record::XxsValues(vec![
            (XxsCode::Win, three),
            (XxsCode::DrawWithBlack, one),
            (XxsCode::PairingAllocatedBye, Points::HALF),
        ]),
    );
    check("BBW  3.0", Record::BbValue(BbCode::Win, three));
    check("BBU 10.5", Record::BbValue(BbCode::PairingAllocatedBye, points("10.5")));
}

#[test]
fn byes_acceleration_and_forbidden_pairs() {
    check(
        "240 H   3   26   47",
        Record::Byes(Byes {
            kind: ByeKind::Half,
            round: 3,
            numbers: vec![26, 47],
        }),
    );
    check("XXZ 22 28 43", Record::AbsentNext(vec![22, 28, 43]));
    check(
        "250  0.0  1.0   1   2    1   90",
        Record::Acceleration(Acceleration {
            match_points: Some(Points::ZERO),
            points: Points::ONE,
            rounds: span(1, 2),
            numbers: span(1, 90),
        }),
    );
    check(
        "250       0.5   4   6    1 9999",
        Record::Acceleration(Acceleration {
            match_points: None,
            points: Points::HALF,
            rounds: span(4, 6),
            numbers: span(1, 9999),
        }),
    );
    check(
        "XXA    1  1.0  1.0  0.5  0.0",
        Record::PlayerAcceleration {
            number: 1,
            points: vec![Points::ONE, Points::ONE, Points::HALF, Points::ZERO],
        },
    );
    check(
        "260   1  10    2    4 1234",
        Record::Forbidden(Forbidden {
            rounds: Some(span(1, 10)),
            numbers: vec![2, 4, 1234],
        }),
    );
    check(
        "XXP 3 6 4",
        Record::Forbidden(Forbidden {
            rounds: None,
            numbers: vec![3, 6, 4],
        }),
    );
    check(
        "299 W         1.0    3    7    8",
        Record::AbnormalPoints(AbnormalPoints {
            result: Some(ResultCode::Win),
            match_points: None,
            points: Some(Points::ONE),
            round: Some(3),
            numbers: vec![7, 8],
        }),
    );
    check(
        "299    -1.0  -0.5         7",
        Record::AbnormalPoints(AbnormalPoints {
            result: None,
            match_points: Some(-Points::ONE),
            points: Some(-Points::HALF),
            round: None,
            numbers: vec![7],
        }),
    );
}

#[test]
fn teams() {
    check(
        "310   1 India                            IND     2486   15.0   28.0  11     1    5   15   28   44",
        Record::Team(Box::new(Team {
            number: 1,
            name: "India".to_owned(),
            nickname: "IND".to_owned(),
            strength: "2486".to_owned(),
            match_points: Some(Points::whole(15)),
            game_points: Some(Points::whole(28)),
            rank: Some(11),
            players: vec![1, 5, 15, 28, 44],
        })),
    );
    check(
        "013 Example                            1    2",
        Record::OldTeam(OldTeam {
            name: "Example".to_owned(),
            players: vec![1, 2],
        }),
    );
    check(
        "320  1.0 20.0 000   7",
        Record::TeamByes(TeamByes {
            match_points: Some(Points::ONE),
            game_points: Some(Points::whole(20)),
            teams: vec![None, Some(7)],
        }),
    );
    for (text, winner) in [
        ("330 +-   4  23  47", Some(Color::White)),
        ("330 -+   4  23  47", Some(Color::Black)),
        ("330 --   4  23  47", None),
    ] {
        check(
            text,
            Record::TeamForfeit(TeamForfeit {
                winner,
                round: 4,
                white: 23,
                black: 47,
            }),
        );
    }
    check(
        "300   2   3   4  101 0000  102",
        Record::Lineup(Lineup {
            round: 2,
            team: 3,
            opponent: 4,
            players: vec![Some(101), None, Some(102)],
        }),
    );
    let colors = [Color::White, Color::Black, Color::White, Color::Black];
    check("352 WBWB", Record::BoardColors(colors.to_vec()));
}

#[test]
fn lines_that_mean_nothing_here_stay_word_for_word() {
    for text in [
        "### a comment",
        "802   3 GEO     19.0   32.5  FPB    4.0",
        "GER    1    Somebody",
        "DAT 0001 GROUP\tsome group  ",
    ] {
        check(text, Record::Other(text.to_owned()));
    }
}

#[test]
fn what_results_are_worth() {
    let system = |text: &str| clean(text).point_system();
    let default = PointSystem::default();
    assert_eq!(system(""), default);
    let (one, three) = (Points::ONE, Points::whole(3));
    let wins = PointSystem {
        win: [three; 2],
        draw: [one; 2],
        forfeit_win: three,
        full_point_bye: three,
        half_point_bye: one,
        unknown: one,
        ..default.clone()
    };
    let with_bye = |pairing_allocated_bye| PointSystem {
        pairing_allocated_bye,
        ..wins.clone()
    };
    assert_eq!(system("162  W 3.0    D 1.0\n"), with_bye(three));
    assert_eq!(
        system("162  P 1.0    W 3.0    D 1.0\n"),
        with_bye(one),
        "whatever the order"
    );
    assert_eq!(system("BBW  3.0\nBBD  1.0\n"), with_bye(three));
    assert_eq!(system("BBU  0.5\nBBW  3.0\nBBD  1.0\n"), with_bye(Points::HALF));
    assert_eq!(
        system("XXS W=3\nXXS D=1\n"),
        with_bye(one),
        "a bye that XXS does not name is worth 1"
    );
    assert_eq!(system("XXS PAB=3 D=1 W=3\n"), with_bye(three));
    // JaVaFo's manual: the later code counts.
    let overridden = system("XXS PAB=3\nXXS FPB=0 HPB=0 ZPB=0\nXXS W=3 D=2 WL=1 BL=1\n");
    assert_eq!(
        (overridden.full_point_bye, overridden.half_point_bye),
        (three, Points::whole(2))
    );
    assert_eq!(overridden.loss, [one; 2]);
    let absence = system("162  A 0.5    L 1.0\n");
    assert_eq!(
        (absence.zero_point_bye, absence.forfeit_loss),
        (Points::HALF, Points::HALF)
    );
    assert_eq!((absence.loss, absence.win), ([one; 2], [one; 2]));
    let apart = system("BBZ  0.1\nBBF  0.2\nBBL  0.3\n");
    assert_eq!(apart.of_round(RoundCell::BLANK), points("0.1"));
    assert_eq!(apart.of_round(RoundCell::bye(ResultCode::ForfeitLoss)), points("0.2"));
    let colors = system("XXS WW=1 BW=1.5\n");
    assert_eq!(
        colors.of_round(RoundCell::against(2, Color::White, ResultCode::ShortWin)),
        one
    );
    assert_eq!(
        colors.of_round(RoundCell::against(2, Color::Black, ResultCode::Win)),
        points("1.5")
    );
}

#[test]
fn what_the_records_say_together() {
    let text =
        "012 Name\nXXR 5\nXXC rank black1\n250       1.0   1   2    1    3\nXXA    2  0.5  0.0\nXXZ 1\nXXZ 2 3\n";
    let tournament = clean(text);
    assert_eq!(tournament.header(Header::Name), Some("Name"));
    assert_eq!(tournament.header(Header::City), None);
    assert_eq!(tournament.rounds(), Some(5));
    assert_eq!(tournament.initial_color(), Some(Color::Black));
    assert!(tournament.is_by_position());
    assert_eq!(tournament.absent_next().collect::<Vec<_>>(), [1, 2, 3]);
    let of = |points, rounds, numbers| Acceleration {
        match_points: None,
        points,
        rounds,
        numbers,
    };
    let expected = [
        of(Points::ONE, span(1, 2), span(1, 3)),
        of(Points::HALF, span(1, 1), span(2, 2)),
        of(Points::ZERO, span(2, 2), span(2, 2)),
    ];
    assert_eq!(tournament.accelerations().collect::<Vec<_>>(), expected);
}

#[test]
fn the_order_of_the_format() {
    let text = "### last\nXXP 1 2\n001    2\n001    1\n212 PTS,BH\n202 BH\n092 Swiss\n142 5\n310   1\n012 Name\n";
    let mut tournament = read(text.as_bytes()).expect("it can be read").tournament;
    tournament.put_in_order();
    let ordered = "012 Name\n092 Swiss\n142 5\n202 BH\n212 PTS,BH\n001    1\n001    2\n310   1\nXXP 1 2\n### last\n";
    assert_eq!(write(&tournament).as_deref(), Ok(ordered));
}
