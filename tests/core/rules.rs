//! The published rule sets, rule by rule: each test is named after the section and number of its rule, and looks at what the
//! preset makes of it. How play-offs, prizes, clocks and pairings then work is tested beside their code, by the same names.
//!
//! May not: repeat what the code under test computes.

mod city_chess;
mod grand_chess_tour;
mod immortal_game;
mod published;

use std::path::Path;

use swissmatch::config;
use swissmatch::tournament::setup::Setup;

/// The setup of an event of four players by a preset, with more lines.
fn event(preset: &str, more: &str) -> Setup {
    let mut text = format!("preset = \"{preset}\"\n{more}\n");
    for name in ["A", "B", "C", "D"] {
        text += &format!("[[player]]\nname = \"{name}\"\ncommand = \"{name}\"\n");
    }
    let loaded = config::load(Path::new("event.toml"), &text, &[]);
    loaded.unwrap_or_else(|error| panic!("{error}")).setup
}
