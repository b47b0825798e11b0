//! Time controls as the peers write them → those of an event file.
//!
//! May not: know where a time control stands.

use swissmatch_game::time_control::{MOST_DEPTH, MOST_NODES, TimeControl};
use swissmatch_stats::sprt::Decimal;

/// Digits of a time after the point.
const MICROSECONDS: usize = 6;

/// The limits of one agent's moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct AgentLimits {
    /// `tc=`; `None`: not given, or `inf`.
    pub(super) clock: Option<TimeControl>,
    /// `st=`.
    pub(super) move_time: Option<TimeControl>,
    /// `nodes=`.
    pub(super) nodes: Option<u64>,
    /// `depth=`.
    pub(super) depth: Option<u32>,
}

impl AgentLimits {
    /// The time control of an event file that covers all limits.
    ///
    /// # Errors
    /// Why there is none.
    pub(super) fn control(&self) -> Result<TimeControl, &'static str> {
        let limit = match (&self.clock, &self.move_time) {
            (Some(_), Some(_)) => return Err("tc= and st= limit the same moves twice"),
            (Some(limit), None) | (None, Some(limit)) => Some(limit),
            (None, None) => None,
        };
        let nodes = self.nodes.map(|nodes| format!("nodes={nodes}"));
        let depth = self.depth.map(|depth| format!("depth={depth}"));
        let limit = limit.map(ToString::to_string);
        let parts: Vec<String> = [limit, nodes, depth].into_iter().flatten().collect();
        let control = parts.join(" ").parse();
        control.map_err(|_| "nothing limits its moves")
    }
}

/// The words of an agent's limits, each with an example.
const WORDS: [(&str, &str); 5] = [
    ("tc", "`tc=10+0.1`"),
    ("st", "`st=1`"),
    ("nodes", "`nodes=5000`"),
    ("depth", "`depth=8`"),
    ("plies", "`plies=8`"),
];

/// An example of a limit, by its word.
pub(super) fn example(word: &str) -> Option<&'static str> {
    let found = WORDS.iter().find(|(known, _)| *known == word);
    found.map(|(_, example)| *example)
}

/// Whether it is the word of a limit without a value: `tc=`, `tc`.
pub(super) fn is_empty(word: &str) -> bool {
    example(word.strip_suffix('=').unwrap_or(word)).is_some()
}

/// `tc=`: `40/1:30+1`, `10+0.1`, `hg60`; `None`: `inf`.
///
/// # Errors
/// Why the text is no time control.
pub(super) fn clock(text: &str) -> Result<Option<TimeControl>, String> {
    if matches!(text, "inf" | "infinite") {
        return Ok(None);
    }
    let (moves, rest) = match text.split_once('/') {
        Some(("inf" | "infinite" | "0", rest)) => (None, rest),
        Some((moves, rest)) => (Some(moves), rest),
        None => (None, text),
    };
    let (base, increment) = match rest.split_once('+') {
        Some((base, increment)) => (base, Some(increment)),
        None => (rest, None),
    };
    let (is_hourglass, base) = match base.strip_prefix("hg") {
        Some(base) => (true, base),
        None => (false, base),
    };
    let base = seconds(base)?;
    if base <= Decimal::ZERO {
        return Err(match increment {
            Some(increment) => {
                format!("the clock begins at zero; a clock that begins with its increment is {increment}+{increment}")
            }
            None => "the clock begins at zero".to_owned(),
        });
    }
    let mut written = match moves {
        Some(moves) => format!("{moves}/{base}"),
        None => base.to_string(),
    };
    if let Some(increment) = increment {
        let increment = seconds(increment)?;
        if increment > Decimal::ZERO {
            written += &format!("+{increment}");
        }
    }
    if is_hourglass {
        if moves.is_some() || increment.is_some() {
            return Err("an hourglass has neither moves nor an increment".to_owned());
        }
        written = format!("*{base}");
    }
    read(&written).map(Some)
}

/// `st=`, in seconds; `None`: 0.
///
/// # Errors
/// Why the text is no time.
pub(super) fn move_time(text: &str) -> Result<Option<TimeControl>, String> {
    let time = seconds(text)?;
    match time > Decimal::ZERO {
        true => read(&format!("{time}s/move")).map(Some),
        false => Ok(None),
    }
}

/// `nodes=`; `None`: 0.
///
/// # Errors
/// Why the text is no number of nodes.
pub(super) fn nodes(text: &str) -> Result<Option<u64>, String> {
    bound(text, MOST_NODES)
}

/// `depth=`, in plies; `None`: 0.
///
/// # Errors
/// Why the text is no depth.
pub(super) fn depth(text: &str) -> Result<Option<u32>, String> {
    let depth = bound(text, MOST_DEPTH.into())?;
    Ok(depth.and_then(|depth| u32::try_from(depth).ok()))
}

fn bound(text: &str, most: u64) -> Result<Option<u64>, String> {
    match text.parse::<u64>() {
        Ok(0) => Ok(None),
        Ok(number) if number <= most => Ok(Some(number)),
        _ => Err(format!("expected a whole number up to {most}")),
    }
}

/// Seconds, or minutes and seconds; `s` may follow. Fractions of a microsecond are cut off.
fn seconds(text: &str) -> Result<Decimal, String> {
    let number = |text: &str| {
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let is_number = part.bytes().all(|byte| byte.is_ascii_digit());
        let cut = format!("{whole}.{}", part.get(..MICROSECONDS).unwrap_or(part));
        let number = cut.parse::<Decimal>().ok().filter(|_| is_number);
        number.filter(|number| *number >= Decimal::ZERO)
    };
    let in_seconds = |text: &str| number(text.strip_suffix('s').unwrap_or(text));
    let time = match text.split_once(':') {
        Some((minutes, rest)) => number(minutes)
            .zip(in_seconds(rest))
            .map(|(minutes, seconds)| minutes.times(60).plus(seconds)),
        None => in_seconds(text),
    };
    time.ok_or_else(|| "expected seconds such as 10+0.1, 1:30+1 or 40/60".to_owned())
}

fn read(text: &str) -> Result<TimeControl, String> {
    text.parse::<TimeControl>().map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_in_seconds() {
        let check = |text, expected: Option<&str>| {
            let read = clock(text).unwrap_or_else(|why| panic!("{text}: {why}"));
            assert_eq!(read.map(|control| control.to_string()).as_deref(), expected, "{text}");
        };
        check("inf", None);
        check("infinite", None);
        check("10+0.1", Some("10+0.1"));
        check("10s+0.1s", Some("10+0.1"));
        check("4", Some("4"));
        check("5:00+2", Some("300+2"));
        check("0:08+0.08", Some("8+0.08"));
        check("40/60+0.6", Some("40/60+0.6"));
        check("40/1:30+1", Some("40/90+1"));
        check("40/90", Some("40/90"));
        check("0/60+1", Some("60+1"));
        check("inf/10+0.1", Some("10+0.1"));
        check("10+0", Some("10"));
        check("7.83+0.08", Some("7.83+0.08"));
        check("1.5:0", Some("90"));
        check("hg60", Some("hourglass 1:00"));
        check("hg1:30", Some("hourglass 1:30"));
        for wrong in [
            "", "0", "0+0.1", "x", "10+", "+1", "10+x", "40/", "-1", "40/40/10", "1:2:3", "hg60+1", "40/hg60",
        ] {
            assert!(clock(wrong).is_err(), "{wrong}");
        }
        assert!(clock("0+0.1").is_err_and(|why| why.contains("0.1+0.1")));
    }

    #[test]
    fn one_control_says_all() {
        let check = |limits: AgentLimits, expected: &str| {
            assert_eq!(
                limits.control().map(|control| control.to_string()).as_deref(),
                Ok(expected)
            );
        };
        let limits = |tc, st| AgentLimits {
            clock: clock(tc).expect("a clock"),
            move_time: move_time(st).expect("a time"),
            ..AgentLimits::default()
        };
        check(limits("10+0.1", "0"), "10+0.1");
        check(limits("inf", "0.5"), "500ms/move");
        check(
            AgentLimits {
                nodes: Some(5000),
                ..limits("inf", "0")
            },
            "nodes=5000",
        );
        check(
            AgentLimits {
                depth: Some(8),
                ..limits("10", "0")
            },
            "10 depth=8",
        );
        assert!(limits("10", "1").control().is_err());
        assert!(limits("inf", "0").control().is_err());
        assert_eq!((nodes("0"), depth("12")), (Ok(None), Ok(Some(12))));
        assert!(nodes("x").is_err() && depth("1001").is_err() && move_time("-1").is_err());
    }
}
