//! The number of rounds of an event and its format, `swiss.rounds`.
//!
//! The rule: `auto` is min(ceil(log2 N) + 3, N − 1 for even N, N for odd N) for N players; if that is every opponent
//! once, the event is played as all-play-all and says so. Also a number, `"log2"`, `"log2+K"`, `"7-SS"`. `"RR"`:
//! everybody meets everybody once; `"3-RR"`: in each of three cycles. `"double-RR"`, `"double-SS"`, `"5-double-SS"`:
//! "each round comprises two games (one as Black, one as White) against the same opponent" (City Chess, How to read
//! tournament formats). `"gauntlet-K"`: the first K meet everybody else once; `"5-gauntlet-K"`: in each of five
//! cycles. `"quads"`: sections of four, each an all-play-all. `"knockout"`: losers are out.
//!
//! May not: pair anybody.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::all_play_all::{self, Section, SectionFormat};
use super::{gauntlet, knockout};

/// The way in which pairs are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TournamentFormat {
    /// Round by round from the standings.
    Swiss,
    /// Everybody meets everybody, once or in cycles, by Berger tables.
    AllPlayAll,
    /// The first players meet everybody else, once or in cycles, see [`gauntlet`].
    Gauntlet,
    /// Losers are out, see [`knockout`].
    Knockout,
    /// Sections of four by pairing number, each playing for itself, see [`all_play_all::quads`].
    Quads,
    /// Stages one after the other, each with a format of its own.
    Stages,
    /// Sections side by side, each with a format of its own.
    Sections,
}

/// `swiss.rounds` as a person writes it: a number, or one of the texts of [`Rounds::from_str`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "WrittenRounds", into = "WrittenRounds")]
pub enum Rounds {
    /// `"auto"`: min(ceil(log2 N) + 3, N − 1 for even N, N for odd N); if that is every opponent once, all-play-all.
    Auto,
    /// `7` or `"7-SS"`: this many Swiss rounds.
    Number(u32),
    /// `"log2"`, `"log2+K"`: ceil(log2 N) + K Swiss rounds.
    Log2Plus(u32),
    /// `"RR"`: all-play-all; `"3-RR"`: this many cycles of it.
    AllPlayAll {
        /// How often everybody meets everybody.
        cycles: u32,
    },
    /// `"double-RR"`: all-play-all with two games in each round.
    DoubleAllPlayAll,
    /// `"5-double-SS"`: this many Swiss rounds of two games each; `"double-SS"`: as many as for [`Rounds::Auto`], but
    /// always a Swiss.
    DoubleSwiss(Option<u32>),
    /// `"gauntlet"`, `"gauntlet-K"`: the first K players (1 if not given) meet everybody else; `"5-gauntlet-K"`: in
    /// this many cycles.
    Gauntlet {
        /// The number of players who run it.
        runners: u32,
        /// How often each of them meets everybody else.
        cycles: u32,
    },
    /// `"knockout"`: losers are out.
    Knockout,
    /// `"quads"`: sections of four, each an all-play-all; a remainder of 5 to 7 plays a Swiss of three rounds.
    Quads,
}

/// The length of an event, and its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundPlan {
    /// Number of rounds.
    pub rounds: u32,
    /// How pairs are made.
    pub format: TournamentFormat,
}

impl Rounds {
    /// The plan for this many players. Of the Swiss forms only `auto` can make an all-play-all: a number of rounds
    /// asks for a Swiss, even if it is larger than the number of opponents (which forces repeats).
    pub fn plan(self, players: u32) -> RoundPlan {
        let log2 = players.max(1).next_power_of_two().trailing_zeros();
        let every_opponent_once = if players.is_multiple_of(2) {
            players.saturating_sub(1)
        } else {
            players
        };
        let swiss = log2 + 3;
        let (rounds, format) = match self {
            Self::Auto if every_opponent_once <= swiss => (every_opponent_once, TournamentFormat::AllPlayAll),
            Self::Auto => (swiss, TournamentFormat::Swiss),
            Self::Number(rounds) | Self::DoubleSwiss(Some(rounds)) => (rounds, TournamentFormat::Swiss),
            Self::Log2Plus(more) => (log2.saturating_add(more), TournamentFormat::Swiss),
            Self::DoubleSwiss(None) => (swiss.min(every_opponent_once), TournamentFormat::Swiss),
            Self::AllPlayAll { cycles } => (every_opponent_once.saturating_mul(cycles), TournamentFormat::AllPlayAll),
            Self::DoubleAllPlayAll => (every_opponent_once, TournamentFormat::AllPlayAll),
            Self::Gauntlet { runners, cycles } => {
                let rounds = gauntlet::rounds(players, runners);
                (rounds.saturating_mul(cycles), TournamentFormat::Gauntlet)
            }
            Self::Knockout => (knockout::rounds(players as usize), TournamentFormat::Knockout),
            Self::Quads => {
                let sections = Self::sections(players).into_iter();
                let longest = sections.map(|(players, written)| written.plan(players).rounds).max();
                (longest.unwrap_or(0), TournamentFormat::Quads)
            }
        };
        RoundPlan { rounds, format }
    }

    /// The number of pairs in each round, if nobody is absent.
    pub fn pairs(self, players: u32) -> Vec<u32> {
        let rounds = self.plan(players).rounds as usize;
        match self {
            Self::Gauntlet { runners, .. } => vec![runners.min(players.saturating_sub(runners)); rounds],
            Self::Knockout => {
                let size = players.next_power_of_two();
                // In round 1 the top seeds are free, as many as there are empty places.
                let of_round = |round| match round {
                    0 => players - size / 2,
                    _ => size >> (round + 1),
                };
                (0..rounds).map(of_round).collect()
            }
            Self::Quads => {
                let mut pairs = vec![0; rounds];
                for (players, written) in Self::sections(players) {
                    for (all, own) in pairs.iter_mut().zip(written.pairs(players)) {
                        *all += own;
                    }
                }
                pairs
            }
            _ => vec![players / 2; rounds],
        }
    }

    /// The sizes of the sections of `"quads"`, and how each is played.
    fn sections(players: u32) -> Vec<(u32, Self)> {
        let sections = all_play_all::quads(players as usize).into_iter();
        let size = |section: &Section| u32::try_from(section.players.len()).expect("at most seven");
        sections
            .map(|section| (size(&section), section.format.into()))
            .collect()
    }

    /// How often everybody meets the same opponents; 1 if the format has no cycles.
    pub const fn cycles(self) -> u32 {
        match self {
            Self::AllPlayAll { cycles } | Self::Gauntlet { cycles, .. } => cycles,
            _ => 1,
        }
    }

    /// The number of rounds after which all players have met equally many opponents, as far as the format allows: a
    /// cycle, a round of a Swiss, all rounds of any other format.
    pub fn rounds_of_cycle(self, players: u32) -> u32 {
        let plan = self.plan(players);
        match plan.format {
            TournamentFormat::Swiss => 1,
            _ => plan.rounds / self.cycles(),
        }
    }

    /// The number of pairs in a cycle, if nobody is absent.
    pub fn pairs_of_cycle(self, players: u32) -> u64 {
        let cycle = self.rounds_of_cycle(players) as usize;
        self.pairs(players).into_iter().take(cycle).map(u64::from).sum()
    }

    /// The games of a mini-match, if the format itself sets them.
    pub const fn games(self) -> Option<u32> {
        match self {
            Self::DoubleAllPlayAll | Self::DoubleSwiss(_) => Some(2),
            _ => None,
        }
    }
}

impl From<SectionFormat> for Rounds {
    fn from(format: SectionFormat) -> Self {
        match format {
            SectionFormat::AllPlayAll => Self::AllPlayAll { cycles: 1 },
            SectionFormat::Swiss { rounds } => Self::Number(rounds),
        }
    }
}

/// A text that is not a number of rounds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a format: write a number of rounds from 1, \"auto\", \"log2\", \"log2+2\", \"7-SS\", \"RR\", \"3-RR\", \
     \"double-RR\", \"double-SS\", \"5-double-SS\", \"gauntlet\", \"gauntlet-2\", \"5-gauntlet-2\", \"knockout\" or \"quads\""
)]
pub struct ParseRoundsError(String);

impl FromStr for Rounds {
    type Err = ParseRoundsError;

    /// Reads `"auto"`, `"log2"`, `"log2+K"`, `"7-SS"` and `"7"`, `"RR"`, `"3-RR"`, `"double-RR"`, `"double-SS"`,
    /// `"5-double-SS"`, `"gauntlet"`, `"gauntlet-K"`, `"5-gauntlet"`, `"5-gauntlet-K"`, `"knockout"` and `"quads"`.
    fn from_str(text: &str) -> Result<Self, ParseRoundsError> {
        let number = |digits: &str| match digits.parse::<u32>() {
            Ok(number) if digits.bytes().all(|b| b.is_ascii_digit()) => Ok(number),
            _ => Err(ParseRoundsError(text.to_owned())),
        };
        let positive = |digits: &str| match number(digits)? {
            0 => Err(ParseRoundsError(text.to_owned())),
            number => Ok(number),
        };
        match text {
            "auto" => return Ok(Self::Auto),
            "log2" => return Ok(Self::Log2Plus(0)),
            "double-RR" => return Ok(Self::DoubleAllPlayAll),
            "double-SS" => return Ok(Self::DoubleSwiss(None)),
            "knockout" => return Ok(Self::Knockout),
            "quads" => return Ok(Self::Quads),
            _ => {}
        }
        if let Some(more) = text.strip_prefix("log2+") {
            return number(more).map(Self::Log2Plus);
        }
        if let Some(rounds) = text.strip_suffix("-double-SS") {
            return positive(rounds).map(|rounds| Self::DoubleSwiss(Some(rounds)));
        }
        // The number of cycles comes first; "gauntlet-2" begins with none.
        let (cycles, of_cycle) = match text.split_once('-') {
            Some((cycles, of_cycle)) if cycles.starts_with(|first: char| first.is_ascii_digit()) => {
                (positive(cycles)?, of_cycle)
            }
            _ => (1, text),
        };
        match (of_cycle, of_cycle.strip_prefix("gauntlet-")) {
            ("RR", _) => Ok(Self::AllPlayAll { cycles }),
            ("gauntlet", _) => Ok(Self::Gauntlet { runners: 1, cycles }),
            (_, Some(runners)) => positive(runners).map(|runners| Self::Gauntlet { runners, cycles }),
            _ => positive(text.strip_suffix("-SS").unwrap_or(text)).map(Self::Number),
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
            Self::AllPlayAll { cycles: 1 } => f.write_str("RR"),
            Self::AllPlayAll { cycles } => write!(f, "{cycles}-RR"),
            Self::DoubleAllPlayAll => f.write_str("double-RR"),
            Self::DoubleSwiss(None) => f.write_str("double-SS"),
            Self::DoubleSwiss(Some(rounds)) => write!(f, "{rounds}-double-SS"),
            Self::Gauntlet { runners, cycles } => {
                if *cycles > 1 {
                    write!(f, "{cycles}-")?;
                }
                match runners {
                    1 => f.write_str("gauntlet"),
                    _ => write!(f, "gauntlet-{runners}"),
                }
            }
            Self::Knockout => f.write_str("knockout"),
            Self::Quads => f.write_str("quads"),
        }
    }
}

/// Both forms in which the key may be written.
#[derive(Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "a number of rounds, \"auto\", \"log2\", \"log2+K\", \"7-SS\", \"RR\" or another format"
)]
enum WrittenRounds {
    Number(u32),
    Text(String),
}

impl TryFrom<WrittenRounds> for Rounds {
    type Error = ParseRoundsError;

    fn try_from(written: WrittenRounds) -> Result<Self, ParseRoundsError> {
        match written {
            WrittenRounds::Number(number) => number.to_string().parse(),
            WrittenRounds::Text(text) => text.parse(),
        }
    }
}

impl From<Rounds> for WrittenRounds {
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
        let check = |written: &str, players: u32, rounds: u32, format: TournamentFormat| {
            let rule: Rounds = written.parse().expect("well written");
            assert_eq!(
                rule.plan(players),
                RoundPlan { rounds, format },
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
            let format = if all_play_all {
                TournamentFormat::AllPlayAll
            } else {
                TournamentFormat::Swiss
            };
            check("auto", players, rounds, format);
            check("double-SS", players, rounds, TournamentFormat::Swiss);
        }
        check("7", 8, 7, TournamentFormat::Swiss);
        check("7-SS", 4, 7, TournamentFormat::Swiss);
        check("log2", 64, 6, TournamentFormat::Swiss);
        check("log2", 65, 7, TournamentFormat::Swiss);
        check("log2+2", 40, 8, TournamentFormat::Swiss);
        check("log2+2", 1, 2, TournamentFormat::Swiss);
        check("5-double-SS", 4, 5, TournamentFormat::Swiss);
        check("RR", 8, 7, TournamentFormat::AllPlayAll);
        check("RR", 9, 9, TournamentFormat::AllPlayAll);
        check("double-RR", 40, 39, TournamentFormat::AllPlayAll);
        check("gauntlet", 8, 7, TournamentFormat::Gauntlet);
        check("gauntlet-5", 8, 5, TournamentFormat::Gauntlet);
        check("knockout", 8, 3, TournamentFormat::Knockout);
        check("knockout", 9, 4, TournamentFormat::Knockout);
        check("quads", 8, 3, TournamentFormat::Quads);
        check("quads", 11, 3, TournamentFormat::Quads);
        check("quads", 2, 1, TournamentFormat::Quads);
    }

    #[test]
    fn pairs_of_each_round() {
        let check = |written: &str, players: u32, pairs: &[u32]| {
            let rule: Rounds = written.parse().expect("well written");
            assert_eq!(rule.pairs(players), pairs, "{written} for {players}");
        };
        check("3", 5, &[2, 2, 2]);
        check("RR", 4, &[2, 2, 2]);
        check("gauntlet-2", 5, &[2, 2, 2]);
        check("gauntlet-3", 4, &[1, 1, 1]);
        check("knockout", 8, &[4, 2, 1]);
        check("knockout", 5, &[1, 2, 1]);
        check("knockout", 2, &[1]);
        check("quads", 8, &[4, 4, 4]);
        check("quads", 9, &[4, 4, 4]);
        check("quads", 11, &[5, 5, 5]);
    }

    #[test]
    fn games_of_a_round() {
        for (written, games) in [
            ("RR", None),
            ("7", None),
            ("double-RR", Some(2)),
            ("double-SS", Some(2)),
            ("3-double-SS", Some(2)),
        ] {
            assert_eq!(
                written.parse::<Rounds>().expect("well written").games(),
                games,
                "{written}"
            );
        }
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
        check(r#""RR""#, Some(Rounds::AllPlayAll { cycles: 1 }));
        check(r#""1-RR""#, Some(Rounds::AllPlayAll { cycles: 1 }));
        check(r#""3-RR""#, Some(Rounds::AllPlayAll { cycles: 3 }));
        check(r#""5-double-SS""#, Some(Rounds::DoubleSwiss(Some(5))));
        check(r#""gauntlet-1""#, Some(Rounds::Gauntlet { runners: 1, cycles: 1 }));
        check(r#""5-gauntlet""#, Some(Rounds::Gauntlet { runners: 1, cycles: 5 }));
        check(r#""5-gauntlet-1""#, Some(Rounds::Gauntlet { runners: 1, cycles: 5 }));
        check(r#""5-gauntlet-3""#, Some(Rounds::Gauntlet { runners: 3, cycles: 5 }));
        for bad in [
            "0",
            "-1",
            "1.5",
            r#""0-SS""#,
            r#""log2+""#,
            r#""log2++1""#,
            r#""+5""#,
            r#""rr""#,
            r#""double""#,
            r#""0-double-SS""#,
            r#""double-7-SS""#,
            r#""gauntlet-""#,
            r#""gauntlet-0""#,
            r#""0-RR""#,
            r#""3-RR-1""#,
            r#""0-gauntlet-1""#,
            r#""2-gauntlet-0""#,
            r#""2-knockout""#,
            r#""gauntlet-2-3""#,
            r#""""#,
        ] {
            check(bad, None);
        }
        for rule in [
            Rounds::Auto,
            Rounds::Number(9),
            Rounds::Log2Plus(0),
            Rounds::Log2Plus(3),
            Rounds::AllPlayAll { cycles: 1 },
            Rounds::AllPlayAll { cycles: 3 },
            Rounds::DoubleAllPlayAll,
            Rounds::DoubleSwiss(None),
            Rounds::DoubleSwiss(Some(5)),
            Rounds::Gauntlet { runners: 1, cycles: 1 },
            Rounds::Gauntlet { runners: 3, cycles: 1 },
            Rounds::Gauntlet { runners: 1, cycles: 5 },
            Rounds::Gauntlet { runners: 3, cycles: 5 },
            Rounds::Knockout,
            Rounds::Quads,
        ] {
            let json = serde_json::to_string(&rule).expect("plain");
            check(&json, Some(rule));
        }
    }
}
