//! Players who are kept apart do not play at two boards at the same time: the game of one waits for the other's.

use std::collections::BTreeSet;

use swissmatch::game::record::GameId;
use swissmatch::game::termination::Outcome;
use swissmatch::tournament::schedule::next_for_slot;

use super::{Played, game, setup};

/// Slots, more than there are games.
const SLOTS: usize = 9;

/// Six players with these authors, in a round of two games a board.
fn event(keep_apart: &str, authors: [&str; 6]) -> Played {
    let keys = format!(
        "[swiss]\nrounds = 1\nkeep_apart = {keep_apart}\n[mini_match]\ngames = 2\nopenings = \"none\"\n[run]\n"
    );
    let mut setup = setup("global-chess-challenge", &keys, 6);
    for (player, author) in setup.players.iter_mut().zip(authors) {
        player.author = (!author.is_empty()).then(|| author.to_owned());
    }
    let mut event = Played::new(setup);
    assert!(event.advance().expect("a pairing"));
    event
}

/// Fills the slots that are free.
fn hand_out(event: &Played, playing: &mut BTreeSet<GameId>) {
    while playing.len() < SLOTS
        && let Some(id) = next_for_slot(&event.state, playing, playing, None)
    {
        playing.insert(id);
    }
}

fn author(event: &Played, id: GameId) -> Vec<String> {
    let board = event.state.mini_match(id).expect("a board");
    let two = [board.pair.white, board.pair.black];
    let authors = two.map(|player| event.state.player(player).author.clone());
    authors.into_iter().flatten().collect()
}

#[test]
fn no_two_of_one_author_are_at_two_boards_and_all_games_are_played() {
    // Each of the three boards holds back another one, and the first both others.
    let mut event = event("[\"author\"]", ["X", "X", "Y", "Y", "Z", "Z"]);
    let (mut playing, mut played) = (BTreeSet::new(), 0);
    loop {
        hand_out(&event, &mut playing);
        for (one, other) in playing
            .iter()
            .flat_map(|one| playing.iter().map(move |other| (one, other)))
        {
            let alike = || {
                author(&event, *one)
                    .iter()
                    .any(|name| author(&event, *other).contains(name))
            };
            assert!(one.board == other.board || !alike(), "{one} and {other}");
        }
        let Some(first) = playing.pop_first() else { break };
        event.finish(first, Outcome::Draw);
        played += 1;
    }
    assert_eq!(played, 6);
}

#[test]
fn a_game_waits_for_another_board_and_not_for_its_own_or_for_the_log() {
    let event = event("[\"author\"]", ["X", "X", "", "", "", ""]);
    let boards: Vec<u32> = event
        .state
        .due()
        .filter(|(id, _)| id.game == 1 && !author(&event, *id).is_empty())
        .map(|(id, _)| id.board)
        .collect();
    let [one, other] = boards[..] else { panic!("{boards:?}") };
    let mut playing = BTreeSet::from([game(1, one, 1)]);
    hand_out(&event, &mut playing);
    let held_back = |playing: &BTreeSet<GameId>| playing.iter().all(|id| id.board != other);
    assert!(held_back(&playing) && playing.contains(&game(1, one, 2)), "{playing:?}");
    assert_eq!(playing.len(), 4, "two games each of two boards");
    // What is over and waits to be in the log keeps nobody.
    let next = next_for_slot(&event.state, &playing, &BTreeSet::new(), None);
    assert_eq!(next.map(|id| id.board), Some(other));
}

#[test]
fn nobody_waits_where_nobody_is_kept_apart() {
    let event = event("[]", ["X"; 6]);
    let mut playing = BTreeSet::new();
    hand_out(&event, &mut playing);
    assert_eq!(playing.len(), 6);
}
