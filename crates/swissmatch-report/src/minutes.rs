//! The minutes of an event: each act by hand, with who did it, when, why, and its effects.
//!
//! Made from the log alone. The effect of an act on the standings is found by comparing them before and after it.
//!
//! May not: judge an act; tell anything that is not in the log.

mod words;

#[cfg(test)]
mod tests;

use serde::Serialize;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::pairing::rounds::TournamentFormat;
use swiss_system::score::Points;
use swissmatch_tournament::part::{Part, parts_of};
use swissmatch_tournament::part_events::event_of_part;
use swissmatch_tournament::ranking::standings_after;

use swissmatch_tournament::log::{Act, Entry, TourEvent};
use swissmatch_tournament::state::{BrokenLogError, State};
use swissmatch_tournament::tour_run;

use swiss_system::text::harmless;

use super::interruptions;
use super::moment::spoken;
use super::untrusted;

/// Version of the JSON's shape.
const SCHEMA: u32 = 1;
/// Kinds of entries that appear in the minutes.
pub const KINDS: [&str; 4] = ["acted", "decided", "presence-checked", "interrupted"];
/// Most players with a new place that the text names; the JSON has all.
const NAMED: usize = 12;

/// Something that was done by hand, or found before a round was paired.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Minute {
    /// When it was kept in the log, RFC 3339 in UTC.
    pub at: String,
    /// What was going on, such as `round 3 was being played (5 of 8 games finished)`.
    pub during: String,
    /// Who did it; `None`: the runner, which asked who is there.
    pub by: Option<String>,
    /// What was done, as the end of a sentence that begins with who did it.
    pub what: String,
    /// The reason; `None` for what the runner found.
    pub reason: Option<String>,
    /// When it took effect, as sentences.
    pub effect: Vec<String>,
    /// Players whose place or points it changed, in the order of the standings after it.
    pub moved: Vec<PlaceChange>,
    /// Whether it is about results, so that it is worth telling even if nobody's place changed.
    #[serde(skip)]
    pub is_of_results: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlaceChange {
    pub player: String,
    pub number: PairingNumber,
    /// `None` if the player was not on the list.
    pub before: Option<Standing>,
    /// `None` if the player is no longer on the list.
    pub after: Option<Standing>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// From 1.
    pub place: u32,
    /// `None` in a tour, where no act changes them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<Points>,
    /// Where a mini-match has several games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game_points: Option<Points>,
}

/// The minutes of a log, whose entries each have the time at which they were kept.
///
/// # Errors
/// When the entries are no event's history.
pub fn of_log(entries: &[(&str, &Entry)]) -> Result<Vec<Minute>, BrokenLogError> {
    let mut minutes = Vec::new();
    let Some((&(_, created), mut rest)) = entries.split_first() else {
        return Err(BrokenLogError::Created);
    };
    let mut state = State::fold([created])?;
    while let Some((&(at, entry), later)) = rest.split_first() {
        rest = later;
        let Some(told) = told(entry, &state) else {
            state.apply(entry)?;
            continue;
        };
        let before = state.clone();
        state.apply(entry)?;
        // The result of an adjudicated game is the entry after the act.
        if let (Some(game), Some((&(_, ended @ Entry::GameFinished(finished)), later))) =
            (adjudicated(entry), rest.split_first())
            && finished.id == game
        {
            state.apply(ended)?;
            rest = later;
        }
        let mut effect = told.effect;
        effect.extend(words::became_of(entry, &before, rest));
        minutes.push(Minute {
            at: at.to_owned(),
            during: words::during(&before),
            by: told.by.map(harmless),
            what: harmless(&told.what),
            reason: told.reason.map(harmless),
            effect: effect.iter().map(|sentence| harmless(sentence)).collect(),
            moved: moved(&before, &state),
            is_of_results: is_of_results(entry, &before),
        });
    }
    Ok(minutes)
}

/// The part of a minute that its entry gives by itself.
struct MinuteText<'a> {
    by: Option<&'a str>,
    what: String,
    reason: Option<&'a str>,
    effect: Vec<String>,
}

/// The minute of an entry; `None` for what happens by itself.
fn told<'a>(entry: &'a Entry, before: &State) -> Option<MinuteText<'a>> {
    match entry {
        Entry::Acted(acted) => Some(MinuteText {
            by: Some(&acted.by),
            what: acted.done(before),
            reason: Some(&acted.reason),
            effect: vec![acted.act.takes_effect(before)],
        }),
        Entry::Decided(decided) => Some(MinuteText {
            by: Some(&decided.by),
            what: words::decided(decided, before),
            reason: Some(&decided.reason),
            effect: vec!["It took effect at once.".to_owned()],
        }),
        Entry::PresenceChecked(checked) => Some(MinuteText {
            by: None,
            what: words::presence(checked, before),
            reason: None,
            effect: match checked.absent.is_empty() {
                true => Vec::new(),
                false => vec![format!(
                    "Whoever was absent is not paired in round {}, unless noted as present before then.",
                    checked.round
                )],
            },
        }),
        Entry::Interrupted(interrupted) => Some(MinuteText {
            by: None,
            what: interruptions::sentence(interrupted),
            reason: None,
            effect: Vec::new(),
        }),
        _ => None,
    }
}

fn adjudicated(entry: &Entry) -> Option<swissmatch_game::record::GameId> {
    match entry {
        Entry::Acted(acted) => match acted.act {
            Act::Adjudicate { game, .. } => Some(game),
            _ => None,
        },
        _ => None,
    }
}

fn is_of_results(entry: &Entry, before: &State) -> bool {
    let Entry::Acted(acted) = entry else {
        return matches!(entry, Entry::Decided(_));
    };
    match acted.act {
        Act::Replay { .. }
        | Act::Void { .. }
        | Act::SetResult { .. }
        | Act::Adjudicate { .. }
        | Act::Disqualify { .. } => true,
        Act::AwardBye { round, .. } => round as usize <= before.rounds().len(),
        _ => false,
    }
}

/// Everybody on the list, best first, by all that is known, including games of a round that is being played.
fn table(state: &State) -> Vec<(PairingNumber, Standing)> {
    if let Some(events) = &state.created().tour {
        return of_tour(state, events);
    }
    if matches!(
        state.created().format,
        TournamentFormat::Sections | TournamentFormat::Quads
    ) {
        // No player of one section is ranked before or after another section.
        let of_part = |part: Part| {
            let own = table(&event_of_part(state, &part));
            let players = part.players;
            own.into_iter()
                .map(move |(own, standing)| (players[own.index()], standing))
        };
        return parts_of(state).into_iter().flat_map(of_part).collect();
    }
    let standings = standings_after(state, state.rounds().len());
    let has_several = state.setup().mini_match.games > 1;
    let rows = standings.rows.iter().map(|row| {
        let standing = Standing {
            place: row.place,
            points: Some(row.points),
            game_points: has_several.then_some(row.game_points),
        };
        (row.player, standing)
    });
    rows.collect()
}

/// The overall standings of a tour, for those of its players who play here; only they can move.
fn of_tour(state: &State, events: &[TourEvent]) -> Vec<(PairingNumber, Standing)> {
    let overall = tour_run::overall_of_run(state, events).expect("the fold refuses what is no tour");
    let standing = |place| Standing {
        place,
        points: None,
        game_points: None,
    };
    let rows = overall.rows.iter().filter_map(|row| {
        let number = state.numbers().find(|number| state.player(*number).name == row.name)?;
        Some((number, standing(row.place)))
    });
    rows.collect()
}

/// Lines on the players whose place or points changed by several acts on results.
pub fn changes(before: &State, after: &State) -> Vec<String> {
    words::changes(&moved(before, after), usize::MAX)
}

fn moved(before: &State, after: &State) -> Vec<PlaceChange> {
    let (old, new) = (table(before), table(after));
    let find = |table: &[(PairingNumber, Standing)], player| {
        let of_player = table.iter().find(|(of, _)| *of == player);
        of_player.map(|(_, standing)| *standing)
    };
    let listed = new.iter().map(|(player, _)| *player);
    let gone = old
        .iter()
        .map(|(player, _)| *player)
        .filter(|&player| find(&new, player).is_none());
    let all = listed.chain(gone).map(|number| PlaceChange {
        player: untrusted::name(after, number),
        number,
        before: find(&old, number),
        after: find(&new, number),
    });
    all.filter(|moved| moved.before != moved.after).collect()
}

/// The minutes as paragraphs: the time of each, and its lines.
pub(super) fn paragraphs(minutes: &[Minute]) -> impl Iterator<Item = (String, Vec<String>)> {
    minutes.iter().map(|entry| {
        let heading = format!("{}: {}.", spoken(&entry.at), entry.during);
        (heading, words::lines(entry, NAMED))
    })
}

/// The minutes for people, in numbered paragraphs.
pub fn text(state: &State, minutes: &[Minute]) -> String {
    let mut text = format!("Minutes of {}\n", untrusted::event(state));
    if minutes.is_empty() {
        text.push_str("\nNothing was done by hand.\n");
    }
    for (number, (heading, lines)) in (1..).zip(paragraphs(minutes)) {
        text += &format!("\n{number}. {heading}\n");
        for line in lines {
            text += &format!("   {line}\n");
        }
    }
    text
}

pub fn json(state: &State, minutes: &[Minute]) -> String {
    let document = serde_json::json!({
        "schema": SCHEMA,
        "event": state.setup().event.name,
        "minutes": minutes,
    });
    serde_json::to_string_pretty(&document).expect("plain data") + "\n"
}
