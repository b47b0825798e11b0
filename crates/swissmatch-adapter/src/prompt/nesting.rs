//! How deep a template is nested, before it is read: whoever reads, compiles and drops it calls itself once for each step inwards, and a
//! stack is finite.
//!
//! What is looked at is tokens, one after the other. An expression is no deeper than it has tokens, of which those between two commas of
//! a bracket lie beside each other; blocks are as deep as they are opened and not closed, and an `elif` opens one in the one before.
//! May not: recurse.

use minijinja::machinery::Token;

use super::tokens::tokens;

/// Most tokens of an expression, without what lies beside each other in a list.
const MOST_TOKENS: usize = 200;
/// Most blocks in each other.
const MOST_BLOCKS: usize = 50;

/// That nothing in the text of a template is nested deeper than it may be.
///
/// # Errors
/// Where something is.
pub(super) fn require_flat(text: &str) -> Result<(), String> {
    let (mut blocks, mut expression) = (Blocks::default(), Expression::default());
    let mut block: Option<Block> = None;
    for (token, line) in tokens(text) {
        match token {
            Token::TemplateData(_) => {}
            Token::VariableStart => expression = Expression::default(),
            Token::BlockStart => {
                expression = Expression::default();
                block = Some(Block::default());
            }
            Token::VariableEnd => {}
            Token::BlockEnd => {
                let closed = block.take().unwrap_or_default();
                if !blocks.add(&closed) {
                    return Err(format!("line {line}: more than {MOST_BLOCKS} blocks are in each other"));
                }
            }
            token => {
                if let Some(block) = &mut block {
                    block.hear(&token, expression.is_outside());
                }
                if !expression.add(&token) {
                    return Err(format!(
                        "line {line}: an expression has more than {MOST_TOKENS} parts: divide it by {{% set … %}}"
                    ));
                }
            }
        }
    }
    Ok(())
}

/// The word of a block, and whether `=` stands outside its brackets.
#[derive(Default)]
struct Block {
    word: Option<String>,
    assigns: bool,
}

impl Block {
    fn hear(&mut self, token: &Token<'_>, is_outside: bool) {
        match token {
            Token::Ident(word) if self.word.is_none() => self.word = Some((*word).to_owned()),
            Token::Assign if is_outside => self.assigns = true,
            _ => {}
        }
    }
}

/// How many are open, each with its branches.
#[derive(Default)]
struct Blocks {
    open: Vec<usize>,
    depth: usize,
}

impl Blocks {
    /// Whether there is room for it.
    fn add(&mut self, block: &Block) -> bool {
        match block.word.as_deref().unwrap_or_default() {
            // What is assigned ends with its block.
            "set" if block.assigns => {}
            "for" | "if" | "with" | "set" | "autoescape" | "filter" | "block" | "macro" | "call" => {
                self.open.push(1);
                self.depth += 1;
            }
            "elif" => {
                if let Some(branches) = self.open.last_mut() {
                    *branches += 1;
                    self.depth += 1;
                }
            }
            // One that ends another is refused when the template is read, which goes no further.
            word if word.starts_with("end") => self.depth -= self.open.pop().unwrap_or(0),
            _ => {}
        }
        self.depth <= MOST_BLOCKS
    }
}

/// How many parts it has, by its open brackets.
#[derive(Default)]
struct Expression {
    /// Outside of all.
    outside: Parts,
    brackets: Vec<Parts>,
    /// What is counted in all of them now.
    count: usize,
}

/// The parts of a bracket: since its last comma, and most between two.
#[derive(Default)]
struct Parts {
    now: usize,
    most: usize,
}

impl Expression {
    fn is_outside(&self) -> bool {
        self.brackets.is_empty()
    }

    /// Whether there is room for it.
    fn add(&mut self, token: &Token<'_>) -> bool {
        self.count += 1;
        self.brackets.last_mut().unwrap_or(&mut self.outside).now += 1;
        match token {
            Token::BracketOpen | Token::ParenOpen | Token::BraceOpen => self.brackets.push(Parts::default()),
            Token::BracketClose | Token::ParenClose | Token::BraceClose => {
                if let Some(closed) = self.brackets.pop() {
                    let most = closed.most.max(closed.now);
                    self.count += most - closed.now;
                    self.brackets.last_mut().unwrap_or(&mut self.outside).now += most;
                }
            }
            Token::Comma => {
                if let Some(parts) = self.brackets.last_mut() {
                    parts.most = parts.most.max(parts.now);
                    self.count -= parts.now;
                    parts.now = 0;
                }
            }
            _ => {}
        }
        self.count <= MOST_TOKENS
    }
}

#[cfg(test)]
mod tests {
    use super::super::Prompt;

    /// A template of this text; or why it is none.
    fn read(text: String) -> Result<(), String> {
        Prompt::new("p", move |_| Some(text.clone())).map(|prompt| {
            prompt.legal_moves();
        })
    }

    /// `so_often` in a row, in an expression.
    fn row(begins: &str, repeated: &str, so_often: usize, ends: &str) -> String {
        format!("{{{{ {begins}{}{ends} }}}}", repeated.repeat(so_often))
    }

    #[test]
    fn what_is_nested_too_deep_is_refused_before_it_is_read() {
        for (begins, repeated, ends) in [
            ("", "-", "1"),
            ("", "not ", "1"),
            ("1", "~1", ""),
            ("1", "+1", ""),
            ("1", "**1", ""),
            ("FEN", "|upper", ""),
            ("FEN", ".a", ""),
            ("FEN", "[0]", ""),
            ("f", "()", ""),
            ("", "1 if 1 else ", "1"),
            ("1", " in 1", ""),
            ("1", " is defined", ""),
            ("1", " is not in [1]", ""),
            ("1", " and 1", ""),
            ("", "[", ""),
            ("", "(-", ""),
            ("", "{'a': ", ""),
            ("", "a(b, ", ""),
        ] {
            for so_often in [201, 4000, 12_000] {
                let error = read(row(begins, repeated, so_often, ends)).expect_err(repeated);
                assert!(error.contains("more than 200 parts"), "{repeated}: {error}");
            }
        }
        // Each step inwards is followed by a row of its own.
        let steps = format!("{}x{}", "(".repeat(90), format!("{})", "+1".repeat(90)).repeat(90));
        let error = read(format!("{{{{ {steps} }}}}")).expect_err("it is deep");
        assert!(error.contains("more than 200 parts"), "{error}");
        for (opens, so_often) in [
            ("{% if 1 %}", 51),
            ("{% if 1 %}", 60_000),
            ("{% if 0 %}{% elif 0 %}", 26),
            ("{% set x %}", 51),
            ("{% set x|upper|replace('a', b=1) %}", 51),
            ("{% for a in b %}{% else %}", 51),
            ("{% filter upper %}{% with a = 1 %}", 26),
            ("{% macro m(a=1) %}{% call m() %}", 26),
        ] {
            let error = read(opens.repeat(so_often)).expect_err(opens);
            assert!(error.contains("more than 50 blocks"), "{opens}: {error}");
        }
        let elifs = format!("{{% if 0 %}}{}{{% endif %}}", "{% elif 0 %}".repeat(60_000));
        let error = read(elifs).expect_err("each is in the one before");
        assert!(error.contains("more than 50 blocks"), "{error}");
        let error = read(format!("\n\n{}", row("1", "+1", 200, ""))).expect_err("it is long");
        assert!(error.contains("line 3: "), "{error}");
    }

    /// On the stack that threads of this program have.
    #[test]
    fn what_is_just_not_too_deep_is_read() {
        for text in [
            row("1", "+1", 99, ""),
            row("1", "|upper", 99, ""),
            row("", "-", 199, "1"),
            row("", "not ", 199, "1"),
            row("", "1 if 1 else ", 39, "1"),
            row("", "(-", 60, "1"),
        ] {
            // Brackets that stay open are no template, but are read so far.
            assert!(read(text.clone()).is_ok() || text.contains("(-"), "{text}");
        }
        let deep = row("", "-", 199, "1");
        for (opens, closes) in [
            ("{% if 1 %}", "{% endif %}"),
            ("{% for a in b %}", "{% endfor %}"),
            ("{% filter upper %}", "{% endfilter %}"),
            ("{% set x %}", "{% endset %}"),
            ("{% call m() %}", "{% endcall %}"),
        ] {
            let text = format!("{}{deep}{}", opens.repeat(50), closes.repeat(50));
            assert_eq!(read(text), Ok(()), "{opens}");
        }
        // What lies beside each other is not in each other.
        let list = row("[", "{'a': [1, 2]}, ", 5000, "1]");
        assert_eq!(read(list), Ok(()));
        assert_eq!(
            read("{% if 1 %}{% set x = [1] %}{% elif 0 %}{% endif %}".repeat(1000)),
            Ok(())
        );
        assert_eq!(read("{{ a }}{% set a = 1 %}".repeat(1000)), Ok(()));
        assert_eq!(
            read(format!("{}{{# {} #}}", "+1".repeat(1000), "{{".repeat(1000))),
            Ok(())
        );
    }
}
