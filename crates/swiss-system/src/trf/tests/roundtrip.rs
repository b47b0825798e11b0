//! Written tournaments of all kinds read back as the same.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;

/// Text that fits its columns.
fn text(longest: usize) -> impl Strategy<Value = String> {
    let inner = format!(
        "[A-Za-zäßŁ½.,'0-9]([ -~äßŁ]{{0,{}}}[!-~äßŁ])?",
        longest.saturating_sub(2)
    );
    prop_oneof![
        Just(String::new()),
        proptest::string::string_regex(&inner)
            .expect("a pattern")
            .prop_filter("short", move |text| text.chars().count() <= longest)
    ]
}

fn tenths(most: i64) -> impl Strategy<Value = Points> {
    (0..=most).prop_map(|tenths| points(&format!("{}.{}", tenths / 10, tenths % 10)))
}

/// Rounds of this many players: in each the players are dealt into pairs at random, and those left have byes.
fn rounds(players: usize) -> impl Strategy<Value = Vec<Vec<RoundCell>>> {
    let order = Just((0..players).collect::<Vec<usize>>()).prop_shuffle();
    let byes = select(vec!['U', 'H', 'F', 'Z', '+', '-', ' ']);
    let results = select(vec!["10", "01", "==", "WL", "DD", "LW", "+-", "-+", "--", "00", "  "]);
    let round = (order, 0..=players / 2, vec(results, players / 2), vec(byes, players));
    let round = round.prop_map(move |(order, pairs, results, byes)| {
        let mut cells: Vec<RoundCell> = byes
            .into_iter()
            .map(|letter| RoundCell {
                result: code(letter),
                ..RoundCell::BLANK
            })
            .collect();
        for (pair, result) in order.chunks_exact(2).zip(results).take(pairs) {
            let letters: Vec<char> = result.chars().collect();
            for (side, color) in [(0, Color::White), (1, Color::Black)] {
                cells[pair[side]] = RoundCell {
                    opponent: u32::try_from(pair[1 - side] + 1).ok(),
                    color: Some(color),
                    result: code(letters[side]),
                };
            }
        }
        cells
    });
    vec(round, 0..5)
}

fn code(letter: char) -> Option<ResultCode> {
    ResultCode::ALL.into_iter().find(|code| code.letter() == letter)
}

fn players() -> impl Strategy<Value = Vec<Record>> {
    (1..12_usize).prop_flat_map(|count| {
        let person = (
            text(3),
            text(33),
            option::of(0..=9999_u32),
            text(11),
            option::of(tenths(999)),
        );
        (vec(person, count), rounds(count)).prop_map(|(persons, rounds)| {
            let player = |(index, (title, name, rating, fide_id, points))| {
                let mut rounds: Vec<RoundCell> = rounds.iter().map(|cells: &Vec<RoundCell>| cells[index]).collect();
                while rounds.last().is_some_and(RoundCell::is_blank) {
                    rounds.pop();
                }
                Record::Player(Box::new(PlayerRecord {
                    number: u32::try_from(index + 1).expect("few"),
                    title,
                    name,
                    rating,
                    fide_id,
                    points,
                    rank: rating,
                    rounds,
                    ..PlayerRecord::default()
                }))
            };
            persons.into_iter().enumerate().map(player).collect()
        })
    })
}

fn number() -> impl Strategy<Value = u32> {
    1..=9999_u32
}

fn a_span(most: u32) -> impl Strategy<Value = Span> {
    (1..=most, 1..=most).prop_map(|(one, other)| span(one.min(other), one.max(other)))
}

/// A record that may stand in a file any number of times.
fn other_record() -> impl Strategy<Value = Record> {
    let header = (select(Header::ALL.to_vec()), text(60));
    let numbers = || vec(number(), 1..6);
    let symbols = vec(
        (select(vec![PointsSymbol::Win, PointsSymbol::Absence]), tenths(999)),
        0..7,
    );
    let acceleration = (option::of(tenths(999)), tenths(999), a_span(999), a_span(9999));
    let abnormal = (
        option::of(select(vec![ResultCode::Win, ResultCode::ForfeitLoss])),
        option::of(1..=999_u32),
    );
    prop_oneof![
        header.prop_map(|(header, text)| Record::Header { header, text }),
        (
            select(vec![TieBreakList::AfterPoints, TieBreakList::Standings]),
            vec("[!-+\\--:<-~]{1,40}", 1..8)
        )
            .prop_map(|(list, codes)| Record::TieBreaks(TieBreaks { list, codes })),
        symbols.prop_map(Record::PointValues),
        vec((select(vec![XxsCode::Win, XxsCode::HalfPointBye]), tenths(999)), 0..7).prop_map(Record::XxsValues),
        (
            select(vec![ByeKind::Full, ByeKind::Half, ByeKind::Zero]),
            1..=999_u32,
            numbers()
        )
            .prop_map(|(kind, round, numbers)| Record::Byes(Byes { kind, round, numbers })),
        numbers().prop_map(Record::AbsentNext),
        acceleration.prop_map(|(match_points, points, rounds, numbers)| {
            Record::Acceleration(Acceleration {
                match_points,
                points,
                rounds,
                numbers,
            })
        }),
        (number(), vec(tenths(999), 0..9)).prop_map(|(number, points)| Record::PlayerAcceleration { number, points }),
        (option::of(a_span(999)), numbers())
            .prop_map(|(rounds, numbers)| { Record::Forbidden(Forbidden { rounds, numbers }) }),
        (abnormal, option::of(tenths(999)), numbers()).prop_map(|((result, round), points, numbers)| {
            Record::AbnormalPoints(AbnormalPoints {
                result,
                match_points: points.map(|points| -points),
                points,
                round,
                numbers,
            })
        }),
        (text(32), numbers()).prop_map(|(name, players)| Record::OldTeam(OldTeam { name, players })),
        vec(option::of(1..=999_u32), 0..9).prop_map(|teams| {
            Record::TeamByes(TeamByes {
                teams,
                ..TeamByes::default()
            })
        }),
        "[ -~]{0,40}".prop_map(|text| Record::Other(format!("###{text}"))),
    ]
}

/// Teams with numbers of their own.
fn teams() -> impl Strategy<Value = Vec<Record>> {
    let team = (text(32), text(5), option::of(tenths(9999)), vec(number(), 1..30));
    vec(team, 0..4).prop_map(|teams| {
        let record = |(index, (name, nickname, match_points, players))| {
            Record::Team(Box::new(Team {
                number: u32::try_from(index).expect("few") + 1,
                name,
                nickname,
                match_points,
                players,
                ..Team::default()
            }))
        };
        teams.into_iter().enumerate().map(record).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn tournaments(players in players(), teams in teams(), others in vec(other_record(), 0..12)) {
        let records: Vec<Record> = players.into_iter().chain(teams).chain(others).collect();
        let mut tournament = Tournament { records };
        let text = write(&tournament).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(&read(text.as_bytes()).expect("own text").tournament, &tournament);
        tournament.put_in_order();
        let ordered = write(&tournament).expect("the same records");
        prop_assert_eq!(&read(ordered.as_bytes()).expect("own text").tournament, &tournament);
        let crlf = ordered.replace('\n', "\r\n");
        prop_assert_eq!(read(crlf.as_bytes()).expect("own text").tournament, tournament);
    }
}
