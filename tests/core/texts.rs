//! All that a user can read, in one file: help, messages and pages. `make texts` writes it to `target/texts.md`, to be read at a
//! stretch and to be compared with that of another version.
#![expect(clippy::disallowed_methods, reason = "it reads the sources and writes the file")]

use std::fmt::Write as _;

use proc_macro2::{TokenStream, TokenTree};

use super::docs::pages;
use super::tidy::{root, sources_of_packages};

/// The texts of a source in their order: string literals of several words, and doc comments where they are help.
#[derive(Default)]
struct Texts {
    has_help: bool,
    found: Vec<String>,
}

impl Texts {
    fn of(source: &str, has_help: bool) -> Vec<String> {
        let mut texts = Self {
            has_help,
            ..Self::default()
        };
        texts.walk(source.parse().expect("it compiles"));
        texts.found
    }

    fn walk(&mut self, tokens: TokenStream) {
        let mut tokens = tokens.into_iter().peekable();
        let mut is_of_doc = false;
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Group(group) => {
                    let inner = group.stream();
                    let is_doc = first_word(&inner).is_some_and(|word| word == "doc");
                    match (is_doc, self.has_help) {
                        (true, false) => {}
                        (true, true) => {
                            let line = inner.into_iter().last().and_then(text).unwrap_or_default();
                            self.doc(line.trim(), is_of_doc);
                        }
                        (false, _) => self.walk(inner),
                    }
                    is_of_doc = is_doc;
                }
                // What stands in a module of tests is not said to anybody.
                TokenTree::Ident(word) if word == "mod" => {
                    tokens
                        .next_if(|next| next.to_string() == "tests")
                        .and_then(|_| tokens.next());
                }
                // Nor is why something cannot happen.
                TokenTree::Ident(word) if word == "expect" => {
                    tokens.next();
                }
                TokenTree::Punct(mark) if mark.as_char() == '#' => {}
                other => {
                    is_of_doc = false;
                    self.found.extend(text(other).filter(|text| is_said(text)));
                }
            }
        }
    }

    /// A line of a doc comment, which may go on from the one before.
    fn doc(&mut self, line: &str, goes_on: bool) {
        match self.found.last_mut().filter(|_| goes_on) {
            Some(before) => before.extend(["\n", line]),
            None => self.found.push(line.to_owned()),
        }
    }
}

fn first_word(tokens: &TokenStream) -> Option<String> {
    tokens.clone().into_iter().next().map(|token| token.to_string())
}

/// The value of a string literal.
fn text(token: TokenTree) -> Option<String> {
    let TokenTree::Literal(literal) = token else {
        return None;
    };
    match syn::Lit::new(literal) {
        syn::Lit::Str(text) => Some(text.value()),
        _ => None,
    }
}

/// Whether it has words, several of them.
fn is_said(text: &str) -> bool {
    text.trim().contains(' ') && text.contains(char::is_alphabetic)
}

#[test]
fn what_is_said_is_found() {
    let source = r#"
        /// Play the event
        ///
        /// To its end.
        struct Run;
        fn f() { println!("{} is over", x); g("word", "two words").expect("no words"); }
        mod tests { fn f() { g("not said to anybody"); } }
    "#;
    let said = ["{} is over", "two words"];
    assert_eq!(Texts::of(source, false), said);
    let help = "Play the event\n\nTo its end.";
    assert_eq!(Texts::of(source, true), [help, said[0], said[1]]);
}

#[test]
#[ignore = "writes target/texts.md: make texts"]
fn write() {
    let mut all = String::new();
    let mut files: Vec<_> = sources_of_packages().collect();
    files.sort();
    for (path, source) in files {
        let short = path.strip_prefix(root()).expect("a file of ours").display().to_string();
        let texts = Texts::of(&source, short.starts_with("src/cli"));
        if short.contains("tests") || texts.is_empty() {
            continue;
        }
        let _ = writeln!(all, "\n# {short}\n");
        for text in texts {
            let _ = writeln!(all, "- {}", text.trim_end().replace('\n', "\n  "));
        }
    }
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("a page");
        let _ = writeln!(all, "\n# {}\n\n{text}", page.display());
    }
    std::fs::write(root().join("target/texts.md"), all).expect("it can be written");
}
