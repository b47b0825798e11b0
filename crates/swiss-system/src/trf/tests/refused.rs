//! Texts that are refused: when reading, with line, column and remedy; when writing, with the record.

use super::*;

/// Checks that a text is refused at a place for a reason whose message contains these words.
fn check_refused(text: &[u8], line: usize, column: usize, words: &str) {
    let shown = String::from_utf8_lossy(text);
    match read(text) {
        Ok(reading) => panic!("{shown:?} was read: {reading:?}"),
        Err(error) => {
            let message = error.to_string();
            assert_eq!((error.line, error.column), (line, column), "{shown:?}: {message}");
            assert!(message.contains(words), "{shown:?}: {message}");
        }
    }
}

/// Like [`check_refused`], for the second of two lines of players who meet.
fn check_cells(one: &str, other: &str, column: usize, words: &str) {
    let text = format!("{}\n{}\n", line(1, one), line(2, other));
    check_refused(text.as_bytes(), 1, column, words);
}

#[test]
fn whole_files() {
    check_refused(&[0xff, 0xfe, b'0', 0], 1, 1, "save it as UTF-8");
    check_refused(b"012 A\n022 B\0\n", 2, 6, "control character 0x00");
    check_refused(&vec![b'\n'; 33 << 20], 1, 1, "bytes");
    check_refused(&vec![b'\n'; 1 << 20], 200_001, 1, "lines");
}

#[test]
fn players() {
    check_refused(b"001\n", 1, 5, "the pairing number is missing");
    check_refused(b"001    0\n", 1, 5, "a number from 1 to 9999");
    check_refused(b"001 -001\n", 1, 5, "is not a number");
    check_refused(b"001 10000\n", 1, 9, "`0` stands where a blank separates");
    check_refused(b"001    1\n012 A\n001    1\n", 3, 5, "line 1");
    check_refused(b"001    1\tm\n", 1, 9, "tab");
    check_refused(
        format!("001    1{:72}half\n", "").as_bytes(),
        1,
        81,
        "write it like 11.5",
    );
    check_refused(format!("001    1{:72}12.34\n", "").as_bytes(), 1, 85, "separates");
    check_refused(
        (line(1, &"0000 - Z  ".repeat(1000)) + "\n").as_bytes(),
        1,
        92 + 9990,
        "999 rounds",
    );
}

#[test]
fn cells() {
    let refused = |cell: &str, column: usize, words: &str| {
        check_refused((line(1, cell) + "\n").as_bytes(), 1, column, words);
    };
    refused("   1 w 1", 92, "its own opponent");
    refused("   x w 1", 92, "is not a number");
    refused("   2 x 1", 97, "`x` is not a colour");
    refused("   2 w 3", 99, "`3` is not a result");
    refused("   2 w U", 99, "a bye (U) with an opponent");
    refused("0000 w 1", 92, "a game without an opponent");
    refused("     b  ", 92, "a game without an opponent");
    refused("0000 - ?", 99, "`?` is not a result");
    refused("  12w 1", 96, "separates");
    refused("0000 - Z 0000 - Z", 101, "separates");
    refused("0000 - Z     5 w q", 109, "`q` is not a result");
}

#[test]
fn two_lines_that_contradict_each_other() {
    check_cells(
        "   3 w 1",
        "",
        92,
        "player 3, the opponent of 1 in round 1, has no 001 line",
    );
    check_cells("   2 w 1", "", 92, "the line of 2 does not say so");
    check_cells("   2 w 1", "0000 - Z", 92, "the line of 2 does not say so");
    check_cells("   2 w +", "   3 w -", 92, "the line of 2 does not say so");
    check_cells("   2 w 1", "   1 b -", 92, "the line of 2 does not say so");
    check_cells("   2 w 1", "   1 w 0", 92, "the same colour");
    check_cells("   2   1", "   1 - 0", 92, "neither 1 nor 2 has a colour");
    check_cells("0000 - Z     2 w 1", "0000 - Z     1 w 0", 102, "in round 2");
}

#[test]
fn the_event() {
    check_refused(b"142\n", 1, 5, "the number of rounds is missing");
    check_refused(b"142 0\n", 1, 5, "from 1 to 999");
    check_refused(b"XXR  1000\n", 1, 6, "from 1 to 999");
    check_refused(b"142 99999999999999999999\n", 1, 5, "is not a number");
    check_refused(b"142 9 rounds\n", 1, 7, "`rounds`");
    check_refused(b"142 9\n\nXXR 8\n", 3, 5, "line 1");
    check_refused(b"152 green\n", 1, 5, "W, B");
    check_refused(b"152 W\nXXC black1\n", 2, 5, "line 1");
    check_refused(b"162  W 3.0    Q 1.0\n", 1, 14, "`Q`");
    check_refused(b"162  W\n", 1, 7, "missing");
    check_refused(b"162 W3.0\n", 1, 5, "`W3`");
    check_refused(b"162  W 3.0 D 1.0\n", 1, 12, "separates");
    check_refused(b"XXS W=3 V=1\n", 1, 9, "`V=1`");
    check_refused(b"XXS W=three\n", 1, 5, "`three`");
    check_refused(b"BBW\n", 1, 5, "missing");
    check_refused(b"240 X   3   26\n", 1, 5, "F, H, Z");
    check_refused(b"240 H  26\n240 H\n", 2, 7, "the round is missing");
    check_refused(b"XXZ 1 x\n", 1, 7, "`x`");
    check_refused(b"XXP 0 1\n", 1, 5, "from 1 to 9999");
    check_refused(
        b"250       1.0   3   2    1    8\n",
        1,
        19,
        "the range of rounds goes from 3 to 2",
    );
    check_refused(b"250       1.0   1   2    9    8\n", 1, 28, "the range of players");
    check_refused(b"250             1   2    1    8\n", 1, 10, "missing");
    check_refused(b"XXA      1.0\n", 1, 5, "missing");
    check_refused(b"260 1 9 2 4\n", 1, 5, "`1 9` is not a number");
    check_refused(b"299 Q         1.0    3    7\n", 1, 5, "`Q`");
    check_refused(b"310   1\n310   1\n", 2, 5, "line 1");
    check_refused(b"330 +1   4  23  47\n", 1, 5, "+-, -+, --");
    check_refused(b"352 WXW\n", 1, 6, "`X`");
}

/// Checks that the second of two records cannot be written.
fn check_unwritable(record: Record, words: &str) {
    let name = Record::Header {
        header: Header::Name,
        text: "Name".to_owned(),
    };
    let error = write(&Tournament {
        records: vec![name, record],
    })
    .expect_err(words);
    assert_eq!(error.record, 2, "{error}");
    assert!(error.to_string().contains(words), "{error}");
}

#[test]
fn what_columns_cannot_hold() {
    let player = |change: fn(&mut PlayerRecord)| {
        let mut player = PlayerRecord {
            number: 1,
            ..PlayerRecord::default()
        };
        change(&mut player);
        Record::Player(Box::new(player))
    };
    check_unwritable(player(|player| player.number = 0), "the format holds 1 to 9999");
    check_unwritable(player(|player| player.number = 10_000), "the format holds 1 to 9999");
    check_unwritable(
        player(|player| player.name = "x".repeat(34)),
        "34 characters, its columns hold 33",
    );
    check_unwritable(
        player(|player| player.name = "a\nb".to_owned()),
        "control character 0x0a",
    );
    check_unwritable(
        player(|player| player.name = "a\tb".to_owned()),
        "control character 0x09",
    );
    check_unwritable(
        player(|player| player.name = " a".to_owned()),
        "begins or ends with a blank",
    );
    check_unwritable(player(|player| player.sex = "mm".to_owned()), "the sex");
    check_unwritable(player(|player| player.rating = Some(10_000)), "the rating");
    check_unwritable(
        player(|player| player.points = Some(Points::whole(100))),
        "its columns hold 4",
    );
    check_unwritable(player(|player| player.points = Some(points("0.25"))), "one decimal");
    check_unwritable(
        player(|player| player.rounds = vec![RoundCell::BLANK]),
        "blanks at its end",
    );
    check_unwritable(
        player(|player| player.rounds = vec![RoundCell::bye(ResultCode::ZeroPointBye); 1000]),
        "the format holds 0 to 999",
    );
    check_unwritable(
        player(|player| player.rounds = vec![RoundCell::against(1, Color::White, ResultCode::Win)]),
        "its own opponent",
    );
    check_unwritable(
        player(|player| player.rounds = vec![RoundCell::against(2, Color::White, ResultCode::Win)]),
        "no 001 line",
    );
    check_unwritable(
        player(|player| player.rounds = vec![RoundCell::bye(ResultCode::Win)]),
        "taken as a bye",
    );
}

#[test]
fn tie_breaks_that_are_no_words() {
    let tie_breaks = |codes: &[&str]| {
        Record::TieBreaks(TieBreaks {
            list: TieBreakList::AfterPoints,
            codes: codes.iter().copied().map(str::to_owned).collect(),
        })
    };
    for code in ["", "BH,SB", "BH SB", "BH;SB", "BH\n012 x", "½", &"x".repeat(41)] {
        check_unwritable(tie_breaks(&["PTS", code]), "a code is 1 to 40 printable characters");
    }
    check_unwritable(tie_breaks(&["\u{1b}[2J"]), "tie-break \"\\u{1b}[2J\"");
    check_unwritable(tie_breaks(&[]), "no tie-breaks");
    check_unwritable(tie_breaks(&["BH"; 101]), "more than 100 tie-breaks");
}

#[test]
fn what_would_be_read_as_something_else() {
    check_unwritable(
        Record::Other("012 another name".to_owned()),
        "would not be read back the same",
    );
    check_unwritable(Record::Other(String::new()), "would not be read back the same");
    check_unwritable(Record::Other("### a\rb".to_owned()), "control character 0x0d");
    let header = Header::City;
    let text = "Köln ".to_owned();
    check_unwritable(Record::Header { header, text }, "would not be read back the same");
    let spelling = Spelling::Fide;
    check_unwritable(Record::Rounds { spelling, rounds: 0 }, "the format holds 1 to 999");
    check_unwritable(Record::AbsentNext(vec![1, 10_000]), "the format holds 1 to 9999");
    let rounds = Some(span(3, 2));
    let numbers = vec![1, 2];
    check_unwritable(
        Record::Forbidden(Forbidden { rounds, numbers }),
        "the last round 2: the format holds 3 to 999",
    );
    let twice = Tournament {
        records: vec![
            Record::Rounds { spelling, rounds: 5 },
            Record::Rounds { spelling, rounds: 6 },
        ],
    };
    assert_eq!(write(&twice).map_err(|error| error.record), Err(2));
}
