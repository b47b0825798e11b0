//! swissmatch: a Swiss-system match runner for UCI agents.
//!
//! An event is a file; a run of it is a directory. [`run::Run`] creates, resumes, plays and opens runs; a
//! [`GameHost`](shell::host::GameHost) plays their games: this machine ([`run::this_machine`]), or a script, as here.
//!
//! ```
//! use swissmatch::game::{Side, termination::Outcome};
//! use swissmatch::run::{EventFile, Run, RunEnd, RunError};
//! use swissmatch::shell::host::scripted::ScriptedHost;
//! use swissmatch::tournament::ranking::standings_after;
//!
//! let text = "
//!     [swiss]
//!     rounds = 3
//!     [[player]]
//!     name = \"Anna\"
//!     command = \"anna\"
//!     [[player]]
//!     name = \"Boris\"
//!     command = \"boris\"
//!     [[player]]
//!     name = \"Clara\"
//!     command = \"clara\"
//!     [[player]]
//!     name = \"Dario\"
//!     command = \"dario\"
//! ";
//! let place = tempfile::tempdir().expect("a directory");
//! let event = EventFile::parse(&place.path().join("club.toml"), text)?;
//! // Whoever has the lower pairing number wins.
//! let host = ScriptedHost::new(|game| {
//!     Outcome::win(if game.white < game.black { Side::White } else { Side::Black })
//! });
//! let run = Run::create(event, &place.path().join("club"), Box::new(host), &mut |notice| println!("{notice}"))?;
//! let played = run.play(&mut [])?;
//! assert_eq!(played.ended, RunEnd::Complete);
//! let standings = standings_after(&played.state, 3);
//! assert_eq!(played.state.player(standings.rows[0].player).name, "Anna");
//! # Ok::<(), RunError>(())
//! ```
//!
//! Pairing, standings and tournament files are in a separate crate: [`swiss_system`].
//!
//! Each layer is a crate of its own; the lowest stands first, and each uses only those before it.
#![warn(missing_docs)]

pub use swissmatch_adapter as adapter;
pub use swissmatch_broker as broker;
pub use swissmatch_config as config;
pub use swissmatch_game as game;
pub use swissmatch_host as shell;
pub use swissmatch_report as report;
pub use swissmatch_run as run;
pub use swissmatch_stats as stats;
pub use swissmatch_tournament as tournament;
pub use swissmatch_web as web;

pub mod cli;

pub use swissmatch_host::roles::{arguments, begin, begin_guarded};
