//! Random tournaments, paired by the Dutch system round by round, to test pairing programs with.
//!
//! Equal [`Spec`]s give equal tournaments, to the byte of their files: all chance comes from [`Draws`] of the seed,
//! with a separate sequence of numbers for the ratings, the field, and each round.
//!
//! May not: know the criteria of a system; touch files.

use std::cmp::Reverse;
use std::fmt;
use std::str::FromStr;

use crate::lot::Draws;
use crate::pairing::dutch;
use crate::pairing::dutch::rules;
use crate::pairing::dutch::rules::ColorRule;
use crate::pairing::dutch::rules::DutchEdition;
use crate::pairing::dutch::rules::TpnParity;
use crate::pairing::file;
use crate::pairing::file::PairingFileError;
use crate::pairing::history::Pair;
use crate::pairing::history::RoundPairing;
use crate::pairing::infeasible::NoPairingError;
use crate::score::Points;
use crate::trf::Acceleration;
use crate::trf::Color;
use crate::trf::Forbidden;
use crate::trf::Header;
use crate::trf::PlayerRecord;
use crate::trf::PointSystem;
use crate::trf::PointsSymbol;
use crate::trf::Record;
use crate::trf::ResultCode;
use crate::trf::RoundCell;
use crate::trf::Span;
use crate::trf::Spelling;
use crate::trf::Tournament;
use crate::trf::editions_comment;
use crate::word::Word as _;

/// The most players that a file can name.
const MOST_PLAYERS: u32 = 9999;
/// The most rounds.
const MOST_ROUNDS: u32 = 999;
/// The highest rating that a file can name.
const MOST_RATING: u32 = 9999;

/// A chance in thousandths, written as a percentage with at most one decimal: `25`, `2.5`, `2.5%`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rate(u32);

impl Rate {
    /// A rate of this many thousandths; more than 1000 count as 1000.
    pub const fn per_mille(thousandths: u32) -> Self {
        Self(if thousandths < 1000 { thousandths } else { 1000 })
    }

    fn happens(self, draws: &mut Draws) -> bool {
        draws.below(1000) < u64::from(self.0)
    }
}

/// A text that is not a rate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a percentage: write a number from 0 to 100 with at most one decimal, such as 30 or 2.5")]
pub struct ParseRateError(String);

impl FromStr for Rate {
    type Err = ParseRateError;

    fn from_str(text: &str) -> Result<Self, ParseRateError> {
        let number = text.strip_suffix('%').unwrap_or(text);
        let (whole, decimal) = number.split_once('.').unwrap_or((number, "0"));
        let digits = |text: &str, most: usize| {
            let right = (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
            right.then(|| text.parse::<u32>().ok()).flatten()
        };
        match (digits(whole, 3), digits(decimal, 1)) {
            (Some(whole), Some(decimal)) if whole * 10 + decimal <= 1000 => Ok(Self(whole * 10 + decimal)),
            _ => Err(ParseRateError(text.to_owned())),
        }
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 % 10 {
            0 => write!(f, "{}", self.0 / 10),
            decimal => write!(f, "{}.{decimal}", self.0 / 10),
        }
    }
}

/// How often each kind of event happens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rates {
    /// Draws, of the games of equals; with a favourite they are fewer if the expectation asks for it.
    pub draw: Rate,
    /// Pairings for which one player, either one, does not turn up.
    pub forfeit: Rate,
    /// Pairings for which neither player turns up.
    pub double_forfeit: Rate,
    /// Half-point byes, for each player in each round.
    pub half_point_bye: Rate,
    /// Zero-point byes, for each player in each round.
    pub zero_point_bye: Rate,
    /// Players who enter late: in one of the rounds from the second to the middle one, with zero-point byes before.
    pub late_entry: Rate,
    /// Players who leave before the last round, with zero-point byes after that.
    pub withdrawal: Rate,
}

/// The properties of a tournament to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// Players, 1 to 9999.
    pub players: u32,
    /// Rounds, 1 to 999.
    pub rounds: u32,
    /// The seed of all chance.
    pub rng_seed: u64,
    /// The lowest rating that can be drawn.
    pub lowest_rating: u32,
    /// The highest rating that can be drawn.
    pub highest_rating: u32,
    /// The points of a win, a draw and a loss.
    pub points: [Points; 3],
    /// How often each kind of event happens.
    pub rates: Rates,
    /// The number of pairs of players, drawn by lot, who may not meet.
    pub forbidden_pairs: u32,
    /// True for Baku acceleration.
    pub is_baku: bool,
    /// The text in force.
    pub edition: DutchEdition,
    /// The rule on colours.
    pub color: ColorRule,
    /// The reading of article 5.2.5.
    pub tpn_parity: TpnParity,
    /// The initial colour; `None` if it is drawn.
    pub initial_color: Option<Color>,
}

impl Spec {
    /// A tournament of the usual kind: ratings 1400 to 2400, 1-½-0, three draws in ten, nobody ever missing, the
    /// edition in force.
    pub fn new(players: u32, rounds: u32, rng_seed: u64) -> Self {
        Self {
            players,
            rounds,
            rng_seed,
            lowest_rating: 1400,
            highest_rating: 2400,
            points: [Points::ONE, Points::HALF, Points::ZERO],
            rates: Rates {
                draw: Rate::per_mille(300),
                ..Rates::default()
            },
            forbidden_pairs: 0,
            is_baku: false,
            edition: DutchEdition::default(),
            color: ColorRule::default(),
            tpn_parity: TpnParity::default(),
            initial_color: None,
        }
    }
}

/// Why a tournament cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GenerateError {
    /// A number out of its range.
    #[error("{what}: {number} is not from {lowest} to {highest}")]
    OutOfRange {
        /// What it counts.
        what: &'static str,
        /// The number.
        number: u32,
        /// The least that is possible.
        lowest: u32,
        /// The most that is possible.
        highest: u32,
    },
    /// A loss that is worth more than a draw, or a draw more than a win.
    #[error("a win, a draw and a loss are worth {0}, {1} and {2}: write the highest first, none below 0")]
    PointsOutOfOrder(Points, Points, Points),
    /// More than any tournament has.
    #[error(transparent)]
    TooLarge(#[from] PairingFileError),
}

/// A round that has no pairing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// The round, from 1.
    pub round: u32,
    /// Why the round has no pairing.
    pub reason: NoPairingError,
}

/// A tournament that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedTournament {
    /// The tournament: with all rounds, or with those before the one that has no pairing.
    pub tournament: Tournament,
    /// The round that has no pairing, if there is one.
    pub stop: Option<Stop>,
}

/// Makes a tournament.
///
/// # Errors
/// [`GenerateError`] if the numbers of the spec make no tournament. A round without a pairing is not an error: see
/// [`GeneratedTournament::stop`].
pub fn generate(spec: &Spec) -> Result<GeneratedTournament, GenerateError> {
    check(spec)?;
    let mut event = TournamentInPlay::new(spec);
    let stays = Stay::draw_all(spec);
    let mut stop = None;
    for round in 1..=spec.rounds {
        let mut draws = Draws::new(spec.rng_seed, &format!("round {round}"));
        event.grant_byes(round, &stays, &mut draws);
        let mut before = file::before_round(&event.tournament, round)?;
        (before.rules.color, before.rules.tpn_parity) = (spec.color, spec.tpn_parity);
        match dutch::pair(&before.history, &before.rules) {
            Ok(pairing) => event.play(&pairing, &mut draws),
            Err(NoPairingError::NobodyPresent) => {}
            Err(reason) => {
                event.forget_byes(round);
                stop = Some(Stop { round, reason });
                break;
            }
        }
    }
    event.rank();
    Ok(GeneratedTournament {
        tournament: event.tournament,
        stop,
    })
}

fn check(spec: &Spec) -> Result<(), GenerateError> {
    let pairs = u64::from(spec.players) * u64::from(spec.players.saturating_sub(1)) / 2;
    let pairs = u32::try_from(pairs).unwrap_or(u32::MAX);
    for (what, number, lowest, highest) in [
        ("players", spec.players, 1, MOST_PLAYERS),
        ("rounds", spec.rounds, 1, MOST_ROUNDS),
        ("the highest rating", spec.highest_rating, 1, MOST_RATING),
        ("the lowest rating", spec.lowest_rating, 1, spec.highest_rating),
        ("forbidden pairs", spec.forbidden_pairs, 0, pairs),
    ] {
        if !(lowest..=highest).contains(&number) {
            return Err(GenerateError::OutOfRange {
                what,
                number,
                lowest,
                highest,
            });
        }
    }
    match spec.points {
        [win, draw, loss] if win >= draw && draw >= loss && loss >= Points::ZERO => Ok(()),
        [win, draw, loss] => Err(GenerateError::PointsOutOfOrder(win, draw, loss)),
    }
}

/// The rounds in which a player takes part, unless a bye is asked for.
#[derive(Clone, Copy)]
struct Stay {
    first: u32,
    last: u32,
}

impl Stay {
    fn draw_all(spec: &Spec) -> Vec<Self> {
        let mut draws = Draws::new(spec.rng_seed, "field");
        let one = |_| {
            let mut stay = Self {
                first: 1,
                last: spec.rounds,
            };
            let middle = spec.rounds.div_ceil(2);
            if spec.rates.late_entry.happens(&mut draws) && middle > 1 {
                stay.first = between(2, middle, &mut draws);
            }
            if spec.rates.withdrawal.happens(&mut draws) && stay.first < spec.rounds {
                stay.last = between(stay.first, spec.rounds - 1, &mut draws);
            }
            stay
        };
        (0..spec.players).map(one).collect()
    }
}

/// A number from `first` to `last`, both included.
fn between(first: u32, last: u32, draws: &mut Draws) -> u32 {
    let drawn = draws.below(u64::from(last - first) + 1);
    first + u32::try_from(drawn).expect("below a u32")
}

/// The tournament while it is played.
struct TournamentInPlay<'a> {
    spec: &'a Spec,
    tournament: Tournament,
    /// The index of the first player's record; the others follow by number.
    first_player: usize,
    points: PointSystem,
}

impl<'a> TournamentInPlay<'a> {
    fn new(spec: &'a Spec) -> Self {
        let mut records = headers(spec);
        let first_player = records.len();
        records.extend(players(spec));
        records.extend(accelerations(spec));
        records.extend(forbidden_pairs(spec));
        let tournament = Tournament { records };
        Self {
            spec,
            points: tournament.point_system(),
            tournament,
            first_player,
        }
    }

    fn players(&mut self) -> impl Iterator<Item = &mut PlayerRecord> {
        self.tournament.records.iter_mut().filter_map(|record| match record {
            Record::Player(player) => Some(player.as_mut()),
            _ => None,
        })
    }

    fn player(&mut self, number: u32) -> &mut PlayerRecord {
        match &mut self.tournament.records[self.first_player + number as usize - 1] {
            Record::Player(player) => player,
            _ => unreachable!("players stand together in the order of their numbers"),
        }
    }

    /// Enters the byes of a round that are known before it is paired.
    fn grant_byes(&mut self, round: u32, stays: &[Stay], draws: &mut Draws) {
        let rates = self.spec.rates;
        for (player, stay) in self.players().zip(stays) {
            let half = rates.half_point_bye.happens(draws);
            let zero = rates.zero_point_bye.happens(draws);
            let bye = match (stay.first..=stay.last).contains(&round) {
                false => ResultCode::ZeroPointBye,
                true if half => ResultCode::HalfPointBye,
                true if zero => ResultCode::ZeroPointBye,
                true => continue,
            };
            player.rounds.push(RoundCell::bye(bye));
        }
    }

    /// Takes back the byes of a round that will not be played.
    fn forget_byes(&mut self, round: u32) {
        for player in self.players() {
            player.rounds.truncate(round as usize - 1);
        }
    }

    fn play(&mut self, pairing: &RoundPairing, draws: &mut Draws) {
        let mut pairs = pairing.pairs.clone();
        // Not the order of boards: that may change while the pairing stays the same.
        pairs.sort_unstable_by_key(|pair| pair.white.min(pair.black));
        for Pair { white, black, .. } in pairs {
            let ratings = [white, black].map(|number| self.player(number.0).rating.unwrap_or(0));
            let [of_white, of_black] = outcome(self.spec.rates, ratings, draws);
            let (white, black) = (white.0, black.0);
            self.player(white)
                .rounds
                .push(RoundCell::against(black, Color::White, of_white));
            self.player(black)
                .rounds
                .push(RoundCell::against(white, Color::Black, of_black));
        }
        if let Some(bye) = pairing.bye {
            let cell = RoundCell::bye(ResultCode::PairingAllocatedBye);
            self.player(bye.0).rounds.push(cell);
        }
    }

    /// Writes everybody's points and place: by points, then by number.
    fn rank(&mut self) {
        let points = self.points.clone();
        let mut order = Vec::new();
        for player in self.players() {
            let total = player.rounds.iter().map(|&cell| points.of_round(cell)).sum();
            player.points = Some(total);
            order.push((Reverse(total), player.number));
        }
        order.sort_unstable();
        for (rank, (_, number)) in (1..).zip(order) {
            self.player(number).rank = Some(rank);
        }
    }
}

fn headers(spec: &Spec) -> Vec<Record> {
    let header = |header, text: String| Record::Header { header, text };
    let [win, draw, loss] = spec.points;
    let mut records = vec![
        header(Header::Name, format!("Random tournament {}", spec.rng_seed)),
        header(Header::Players, spec.players.to_string()),
        Record::Rounds {
            spelling: Spelling::Fide,
            rounds: spec.rounds,
        },
        Record::InitialColor(spec.initial_color.unwrap_or_else(|| {
            match Draws::new(spec.rng_seed, "initial colour").below(2) {
                0 => Color::White,
                _ => Color::Black,
            }
        })),
    ];
    if spec.points != [Points::ONE, Points::HALF, Points::ZERO] {
        records.push(Record::PointValues(vec![
            (PointsSymbol::Win, win),
            (PointsSymbol::Draw, draw),
            (PointsSymbol::Loss, loss),
        ]));
    }
    let type_code = match spec.edition {
        DutchEdition::Of2017 => "FIDE_DUTCH_2017",
        DutchEdition::Of2026 => "FIDE_DUTCH",
    };
    records.push(header(Header::TypeCode, type_code.to_owned()));
    records.push(editions_comment(&[("C.04.3", spec.edition.word())]));
    records
}

/// All players, the highest rated first.
fn players(spec: &Spec) -> impl Iterator<Item = Record> {
    let mut draws = Draws::new(spec.rng_seed, "ratings");
    let mut ratings: Vec<u32> = (0..spec.players)
        .map(|_| between(spec.lowest_rating, spec.highest_rating, &mut draws))
        .collect();
    ratings.sort_unstable_by_key(|&rating| Reverse(rating));
    (1..).zip(ratings).map(|(number, rating)| {
        Record::Player(Box::new(PlayerRecord {
            number,
            name: format!("Entrant {number:04}"),
            rating: Some(rating),
            ..PlayerRecord::default()
        }))
    })
}

/// Baku acceleration, as one record for successive rounds with the same virtual points.
fn accelerations(spec: &Spec) -> Vec<Record> {
    if !spec.is_baku {
        return Vec::new();
    }
    let mut ranges: Vec<Acceleration> = Vec::new();
    let rounds = rules::baku(spec.players as usize, spec.rounds, spec.points[0]);
    for (round, players) in (1..).zip(rounds) {
        let Some(&points) = players.first() else {
            continue;
        };
        match ranges.last_mut() {
            Some(range) if range.points == points => range.rounds.last = round,
            _ => ranges.push(Acceleration {
                match_points: None,
                points,
                rounds: Span {
                    first: round,
                    last: round,
                },
                numbers: Span {
                    first: 1,
                    last: u32::try_from(players.len()).expect("checked"),
                },
            }),
        }
    }
    ranges.into_iter().map(Record::Acceleration).collect()
}

fn forbidden_pairs(spec: &Spec) -> Vec<Record> {
    let mut draws = Draws::new(spec.rng_seed, "forbidden pairs");
    let mut pairs = std::collections::BTreeSet::new();
    while pairs.len() < spec.forbidden_pairs as usize {
        let (one, other) = (
            between(1, spec.players, &mut draws),
            between(1, spec.players, &mut draws),
        );
        if one != other {
            pairs.insert([one.min(other), one.max(other)]);
        }
    }
    let record = |pair: [u32; 2]| {
        Record::Forbidden(Forbidden {
            rounds: Some(Span {
                first: 1,
                last: spec.rounds,
            }),
            numbers: pair.to_vec(),
        })
    };
    pairs.into_iter().map(record).collect()
}

/// The largest rating differences at which the favourite is expected to score 50, 51, 52 … of a hundred games; beyond
/// the last, all of them. (FIDE Rating Regulations B.02, table of 8.1.2.)
const DIFFERENCES: [u32; 50] = [
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145, 153, 162, 170, 179, 188, 197,
    206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315, 328, 344, 357, 374, 391, 411, 432, 456, 484, 517, 559, 619,
    735,
];

/// The points that a player is expected to score against another in a hundred games.
fn expectation(own: u32, other: u32) -> u32 {
    let above = DIFFERENCES.iter().filter(|&&up_to| own.abs_diff(other) > up_to).count();
    let of_favourite = 50 + u32::try_from(above).expect("at most 50");
    if own >= other { of_favourite } else { 100 - of_favourite }
}

/// The result of a pairing for White and for Black.
fn outcome(rates: Rates, [white, black]: [u32; 2], draws: &mut Draws) -> [ResultCode; 2] {
    let turns_up = draws.below(1000);
    let (forfeit, double) = (u64::from(rates.forfeit.0), u64::from(rates.double_forfeit.0));
    if turns_up < forfeit {
        return match draws.below(2) {
            0 => [ResultCode::ForfeitWin, ResultCode::ForfeitLoss],
            _ => [ResultCode::ForfeitLoss, ResultCode::ForfeitWin],
        };
    }
    if turns_up < forfeit + double {
        return [ResultCode::ForfeitLoss; 2];
    }
    // In twice thousandths: wins and half of the draws make up the expectation.
    let expected = 20 * expectation(white, black);
    let draw = rates.draw.0.min(expected).min(2000 - expected);
    let drawn = draws.below(2000);
    if drawn < u64::from(expected - draw) {
        [ResultCode::Win, ResultCode::Loss]
    } else if drawn < u64::from(expected + draw) {
        [ResultCode::Draw; 2]
    } else {
        [ResultCode::Loss, ResultCode::Win]
    }
}

#[cfg(test)]
mod tests;
