//! What counts, what does not, and why.

use super::*;
use swissmatch_game::pgn_results::{Depth, UsableGame, read};

/// A game of a file, from one of a few openings.
fn game(round: u32, players: [&str; 2], result: &str, more: &str, moves: &str) -> String {
    let [white, black] = players;
    format!(
        "[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n{more}\n{moves} {result}\n\n"
    )
}

fn add(collection: &mut Collection, file: &str, text: &str) {
    let (mut rows, mut unusable) = (Vec::new(), Vec::new());
    let each = |game: Result<UsableGame, _>| match game {
        Ok(game) => rows.push(game.row),
        Err(why) => unusable.push(why),
    };
    read(text.as_bytes(), Depth::Moves, &mut collection.names, each).expect("a text");
    collection.add_file(file, &rows, &[], unusable.len() as u64, unusable);
}

fn collected(text: &str) -> Collection {
    let mut collection = Collection::default();
    add(&mut collection, "a.pgn", text);
    collection
}

#[test]
fn pairs_are_counted_together_and_others_alone() {
    let text = [
        game(1, ["A", "B"], "1-0", "", "1. e4 {book} e5"),
        game(1, ["B", "A"], "1/2-1/2", "", "1. e4 {book} c5"),
        game(2, ["B", "A"], "0-1", "", "1. d4 {book} d5"),
        game(3, ["A", "C"], "0-1", "", "1. c4 {book} c5"),
    ];
    let collection = collected(&text.concat());
    let games = collection.games(GameFilter::All);
    let mut counts = [[0; 3]; 3];
    // Won with White, drew with Black.
    counts[0][1] = 1;
    let pairs = GamePairs {
        players: [0, 1],
        counts,
    };
    let single = |white, black| Meeting {
        white,
        black,
        losses: 1,
        ..Meeting::default()
    };
    assert_eq!(games.players, 3);
    assert_eq!(games.pairs, [pairs]);
    assert_eq!(games.single, [single(0, 2), single(1, 0)]);
    assert_eq!(collection.number_of("C"), Some(2));
    assert_eq!(collection.number_of("D"), None);
    assert_eq!(collection.sources()[0].games, 4);
}

#[test]
fn a_pair_with_a_fault_leaves_its_other_game_alone() {
    let time = "[Termination \"time forfeit\"]";
    let text = [
        game(1, ["A", "B"], "1-0", time, "1. e4 {book} e5"),
        game(1, ["B", "A"], "1-0", "", "1. e4 {book} c5"),
    ];
    let collection = collected(&text.concat());
    assert_eq!(collection.faulty_games(), 1);
    let [a, b] = collection.players()[..] else {
        panic!("two players")
    };
    assert_eq!((collection.faults_of(a), collection.faults_of(b)), (0, 1));
    assert_eq!(collection.games(GameFilter::All).pairs.len(), 1);
    let without = collection.games(GameFilter::WithoutFaults);
    let alone = Meeting {
        white: 1,
        black: 0,
        wins: 1,
        ..Meeting::default()
    };
    assert_eq!(
        (without.players, without.pairs, without.single),
        (2, Vec::new(), vec![alone])
    );
}

#[test]
fn what_does_not_count_is_counted_by_why() {
    let text = [
        game(1, ["A", "B"], "*", "", "1. e4 e5"),
        game(2, ["A", "A"], "1-0", "", "1. e4 e5"),
        game(3, ["A", "B"], "1-0", "[Termination \"unplayed\"]", ""),
        game(4, ["A", "B"], "1-0", "", "1. e4 e5"),
    ];
    let mut collection = collected(&text.concat());
    for _ in 0..6 {
        add(&mut collection, "b.pgn", &text[1]);
    }
    let left_out = collection.left_out();
    assert_eq!((left_out.unfinished, left_out.unusable), (1, 7));
    assert_eq!(collection.unusable().len(), KEPT_UNUSABLE);
    let files: Vec<&str> = collection.unusable().iter().map(|game| game.file.as_str()).collect();
    assert_eq!(files, ["a.pgn", "b.pgn", "b.pgn", "b.pgn", "b.pgn"]);
    assert_eq!(collection.unusable()[0].game.line, 8);
}

#[test]
fn games_of_the_same_players_with_the_same_moves_are_duplicates() {
    let text = [
        game(1, ["A", "B"], "1-0", "", "1. e4 e5"),
        game(2, ["B", "A"], "1-0", "", "1. e4 e5"),
        game(3, ["A", "C"], "1-0", "", "1. e4 e5"),
        game(4, ["A", "B"], "1-0", "", "1. d4 e5"),
    ];
    let mut collection = collected(&text.concat());
    assert_eq!(collection.duplicates(), 1);
    add(&mut collection, "b.pgn", &text[2]);
    assert_eq!(collection.duplicates(), 2);
}
