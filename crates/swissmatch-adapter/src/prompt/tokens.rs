//! What a template is made of, as its language reads it, without reading what that means.
//!
//! May not: recurse.

use minijinja::machinery::{Token, tokenize};
use minijinja::syntax::SyntaxConfig;

/// The tokens with their lines, up to the first place that is none of the language.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = (Token<'_>, usize)> {
    let read = tokenize(text, false, SyntaxConfig::default());
    read.map_while(Result::ok)
        .map(|(token, span)| (token, usize::from(span.start_line)))
}
