//! Effects of a machine that is too busy: answers that came after their limit and counted as in time all the same, because the machine had
//! taken the time.
//!
//! May not: read records.

use serde::Serialize;
use swiss_system::count;

use swissmatch_game::record::GameId;
use swissmatch_tournament::setup::Setup;
use swissmatch_tournament::state::{EndedGame, State};

/// If it happened in more than one of this many games, the machine is too busy for the limit.
const OFTEN: usize = 20;

/// Answers that counted as in time because of doubt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Machine {
    pub answers: u32,
    /// Games with such answers.
    pub games: usize,
    /// Games that were played.
    pub of_games: usize,
    pub too_busy: bool,
    /// The first game with such an answer.
    #[serde(skip)]
    pub first: Option<GameId>,
    #[serde(skip)]
    pub one_by_one: bool,
}

impl Machine {
    /// Counts in these games; `None` without such an answer.
    pub fn of(games: impl Iterator<Item = EndedGame>, setup: &Setup) -> Option<Self> {
        let mut machine = Self {
            one_by_one: setup.run.concurrency == Some(1),
            ..Self::default()
        };
        for game in games.filter(|game| game.finished.has_record) {
            let answers = game.finished.in_doubt[0] + game.finished.in_doubt[1];
            machine.answers += answers;
            machine.games += usize::from(answers > 0);
            machine.first = machine.first.or((answers > 0).then_some(game.finished.id));
            machine.of_games += 1;
        }
        machine.too_busy = machine.games * OFTEN > machine.of_games;
        (machine.answers > 0).then_some(machine)
    }

    /// Counts in all games of a run.
    pub fn of_run(state: &State) -> Option<Self> {
        Self::of(state.finished_games(), state.setup())
    }

    /// As a sentence without its full stop.
    pub fn sentence(self) -> String {
        let Self {
            answers,
            games,
            of_games,
            too_busy,
            first,
            one_by_one,
        } = self;
        let first = first.map_or_else(String::new, |first| format!(" (`explain game {first}`)"));
        let answers = count::of(answers as usize, "answer", "answers");
        let of_games = count::of(of_games, "game", "games");
        let advice = match (too_busy, one_by_one) {
            (true, false) => {
                "; this machine is too busy for this limit: play fewer games at once (run.concurrency), or allow more time"
            }
            (true, true) => "; this machine is too busy for this limit: allow more time",
            (false, _) => "",
        };
        format!(
            "{answers} in {games} of {of_games} came after the limit, but in time after allowing for the machine{first}{advice}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use swissmatch_game::termination::{Outcome, Termination};

    #[test]
    fn often_is_more_than_one_game_in_twenty() {
        let game = |number: u32, in_doubt| {
            let mut game = fixture::finished((1, 1, number), (1, 2), Outcome::Draw, Termination::Stalemate);
            (game.finished.in_doubt, game.finished.has_record) = (in_doubt, true);
            game
        };
        let mut games: Vec<_> = (1..=20).map(|number| game(number, [0, 0])).collect();
        let mut setup = Setup::default();
        assert_eq!(Machine::of(games.iter().copied(), &setup), None);
        games[3].finished.in_doubt = [2, 1];
        let once = Machine::of(games.iter().copied(), &setup).expect("three answers");
        assert_eq!(
            (once.answers, once.games, once.of_games, once.too_busy),
            (3, 1, 20, false)
        );
        games[7].finished.in_doubt = [1, 0];
        let often = Machine::of(games.iter().copied(), &setup).expect("four answers");
        assert_eq!(
            often.sentence(),
            "4 answers in 2 of 20 games came after the limit, but in time after allowing for the machine (`explain game 1.1.4`); \
             this machine is too busy for this limit: play fewer games at once (run.concurrency), or allow more time"
        );
        setup.run.concurrency = Some(1);
        let alone = Machine::of(games.iter().copied(), &setup)
            .expect("four answers")
            .sentence();
        assert!(
            alone.ends_with("; this machine is too busy for this limit: allow more time"),
            "{alone}"
        );
    }
}
