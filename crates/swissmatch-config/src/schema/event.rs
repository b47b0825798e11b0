//! Keys on pairing: `[event]` and `[swiss]`.
//!
//! May not: know layers or files.

use serde_json::json;

use super::{Key, key, sections, stages};
use crate::kind::{ValueKind, choice, choices, line, list, name, or, player_name, rounds, whole};
use crate::value::{array, quoted};
use swissmatch_tournament::setup::Setup;

pub(super) fn keys() -> Vec<Key<Setup>> {
    vec![
        key!(event.name, name(), "Name of the event, shown everywhere; if left out, the name of this file.")
            .written_if(|setup| !setup.event.name.is_empty()),
        key!(
            event.site,
            line("a text of at most 200 characters without control characters", 0..=200),
            "Where the event is played; the PGN tag Site.",
        ),
        key!(
            event.rng_seed,
            whole("a whole number", 0..=u64::MAX),
            "Seed of every lot and every shuffle; the same seed always gives the same draw.",
        ),
        key!(
            event.stages,
            list(
                r#"a list of stages, such as [{ format = "7-SS" }, { format = "knockout", top = 8, games = 4 }]"#,
                stages::stage(),
            ),
            r#"Stages, in place of swiss.rounds: [{ format = "7-SS" }, { format = "knockout", top = 8 }]; also games, games_by_round, time_control."#,
        ),
        key!(
            event.sections,
            list(
                r#"a list of sections, such as [{ name = "Open", from = 2000 }, { name = "Under 2000", to = 1999, format = "5-SS" }]"#,
                sections::section(),
            ),
            r#"Sections by rating or player.section: [{ name = "Open", from = 2000 }, { name = "Rest", to = 1999 }]; see docs/sections.md."#,
        ),
        key!(
            swiss.rounds,
            rounds(
                r#""auto", a number of rounds from 1 to 10000, "7-SS", "log2", "log2+2", "RR", "3-RR", "double-RR", "double-SS", "5-double-SS", "gauntlet-2", "5-gauntlet-2", "knockout" or "quads""#,
            ),
            r#"Rounds or format: 7, "auto", "7-SS", "log2+2", "5-double-SS", "RR", "3-RR", "double-RR", "quads", "gauntlet-2", "5-gauntlet-2", "knockout": docs/formats.md."#,
        )
        // It has no effect beside a list of stages, and is refused; so it is if each section has its own.
        .written_if(Setup::reads_rounds),
        key!(
            swiss.pairing,
            choice(),
            r#"Who meets whom: "match-points", "dutch" (C.04.3), "us-chess", "immortal", "double-swiss" (C.04.5): docs/pairing.md."#,
        ),
        key!(
            swiss.color,
            choice(),
            r#"Which colours bind the Dutch system: those of the "first-game" of each meeting; "ignore": none."#,
        ),
        key!(swiss.seeding, choice(), r#"Order of the pairing numbers: by "rating", as "submitted", as "listed", "random", or by the rating in the "ladder" ([ladder])."#),
        key!(
            swiss.edition,
            choice(),
            r#"Text of the Dutch system: "2026", in force since 1 February 2026, or "2017", the one before it."#,
        ),
        key!(
            swiss.tpn_parity,
            choice(),
            r#"Numbers that article 5.2.5 takes as odd or even: those counted among the "participants" so far, or those "listed"."#,
        ),
        key!(
            swiss.initial_color,
            choice(),
            r#"Initial colour in all systems but "match-points": by "lot" (event.rng_seed), "white" or "black"."#,
        ),
        key!(
            swiss.acceleration,
            choice(),
            r#"Virtual points in the first rounds of the Dutch system: "none", or "baku" (C.04.7)."#,
        ),
        key!(
            swiss.keep_apart,
            choices(),
            r#"Players who share one of these never meet, nor play at two boards at the same time: "team" (player.team), "author" (player.author)."#,
        ),
        key!(swiss.forbidden, groups(), "Groups of players, by name; no two players of a group ever meet."),
        key!(
            swiss.color_streak,
            or("none", whole("a whole number", 1..=1000)),
            r#"Most times in a row that "immortal" gives a player one colour, unless a round cannot be paired otherwise; "none": no limit."#,
        ),
    ]
}

/// Groups of at least two names.
fn groups() -> ValueKind<Vec<Vec<String>>> {
    let group = json!({ "type": "array", "items": player_name().schema, "minItems": 2 });
    ValueKind::new(
        r#"a list of lists of players' names, such as [["A", "B"], ["C", "D", "E"]]"#,
        json!({ "type": "array", "items": group }),
        |value| value.groups_of_names(),
        |groups| array(groups.iter().map(|group| array(group.iter().map(|name| quoted(name))))),
    )
}
