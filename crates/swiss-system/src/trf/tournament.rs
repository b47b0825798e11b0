//! A tournament file as a whole: its records, and what they say together.
//!
//! May not: read or write lines; know rules of pairing.

use super::points::PointSystem;
use super::record::{
    AbnormalPoints, Acceleration, Byes, Color, Forbidden, Header, PlayerRecord, Record, Span, Spelling, Team, TieBreaks,
};
use super::tie_breaks;

/// A tournament file: its lines in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tournament {
    /// One record for each line.
    pub records: Vec<Record>,
}

impl Tournament {
    /// The players in the order of their lines.
    pub fn players(&self) -> impl Iterator<Item = &PlayerRecord> {
        self.records.iter().filter_map(|record| match record {
            Record::Player(player) => Some(player.as_ref()),
            _ => None,
        })
    }

    /// A player by pairing number.
    pub fn player(&self, number: u32) -> Option<&PlayerRecord> {
        self.players().find(|player| player.number == number)
    }

    /// The teams in the order of their lines (`310` alone).
    pub fn teams(&self) -> impl Iterator<Item = &Team> {
        self.records.iter().filter_map(|record| match record {
            Record::Team(team) => Some(team.as_ref()),
            _ => None,
        })
    }

    /// The text of the first line with that code.
    pub fn header(&self, wanted: Header) -> Option<&str> {
        self.records.iter().find_map(|record| match record {
            Record::Header { header, text } if *header == wanted => Some(text.as_str()),
            _ => None,
        })
    }

    /// The number of rounds of the whole tournament.
    pub fn rounds(&self) -> Option<u32> {
        self.records.iter().find_map(|record| match record {
            Record::Rounds { rounds, .. } => Some(*rounds),
            _ => None,
        })
    }

    /// The rounds in the longest line of a player, whatever they hold.
    pub fn rounds_in_lines(&self) -> usize {
        self.players().map(|player| player.rounds.len()).max().unwrap_or(0)
    }

    /// The initial colour.
    pub fn initial_color(&self) -> Option<Color> {
        self.records.iter().find_map(|record| match record {
            Record::InitialColor(color) => Some(*color),
            Record::Configuration { initial_color, .. } => *initial_color,
            _ => None,
        })
    }

    /// True if the order of the lines is the order of the players (`XXC rank`).
    pub fn is_by_position(&self) -> bool {
        let by_position = |record: &Record| matches!(record, Record::Configuration { by_position: true, .. });
        self.records.iter().any(by_position)
    }

    /// The list of tie-breaks: the first `212`, which says everything; without it the first `202`, before which
    /// points count. Its codes are spelled as in the file, and safe to print.
    pub fn tie_breaks(&self) -> Option<&TieBreaks> {
        tie_breaks::find(&self.records).map(|(_, tie_breaks)| tie_breaks)
    }

    /// Puts a list of tie-breaks where the format has it, in place of all that are there, of both records.
    pub fn put_tie_breaks(&mut self, tie_breaks: TieBreaks) {
        self.records.retain(|record| !matches!(record, Record::TieBreaks(_)));
        let record = Record::TieBreaks(tie_breaks);
        let is_later = |other: &Record| !matches!(other, Record::Other(_)) && order(other) > order(&record);
        let place = self.records.iter().position(is_later).unwrap_or(self.records.len());
        self.records.insert(place, record);
    }

    /// The points for results.
    pub fn point_system(&self) -> PointSystem {
        PointSystem::from_records(&self.records)
    }

    /// Virtual points, in the order of the records: `XXA` as one range of one player in one round each.
    pub fn accelerations(&self) -> impl Iterator<Item = Acceleration> {
        self.records.iter().flat_map(|record| {
            let ranges = match record {
                Record::Acceleration(acceleration) => std::slice::from_ref(acceleration),
                _ => &[],
            };
            let (number, rounds) = match record {
                Record::PlayerAcceleration { number, points } => (*number, points.as_slice()),
                _ => (0, [].as_slice()),
            };
            let of_player = (1..).zip(rounds).map(move |(round, &points)| Acceleration {
                match_points: None,
                points,
                rounds: Span {
                    first: round,
                    last: round,
                },
                numbers: Span {
                    first: number,
                    last: number,
                },
            });
            ranges.iter().copied().chain(of_player)
        })
    }

    /// Groups in which nobody may meet.
    pub fn forbidden(&self) -> impl Iterator<Item = &Forbidden> {
        self.records.iter().filter_map(|record| match record {
            Record::Forbidden(forbidden) => Some(forbidden),
            _ => None,
        })
    }

    /// Byes of `240`.
    pub fn byes(&self) -> impl Iterator<Item = &Byes> {
        self.records.iter().filter_map(|record| match record {
            Record::Byes(byes) => Some(byes),
            _ => None,
        })
    }

    /// The players who are absent in the round to be paired (`XXZ`).
    pub fn absent_next(&self) -> impl Iterator<Item = u32> {
        self.records
            .iter()
            .flat_map(|record| match record {
                Record::AbsentNext(numbers) => numbers.as_slice(),
                _ => &[],
            })
            .copied()
    }

    /// Abnormal points (`299`).
    pub fn abnormal_points(&self) -> impl Iterator<Item = &AbnormalPoints> {
        self.records.iter().filter_map(|record| match record {
            Record::AbnormalPoints(abnormal) => Some(abnormal),
            _ => None,
        })
    }

    /// Puts the records in the order of the format: the tournament, the teams' rules, players by number, teams, byes,
    /// acceleration, forbidden pairs, the rest. Records of one kind keep their order.
    pub fn put_in_order(&mut self) {
        self.records.sort_by_key(order);
    }
}

/// The position of a record: its code's group, then the player or team.
fn order(record: &Record) -> (u16, u32) {
    let group = match record {
        Record::Header { header, .. } => header.code().parse().unwrap_or(0),
        Record::Rounds {
            spelling: Spelling::Fide,
            ..
        } => 142,
        Record::InitialColor(_) => 152,
        Record::PointValues(_) => 162,
        Record::TieBreaks(TieBreaks { list, .. }) => tie_breaks::record_code(*list).parse().unwrap_or(0),
        Record::BoardColors(_) => 352,
        Record::MatchValues(_) => 362,
        Record::Rounds {
            spelling: Spelling::Extended,
            ..
        } => 400,
        Record::Configuration { .. } => 401,
        Record::XxsValues(_) => 402,
        Record::BbValue(..) => 403,
        Record::Player(player) => return (500, player.number),
        Record::OldTeam(_) => 513,
        Record::Team(team) => return (610, team.number),
        Record::TeamByes(_) => 620,
        Record::TeamForfeit(_) => 630,
        Record::Lineup(_) => 640,
        Record::Byes(_) => 650,
        Record::AbsentNext(_) => 651,
        Record::Acceleration(_) => 660,
        Record::PlayerAcceleration { number, .. } => return (661, *number),
        Record::Forbidden(_) => 670,
        Record::AbnormalPoints(_) => 680,
        Record::Other(_) => 900,
    };
    (group, 0)
}
