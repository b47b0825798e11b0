//! Prompts: templates in Jinja2's language, with the variables of the Global Chess Challenge (`variables`).
//!
//! A template is its author's code: it has bounds on its work, and reads nothing but what the loader gives it. A failure is the
//! attempt's.
//!
//! May not: open a file.

mod board;
mod included;
mod nesting;
mod tokens;
pub mod variables;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io::{self, Write};
use std::path::{Component, Path};
use std::sync::Arc;

use minijinja::{AutoEscape, Environment, ErrorKind, Value};
use swissmatch_broker::manner::LegalMoves;

pub use included::{IncludedTemplate, included};
use nesting::require_flat;
use variables::{ALL_LEGAL_MOVES, FIRST_LEGAL_MOVE, NotingVariables, OfTurn, Variable};

/// What a template may work, in steps of the engine, which counts what it holds too.
const FUEL: u64 = 200_000;
/// The function of the language that shows all variables.
const EVERYTHING: &str = "debug";
/// Longest prompt, in bytes.
const LONGEST: usize = 1 << 20;

/// A template with those that it includes.
#[derive(Debug)]
pub struct Prompt {
    templates: Environment<'static>,
    name: String,
}

impl Prompt {
    /// The template of this name; `load` gives the text of a name that leads nowhere but down.
    ///
    /// # Errors
    /// When there is no such template, or it is none.
    pub fn new(name: &str, load: impl Fn(&str) -> Option<String> + Send + Sync + 'static) -> Result<Self, String> {
        let mut templates = Environment::new();
        templates.set_fuel(Some(FUEL));
        templates.set_auto_escape_callback(|_| AutoEscape::None);
        templates.set_loader(move |name| {
            let text = leads_down(name).then(|| load(name)).flatten();
            if let Some(text) = &text {
                require_flat(text)
                    .map_err(|why| minijinja::Error::new(ErrorKind::SyntaxError, format!("{why} (in {name})")))?;
            }
            Ok(text)
        });
        let prompt = Self {
            templates,
            name: name.to_owned(),
        };
        match prompt.templates.get_template(name) {
            Ok(_) => Ok(prompt),
            Err(error) => Err(why(&error)),
        }
    }

    /// Which legal moves it shows, by the variables that it names, whether or not it comes to them. What it includes is not looked at.
    pub fn legal_moves(&self) -> LegalMoves {
        let template = self.templates.get_template(&self.name);
        let names = template.map_or_else(|_| HashSet::new(), |template| template.undeclared_variables(false));
        let shown = names.iter().map(|name| match name.as_str() {
            name if name.starts_with(ALL_LEGAL_MOVES) || name == EVERYTHING => LegalMoves::All,
            FIRST_LEGAL_MOVE => LegalMoves::One,
            _ => LegalMoves::None,
        });
        shown.max().unwrap_or(LegalMoves::None)
    }

    /// The prompt with these variables.
    ///
    /// # Errors
    /// Why there is none.
    pub fn render(&self, variables: &BTreeMap<&'static str, Variable>) -> Result<String, String> {
        let values = variables.iter().map(|(name, variable)| (*name, variable.value()));
        self.rendered(Value::from(values.collect::<BTreeMap<&str, Value>>()))
    }

    /// The same, with the names that the template came to and that neither a variable nor a function of the language has.
    ///
    /// # Errors
    /// As there.
    pub fn render_noting(
        &self,
        variables: &BTreeMap<&'static str, Variable>,
    ) -> Result<(String, BTreeSet<String>), String> {
        let noting = Arc::new(NotingVariables::new(variables));
        let text = self.rendered(Value::from_dyn_object(Arc::clone(&noting)))?;
        let mut unknown = noting.unknown();
        for (name, _) in self.templates.globals() {
            unknown.remove(name);
        }
        Ok((text, unknown))
    }

    /// The same with those of a turn.
    ///
    /// # Errors
    /// As there.
    pub(crate) fn render_turn(&self, variables: OfTurn) -> Result<String, String> {
        self.rendered(Value::from_object(variables))
    }

    fn rendered(&self, variables: Value) -> Result<String, String> {
        let template = self.templates.get_template(&self.name).map_err(|error| why(&error))?;
        let mut text = BoundedText(Vec::new());
        match template.render_captured_to(variables, &mut text) {
            Ok(_) => Ok(String::from_utf8_lossy(&text.0).into_owned()),
            Err(_) if text.0.len() >= LONGEST => Err(format!("the prompt is longer than {LONGEST} bytes")),
            Err(error) => Err(why(&error)),
        }
    }
}

/// Whether a name has no way up and begins nowhere else.
fn leads_down(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    !name.is_empty() && parts.all(|part| matches!(part, Component::Normal(_)))
}

/// One line, with the line of the template.
fn why(error: &minijinja::Error) -> String {
    error.to_string().replace('\n', " ")
}

/// Text up to the longest.
struct BoundedText(Vec<u8>);

impl Write for BoundedText {
    fn write(&mut self, more: &[u8]) -> io::Result<usize> {
        let room = LONGEST - self.0.len();
        self.0.extend_from_slice(&more[..more.len().min(room)]);
        match more.len() > room {
            true => Err(io::ErrorKind::WriteZero.into()),
            false => Ok(more.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
