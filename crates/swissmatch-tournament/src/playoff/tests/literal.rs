//! Section 4 of the Grand Chess Tour's text a second time, sentence by sentence and slow, to compare with.
//!
//! May not: use the code under test, nor its Berger tables.

use std::collections::BTreeSet;

use proptest::prelude::*;
use swiss_system::lot::Draws;

use super::tour::tour;
use super::*;

/// FIDE Handbook C.05, annex 1, of the next even number; whoever meets number 4, 6 or 8 that nobody has, rests.
const TABLES: [(usize, &str); 3] = [
    (4, "1-4 2-3 4-3 1-2 2-4 3-1"),
    (6, "1-6 2-5 3-4 6-4 5-3 1-2 2-6 3-1 4-5 6-5 1-4 2-3 3-6 4-2 5-1"),
    (
        8,
        "1-8 2-7 3-6 4-5 8-5 6-4 7-3 1-2 2-8 3-1 4-7 5-6 8-6 7-5 1-4 2-3 3-8 4-2 5-1 6-7 8-7 1-6 2-5 3-4 4-8 5-3 6-2 \
         7-1",
    ),
];

/// A game: the number of the round robin among those of its players, limits, White, Black.
type LiteralGame = (u32, &'static str, u32, u32);

/// Where everybody stands at last, `None` while unresolved, and all games.
struct Literal<'a> {
    seed: u64,
    result: &'a dyn Fn(u32, u32, u32) -> Outcome,
    played: BTreeSet<LiteralGame>,
}

impl Literal<'_> {
    /// Places of a tie of `players` from `first` on, after the whole sequence: who stands at which place; players whom
    /// nothing told apart stand at the same.
    fn run(&mut self, first: usize, players: &[u32]) -> Vec<(usize, Vec<u32>)> {
        // 4.1: "If there is a tie for first place and/or third place …, the tie(s) shall be broken".
        let mut ranking = vec![(first, players.to_vec())];
        let mut previous: Vec<(Vec<u32>, Vec<u32>, bool)> = Vec::new();
        for held in 0..4 {
            // 4.7, 4.8 rapid; 4.9, 4.10 blitz.
            let limits = if held < 2 { "900+10" } else { "300+2" };
            let mut next = Vec::new();
            let mut these = Vec::new();
            for (place, tied) in ranking {
                let straddles = |of: usize| place <= of && of + 1 < place + tied.len();
                if !straddles(1) && !straddles(3) {
                    next.push((place, tied));
                    continue;
                }
                // 4.8.1, 4.10.1.
                let same = previous.iter().find(|(before, _, _)| *before == tied);
                let (numbers, reversed) = match same {
                    Some((_, numbers, _)) if held % 2 == 1 => (numbers.clone(), true),
                    _ => (self.lots(place, &tied, held + 1), false),
                };
                let points = self.contest(&numbers, reversed, held + 1, limits);
                these.push((tied.clone(), numbers.clone(), reversed));
                // The table, cut where points differ.
                let mut place = place;
                let mut sums: Vec<u32> = points.iter().map(|(_, sum)| *sum).collect();
                sums.sort_unstable_by(|a, b| b.cmp(a));
                sums.dedup();
                for sum in sums {
                    let mut level: Vec<u32> = points
                        .iter()
                        .filter(|(_, of)| *of == sum)
                        .map(|(who, _)| *who)
                        .collect();
                    level.sort_unstable();
                    let size = level.len();
                    next.push((place, level));
                    place += size;
                }
            }
            ranking = next;
            previous = these;
        }
        ranking
    }

    fn lots(&self, place: usize, tied: &[u32], number: u32) -> Vec<u32> {
        let purpose = format!(
            "play-off: round 9, places {place}-{}, contest {number}, numbers of group 1",
            place + tied.len() - 1
        );
        lot::order(self.seed, &purpose, tied.len())
            .into_iter()
            .map(|index| tied[index])
            .collect()
    }

    /// Twice the points of everybody.
    fn contest(&mut self, numbers: &[u32], reversed: bool, held: u32, limits: &'static str) -> Vec<(u32, u32)> {
        let mut games: Vec<(u32, u32)> = Vec::new();
        if let [one, two] = *numbers {
            // 4.6: "a mini-match consisting of two games".
            games = vec![(one, two), (two, one)];
        } else {
            let (_, table) = TABLES.iter().find(|(size, _)| *size >= numbers.len()).expect("a table");
            for pair in table.split_whitespace() {
                let mut of_pair = pair.split('-').map(|number| number.parse::<usize>().expect("a number"));
                let (white, black) = (of_pair.next().expect("White"), of_pair.next().expect("Black"));
                if white.max(black) <= numbers.len() {
                    games.push((numbers[white - 1], numbers[black - 1]));
                }
            }
        }
        let mut points: Vec<(u32, u32)> = numbers.iter().map(|&number| (number, 0)).collect();
        for (white, black) in games {
            let (white, black) = if reversed { (black, white) } else { (white, black) };
            self.played.insert((held, limits, white, black));
            let (for_white, for_black) = match (self.result)(held, white, black) {
                Outcome::WhiteWins => (2, 0),
                Outcome::BlackWins => (0, 2),
                Outcome::Draw => (1, 1),
                Outcome::BothLose | Outcome::Void => (0, 0),
            };
            for (player, sum) in &mut points {
                *sum += if *player == white { for_white } else { 0 };
                *sum += if *player == black { for_black } else { 0 };
            }
        }
        points
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn the_machine_goes_as_the_text_says(first in 1_usize..4, size in 1_usize..8, draws in 0_u64..100, seed in any::<u64>()) {
        let players: Vec<u32> = (1..=u32::try_from(size).expect("small")).map(|number| number * 3).collect();
        let result = |held: u32, white: u32, black: u32| {
            let mut chance = Draws::new(seed, &format!("{held} {white} {black}"));
            match (chance.below(100) < draws, chance.below(21)) {
                (true, _) => Outcome::Draw,
                (false, 0) => Outcome::BothLose,
                (false, 1..=10) => Outcome::WhiteWins,
                (false, _) => Outcome::BlackWins,
            }
        };
        let mut literal = Literal { seed, result: &result, played: BTreeSet::new() };
        let ranking = literal.run(first, &players);

        let mut arena = Arena::new(&[tie(u32::try_from(first).expect("small"), &[&players])], tour());
        let stand = loop {
            let stand = arena.stand();
            match &stand.due {
                Due::Lots(lots) => lots.iter().for_each(|due| arena.draw_by_seed(seed, due)),
                Due::Round(boards) => for board in boards {
                    let of = |game| {
                        let (white, black) = (board.player(Side::White, game), board.player(Side::Black, game));
                        Some(ended(result(board.contest.number, white.0, black.0)))
                    };
                    arena.facts.boards.push(BegunBoard { board: board.clone(), games: (1..=board.games).map(of).collect() });
                },
                Due::Nothing | Due::Decision => break stand,
                Due::Playing => unreachable!("every round was played to its end"),
            }
        };
        let mut played = BTreeSet::new();
        for held in &arena.facts.boards {
            for game in 1..=held.board.games {
                let (white, black) = (held.board.player(Side::White, game), held.board.player(Side::Black, game));
                let limits = if held.board.limits[0] == time("900+10") { "900+10" } else { "300+2" };
                played.insert((held.board.contest.number, limits, white.0, black.0));
            }
        }
        prop_assert_eq!(&played, &literal.played);

        // Ties that the four round robins leave: what the arbiter is asked.
        let open = |place: usize, tied: usize| [1, 3].iter().any(|&of| place <= of && of + 1 < place + tied);
        let unresolved: Vec<(usize, Vec<u32>)> = ranking.iter().filter(|(place, tied)| open(*place, tied.len())).cloned().collect();
        let asked = stand.questions.iter().map(|question| {
            (question.contest.tie.first as usize, question.players.iter().map(|player| player.0).collect::<Vec<u32>>())
        });
        prop_assert_eq!(asked.collect::<Vec<_>>(), unresolved.clone());

        // Places 1, 2 and 3, 4 and below are one stretch each.
        match &stand.parts[0] {
            None => prop_assert!(!unresolved.is_empty()),
            Some(parts) => {
                prop_assert!(unresolved.is_empty());
                let order: Vec<u32> = ranking.into_iter().flat_map(|(_, tied)| tied).collect();
                let stretch = |index: usize| match first + index { 1 => 0, 2 | 3 => 1, _ => 2 };
                let mut expected: Vec<Vec<u32>> = Vec::new();
                for (index, player) in order.into_iter().enumerate() {
                    if index > 0 && stretch(index) == stretch(index - 1) {
                        expected.last_mut().expect("begun").push(player);
                    } else {
                        expected.push(vec![player]);
                    }
                }
                expected.iter_mut().for_each(|part| part.sort_unstable());
                let parts: Vec<Vec<u32>> = parts.iter().map(|part| part.iter().map(|player| player.0).collect()).collect();
                prop_assert_eq!(parts, expected);
            }
        }
    }
}
