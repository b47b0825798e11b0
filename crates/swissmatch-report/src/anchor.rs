//! Lines with the head of a log, as anchors take them, and whether a log agrees with them.
//!
//! Whoever can write a log can compute its chain of hashes anew, but cannot change what others already have of it.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use swiss_system::count;

/// The state of a log at some time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnchorLine {
    /// Identifies the run: the hash of its first entry.
    pub run: String,
    /// Number of the last entry.
    pub entry: i64,
    pub hash: String,
    /// When the line was made, RFC 3339.
    pub time: String,
}

impl AnchorLine {
    /// The line as anchors take it: one line of JSON, without its line end.
    ///
    /// # Panics
    /// Never: it is plain data.
    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("plain data")
    }

    /// Reads one line of a file.
    ///
    /// # Errors
    /// When it is no such line; `None` if it is the beginning of one.
    fn read(text: &str) -> Result<Self, Option<String>> {
        let line: Self = serde_json::from_str(text).map_err(|error| match error.is_eof() {
            true => None,
            false => Some("it is no line of JSON with run, entry, hash and time, and nothing else".to_owned()),
        })?;
        if ![&line.run, &line.hash].into_iter().all(|hash| is_hash(hash)) {
            return Err(Some("run and hash are SHA-256 in hexadecimal".to_owned()));
        }
        if line.entry < 1 {
            return Err(Some("entries count from 1".to_owned()));
        }
        if line.time.parse::<Timestamp>().is_err() {
            return Err(Some("time is no date and time as RFC 3339 has it".to_owned()));
        }
        Ok(line)
    }
}

fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnchorFile {
    /// Each with its number in the file, from 1.
    lines: Vec<(usize, AnchorLine)>,
    /// Lines of which only the beginning is there: their writer was killed.
    unfinished: usize,
}

/// A line of an anchor file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoLine {
    /// Its number, from 1.
    pub line: usize,
    pub why: String,
}

/// The outcome of comparing a log with an anchor file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnchorComparison {
    /// Lines of this run.
    pub lines: usize,
    /// The last entry of the log that has a line, and the number of entries.
    pub up_to: (i64, usize),
    pub others: usize,
    /// Lines of which only the beginning is there.
    pub unfinished: usize,
}

impl AnchorFile {
    /// Reads the text of an anchor file. Empty lines are skipped.
    ///
    /// # Errors
    /// The first line that cannot be read.
    pub fn read(text: &str) -> Result<Self, NoLine> {
        let mut file = Self::default();
        for (number, text) in (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty()) {
            match AnchorLine::read(text) {
                Ok(line) => file.lines.push((number, line)),
                Err(None) => file.unfinished += 1,
                Err(Some(why)) => return Err(NoLine { line: number, why }),
            }
        }
        Ok(file)
    }

    /// Compares a log with every line of its run; `hashes` are those of the log's entries, in order.
    ///
    /// # Errors
    /// The meaning of the first difference.
    pub fn compare(&self, hashes: &[&str]) -> Result<AnchorComparison, String> {
        let run = hashes.first().copied().unwrap_or_default();
        let (own, others): (Vec<_>, Vec<_>) = self.lines.iter().partition(|(_, line)| line.run == run);
        if own.is_empty() {
            return Err(format!(
                "no line belongs to this run, whose first entry has the hash {run} ({} to other runs): the log was rewritten from \
                 its first entry on, or these are the lines of another run",
                count::of(others.len(), "line belongs", "lines belong")
            ));
        }
        for (number, line) in &own {
            let AnchorLine { entry, hash, time, .. } = line;
            let there = usize::try_from(*entry - 1).ok().and_then(|index| hashes.get(index));
            match there {
                None => {
                    return Err(format!(
                        "line {number}: on {time} the log had {}, and has {} now: it was cut off, or an older copy is in \
                         its place",
                        count::of(*entry, "entry", "entries"),
                        hashes.len()
                    ));
                }
                Some(there) if there != hash => {
                    return Err(format!(
                        "line {number}: on {time} entry {entry} had the hash {hash}, and has {there} now: the log was \
                         rewritten after that time"
                    ));
                }
                Some(_) => {}
            }
        }
        let last = own.iter().map(|(_, line)| line.entry).max().unwrap_or(0);
        Ok(AnchorComparison {
            lines: own.len(),
            up_to: (last, hashes.len()),
            others: others.len(),
            unfinished: self.unfinished,
        })
    }
}

impl AnchorComparison {
    /// A sentence on how far the log was compared, and what else was in the file.
    pub fn note(&self) -> String {
        let others = (self.others > 0).then(|| count::of(self.others, "line of another run", "lines of other runs"));
        let unfinished =
            (self.unfinished > 0).then(|| count::of(self.unfinished, "unfinished line", "unfinished lines"));
        let all: Vec<String> = others.into_iter().chain(unfinished).collect();
        let (last, entries) = self.up_to;
        let beside = match all.is_empty() {
            true => String::new(),
            false => format!("; not compared: {}", all.join(", ")),
        };
        format!("up to entry {last} of {entries}{beside}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASHES: [char; 3] = ['a', 'b', 'c'];

    fn hash(of: char) -> String {
        of.to_string().repeat(64)
    }

    fn line(run: char, entry: i64, of: char) -> String {
        AnchorLine {
            run: hash(run),
            entry,
            hash: hash(of),
            time: "2026-11-23T20:00:00Z".to_owned(),
        }
        .json()
    }

    fn compare(text: &str) -> Result<AnchorComparison, String> {
        let hashes = HASHES.map(hash);
        let hashes: Vec<&str> = hashes.iter().map(String::as_str).collect();
        AnchorFile::read(text).expect("lines").compare(&hashes)
    }

    #[test]
    fn a_log_that_has_grown_agrees() {
        let text = [line('a', 1, 'a'), line('d', 9, 'd'), String::new(), line('a', 2, 'b')].join("\n");
        let compared = compare(&text).expect("it agrees");
        assert_eq!((compared.lines, compared.others, compared.unfinished), (2, 1, 0));
        assert_eq!(
            compared.note(),
            "up to entry 2 of 3; not compared: 1 line of another run"
        );
    }

    #[test]
    fn a_line_that_was_not_finished_is_told_wherever_it_stands() {
        let (whole, torn) = (line('a', 1, 'a'), line('a', 2, 'b'));
        for length in 1..torn.len() {
            for text in [
                format!("{whole}\n{}", &torn[..length]),
                format!("{}\n{whole}\n", &torn[..length]),
            ] {
                let compared = compare(&text).expect("it agrees");
                assert_eq!((compared.lines, compared.unfinished), (1, 1), "{text}");
            }
        }
    }

    #[test]
    fn what_differs_is_said_with_its_meaning() {
        let said = |text: &str| compare(text).expect_err("it differs");
        assert!(
            said(&line('a', 2, 'c')).contains("entry 2 had the hash cccc"),
            "{}",
            said(&line('a', 2, 'c'))
        );
        assert!(said(&line('a', 2, 'c')).contains("the log was rewritten after that time"));
        let cut = said(&line('a', 4, 'd'));
        assert!(
            cut.contains("the log had 4 entries, and has 3 now: it was cut off"),
            "{cut}"
        );
        let other = said(&line('d', 1, 'd'));
        assert!(
            other.contains("no line belongs to this run") && other.contains("(1 line belongs to other runs)"),
            "{other}"
        );
        assert!(said("").contains("no line belongs to this run"));
        // A line that agrees does not make up for one that does not.
        let both = [line('a', 1, 'a'), line('a', 3, 'd')].join("\n");
        assert!(said(&both).starts_with("line 2: "), "{}", said(&both));
    }

    #[test]
    fn what_is_no_line_is_refused_with_its_number() {
        for wrong in [
            "x".to_owned(),
            "{}".to_owned(),
            line('a', 1, 'a').replace("aaaa", "AAAA"),
            line('a', 0, 'a'),
            line('a', 1, 'a').replace("2026-11", "today"),
            line('a', 1, 'a').replace('}', ",\"x\":1}"),
            line('a', 1, 'a') + "x",
        ] {
            let text = format!("{}\n{wrong}\n", line('a', 1, 'a'));
            assert_eq!(AnchorFile::read(&text).expect_err(&wrong).line, 2, "{wrong}");
        }
    }
}
