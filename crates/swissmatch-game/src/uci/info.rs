//! `info` lines: which of them are about the move being searched, and what they say of it.
//!
//! Fields come in any order and either case. May not: decide what a number is worth; keep anything.

use super::{is, word, words};
use crate::eval::Eval;

/// What an `info` line has for the first line of the search; if several apply, the later variant counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum InfoKind {
    /// The line is about another line of the search or the move looked at, or is a text for people.
    Other,
    /// Fields that are recorded, but no score.
    Details,
    /// A score that cannot be read.
    BadScore,
    Score,
}

/// The kind of an `info` line; `fields` is what follows that word.
pub(super) fn kind(fields: &[u8]) -> InfoKind {
    let mut kind = InfoKind::Other;
    let mut fields = words(fields);
    while let Some(field) = fields.next() {
        match field.len() {
            2 if is(field, b"pv") => {
                if kind == InfoKind::Score {
                    break;
                }
                kind = kind.max(InfoKind::Details);
            }
            3 if is(field, b"nps") => kind = kind.max(InfoKind::Details),
            4 if is(field, b"time") => kind = kind.max(InfoKind::Details),
            5 if is(field, b"score") && has_number(fields.clone()) => kind = InfoKind::Score,
            5 if is(field, b"score") => kind = kind.max(InfoKind::BadScore),
            5 if is(field, b"depth") || is(field, b"nodes") => kind = kind.max(InfoKind::Details),
            6 if is(field, b"string") => break,
            6 if is(field, b"tbhits") => kind = kind.max(InfoKind::Details),
            7 if is(field, b"multipv") && fields.next().is_some_and(|line| line != b"1") => return InfoKind::Other,
            8 if is(field, b"seldepth") || is(field, b"hashfull") => kind = kind.max(InfoKind::Details),
            8 if is(field, b"currmove") || is(field, b"currline") => return InfoKind::Other,
            10 if is(field, b"refutation") => return InfoKind::Other,
            _ => {}
        }
    }
    kind
}

/// True if the words after `score` are a score.
fn has_number<'a>(mut words: impl Iterator<Item = &'a [u8]>) -> bool {
    let is_unit = words.next().is_some_and(|unit| is(unit, b"cp") || is(unit, b"mate"));
    is_unit && words.next().and_then(number::<i32>).is_some()
}

fn number<T: std::str::FromStr>(word: &[u8]) -> Option<T> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// An engine's figures for the move that it gave. A field whose value is not a number of its kind is left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Info<'a> {
    /// From the engine's side.
    pub eval: Option<Eval>,
    /// True if the evaluation is marked as a lower or upper bound.
    pub is_bound: bool,
    /// `depth`, plies
    pub depth: Option<u32>,
    /// `seldepth`, plies
    pub seldepth: Option<u32>,
    /// `nodes`
    pub nodes: Option<u64>,
    /// `nps`, nodes per second
    pub nps: Option<u64>,
    /// `hashfull`, thousandths
    pub hashfull: Option<u32>,
    /// `tbhits`
    pub tbhits: Option<u64>,
    /// `time`, milliseconds
    pub time_ms: Option<u64>,
    /// The words after `pv`; the first that does not look like a move is to be ignored, with all after it.
    pub pv: &'a [u8],
    /// The first field whose value is not a number of its kind: its name, and the text in place of the value.
    pub odd: Option<(&'static str, &'a [u8])>,
}

pub fn read_info(line: &[u8]) -> Info<'_> {
    let mut info = Info::default();
    let mut rest = line;
    loop {
        let (field, after) = word(rest);
        rest = after;
        match field.len() {
            0 => return info,
            2 if is(field, b"pv") => {
                info.pv = rest;
                // Fields may follow; none of their names is a move.
                while is_move(word(rest).0) {
                    rest = word(rest).1;
                }
            }
            3 if is(field, b"nps") => info.nps = info.number("nps", &mut rest),
            4 if is(field, b"time") => info.time_ms = info.number("time", &mut rest),
            5 if is(field, b"depth") => info.depth = info.number("depth", &mut rest),
            5 if is(field, b"nodes") => info.nodes = info.number("nodes", &mut rest),
            5 if is(field, b"score") => {
                let (unit, value) = word(rest);
                info.eval = if is(unit, b"cp") {
                    rest = value;
                    info.number("score cp", &mut rest).map(Eval::Centipawns)
                } else if is(unit, b"mate") {
                    rest = value;
                    info.number("score mate", &mut rest).map(Eval::Mate)
                } else {
                    info.odd = info.odd.or(Some(("score", unit)));
                    None
                };
            }
            6 if is(field, b"string") => return info,
            6 if is(field, b"tbhits") => info.tbhits = info.number("tbhits", &mut rest),
            8 if is(field, b"seldepth") => info.seldepth = info.number("seldepth", &mut rest),
            8 if is(field, b"hashfull") => info.hashfull = info.number("hashfull", &mut rest),
            10 if is(field, b"lowerbound") || is(field, b"upperbound") => info.is_bound = true,
            _ => {}
        }
    }
}

impl<'a> Info<'a> {
    /// Takes the word after a field, if it is a number of the field's kind; otherwise it may itself be a field.
    fn number<T: std::str::FromStr>(&mut self, field: &'static str, rest: &mut &'a [u8]) -> Option<T> {
        let (text, after) = word(rest);
        let number = number(text);
        if number.is_some() {
            *rest = after;
        } else {
            self.odd = self.odd.or(Some((field, text)));
        }
        number
    }

    /// Only the numbers, none of which is borrowed.
    pub const fn numbers(&self) -> Info<'static> {
        Info {
            eval: self.eval,
            is_bound: self.is_bound,
            depth: self.depth,
            seldepth: self.seldepth,
            nodes: self.nodes,
            nps: self.nps,
            hashfull: self.hashfull,
            tbhits: self.tbhits,
            time_ms: self.time_ms,
            pv: b"",
            odd: None,
        }
    }

    /// Fills from `other` what is missing here.
    pub(crate) fn fill(&mut self, other: &Self) {
        if self.eval.is_none() {
            (self.eval, self.is_bound) = (other.eval, other.is_bound);
        }
        self.depth = self.depth.or(other.depth);
        self.seldepth = self.seldepth.or(other.seldepth);
        self.nodes = self.nodes.or(other.nodes);
        self.nps = self.nps.or(other.nps);
        self.hashfull = self.hashfull.or(other.hashfull);
        self.tbhits = self.tbhits.or(other.tbhits);
        self.time_ms = self.time_ms.or(other.time_ms);
        if self.pv.is_empty() {
            self.pv = other.pv;
        }
    }

    /// Takes the counts of `later`, which go on after a score; not the depth, which may be of a search not finished.
    pub(crate) fn count_on(&mut self, later: &Self) {
        self.nodes = later.nodes.or(self.nodes);
        self.nps = later.nps.or(self.nps);
        self.hashfull = later.hashfull.or(self.hashfull);
        self.tbhits = later.tbhits.or(self.tbhits);
        self.time_ms = later.time_ms.or(self.time_ms);
    }
}

/// The moves of a variation as they were given, in lower case, up to the first word that does not look like a move.
pub fn variation(words_of_it: &[u8]) -> impl Iterator<Item = [u8; 5]> {
    words(words_of_it).take_while(|word| is_move(word)).map(|word| {
        let mut lower = [b' '; 5];
        lower[..word.len()].copy_from_slice(word);
        lower.make_ascii_lowercase();
        lower
    })
}

/// True if a word has the form of a move: two squares and perhaps a piece; or the null move.
fn is_move(word: &[u8]) -> bool {
    let is_square = |file: u8, rank: u8| matches!(file | 0x20, b'a'..=b'h') && matches!(rank, b'1'..=b'8');
    match *word {
        [a, b, c, d] => is_square(a, b) && is_square(c, d) || word == b"0000",
        [a, b, c, d, piece] => is_square(a, b) && is_square(c, d) && matches!(piece | 0x20, b'q' | b'r' | b'b' | b'n'),
        _ => false,
    }
}
