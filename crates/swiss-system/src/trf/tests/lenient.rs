//! Texts that are read although they differ from the format.

use super::*;

/// Checks that a text is read as if it were the canonical one, with these warnings.
fn check_lenient(text: &[u8], canonical: &str, warnings: &[(usize, &str)]) {
    let shown = String::from_utf8_lossy(text);
    let reading = read(text).unwrap_or_else(|error| panic!("{shown:?}: {error}"));
    let told: Vec<(usize, &str)> = reading
        .warnings
        .iter()
        .map(|warning| (warning.line, warning.text.as_str()))
        .collect();
    assert_eq!(told, warnings, "{shown:?}");
    assert_eq!(write(&reading.tournament).as_deref(), Ok(canonical), "{shown:?}");
}

/// Like [`check_lenient`], for the cell of player 1 against player 2, who has `other`.
fn check_cell(cell: &str, other: &str, canonical: (&str, &str), warnings: &[(usize, &str)]) {
    let text = format!("{}\n{}\n", line(1, cell), line(2, other));
    let expected = format!("{}\n{}\n", line(1, canonical.0), line(2, canonical.1));
    check_lenient(text.as_bytes(), &expected, warnings);
}

#[test]
fn ends_of_lines_and_blank_lines() {
    let canonical = "012 A\n022 B\n";
    check_lenient(b"012 A\r\n022 B\r\n", canonical, &[]);
    check_lenient(b"012 A\n022 B", canonical, &[]);
    check_lenient(b"012 A\n022 B\n\x1a", canonical, &[]);
    let bare = (1, "lines that end with a bare carriage return");
    check_lenient(b"012 A\r022 B\r", canonical, &[bare]);
    check_lenient(b"012 A\r\n022 B\r", canonical, &[bare]);
    let blank = |line| (line, "blank lines left out");
    check_lenient(b"\n\n012 A   \n \t \n022 B\n\n", canonical, &[blank(1)]);
    check_lenient(b"012 A\r\r022 B\r", canonical, &[bare, blank(2)]);
    check_lenient(b"", "", &[]);
}

#[test]
fn encodings() {
    check_lenient(b"\xef\xbb\xbf012 A\n", "012 A\n", &[(1, "byte order mark left out")]);
    check_lenient(
        b"012 A\n022 K\xf6ln\n",
        "012 A\n022 Köln\n",
        &[(2, "the file is not UTF-8; taken as Latin-1")],
    );
    // Columns are characters, not bytes.
    let text = format!("001    1      {:<33} 2000\n", "Großmeister, Jürgen");
    let player = clean(&text).player(1).cloned().expect("it is there");
    assert_eq!(
        (player.name.as_str(), player.rating),
        ("Großmeister, Jürgen", Some(2000))
    );
    let latin: Vec<u8> = text
        .chars()
        .map(|c| u8::try_from(u32::from(c)).expect("Latin-1"))
        .collect();
    let reading = read(&latin).expect("it can be read");
    assert_eq!(reading.tournament.player(1), Some(&player));
}

#[test]
fn plain_text() {
    check_lenient(b"012Name\n", "012 Name\n", &[(1, "no blank after the code")]);
    check_lenient(
        b"012\tName\n",
        "012 Name\n",
        &[(1, "a tab after the code taken as a blank")],
    );
    check_lenient(b"012 A\tB\t\n", "012 A B\n", &[(1, "tabs taken as blanks")]);
    check_lenient(
        b"XYZ \n9\n",
        "XYZ \n9\n",
        &[(2, "`9` is not a known record; kept as it is")],
    );
    check_lenient(
        b"XXK 1\n",
        "XXK 1\n",
        &[(1, "`XXK` is not a known record; kept as it is")],
    );
}

#[test]
fn codes_in_small_letters() {
    for (line, canonical) in [
        ("XXR 9", "XXR 9"),
        ("XXC black1", "XXC black1"),
        ("XXS W=3.0", "XXS W=3.0"),
        ("XXZ 1 2", "XXZ 1 2"),
        ("XXP 1 2", "XXP 1 2"),
        ("BBW  3.0", "BBW  3.0"),
    ] {
        let (code, rest) = line.split_at(3);
        let small = code.to_lowercase();
        let warning = format!("`{small}` taken as {code}");
        let text = format!("{small}{rest}\n");
        check_lenient(text.as_bytes(), &format!("{canonical}\n"), &[(1, &warning)]);
    }
}

#[test]
fn rounds_and_colors() {
    check_lenient(b"142    9\n", "142 9\n", &[]);
    check_lenient(b"XXR\t009\n", "XXR 9\n", &[]);
    check_lenient(b"152\n", "", &[(1, "no initial colour")]);
    check_lenient(b"152 white1\n", "152 W\n", &[(1, "initial colour `white1` taken as W")]);
    check_lenient(b"152   b\n", "152 B\n", &[(1, "initial colour `b` taken as B")]);
    check_lenient(b"XXC black1  rank\n", "XXC rank black1\n", &[]);
    check_lenient(
        b"XXC fast white1\n",
        "XXC white1\n",
        &[(1, "`fast` is not known in XXC; left out")],
    );
    // A value given twice is not a contradiction.
    check_lenient(
        b"142 9\nXXR 9\n152 W\nXXC white1\n",
        "142 9\nXXR 9\n152 W\nXXC white1\n",
        &[],
    );
}

/// As FIDE's own sample of the format has them.
#[test]
fn tabs_behind_the_last_field() {
    let canonical = format!(
        "012 A\n042 2025/08/28\n142 9\n152 W\n162  W 3.0    D 1.0\n192 FIDE_DUTCH\n202 BH,SB\nXXR 9\nXXC white1\n\
         XXS W=3.0\nBBW  3.0\n{}\n{}\n240 H   2    1\nXXZ 2\n250       1.0   1   1    1    2\n260   1   1    1    2\n\
         299 -         0.5    1    1\n",
        line(1, "   2 w 1"),
        line(2, "   1 b 0")
    );
    for behind in ["\t", "\t\t\t", "  \t ", "\t\r"] {
        let text: String = canonical.lines().map(|line| line.to_owned() + behind + "\n").collect();
        check_lenient(text.as_bytes(), &canonical, &[]);
    }
    let teams = "352 WB\n362 TW 2.0   TD 1.0   TL 0.0\n310   1 A                                                           \
                 1    2\n320  2.0  1.0   1\n330 +-   1   1   2\n300   1   1   2   1    2\n";
    let text = teams.replace('\n', "\t \t\n");
    let plain = read(teams.as_bytes()).expect("a file");
    let with_tabs = read(text.as_bytes()).expect("a file");
    assert_eq!(
        (plain.tournament, plain.warnings),
        (with_tabs.tournament, with_tabs.warnings)
    );
    // Between fields they move the columns.
    let moved = canonical.replace("001    1", "001\t1");
    assert!(read(moved.as_bytes()).is_err());
}

#[test]
fn letters_of_001_in_162() {
    check_lenient(
        b"162  W 1.0    Z 0.5\n",
        "162  W 1.0    A 0.5\n",
        &[(1, "`Z` taken as A")],
    );
    check_lenient(
        b"162  W 3.0    D 1.0    z 1.0    U 1.0\n",
        "162  W 3.0    D 1.0    A 1.0    P 1.0\n",
        &[(1, "`z` taken as A"), (1, "`U` taken as P")],
    );
    check_lenient(b"162  w 1.0    a 0.5\n", "162  W 1.0    A 0.5\n", &[]);
}

#[test]
fn tie_breaks() {
    let taken = (1, "the tie-breaks taken as `BH/C1,SB`");
    for (written, warnings) in [
        ("202 BH/C1,SB  ", [].as_slice()),
        ("202   BH/C1 , SB", &[]),
        ("202 BH/C1 SB", &[taken]),
        ("202 BH/C1; SB", &[taken]),
        ("202\tBH/C1\tSB", &[taken]),
        ("202BH/C1,SB", &[taken]),
        ("202 ,BH/C1,,SB,", &[taken]),
    ] {
        check_lenient((written.to_owned() + "\n").as_bytes(), "202 BH/C1,SB\n", warnings);
    }
    // Small letters stay: what a code means, and if it exists, is not asked here.
    check_lenient(
        b"212 pts bh\n",
        "212 pts,bh\n",
        &[(1, "the tie-breaks taken as `pts,bh`")],
    );
    check_lenient(b"202\n212 , ;\n", "", &[(1, "no tie-breaks"), (2, "no tie-breaks")]);
}

#[test]
fn what_is_no_list_of_tie_breaks() {
    let kept = "the line is kept but has no effect";
    for (text, odd) in [
        ("202 Büchholz\n", "`Büchholz` is not the code of a tie-break".to_owned()),
        (
            "202 BH,\u{202e}BS\n",
            "`\u{202e}BS` is not the code of a tie-break".to_owned(),
        ),
        (
            &format!("202 {}\n", "x".repeat(41)),
            format!("`{}…` is not the code of a tie-break", "x".repeat(39)),
        ),
        (
            &format!("202 {}\n", "BH,".repeat(101)),
            "more than 100 tie-breaks".to_owned(),
        ),
    ] {
        check_lenient(text.as_bytes(), text, &[(1, &format!("{odd}; {kept}"))]);
        assert_eq!(read(text.as_bytes()).expect("it can be read").tie_breaks(), None);
    }
    let most = format!("202 {}BH\n", "BH,".repeat(99));
    check_lenient(most.as_bytes(), &most, &[]);
}

#[test]
fn lists_of_tie_breaks_that_differ() {
    let check_counted = |text: &str, counted: (usize, &str), warnings: &[(usize, &str)]| {
        check_lenient(text.as_bytes(), text, warnings);
        let reading = read(text.as_bytes()).expect("it can be read");
        let (line, tie_breaks) = reading.tie_breaks().expect("a list");
        assert_eq!((line, tie_breaks.codes.join(",").as_str()), counted, "{text:?}");
    };
    let other = "different tie-breaks from those in line 1, which count";
    check_counted("202 BH\n202 bh\n202 SB\n", (1, "BH"), &[(3, other)]);
    let follow = |line| format!("the tie-breaks of 202 are not those that follow PTS in 212, line {line}, which count");
    check_counted("202 BH\n212 PTS,SB\n", (2, "PTS,SB"), &[(1, &follow(2))]);
    check_counted("212 BH,PTS\n202 BH\n", (1, "BH,PTS"), &[(2, &follow(1))]);
    check_counted("212 BH\n202 BH\n", (1, "BH"), &[(2, &follow(1))]);
    check_counted("212 pts,BH\n202 BH\n", (1, "pts,BH"), &[]);
}

#[test]
fn points_of_all_kinds() {
    for (written, warned) in [
        ("1.0 ", false),
        ("1,0", true),
        ("   1", true),
        ("1.", true),
        (" 1.0", false),
    ] {
        let text = format!("001    1{:72}{written}\n", "");
        let canonical = format!("001    1{:72} 1.0\n", "");
        let warning = format!("the points `{}` taken as 1", written.trim());
        let warnings = if warned {
            vec![(1, warning.as_str())]
        } else {
            Vec::new()
        };
        check_lenient(text.as_bytes(), &canonical, &warnings);
    }
    let half = format!("001    1{:72}  1½\n", "");
    let canonical = format!("001    1{:72} 1.5\n", "");
    check_lenient(half.as_bytes(), &canonical, &[(1, "the points `1½` taken as 1.5")]);
    check_lenient(b"XXS WW=1 WD=.5\n", "XXS WW=1.0 WD=0.5\n", &[]);
    check_lenient(b"BBW 3\n", "BBW  3.0\n", &[]);
    check_lenient(b"162 W 3.0\n", "162  W 3.0\n", &[]);
    check_lenient(
        b"162  W3\n",
        "162  W 3.0\n",
        &[(1, "the points of the result `3` taken as 3")],
    );
}

#[test]
fn personal_data() {
    let name = "x".repeat(33);
    let text = format!("001    1      {name}y2000xGER\n");
    let canonical = format!("001    1      {name} 2000 GER\n");
    let warnings = [
        (1, "column 48 should be blank; `y` left out"),
        (1, "column 53 should be blank; `x` left out"),
    ];
    check_lenient(text.as_bytes(), &canonical, &warnings);
    let text = format!("001    1{:40}----{:33} n/a\n", "", "");
    let columns = "check that the columns have not shifted; left out";
    let rating = format!("`----` is not a number, but these columns are the rating; {columns}");
    let rank = format!("`n/a` is not a number, but these columns are the rank; {columns}");
    check_lenient(text.as_bytes(), "001    1\n", &[(1, &rating), (1, &rank)]);
    check_lenient(b"001 0012\n", "001   12\n", &[]);
    check_lenient(b"001 1\n", "001    1\n", &[]);
}

#[test]
fn byes_without_zeros() {
    for (written, canonical) in [
        ("       U", "0000 - U"),
        ("     - H", "0000 - H"),
        ("       -", "0000 - -"),
        ("   0 - Z", "0000 - Z"),
    ] {
        let text = line(1, written) + "\n";
        check_lenient(text.as_bytes(), &(line(1, canonical) + "\n"), &[]);
    }
    for (written, canonical, warning) in [
        ("0000 - u", "U", "round 1: result `u` taken as a capital letter"),
        (
            "0000 - =",
            "H",
            "round 1: result `=` without an opponent taken as a bye, `H`",
        ),
        (
            "0000   1",
            "F",
            "round 1: result `1` without an opponent taken as a bye, `F`",
        ),
        (
            "0000 - 0",
            "Z",
            "round 1: result `0` without an opponent taken as a bye, `Z`",
        ),
        ("0000 w U", "U", "round 1: a colour without an opponent left out"),
    ] {
        let text = line(1, written) + "\n";
        let expected = line(1, &format!("0000 - {canonical}")) + "\n";
        check_lenient(text.as_bytes(), &expected, &[(1, warning)]);
    }
}

#[test]
fn games() {
    check_cell(
        "   2 W 1",
        "   1 b 0",
        ("   2 w 1", "   1 b 0"),
        &[(1, "round 1: colour `W` taken as a small letter")],
    );
    check_cell(
        "   2 w ½",
        "   1 b =",
        ("   2 w =", "   1 b ="),
        &[(1, "round 1: result `½` taken as `=`")],
    );
    check_cell(
        "   2 w l",
        "   1 b W",
        ("   2 w L", "   1 b W"),
        &[(1, "round 1: result `l` taken as a capital letter")],
    );
    let pending = [(1, "round 1: no result yet"), (2, "round 1: no result yet")];
    check_cell("   2 w", "   1 b", ("   2 w", "   1 b"), &pending);
    let asked = "round 1: result `?` taken as not known yet";
    let pending = [(1, asked), (1, pending[0].1), (2, pending[1].1)];
    check_cell("   2 w ?", "   1 b", ("   2 w", "   1 b"), &pending);
}

#[test]
fn one_line_completes_the_other() {
    let color = "round 1: colour taken from the opponent's line";
    check_cell("   2   1", "   1 b 0", ("   2 w 1", "   1 b 0"), &[(1, color)]);
    check_cell("   2 b 1", "   1 - 0", ("   2 b 1", "   1 w 0"), &[(2, color)]);
    let result = [
        (1, "round 1: no result yet"),
        (1, "round 1: result taken as `0`, from the opponent's line"),
    ];
    check_cell("   2 w", "   1 b 1", ("   2 w 0", "   1 b 1"), &result);
    let odd = "round 1: results `1` and `=` against 2; taken as written";
    check_cell("   2 w 1", "   1 b =", ("   2 w 1", "   1 b ="), &[(1, odd)]);
}

#[test]
fn forfeits() {
    let none = "round 1: a forfeit against 2, whose line has none";
    check_cell("   2 w +", "", ("   2 w +", ""), &[(1, none)]);
    check_cell("   2 w +", "0000 - -", ("   2 w +", "0000 - -"), &[(1, none)]);
    check_cell(
        "   2 - +",
        "   1 - -",
        ("   2 - +", "   1 - -"),
        &[(1, "round 1: a forfeit without colours")],
    );
    check_cell(
        "   2 w +",
        "   1 w -",
        ("   2 w +", "   1 w -"),
        &[(1, "round 1: a forfeit with the same colour on both sides")],
    );
    let text = line(1, "   7 w +") + "\n";
    check_lenient(
        text.as_bytes(),
        &text,
        &[(1, "round 1: a forfeit against 7, who has no line")],
    );
}

#[test]
fn lists() {
    check_lenient(b"XXZ 22, 28,43\n", "XXZ 22 28 43\n", &[(1, "commas taken as blanks")]);
    check_lenient(
        b"XXZ\n",
        "XXZ\n",
        &[(1, "the record names too few players to mean anything")],
    );
    check_lenient(b"XXP\t7 \t8\n", "XXP 7 8\n", &[]);
    check_lenient(
        b"240 h 003 0026 0000 0047\n",
        "240 H   3   26   47\n",
        &[(1, "the player 0 or blank left out")],
    );
    check_lenient(b"260 001 002 0125 0180\n", "260   1   2  125  180\n", &[]);
    check_lenient(
        b"250 00.0 02.0 001 003 0001 0090\n",
        "250  0.0  2.0   1   3    1   90\n",
        &[],
    );
    check_lenient(b"352 wb\n", "352 WB\n", &[]);
}

#[test]
fn records_of_team_files_as_others_write_them() {
    // FIDE's sample of TRF26: virtual match points alone.
    check_lenient(
        b"250  2.0        1   1    4   25\n",
        "250  2.0  0.0   1   1    4   25\n",
        &[],
    );
    let narrow = "299 has the columns of FIDE's sample of 2024: the round from 17 on";
    check_lenient(
        b"299 +  2.0  2.5   1    1\n",
        "299 +   2.0   2.5    1    1\n",
        &[(1, narrow)],
    );
    check_lenient(
        b"299 H  1.0 12.5 000   12    7\n",
        "299 H   1.0  12.5        12    7\n",
        &[(1, narrow)],
    );
    // Without a number it applies to everybody.
    check_lenient(b"299 -  0.0  1.5\n", "299 -   0.0   1.5\n", &[]);
    let canonical = "362 TW 2.0   TD 1.0   TL 0.0\n";
    let wider = (1, "letters and points in other columns taken as TW 2, TD 1, TL 0");
    check_lenient(b"362 TW  2.0   TD  1.0   TL  0.0\n", canonical, &[wider]);
    check_lenient(b"362 TW 2.0    TD 1.0    TL 0.0\n", canonical, &[wider]);
    check_lenient(b"362  TW 2.0   TD 1.0   TL 0.0\n", canonical, &[wider]);
}

#[test]
fn a_pairing_of_which_nothing_came() {
    // A line of lichess: a named opponent, and nobody played.
    let ortizfran =
        "001    1                              ortizfran                                  1.0         10 w 1     7 b Z";
    let reading = read(
        format!(
            "{ortizfran}\n{}\n{}\n",
            line(7, "0000 - U     1 w Z"),
            line(10, "   1 b 0")
        )
        .as_bytes(),
    );
    let reading = reading.expect("it is read");
    let player = reading.tournament.player(1).expect("a line");
    assert_eq!(
        (player.name.as_str(), player.points),
        ("ortizfran", Some(points("1.0")))
    );
    assert_eq!(
        player.rounds[1],
        RoundCell::against(7, Color::Black, ResultCode::ForfeitLoss)
    );
    let told: Vec<&str> = reading.warnings.iter().map(|warning| warning.text.as_str()).collect();
    assert_eq!(
        told,
        [
            "round 2: `Z` against 7: nobody played, taken as `-`",
            "round 2: `Z` against 1: nobody played, taken as `-`"
        ]
    );
    check_cell(
        "   2 w Z",
        "0000 - Z",
        ("   2 w -", "0000 - Z"),
        &[
            (1, "round 1: `Z` against 2: nobody played, taken as `-`"),
            (1, "round 1: a forfeit against 2, whose line has none"),
        ],
    );
}

#[test]
fn lines_in_any_order() {
    let lines = [line(2, "   1 b 0"), line(9, "0000 - U"), line(1, "   2 w 1")];
    let text = lines.join("\n") + "\n";
    check_lenient(text.as_bytes(), &text, &[]);
}

#[test]
fn warnings_are_bounded() {
    let text: String = (1..=9999).map(|number| line(number, "0000 - u") + "\n").collect();
    let warnings = read(text.as_bytes()).expect("it can be read").warnings;
    assert_eq!(warnings.len(), 301);
    assert_eq!(warnings[300].text, "9699 further warnings are not listed");
}
