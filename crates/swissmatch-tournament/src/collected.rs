//! Counts of games from any number of runs and PGN files together; players are rated by them.
//!
//! Players with the same name are the same player. Games 2k − 1 and 2k of a mini-match are a game pair;
//! [`swissmatch_game::pgn_results`] says which games of a file are one. A game counts as the arbiter ruled it.
//!
//! May not: open files; rate anybody.

mod breakdown;

pub use self::breakdown::{Breakdown, BreakdownOptions, ByResult, Lengths, OfOpening, Terminations};

use std::collections::{BTreeMap, BTreeSet, HashSet};

use swiss_system::text::harmless;

use super::state::{EndedGame, State};
use swissmatch_game::Side;
use swissmatch_game::pgn_results::{
    Ending, GameRow, MOST_NAMES, NameId, Names, Openings, PgnResult, UnusableGameError, game_pairs,
};
use swissmatch_game::record::GameId;
use swissmatch_game::termination::Outcome;
use swissmatch_stats::rating::games::{GamePairs, Meeting, RatedGames};

/// How many unusable games are kept with their reasons.
pub const KEPT_UNUSABLE: usize = 5;

/// More players than names can be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there are more than {MOST_NAMES} names of players")]
pub struct NameLimitError;

/// A run or a file that games come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSource {
    /// The path of the run or the file, as the user gave it.
    pub place: String,
    pub is_run: bool,
    /// Its games that count.
    pub games: u64,
}

/// Games that do not count, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Unfinished games in files.
    pub unfinished: u64,
    /// Games that the arbiter annulled, or that count for nobody.
    pub annulled: u64,
    /// Games that both players lost.
    pub lost_by_both: u64,
    /// Games that were forfeited or awarded without being played, through no fault of an agent during the game.
    pub not_played: u64,
    /// Unusable games in files.
    pub unusable: u64,
    /// Games in files that are also games of a given run, and count there.
    pub of_runs: u64,
    /// Games of runs that are also in another given run: one was taken from the other, or both from the same.
    pub taken: u64,
}

/// An unusable game in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnusableGame {
    /// The path as the user gave it.
    pub file: String,
    /// Where it is in the file, and the reason.
    pub game: UnusableGameError,
}

/// The games that are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameFilter {
    /// All games that count.
    All,
    /// Games that did not end by an agent's fault.
    WithoutFaults,
}

/// All that is known about the collected games.
#[derive(Clone, Debug, Default)]
pub struct Collection {
    /// Everyone named in a game or a run.
    pub names: Names,
    /// The openings of the games, where they are counted by opening.
    pub openings: Openings,
    breakdown: Breakdown,
    all: CountsByPlayers,
    without_faults: CountsByPlayers,
    /// Players with games that count.
    players: BTreeSet<NameId>,
    /// The number of games that ended by the player's fault.
    faults: BTreeMap<NameId, u64>,
    faulty_games: u64,
    left_out: LeftOut,
    unusable: Vec<UnusableGame>,
    sources: Vec<GameSource>,
    /// Games met so far, by their players and moves.
    seen: HashSet<([NameId; 2], u64)>,
    duplicates: u64,
    /// The programs that a name stood for, by the hashes of their files.
    programs: BTreeMap<NameId, BTreeSet<Vec<String>>>,
}

/// Counts by players: White and Black of single games, first and second player of pairs.
#[derive(Clone, Debug, Default)]
struct CountsByPlayers {
    single: BTreeMap<[NameId; 2], [u64; 3]>,
    pairs: BTreeMap<[NameId; 2], [[u64; 3]; 3]>,
}

/// A game that counts.
#[derive(Clone, Copy, Debug)]
struct CountedGame {
    white: NameId,
    black: NameId,
    /// White's result: 0 won, 1 drawn, 2 lost.
    result: usize,
    is_faulty: bool,
    /// Whether the end was White's fault, and Black's.
    at_fault: [bool; 2],
    termination: &'static str,
    /// Plies, including those of the opening; 0 if unknown.
    plies: u32,
    /// Its opening's number in [`Collection::openings`].
    opening: Option<u64>,
}

impl CountedGame {
    /// True if the other game has the same players with colours reversed.
    fn is_reversed(&self, other: &Self) -> bool {
        self.white == other.black && self.black == other.white
    }
}

/// Facts about a run's game that the log does not have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Detail {
    /// Its opening's number in [`Collection::openings`].
    pub opening: Option<u64>,
    /// Plies of the opening.
    pub opening_plies: u32,
}

/// White's result in a run's game: 0 won, 1 drawn, 2 lost.
///
/// # Errors
/// The reason why the game does not count.
pub fn counts(game: &EndedGame) -> Result<usize, NotCounted> {
    let termination = game.finished.termination;
    match game.outcome() {
        Outcome::Void => Err(NotCounted::Annulled),
        Outcome::BothLose => Err(NotCounted::LostByBoth),
        _ if !termination.was_played() && !termination.is_fault() => Err(NotCounted::NotPlayed),
        Outcome::WhiteWins => Ok(0),
        Outcome::Draw => Ok(1),
        Outcome::BlackWins => Ok(2),
    }
}

/// The reason why a run's game does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotCounted {
    /// [`LeftOut::annulled`]
    Annulled,
    /// [`LeftOut::lost_by_both`]
    LostByBoth,
    /// [`LeftOut::not_played`]
    NotPlayed,
}

impl Collection {
    /// An empty collection with this breakdown.
    pub fn with(by: BreakdownOptions) -> Self {
        Self {
            breakdown: Breakdown::new(by),
            ..Self::default()
        }
    }

    /// Adds the games of a run, except those that were counted `before` as games of another run. `detail` is asked
    /// about each game that counts.
    ///
    /// # Errors
    /// There are too many players.
    pub fn add_run(
        &mut self,
        place: &str,
        state: &State,
        before: &BTreeSet<GameId>,
        mut detail: impl FnMut(&EndedGame, &mut Openings) -> Detail,
    ) -> Result<(), NameLimitError> {
        self.left_out.taken += before.len() as u64;
        let names = state
            .numbers()
            .map(|number| self.names.intern(&state.player(number).name));
        let names: Vec<NameId> = names.collect::<Option<_>>().ok_or(NameLimitError)?;
        for (name, entry) in names.iter().zip(&state.created().order) {
            let files = &state.created().agents[*entry].files;
            if !files.is_empty() {
                let hashes = files.iter().map(|file| file.sha256.clone()).collect();
                self.programs.entry(*name).or_default().insert(hashes);
            }
        }
        let counted = self.count();
        for board in state.sittings().flat_map(|sitting| sitting.mini_matches) {
            for two in board.games.pairs() {
                let games = two.iter().flatten().filter(|game| !before.contains(&game.finished.id));
                let games = games.filter_map(|game| self.game_of_run(game, &names, &mut detail));
                let games: Vec<CountedGame> = games.collect();
                self.add(&games);
            }
        }
        self.add_source(place, true, counted);
        Ok(())
    }

    /// Adds the games of a file, in file order, and its unusable games: their number and the first of them. `openings`
    /// has the number of each game's opening in [`Self::openings`], or is empty.
    ///
    /// # Panics
    /// There are more than 2³² games in one file.
    pub fn add_file(
        &mut self,
        place: &str,
        rows: &[GameRow],
        openings: &[u64],
        unusable: u64,
        first: Vec<UnusableGameError>,
    ) {
        let before = self.count();
        let mut is_paired = vec![false; rows.len()];
        for pair in game_pairs(rows) {
            let two = [pair.first as usize, pair.second as usize];
            two.iter().for_each(|&game| is_paired[game] = true);
            let games = two
                .iter()
                .filter_map(|&game| self.game_of_file(rows[game], openings.get(game).copied()));
            let games: Vec<CountedGame> = games.collect();
            self.add(&games);
        }
        for (at, _) in is_paired.iter().enumerate().filter(|(_, is_paired)| !**is_paired) {
            let game = self.game_of_file(rows[at], openings.get(at).copied());
            self.add(game.as_slice());
        }
        self.left_out.unusable += unusable;
        let room = KEPT_UNUSABLE.saturating_sub(self.unusable.len());
        self.unusable
            .extend(first.into_iter().take(room).map(|game| UnusableGame {
                file: place.to_owned(),
                game,
            }));
        self.add_source(place, false, before);
    }

    /// The players whose games count, in the order in which they were met. [`Self::games`] numbers them in this order.
    pub fn players(&self) -> Vec<NameId> {
        self.players.iter().copied().collect()
    }

    /// A player's number in [`Self::games`].
    pub fn number_of(&self, name: &str) -> Option<usize> {
        let id = self.names.find(name)?;
        self.players.contains(&id).then(|| self.players.range(..id).count())
    }

    /// The games that are wanted.
    pub fn games(&self, wanted: GameFilter) -> RatedGames {
        let counts = match wanted {
            GameFilter::All => &self.all,
            GameFilter::WithoutFaults => &self.without_faults,
        };
        let numbers: BTreeMap<NameId, usize> = self.players.iter().copied().zip(0..).collect();
        let single = counts
            .single
            .iter()
            .map(|([white, black], [wins, draws, losses])| Meeting {
                white: numbers[white],
                black: numbers[black],
                wins: *wins,
                draws: *draws,
                losses: *losses,
            });
        let pairs = counts.pairs.iter().map(|(players, counts)| GamePairs {
            players: players.map(|player| numbers[&player]),
            counts: *counts,
        });
        RatedGames {
            players: self.players.len(),
            single: single.collect(),
            pairs: pairs.collect(),
        }
    }

    /// The number of games that ended by this player's fault.
    pub fn faults_of(&self, player: NameId) -> u64 {
        self.faults.get(&player).copied().unwrap_or_default()
    }

    /// The number of games that ended by anyone's fault.
    pub const fn faulty_games(&self) -> u64 {
        self.faulty_games
    }

    /// Counts games of files that were left out because they are games of a run that was added.
    pub const fn leave_out_of_runs(&mut self, games: u64) {
        self.left_out.of_runs += games;
    }

    pub const fn breakdown(&self) -> &Breakdown {
        &self.breakdown
    }

    /// The games that do not count.
    pub const fn left_out(&self) -> LeftOut {
        self.left_out
    }

    /// The first unusable games of files.
    pub fn unusable(&self) -> &[UnusableGame] {
        &self.unusable
    }

    /// The sources of the games, in the order in which they were added.
    pub fn sources(&self) -> &[GameSource] {
        &self.sources
    }

    /// Games that repeat an earlier game of the same two players move by move, with either colours. Moves of runs are
    /// not compared with moves of files.
    pub const fn duplicates(&self) -> u64 {
        self.duplicates
    }

    /// Names that stood for different programs, made harmless.
    pub fn ambiguous(&self) -> Vec<String> {
        let several = self.programs.iter().filter(|(_, programs)| programs.len() > 1);
        several.map(|(name, _)| harmless(self.names.name(*name))).collect()
    }

    fn count(&self) -> u64 {
        self.all.games()
    }

    fn add_source(&mut self, place: &str, is_run: bool, before: u64) {
        let games = self.count() - before;
        self.sources.push(GameSource {
            place: harmless(place),
            is_run,
            games,
        });
    }

    fn game_of_run(
        &mut self,
        game: &EndedGame,
        names: &[NameId],
        detail: &mut impl FnMut(&EndedGame, &mut Openings) -> Detail,
    ) -> Option<CountedGame> {
        let finished = &game.finished;
        let [white, black] = [finished.white, finished.black].map(|player| names[player.index()]);
        let termination = finished.termination;
        let result = match counts(game) {
            Ok(result) => result,
            Err(why) => {
                *match why {
                    NotCounted::Annulled => &mut self.left_out.annulled,
                    NotCounted::LostByBoth => &mut self.left_out.lost_by_both,
                    NotCounted::NotPlayed => &mut self.left_out.not_played,
                } += 1;
                return None;
            }
        };
        let detail = detail(game, &mut self.openings);
        let counted = CountedGame {
            white,
            black,
            result,
            is_faulty: termination.is_fault(),
            at_fault: Side::BOTH.map(|side| termination.is_fault_of(side)),
            termination: termination.word(),
            plies: finished.plies.saturating_add(detail.opening_plies),
            opening: detail.opening,
        };
        self.note(counted, finished.movetext);
        Some(counted)
    }

    fn game_of_file(&mut self, row: GameRow, opening: Option<u64>) -> Option<CountedGame> {
        let result = match row.result() {
            PgnResult::Unfinished => {
                self.left_out.unfinished += 1;
                return None;
            }
            _ if row.ending() == Ending::NotPlayed => {
                self.left_out.not_played += 1;
                return None;
            }
            PgnResult::WhiteWins => 0,
            PgnResult::Draw => 1,
            PgnResult::BlackWins => 2,
        };
        let counted = CountedGame {
            white: row.player(Side::White),
            black: row.player(Side::Black),
            result,
            is_faulty: row.ending().is_fault(),
            at_fault: Side::BOTH.map(|side| row.blame().is_of(side)),
            termination: row.ending().word(),
            plies: row.plies(),
            opening,
        };
        self.note(counted, row.moves());
        Some(counted)
    }

    /// Records the players, whether the same moves were played before, and whose fault the end was.
    fn note(&mut self, game: CountedGame, moves: Option<u64>) {
        let players = [game.white, game.black];
        self.players.extend(players);
        let mut sorted = players;
        sorted.sort_unstable();
        if moves.is_some_and(|moves| !self.seen.insert((sorted, moves))) {
            self.duplicates += 1;
        }
        if game.is_faulty {
            self.faulty_games += 1;
            for (player, is_at_fault) in players.into_iter().zip(game.at_fault) {
                if is_at_fault {
                    *self.faults.entry(player).or_default() += 1;
                }
            }
        }
    }

    /// Adds a pair's games, or those of them that count.
    fn add(&mut self, games: &[CountedGame]) {
        self.all.add(games);
        self.breakdown.add(games);
        let sound: Vec<CountedGame> = games.iter().copied().filter(|game| !game.is_faulty).collect();
        self.without_faults.add(&sound);
    }
}

impl CountsByPlayers {
    fn add(&mut self, games: &[CountedGame]) {
        match games {
            // The first player of a pair is the one met first.
            [one, other] if one.is_reversed(other) => {
                let (one, other) = match one.white < one.black {
                    true => (one, other),
                    false => (other, one),
                };
                let counts = self.pairs.entry([one.white, one.black]).or_default();
                counts[one.result][2 - other.result] += 1;
            }
            games => {
                for game in games {
                    self.single.entry([game.white, game.black]).or_default()[game.result] += 1;
                }
            }
        }
    }

    fn games(&self) -> u64 {
        let single: u64 = self.single.values().flatten().sum();
        let pairs: u64 = self.pairs.values().flatten().flatten().sum();
        single + 2 * pairs
    }
}

#[cfg(test)]
mod tests;
