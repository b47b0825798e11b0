//! The templates that a template names: they are files of its agent, which are looked at before anything is played.
//!
//! May not: open a file, render.

use minijinja::machinery::Token;

use super::tokens::tokens;

/// Blocks that name other templates.
const NAMING: [&str; 4] = ["include", "extends", "import", "from"];
/// What may come after a name.
const AFTER: [&str; 5] = ["ignore", "with", "without", "as", "import"];

/// A template that another one names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IncludedTemplate {
    /// Its name, as it is written.
    pub name: String,
    /// Whether the other goes on where it is missing.
    pub may_be_missing: bool,
}

/// What the text of a template names. What comes after a place where it is no template is not looked at.
///
/// # Errors
/// When a name is not one that stands there: it is computed, and nobody can say before which file it is.
pub fn included(text: &str) -> Result<Vec<IncludedTemplate>, String> {
    let mut names = Vec::new();
    let mut tokens = tokens(text);
    while let Some((token, _)) = tokens.next() {
        if !matches!(token, Token::BlockStart) {
            continue;
        }
        let Some((Token::Ident(word), line)) = tokens.next() else {
            continue;
        };
        if NAMING.contains(&word) {
            let found = named(&mut tokens).ok_or_else(|| {
                format!(
                    "line {line}: the name after `{word}` has to stand there in quotation marks, or nobody can know which file the agent \
                     has: write {{% {word} \"NAME\" … %}}"
                )
            })?;
            names.extend(found);
        }
    }
    Ok(names)
}

/// The names at the beginning of a block, one or a list; `None` where there is anything else.
fn named<'a>(tokens: &mut impl Iterator<Item = (Token<'a>, usize)>) -> Option<Vec<IncludedTemplate>> {
    // A text with an escape is another token.
    let mut names = Vec::new();
    match tokens.next()?.0 {
        Token::Str(name) => names.push(name),
        Token::BracketOpen => loop {
            match (tokens.next()?.0, tokens.next()?.0) {
                (Token::Str(name), Token::Comma) => names.push(name),
                (Token::Str(name), Token::BracketClose) => {
                    names.push(name);
                    break;
                }
                _ => return None,
            }
        },
        _ => return None,
    }
    let goes_on_without = match tokens.next()?.0 {
        Token::Ident(word) if AFTER.contains(&word) => word == "ignore",
        Token::BlockEnd => false,
        _ => return None,
    };
    let may_be_missing = names.len() > 1 || goes_on_without;
    let included = |name: &str| IncludedTemplate {
        name: name.to_owned(),
        may_be_missing,
    };
    Some(names.into_iter().map(included).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_wherever_they_stand() {
        for (text, names) in [
            ("no other", &[][..]),
            (
                "{% include \"a.jinja\" %}{%- include 'b.jinja' -%}",
                &["a.jinja", "b.jinja"],
            ),
            ("{%extends \"base/x.jinja\"%}", &["base/x.jinja"]),
            (
                "{% import 'm' as m %}{% from \"n\" import a, b with context %}",
                &["m", "n"],
            ),
            (
                "{% include [\"a\", 'b'] ignore missing %}{% include \"c\" without context %}",
                &["a", "b", "c"],
            ),
            (
                "{# {% include x %} #}{% raw %}{% include x %}{%- endraw %}{% include 'a' %}",
                &["a"],
            ),
            ("{% if x %}{{ \"include\" }}{% endif %}{% set include = 1 %}", &[]),
            ("{% included %}", &[]),
            // What stands in texts opens nothing.
            (
                "{{ \"{#\" }}{% set x = '{{' ~ \"\\\"%}\" %}{{ {\"a\": {}} }}{% include 'a' %}",
                &["a"],
            ),
            ("{% raw %}{% endraw x %}{#{% endraw %}{% include 'a' %}", &["a"]),
        ] {
            let found = included(text).expect("names that stand there");
            let found: Vec<&str> = found.iter().map(|one| one.name.as_str()).collect();
            assert_eq!(found, names, "{text}");
        }
    }

    #[test]
    fn a_template_may_go_on_without_another() {
        for (text, may_be_missing) in [
            ("{% include 'a' %}", false),
            ("{% include 'a' ignore missing %}", true),
            ("{% include ['a', 'b'] %}", true),
        ] {
            let found = included(text).expect("a name");
            assert_eq!(found[0].may_be_missing, may_be_missing, "{text}");
        }
    }

    /// Looking for each mark again from each place would take hours.
    #[test]
    fn a_long_text_is_gone_through_once() {
        for text in ["{{a}}", "{% if a %}", "{#a#}", "{{ '{%' }}"] {
            assert_eq!(included(&text.repeat(100_000)), Ok(Vec::new()), "{text}");
        }
    }

    #[test]
    fn a_name_that_is_computed_is_none() {
        for text in [
            "{% include name %}",
            "{% include \"a\" ~ side %}",
            "{% include \"a\" if x else \"b\" %}",
            "{% include (\"a\") %}",
            "{% include [\"a\", b] %}",
            "{% include \"\\x61\" %}",
            "{% extends %}",
            "{% include \"a",
        ] {
            assert!(included(text).is_err(), "{text}");
        }
        assert!(
            included("a\n\n{% include x %}")
                .expect_err("computed")
                .starts_with("line 3: ")
        );
    }
}
