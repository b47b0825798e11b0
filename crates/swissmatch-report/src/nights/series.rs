//! Nights that can be compared with each other, and their games in one fit.
//!
//! A change of the machine's class, of the time control or of the openings begins a new series. Nights on a noisy machine are left out,
//! unless their games do not depend on the time. May not: decide what is a change.

use std::collections::{BTreeMap, HashSet};

use super::{History, Night, NightGame};
use swissmatch_game::record::GameId;
use swissmatch_game::termination::Outcome;
use swissmatch_stats::marks::{Difference, OneSided};
use swissmatch_stats::rating::fitted::Fit;
use swissmatch_stats::rating::games::{GamePairs, Meeting, RatedGames};
use swissmatch_stats::rating::{self, FitError, Options, Origin};
use swissmatch_tournament::noise::Noisy;

/// Number of a build in a series, from 0.
pub type BuildId = usize;

/// Builds and games of comparable nights.
#[derive(Clone, Debug)]
pub struct NightSeries<'a> {
    /// The class of the machine.
    pub machine: &'a str,
    /// Its nights, in the order in which they began, each with the reasons against comparing it.
    pub nights: Vec<(&'a Night, Vec<Noisy>)>,
    pub builds: Vec<&'a str>,
    pub(super) games: RatedGames,
    numbers: BTreeMap<&'a str, BuildId>,
    /// Builds that won or lost all of their games: each is counted as if it had drawn one more game.
    pub one_sided: Vec<BuildId>,
    /// Kinds of games that were really played; the games after them are the assumed ones.
    played: usize,
}

impl<'a> NightSeries<'a> {
    /// The nights of one class of machine under the same conditions, up to and including `last`.
    pub fn until(history: &'a History, last: &'a Night) -> Self {
        let is_of_it = |night: &Night| {
            let is_same = night.machine == last.machine && night.conditions == last.conditions;
            is_same && night.began <= last.began
        };
        let nights = with_noise(history)
            .into_iter()
            .filter(|(night, _)| is_of_it(night))
            .collect();
        let mut series = Self::of(&last.machine, nights);
        series.temper();
        series
    }

    /// All nights of a history with their real games, noisy ones too.
    pub(super) fn of_all(history: &'a History) -> Self {
        let machine = history.nights.last().map_or("", |night| night.machine.as_str());
        Self::of(
            machine,
            history.nights.iter().map(|night| (night, Vec::new())).collect(),
        )
    }

    fn of(machine: &'a str, nights: Vec<(&'a Night, Vec<Noisy>)>) -> Self {
        let mut series = Self {
            machine,
            nights,
            builds: Vec::new(),
            games: RatedGames::default(),
            numbers: BTreeMap::new(),
            one_sided: Vec::new(),
            played: 0,
        };
        series.count();
        series
    }

    /// The number of a build, by its hash.
    pub fn number(&self, build: &str) -> Option<BuildId> {
        self.numbers.get(build).copied()
    }

    /// The games, each of them once.
    pub const fn games(&self) -> &RatedGames {
        &self.games
    }

    /// One fit of all games, with the anchors of its last night.
    ///
    /// # Errors
    /// When there is no fit.
    pub fn fit(&self) -> Result<Fit, FitError> {
        let last = self.nights.last().map(|(night, _)| *night);
        let anchors = last.into_iter().flat_map(|night| &night.builds);
        let anchors: BTreeMap<BuildId, f64> = anchors
            .filter_map(|build| Some((self.number(&build.build)?, f64::from(build.elo?))))
            .collect();
        let options = Options {
            origin: match anchors.is_empty() {
                true => Origin::default(),
                false => Origin::Anchors(anchors.into_iter().collect()),
            },
            ..Options::default()
        };
        rating::fit(&self.games, &options)
    }

    /// The lead of the first build over the second by the fit of all games, at this look; `None` where games do not tell.
    pub fn difference(&self, fit: &Fit, builds: [BuildId; 2], look: Option<u32>) -> Option<Difference> {
        let [one, other] = builds;
        let one_sided = [(one, other, true), (other, one, false)].into_iter();
        let one_sided = one_sided.filter_map(|(build, than, is_first)| self.one_sided(fit, build, than, is_first));
        Some(Difference {
            value: fit.difference(one, other)?,
            look,
            one_sided: one_sided.collect(),
        })
    }

    /// What a build that won or lost everything tells of its distance from another one.
    fn one_sided(&self, fit: &Fit, build: BuildId, than: BuildId, is_first: bool) -> Option<OneSided> {
        if !self.one_sided.contains(&build) {
            return None;
        }
        let single = self.games.single[..self.played].iter().map(|meeting| {
            let games = meeting.wins + meeting.draws + meeting.losses;
            ([meeting.white, meeting.black], games, meeting.wins > 0)
        });
        let pairs = self.games.pairs.iter().map(|pairs| {
            let all = pairs.counts.iter().flatten().sum();
            (pairs.players, all, pairs.counts[0][0] > 0)
        });
        let of_it = single.chain(pairs).filter(|(players, ..)| players.contains(&build));
        let (mut met, mut has_won) = (Vec::new(), false);
        for ([first, second], results, is_won) in of_it {
            let opponent = if first == build { second } else { first };
            has_won = is_won == (first == build);
            met.push((results, fit.difference(opponent, than)?));
        }
        Some(OneSided { is_first, has_won, met })
    }

    fn count(&mut self) {
        let mut single: BTreeMap<[BuildId; 2], [u64; 3]> = BTreeMap::new();
        let mut pairs: BTreeMap<[BuildId; 2], [[u64; 3]; 3]> = BTreeMap::new();
        let mut seen: HashSet<(&str, GameId)> = HashSet::new();
        // Games that do not depend on the time repeat exactly if their key is the same, even when they are played again.
        let mut keys: HashSet<&str> = HashSet::new();
        let nights = self.nights.iter().filter(|(_, noisy)| noisy.is_empty());
        for night in nights.map(|(night, _)| *night).collect::<Vec<_>>() {
            let numbers: Vec<BuildId> = night.builds.iter().map(|build| self.take_in(&build.build)).collect();
            let mut is_new = |game: &'a NightGame| {
                let origin = game
                    .from
                    .as_ref()
                    .map_or((night.run.as_str(), game.id), |from| (from.run.as_str(), from.game));
                let is_other = |key| night.by_time || keys.insert(key);
                seen.insert(origin) && game.key.as_deref().is_none_or(is_other)
            };
            let mut games = night.games.iter().peekable();
            while let Some(game) = games.next() {
                let other = games.next_if(|other| are_pair(game.id, other.id) && are_reversed(game, other));
                let (game, other) = (
                    Some(game).filter(|game| is_new(game)),
                    other.filter(|other| is_new(other)),
                );
                let players = |game: &NightGame| [game.white, game.black].map(|number| numbers[usize::from(number)]);
                match (game, other) {
                    (Some(game), Some(other)) if players(game)[0] != players(game)[1] => {
                        let with_white = result(game.result);
                        let with_black = result(other.result).map(|result| 2 - result);
                        if let (Some(white), Some(black)) = (with_white, with_black) {
                            pairs.entry(players(game)).or_default()[white][black] += 1;
                        }
                    }
                    (game, other) => {
                        for game in game.into_iter().chain(other) {
                            let [white, black] = players(game);
                            if let (Some(result), true) = (result(game.result), white != black) {
                                single.entry([white, black]).or_default()[result] += 1;
                            }
                        }
                    }
                }
            }
        }
        let meetings = single
            .into_iter()
            .map(|([white, black], [wins, draws, losses])| Meeting {
                white,
                black,
                wins,
                draws,
                losses,
            });
        self.games = RatedGames {
            players: self.builds.len(),
            single: meetings.collect(),
            pairs: pairs
                .into_iter()
                .map(|(players, counts)| GamePairs { players, counts })
                .collect(),
        };
    }

    /// A build that won or lost all of its games has no finite rating, nor has a group of builds that did so together. With one more game,
    /// drawn by the two that met most, they have one with a wide interval: whoever loses everything is weaker.
    fn temper(&mut self) {
        let mut scores = vec![[0_u64; 2]; self.builds.len()];
        let mut met: BTreeMap<[BuildId; 2], u64> = BTreeMap::new();
        let mut add = |[one, other]: [BuildId; 2], half_points: u64, games: u64| {
            scores[one][0] += half_points;
            scores[other][0] += 2 * games - half_points;
            for (player, rival) in [(one, other), (other, one)] {
                scores[player][1] += 2 * games;
                *met.entry([player, rival]).or_default() += games;
            }
        };
        for meeting in &self.games.single {
            let games = meeting.wins + meeting.draws + meeting.losses;
            add([meeting.white, meeting.black], 2 * meeting.wins + meeting.draws, games);
        }
        for GamePairs { players, counts } in &self.games.pairs {
            for (white, with_black) in counts.iter().enumerate() {
                for (black, count) in with_black.iter().enumerate() {
                    add(*players, (4 - white - black) as u64 * count, 2 * count);
                }
            }
        }
        let is_one_sided = |build: &BuildId| {
            let [half_points, most] = scores[*build];
            most > 0 && (half_points == 0 || half_points == most)
        };
        self.one_sided = (0..scores.len()).filter(is_one_sided).collect();
        self.played = self.games.single.len();
        // Within a group all have ratings, and a drawn game joins two groups. Pairs that met most come first.
        let mut group = rating::groups_of(&self.games);
        let mut met: Vec<([BuildId; 2], u64)> = met.into_iter().filter(|([one, other], _)| one < other).collect();
        met.sort_by_key(|(_, games)| std::cmp::Reverse(*games));
        for ([one, other], _) in met {
            let [kept, joined] = [group[one], group[other]];
            if kept == joined {
                continue;
            }
            group.iter_mut().filter(|of| **of == joined).for_each(|of| *of = kept);
            self.games.single.push(Meeting {
                white: one,
                black: other,
                wins: 0,
                draws: 1,
                losses: 0,
            });
        }
    }

    fn take_in(&mut self, build: &'a str) -> BuildId {
        let next = self.builds.len();
        let number = *self.numbers.entry(build).or_insert(next);
        if number == next {
            self.builds.push(build);
        }
        number
    }
}

/// All nights of a history in their order, each with the reasons against comparing it. A night without a game of its own has no noise.
pub fn with_noise(history: &History) -> Vec<(&Night, Vec<Noisy>)> {
    let mut speeds: BTreeMap<[&str; 2], Vec<u64>> = BTreeMap::new();
    let mut nights = Vec::new();
    for night in &history.nights {
        let usual = speeds.entry([&night.machine, &night.conditions]).or_default();
        let noisy = match night.by_time && night.has_played() {
            true => night.noise.noisy(median(usual)),
            false => Vec::new(),
        };
        usual.extend(night.noise.before.filter(|_| noisy.is_empty()));
        nights.push((night, noisy));
    }
    nights
}

/// The result for White: 0 won, 1 drawn, 2 lost.
const fn result(outcome: Outcome) -> Option<usize> {
    match outcome {
        Outcome::WhiteWins => Some(0),
        Outcome::Draw => Some(1),
        Outcome::BlackWins => Some(2),
        Outcome::BothLose | Outcome::Void => None,
    }
}

/// Whether these are games 2k − 1 and 2k of a mini-match.
const fn are_pair(one: GameId, other: GameId) -> bool {
    let same = one.round == other.round && one.playoff == other.playoff && one.board == other.board;
    same && one.game % 2 == 1 && one.game + 1 == other.game
}

const fn are_reversed(one: &NightGame, other: &NightGame) -> bool {
    one.white == other.black && one.black == other.white
}

fn median(numbers: &[u64]) -> Option<u64> {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied()
}
