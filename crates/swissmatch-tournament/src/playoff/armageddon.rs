//! Armageddon: "single 'Armageddon' games on a knockout basis as required to split the tie" (2.4, 3.4).
//!
//! May not: tell any place apart but the first.

use swiss_system::pairing::history::{FirstColor, PairingNumber};

use swissmatch_game::termination::Outcome;
use swissmatch_game::time_control::TimeControl;

use super::stand::{ContestKind, Question, QuestionSubject};
use super::walk::{LevelGroups, Open, Walk, sorted};
use crate::log::{ArbiterDirection, ContestId, Draw, LotOf, PlayoffBoard};
use crate::playoff_rules::Colors;

impl Walk<'_> {
    /// The knockout: best against worst in every round, by the same numbers (2.3, 3.3), until one is left.
    pub(super) fn armageddon(&mut self, open: Open, limits: [&TimeControl; 2], colors: Colors) -> Option<LevelGroups> {
        let contest = self.begin(&open, ContestKind::Armageddon);
        let (numbers, _) = self.number(&open, contest)?;
        let mut field = numbers.clone();
        let mut round = 1;
        while field.len() > 1 {
            let (free, playing) = field.split_at(byes(field.len()));
            if round == 1 {
                self.contests[contest].byes = free.to_vec();
            }
            let half = playing.len() / 2;
            let pairs = playing[..half].iter().zip(playing[half..].iter().rev());
            let mut through: Option<Vec<PairingNumber>> = Some(free.to_vec());
            for ((&better, &worse), game) in pairs.zip(1..) {
                let won = self.game(contest, open.id, (round, game), [better, worse], limits, colors);
                through = through.zip(won).map(|(mut through, won)| {
                    through.push(won);
                    through
                });
            }
            let through = through?;
            field.retain(|number| through.contains(number));
            round += 1;
        }
        let others = numbers.into_iter().filter(|number| !field.contains(number));
        let order = vec![field.clone(), sorted(others)];
        self.go_on(&open, contest, order)
    }

    /// The player who goes through by a game, given as `(round, game)` of the knockout. "In the event of a draw Black
    /// shall be declared the winner" (2.5.2, 3.5.2). If neither side came to the game nobody goes through: the arbiter
    /// decides.
    fn game(
        &mut self,
        contest: usize,
        id: ContestId,
        (round, game): (u32, u32),
        pair: [PairingNumber; 2],
        limits: [&TimeControl; 2],
        colors: Colors,
    ) -> Option<PairingNumber> {
        let coin = self.lot(contest, (id, LotOf::Coin { round, game }), &pair)?;
        let (white, black) = self.colors(coin.drawn[0], coin.drawn[1], colors);
        let due = PlayoffBoard {
            contest: id,
            round,
            white,
            black,
            games: 1,
            limits: limits.map(TimeControl::clone),
            draw: Draw::WinForBlack,
        };
        let (held, games) = self.held(contest, due)?;
        let (white, black) = (held.board.white, held.board.black);
        match games.first()?.outcome {
            Outcome::WhiteWins => Some(white),
            Outcome::BlackWins | Outcome::Draw => Some(black),
            Outcome::BothLose | Outcome::Void => {
                let question = Question {
                    contest: id,
                    players: sorted(pair),
                    cuts: vec![1],
                    asks: QuestionSubject::Game,
                };
                match self.decided(question)? {
                    ArbiterDirection::Result(order) => order.first()?.first().copied(),
                    ArbiterDirection::RoundRobin(_) => None,
                }
            }
        }
    }

    /// White and Black. "Colours shall be determined by the toss of a coin … The winner of the toss shall have choice of
    /// colour" (2.5.3, 3.5.3); or the first drawn has White.
    fn colors(&self, won: PairingNumber, lost: PairingNumber, colors: Colors) -> (PairingNumber, PairingNumber) {
        let mut choices = self.facts.choices.iter();
        let wanted = choices.find(|(player, _)| *player == won).map(|(_, color)| *color);
        match (colors, wanted) {
            (Colors::Lot, _) | (Colors::Choice, Some(FirstColor::White)) => (won, lost),
            (Colors::Choice, Some(FirstColor::Black) | None) => (lost, won),
        }
    }
}

/// "Where the number of players in the remaining tie is not 2, 4 or 8, some players shall receive byes as necessary to
/// reduce the number to 2, 4 or 8 in the next round" (2.4.1, 3.4.1); in general to the largest power of two below.
const fn byes(players: usize) -> usize {
    if players.is_power_of_two() {
        0
    } else {
        players.next_power_of_two() - players
    }
}
