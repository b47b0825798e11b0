//! What the Dutch system reads from a history: players in order, scores, colours, floats, who may meet whom.
//!
//! May not: pair anybody; use code of the library beyond the history, the keys and `Points`.

use swiss_system::pairing::dutch::rules::ColorRule;
use swiss_system::pairing::dutch::rules::DutchEdition;
use swiss_system::pairing::dutch::rules::DutchRules;
use swiss_system::pairing::dutch::rules::TpnParity;
use swiss_system::pairing::history::Encounter;
use swiss_system::pairing::history::FirstColor;
use swiss_system::pairing::history::History;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::pairing::history::PastPlayer;
use swiss_system::score::Points;

/// Players by their place in the order of article 1.2, one bit each.
pub(crate) type Set = u128;

/// The set of one player.
pub(crate) fn one(player: usize) -> Set {
    1 << player
}

/// The set of these players.
pub(crate) fn set_of(players: &[usize]) -> Set {
    players.iter().fold(0, |set, &player| set | one(player))
}

/// The players of a set, highest ranked first.
pub(crate) fn members(set: Set) -> Vec<usize> {
    (0..128).filter(|&player| set & one(player) != 0).collect()
}

/// How much a colour preference weighs (article 1.7; A.6 of 2017).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Strength {
    /// Level colours: alternate.
    Mild,
    /// One more of a colour.
    Strong,
    /// Two more of a colour, or twice the same running.
    Absolute,
}

/// A float of an earlier round (article 1.4; A.4 of 2017).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Float {
    /// Met a lower score, or had points without playing (2017: did not play).
    Down,
    /// Met a higher score.
    Up,
}

/// One player to be paired.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// Pairing number.
    pub(crate) number: PairingNumber,
    /// The number whose parity article 5.2.5 asks for.
    pub(crate) parity: u32,
    /// Points, virtual points included: the score that every criterion reads.
    pub(crate) score: Points,
    /// Points without virtual ones: for the order of the boards.
    pub(crate) points: Points,
    /// Colours of the played games, in order.
    pub(crate) colors: Vec<FirstColor>,
    /// Whites minus Blacks.
    pub(crate) difference: i32,
    /// Colour wished for, and how much.
    pub(crate) preference: Option<(FirstColor, Strength)>,
    /// The floats of the previous round and of the one before.
    pub(crate) floats: [Option<Float>; 2],
    /// C2: no bye for this player.
    pub(crate) barred_from_bye: bool,
    /// Rounds so far without a game.
    pub(crate) unplayed: usize,
    /// Article 1.8: last round, and more than half of what was to be had.
    pub(crate) topscorer: bool,
}

/// The field before a round.
pub(crate) struct Position<'a> {
    /// The event's keys.
    pub(crate) rules: &'a DutchRules,
    /// Those present, in the order of article 1.2: score, then pairing number.
    pub(crate) players: Vec<Seen>,
    /// For each player those who are allowed as an opponent (C1, C3).
    pub(crate) may_meet: Vec<Set>,
}

impl<'a> Position<'a> {
    /// Reads a history. `None` when more than 128 players are present: a set has no more places.
    pub(crate) fn read(history: &History, rules: &'a DutchRules) -> Option<Self> {
        let mut players: Vec<Seen> = history
            .numbers()
            .filter(|&number| history.player(number).present)
            .map(|number| seen(history, rules, number))
            .collect();
        if players.len() > 128 {
            return None;
        }
        players.sort_by_key(|player| (-player.score, player.number));
        let may_meet = players
            .iter()
            .map(|a| {
                let allowed = players.iter().map(|b| may_meet(history, rules, a, b));
                allowed
                    .enumerate()
                    .fold(0, |set, (b, yes)| if yes { set | one(b) } else { set })
            })
            .collect();
        Some(Self {
            rules,
            players,
            may_meet,
        })
    }

    /// A player's score with virtual points.
    pub(crate) fn score(&self, player: usize) -> Points {
        self.players[player].score
    }

    /// The scoregroups (article 1.3.1), highest first, each in order.
    pub(crate) fn scoregroups(&self) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for player in 0..self.players.len() {
            match groups.last_mut() {
                Some(group) if self.score(group[0]) == self.score(player) => group.push(player),
                _ => groups.push(vec![player]),
            }
        }
        groups
    }

    /// Who gets White (article 5.2; E of 2017). `higher` is the higher ranked of the two.
    pub(crate) fn white_of(&self, higher: usize, lower: usize) -> usize {
        let (a, b) = (&self.players[higher], &self.players[lower]);
        let give = |color: FirstColor| if color == FirstColor::White { higher } else { lower };
        let wish = |player: &Seen| player.preference.map(|(color, _)| color);
        let width = |player: &Seen| match player.preference {
            Some((_, Strength::Absolute)) => player.difference.abs(),
            _ => 0,
        };
        match (wish(a), wish(b)) {
            // 5.2.1: both have what they wish.
            (Some(mine), None) => return give(mine),
            (None, Some(theirs)) => return give(other(theirs)),
            (Some(mine), Some(theirs)) if mine != theirs => return give(mine),
            // 5.2.2: the stronger one; of two absolute ones the wider difference.
            (Some(wished), Some(_)) => {
                let strength = |player: &Seen| (player.preference.map(|(_, strength)| strength), width(player));
                match strength(a).cmp(&strength(b)) {
                    std::cmp::Ordering::Greater => return give(wished),
                    std::cmp::Ordering::Less => return give(other(wished)),
                    std::cmp::Ordering::Equal => {}
                }
            }
            (None, None) => {}
        }
        // 5.2.3: the other way round than when last one had White and the other Black, game by game from the end.
        let mut back = a.colors.iter().rev().zip(b.colors.iter().rev());
        if let Some((&mine, _)) = back.find(|(mine, theirs)| mine != theirs) {
            return give(other(mine));
        }
        // 5.2.4: the wish of the higher ranked.
        if let Some(wished) = wish(a) {
            return give(wished);
        }
        // 5.2.5: the initial colour for an odd number.
        let initial = self.rules.initial_color;
        give(if a.parity % 2 == 1 { initial } else { other(initial) })
    }
}

/// The opposite colour.
pub(crate) fn other(color: FirstColor) -> FirstColor {
    match color {
        FirstColor::White => FirstColor::Black,
        FirstColor::Black => FirstColor::White,
    }
}

/// C1: not twice, and no forbidden pair. C3: no two non-topscorers with the same absolute preference.
fn may_meet(history: &History, rules: &DutchRules, a: &Seen, b: &Seen) -> bool {
    let met = |player: &Seen, opponent: &Seen| {
        let mut rounds = history.player(player.number).rounds.iter();
        rounds.any(|round| matches!(round.encounter, Encounter::Met { opponent: o, .. } if o == opponent.number))
    };
    let forbidden = |a: &Seen, b: &Seen| history.forbidden.contains(&(a.number, b.number));
    let absolute = |player: &Seen| {
        player
            .preference
            .filter(|&(_, strength)| strength == Strength::Absolute)
    };
    let colors_forbid = rules.color == ColorRule::FirstGame
        && !a.topscorer
        && !b.topscorer
        && absolute(a).is_some()
        && absolute(a) == absolute(b);
    a.number != b.number && !met(a, b) && !met(b, a) && !forbidden(a, b) && !forbidden(b, a) && !colors_forbid
}

fn seen(history: &History, rules: &DutchRules, number: PairingNumber) -> Seen {
    let player = history.player(number);
    let paired = history.rounds_paired();
    let colors: Vec<FirstColor> = player
        .rounds
        .iter()
        .filter_map(|round| match round.encounter {
            Encounter::Met { color, .. } => Some(color),
            _ => None,
        })
        .collect();
    let difference = colors
        .iter()
        .map(|color| if *color == FirstColor::White { 1 } else { -1 })
        .sum();
    let score = player.points + rules.virtual_points(number.index(), paired + 1);
    let last_round = paired + 1 == rules.rounds as usize;
    let rounds_so_far = i64::try_from(paired).expect("a number of rounds");
    Seen {
        number,
        parity: parity(history, rules, number),
        score,
        points: player.points,
        difference,
        preference: preference(&colors, difference),
        floats: [1, 2].map(|back| {
            paired
                .checked_sub(back)
                .and_then(|round| float(history, rules, number, round))
        }),
        barred_from_bye: barred_from_bye(rules, player),
        unplayed: paired - colors.len(),
        // 1.8: strictly more than half of the maximum so far.
        topscorer: last_round && score > rules.win.halved_times(rounds_so_far),
        colors,
    }
}

/// Article 1.7 (A.6 of 2017).
fn preference(colors: &[FirstColor], difference: i32) -> Option<(FirstColor, Strength)> {
    let last = *colors.last()?;
    let twice = colors.len() > 1 && colors[colors.len() - 2] == last;
    Some(match difference {
        2.. => (FirstColor::Black, Strength::Absolute),
        ..=-2 => (FirstColor::White, Strength::Absolute),
        _ if twice => (other(last), Strength::Absolute),
        1 => (FirstColor::Black, Strength::Strong),
        -1 => (FirstColor::White, Strength::Strong),
        0 => (other(last), Strength::Mild),
    })
}

/// The score before round `round` (from 0) was paired, virtual points of that round included.
fn score_before(history: &History, rules: &DutchRules, number: PairingNumber, round: usize) -> Points {
    let earned: Points = history.player(number).rounds[..round]
        .iter()
        .map(|past| past.points)
        .sum();
    earned + rules.virtual_points(number.index(), round + 1)
}

/// Article 1.4 (A.4 of 2017): the float of round `round` (from 0).
fn float(history: &History, rules: &DutchRules, number: PairingNumber, round: usize) -> Option<Float> {
    let past = history.player(number).rounds[round];
    match (past.encounter, rules.edition) {
        (Encounter::Met { opponent, .. }, _) => {
            let score = |player| score_before(history, rules, player, round);
            match score(number).cmp(&score(opponent)) {
                std::cmp::Ordering::Greater => Some(Float::Down),
                std::cmp::Ordering::Less => Some(Float::Up),
                std::cmp::Ordering::Equal => None,
            }
        }
        // The bye's receiver was left over by the last bracket.
        (Encounter::PairingAllocatedBye, _) => Some(Float::Down),
        // A.4.b of 2017: whoever did not play, for whatever reason.
        (_, DutchEdition::Of2017) => Some(Float::Down),
        // 1.4.3: more points than for a loss, without playing.
        (_, DutchEdition::Of2026) => (past.points > rules.loss).then_some(Float::Down),
    }
}

/// C2: no second bye; nor one after a round without playing that gave as much as a win (2026), after a forfeit win (2017).
fn barred_from_bye(rules: &DutchRules, player: &PastPlayer) -> bool {
    player.rounds.iter().any(|past| match (past.encounter, rules.edition) {
        (Encounter::PairingAllocatedBye, _) => true,
        (Encounter::Forfeit { .. }, _) | (Encounter::Absent, DutchEdition::Of2026) => past.points >= rules.win,
        (Encounter::Absent, DutchEdition::Of2017) | (Encounter::Met { .. }, _) => false,
    })
}

/// The number of article 5.2.5, in the event's reading.
fn parity(history: &History, rules: &DutchRules, number: PairingNumber) -> u32 {
    match rules.tpn_parity {
        TpnParity::Listed => number.0,
        TpnParity::Participants => {
            let took_part = |player: &PastPlayer| {
                let mut rounds = player.rounds.iter();
                player.present || rounds.any(|past| past.encounter != Encounter::Absent)
            };
            let before = history.players[..number.index()]
                .iter()
                .filter(|&player| took_part(player));
            u32::try_from(before.count()).expect("fewer than 2^32 players") + 1
        }
    }
}
