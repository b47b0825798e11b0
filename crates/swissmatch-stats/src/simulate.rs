//! A whole event played by chance: paired by its own system, ranked by its own criteria.
//!
//! May not: pair or rank by anything of its own.

pub mod stopping;

use std::cmp::Ordering;
use std::collections::BTreeMap;

use rand::RngExt as _;
use rand_pcg::Pcg64;
use swiss_system::pairing::bye::ByeCriterion;
use swiss_system::pairing::double_swiss;
use swiss_system::pairing::dutch::rules::ColorRule;
use swiss_system::pairing::history::{Encounter, FirstColor, History, Pair, PairingNumber, RoundPairing};
use swiss_system::pairing::infeasible::NoPairingError;
use swiss_system::pairing::system::PairingRules;
use swiss_system::score::PointsTable;
use swiss_system::standings::bye::ByePoints;
use swiss_system::standings::criterion::Score;
use swiss_system::standings::results::{Bye, GameCounts, MatchResult, PlayerRound, Results, RoundFate};
use swiss_system::standings::{self, RankingRules, Standings};

use super::confidence::{MiniMatch, Share};
use super::elo::EloChances;

/// The way in which rounds are paired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pairing {
    /// As a Swiss, with rules by the number of rounds to be played.
    Swiss(BTreeMap<u32, PairingRules>),
    /// Fixed rounds, whatever the results.
    Table(Vec<RoundPairing>),
}

/// An event before its first round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    pub pairing: Pairing,
    /// The event as the pairing system sees it.
    pub history: History,
    /// The event as the standings see it.
    pub results: Results,
    /// The rules of the ranking.
    pub rules: RankingRules,
    /// Points of a game.
    pub game: PointsTable,
    pub match_points: PointsTable,
    /// The worth of a bye.
    pub bye: ByePoints,
    /// The kind of bye for a player without a right to it, if it differs.
    pub bye_again: Option<Bye>,
}

impl Event {
    /// The pairing of the coming round in an event of `rounds` rounds.
    fn pair(&self, history: &History, rounds: u32) -> Result<RoundPairing, NoPairingError> {
        match &self.pairing {
            Pairing::Swiss(by_rounds) => by_rounds[&rounds].pair(history),
            Pairing::Table(table) => Ok(table[history.rounds_paired()].clone()),
        }
    }

    /// The system of a Swiss; its rules for different numbers of rounds do not differ in anything that callers use.
    fn system(&self) -> Option<&PairingRules> {
        match &self.pairing {
            Pairing::Swiss(by_rounds) => by_rounds.values().next(),
            Pairing::Table(_) => None,
        }
    }

    /// Groups of numbers of rounds whose rounds are paired alike, except the last one with [`Self::last_is_special`]:
    /// events of these lengths are one event looked at after each of them. `rounds` ascends.
    fn alike(&self, rounds: &[u32]) -> Vec<Vec<u32>> {
        let same = |one: &u32, other: &u32| match &self.pairing {
            Pairing::Swiss(by_rounds) => match (&by_rounds[one], &by_rounds[other]) {
                (PairingRules::Dutch(one), PairingRules::Dutch(other)) => one.virtual_points == other.virtual_points,
                // The right to a bye depends on the rounds that are left.
                (PairingRules::UsChess(_), _) => false,
                _ => true,
            },
            Pairing::Table(_) => true,
        };
        rounds.chunk_by(same).map(<[u32]>::to_vec).collect()
    }

    /// True if the last round is paired differently from one with more to come: the Dutch system's topscorers may get
    /// a colour that others may not; in the Double-Swiss system anybody may float again.
    fn last_is_special(&self) -> bool {
        match self.system() {
            Some(PairingRules::Dutch(rules)) => rules.color != ColorRule::Ignore,
            Some(PairingRules::DoubleSwiss(_)) => true,
            Some(PairingRules::MatchPoints(_) | PairingRules::UsChess(_) | PairingRules::Immortal(_)) | None => false,
        }
    }

    /// The points by which it is paired.
    fn score(&self) -> Score {
        match self.system() {
            Some(PairingRules::DoubleSwiss(_)) => Score::Game,
            Some(PairingRules::UsChess(_)) => self.rules.primary(),
            _ => Score::Match,
        }
    }

    /// The games of a mini-match, if the system is defined for that number alone.
    pub fn games(&self) -> Option<u32> {
        match self.system() {
            Some(PairingRules::DoubleSwiss(_)) => Some(double_swiss::GAMES),
            _ => None,
        }
    }

    /// True if the pairing needs places: a bye may depend on them.
    fn needs_places(&self) -> bool {
        let Some(PairingRules::MatchPoints(rules)) = self.system() else {
            return false;
        };
        !self.history.players.len().is_multiple_of(2) && rules.bye_order.contains(&ByeCriterion::WorstPreviousPlace)
    }
}

/// First rounds by the number of rounds to be played: they depend on no result, so all events share them.
pub(super) type FirstRounds = BTreeMap<u32, Result<RoundPairing, NoPairingError>>;

/// The first rounds of events of these lengths.
pub(super) fn first_rounds(event: &Event, rounds: &[u32]) -> FirstRounds {
    let first = |&rounds: &u32| (rounds, event.pair(&event.history, rounds));
    rounds.iter().map(first).collect()
}

/// The event that is played, and by whom.
pub(super) struct Play<'a> {
    pub(super) event: &'a Event,
    pub(super) first: &'a FirstRounds,
    /// Games of a mini-match.
    pub(super) games: u32,
    /// Strengths by pairing number, in Elo.
    pub(super) strengths: &'a [f64],
    /// The share of draws between equals.
    pub(super) draws: f64,
    /// For each player, the place in the order in which those still tied are listed.
    pub(super) lots: &'a [u32],
}

impl Play<'_> {
    /// The standings of the event for each of these numbers of rounds, which ascend; `None` if a round of it could
    /// not be paired.
    pub(super) fn standings(&self, rounds: &[u32], chance: &Pcg64) -> Vec<Option<Standings>> {
        let mut found = BTreeMap::new();
        for lengths in self.event.alike(rounds) {
            let longest = *lengths.last().expect("a chunk holds something");
            let mut world = SimulatedEvent::new(self, chance.clone());
            for round in 1..=longest {
                let ends_here = lengths.contains(&round);
                let apart = ends_here && round < longest && self.event.last_is_special();
                if apart {
                    let mut world = world.clone();
                    if world.round(round).is_ok() {
                        found.insert(round, world.standings());
                    }
                }
                if world.round(longest).is_err() {
                    break;
                }
                if ends_here && !apart {
                    found.insert(round, world.standings());
                }
            }
        }
        rounds.iter().map(|rounds| found.remove(rounds)).collect()
    }
}

/// An event that is being played.
#[derive(Clone)]
struct SimulatedEvent<'a> {
    play: &'a Play<'a>,
    history: History,
    results: Results,
    chance: Pcg64,
    /// The game pairs played so far, if somebody is going to draw from them.
    pairs: Option<Vec<MiniMatch>>,
}

impl<'a> SimulatedEvent<'a> {
    fn new(play: &'a Play<'a>, chance: Pcg64) -> Self {
        let results = Results {
            game_worth: play.event.game.times(play.games).into(),
            submission: play.lots.to_vec(),
            lots: play.lots.to_vec(),
            ..play.event.results.clone()
        };
        Self {
            play,
            history: play.event.history.clone(),
            results,
            chance,
            pairs: None,
        }
    }

    fn standings(&self) -> Standings {
        standings::rank(&self.results, &self.play.event.rules)
    }

    /// Pairs and plays a round of an event of `rounds` rounds.
    fn round(&mut self, rounds: u32) -> Result<(), NoPairingError> {
        let event = self.play.event;
        let paired = self.history.rounds_paired();
        if paired > 0 && event.needs_places() {
            let places = self.standings().places();
            for (player, place) in self.history.players.iter_mut().zip(places) {
                player.previous_place = Some(place);
            }
        }
        let pairing = match paired {
            0 => self.play.first[&rounds].clone()?,
            _ => event.pair(&self.history, rounds)?,
        };
        for pair in &pairing.pairs {
            self.mini_match(pair);
        }
        for player in pairing.byes() {
            let round = match event.bye_again.filter(|_| pairing.again.contains(&player)) {
                None => {
                    let (points, game_points) = event.bye.in_round(self.play.games);
                    PlayerRound::bye(Bye::PairingAllocated, points, game_points)
                }
                Some(bye) => PlayerRound {
                    sat_out: true,
                    ..match bye {
                        Bye::ZeroPoint => PlayerRound::absent(),
                        _ => PlayerRound::bye(bye, event.match_points.draw, event.game.times(self.play.games).draw),
                    }
                },
            };
            self.add(player, round, Encounter::PairingAllocatedBye);
        }
        // Players without an opponent in the table.
        for index in 0..self.history.players.len() {
            if self.history.players[index].rounds.len() == paired {
                self.add(PairingNumber::from_index(index), PlayerRound::free(), Encounter::Absent);
            }
        }
        Ok(())
    }

    fn add(&mut self, player: PairingNumber, round: PlayerRound, encounter: Encounter) {
        let past = &mut self.history.players[player.index()];
        let points = self.play.event.score().of_round(&round);
        past.points += points;
        past.rounds.push(encounter.worth(points));
        self.results.players[player.index()].rounds.push(round);
    }

    fn mini_match(&mut self, pair: &Pair) {
        let play = self.play;
        let strength = |player: PairingNumber| play.strengths[player.index()];
        let chances = EloChances::new(strength(pair.white) - strength(pair.black), play.draws);
        let mut games = [GameCounts::default(); 2];
        let mut pairs: Vec<[GameCounts; 2]> = Vec::new();
        for game in 0..play.games {
            let drawn: f64 = self.chance.random();
            let result = if drawn < chances.win {
                Ordering::Greater
            } else if drawn < chances.win + chances.draw {
                Ordering::Equal
            } else {
                Ordering::Less
            };
            count(&mut games, game, result);
            if self.pairs.is_some() {
                if game.is_multiple_of(2) {
                    pairs.push(Default::default());
                }
                pairs
                    .iter_mut()
                    .last()
                    .into_iter()
                    .for_each(|pair| count(pair, game, result));
            }
        }
        let share = |games: GameCounts| {
            let (both, table) = (games.both(), play.event.game);
            let points = table.times(both.won).win + table.times(both.drawn).draw + table.times(both.lost).loss;
            Share { points, games }
        };
        let points = games.map(|games| share(games).points);
        if let Some(all) = &mut self.pairs {
            // A last game without a partner stays as it is.
            let single = pairs.pop_if(|_| !play.games.is_multiple_of(2));
            all.push(MiniMatch {
                round: self.history.players[pair.white.index()].rounds.len(),
                players: [pair.white, pair.black],
                pairs: pairs.into_iter().map(|pair| pair.map(share)).collect(),
                rest: single.unwrap_or_default().map(share),
            });
        }
        for (own, player, opponent, color) in [
            (0, pair.white, pair.black, FirstColor::White),
            (1, pair.black, pair.white, FirstColor::Black),
        ] {
            // More game points than the opponent is a win.
            let (result, match_points) = match points[own].cmp(&points[1 - own]) {
                std::cmp::Ordering::Greater => (MatchResult::Won, play.event.match_points.win),
                std::cmp::Ordering::Equal => (MatchResult::Drawn, play.event.match_points.draw),
                std::cmp::Ordering::Less => (MatchResult::Lost, play.event.match_points.loss),
            };
            let round = PlayerRound {
                fate: RoundFate::Played {
                    opponent,
                    color,
                    result,
                },
                points: match_points,
                game_points: points[own],
                games: games[own],
                repeat: pair.repeat,
                sat_out: false,
            };
            self.add(player, round, Encounter::Met { opponent, color });
        }
    }
}

/// Counts a game of the two, from 0, by its result for the first; colours alternate game by game.
fn count(of_both: &mut [GameCounts; 2], game: u32, result: Ordering) {
    let [first, second] = of_both;
    let (one, other) = match game % 2 {
        0 => (&mut first.white, &mut second.black),
        _ => (&mut first.black, &mut second.white),
    };
    let (one, other) = match result {
        Ordering::Greater => (&mut one.won, &mut other.lost),
        Ordering::Equal => (&mut one.drawn, &mut other.drawn),
        Ordering::Less => (&mut one.lost, &mut other.won),
    };
    *one += 1;
    *other += 1;
}
