//! The presets that ship, as embedded TOML with comments: each has its differences from `none`, and every key of a rule in its rule set.
//!
//! May not: know a rule; the texts name their sources. Know a default, which stands beside the fields of [`Setup`].

use super::layer::{Layer, SourceText};
use super::places::TextPlaces;
use super::print;
use swissmatch_tournament::setup::Setup;

/// Name of each preset, and its keys in TOML; the first is the default.
pub const PRESETS: [(&str, &str); 9] = [
    (
        "global-chess-challenge",
        include_str!("presets/global-chess-challenge.toml"),
    ),
    (NONE, ""),
    ("kaggle-chess", include_str!("presets/kaggle-chess.toml")),
    ("us-chess", include_str!("presets/us-chess.toml")),
    ("gct-rapid-blitz", include_str!("presets/gct-rapid-blitz.toml")),
    ("gct-classical", include_str!("presets/gct-classical.toml")),
    ("gct-tour", include_str!("presets/gct-tour.toml")),
    ("immortal-game", include_str!("presets/immortal-game.toml")),
    ("ai-chessathon-2026", include_str!("presets/ai-chessathon-2026.toml")),
];

/// The base of all presets: every key has its default.
const NONE: &str = "none";

/// A preset as TOML with comments, to copy from: the keys that it sets, or every key for `none`. `None` if there is no such preset.
pub fn preset_text(name: &str) -> Option<String> {
    let (name, text) = PRESETS.iter().find(|(preset, _)| *preset == name)?;
    if *name != NONE {
        return Some((*text).to_owned());
    }
    let head = "# The preset `none`: the usual settings of engine matches, not a competition's rules.\n\
                # The other presets begin with it.\n\
                # Copy what you need into an event file; a key in the event file replaces the one here.\n";
    Some(head.to_owned() + &print::explained(Setup::default()))
}

/// An event by a preset, without a name or players. `None` if there is no such preset.
pub(super) fn setup(name: &str) -> Option<Setup> {
    let (name, text) = PRESETS.iter().find(|(preset, _)| *preset == name)?;
    let mut setup = Setup {
        preset: (*name).to_owned(),
        ..Setup::default()
    };
    let label = format!("preset {name}");
    let places = TextPlaces::of(text);
    let source = SourceText {
        label: &label,
        text,
        places: &places,
    };
    let applied = source
        .parse()
        .and_then(|root| Layer::new(source, root.get_ref())?.apply(&mut setup));
    applied.expect("a preset that ships is read");
    Some(setup)
}
