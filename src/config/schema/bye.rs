//! Keys of `[bye]`: who has one, what it is worth, and those that are asked for.
//!
//! May not: know layers or files.

use swiss_system::score::Points;

use super::Key;
use crate::config::error::Problem;
use crate::config::value::{Value, array, or_word, shown, words};
use crate::tournament::setup::{ByeLimit, Setup};

pub(super) static KEYS: &[Key<Setup>] = &[
    Key::new(
        "bye.order",
        "a list of \"fewest-byes\", \"lowest-match-points\", \"worst-previous-place\", \"earliest-submission\" and \"lowest-rating\"",
        "Who gets the bye of an odd round by \"match-points\": criteria, strictly in turn. Other systems have rules of their own.",
        |s, v| v.choices().map(|order| s.bye.order = order),
        |s| Some(words(&s.bye.order)),
    ),
    Key::<Setup>::new(
        "bye.score",
        "\"protocol\" (0.5 match points, 1 game point) or \"leaderboard\" (1 match point, 2 game points)",
        "Both points of a bye by name: \"protocol\" is 0.5 + 1, \"leaderboard\" 1 + 2.",
        |s, v| {
            let (match_points, game_points) = match v.string()? {
                "protocol" => (Points::HALF, Points::ONE),
                "leaderboard" => (Points::ONE, Points::whole(2)),
                _ => return Err(v.unexpected()),
            };
            (s.bye.match_points, s.bye.game_points) = (match_points, Some(game_points));
            Ok(())
        },
        |_| None,
    )
    .shorthand(&["bye.match_points", "bye.game_points"]),
    Key::new(
        "bye.match_points",
        "points from 0 to 1000 with at most three decimals",
        "Match points of a bye.",
        |s, v| v.points(Points::ZERO..=Points::whole(1000)).map(|points| s.bye.match_points = points),
        |s| Some(s.bye.match_points.to_string()),
    ),
    Key::new(
        "bye.game_points",
        "\"auto\" or points from 0 to 100000 with at most three decimals",
        "Game points of a bye; \"auto\": its match points over those of a win, times the games of a round; \"double-swiss\": 1.5.",
        |s, v| {
            v.word_or("auto", |v| v.points(Points::ZERO..=Points::whole(100_000)))
                .map(|points| s.bye.game_points = points)
        },
        |s| Some(or_word(s.bye.game_points, "auto")),
    ),
    key!(
        "bye.again",
        "\"bye\", \"requested\" or \"zero\"",
        "What a player has who is left over without a right to the bye: the bye, what a requested bye gives, or nothing.",
        bye.again = choice
    ),
    Key::<Setup>::new(
        "bye.requests",
        "a list such as [{ rounds = 5, byes = 1 }, { rounds = 9, byes = 2 }], by growing rounds; [] for none",
        "Half-point byes a player may ask for, before that round is paired: in events of up to `rounds` rounds so many.",
        |s, v| read_limits(v).map(|limits| s.bye.requests = limits),
        |s| Some(write_limits(&s.bye.requests)),
    )
    .output(),
];

fn read_limits(value: Value<'_>) -> Result<Vec<ByeLimit>, Problem> {
    let limits: Vec<ByeLimit> = value.list()?.into_iter().map(read_limit).collect::<Result<_, _>>()?;
    match limits.is_sorted_by(|one, other| one.rounds < other.rounds) {
        true => Ok(limits),
        false => Err(
            Problem::said("bye.requests: each line must be for more rounds than the one before".to_owned())
                .at(value.span()),
        ),
    }
}

fn read_limit(value: Value<'_>) -> Result<ByeLimit, Problem> {
    let table = value.table()?;
    if let Some((key, _)) = table
        .iter()
        .find(|(key, _)| !["rounds", "byes"].contains(&key.get_ref().as_ref()))
    {
        let message = format!("unknown entry {} of bye.requests", shown(key.get_ref()));
        return Err(Problem::said(message)
            .at(Some(key.span()))
            .help("a line has rounds and byes".to_owned()));
    }
    let number = |name: &str, least: i128| {
        let expected = || {
            Problem::said(format!(
                "{name} of bye.requests: expected a number from {least} to 1000"
            ))
        };
        let entry = table.get(name).map(Value::Toml);
        let entry = entry.ok_or_else(|| expected().at(value.span()))?;
        entry
            .whole::<u32>(least..=1000)
            .map_err(|_| expected().at(entry.span()))
    };
    Ok(ByeLimit {
        rounds: number("rounds", 1)?,
        byes: number("byes", 0)?,
    })
}

fn write_limits(limits: &[ByeLimit]) -> String {
    array(
        limits
            .iter()
            .map(|limit| format!("{{ rounds = {}, byes = {} }}", limit.rounds, limit.byes)),
    )
}
