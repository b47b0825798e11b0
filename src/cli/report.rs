//! `swissmatch report`: kept for the page of an event; until there is one it says where the account of a game went.

use std::ffi::OsString;

use anyhow::anyhow;
use clap::Args;
use swiss_system::text::escaped;

use super::exit::{Exit, Failure};

/// Not supported yet: the page of an event
///
/// `swissmatch explain game GAME` says what happened in one game.
#[derive(Debug, Args)]
pub(super) struct Report {
    #[arg(
        value_name = "ANYTHING",
        hide = true,
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    rest: Vec<OsString>,
}

impl Report {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let game = self
            .rest
            .first()
            .map_or_else(|| "3.2.1".into(), |first| first.to_string_lossy());
        Err(Failure::usage(anyhow!(
            "the page of an event is not supported yet; what happened in one game: swissmatch explain game {}",
            escaped(game.as_ref())
        )))
    }
}
