//! Pairings that were altered by hand: the comments that Swiss managers write, `### MPA @ Round 1: 1-3 4-2 => 1-4 3-2`.
//!
//! May not: judge a pairing.

use super::record::Record;
use super::tournament::Tournament;

/// The beginning of the comment.
const COMMENT: &str = "### MPA @ Round ";
/// The word for no boards.
const NONE: &str = "none";

/// A round whose pairing was altered by hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alteration {
    /// The round, from 1.
    pub round: u32,
    /// The boards that the pairing system gives and that were not played: White and Black, or the player with the
    /// allocated bye.
    pub from: Vec<(u32, Option<u32>)>,
    /// The boards that were played instead.
    pub to: Vec<(u32, Option<u32>)>,
}

impl From<&Alteration> for Record {
    fn from(alteration: &Alteration) -> Self {
        let boards = |boards: &[(u32, Option<u32>)]| {
            let board = |&(white, black): &(u32, Option<u32>)| match black {
                Some(black) => format!("{white}-{black}"),
                None => format!("{white}=PAB"),
            };
            match boards {
                [] => NONE.to_owned(),
                boards => boards.iter().map(board).collect::<Vec<_>>().join(" "),
            }
        };
        let Alteration { round, from, to } = alteration;
        Self::Other(format!("{COMMENT}{round}: {} => {}", boards(from), boards(to)))
    }
}

impl Tournament {
    /// The rounds that the comments say were altered by hand. Comments of another form are left out.
    pub fn alterations(&self) -> impl Iterator<Item = Alteration> {
        self.records.iter().filter_map(|record| match record {
            Record::Other(line) => read(line),
            _ => None,
        })
    }
}

fn read(line: &str) -> Option<Alteration> {
    let (round, boards) = line.strip_prefix(COMMENT)?.split_once(':')?;
    let (from, to) = boards.split_once("=>")?;
    Some(Alteration {
        round: round.trim().parse().ok()?,
        from: read_boards(from)?,
        to: read_boards(to)?,
    })
}

/// Boards with blanks or commas between them.
fn read_boards(text: &str) -> Option<Vec<(u32, Option<u32>)>> {
    let words = text.split([' ', ',']).filter(|word| !word.is_empty() && *word != NONE);
    let board = |word: &str| match word.split_once('=') {
        Some((player, "PAB")) => Some((player.parse().ok()?, None)),
        Some(_) => None,
        None => {
            let (white, black) = word.split_once('-')?;
            Some((white.parse().ok()?, Some(black.parse().ok()?)))
        }
    };
    words.map(board).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_is_read_as_it_was_written() {
        let of = |round, from: &[(u32, Option<u32>)], to: &[(u32, Option<u32>)]| Alteration {
            round,
            from: from.to_vec(),
            to: to.to_vec(),
        };
        for (line, alteration) in [
            (
                "### MPA @ Round 1: 1-3 4-2 => 1-4 3-2",
                of(1, &[(1, Some(3)), (4, Some(2))], &[(1, Some(4)), (3, Some(2))]),
            ),
            (
                "### MPA @ Round 12: 1-3 44=PAB => 44-3 1=PAB",
                of(12, &[(1, Some(3)), (44, None)], &[(44, Some(3)), (1, None)]),
            ),
            ("### MPA @ Round 2: none => 1-2", of(2, &[], &[(1, Some(2))])),
        ] {
            assert_eq!(Record::from(&alteration), Record::Other(line.to_owned()));
            assert_eq!(read(line), Some(alteration));
        }
        assert_eq!(
            read("### MPA @ Round 2: 1-2, 3-4 =>  1-3,2-4").map(|read| read.to),
            Some(vec![(1, Some(3)), (2, Some(4))])
        );
        for line in [
            "### MPA @ Round x: 1-2 => 2-1",
            "### MPA @ Round 2: 1-2",
            "### MPA @ Round 2: 1-2 => 2-?",
            "### MPA @ Round 2: 1=BYE => 2-1",
            "### 1-2 => 2-1",
        ] {
            assert_eq!(read(line), None, "{line}");
        }
    }
}
