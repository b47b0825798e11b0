//! Games as players and results: PGN without moves, for programs that rate players.
//!
//! Ordo 1.2 looks for the tags `White`, `Black` and `Result` line by line, takes a name as it stands between `"` and the first `"]`, and
//! has room for 1023 bytes of it. BayesElo 0057 needs a result after the tags, since it takes tags that follow one another for those of one
//! game, and keeps 63 bytes of a name. Both would count games that nobody played.
//!
//! May not: decide which games count.

use std::collections::BTreeSet;

use swiss_system::count;
use swiss_system::pairing::history::PairingNumber;

use super::untrusted::name;
use swissmatch_tournament::collected::{NotCounted, counts};
use swissmatch_tournament::state::{EndedGame, State};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// By M. A. Ballicora.
    Ordo,
    /// By R. Coulom.
    BayesElo,
}

impl Program {
    /// Bytes of a name that the program keeps.
    const fn longest_name(self) -> usize {
        match self {
            Self::Ordo => 1023,
            Self::BayesElo => 63,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultsPgn {
    pub text: String,
    /// A sentence on the games that are left out; `None` if there are none.
    pub left_out: Option<String>,
}

/// The games that count, each as the arbiter ruled it.
pub fn results(state: &State, games: &[EndedGame], program: Program) -> ResultsPgn {
    let names = names(state, program);
    let of = |player: PairingNumber| names[player.index()].as_str();
    let mut text = String::with_capacity(games.len() * 96);
    let [mut annulled, mut lost_by_both, mut not_played] = [0_u64; 3];
    for game in games {
        match counts(game) {
            Ok(_) => {}
            Err(why) => {
                *match why {
                    NotCounted::Annulled => &mut annulled,
                    NotCounted::LostByBoth => &mut lost_by_both,
                    NotCounted::NotPlayed => &mut not_played,
                } += 1;
                continue;
            }
        }
        let finished = &game.finished;
        let (id, result) = (finished.id, game.outcome().pgn());
        let (white, black) = (of(finished.white), of(finished.black));
        text += &format!(
            "[Round \"{id}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n{result}\n\n"
        );
    }
    let kinds = [
        (annulled, "annulled"),
        (lost_by_both, "lost by both players"),
        (not_played, "forfeited without being played"),
    ];
    let kinds = kinds.iter().filter(|(games, _)| *games > 0);
    let kinds: Vec<String> = kinds
        .map(|(games, kind)| format!("{} {kind}", count::of(*games, "game", "games")))
        .collect();
    ResultsPgn {
        text,
        left_out: (!kinds.is_empty()).then(|| format!("left out: {}", kinds.join(", "))),
    }
}

/// The names by pairing number: without quotes or backslashes, not too long, and all different.
fn names(state: &State, program: Program) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let plain = |c: char| match c {
        '"' => '\'',
        '\\' => '/',
        c => c,
    };
    let numbers = state.numbers();
    let names = numbers.map(|number| {
        let whole: String = name(state, number).chars().map(plain).collect();
        let mut name = cut(whole.trim(), program.longest_name()).to_owned();
        let mut other = 2;
        while !taken.insert(name.clone()) {
            let mark = format!(" ({other})");
            name = cut(whole.trim(), program.longest_name() - mark.len()).to_owned() + &mark;
            other += 1;
        }
        name
    });
    names.collect()
}

/// As much of a name as fits, in bytes.
fn cut(name: &str, most: usize) -> &str {
    name[..name.floor_char_boundary(most)].trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use swissmatch_game::termination::Outcome;

    fn of(state: &State, program: Program) -> ResultsPgn {
        let games: Vec<EndedGame> = state.finished_games().collect();
        results(state, &games, program)
    }

    #[test]
    fn games_are_their_players_and_results() {
        let state = fixture::over();
        let ResultsPgn { text, left_out } = of(&state, Program::Ordo);
        let first =
            "[Round \"1.1.1\"]\n[White \"Alpha\"]\n[Black \"Charlie\"]\n[Result \"1-0\"]\n\n1-0\n\n[Round \"1.1.2\"]\n";
        assert!(text.starts_with(first), "{text}");
        let all = state.finished_games().count();
        let counted = state.finished_games().filter(|game| counts(game).is_ok()).count();
        assert_eq!(text.matches("[Result ").count(), counted);
        assert_eq!(left_out.is_some(), counted < all);
        assert_eq!(of(&state, Program::BayesElo).text, text);
        assert!(!text.contains(Outcome::Void.pgn()), "{text}");
    }

    #[test]
    fn names_are_plain_short_and_different() {
        let long = "x".repeat(70);
        let state = fixture::with_names([
            &format!("{long}a"),
            &format!("{long}b"),
            "say \"hi\"]",
            "say 'hi']",
            "back\\slash",
        ]);
        let of = |program| names(&state, program);
        let mut bayeselo = of(Program::BayesElo);
        assert!(bayeselo.iter().all(|name| name.len() <= 63));
        bayeselo.sort();
        let end = |name: &String| name.trim_start_matches('x').to_owned();
        let ends: Vec<String> = bayeselo.iter().map(end).collect();
        assert_eq!(ends, ["back/slash", "say 'hi']", "say 'hi'] (2)", " (2)", ""]);
        let ordo = of(Program::Ordo);
        assert!(ordo.contains(&format!("{long}b")), "{ordo:?}");
    }
}
