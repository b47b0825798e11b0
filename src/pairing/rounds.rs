//! How many rounds an event has, `swiss.rounds`.
//!
//! The rule: `auto` is min(ceil(log2 N) + 3, N − 1 for even N, N for odd N) for N players; where that is every
//! opponent once, the event is played as all-play-all and says so. Also a number, `"log2"`, `"log2+K"`, `"7-SS"`.
//!
//! May not: pair anybody.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// `swiss.rounds` as a person writes it: a number, or one of the texts of [`Rounds::from_str`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub enum Rounds {
    /// `"auto"`: min(ceil(log2 N) + 3, N − 1 for even N, N for odd N); where that is every opponent once: all-play-all.
    Auto,
    /// `7` or `"7-SS"`: so many Swiss rounds.
    Number(u32),
    /// `"log2"`, `"log2+K"`: ceil(log2 N) + K Swiss rounds.
    Log2Plus(u32),
}

/// How long an event is, and whether it is a Swiss at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundPlan {
    /// Number of rounds.
    pub rounds: u32,
    /// Whether everybody meets everybody once, to be paired by [`crate::pairing::round_robin::berger`].
    pub all_play_all: bool,
}

impl Rounds {
    /// The plan for so many players. Only `auto` makes an all-play-all: a number of rounds is a wish for a Swiss, even
    /// where it is larger than the number of opponents (which forces repeats).
    #[must_use]
    pub fn plan(self, players: u32) -> RoundPlan {
        let log2 = players.max(1).next_power_of_two().trailing_zeros();
        match self {
            Self::Auto => {
                let every_opponent_once = if players.is_multiple_of(2) {
                    players.saturating_sub(1)
                } else {
                    players
                };
                let swiss = log2 + 3;
                RoundPlan {
                    rounds: swiss.min(every_opponent_once),
                    all_play_all: every_opponent_once <= swiss,
                }
            }
            Self::Number(rounds) => RoundPlan {
                rounds,
                all_play_all: false,
            },
            Self::Log2Plus(more) => RoundPlan {
                rounds: log2.saturating_add(more),
                all_play_all: false,
            },
        }
    }
}

/// Why a text is no number of rounds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a number of rounds: write a number from 1, \"auto\", \"log2\", \"log2+2\" or \"7-SS\"")]
pub struct NotRounds(String);

impl FromStr for Rounds {
    type Err = NotRounds;

    /// Reads `"auto"`, `"log2"`, `"log2+K"`, `"7-SS"` and `"7"`.
    fn from_str(text: &str) -> Result<Self, NotRounds> {
        let number = |digits: &str| match digits.parse::<u32>() {
            Ok(number) if digits.bytes().all(|b| b.is_ascii_digit()) => Ok(number),
            _ => Err(NotRounds(text.to_owned())),
        };
        match text {
            "auto" => Ok(Self::Auto),
            "log2" => Ok(Self::Log2Plus(0)),
            _ => match text.strip_prefix("log2+") {
                Some(more) => number(more).map(Self::Log2Plus),
                None => match number(text.strip_suffix("-SS").unwrap_or(text))? {
                    0 => Err(NotRounds(text.to_owned())),
                    rounds => Ok(Self::Number(rounds)),
                },
            },
        }
    }
}

impl fmt::Display for Rounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Number(rounds) => write!(f, "{rounds}"),
            Self::Log2Plus(0) => f.write_str("log2"),
            Self::Log2Plus(more) => write!(f, "log2+{more}"),
        }
    }
}

/// Both forms in which the key may be written.
#[derive(Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "a number of rounds, \"auto\", \"log2\", \"log2+K\" or \"7-SS\""
)]
enum Written {
    Number(u32),
    Text(String),
}

impl TryFrom<Written> for Rounds {
    type Error = NotRounds;

    fn try_from(written: Written) -> Result<Self, NotRounds> {
        match written {
            Written::Number(number) => number.to_string().parse(),
            Written::Text(text) => text.parse(),
        }
    }
}

impl From<Rounds> for Written {
    fn from(rounds: Rounds) -> Self {
        match rounds {
            Rounds::Number(number) => Self::Number(number),
            other => Self::Text(other.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans() {
        let check = |written: &str, players: u32, rounds: u32, all_play_all: bool| {
            let rule: Rounds = written.parse().expect("well written");
            assert_eq!(
                rule.plan(players),
                RoundPlan { rounds, all_play_all },
                "{written} for {players}"
            );
        };
        for (players, rounds, all_play_all) in [
            (0, 0, true),
            (1, 1, true),
            (2, 1, true),
            (3, 3, true),
            (4, 3, true),
            (5, 5, true),
            (6, 5, true),
            (7, 6, false),
            (8, 6, false),
            (9, 7, false),
            (16, 7, false),
            (17, 8, false),
            (64, 9, false),
            (65, 10, false),
            (500, 12, false),
        ] {
            check("auto", players, rounds, all_play_all);
        }
        check("7", 8, 7, false);
        check("7-SS", 4, 7, false);
        check("log2", 64, 6, false);
        check("log2", 65, 7, false);
        check("log2+2", 40, 8, false);
        check("log2+2", 1, 2, false);
    }

    #[test]
    fn written_forms() {
        let check = |json: &str, expected: Option<Rounds>| {
            assert_eq!(serde_json::from_str::<Rounds>(json).ok(), expected, "{json}");
        };
        check("9", Some(Rounds::Number(9)));
        check(r#""9-SS""#, Some(Rounds::Number(9)));
        check(r#""auto""#, Some(Rounds::Auto));
        check(r#""log2""#, Some(Rounds::Log2Plus(0)));
        check(r#""log2+3""#, Some(Rounds::Log2Plus(3)));
        for bad in [
            "0",
            "-1",
            "1.5",
            r#""0-SS""#,
            r#""log2+""#,
            r#""log2++1""#,
            r#""+5""#,
            r#""RR""#,
            r#""""#,
        ] {
            check(bad, None);
        }
        for rule in [
            Rounds::Auto,
            Rounds::Number(9),
            Rounds::Log2Plus(0),
            Rounds::Log2Plus(3),
        ] {
            let json = serde_json::to_string(&rule).expect("plain");
            check(&json, Some(rule));
        }
    }
}
