//! Rules of a ladder that change in mid-season.

use super::*;
use swissmatch_game::rules::Claims;
use swissmatch_tournament::setup::RuleChange;

/// A ladder until the lock, with these tables after its keys.
fn with(rules: &str) -> String {
    format!(
        "game.max_plies = 300\n[submissions]\ncontract = \"get-move\"\nlock = 2026-09-11T18:00:00+01:00\n\
         [ladder]\nschedule = \"hourly 08-22\"\n{rules}\n\
         [[player]]\nname = \"A\"\n[[player]]\nname = \"B\"\ncommand = \"b\"\n"
    )
}

const FROM: &str = "from = 2026-09-04T18:00:00+01:00\nwhy = \"Too many wins were cut off.\"";

#[test]
fn each_version_goes_over_the_one_before() {
    let text = with(&format!(
        "[[rules]]\n{FROM}\ngame.max_plies = 600\n[rules.submissions]\nper_day = 30\n\
         [[rules]]\nfrom = 2026-09-05T18:00:00+01:00\nwhy = \"Slow imports.\"\ngame.claims = \"claimable\"\ngame.max_plies = 400\n\
         engine.start_limit = \"90s\""
    ));
    let loaded = load_text(&text).unwrap_or_else(|error| panic!("{error}"));
    let setup = &loaded.setup;
    assert_eq!((setup.version(), setup.game.max_plies), (3, Some(400)));
    let change = |key: &str, old: &str, new: &str| RuleChange {
        key: key.to_owned(),
        old: old.to_owned(),
        new: new.to_owned(),
    };
    let first = [
        change("game.max_plies", "300", "600"),
        change("submissions.per_day", "10", "30"),
    ];
    assert_eq!(setup.rules[0].changes, first);
    assert_eq!(setup.rules[1].changes[1], change("game.max_plies", "600", "400"));

    let at = |moment: &str| loaded.in_force(moment.parse().expect("a moment")).setup;
    let before = at("2026-09-04T16:59:59Z");
    assert_eq!(
        (before.game.max_plies, before.submissions.per_day),
        (Some(300), Some(10))
    );
    let second = at("2026-09-04T17:00:00Z");
    assert_eq!(
        (second.game.max_plies, second.submissions.per_day),
        (Some(600), Some(30))
    );
    assert_eq!(second.game.claims, Claims::Automatic);
    assert_eq!(at("2026-09-06T17:00:00Z"), *setup);
    // Each value is told with the line that it stands in.
    let line = |loaded: &LoadedEvent| loaded.error_at("game.max_plies", "").to_string();
    assert_eq!(
        line(&loaded.in_force("2026-09-01T00:00:00Z".parse().expect("a moment"))),
        "event.toml:1:6: game.max_plies"
    );
    assert_eq!(line(&loaded), "event.toml:17:6: game.max_plies");

    let again = load_text(&effective(&loaded)).map(|loaded| loaded.setup);
    assert_eq!(again.as_ref(), Ok(setup));
    let changes = difference(&at("2026-09-01T00:00:00Z"), setup);
    assert!(
        changes.iter().all(|change| !change.key.starts_with("rules.")),
        "{changes:?}"
    );
    let fewer = load_text(&with(&format!("[[rules]]\n{FROM}\ngame.max_plies = 600")))
        .expect("an event")
        .setup;
    let changes = difference(&fewer, setup);
    assert!(
        changes
            .iter()
            .any(|change| change.key == "rules.3" && change.class == Class::Results),
        "{changes:?}"
    );
}

#[test]
fn what_does_not_change_is_refused() {
    let check = |rules: &str, expected: &str| check_whole(&with(rules), expected);
    check(
        &format!("[[rules]]\n{FROM}\n[rules.submissions]\ncontract = \"uci\""),
        "11:1: submissions.contract: this stays as it is; leave it out: only keys of game and adjudication, submissions.max_unpacked, \
         submissions.per_day and engine.start_limit change in mid-season",
    );
    check(
        &format!("[[rules]]\n{FROM}\ngame.max_ply = 600"),
        "10:6: game.max_ply: unknown key; did you mean game.max_plies?",
    );
    check(
        &format!("[[rules]]\n{FROM}\ngame.max_plies = 300"),
        "10:6: game.max_plies: it is 300 already; leave it out",
    );
    check(
        &format!("[[rules]]\n{FROM}\ngame.max_plies = 0"),
        "10:18: game.max_plies: expected \"none\" or a number of plies from 1 to 200000, found 0",
    );
    check(
        &format!("[[rules]]\n{FROM}"),
        "7:1: rules: missing; write what changes below it, such as [rules.game] with max_plies = 600",
    );
    check(
        "[[rules]]\nwhy = \"x\"\ngame.max_plies = 600",
        "7:1: rules.from: missing; write from = 2026-09-04T18:00:00+01:00",
    );
    check(
        "[[rules]]\nfrom = 2026-09-04T18:00:00\nwhy = \"x\"\ngame.max_plies = 600",
        "8:8: rules.from: expected a date and time with its offset from UTC, such as 2026-09-04T18:00:00+01:00, found \
         2026-09-04T18:00:00",
    );
    check(
        &format!("[[rules]]\n{FROM}\nswiss.rounds = 3"),
        "10:1: rules.swiss: unknown key; the keys of rules are from, why, game, adjudication, submissions, engine",
    );
    let twice = format!("[[rules]]\n{FROM}\ngame.max_plies = 600\n[[rules]]\n{FROM}\ngame.max_plies = 400");
    check(
        &twice,
        "12:1: rules.from: it is not after that of the table before; put the tables in the order of their times, and write what changes \
         at one time in one of them",
    );
    check(
        "[[rules]]\nfrom = 2026-09-11T17:30:00+01:00\nwhy = \"x\"\ngame.max_plies = 600",
        "8:1: rules.from: no round of the ladder is due from then on and before submissions.lock; write an earlier time, so that \
         everybody sees the event's rules in play",
    );
    // A version that is not the last one has to be playable, too.
    check(
        &format!(
            "[[rules]]\n{FROM}\n[rules.adjudication]\ndraw_score = 20\nresign_score = 10\n[[rules]]\n\
             from = 2026-09-05T18:00:00+01:00\nwhy = \"x\"\nadjudication.resign_score = 500"
        ),
        "11:1: adjudication.draw_score: 20 is not below adjudication.resign_score, which is 10; the same score must not count both as \
         level and as lost",
    );
}

#[test]
fn rules_of_an_event_without_a_ladder_do_not_change() {
    check(
        &format!("[[rules]]\n{FROM}\ngame.max_plies = 600"),
        "2:1: rules.from: the rules of an event without a ladder do not change; change the keys themselves before it begins, or write \
         schedule = \"hourly\" or another one under [ladder]",
    );
}

#[test]
fn a_flag_changes_no_rule_that_changes() {
    let text = with(&format!("[[rules]]\n{FROM}\ngame.max_plies = 600"));
    let flags = [Flag::set("game.max_plies", "100")];
    let refused = load(Path::new("event.toml"), &text, &flags)
        .map(|_| ())
        .map_err(|error| error.to_string());
    assert_eq!(
        refused,
        Err("--set: game.max_plies: a [[rules]] changes it; change it in the event file".to_owned())
    );
}
