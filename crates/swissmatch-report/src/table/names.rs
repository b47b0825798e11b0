//! Names cut to a width, so that each can still be told from all others.
//!
//! May not: know where they stand.

use std::collections::{BTreeMap, BTreeSet};

use unicode_width::UnicodeWidthStr as _;

/// Stands for the part of a name that is left out.
const LEFT_OUT: &str = "…";
/// Least width of the beginning that is kept, in columns.
const LEAST_HEAD: usize = 2;

/// Every name with a form of at most `most` columns of a terminal: unchanged if it fits, otherwise cut at its end, or, if another name
/// would look the same, so that the difference is seen. All forms differ.
///
/// A width of less than four columns may be too small for that, and is exceeded.
pub(super) fn shortened<'a>(names: impl IntoIterator<Item = &'a str>, most: usize) -> BTreeMap<&'a str, String> {
    let names: BTreeSet<&str> = names.into_iter().collect();
    let (short, mut long): (Vec<&str>, Vec<&str>) = names.iter().partition(|name| name.width() <= most);
    let mut shown: BTreeMap<&str, String> = short.into_iter().map(|name| (name, name.to_owned())).collect();
    let mut taken: BTreeSet<String> = shown.values().cloned().collect();
    let room = most.saturating_sub(LEFT_OUT.width());
    for tail in [0, room / 3, room / 2, room.saturating_sub(LEAST_HEAD)] {
        settle(&mut long, &mut shown, &mut taken, |name| with_ends(name, room, tail));
    }
    settle(&mut long, &mut shown, &mut taken, |name| {
        with_difference(name, &names, room)
    });
    for name in long {
        let numbered = (1..).map(|number: usize| {
            let number = number.to_string();
            head(name, room.saturating_sub(number.len())) + LEFT_OUT + &number
        });
        let free = numbered.into_iter().find(|cut| !taken.contains(cut));
        let free = free.expect("numbers do not end");
        taken.insert(free.clone());
        shown.insert(name, free);
    }
    shown
}

/// Moves names out of `long` whose form, cut in this way, is unique.
fn settle<'a>(
    long: &mut Vec<&'a str>,
    shown: &mut BTreeMap<&'a str, String>,
    taken: &mut BTreeSet<String>,
    cut: impl Fn(&str) -> String,
) {
    let cuts: Vec<(&str, String)> = long.iter().map(|name| (*name, cut(name))).collect();
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, cut) in &cuts {
        *times.entry(cut).or_default() += 1;
    }
    let is_alone: Vec<bool> = cuts
        .iter()
        .map(|(_, cut)| times[cut.as_str()] == 1 && !taken.contains(cut))
        .collect();
    long.clear();
    for ((name, cut), is_alone) in cuts.into_iter().zip(is_alone) {
        if is_alone {
            taken.insert(cut.clone());
            shown.insert(name, cut);
        } else {
            long.push(name);
        }
    }
}

/// The beginning, and `tail` columns of the end.
fn with_ends(name: &str, room: usize, tail: usize) -> String {
    head(name, room - tail) + LEFT_OUT + end(name, tail)
}

/// The beginning, and the part from where the name differs from the one most like it.
fn with_difference(name: &str, names: &BTreeSet<&str>, room: usize) -> String {
    let others = names.iter().filter(|other| **other != name);
    let differs_at = others.map(|other| common(name, other)).max().unwrap_or(0);
    let rest = &name[differs_at..];
    let room = room.saturating_sub(LEAST_HEAD);
    let rest = match rest.width() <= room {
        true => rest.to_owned(),
        false => head(rest, room.saturating_sub(LEFT_OUT.width())) + LEFT_OUT,
    };
    head(name, LEAST_HEAD) + LEFT_OUT + &rest
}

/// Bytes at the beginning that two texts share, in whole characters.
fn common(one: &str, other: &str) -> usize {
    let same = one.chars().zip(other.chars()).take_while(|(one, other)| one == other);
    same.map(|(c, _)| c.len_utf8()).sum()
}

/// As much of the beginning as fits into `room` columns, without blanks at its end.
fn head(text: &str, room: usize) -> String {
    let ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
    let fits = ends.take_while(|&end| text[..end].width() <= room).last();
    text[..fits.unwrap_or(0)].trim_end().to_owned()
}

/// As much of the end as fits into `room` columns, without leading blanks or marks that belong to what is left out.
fn end(text: &str, room: usize) -> &str {
    let starts = text.char_indices().map(|(at, _)| at).rev();
    let fits = starts.take_while(|&start| text[start..].width() <= room).last();
    let end = &text[fits.unwrap_or(text.len())..];
    let mark = |c: char| c.is_whitespace() || c.encode_utf8(&mut [0; 4]).width() == 0;
    end.trim_start_matches(mark)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cut(names: &[&str], most: usize) -> Vec<String> {
        let shown = shortened(names.iter().copied(), most);
        names.iter().map(|name| shown[name].clone()).collect()
    }

    #[test]
    fn what_fits_stays() {
        assert_eq!(cut(&["Codfish", "棋棋棋棋"], 8), ["Codfish", "棋棋棋棋"]);
    }

    #[test]
    fn a_name_that_nobody_shares_is_cut_at_its_end() {
        assert_eq!(cut(&["Deep Thoughtless", "Codfish"], 8), ["Deep Th…", "Codfish"]);
        assert_eq!(cut(&["Deep Thoughtless"], 6), ["Deep…"]);
        assert_eq!(cut(&["棋棋棋棋棋"], 8), ["棋棋棋…"]);
    }

    #[test]
    fn a_difference_is_seen_wherever_it_is() {
        assert_eq!(
            cut(&["Codfish 17 alpha", "Codfish 17 beta", "Codfish 17"], 8),
            ["Codfi…ha", "Codfi…ta", "Codfi…17"]
        );
        let middle = ["Codfish one of the sea", "Codfish two of the sea"];
        assert_eq!(cut(&middle, 8), ["Co…one…", "Co…two…"]);
        assert_eq!(cut(&["Codfish-engine", "Codfish-ENGINE"], 8), ["Codfi…ne", "Codfi…NE"]);
        assert_eq!(cut(&["棋棋棋棋棋一", "棋棋棋棋棋二"], 8), ["棋棋…一", "棋棋…二"]);
        // A name that equals the cut form of another.
        assert_eq!(cut(&["Codfish…", "Codfish of the sea"], 8), ["Codfish…", "Codfi…ea"]);
    }

    proptest! {
        #[test]
        fn no_two_look_the_same_and_none_is_too_wide(
            names in prop::collection::btree_set("[ab棋é ]{1,14}[a-c]{0,2}", 1..30), most in 6_usize..16
        ) {
            let shown = shortened(names.iter().map(String::as_str), most);
            let different: BTreeSet<&String> = shown.values().collect();
            prop_assert_eq!(different.len(), names.len());
            for cut in shown.values() {
                prop_assert!(cut.width() <= most, "{}", cut);
            }
        }
    }
}
