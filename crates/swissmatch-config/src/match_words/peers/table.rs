//! Every option of fastchess and of cutechess-cli with its words: how it is honoured, or what to use instead.
//!
//! `options.txt` is the one list behind reading, refusals and docs/match.md: a row a line. May not: read a word.

use std::sync::LazyLock;

/// The programs that have an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peers {
    Fastchess,
    Cutechess,
    Both,
}

impl Peers {
    /// The name in a table.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fastchess => "fastchess",
            Self::Cutechess => "cutechess-cli",
            Self::Both => "both",
        }
    }
}

/// The treatment of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// It is carried out: by which key, or by what.
    Honoured(&'static str),
    /// It is refused: why, and what to use instead.
    Refused(&'static str, &'static str),
}

/// What follows an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Bare,
    /// One word.
    One,
    /// Any number of words.
    Words,
    /// `KEY=VALUE` words; the table names those without `=` as they are.
    Pairs,
}

/// One option, one of its words, or one case of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionRow {
    /// Such as `-draw`.
    pub option: &'static str,
    /// The word behind it, such as `score=N`; may be empty.
    pub word: &'static str,
    pub peers: Peers,
    pub how: How,
    /// Whether it is a case that depends on other words or on a value, and has no word of its own.
    pub is_case: bool,
}

impl OptionRow {
    /// Its key with the `=`, or the whole word if it has none.
    pub(crate) fn key(&self) -> &'static str {
        self.word.split_inclusive('=').next().unwrap_or_default()
    }
}

static ROWS: LazyLock<Vec<OptionRow>> = LazyLock::new(|| {
    let rows = include_str!("options.txt").lines();
    rows.map(|line| row(line).unwrap_or_else(|| panic!("no row: {line}")))
        .collect()
});

/// A row: option, word, programs, treatment, then how it is done, or why not and what to use instead.
fn row(line: &'static str) -> Option<OptionRow> {
    let cells: Vec<&str> = line.split(" | ").collect();
    let [option, word, whose, fate, ref said @ ..] = cells[..] else {
        return None;
    };
    let all = [Peers::Fastchess, Peers::Cutechess, Peers::Both];
    Some(OptionRow {
        option,
        word,
        peers: all.into_iter().find(|peers| peers.name() == whose)?,
        how: match (fate, said) {
            ("honoured", &[how]) => How::Honoured(how),
            ("refused" | "case", &[why, instead]) => How::Refused(why, instead),
            _ => return None,
        },
        is_case: fate == "case",
    })
}

/// All rows, option by option.
pub fn rows() -> impl Iterator<Item = &'static OptionRow> {
    ROWS.iter()
}

/// The rows of an option by which words are recognized.
pub(super) fn of_option(option: &str) -> impl Iterator<Item = &'static OptionRow> {
    // Whatever holds for one engine holds for each.
    let option = if option == "-each" { "-engine" } else { option };
    rows().filter(move |row| !row.is_case && row.option == option)
}

/// A case of an option, by the beginning of its word.
pub(super) fn case_of(option: &str, word: &str) -> &'static OptionRow {
    let is_it = |row: &&OptionRow| row.is_case && row.option == option && row.word.starts_with(word);
    rows().find(is_it).expect("a case that the table has")
}

/// What follows an option; `None` if neither program has it.
pub(super) fn style(option: &str) -> Option<Style> {
    let pairs = [
        "-engine",
        "-each",
        "-draw",
        "-resign",
        "-sprt",
        "-openings",
        "-quick",
        "-log",
        "-config",
        "-report",
        "-output",
        "-crc32",
        "-pgnout",
        "-epdout",
    ];
    let words = [
        "-repeat",
        "-event",
        "-site",
        "-use-affinity",
        "-debug",
        "--compliance",
        "-bookmode",
    ];
    if pairs.contains(&option) {
        return Some(Style::Pairs);
    }
    if words.contains(&option) {
        return Some(Style::Words);
    }
    let row = of_option(option).next()?;
    Some(if row.word.is_empty() { Style::Bare } else { Style::One })
}
