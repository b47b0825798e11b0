//! What the state gives the standings and the pairing systems.
//!
//! May not: change anything.

use std::collections::BTreeSet;

use crate::pairing::history::{Encounter, FirstColor, History, PairingNumber, PastPlayer, PastRound};
use crate::score::Points;
use crate::standings::criterion::Score;
use crate::standings::results::{self, Bye, Fate, MatchResult, PlayerResults, PlayerRound, Results};
use crate::standings::{self, Standings};
use crate::tournament::arbiter::orders::Orders;
use crate::tournament::arbiter::{ByeWorth, Out};
use crate::tournament::event::Format;
use crate::tournament::mini_match::MiniMatch;
use crate::tournament::part::OfPart;
use crate::tournament::placing;
use crate::tournament::roster;
use crate::tournament::setup::{ByeAgain, MissedRounds, Rounds};

use super::{Round, State};

/// What a player had in a round, as a pairing system sees it. A mini-match without a played game is no meeting.
fn past_round(had: &PlayerRound, score: Score) -> PastRound {
    let encounter = match had.fate {
        Fate::Played { opponent, color, .. } | Fate::Unfinished { opponent, color } => {
            Encounter::Met { opponent, color }
        }
        Fate::Forfeit {
            opponent: Some(opponent),
            ..
        } => Encounter::Forfeit { opponent },
        // "Never two for one player" (US Chess): a full-point bye that was awarded counts as one.
        Fate::Bye(Bye::PairingAllocated | Bye::FullPoint) => Encounter::PairingAllocatedBye,
        // "A round sat out counted whatever it gave."
        Fate::Bye(_) if had.sat_out => Encounter::PairingAllocatedBye,
        Fate::Forfeit { opponent: None, .. } | Fate::Bye(_) | Fate::Free | Fate::Annulled => Encounter::Absent,
    };
    encounter.worth(score.of_round(had))
}

impl State {
    /// What the players did in the first `rounds` rounds, for the standings.
    #[must_use]
    pub fn results(&self, rounds: usize) -> Results {
        let setup = self.setup();
        let submission = roster::submission(&setup.players);
        let by_number = &self.created.order;
        let (annulled, struck): (Vec<_>, Vec<_>) = self
            .orders
            .disqualified()
            .into_iter()
            .partition(|player| self.orders.is_annulled(*player));
        let mut results = Results {
            players: vec![PlayerResults::default(); self.player_count()],
            submission: by_number.iter().map(|&entry| submission[entry]).collect(),
            numbers: Vec::new(),
            left_out: annulled.into_iter().chain(self.house_players()).collect(),
            struck,
            lots: self.standing_lots(),
            names: by_number
                .iter()
                .map(|&entry| setup.players[entry].name.clone())
                .collect(),
            worth: setup.scoring.r#match.into(),
            game_worth: setup.scoring.game.times(setup.mini_match.games).into(),
            format: match self.created.format {
                Format::AllPlayAll | Format::Gauntlet | Format::Quads => results::Format::RoundRobin,
                Format::Swiss | Format::Knockout | Format::Stages | Format::Sections => results::Format::Swiss,
            },
        };
        for (player, number) in results.players.iter_mut().zip(self.numbers()) {
            player.ratings = self.player(number).ratings_by_round();
        }
        for (number, round) in (1..).zip(self.rounds.iter().take(rounds)) {
            for (player, round) in results.players.iter_mut().zip(self.round_results(number, round)) {
                player.rounds.push(round);
            }
        }
        results
    }

    /// Lots: those of the players from the start, then late entries in turn.
    fn standing_lots(&self) -> Vec<u32> {
        let from_start = self.player_count() - self.entered.len();
        let mut lots = standings::file::lots(self.setup().event.rng_seed, from_start);
        lots.extend((from_start..self.player_count()).map(|place| u32::try_from(place).expect("few players")));
        lots
    }

    /// What a round, from 1, was for each player.
    fn round_results(&self, number: u32, round: &Round) -> Vec<PlayerRound> {
        let mut of_round: Vec<PlayerRound> = self
            .numbers()
            .map(|player| self.unpaired(number, round, player))
            .collect();
        for mini_match in &round.mini_matches {
            let (white, black) = (mini_match.pair.white, mini_match.pair.black);
            for (player, opponent) in [(white, black), (black, white)] {
                of_round[player.index()] = self.player_round(mini_match, player, opponent);
            }
        }
        for player in round.pairing.byes() {
            of_round[player.index()] = self.left_over(number, round.pairing.again.contains(&player));
        }
        for (player, had) in self.numbers().zip(&mut of_round) {
            // An award lapses where a game counts after all.
            if let Some(worth) = self.orders.awards.get(&(number, player))
                && matches!(had.fate, Fate::Annulled | Fate::Bye(_))
            {
                *had = PlayerRound {
                    sat_out: had.sat_out,
                    ..self.bye(number, *worth)
                };
            }
        }
        of_round
    }

    /// How many rounds had been paired when a player entered late; `None` of who was there from the start.
    #[must_use]
    pub fn entered_after(&self, player: PairingNumber) -> Option<usize> {
        let from_start = self.player_count() - self.entered.len();
        let late = player.index().checked_sub(from_start)?;
        self.entered.get(late).copied()
    }

    /// What a round, from 1, was for a player who had nobody to play with.
    fn unpaired(&self, number: u32, round: &Round, player: PairingNumber) -> PlayerRound {
        if self.is_free(number, round, player) {
            return PlayerRound::free();
        }
        let was_in = self.entered_after(player).is_none_or(|rounds| number as usize > rounds);
        match round.out.get(&player) {
            Some(Out::Bye(worth)) => self.bye(number, *worth),
            None if !was_in && self.setup().registration.missed == MissedRounds::HalfPoint => {
                self.bye(number, ByeWorth::Half)
            }
            Some(Out::Withdrawn | Out::Disqualified | Out::Absent) | None => PlayerRound::absent(),
        }
    }

    /// Whether a round, from 1, in which a player had nobody to play with was a free one: "the free round of a table
    /// (all-play-all, quads of four, gauntlet, a house player at rest, round 1 of a knockout)". It is the table that is
    /// free, whether the player is there or not.
    fn is_free(&self, number: u32, round: &Round, player: PairingNumber) -> bool {
        match self.created.format {
            Format::AllPlayAll => !self.has_byes(),
            Format::Gauntlet => true,
            Format::Knockout => number == 1,
            Format::Swiss | Format::Quads | Format::Stages | Format::Sections => {
                self.player(player).house && !round.out.contains_key(&player)
            }
        }
    }

    /// Who is free in a round, from 1, that is paired.
    #[must_use]
    pub fn free_in(&self, number: u32) -> Vec<PairingNumber> {
        let Some(round) = self.rounds.get((number as usize).wrapping_sub(1)) else {
            return Vec::new();
        };
        let pairs = round.pairing.pairs.iter().flat_map(|pair| [pair.white, pair.black]);
        let busy: BTreeSet<PairingNumber> = pairs.chain(round.pairing.byes()).collect();
        let mut free: Vec<PairingNumber> = self.numbers().filter(|player| !busy.contains(player)).collect();
        free.retain(|player| self.is_free(number, round, *player));
        free
    }

    /// Whether who is left over has a bye: in a Swiss, and in the all-play-all that `"auto"` makes, which "stays the
    /// protocol's Swiss"; whose opponent by its table is gone or absent is left over too.
    #[must_use]
    pub fn has_byes(&self) -> bool {
        match self.created.format {
            Format::Swiss | Format::Quads | Format::Stages | Format::Sections => true,
            Format::AllPlayAll => self.setup().swiss.rounds == Rounds::Auto,
            Format::Gauntlet | Format::Knockout => false,
        }
    }

    /// What a round, from 1, was for a player who was left over, `again` without a right to the bye.
    fn left_over(&self, number: u32, again: bool) -> PlayerRound {
        let worth = match self.setup().bye.again {
            ByeAgain::Requested if again => ByeWorth::Half,
            ByeAgain::Zero if again => ByeWorth::Zero,
            _ => {
                let (points, game_points) = self.setup().bye_points().in_round(self.games_of_round(number));
                return PlayerRound::bye(Bye::PairingAllocated, points, game_points);
            }
        };
        PlayerRound {
            sat_out: true,
            ..self.bye(number, worth)
        }
    }

    /// A round, from 1, that gave what a bye of this worth gives.
    fn bye(&self, number: u32, worth: ByeWorth) -> PlayerRound {
        let scoring = &self.setup().scoring;
        let game = scoring.game.times(self.games_of_round(number));
        let (points, game_points) = match worth {
            ByeWorth::Full => (scoring.r#match.win, game.win),
            ByeWorth::Half => (scoring.r#match.draw, game.draw),
            ByeWorth::Zero => (Points::ZERO, Points::ZERO),
        };
        PlayerRound::bye(worth.into(), points, game_points)
    }

    fn player_round(&self, mini_match: &MiniMatch, player: PairingNumber, opponent: PairingNumber) -> PlayerRound {
        let scoring = &self.setup().scoring;
        let color = if mini_match.pair.white == player {
            FirstColor::White
        } else {
            FirstColor::Black
        };
        let of_annulled = |player| self.orders.is_annulled(player);
        if mini_match.is_void() || of_annulled(player) || of_annulled(opponent) {
            return PlayerRound {
                fate: Fate::Annulled,
                ..PlayerRound::absent()
            };
        }
        let mut games = mini_match.games.iter().flatten();
        let was_played = games.any(|game| game.termination.was_played());
        let result = mini_match.result(player, opponent, scoring);
        let fate = match result {
            None => Fate::Unfinished { opponent, color },
            Some(result) if was_played => Fate::Played {
                opponent,
                color,
                result,
            },
            Some(result) => Fate::Forfeit {
                opponent: Some(opponent),
                result,
            },
        };
        PlayerRound {
            fate,
            points: result.map_or(Points::ZERO, |result| {
                let table = if was_played {
                    scoring.r#match
                } else {
                    scoring.forfeited_match()
                };
                match result {
                    MatchResult::Won => table.win,
                    MatchResult::Drawn => table.draw,
                    MatchResult::Lost => table.loss,
                }
            }),
            game_points: mini_match.game_points(player, scoring),
            games: mini_match.counts(player, scoring),
            repeat: mini_match.pair.repeat,
            sat_out: false,
        }
    }

    /// The standings after the first `rounds` rounds; of a knockout and of an event of several parts in their own order. After
    /// the last round they are the final order: what a play-off decided stands before all criteria.
    #[must_use]
    pub fn standings(&self, rounds: usize) -> Standings {
        let mut standings = self.ranked(rounds, &self.results(rounds), Self::standings);
        // The parts of an event have their own play-offs.
        if rounds >= self.last_round() as usize && !self.is_divided() {
            placing::set_final_order(self, &mut standings);
        }
        standings
    }

    /// The standings in which ties for places are looked for: see [`Self::out_of_ties`].
    #[must_use]
    pub fn standings_of_ties(&self, rounds: usize) -> Standings {
        let mut results = self.results(rounds);
        results.leave_off(&self.out_of_ties());
        self.ranked(rounds, &results, Self::standings_of_ties)
    }

    /// Who has no part in ties: house players, and all who are disqualified, or were when the play-offs began.
    #[must_use]
    pub fn out_of_ties(&self) -> BTreeSet<PairingNumber> {
        let mut out = self.out_of_ties.clone().unwrap_or_else(|| self.orders.disqualified());
        out.extend(self.house_players());
        out
    }

    fn ranked(&self, rounds: usize, results: &Results, of_part: OfPart) -> Standings {
        let mut standings = standings::rank(results, &self.setup().standings.rules());
        match self.created.format {
            Format::Knockout => standings.relist(&self.knockout_places(rounds)),
            Format::Quads | Format::Stages | Format::Sections => standings.relist(&self.ranking_by(rounds, of_part)),
            Format::Swiss | Format::AllPlayAll | Format::Gauntlet => {}
        }
        standings
    }

    /// The history that the pairing of round `rounds + 1` sees.
    #[must_use]
    pub fn history(&self, rounds: usize) -> History {
        let mut results = self.results(rounds);
        // Whoever is not listed has points all the same.
        results.left_out.clear();
        results.struck.clear();
        let standings = self.ranked(rounds, &results, Self::standings);
        let round = u32::try_from(rounds + 1).expect("few rounds");
        let out = self.out_of_round(round);
        let score = match self.created.format {
            Format::Swiss => self.setup().pairing_score(),
            _ => Score::Match,
        };
        let players = results.players.iter().enumerate().map(|(index, player)| {
            let number = PairingNumber::from_index(index);
            PastPlayer {
                points: Points::ZERO,
                rounds: player.rounds.iter().map(|had| past_round(had, score)).collect(),
                present: !out.contains_key(&number),
                submission: results.submission[index],
                previous_place: None,
                rating: self
                    .player(number)
                    .rating()
                    .and_then(|rating| u32::try_from(rating).ok()),
            }
        });
        let mut players: Vec<PastPlayer> = players.collect();
        for (player, place) in players.iter_mut().zip(standings.places()) {
            player.previous_place = (rounds > 0).then_some(place);
        }
        for row in &standings.rows {
            players[row.player.index()].points = row.of(score);
        }
        self.seat_house(&mut players);
        if self.created.format == Format::Knockout {
            self.set_tie_points(&mut players);
        }
        History {
            players,
            forbidden: self
                .forbidden_pairs()
                .into_iter()
                .chain(Orders::of_round(&self.orders.forbidden, round))
                .collect(),
            ..History::default()
        }
    }

    /// The pairs that the arbiter wants in round `rounds + 1`, White first.
    #[must_use]
    pub fn forced_pairs(&self, rounds: usize) -> Vec<(PairingNumber, PairingNumber)> {
        let round = u32::try_from(rounds + 1).expect("few rounds");
        Orders::of_round(&self.orders.forced, round)
    }

    /// Pairs that are never made: `swiss.keep_apart` and `swiss.forbidden`.
    #[must_use]
    pub fn forbidden_pairs(&self) -> Vec<(PairingNumber, PairingNumber)> {
        let setup = self.setup();
        roster::forbidden_pairs(&setup.players, &self.created.order, &setup.swiss)
    }
}
