//! The kind of tournament that a file declares: record 192, a code, and 092, words or a code.
//!
//! Codes are those of the table of tournament types that belongs to TRF26 (ETT26), whatever their case: `FIDE_DUTCH_2025_BAKU`,
//! `BERGER_ROUNDROBIN_G2`, `CUSTOM_SWISS`. FIDE's sample of the format has one in 092, with dashes.
//!
//! May not: know rules of pairing or of tie-breaks.

use super::record::Header;
use super::tournament::Tournament;

/// The prefixes of codes.
const CODES: [&str; 3] = ["FIDE_", "BERGER_", "CUSTOM_"];
const DUTCH: &str = "FIDE_DUTCH";
const BAKU: &str = "BAKU";
/// Names of a Swiss in programs of several languages; here and below in small letters without anything between.
const SWISS: [&str; 7] = [
    "swiss",
    "schweizer",
    "suisse",
    "suizo",
    "svizzero",
    "zwitsers",
    "szwajcarski",
];
/// Swiss systems other than the Dutch one.
const OTHER_SWISS: [&str; 7] = [
    "burstein",
    "dubov",
    "doubleswiss",
    "monrad",
    "keizer",
    "mcmahon",
    "macmahon",
];
/// "Round robins and other tournaments with pre-determined pairings" (C.07 art. 15.2).
const PREDETERMINED: [&str; 9] = [
    "roundrobin",
    "allplayall",
    "scheveningen",
    "schiller",
    "rundenturnier",
    "jedergegenjeden",
    "toutesrondes",
    "todoscontratodos",
    "allitaliana",
];
/// Formats that are neither a Swiss nor a table of pairings for all.
const NEITHER: [&str; 4] = ["knockout", "kosystem", "elimination", "gauntlet"];

impl Tournament {
    /// The record, and its text, if a file names a system other than the Dutch one: record 192, or 092 if that is
    /// missing.
    pub fn other_system(&self) -> Option<(&'static str, &str)> {
        let (header, text) = [Header::TypeCode, Header::Type]
            .into_iter()
            .find_map(|header| Some((header, self.said(header)?)))?;
        let is_other = match code(header, text) {
            Some(code) => words_after_dutch(&code).is_none(),
            None => names_other_system(text),
        };
        is_other.then_some((header.code(), text))
    }

    /// The words that follow `FIDE_DUTCH` in a record, the one of 192 before that of 092.
    pub(crate) fn dutch_words(&self) -> impl Iterator<Item = (Header, String)> {
        let codes = [Header::TypeCode, Header::Type].into_iter().filter_map(|header| {
            let code = code(header, self.said(header)?)?;
            Some((header, words_after_dutch(&code)?))
        });
        codes.flat_map(|(header, words)| words.into_iter().map(move |word| (header, word)))
    }

    /// True if a record names a system with Baku acceleration.
    pub(crate) fn is_baku(&self) -> bool {
        let mut codes = [Header::TypeCode, Header::Type]
            .into_iter()
            .filter_map(|header| code(header, self.said(header)?));
        codes.any(|code| code.rsplit('_').next() == Some(BAKU))
    }

    /// True if the pairings were fixed by a table, as record 192 or 092 says: "round robin and other pre-determined
    /// pairings" (C.07 art. 15.2).
    pub(crate) fn is_predetermined(&self) -> bool {
        let mut said = [Header::TypeCode, Header::Type]
            .into_iter()
            .filter_map(|header| self.said(header));
        said.any(|text| !has_one(text, &SWISS) && names_table(text))
    }

    /// The text of a record; `None` if it is empty.
    fn said(&self, header: Header) -> Option<&str> {
        self.header(header).map(str::trim).filter(|text| !text.is_empty())
    }
}

/// The code in a record, in capitals, with `_` between its words. 192 holds nothing else.
fn code(header: Header, text: &str) -> Option<String> {
    let first = text.split_whitespace().next()?;
    let code = first.to_ascii_uppercase().replace('-', "_");
    let is_code = header == Header::TypeCode || CODES.iter().any(|begin| code.starts_with(begin));
    is_code.then_some(code)
}

/// The words that follow the name in a code of the Dutch system; `None` for another code.
fn words_after_dutch(code: &str) -> Option<Vec<String>> {
    let rest = code.strip_prefix(DUTCH)?;
    let words = rest.split('_').filter(|word| !word.is_empty()).map(str::to_owned);
    (rest.is_empty() || rest.starts_with('_')).then(|| words.collect())
}

fn names_other_system(text: &str) -> bool {
    let has_lim = || words(text).any(|word| word == "lim");
    let is_other_swiss = has_one(text, &OTHER_SWISS) || has_lim();
    is_other_swiss || !has_one(text, &SWISS) && (names_table(text) || has_one(text, &NEITHER))
}

fn names_table(text: &str) -> bool {
    has_one(text, &PREDETERMINED) || words(text).any(|word| word.starts_with("berger"))
}

/// True if a text holds one of these, whatever stands between its letters.
fn has_one(text: &str, names: &[&str]) -> bool {
    let letters: String = words(text).collect();
    names.iter().any(|name| letters.contains(name))
}

/// The words of a text in small letters.
fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    let words = text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use crate::trf::read;

    #[test]
    fn systems_that_are_not_the_dutch_one() {
        let other = |head: &str| {
            let tournament = read(head.as_bytes()).expect("a file").tournament;
            tournament
                .other_system()
                .map(|(record, said)| format!("{record} {said}"))
        };
        for record in [
            "192 FIDE_BURSTEIN",
            "192 fide_burstein",
            "192 FIDE_BURSTEIN_BAKU",
            "192 FIDE_DUBOV",
            "192 FIDE_LIM",
            "192 FIDE_ROUNDROBIN",
            "192 BERGER_ROUNDROBIN_G2",
            "192 FIDE_DOUBLEROUNDROBIN",
            "192 CUSTOM_SWISS",
            "192 FIDE_DOUBLESWISS",
            "192 FIDE_TEAM",
            "192 FIDE_TEAM_TYPEA_MP_GP",
            "192 CUSTOM_KNOCKOUT",
            "192 FIDE_SCHEVENINGEN",
            "192 FIDE_SCHILLER_4x3",
            "192 FIDE_DUTCHESS",
            "092 FIDE_BURSTEIN",
            "092 FIDE-TEAM-BAKU",
            "092 Individual: Round-Robin",
            "092 Einzel: Rundenturnier",
            "092 Swiss system (Burstein)",
            "092 Swiss: Lim",
            "092 Double Swiss",
            "092 Berger tables",
            "092 Scheveningen",
            "092 Knock-out",
            "092 K.-o.-System",
        ] {
            assert_eq!(other(&format!("{record}\n")).as_deref(), Some(record));
        }
        for record in [
            "192 FIDE_DUTCH",
            "192 fide_dutch_2025",
            "192  Fide_Dutch_2026_Baku ",
            "192 FIDE_DUTCH_2017\n092 Individual: Round-Robin",
            "192\n092 Individual: Swiss-System",
            "092 FIDE_DUTCH_2025",
            "092 fide-dutch",
            "092 Schweizer System",
            "092 Swiss, ties by Sonneborn-Berger",
            "092 Open",
            "012 A",
        ] {
            assert_eq!(other(&format!("{record}\n")), None, "{record}");
        }
    }

    #[test]
    fn pairings_of_a_table() {
        let is_predetermined = |head: &str| {
            let tournament = read(format!("{head}\n").as_bytes()).expect("a file").tournament;
            tournament.is_predetermined()
        };
        for record in [
            "192 FIDE_ROUNDROBIN",
            "192 berger_roundrobin_g2",
            "192 FIDE_SCHEVENINGEN",
            "192 FIDE_DOUBLESCHEVENINGEN",
            "192 CUSTOM_SCHILLER",
            "192 FIDE_SCHILLER_4x3",
            "092 Rundenturnier",
            "092 Einzel: Doppelrundenturnier",
            "092 All-play-all",
            "092 Scheveningen system",
            "092 Girone all'italiana",
            "092 Berger",
        ] {
            assert!(is_predetermined(record), "{record}");
        }
        for record in [
            "192 FIDE_DUTCH_2026",
            "192 CUSTOM_KNOCKOUT",
            "092 Swiss-System, then Sonneborn-Berger",
            "092 Schweizer System, kein Rundenturnier",
            "092 Heidelberger Open",
            "012 Rundenturnier",
        ] {
            assert!(!is_predetermined(record), "{record}");
        }
    }
}
