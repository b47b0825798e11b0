//! Who plays whom in a round of a ladder, written as an order of the players: a Swiss of one round makes just these pairs of it.
//!
//! May not: touch files.

use swiss_system::lot;
use swiss_system::pairing::nearest::{RECENT, RecentMeeting, pairs};

use crate::league::builds::Settings;
use swissmatch_host::store::sha256;
use swissmatch_report::nights::History;
use swissmatch_report::nights::ladder::{met_lately, middle, rounds_out, whites};
use swissmatch_tournament::setup::{LadderRating, ModelKeys, PlayerKeys, Setup};

/// The order of the pairing numbers that has those meet who are to meet, of players with these ratings in the round of this number;
/// `players` are in the order of their names, and so is what is given back numbered.
///
/// By C.04.3 player k of 2n meets player n + k in the first round, the odd numbers have White, and where their number is odd the last one
/// sits out.
pub(super) fn order(
    history: &History,
    setup: &Setup,
    players: &[PlayerKeys],
    ratings: &[Option<LadderRating>],
    number: u32,
) -> Vec<usize> {
    let fixed = &setup.ladder.fixed;
    let middle = middle(fixed.values().copied());
    let rating = |player: usize| match (&ratings[player], players[player].rating()) {
        (Some(rated), _) => rated.rating,
        (None, listed) => listed.unwrap_or(middle),
    };
    let name = |player: usize| players[player].name.as_str();
    let mut lots = vec![0; players.len()];
    for (lot, player) in lot::order(setup.event.rng_seed, &format!("ladder {number}"), players.len())
        .into_iter()
        .enumerate()
    {
        lots[player] = lot;
    }
    let mut sorted: Vec<usize> = (0..players.len()).collect();
    sorted.sort_by_key(|player| (std::cmp::Reverse(rating(*player)), lots[*player]));
    let out = (!sorted.len().is_multiple_of(2)).then(|| {
        // Whoever sat out least; of those one whose rating does not move; of those the lowest.
        let by = |place: &usize| {
            let player = sorted[*place];
            let is_fixed = fixed.contains_key(name(player));
            (rounds_out(history, name(player)), !is_fixed, std::cmp::Reverse(*place))
        };
        let place = (0..sorted.len()).min_by_key(by).expect("there is somebody");
        sorted.remove(place)
    });
    let place_of = |wanted: &str| sorted.iter().position(|player| name(*player) == wanted);
    let met: Vec<RecentMeeting> = met_lately(history, RECENT)
        .filter_map(|([one, other], ago)| {
            Some(RecentMeeting {
                players: [place_of(one)?, place_of(other)?],
                ago,
            })
        })
        .collect();
    let of_places: Vec<i32> = sorted.iter().map(|player| rating(*player)).collect();
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for (board, pair) in pairs(&of_places, &met).into_iter().enumerate() {
        let mut pair = pair.map(|place| sorted[place]);
        // White goes to whoever had it less.
        pair.sort_by_key(|player| (whites(history, name(*player)), lots[*player]));
        let [white, black] = pair;
        let (one, other) = if board.is_multiple_of(2) {
            (white, black)
        } else {
            (black, white)
        };
        first.push(one);
        second.push(other);
    }
    first.into_iter().chain(second).chain(out).collect()
}

/// What plays for a player that handed it in, as a history has it: the same archive of that player under the same keys, whenever it came;
/// `None` of others.
pub(super) fn build_of_submission(player: &PlayerKeys, setup: &Setup) -> Option<String> {
    let archive = &player.submission.as_ref()?.archive;
    let keys = &setup.submissions;
    // What the contract says by itself.
    let alone = PlayerKeys {
        keep_alive: false,
        says_ready: false,
        args: Vec::new(),
        move_command: Vec::new(),
        model: keys.model.clone(),
        model_keys: ModelKeys {
            prompt: None,
            ..player.model_keys.clone()
        },
        dir: None,
        submission: None,
        ladder: None,
        ..player.clone()
    };
    let settings = Settings::of(&alone, setup).text();
    let all = serde_json::to_string(&(
        &player.name,
        archive,
        &keys.contract,
        &keys.entry,
        &keys.function,
        settings,
    ));
    let mut all = all.expect("plain data");
    // Another library is another version.
    if let Some(packages) = &keys.packages {
        all += &serde_json::to_string(packages).expect("plain data");
    }
    Some(sha256(all.as_bytes()))
}

#[cfg(test)]
mod tests;
