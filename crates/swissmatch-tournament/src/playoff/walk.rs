//! One tie on its way through the stages.
//!
//! May not: know how a stage is played.

use swiss_system::pairing::history::PairingNumber;

use super::decision;
use super::facts::{BegunBoard, DueLot, Ended, Facts, Tie};
use super::stand::{Contest, ContestCaller, ContestKind, ContestNumbering, Question, QuestionSubject};
use crate::log::{ArbiterDirection, ContestId, Decision, Lot, LotOf, PlayoffBoard, Purpose, TieKey};
use crate::playoff_rules::{PlayoffRules, PlayoffStage};

/// Players in order; those in one group are level.
pub(super) type LevelGroups = Vec<Vec<PairingNumber>>;

/// A tie on its way through the stages, and what that has brought up.
pub(super) struct Walk<'a> {
    pub(super) tie: &'a Tie,
    pub(super) rules: &'a PlayoffRules,
    pub(super) facts: &'a Facts,
    pub(super) contests: Vec<Contest>,
    pub(super) lots: Vec<DueLot>,
    pub(super) boards: Vec<PlayoffBoard>,
    pub(super) questions: Vec<Question>,
}

/// The tie, or what is left of it, before its next contest.
#[derive(Clone)]
pub(super) struct Open {
    /// The contest to come.
    pub(super) id: ContestId,
    /// By pairing number of the event.
    pub(super) players: Vec<PairingNumber>,
    /// The number of players above each cut.
    pub(super) cuts: Vec<usize>,
    /// The stage to come, from 0.
    stage: usize,
    /// Round robins held on the way here.
    pub(super) robins: u32,
    /// The numbers of the contest before, best first; empty while there are none.
    pub(super) numbers: Vec<PairingNumber>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(tie: &'a Tie, rules: &'a PlayoffRules, facts: &'a Facts) -> Self {
        Self {
            tie,
            rules,
            facts,
            contests: Vec::new(),
            lots: Vec::new(),
            boards: Vec::new(),
            questions: Vec::new(),
        }
    }

    /// The tied players in parts, one for each stretch of places that no boundary cuts; `None` while that is open.
    pub(super) fn parts(&mut self) -> Option<LevelGroups> {
        let key = self.tie.key;
        let players = sorted(self.tie.groups.iter().flatten().copied());
        assert_eq!(players.len(), key.size(), "{key}: as many players as places");
        assert!(players.is_sorted_by(|a, b| a < b), "{key}: nobody twice");
        let cuts = self.cuts();
        let whole = Open {
            id: ContestId { tie: key, number: 1 },
            players,
            cuts: cuts.clone(),
            stage: 0,
            robins: 0,
            numbers: Vec::new(),
        };
        let order = self.resolve(whole)?.concat();
        let starts = [0].into_iter().chain(cuts.iter().copied());
        let ends = cuts.iter().copied().chain([order.len()]);
        Some(
            starts
                .zip(ends)
                .map(|(start, end)| sorted(order[start..end].iter().copied()))
                .collect(),
        )
    }

    /// Where the rules cut the whole tie: "Ties for any other places … shall not be broken" (4.2).
    fn cuts(&self) -> Vec<usize> {
        let TieKey {
            section,
            board,
            first,
            last,
            ..
        } = self.tie.key;
        if board > 0 {
            return vec![1];
        }
        let within = |&&place: &&u32| (first..last).contains(&place);
        let boundaries = self.rules.of_sections.get(&section).unwrap_or(&self.rules.boundaries);
        let mut cuts: Vec<usize> = boundaries
            .iter()
            .filter(within)
            .map(|place| (place - first) as usize + 1)
            .collect();
        cuts.sort_unstable();
        cuts.dedup();
        cuts
    }

    /// The players in an order that settles every cut; `None` while that is open.
    fn resolve(&mut self, mut open: Open) -> Option<LevelGroups> {
        if open.cuts.is_empty() {
            return Some(vec![open.players]);
        }
        if self.rules.top_two && open.players.len() > 2 && open.tells_first_alone() {
            return self.top_two(open);
        }
        let rules = self.rules;
        while let Some(stage) = rules.stages.get(open.stage) {
            open.stage += 1;
            match stage {
                PlayoffStage::HeadToHead if open.players.len() == 2 => return self.head_to_head(open),
                PlayoffStage::HeadToHead => {}
                PlayoffStage::RoundRobin { two, more } => {
                    let limits = if open.players.len() == 2 { two } else { more };
                    return self.round_robin(open, limits, ContestCaller::Rules);
                }
                PlayoffStage::Armageddon { white, black, colors } => {
                    if open.tells_first_alone() {
                        return self.armageddon(open, [white, black], *colors);
                    }
                }
            }
        }
        self.ask(open)
    }

    /// For three or more tied players: the first two by number play for the place, the others stay behind them.
    fn top_two(&mut self, mut open: Open) -> Option<LevelGroups> {
        let contest = self.begin(&open, ContestKind::TopTwo);
        let (numbers, _) = self.number(&open, contest)?;
        open.numbers.clone_from(&numbers);
        let order = vec![
            sorted(numbers[..2].iter().copied()),
            sorted(numbers[2..].iter().copied()),
        ];
        self.go_on(&open, contest, order)
    }

    /// "The Chief Arbiter … shall be empowered, after consulting with the players, to direct that the tie be resolved by
    /// other means" (4.11).
    fn ask(&mut self, open: Open) -> Option<LevelGroups> {
        match self.decided(open.question()) {
            None => None,
            Some(ArbiterDirection::RoundRobin(limits)) => self.round_robin(open, limits, ContestCaller::Arbiter),
            Some(ArbiterDirection::Result(order)) => {
                let contest = self.begin(&open, ContestKind::Decided);
                self.go_on(&open, contest, order.clone())
            }
        }
    }

    /// The arbiter's direction; without a valid one the question is put.
    pub(super) fn decided(&mut self, question: Question) -> Option<&'a ArbiterDirection> {
        let answers = |answer: &&Decision| decision::answers(answer, &question).is_ok();
        let found = self.facts.decisions.iter().find(answers);
        if found.is_none() {
            self.questions.push(question);
        }
        found.map(|decision| &decision.directed)
    }

    /// Opens a contest and returns its index in the list.
    pub(super) fn begin(&mut self, open: &Open, kind: ContestKind) -> usize {
        self.contests.push(Contest {
            id: open.id,
            kind,
            players: open.players.clone(),
            numbered: None,
            lots: Vec::new(),
            byes: Vec::new(),
            boards: Vec::new(),
            table: Vec::new(),
            order: None,
        });
        self.contests.len() - 1
    }

    /// Ends a contest: each group that a cut still goes through goes on by itself.
    pub(super) fn go_on(&mut self, open: &Open, contest: usize, order: LevelGroups) -> Option<LevelGroups> {
        self.contests[contest].order = Some(order.clone());
        let mut before = 0;
        let mut settled = Vec::new();
        for group in order {
            let end = before + group.len();
            settled.push(self.resolve(open.part(before, group)));
            before = end;
        }
        let settled: Option<Vec<LevelGroups>> = settled.into_iter().collect();
        settled.map(|orders| orders.concat())
    }

    /// A drawn lot; if it has not been drawn, it becomes due.
    pub(super) fn lot(
        &mut self,
        contest: usize,
        (id, what): (ContestId, LotOf),
        among: &[PairingNumber],
    ) -> Option<&'a Lot> {
        let among = sorted(among.iter().copied());
        let is_it = |purpose: Purpose| (purpose.contest, purpose.what) == (id, what);
        let drawn = |lot: &&Lot| is_it(lot.purpose) && sorted(lot.drawn.iter().copied()) == among;
        let found = self.facts.lots.iter().find(drawn);
        match found {
            Some(lot) => self.contests[contest].lots.push(lot.clone()),
            None => self.lots.push(DueLot {
                purpose: Purpose {
                    contest: id,
                    what,
                    drawing: self.facts.void_drawings + 1,
                },
                among,
            }),
        }
        found
    }

    /// The games of a board, once all are over; a board that has not begun becomes due. Two players meet once in a
    /// contest, so the players and the contest identify the board; colours are those with which it began.
    pub(super) fn held(&mut self, contest: usize, due: PlayoffBoard) -> Option<(&'a BegunBoard, Vec<Ended>)> {
        let same = |held: &&BegunBoard| {
            let board = &held.board;
            let pair = [board.white, board.black];
            let is_whole = held.games.len() == due.games as usize;
            board.contest == due.contest && pair.contains(&due.white) && pair.contains(&due.black) && is_whole
        };
        let Some(held) = self.facts.boards.iter().find(same) else {
            self.boards.push(due);
            return None;
        };
        self.contests[contest].boards.push(held.clone());
        let games: Option<Vec<Ended>> = held.games.iter().copied().collect();
        Some((held, games?))
    }

    /// Records the numbers of a contest.
    pub(super) fn numbered(&mut self, contest: usize, numbers: &[PairingNumber], numbered: ContestNumbering) {
        let contest = &mut self.contests[contest];
        contest.players = numbers.to_vec();
        contest.numbered = Some(numbered);
    }
}

impl Open {
    /// True if only a winner has to be found.
    fn tells_first_alone(&self) -> bool {
        self.cuts == [1]
    }

    fn question(&self) -> Question {
        Question {
            contest: self.id,
            players: self.players.clone(),
            cuts: self.cuts.clone(),
            asks: QuestionSubject::Tie,
        }
    }

    /// The tie of a level group that has `before` players above it.
    fn part(&self, before: usize, group: Vec<PairingNumber>) -> Self {
        let after = before + group.len();
        let within = |&&cut: &&usize| before < cut && cut < after;
        let cuts = self.cuts.iter().filter(within).map(|cut| cut - before).collect();
        let place = |players: usize| self.id.tie.first + u32::try_from(players).expect("fewer than 2^32 players");
        let tie = TieKey {
            first: place(before),
            last: place(after) - 1,
            ..self.id.tie
        };
        Self {
            id: ContestId {
                tie,
                number: self.id.number + 1,
            },
            players: sorted(group),
            cuts,
            ..self.clone()
        }
    }
}

/// In order of pairing numbers of the event.
pub(super) fn sorted(players: impl IntoIterator<Item = PairingNumber>) -> Vec<PairingNumber> {
    let mut players: Vec<PairingNumber> = players.into_iter().collect();
    players.sort_unstable();
    players
}
