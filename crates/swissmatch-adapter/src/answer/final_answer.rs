//! The move after a mark such as `Final Answer:`, as prompts of Kaggle's Game Arena ask for it (google-deepmind/game_arena,
//! `harness/parsers.py`).
//!
//! That harness takes what follows the last of `Final Answer:`, `:` and `is`, wherever these stand, and so loses
//! moves to the sentence after them. Here only the mark counts, and only the first word after it.
//!
//! May not: search prose.

use super::Take;

/// The usual mark.
pub(super) const USUAL: &str = "Final Answer:";

/// The word that should be the move, after the mark that counts, in any case of its letters; `None` if there is no
/// mark, or nothing follows it.
pub(super) fn read(text: &str, mark: &str, take: Take) -> Option<String> {
    let rest = &text[place(text, mark, take)? + mark.len()..];
    let plain = without_markup(rest);
    let mut words = plain
        .split_whitespace()
        .map(without_number)
        .filter(|word| !word.is_empty());
    let word = words.next()?;
    Some(word.trim_end_matches(['.', ',', ';', ':', '!', '?']).to_owned())
}

/// The text without the line that has the mark that counts, from the mark on.
pub(super) fn without(text: &str, mark: &str, take: Take) -> String {
    let Some(at) = place(text, mark, take) else {
        return text.to_owned();
    };
    let after = text[at + mark.len()..].trim_start();
    let after = after.split_once('\n').map_or("", |(_, after)| after);
    format!("{} {after}", &text[..at])
}

/// Where the mark that counts begins, in any case of its letters.
fn place(text: &str, mark: &str, take: Take) -> Option<usize> {
    let (lower, mark) = (text.to_ascii_lowercase(), mark.to_ascii_lowercase());
    match take {
        Take::First => lower.find(&mark),
        Take::Last => lower.rfind(&mark),
        Take::Only => lower.find(&mark).filter(|at| lower.rfind(&mark) == Some(*at)),
    }
}

/// The text without the markup of TeX, Markdown and HTML around a move.
fn without_markup(text: &str) -> String {
    let mut text = text.to_owned();
    for command in ["\\boxed{", "\\text{", "\\mathrm{", "\\textbf{"] {
        text = text.replace(command, "");
    }
    let (mut plain, mut is_tag) = (String::new(), false);
    for sign in text.chars() {
        match sign {
            '<' => is_tag = true,
            '>' => is_tag = false,
            '$' | '{' | '}' | '*' | '`' | '[' | ']' | '"' | '\\' => {}
            sign if !is_tag => plain.push(sign),
            _ => {}
        }
    }
    plain
}

/// A word without the move number, `12.Nf3` or `12...`.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|sign: char| sign.is_ascii_digit());
    match rest.len() < word.len() && rest.starts_with('.') {
        true => rest.trim_start_matches('.'),
        false => word,
    }
}
