//! A few lines after a round: the first places, the byes, and who is out.
//!
//! May not: print.

use swiss_system::count;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::standings::criterion::Score;
use swiss_system::standings::{Standings, StandingsRow};
use swiss_system::text::harmless;

use super::{byes, explain};
use swissmatch_tournament::part_events::parts_after;
use swissmatch_tournament::ranking::standings_after;
use swissmatch_tournament::state::State;

const PLACES: u32 = 5;
/// Most names given of players who share a place, have a bye or were not paired.
const NAMED: usize = 4;

/// The first places, one line each, with the points that rank: `1. Alpha (2.5)`. Players who share a place share a line.
pub fn places(state: &State, standings: &Standings) -> Vec<String> {
    let places = standings.rows.chunk_by(|one, other| one.place == other.place);
    let first = places.take_while(|rows| rows.first().is_some_and(|row| row.place <= PLACES));
    first.map(|rows| place(state, rows)).collect()
}

/// The first places of each part that played round `round` of the event, from 1: the part's name, then its places.
pub fn places_of_parts(state: &State, round: usize) -> Vec<String> {
    let parts = parts_after(state, round).into_iter();
    let played = parts.filter(|(part, ..)| part.has_round(round - 1));
    let lines = played.flat_map(|(part, event, rounds)| {
        let places = places(&event, &standings_after(&event, rounds));
        let places = places.into_iter().map(|place| format!("  {place}"));
        std::iter::once(harmless(&part.to_string())).chain(places)
    });
    lines.collect()
}

fn place(state: &State, rows: &[StandingsRow]) -> String {
    let points = |row: &StandingsRow| match state.setup().standings.rules().primary() {
        Score::Match => row.points,
        Score::Game => row.game_points,
    };
    let name = |row: &StandingsRow| state.player(row.player).name.clone();
    let first = points(&rows[0]);
    let told = match rows.iter().all(|row| points(row) == first) {
        true => format!("{} ({first})", some(rows.iter().map(name).collect())),
        // Players who are out of a knockout in the same round.
        false => some(
            rows.iter()
                .map(|row| format!("{} ({})", name(row), points(row)))
                .collect(),
        ),
    };
    format!("{}. {told}", rows[0].place)
}

/// The players who did not play in a round, from 1: a line for the pairing-allocated byes, and one for those not paired, with the reason.
pub fn sat_out(state: &State, round: usize) -> Vec<String> {
    let Some(played) = state.rounds().get(round - 1) else {
        return Vec::new();
    };
    let name = |player: PairingNumber| state.player(player).name.as_str();
    let pairing = &played.pairing;
    let byes = pairing.byes();
    let byes = byes.map(|player| name(player).to_owned() + byes::note(state, pairing, player));
    let out = played.out.iter();
    let out = out.map(|(player, out)| format!("{} ({})", name(*player), explain::why_out(*out)));
    let kinds: [(&str, Vec<String>); 2] = [("bye", byes.collect()), ("not paired", out.collect())];
    let kinds = kinds.into_iter().filter(|(_, names)| !names.is_empty());
    kinds.map(|(kind, names)| format!("{kind}: {}", some(names))).collect()
}

/// The first of several names, and how many more there are.
pub(super) fn some(mut names: Vec<String>) -> String {
    let more = names.len().saturating_sub(NAMED);
    if more > 1 {
        names.truncate(NAMED);
        return format!("{} and {}", names.join(", "), count::of(more, "other", "others"));
    }
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;
    use swiss_system::standings::criterion::Code;

    #[test]
    fn first_places_with_who_shares_them() {
        let state = fixture::over();
        let expected = [
            "1. Alpha (2)",
            "2. Bravo (1.5)",
            "3. Charlie (1.5)",
            "4. Delta (1.5)",
            "5. Echo (1)",
        ];
        assert_eq!(places(&state, &standings_after(&state, 3)), expected);
        assert_eq!(sat_out(&state, 3), ["bye: Bravo"]);
        let state = fixture::over_with(|setup| {
            setup.standings.order = vec![Code::GamePoints.into()];
        });
        let first = places(&state, &standings_after(&state, 3)).swap_remove(0);
        assert_eq!(first, "1. Bravo, Alpha (3.5)", "game points where they rank");
        let mut shared = standings_after(&state, 3);
        shared.rows.iter_mut().for_each(|row| row.place = 1);
        shared.rows.truncate(2);
        shared.rows[1].game_points = shared.rows[1].points;
        assert_eq!(places(&state, &shared), ["1. Bravo (3.5), Alpha (2)"]);
        let state = fixture::of_players(9, |_| ());
        assert_eq!(
            places(&state, &standings_after(&state, 0)),
            ["1. Player 1, Player 2, Player 3, Player 4 and 5 others (0)"]
        );
    }

    #[test]
    fn a_long_list_is_cut_and_counted() {
        let names = |count: usize| (1..=count).map(|number| number.to_string()).collect();
        assert_eq!(some(names(5)), "1, 2, 3, 4, 5");
        assert_eq!(some(names(6)), "1, 2, 3, 4 and 2 others");
    }
}
