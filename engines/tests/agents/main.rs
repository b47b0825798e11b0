//! The agents, driven over pipes as a match runner drives them.
#![expect(
    clippy::disallowed_methods,
    reason = "tests start the agents, watch the clock and tidy up files"
)]

mod pipes;
mod players;
