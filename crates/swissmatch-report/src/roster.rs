//! The roster of an event, for the organizer: the entrants and what they enter.
//!
//! May not: become part of anything that is published, since it has contacts. It has only the names of variables.

use serde::Serialize;
use swiss_system::count;
use swiss_system::text::harmless;

use super::table::{Column, Page, Table};
use swissmatch_tournament::setup::PlayerKeys;

/// The roster in order of pairing numbers. `order` has the entries (places in `players`) in that order; `about` stands below it.
pub fn page(event: &str, players: &[PlayerKeys], order: &[usize], about: Vec<String>) -> Page {
    let columns = vec![
        Column::figures("No."),
        Column::names("Name"),
        Column::names("Section").goes(0),
        Column::names("Team").goes(0),
        Column::names("Author").goes(0),
        Column::figures("Rating").goes(0),
        Column::words("Submitted").goes(0),
        Column::names("Command").goes(0),
        Column::names("Contact").goes(0),
        Column::words("Flags").goes(0),
    ];
    let text = |text: &Option<String>| harmless(text.as_deref().unwrap_or_default());
    let rows = (1..).zip(order).map(|(number, &entry): (u32, _)| {
        let player = &players[entry];
        vec![
            number.to_string(),
            harmless(&player.name),
            text(&player.section),
            text(&player.team),
            text(&player.author),
            player.rating.map_or_else(String::new, |rating| rating.to_string()),
            player
                .submitted_at
                .map_or_else(String::new, |moment| moment.to_string()),
            harmless(&player.command),
            text(&player.contact),
            flags(player).join(", "),
        ]
    });
    let mut table = Table {
        columns,
        rows: rows.collect(),
    };
    leave_out_empty(&mut table);
    Page {
        title: format!("{}: {}", harmless(event), count::of(players.len(), "player", "players")),
        table,
        notes: about,
    }
}

/// Removes columns without any value.
fn leave_out_empty(table: &mut Table) {
    for index in (2..table.columns.len()).rev() {
        if table.rows.iter().all(|row| row[index].is_empty()) {
            table.columns.remove(index);
            for row in &mut table.rows {
                row.remove(index);
            }
        }
    }
}

fn flags(player: &PlayerKeys) -> Vec<&'static str> {
    let unrated = player.unrated.then_some("unrated");
    let house = player.house.then_some("house");
    unrated.into_iter().chain(house).collect()
}

/// Like [`page`], but as JSON. `locked` says whether the roster is as it was locked; `None` without a lock.
///
/// # Panics
/// Never: everything in it can be written.
pub fn json(event: &str, players: &[PlayerKeys], order: &[usize], locked: Option<bool>) -> String {
    let entries = (1..).zip(order).map(|(number, &entry)| {
        let player = &players[entry];
        let text = |text: &Option<String>| text.as_deref().map(harmless);
        RosterPlayerJson {
            pairing_number: number,
            name: harmless(&player.name),
            section: text(&player.section),
            team: text(&player.team),
            author: text(&player.author),
            rating: player.rating,
            unrated: player.rating().is_none(),
            house: player.house,
            submitted_at: player.submitted_at.map(|moment| moment.to_string()),
            command: harmless(&player.command),
            args: player.args.iter().map(|argument| harmless(argument)).collect(),
            dir: text(&player.dir),
            options: player.options.keys().map(|name| harmless(name)).collect(),
            env: player.env.keys().cloned().collect(),
            contact: text(&player.contact),
        }
    });
    let document = RosterJson {
        schema: 1,
        event: harmless(event),
        is_as_locked: locked,
        players: entries.collect(),
    };
    serde_json::to_string_pretty(&document).expect("plain data") + "\n"
}

#[derive(Serialize)]
struct RosterJson {
    schema: u32,
    event: String,
    is_as_locked: Option<bool>,
    players: Vec<RosterPlayerJson>,
}

#[derive(Serialize)]
struct RosterPlayerJson {
    pairing_number: u32,
    name: String,
    /// As written; a player may be in one by its rating alone.
    section: Option<String>,
    team: Option<String>,
    author: Option<String>,
    rating: Option<i32>,
    unrated: bool,
    house: bool,
    submitted_at: Option<String>,
    command: String,
    args: Vec<String>,
    dir: Option<String>,
    /// Names alone.
    options: Vec<String>,
    /// Names alone.
    env: Vec<String>,
    contact: Option<String>,
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;

    #[test]
    fn the_roster_as_a_table_and_as_json() {
        let player = |name: &str| PlayerKeys {
            name: name.to_owned(),
            command: "engine".to_owned(),
            ..PlayerKeys::default()
        };
        let players = [
            PlayerKeys {
                rating: Some(2000),
                unrated: true,
                contact: Some("a@example.org".to_owned()),
                env: [("API_KEY".to_owned(), "secret".to_owned())].into(),
                ..player("Alpha")
            },
            PlayerKeys {
                rating: Some(1800),
                ..player("Bravo\u{1b}[31m")
            },
        ];
        let notes = vec!["Not locked.".to_owned()];
        assert_snapshot!(page("Spring", &players, &[1, 0], notes).text(None), @"
        Spring: 2 players

        No.  Name       Rating  Command  Contact        Flags
        ───────────────────────────────────────────────────────
          1  Bravo[31m    1800  engine
          2  Alpha        2000  engine   a@example.org  unrated

        Not locked.
        ");
        let json = json("Spring", &players, &[1, 0], None);
        assert!(!json.contains("secret") && json.contains("API_KEY"), "{json}");
        assert!(json.contains("\"unrated\": true"), "{json}");
    }
}
