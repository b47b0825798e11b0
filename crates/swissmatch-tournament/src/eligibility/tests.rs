//! Qualifications that hold and that do not, the day given by the test.

use super::*;

fn file(path: &str, sha256: &str) -> FileHash {
    FileHash {
        path: path.to_owned(),
        sha256: sha256.repeat(64),
    }
}

fn made(program: &str) -> QualifiedEngine {
    QualifiedEngine {
        files: vec![file("/agents/a", program), file("/agents/net", "e")],
        args: vec!["net".to_owned()],
        options: BTreeMap::from([("Hash".to_owned(), "16".to_owned())]),
        env: BTreeMap::new(),
    }
}

fn terms() -> Terms {
    Terms {
        baseline: made("b"),
        games: 10,
        required: "0.55".parse().expect("points"),
        time_control: "100ms/move".to_owned(),
    }
}

fn record() -> Record {
    Record {
        agent: made("a"),
        verdict: CheckVerdict::Passed,
        failed: Vec::new(),
        warned: Vec::new(),
        played: Some(BaselineMatch {
            terms: terms(),
            wins: 5,
            draws: 1,
            losses: 4,
        }),
        date: day(2026, 3, 1),
        expires: expiry(day(2026, 3, 1), Some(90)),
        software: "0.1.0".to_owned(),
    }
}

fn day(year: i16, month: i8, day: i8) -> Date {
    jiff::civil::date(year, month, day)
}

/// What is said of an agent in March, after a change to its record.
#[track_caller]
fn check(change: impl FnOnce(&mut Record), expected: &str) {
    let mut record = record();
    change(&mut record);
    let found = judge(Some(&record), &made("a"), Some(&terms()), day(2026, 3, 2));
    assert_eq!(found.map_err(|why| why.to_string()), Err(expected.to_owned()));
}

#[test]
fn a_qualification_holds_until_it_expires() {
    let record = record();
    let on = |today| judge(Some(&record), &made("a"), Some(&terms()), today);
    let expires = day(2026, 5, 30);
    let eligible = |is_soon| {
        Ok(Eligible {
            expires: Some(expires),
            is_soon,
            has_warnings: false,
        })
    };
    assert_eq!(on(day(2026, 3, 1)), eligible(false));
    assert_eq!(on(day(2026, 5, 22)), eligible(false));
    assert_eq!(on(day(2026, 5, 23)), eligible(true));
    assert_eq!(on(day(2026, 5, 29)), eligible(true));
    assert_eq!(on(expires), Err(Why::Expired(expires)));
    assert_eq!(
        on(day(2027, 1, 1)).map_err(|why| why.to_string()),
        Err("its qualification expired on 2026-05-30".to_owned())
    );
    assert_eq!(expiry(day(2026, 3, 1), None), None);
    assert_eq!(
        expiry(day(9999, 12, 1), Some(u32::MAX)),
        None,
        "more days than there are"
    );
    let forever = Record {
        expires: None,
        ..record
    };
    assert!(judge(Some(&forever), &made("a"), Some(&terms()), day(9999, 12, 31)).is_ok());
}

#[test]
fn what_keeps_an_agent_out_is_said() {
    let none = judge(None, &made("a"), None, day(2026, 3, 2));
    assert_eq!(none, Err(Why::NoRecord));
    check(
        |r| {
            r.verdict = CheckVerdict::Failed;
            r.failed = vec![CheckStep::Stop, CheckStep::SelfPlay];
        },
        "it failed its check (stop, self-play)",
    );
    check(|r| r.verdict = CheckVerdict::Inconclusive, "its check was inconclusive");
    check(
        |r| r.agent = made("c"),
        "it is not what was checked: /agents/a has changed (SHA-256 was cccccccccccc…, is aaaaaaaaaaaa…)",
    );
    check(
        |r| r.agent.files.truncate(1),
        "it is not what was checked: /agents/net was not part of it; player.write names files that an agent writes itself",
    );
    check(
        |r| r.agent.files.push(file("/agents/book", "d")),
        "it is not what was checked: /agents/book is no longer part of it",
    );
    check(
        |r| r.agent.args.clear(),
        "it is not what was checked: its arguments have changed",
    );
    check(
        |r| r.agent.options.clear(),
        "it is not what was checked: its option Hash has changed",
    );
    check(
        |r| drop(r.agent.env.insert("NET".to_owned(), "x".to_owned())),
        "it is not what was checked: its variable NET has changed",
    );
    check(
        |r| r.played = None,
        "it was qualified on other terms: it played no games against the baseline",
    );
    let played = |r: &mut Record, change: fn(&mut BaselineMatch)| change(r.played.as_mut().expect("it played"));
    check(
        |r| played(r, |p| p.terms.games = 8),
        "it was qualified on other terms: 8 games where the event asks for 10",
    );
    check(
        |r| played(r, |p| p.terms.time_control = "50ms/move".to_owned()),
        "it was qualified on other terms: at 50ms/move where the event asks for 100ms/move",
    );
    check(
        |r| played(r, |p| p.terms.baseline = made("c")),
        "it was qualified on other terms: of the baseline, /agents/a has changed (SHA-256 was cccccccccccc…, is bbbbbbbbbbbb…)",
    );
    check(
        |r| played(r, |p| (p.draws, p.losses) = (0, 5)),
        "it was qualified on other terms: 5 points where the event now asks for 5.5",
    );
}

/// The same files elsewhere are the same agent; so are games that nobody asks for any more.
#[test]
fn what_does_not_matter_keeps_nobody_out() {
    let mut moved = made("a");
    moved.files[0].path = "/elsewhere/a".to_owned();
    assert!(judge(Some(&record()), &moved, Some(&terms()), day(2026, 3, 2)).is_ok());
    assert!(judge(Some(&record()), &made("a"), None, day(2026, 3, 2)).is_ok());
}

#[test]
fn a_share_of_the_points_is_exact() {
    let terms = |games, share: &str| Terms {
        games,
        required: share.parse().expect("points"),
        ..terms()
    };
    for (games, share, enough, short) in [
        (10, "0.55", Points::halves(11), Points::halves(10)),
        (3, "0.333", Points::ONE, Points::HALF),
        (3, "0.334", Points::halves(3), Points::ONE),
        (1000, "0.999", Points::whole(999), Points::halves(1997)),
        (2, "0", Points::ZERO, -Points::HALF),
        (7, "1", Points::whole(7), Points::halves(13)),
    ] {
        let terms = terms(games, share);
        assert!(terms.are_met(enough), "{share} of {games}");
        assert!(!terms.are_met(short), "{share} of {games}");
    }
}

#[test]
fn the_file_reads_as_it_was_written_and_nothing_else_reads() {
    let mut records = Records::default();
    records.players.insert("A".to_owned(), record());
    let text = records.write();
    assert_eq!(Records::read(&text).expect("it reads"), records);
    let refused = |text: &str| Records::read(text).expect_err("refused").to_string();
    assert_eq!(
        refused(&text.replace("\"version\": 1", "\"version\": 2")),
        "it has version 2, but this swissmatch knows version 1"
    );
    assert!(refused("{").starts_with("it is not a file of qualifications: "));
    assert!(refused(&text.replace("\"verdict\"", "\"verdikt\"")).contains("verdikt"));
}
