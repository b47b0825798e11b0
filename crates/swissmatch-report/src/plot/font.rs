//! The font by which texts are measured: DejaVu Sans 2.37, whose advance widths are in `widths.txt`.
//!
//! A viewer that lacks it takes Verdana, which is as wide, or another sans serif, most of which are narrower.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use swiss_system::text::harmless;

/// The fonts that an SVG asks for.
pub(super) const FAMILIES: &str = "DejaVu Sans, Verdana, Arial, Helvetica, sans-serif";
/// Width of a character that the font lacks, in em: most of those are East Asian or pictures.
const FOREIGN: f64 = 1.1;

/// The share of the room for the beginning of a name that differs from others only late.
const BEGINNING: f64 = 0.4;

/// First and last character (hexadecimal) and their width in units of an em, separated by commas and line ends.
const TABLE: &str = include_str!("widths.txt");
/// Units of an em in [`TABLE`].
const UNITS: f64 = 2048.0;

/// Neighbouring characters of equal width, in em.
struct WidthRange {
    first: u32,
    last: u32,
    em: f64,
}

static RUNS: LazyLock<Vec<WidthRange>> = LazyLock::new(|| {
    let run = |entry: &str| {
        let (chars, width) = entry.trim().split_once(' ')?;
        let (first, last) = chars.split_once('-').unwrap_or((chars, chars));
        let char = |hex| u32::from_str_radix(hex, 16).ok();
        Some(WidthRange {
            first: char(first)?,
            last: char(last)?,
            em: width.parse::<f64>().ok()? / UNITS,
        })
    };
    let runs: Option<Vec<WidthRange>> = TABLE.trim_end().split([',', '\n']).map(run).collect();
    runs.expect("the table of widths")
});

/// The width of a text at this size, both in px, without kerning.
pub(super) fn width(text: &str, size: f64) -> f64 {
    let em = |c: char| {
        let c = u32::from(c);
        let run = RUNS.partition_point(|run| run.last < c);
        RUNS.get(run).filter(|run| run.first <= c).map_or(FOREIGN, |run| run.em)
    };
    text.chars().map(em).sum::<f64>() * size
}

/// The text, harmless and at most `room` px wide at this size: its beginning and `…` where it is longer.
pub(super) fn fitted(text: &str, size: f64, room: f64) -> String {
    cut(text, size, room, 0.0, "")
}

/// Names, each as by [`fitted`], but no two different ones look alike. Those that would keep more of the end, or what comes where they
/// differ; if that does not help they are numbered.
pub(super) fn names<'a>(names: impl IntoIterator<Item = &'a str>, size: f64, room: f64) -> Vec<String> {
    let names: Vec<&str> = names.into_iter().collect();
    let mut shown: Vec<String> = names.iter().map(|name| fitted(name, size, room)).collect();
    for tail in [1.0 / 3.0, 3.0 / 4.0] {
        for nr in alike(&names, &shown) {
            shown[nr] = cut(names[nr], size, room, tail, "");
        }
    }
    let still = alike(&names, &shown);
    let same = common_beginning(still.iter().map(|nr| names[*nr]));
    for nr in still {
        let beginning = cut(names[nr], size, room * BEGINNING, 0.0, "");
        let difference = harmless(names[nr])
            .chars()
            .skip(same.saturating_sub(2))
            .collect::<String>();
        let difference = fitted(&difference, size, room - width(&beginning, size));
        shown[nr] = beginning + &difference;
    }
    for nr in alike(&names, &shown) {
        let number = format!("({})", nr + 1);
        shown[nr] = cut(&format!("{}{number}", names[nr]), size, room, 0.0, &number);
    }
    shown
}

/// The text in lines of at most `room` px at this size; a longer word is shortened.
pub(super) fn lines(text: &str, size: f64, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in harmless(text).split(' ').filter(|word| !word.is_empty()) {
        if let Some(line) = lines.last_mut() {
            let longer = format!("{line} {word}");
            if width(&longer, size) <= room {
                *line = longer;
                continue;
            }
        }
        lines.push(fitted(word, size, room));
    }
    lines
}

/// How many characters at the beginning are the same in all of these.
fn common_beginning<'a>(names: impl Iterator<Item = &'a str>) -> usize {
    let mut names = names.map(|name| harmless(name).chars().collect::<Vec<char>>());
    let first = names.next().unwrap_or_default();
    names.fold(first.len(), |same, name| {
        let pairs = first[..same].iter().zip(&name);
        pairs.take_while(|(a, b)| a == b).count()
    })
}

/// The numbers of names that are shown like another name.
fn alike(names: &[&str], shown: &[String]) -> Vec<usize> {
    let mut by_shown: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (name, shown) in names.iter().zip(shown) {
        by_shown.entry(shown).or_default().insert(name);
    }
    let is_alike = |nr: &usize| by_shown[shown[*nr].as_str()].len() > 1;
    (0..names.len()).filter(is_alike).collect()
}

/// The text, harmless. If it does not fit it becomes its beginning, `…`, a share `tail` of the room from its end, and `end`.
fn cut(text: &str, size: f64, room: f64, tail: f64, end: &str) -> String {
    /// Longer texts are cut first, so that measuring stays fast.
    const LONGEST: usize = 1000;
    let chars: Vec<char> = harmless(text).chars().take(LONGEST).collect();
    let whole: String = chars.iter().collect();
    if width(&whole, size) <= room {
        return whole;
    }
    let short = |kept: usize| -> String {
        let last = (kept as f64 * tail) as usize;
        let (first, last) = (&chars[..kept - last], &chars[chars.len() - last..]);
        let kept = first.iter().chain(['…'].iter()).chain(last);
        kept.copied().chain(end.chars()).collect()
    };
    let mut fitting = (0..chars.len())
        .rev()
        .map(short)
        .filter(|short| width(short, size) <= room);
    fitting.next().unwrap_or_else(|| "…".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order_and_measures() {
        assert!(RUNS.iter().all(|run| run.first <= run.last));
        assert!(RUNS.windows(2).all(|two| two[0].last < two[1].first));
        // Figures of DejaVu Sans are 1303 of 2048 units wide.
        assert!((width("0123456789", 10.0) - 100.0 * 1303.0 / 2048.0).abs() < 1e-3);
        assert_eq!(width("é", 2048.0), 1260.0);
        assert!(width("iii", 10.0) < width("WWW", 10.0));
        assert_eq!(width("", 10.0), 0.0);
        assert!(width("象棋", 10.0) >= 20.0);
    }

    #[test]
    fn a_long_text_is_shortened_to_its_room() {
        assert_eq!(fitted("short", 12.0, 100.0), "short");
        let name = fitted("a very long name of an agent", 12.0, 80.0);
        assert!(name.ends_with('…') && width(&name, 12.0) <= 80.0, "{name}");
        assert!(width(&fitted("a very long name of an agent", 12.0, 80.0), 12.0) > 60.0);
        assert_eq!(fitted("abc", 12.0, 0.0), "…");
        assert_eq!(fitted("a\u{7}\u{202e}b", 12.0, 80.0), "ab");
    }

    #[test]
    fn no_two_names_are_shown_alike() {
        let long = |end: &str| format!("{}{end}", "an agent with a long name ".repeat(4));
        let shown = |given: &[String]| names(given.iter().map(String::as_str), 12.0, 120.0);
        let [one, two, three, four] = [long("1"), long("2"), long("1"), "short".to_owned()];
        let ends = shown(&[one.clone(), two, three, four]);
        assert!(
            ends[0].ends_with('1') && ends[1].ends_with('2') && ends[0] == ends[2],
            "{ends:?}"
        );
        assert_eq!(ends[3], "short");
        let inside = shown(&[format!("{one}A{one}"), format!("{one}B{one}")]);
        assert!(inside[0].contains('A') && inside[1].contains('B'), "{inside:?}");
        let twice = ["AC", "AD", "BC", "BD"].map(|at| {
            let (first, second) = at.split_at(1);
            format!("{one}{first}{one}{second}{one}")
        });
        let numbered = shown(&twice);
        assert!(
            numbered[0].ends_with("…(1)") && numbered[3].ends_with("…(4)"),
            "{numbered:?}"
        );
        assert!(ends.iter().chain(&inside).all(|name| width(name, 12.0) <= 120.0));
    }

    #[test]
    fn lines_break_between_words() {
        let lines = lines("one two  three four", 10.0, width("three four", 10.0));
        assert_eq!(lines, ["one two", "three four"]);
    }
}
