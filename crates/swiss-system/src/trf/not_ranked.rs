//! Players in a file who are not ranked, such as one disqualified after the end: the comment `### Off the list: 4,
//! 7`. The format has no record for it.
//!
//! May not: know why.

use std::collections::BTreeSet;

use super::record::Record;
use super::tournament::Tournament;

/// The beginning of the comment.
const COMMENT: &str = "### Off the list:";

/// The comment that names players who are not ranked, by their numbers.
pub fn not_ranked_comment(numbers: &[u32]) -> Record {
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    Record::Other(format!("{COMMENT} {}", numbers.join(", ")))
}

impl Tournament {
    /// The numbers of the players, or teams, that the comments exclude from the ranking.
    pub(crate) fn not_ranked(&self) -> BTreeSet<u32> {
        let comments = self.records.iter().filter_map(|record| match record {
            Record::Other(line) => line.strip_prefix(COMMENT),
            _ => None,
        });
        let words = comments.flat_map(|numbers| numbers.split([',', ' ']));
        words.filter_map(|word| word.trim().parse().ok()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trf::{read, write};

    #[test]
    fn the_comment_is_read_as_it_was_written() {
        let text = write(&Tournament {
            records: vec![not_ranked_comment(&[7, 4])],
        });
        assert_eq!(text.as_deref(), Ok("### Off the list: 7, 4\n"));
        let tournament = |text: &str| read(text.as_bytes()).expect("a file").tournament;
        assert_eq!(tournament(&text.expect("a line")).not_ranked(), BTreeSet::from([4, 7]));
        assert_eq!(
            tournament("### Off the list\n### Off: 4\n").not_ranked(),
            BTreeSet::new()
        );
    }
}
