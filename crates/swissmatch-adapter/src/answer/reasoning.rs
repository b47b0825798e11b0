//! What of an answer is reasoning that stands in the content itself.
//!
//! May not: know moves.

const BEGIN: &str = "<think>";
const END: &str = "</think>";

/// The content without its reasoning. A reasoning that does not end goes to the end; one whose beginning stood in the prompt begins where
/// the content does.
pub(super) fn without(content: &str) -> String {
    // ASCII alone changes its case, so that places stay what they are.
    let lower = content.to_ascii_lowercase();
    let (mut left, mut at) = (String::new(), 0);
    if let Some(end) = lower.find(END)
        && lower.find(BEGIN).is_none_or(|begin| begin > end)
    {
        at = end + END.len();
    }
    while let Some(begin) = lower[at..].find(BEGIN).map(|begin| at + begin) {
        left.push_str(&content[at..begin]);
        match lower[begin..].find(END) {
            Some(end) => at = begin + end + END.len(),
            None => return left,
        }
    }
    left + &content[at..]
}
