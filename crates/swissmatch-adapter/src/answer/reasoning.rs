//! Reasoning that stands in the content of an answer itself.
//!
//! May not: know moves.

const BEGIN: &str = "<think>";
const END: &str = "</think>";

/// The content without its reasoning. Reasoning without an end goes to the end of the content; reasoning whose
/// beginning was in the prompt begins with the content.
pub(super) fn without(content: &str) -> String {
    // Only ASCII changes its case, so that places stay the same.
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
