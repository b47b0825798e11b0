//! What a play of the new build has that no play of the old one has, and the reverse. What differs between plays of the old one is
//! chance: of lines of such a kind nothing is said.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use crate::document::Documents;

/// Differing lines that are shown of a document.
const SHOWN: usize = 6;
/// How much of a line is shown.
const WIDTH: usize = 220;

/// In how many documents there are lines of a kind, and in how many of them chance made them.
#[derive(Default)]
pub(crate) struct Habits(HashMap<String, (usize, usize)>);

/// The lines of a text and how often there are they; those of JSON are its values with their paths.
type Lines = BTreeMap<String, usize>;

impl Habits {
    /// Learns from the plays of the old build.
    pub(crate) fn learn(&mut self, olds: &[Documents]) {
        for label in olds[0]
            .0
            .keys()
            .filter(|label| olds.iter().all(|old| old.0.contains_key(*label)))
        {
            let olds: Vec<Lines> = olds.iter().map(|old| lines(&old.0[label])).collect();
            let kinds = |lines: &Lines| lines.keys().map(|line| kind(line)).collect::<BTreeSet<_>>();
            let noisy = noisy(&olds);
            for kind in olds.iter().flat_map(kinds).collect::<BTreeSet<_>>() {
                let (_, chance) = self
                    .0
                    .entry(kind.clone())
                    .and_modify(|(all, _)| *all += 1)
                    .or_insert((1, 0));
                *chance += usize::from(noisy.contains(&kind));
            }
        }
    }

    /// Whether chance makes lines of a kind as a rule.
    fn is_chance(&self, kind: &str) -> bool {
        self.0
            .get(kind)
            .is_some_and(|(all, chance)| *all >= 2 && chance * 5 >= *all)
    }
}

/// What differs, by document: lines with `-` of the old build, with `+` of the new one.
pub(crate) type Differences = BTreeMap<String, Vec<String>>;

/// How the documents of one test differ.
pub(crate) fn differences(olds: &[Documents], new: &Documents, habits: &Habits) -> Differences {
    let labels = |documents: &Documents| vec![documents.0.keys().cloned().collect::<Vec<_>>().join("\n")];
    let everywhere = |label: &&String| olds.iter().all(|documents| documents.0.contains_key(*label));
    let documents = new.0.keys().filter(everywhere).map(|label| {
        let olds = olds.iter().map(|old| old.0[label].clone()).collect::<Vec<_>>();
        (label.as_str(), differing(&olds, &new.0[label], habits))
    });
    let olds = olds.iter().map(labels).collect::<Vec<_>>();
    let kinds = ("(calls and files)", differing(&olds, &labels(new), habits));
    let all = std::iter::once(kinds)
        .chain(documents)
        .filter(|(_, lines)| !lines.is_empty());
    all.map(|(label, lines)| (label.to_owned(), lines)).collect()
}

/// What both have.
pub(crate) fn in_both(one: Differences, other: &Differences) -> Differences {
    let both = one.into_iter().filter_map(|(label, mut lines)| {
        let others = other.get(&label)?;
        lines.retain(|line| others.contains(line));
        (!lines.is_empty()).then_some((label, lines))
    });
    both.collect()
}

/// Prints what differs.
pub(crate) fn print(name: &str, found: &Differences) {
    for (label, lines) in found {
        println!("\n{name}: {label}");
        for line in lines.iter().take(SHOWN) {
            println!("  {}", line.chars().take(WIDTH).collect::<String>());
        }
        if lines.len() > SHOWN {
            println!("  … {} more", lines.len() - SHOWN);
        }
    }
}

/// The lines that differ, `-` of the old build and `+` of the new one.
fn differing(olds: &[Vec<String>], new: &Vec<String>, habits: &Habits) -> Vec<String> {
    if olds.contains(new) {
        return Vec::new();
    }
    let is_quiet = olds.iter().all(|old| *old == olds[0]);
    let (olds, new) = (olds.iter().map(|old| lines(old)).collect::<Vec<_>>(), lines(new));
    let noisy = noisy(&olds);
    let by_kind = |lines: &Lines| {
        let mut counts = BTreeMap::new();
        lines
            .iter()
            .for_each(|(line, times)| *counts.entry(kind(line)).or_insert(0) += times);
        counts
    };
    let (kinds_of_olds, kinds_of_new) = (olds.iter().map(by_kind).collect::<Vec<_>>(), by_kind(&new));
    let range = |counts: &[BTreeMap<String, usize>], of: &str| {
        let counts = counts.iter().map(|counts| counts.get(of).copied().unwrap_or(0));
        (counts.clone().min().unwrap_or(0), counts.max().unwrap_or(0))
    };
    let all: BTreeSet<&String> = olds.iter().flat_map(BTreeMap::keys).chain(new.keys()).collect();
    let mut found = Vec::new();
    for line in all {
        let (least, most) = range(&olds, line);
        let now = new.get(line).copied().unwrap_or(0);
        let kind = kind(line);
        if (least..=most).contains(&now) {
            continue;
        }
        if noisy.contains(&kind) || habits.is_chance(&kind) {
            // A kind that chance makes is there as often as it was, or it is not of chance alone.
            let (least, most) = range(&kinds_of_olds, &kind);
            let now = kinds_of_new.get(&kind).copied().unwrap_or(0);
            if (least > 0) == (now > 0) || (least == 0 && most > 0) {
                continue;
            }
        }
        found.push(format!("{} {line}", if now < least { '-' } else { '+' }));
    }
    if found.is_empty() && is_quiet && olds.iter().all(|old| *old == new) {
        found.push("the order of lines".to_owned());
    }
    found
}

/// The kinds of lines that plays of one build do not have alike.
fn noisy(olds: &[Lines]) -> BTreeSet<String> {
    let all = olds.iter().flat_map(BTreeMap::keys);
    let unlike = all.filter(|line| olds.iter().any(|old| old.get(*line) != olds[0].get(*line)));
    unlike.map(|line| kind(line)).collect()
}

/// What a line is like: the path of a value, or its text without numbers and hashes.
fn kind(line: &str) -> String {
    static NUMBERS: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\b[0-9a-f]{8,}\b|[+-]?\d+(\.\d+)?(e-?\d+)?").expect("a regular expression"));
    match line.split_once(" = ") {
        Some((path, _)) if path.starts_with('.') => path.to_owned(),
        _ => NUMBERS.replace_all(line, "#").into_owned(),
    }
}

fn lines(texts: &[String]) -> Lines {
    let mut found = Lines::new();
    for line in texts.iter().flat_map(|text| text.lines()) {
        match serde_json::from_str::<Value>(line) {
            Ok(value @ (Value::Object(_) | Value::Array(_))) => flatten(&value, String::new(), &mut found),
            // A page in one line.
            _ if line.len() > 500 => line
                .split([',', '>'])
                .for_each(|part| *found.entry(part.to_owned()).or_insert(0) += 1),
            _ => *found.entry(line.to_owned()).or_insert(0) += 1,
        }
    }
    found
}

fn flatten(value: &Value, path: String, found: &mut Lines) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            fields
                .iter()
                .for_each(|(name, value)| flatten(value, format!("{path}.{name}"), found));
        }
        Value::Array(items) if !items.is_empty() => {
            items.iter().for_each(|item| flatten(item, format!("{path}.[]"), found))
        }
        _ => *found.entry(format!("{path} = {value}")).or_insert(0) += 1,
    }
}
