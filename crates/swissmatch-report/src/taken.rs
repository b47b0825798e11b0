//! Games that were taken from earlier runs instead of being played again, in words.
//!
//! May not: look into those runs.

use swissmatch_tournament::state::{EndedGame, State};

/// The number of games of a run that were taken from earlier runs.
pub fn count(state: &State) -> usize {
    state.finished_games().filter(is_taken).count()
}

/// A line on them without its full stop; `None` if there are none.
pub fn line(state: &State) -> Option<String> {
    sentence(count(state), state.finished_games().count())
}

/// The number of games of a mini-match that were taken, as the end of its line; empty if there are none.
pub fn of_mini_match(games: impl Iterator<Item = EndedGame>) -> String {
    let counted = games.fold((0, 0), |(taken, all), game| {
        (taken + usize::from(is_taken(&game)), all + 1)
    });
    match counted {
        (0, _) => String::new(),
        (1, 1) => " (taken from an earlier run)".to_owned(),
        (taken, all) if taken == all => " (all taken from earlier runs)".to_owned(),
        (taken, all) => format!(" ({taken} of {all} taken from earlier runs)"),
    }
}

fn sentence(taken: usize, all: usize) -> Option<String> {
    match (taken, all) {
        (0, _) => None,
        (1, 1) => Some("the only game was taken from an earlier run".to_owned()),
        (1, all) => Some(format!("1 of {all} games was taken from an earlier run")),
        (taken, all) => Some(format!("{taken} of {all} games were taken from earlier runs")),
    }
}

const fn is_taken(game: &EndedGame) -> bool {
    game.finished.is_taken
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use swissmatch_game::termination::{Outcome, Termination};

    #[test]
    fn they_are_counted_in_words() {
        let game = |number, is_taken| {
            let mut game = fixture::finished((1, 1, number), (1, 2), Outcome::Draw, Termination::Stalemate);
            game.finished.is_taken = is_taken;
            game
        };
        let of = |taken: &[bool]| of_mini_match((1..).zip(taken).map(|(number, taken)| game(number, *taken)));
        assert_eq!(of(&[false, false]), "");
        assert_eq!(of(&[true]), " (taken from an earlier run)");
        assert_eq!(of(&[true, true]), " (all taken from earlier runs)");
        assert_eq!(of(&[false, true]), " (1 of 2 taken from earlier runs)");
        let all = [(0, 4), (1, 1), (1, 4), (4, 4)].map(|(taken, all)| sentence(taken, all).unwrap_or_default());
        assert_eq!(
            all,
            [
                "",
                "the only game was taken from an earlier run",
                "1 of 4 games was taken from an earlier run",
                "4 of 4 games were taken from earlier runs",
            ]
        );
    }
}
