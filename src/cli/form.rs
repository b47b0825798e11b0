//! The forms in which a table is printed, and the flags that choose one.
//!
//! May not: know what is in the table.

use clap::Args;

use swissmatch_host::machine;
use swissmatch_report::parts::Pages;

/// Which form; without a flag aligned text.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct FormFlags {
    /// Print as JSON
    #[arg(long, conflicts_with_all = ["markdown", "csv"])]
    pub(super) json: bool,
    /// Print as Markdown
    #[arg(long, conflicts_with = "csv")]
    markdown: bool,
    /// Print as CSV
    #[arg(long)]
    csv: bool,
}

/// In which form a table is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Text,
    Json,
    Markdown,
    Csv,
}

impl FormFlags {
    /// The form that the flags say, of which at most one is given.
    pub(super) const fn form(self) -> Form {
        match self {
            Self { json: true, .. } => Form::Json,
            Self { markdown: true, .. } => Form::Markdown,
            Self { csv: true, .. } => Form::Csv,
            _ => Form::Text,
        }
    }

    /// Pages in that form, or the JSON that goes with it.
    pub(super) fn text<P: Into<Pages>>(self, page: impl FnOnce() -> P, json: impl FnOnce() -> String) -> String {
        let pages = || -> Pages { page().into() };
        match self.form() {
            Form::Text => pages().text(machine::columns()),
            Form::Json => json(),
            Form::Markdown => pages().markdown(),
            Form::Csv => pages().csv(),
        }
    }
}
