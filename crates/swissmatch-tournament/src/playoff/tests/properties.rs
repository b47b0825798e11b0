//! What holds of every play-off, whatever the rules, the ties and the results.
//!
//! May not: look at one rule.

use std::collections::BTreeSet;

use proptest::prelude::*;
use swiss_system::lot::Draws;
use swiss_system::pairing::history::FirstColor;

use super::*;
use crate::log::ContestId;
use crate::playoff::facts::EventGame;
use crate::playoff::stand::{Contest, ContestKind, QuestionSubject};

/// Chance whose every number is told by the case's seed.
struct Chance(Draws);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.0.below(bound as u64)).expect("small")
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    fn shuffled<T: Clone>(&mut self, from: &[T]) -> Vec<T> {
        let mut left = from.to_vec();
        let mut shuffled = Vec::new();
        while !left.is_empty() {
            shuffled.push(left.swap_remove(self.below(left.len())));
        }
        shuffled
    }

    fn rules(&mut self) -> PlayoffRules {
        let stages = (0..self.below(5)).map(|_| match self.below(4) {
            0 => PlayoffStage::HeadToHead,
            1 => armageddon("300+2", "240+2", self.pick(&[Colors::Choice, Colors::Lot])),
            _ => round_robin("480+3", "300+2"),
        });
        let stages = stages.collect::<Vec<PlayoffStage>>();
        PlayoffRules {
            top_two: self.below(4) == 0,
            ..rules(
                self.pick::<&[u32]>(&[&[1], &[1, 3], &[3, 1, 2], &[2], &[5]]),
                self.pick(&[Numbers::Order, Numbers::Lot]),
                &stages,
            )
        }
    }

    /// Ties of 16 players at most, one below the other.
    fn ties(&mut self) -> Vec<Tie> {
        let players = self.shuffled(&(1..=40).collect::<Vec<u32>>());
        let mut players = &players[..2 + self.below(15)];
        let mut first = 1;
        let mut ties = Vec::new();
        while !players.is_empty() {
            let (of_tie, others) = players.split_at(1 + self.below(players.len()));
            let groups: Vec<&[u32]> = of_tie.chunks(1 + self.below(4)).collect();
            ties.push(tie(first, &groups));
            first += u32::try_from(of_tie.len()).expect("few");
            players = others;
        }
        ties
    }

    /// Any of the outcomes, the more likely the more often it is listed; nobody may come at all.
    fn outcomes(&mut self) -> Vec<Outcome> {
        use Outcome::{BlackWins, BothLose, Draw, WhiteWins};
        self.pick::<&[Outcome]>(&[
            &[WhiteWins, BlackWins, Draw],
            &[WhiteWins, Draw, Draw, Draw, Draw, BothLose],
            &[Draw],
            &[BothLose],
            &[BlackWins],
        ])
        .to_vec()
    }

    /// Some answer to a question: a round robin now and then, a result in the end.
    fn answer(&mut self, question: &Question) -> ArbiterDirection {
        if question.asks == QuestionSubject::Tie && self.below(3) == 0 {
            return ArbiterDirection::RoundRobin(time("60"));
        }
        let order = self.shuffled(&question.players);
        let mut groups: Vec<Vec<PairingNumber>> = Vec::new();
        for (index, player) in order.into_iter().enumerate() {
            if index > 0 && !question.cuts.contains(&index) && self.below(2) == 0 {
                groups.last_mut().expect("begun").push(player);
            } else {
                groups.push(vec![player]);
            }
        }
        ArbiterDirection::Result(groups)
    }
}

/// What must hold of a stand.
fn sound(arena: &Arena, stand: &Stand) {
    let unfinished = arena.facts.boards.iter().any(|held| !held.is_over());
    assert_eq!(
        stand.due == Due::Playing,
        unfinished,
        "a round is offered while one is being played, or none ends"
    );
    match &stand.due {
        Due::Round(boards) => {
            let mut busy = BTreeSet::new();
            for board in boards {
                assert!(
                    busy.insert(board.white) && busy.insert(board.black),
                    "twice in a round: {board:?}"
                );
                assert!(board.games == 1 || board.games == 2);
            }
        }
        Due::Lots(lots) => {
            let purposes: BTreeSet<_> = lots.iter().map(|due| due.purpose).collect();
            assert_eq!(purposes.len(), lots.len(), "one lot, one purpose");
            let drawn: BTreeSet<_> = arena.facts.lots.iter().map(|lot| lot.purpose).collect();
            assert!(purposes.is_disjoint(&drawn), "drawn already");
        }
        Due::Nothing => assert!(stand.parts.iter().all(Option::is_some)),
        Due::Decision => assert!(!stand.questions.is_empty()),
        Due::Playing => {}
    }
    for ((tie, parts), contests) in arena.ties.iter().zip(&stand.parts).zip(&stand.contests) {
        let ids: BTreeSet<ContestId> = contests.iter().map(|contest| contest.id).collect();
        assert_eq!(ids.len(), contests.len(), "one contest, one name");
        assert!(contests.is_sorted_by_key(|contest| (contest.id.number, contest.id.tie)));
        contests.iter().for_each(leaves_2_4_or_8);
        if let Some(parts) = parts {
            partitions(tie, &arena.rules, parts);
        }
    }
}

/// Parts are all the tied, and end exactly where a boundary is.
fn partitions(tie: &Tie, rules: &PlayoffRules, parts: &[Vec<PairingNumber>]) {
    let mut all = parts.concat();
    all.sort_unstable();
    let mut tied = tie.groups.concat();
    tied.sort_unstable();
    assert_eq!(all, tied);
    let mut place = tie.key.first;
    let mut ends = BTreeSet::new();
    for part in parts {
        assert!(!part.is_empty() && part.is_sorted());
        place += u32::try_from(part.len()).expect("few");
        ends.insert(place - 1);
    }
    ends.remove(&tie.key.last);
    let cut = rules
        .boundaries
        .iter()
        .copied()
        .filter(|place| (tie.key.first..tie.key.last).contains(place));
    assert_eq!(ends, cut.collect());
}

/// Whoever is left after round 1 of a knockout are 2, 4 or 8, or the winner of two.
fn leaves_2_4_or_8(contest: &Contest) {
    if contest.kind != ContestKind::Armageddon || contest.numbered.is_none() {
        return;
    }
    let players = contest.players.len();
    let games = (players - contest.byes.len()) / 2;
    let left = contest.byes.len() + games;
    assert_eq!(contest.byes.len() + 2 * games, players);
    assert!(
        [2, 4, 8].contains(&left) || (players, left) == (2, 1),
        "{left} of {players}"
    );
    assert!(contest.byes.is_empty() || ![2, 4, 8].contains(&players));
    assert_eq!(
        contest.byes,
        contest.players[..contest.byes.len()],
        "byes to the best numbers"
    );
}

/// What has been there stays: facts add to a play-off, and change nothing that is past.
fn goes_on(before: &Stand, after: &Stand) {
    for (parts, later) in before.parts.iter().zip(&after.parts) {
        assert!(parts.is_none() || parts == later);
    }
    for (contests, later) in before.contests.iter().zip(&after.contests) {
        for contest in contests {
            let now = later.iter().find(|now| now.id == contest.id).expect("a contest stays");
            assert_eq!(now.kind, contest.kind);
            assert!(contest.numbered.is_none() || (&contest.players, &contest.byes) == (&now.players, &now.byes));
            assert!(contest.order.is_none() || contest == now);
            assert!(now.lots.starts_with(&contest.lots));
            let boards = |contest: &Contest| contest.boards.iter().map(|held| held.board.clone()).collect::<Vec<_>>();
            assert!(boards(now).starts_with(&boards(contest)));
        }
    }
}

/// Plays a play-off from chance: games end one by one in any order, the arbiter answers now or later. Gives the steps.
fn play(seed: u64) -> usize {
    let mut chance = Chance(Draws::new(seed, "play-off"));
    let mut arena = Arena::new(&chance.ties(), chance.rules());
    let players: Vec<PairingNumber> = arena.ties.iter().flat_map(|tie| tie.groups.concat()).collect();
    let outcomes = chance.outcomes();
    for _ in 0..chance.below(8) {
        let (white, black) = (chance.pick(&players), chance.pick(&players));
        let ended = ended(chance.pick(&outcomes));
        arena.facts.that_day.push(EventGame { white, black, ended });
    }
    arena.facts.choices = players
        .iter()
        .map(|&player| (player, chance.pick(&[FirstColor::White, FirstColor::Black])))
        .collect();
    let mut stand = arena.stand();
    for step in 0..3000 {
        sound(&arena, &stand);
        let answers_now = chance.below(3) == 0;
        match &stand.due {
            Due::Nothing => return step,
            Due::Lots(lots) => lots.iter().for_each(|due| arena.draw_by_seed(seed, due)),
            _ if answers_now && !stand.questions.is_empty() => {
                let question = chance.pick(&stand.questions);
                let directed = chance.answer(&question);
                arena.direct(&question, directed);
            }
            Due::Decision => {
                let question = stand.questions[0].clone();
                let directed = chance.answer(&question);
                arena.direct(&question, directed);
            }
            Due::Round(boards) => {
                let boards = boards.iter().cloned();
                arena.facts.boards.extend(boards.map(|board| BegunBoard {
                    games: vec![None; board.games as usize],
                    board,
                }));
            }
            Due::Playing => {
                let open = arena.facts.boards.iter_mut().flat_map(|held| &mut held.games);
                let mut open: Vec<&mut Option<Ended>> = open.filter(|game| game.is_none()).collect();
                let at = chance.below(open.len());
                *open[at] = Some(ended(chance.pick(&outcomes)));
            }
        }
        let after = arena.stand();
        goes_on(&stand, &after);
        let mut shuffled = arena.facts.clone();
        shuffled.lots = chance.shuffled(&shuffled.lots);
        shuffled.decisions.reverse();
        assert_eq!(
            super::super::stand(&arena.ties, &arena.rules, &shuffled),
            after,
            "lots and decisions say what they are for"
        );
        stand = after;
    }
    panic!("a play-off without end");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn a_play_off_always_ends_or_asks(seed in any::<u64>()) {
        play(seed);
    }
}
