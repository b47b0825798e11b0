//! The templates that a template names: they are files of its agent, which are looked at before anything is played.
//!
//! May not: open a file, render.

/// Blocks that name other templates.
const NAMING: [&str; 4] = ["include", "extends", "import", "from"];

/// A template that another one names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IncludedTemplate {
    /// Its name, as it is written.
    pub name: String,
    /// Whether the other goes on where it is missing.
    pub may_be_missing: bool,
}

/// What the text of a template names.
///
/// # Errors
/// When a name is not one that stands there: it is computed, and nobody can say before which file it is.
pub fn included(text: &str) -> Result<Vec<IncludedTemplate>, String> {
    let mut names = Vec::new();
    let mut rest = text;
    while let Some(at) = ["{%", "{{", "{#"].iter().filter_map(|mark| rest.find(mark)).min() {
        let (mark, after) = rest[at..].split_at(2);
        rest = match mark {
            "{#" => after.split_once("#}").map_or("", |(_, rest)| rest),
            "{{" => after_code(after, "}}"),
            _ => {
                let block = after.trim_start_matches(['-', '+']).trim_start();
                let is_word = |sign: char| sign.is_ascii_alphanumeric() || sign == '_';
                let (word, words) = block.split_at(block.find(|sign| !is_word(sign)).unwrap_or(block.len()));
                if NAMING.contains(&word) {
                    let found = named(words.trim_start()).ok_or_else(|| {
                        let line = text[..text.len() - block.len()].matches('\n').count() + 1;
                        format!(
                            "line {line}: the name after `{word}` has to stand there in quotation marks, or nobody can know which file the \
                             agent has: write {{% {word} \"NAME\" … %}}"
                        )
                    })?;
                    names.extend(found);
                }
                match word {
                    "raw" => after_raw(words),
                    _ => after_code(words, "%}"),
                }
            }
        };
    }
    Ok(names)
}

/// What comes after code that ends so, outside its texts and brackets.
fn after_code<'a>(text: &'a str, end: &str) -> &'a str {
    let (mut depth, mut quoted_by, mut is_escaped) = (0_usize, None, false);
    for (at, sign) in text.char_indices() {
        match (quoted_by, sign) {
            (Some(_), _) if is_escaped => is_escaped = false,
            (Some(_), '\\') => is_escaped = true,
            (Some(mark), _) => quoted_by = quoted_by.filter(|_| sign != mark),
            (None, _) if depth == 0 && text[at..].starts_with(end) => return &text[at + end.len()..],
            (None, '"' | '\'') => quoted_by = Some(sign),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    ""
}

/// What comes after the end of a part that is taken as it is.
fn after_raw(text: &str) -> &str {
    let mut rest = text;
    while let Some((_, after)) = rest.split_once("{%") {
        rest = after;
        let word = after.trim_start_matches(['-', '+']).trim_start().strip_prefix("endraw");
        let end = word.map(|after| after.trim_start().trim_start_matches(['-', '+']));
        if let Some(after) = end.and_then(|end| end.strip_prefix("%}")) {
            return after;
        }
    }
    ""
}

/// The names at the beginning of a block, one or a list; `None` where there is anything else.
fn named(text: &str) -> Option<Vec<IncludedTemplate>> {
    let (names, rest) = match text.strip_prefix('[') {
        None => {
            let (name, rest) = quoted(text)?;
            (vec![name], rest)
        }
        Some(mut rest) => {
            let mut names = Vec::new();
            loop {
                let (name, after) = quoted(rest.trim_start())?;
                names.push(name);
                let after = after.trim_start();
                match (after.strip_prefix(','), after.strip_prefix(']')) {
                    (Some(after), _) => rest = after,
                    (None, Some(after)) => break (names, after),
                    (None, None) => return None,
                }
            }
        }
    };
    let next = rest.trim_start();
    let ends = ["%}", "-%}", "+%}", "ignore ", "with ", "without ", "as ", "import "];
    if !ends.iter().any(|end| next.starts_with(end)) {
        return None;
    }
    let may_be_missing = names.len() > 1 || next.starts_with("ignore ");
    let included = |name| IncludedTemplate { name, may_be_missing };
    Some(names.into_iter().map(included).collect())
}

/// A text in quotation marks, without an escape.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mark = text.chars().next().filter(|mark| ['"', '\''].contains(mark))?;
    let (name, rest) = text[1..].split_once(mark)?;
    (!name.contains('\\')).then(|| (name.to_owned(), rest))
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
