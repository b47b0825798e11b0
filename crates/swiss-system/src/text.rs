//! Text that is not ours: what engines say, names that others chose, files of others. One set of harmless characters,
//! two ways to make a text harmless, one way to shorten it.
//!
//! May not: know formats; what a format needs escaped is escaped where the format is written.

/// The most characters of a name that are shown.
pub const LONGEST_NAME: usize = 200;

/// True if a character may stand in a terminal, a table or a file as it is: it shows something or is a blank, ends no
/// line, and leaves the direction of writing alone.
///
/// Not harmless are the control characters (Cc), the separators of lines and paragraphs (Zl, Zp), the marks of
/// annotations, and what Unicode 16 calls ignorable (`Default_Ignorable_Code_Point`), such as marks of direction,
/// blanks of no width and tags.
pub fn is_harmless(c: char) -> bool {
    let shows_nothing = matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    );
    !c.is_control() && !shows_nothing
}

/// True if a name with this character is refused: the character ends the line, moves the cursor, or changes the
/// direction of what follows. Other characters that are not harmless belong to the writing of some languages, and are
/// left out where the name is published.
pub fn is_no_part_of_a_name(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// The text without the characters that are not harmless.
pub fn harmless(text: &str) -> String {
    text.chars().filter(|&c| is_harmless(c)).collect()
}

/// The text with characters that are not harmless written as Rust writes them: `\n`, `\u{202e}`, and `\xff` for a
/// byte that is not UTF-8.
pub fn escaped(text: impl AsRef<[u8]>) -> String {
    escaped_bytes(text.as_ref())
}

fn escaped_bytes(text: &[u8]) -> String {
    let mut escaped = String::with_capacity(text.len());
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars() {
            match is_harmless(c) {
                true => escaped.push(c),
                false => escaped.extend(c.escape_default()),
            }
        }
        for byte in chunk.invalid() {
            escaped += &format!("\\x{byte:02x}");
        }
    }
    escaped
}

/// The beginning of a text, made harmless: at most `most` characters.
pub fn brief(text: &str, most: usize) -> String {
    shortened(&harmless(text), most)
}

/// The text itself if it has no more than `most` characters, else its beginning and `…`, together `most` characters.
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// A person's words as a sentence: it ends with one full stop, or as they ended it.
pub fn sentence(text: impl Into<String>) -> String {
    let text = text.into();
    // A quotation or a bracket may close after it.
    let said = text.trim_end_matches(['"', '\'', '”', '’', '»', ')', ']']);
    match said.ends_with(['.', '!', '?', '…', '。', '！', '？', '؟', '।']) {
        true => text,
        false => text + ".",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVIL: &str = "a\u{1b}[31m\u{7}\u{202e}b\u{200b}c\n\u{e0061}\u{2028}é";

    #[test]
    fn what_is_not_harmless_is_left_out_or_escaped() {
        assert_eq!(harmless(EVIL), "a[31mbcé");
        assert_eq!(
            escaped(EVIL),
            "a\\u{1b}[31m\\u{7}\\u{202e}b\\u{200b}c\\n\\u{e0061}\\u{2028}é"
        );
        assert_eq!(escaped(b"a\xff\xc3 b\t"), "a\\xff\\xc3 b\\t");
        assert_eq!(escaped("plain \\ \"text\""), "plain \\ \"text\"");
    }

    #[test]
    fn a_sentence_ends_once() {
        for (text, ended) in [("Later", "Later."), ("Later.", "Later."), ("Why?", "Why?"), ("", ".")] {
            assert_eq!(sentence(text), ended);
        }
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        assert_eq!(shortened("éééé", 4), "éééé");
        assert_eq!(shortened("ééééé", 4), "ééé…");
        assert_eq!(shortened("", 0), "");
        assert_eq!(shortened("a", 0), "…");
        assert_eq!(brief("é\u{200b}ééé", 4), "éééé");
        assert_eq!(brief("éé\u{200b}ééé", 4), "ééé…");
    }

    #[test]
    fn what_no_name_has_is_not_harmless() {
        let refused = (char::MIN..=char::MAX).filter(|&c| is_no_part_of_a_name(c));
        assert!(refused.into_iter().all(|c| !is_harmless(c)));
    }
}
