//! A tournament file as a pairing system sees it.
//!
//! Each round of a player in a file means the following to a pairing system:
//!
//! | file | here | why |
//! |---|---|---|
//! | opponent, `1 = 0` | met | |
//! | opponent, `W D L` | met | a game of less than a move was begun: it counts for colours and is not paired again |
//! | opponent, no result yet | met | the game is under way; its points are those of an unknown result |
//! | opponent, `+ -` | forfeit | |
//! | `U` | pairing-allocated bye | in the round to be paired: chosen beforehand, so that nobody else has it |
//! | `H F Z`, blank | absent | with what the letter is worth |
//! | `+ -` without an opponent | absent | with what the forfeit is worth: a win bars the allocated bye as `F` does |
//!
//! An opponent without a line, which forfeits may have, does not count as one.
//!
//! May not: read or write lines; pair anybody.

mod rules;

use std::collections::{HashMap, HashSet};

use crate::count;
use crate::pairing::difference::{ColorComparison, difference};
use crate::pairing::dutch::rules::DutchRules;
use crate::pairing::history::{
    Encounter, FirstColor, History, Pair, PairingNumber, PastPlayer, PastRound, RoundPairing,
};
use crate::score::Points;
use crate::trf::{
    AbnormalPoints, ByeKind, Color, EditionBy, PlayerRecord, PointSystem, ResultCode, RoundCell, Tournament,
};

/// The largest pairing number of the format.
const LARGEST_NUMBER: u32 = 9999;
/// The most rounds of all players together; a file with more is refused.
const MOST_ROUNDS: usize = 4_000_000;

/// The state of a file before a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BeforeRound {
    /// The history before the round, and who is to be paired in it.
    ///
    /// Players stand at their pairing numbers. A number below the highest without a line is a player who is never
    /// present, was never paired and has no points.
    pub history: History,
    /// The player who has the bye of the round whatever the system would give, because the file has it already.
    pub bye: Option<PairingNumber>,
    /// The rules of the Dutch system as the file has them.
    pub rules: DutchRules,
    /// The source from which the edition of the rules was taken.
    pub edition_by: EditionBy,
    /// What the file lacks or says in two ways, and how it was read.
    pub warnings: Vec<String>,
}

/// Why a round of a file cannot be paired.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PairingFileError {
    /// No `001` line.
    #[error("the file has no players; write a 001 line for each")]
    NoPlayers,
    /// A pairing number that the format does not have.
    #[error("a player has number {0}; number the players from 1 to 9999")]
    Number(u32),
    /// Round 0, or one that leaves out a round that was not played.
    #[error("round {round} cannot be paired: the file has {}, so the next is {}", count::of(*played, "round", "rounds"), played + 1)]
    NotNext {
        /// The round asked for.
        round: u32,
        /// Rounds that the file has.
        played: u32,
    },
    /// The tournament is over.
    #[error("round {round} cannot be paired: the tournament has {} (record 142 or XXR)", count::of(*rounds, "round", "rounds"))]
    Over {
        /// The round asked for.
        round: u32,
        /// Rounds of the whole tournament.
        rounds: u32,
    },
    /// The number of rounds is missing, so the last round is not known.
    #[error("the number of rounds is missing, and the last round is paired differently; write it as record 142 or XXR")]
    RoundsMissing,
    /// `XXC rank`, and lines that are not in order of numbers.
    #[error(
        "XXC says rank, but the 001 lines are not in the order of their numbers; number the players in the order of their \
         lines"
    )]
    ByPosition,
    /// Two byes that only one player can have.
    #[error(
        "players {0} and {1} both have the allocated bye (0000 - U) of the round to be paired; write H, F or Z for one of them"
    )]
    TwoByes(u32, u32),
    /// The allocated bye, although nobody is left over.
    #[error(
        "player {player} has the allocated bye (0000 - U) of the round to be paired, and of the {others} others nobody can be \
         left over; write H, F or Z for a bye beside it"
    )]
    OddWithBye {
        /// The player who has it.
        player: u32,
        /// The number of players to be paired.
        others: usize,
    },
    /// A team tournament.
    #[error("the file is of a team tournament (record 310), whose rounds are games of boards, not of teams")]
    Teams,
    /// More of something than any tournament has.
    #[error("{what}: more than {most}, which no tournament has; check {check}")]
    TooMuch {
        /// What there is too much of.
        what: &'static str,
        /// The limit.
        most: usize,
        /// Where to look.
        check: &'static str,
    },
}

/// The number of rounds that the file has: up to the last one in which anybody has an opponent, a pairing-allocated
/// bye or a win by forfeit, and those after it in which all players have byes, so that nobody is left to pair. The
/// round after these is the one to be paired; byes in it were granted beforehand. So was a pairing-allocated bye, if
/// it is all that was allocated and two or more are left to pair.
pub fn rounds_played(tournament: &Tournament) -> u32 {
    let allocated = |cell: &RoundCell| {
        let alone = [ResultCode::PairingAllocatedBye, ResultCode::ForfeitWin];
        cell.opponent.is_some() || cell.result.is_some_and(|result| alone.contains(&result))
    };
    let last_before = |end: usize| {
        let lines = tournament
            .players()
            .map(|player| &player.rounds[..end.min(player.rounds.len())]);
        let last = lines.filter_map(|rounds| rounds.iter().rposition(allocated)).max();
        last.map_or(0, |last| last + 1)
    };
    let mut rounds = last_before(usize::MAX);
    while rounds > 0 && has_only_a_chosen_bye(tournament, rounds - 1) {
        rounds = last_before(rounds - 1);
    }
    let all_have_byes = |index: usize| {
        tournament.players().next().is_some()
            && tournament
                .players()
                .all(|player| player.rounds.get(index).is_some_and(|cell| !cell.is_blank()))
    };
    while all_have_byes(rounds) {
        rounds += 1;
    }
    u32::try_from(rounds).unwrap_or(u32::MAX)
}

/// True if a round (from 0) has nothing but byes, and two players or more are left to pair. Files of teams, which are
/// not paired, have byes of teams.
fn has_only_a_chosen_bye(tournament: &Tournament, index: usize) -> bool {
    let granted: HashSet<u32> = tournament
        .byes()
        .filter(|byes| byes.round as usize == index + 1)
        .flat_map(|byes| byes.numbers.iter().copied())
        .chain(tournament.absent_next())
        .collect();
    let mut left = 0;
    for player in tournament.players() {
        match player.rounds.get(index) {
            Some(cell) if cell.opponent.is_some() || cell.result == Some(ResultCode::ForfeitWin) => return false,
            Some(cell) if !cell.is_blank() => {}
            _ => left += usize::from(!granted.contains(&player.number)),
        }
    }
    left > 1 && tournament.teams().next().is_none()
}

/// The tournament as it stood before `round` (from 1) was paired.
///
/// `round` is one that the file has, to pair it again, or the next. A player is **present** without a bye (`H`, `F`,
/// `Z`; also a forfeit without an opponent) in that round, in the line or by `240`. In a round that the file has, a
/// blank is a zero-point bye, because everybody else was paired. In the next round a blank means nothing, players in
/// `XXZ` are absent too, and a player with `U` has the bye. **Points** are computed from the results of the earlier
/// rounds, the point system and `299`; virtual points are in the rules.
///
/// # Errors
/// See [`PairingFileError`].
pub fn before_round(tournament: &Tournament, round: u32) -> Result<BeforeRound, PairingFileError> {
    let played = rounds_played(tournament);
    let highest = tournament
        .players()
        .map(|player| player.number)
        .max()
        .ok_or(PairingFileError::NoPlayers)?;
    if let Some(player) = tournament
        .players()
        .find(|player| !(1..=LARGEST_NUMBER).contains(&player.number))
    {
        return Err(PairingFileError::Number(player.number));
    }
    if tournament.teams().next().is_some() {
        return Err(PairingFileError::Teams);
    }
    if round == 0 || round > played + 1 {
        return Err(PairingFileError::NotNext { round, played });
    }
    if tournament.is_by_position() && !tournament.players().is_sorted_by_key(|player| player.number) {
        return Err(PairingFileError::ByPosition);
    }
    if highest as usize * round as usize > MOST_ROUNDS {
        return Err(PairingFileError::TooMuch {
            what: "rounds of all players together",
            most: MOST_ROUNDS,
            check: "the highest pairing number and the number of rounds",
        });
    }
    let mut warnings = Vec::new();
    let rounds = match tournament.rounds() {
        Some(rounds) if round > rounds => return Err(PairingFileError::Over { round, rounds }),
        Some(rounds) => rounds,
        None if round > played => return Err(PairingFileError::RoundsMissing),
        None => {
            warnings.push(format!(
                "the number of rounds is missing (record 142 or XXR); taken as {played}"
            ));
            played
        }
    };
    let file = File::new(tournament, highest, played);
    let rules = file.rules(rounds, &mut warnings)?;
    file.name_gaps(&mut warnings);
    file.compare_points(&rules, &mut warnings);
    let bye = file.chosen_bye(round)?;
    let history = History {
        players: file.past_players(round),
        forbidden: file.forbidden(round, &mut warnings)?,
        paired_apart: bye.into_iter().collect(),
    };
    Ok(BeforeRound {
        history,
        bye,
        rules,
        edition_by: rules::edition(tournament).1,
        warnings,
    })
}

/// The pairing of a round (from 1) as the file has it, forfeits included: pairs by the smaller of the two pairing
/// numbers, and the bye. Empty for a round that the file does not have. If a forfeit has no colours, the smaller
/// number has White; if only one line has it, it is still a pair.
pub fn pairing_of_round(tournament: &Tournament, round: u32) -> RoundPairing {
    let mut pairing = RoundPairing::default();
    let Some(index) = (round as usize).checked_sub(1) else {
        return pairing;
    };
    let numbers: HashSet<u32> = tournament.players().map(|player| player.number).collect();
    let mut pairs = HashSet::new();
    for player in tournament.players() {
        let Some(cell) = player.rounds.get(index) else {
            continue;
        };
        if cell.result == Some(ResultCode::PairingAllocatedBye) {
            pairing.bye = Some(PairingNumber(player.number));
        }
        let Some(opponent) = cell.opponent.filter(|opponent| numbers.contains(opponent)) else {
            continue;
        };
        let (low, high) = (player.number.min(opponent), player.number.max(opponent));
        let low_is_white = match cell.color {
            Some(color) => (color == Color::White) == (low == player.number),
            None => true,
        };
        if !pairs.insert((low, high)) {
            continue;
        }
        let earlier = &player.rounds[..index];
        pairing.pairs.push(Pair {
            white: PairingNumber(if low_is_white { low } else { high }),
            black: PairingNumber(if low_is_white { high } else { low }),
            repeat: earlier
                .iter()
                .any(|cell| cell.opponent == Some(opponent) && is_met(cell)),
        });
    }
    pairing.pairs.sort_by_key(|pair| pair.white.min(pair.black));
    pairing
}

/// The pairing `system` with what the file says was altered by hand in that round (from 1); `None` if it says
/// nothing, or names boards that the system does not have.
pub fn altered(
    tournament: &Tournament,
    round: u32,
    system: &RoundPairing,
    colors: ColorComparison,
) -> Option<RoundPairing> {
    let alteration = tournament.alterations().find(|altered| altered.round == round)?;
    let pairing = |boards: &[(u32, Option<u32>)]| {
        let pairs = boards.iter().filter_map(|&(white, black)| {
            Some(Pair {
                white: PairingNumber(white),
                black: PairingNumber(black?),
                repeat: false,
            })
        });
        let mut byes = boards.iter().filter(|(_, black)| black.is_none());
        RoundPairing::new(pairs.collect(), byes.next().map(|&(player, _)| PairingNumber(player)))
    };
    let (from, to) = (pairing(&alteration.from), pairing(&alteration.to));
    let left = difference(system, &from, colors).map_or_else(RoundPairing::default, |differing| differing.first);
    let has_all = difference(&from, system, colors)
        .is_none_or(|differing| differing.first.pairs.is_empty() && differing.first.bye.is_none());
    let pairs = left.pairs.into_iter().chain(to.pairs).collect();
    has_all.then(|| RoundPairing::new(pairs, to.bye.or(left.bye)))
}

fn has_bye(cell: RoundCell) -> bool {
    cell.opponent.is_none() && cell.result == Some(ResultCode::PairingAllocatedBye)
}

/// True if the two of a round with an opponent have met: a game was played, or is under way.
pub fn is_met(cell: &RoundCell) -> bool {
    cell.result.is_none_or(ResultCode::is_played)
}

/// A file, with indexes for frequent look-ups.
pub struct File<'a> {
    tournament: &'a Tournament,
    /// Players by pairing number, so that index 0 has number 1; `None` for numbers without a line.
    players: Vec<Option<&'a PlayerRecord>>,
    /// `240`, by round and player.
    byes: HashMap<(u32, u32), ByeKind>,
    /// `XXZ`
    absent_next: HashSet<u32>,
    /// `299`, by player (0 for all), round (0 for all) and result.
    abnormal: HashMap<(u32, u32, ResultCode), Points>,
    /// Bonus and penalty points of `299`, by player (0 for all) and round (0 for all).
    bonuses: HashMap<(u32, u32), Points>,
    points: PointSystem,
    played: u32,
}

impl<'a> File<'a> {
    /// A file; `highest` is the largest pairing number of the players, `played` the number of rounds that the file
    /// has.
    pub fn new(tournament: &'a Tournament, highest: u32, played: u32) -> Self {
        let mut players = vec![None; highest as usize];
        for player in tournament.players() {
            players[PairingNumber(player.number).index()] = Some(player);
        }
        let mut byes = HashMap::new();
        // In a file of teams the byes are those of teams.
        let is_of_teams = tournament.teams().next().is_some();
        for granted in tournament.byes().filter(|_| !is_of_teams) {
            byes.extend(
                granted
                    .numbers
                    .iter()
                    .map(|&number| ((granted.round, number), granted.kind)),
            );
        }
        let (mut abnormal, mut bonuses) = (HashMap::new(), HashMap::new());
        for record in tournament.abnormal_points().filter(|_| !is_of_teams) {
            let round = record.round.unwrap_or(0);
            let Some(points) = record.points.or(record.match_points) else {
                continue;
            };
            for &number in record.named() {
                match record.result {
                    Some(result) => {
                        abnormal.insert((number, round, result), points);
                    }
                    None => *bonuses.entry((number, round)).or_default() += points,
                }
            }
        }
        Self {
            tournament,
            players,
            byes,
            absent_next: tournament.absent_next().collect(),
            abnormal,
            bonuses,
            points: tournament.point_system(),
            played,
        }
    }

    /// The player with a number, if it has a line.
    pub fn player(&self, number: u32) -> Option<&'a PlayerRecord> {
        let index = (number as usize).checked_sub(1)?;
        self.players.get(index).copied().flatten()
    }

    /// A player's round (from 1): what the line has, else the bye of `240`.
    pub fn cell(&self, player: &PlayerRecord, round: u32) -> RoundCell {
        let mut cell = player
            .rounds
            .get(round as usize - 1)
            .copied()
            .unwrap_or(RoundCell::BLANK);
        cell.opponent = cell.opponent.filter(|&opponent| self.player(opponent).is_some());
        match self.byes.get(&(round, player.number)) {
            Some(kind) if cell.is_blank() => RoundCell::bye(match kind {
                ByeKind::Full => ResultCode::FullPointBye,
                ByeKind::Half => ResultCode::HalfPointBye,
                ByeKind::Zero => ResultCode::ZeroPointBye,
            }),
            _ => cell,
        }
    }

    fn is_present(&self, player: &PlayerRecord, round: u32) -> bool {
        let cell = self.cell(player, round);
        if cell.is_blank() {
            return round > self.played && !self.absent_next.contains(&player.number);
        }
        cell.opponent.is_some() || has_bye(cell) && round <= self.played
    }

    /// The player with the allocated bye of the round to be paired: "should the number of participants to be paired
    /// be odd, one participant is unpaired" (C.04.1 art. 3).
    fn chosen_bye(&self, round: u32) -> Result<Option<PairingNumber>, PairingFileError> {
        let players = || self.players.iter().flatten().filter(|_| round > self.played);
        let mut chosen = players().filter(|player| has_bye(self.cell(player, round)));
        let Some(first) = chosen.next() else {
            return Ok(None);
        };
        if let Some(second) = chosen.next() {
            return Err(PairingFileError::TwoByes(first.number, second.number));
        }
        match players().filter(|player| self.is_present(player, round)).count() {
            others if others % 2 == 1 => Err(PairingFileError::OddWithBye {
                player: first.number,
                others,
            }),
            _ => Ok(Some(PairingNumber(first.number))),
        }
    }

    /// The points of a round: by the point system, or by `299`.
    pub fn worth(&self, player: &PlayerRecord, round: u32) -> Points {
        let cell = self.cell(player, round);
        let abnormal = cell.result.and_then(|result| {
            let of = |(number, round)| self.abnormal.get(&(number, round, result.as_abnormal()));
            AbnormalPoints::narrowest_first(player.number, round)
                .into_iter()
                .find_map(of)
        });
        abnormal.copied().unwrap_or_else(|| self.points.of_round(cell))
    }

    fn total(&self, player: &PlayerRecord, rounds: u32) -> Points {
        let results: Points = (1..=rounds).map(|round| self.worth(player, round)).sum();
        results + self.bonus(player, rounds)
    }

    /// Bonus and penalty points up to a round (`299` without a result).
    pub fn bonus(&self, player: &PlayerRecord, rounds: u32) -> Points {
        let rounds = (0..=rounds).flat_map(|round| [player.number, 0].map(|number| (number, round)));
        rounds.filter_map(|key| self.bonuses.get(&key)).sum()
    }

    fn past_players(&self, round: u32) -> Vec<PastPlayer> {
        let is_next = round == self.played + 1 && round > 1;
        let past_player = |(submission, player): (u32, &Option<&PlayerRecord>)| match player {
            Some(player) => PastPlayer {
                points: self.total(player, round - 1),
                rounds: (1..round).map(|round| self.past_round(player, round)).collect(),
                present: self.is_present(player, round),
                submission,
                previous_place: player.rank.filter(|&rank| is_next && rank > 0),
                rating: player.rating.filter(|&rating| rating > 0),
            },
            None => PastPlayer {
                rounds: vec![Encounter::Absent.worth(Points::ZERO); round as usize - 1],
                submission,
                ..PastPlayer::default()
            },
        };
        (0..).zip(&self.players).map(past_player).collect()
    }

    fn past_round(&self, player: &PlayerRecord, round: u32) -> PastRound {
        let cell = self.cell(player, round);
        let encounter = match (cell.opponent.map(PairingNumber), cell.color) {
            (Some(opponent), Some(color)) if is_met(&cell) => Encounter::Met {
                opponent,
                color: first_color(color),
            },
            (Some(opponent), _) => Encounter::Forfeit { opponent },
            (None, _) if cell.result == Some(ResultCode::PairingAllocatedBye) => Encounter::PairingAllocatedBye,
            (None, _) => Encounter::Absent,
        };
        encounter.worth(self.worth(player, round))
    }

    /// Warns of numbers without a line.
    fn name_gaps(&self, warnings: &mut Vec<String>) {
        let missing = (1..).zip(&self.players).filter(|(_, player)| player.is_none());
        let missing: Vec<u32> = missing.map(|(number, _)| number).collect();
        if let Some(first) = missing.first() {
            warnings.push(match missing.len() {
                1 => format!("pairing number {first} has no 001 line; no player has it"),
                count => {
                    format!("{count} pairing numbers have no 001 line, the first is {first}; no player has them")
                }
            });
        }
    }

    /// Compares the points that the lines state with the results. Either may include the byes of the next round and
    /// the virtual points of the last or the next one.
    fn compare_points(&self, rules: &DutchRules, warnings: &mut Vec<String>) {
        let differing = self.players.iter().flatten().filter_map(|player| {
            let computed = self.total(player, self.played);
            let stated = player.points?;
            (!self.agrees(player, stated, computed, rules)).then_some((player.number, stated, computed))
        });
        warnings.extend(differing_points("points", "player", differing));
    }

    fn agrees(&self, player: &PlayerRecord, stated: Points, computed: Points, rules: &DutchRules) -> bool {
        let index = PairingNumber(player.number).index();
        let (played, next) = (self.played as usize, self.played + 1);
        let with_bye = match self.cell(player, next) {
            cell if cell.is_blank() => computed,
            _ => self.total(player, next),
        };
        let virtual_points = [
            Points::ZERO,
            rules.virtual_points(index, played),
            rules.virtual_points(index, played + 1),
        ];
        let unknown = self.unknown_results(player);
        let right = |&more: &Points| {
            [computed, with_bye]
                .iter()
                .any(|&sum| [sum, sum - unknown].contains(&(stated - more)))
        };
        virtual_points.iter().any(right)
    }

    /// The points that games without a result count for until it is known; a line may leave them out.
    fn unknown_results(&self, player: &PlayerRecord) -> Points {
        let cells = (1..=self.played).map(|round| self.cell(player, round));
        let unknown = cells.filter(|cell| cell.opponent.is_some() && cell.result.is_none());
        unknown.map(|cell| self.points.of_round(cell)).sum()
    }
}

/// A warning if the points of the lines differ from the results. In a file of teams a player's points include no
/// virtual points, which are those of teams.
///
/// # Errors
/// [`PairingFileError::TooMuch`], for more virtual points or forbidden pairs than any tournament has.
pub fn doubtful_points(tournament: &Tournament) -> Result<Option<String>, PairingFileError> {
    let played = rounds_played(tournament);
    let highest = tournament.players().map(|player| player.number).max();
    let file = File::new(tournament, highest.ok_or(PairingFileError::NoPlayers)?, played);
    let rules = match tournament.teams().next() {
        Some(_) => DutchRules::default(),
        // Anything else that the Dutch rules lack in the file does not concern points.
        None => file.rules(tournament.rounds().unwrap_or(played), &mut Vec::new())?,
    };
    let mut doubts = Vec::new();
    file.compare_points(&rules, &mut doubts);
    Ok(doubts.pop())
}

/// The warning about points that are not the sum of the results: `what` points of `whom`, a player or a team, each
/// with number, points in the line and points by results.
pub fn differing_points(
    what: &str,
    whom: &str,
    differing: impl Iterator<Item = (u32, Points, Points)>,
) -> Option<String> {
    let mut differing = differing.peekable();
    let &(number, stated, computed) = differing.peek()?;
    let count = count::of(differing.count(), whom, &format!("{whom}s"));
    Some(format!(
        "the {what} of {count} differ from their results, which count: {whom} {number} has {stated} in the line, \
         {computed} by results"
    ))
}

/// A file's colour as a pairing system has it.
pub const fn first_color(color: Color) -> FirstColor {
    match color {
        Color::White => FirstColor::White,
        Color::Black => FirstColor::Black,
    }
}

#[cfg(test)]
#[path = "file/tests.rs"]
mod tests;
