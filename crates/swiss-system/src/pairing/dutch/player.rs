//! A player as the Dutch system sees it before a round: score, colours, floats, right to the bye.
//!
//! May not: pair anybody.

use std::cmp::Reverse;

use crate::pairing::dutch::rules::{ColorRule, DutchEdition, DutchRules, TpnParity};
use crate::pairing::history::{Encounter, FirstColor, History, PairingNumber, PastPlayer};
use crate::score::Points;

/// Article 1.7: how much a player wants a colour, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Strength {
    /// 1.7.4: no game played, no wish.
    None,
    /// 1.7.3: colour difference 0; the other colour than in the last game.
    Mild,
    /// 1.7.2: colour difference ±1.
    Strong,
    /// 1.7.1: colour difference beyond ±1, or the same colour in the two latest games played.
    Absolute,
}

/// A player's colours so far. Only played games count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ColorHistory {
    /// The colour preferred; `None` only with [`Strength::None`].
    pub(super) preference: Option<FirstColor>,
    pub(super) strength: Strength,
    /// Article 1.6: games with White minus games with Black.
    pub(super) difference: i32,
    /// The colour of both of the two latest games, if it was the same.
    pub(super) repeated: Option<FirstColor>,
}

/// True if a player floated in the last round, and in the one before, in this order (article 1.4).
pub(super) type Floats = [bool; 2];

/// One player to be paired.
#[derive(Clone, Debug)]
pub(super) struct DutchPlayer {
    pub(super) number: PairingNumber,
    /// Points and virtual points together, which all criteria use.
    pub(super) score: Points,
    pub(super) color: ColorHistory,
    /// Colours of the games played, in order.
    pub(super) colors: Vec<FirstColor>,
    pub(super) downfloats: Floats,
    pub(super) upfloats: Floats,
    /// C2: true if the player may have the pairing-allocated bye.
    pub(super) may_have_bye: bool,
    /// Rounds without a game, for C9.
    pub(super) unplayed: u32,
    /// Article 1.8: true in the last round for a player with more than half of the greatest possible score.
    pub(super) is_topscorer: bool,
    /// True if the number of article 5.2.5 is odd.
    pub(super) has_odd_number: bool,
    /// The players whom this one must not meet (C1 and forbidden pairs), as places in [`DutchField::players`],
    /// ascending.
    pub(super) barred: Vec<usize>,
}

/// All players to be paired, the higher ranked first (article 1.2: score, then pairing number).
#[derive(Clone, Debug)]
pub(super) struct DutchField {
    pub(super) players: Vec<DutchPlayer>,
    pub(super) edition: DutchEdition,
    pub(super) color: ColorRule,
    pub(super) is_last_round: bool,
}

impl DutchField {
    pub(super) fn new(history: &History, rules: &DutchRules) -> Self {
        let round = history.rounds_paired() + 1;
        let is_last_round = round == rules.rounds as usize;
        let odd = odd_numbers(history, rules.tpn_parity);
        let scores = Scores::new(history, rules);
        let mut players: Vec<DutchPlayer> = (0..)
            .zip(&history.players)
            .filter(|(_, player)| player.present)
            .map(|(index, past)| {
                let score = past.points + rules.virtual_points(index, round);
                let most = rules.win.halved_times(i64::try_from(round - 1).expect("few rounds"));
                DutchPlayer {
                    number: PairingNumber::from_index(index),
                    score,
                    color: color_history(past),
                    colors: colors(past).collect(),
                    downfloats: scores.floats(history, rules, index, Float::Down),
                    upfloats: scores.floats(history, rules, index, Float::Up),
                    may_have_bye: !is_barred_from_bye(past, rules),
                    unplayed: u32::try_from(past.rounds.len() - colors(past).count()).expect("few rounds"),
                    is_topscorer: is_last_round && score > most,
                    has_odd_number: odd[index],
                    barred: Vec::new(),
                }
            })
            .collect();
        players.sort_by_key(|player| (Reverse(player.score), player.number));
        bar(&mut players, history);
        Self {
            players,
            edition: rules.edition,
            color: rules.color,
            is_last_round,
        }
    }

    /// C1 and C3: true if two players may meet.
    pub(super) fn may_meet(&self, one: usize, other: usize) -> bool {
        let (one, place, other) = (&self.players[one], other, &self.players[other]);
        let absolute = clash(one.color, other.color) && !one.is_topscorer && !other.is_topscorer;
        one.barred.binary_search(&place).is_err() && (self.color == ColorRule::Ignore || !absolute)
    }

    /// Consecutive places of equal score: the scoregroups, the highest first.
    pub(super) fn scoregroups(&self) -> Vec<std::ops::Range<usize>> {
        let mut groups: Vec<std::ops::Range<usize>> = Vec::new();
        for (place, player) in self.players.iter().enumerate() {
            match groups.last_mut() {
                Some(group) if self.players[group.start].score == player.score => group.end = place + 1,
                _ => groups.push(place..place + 1),
            }
        }
        groups
    }
}

/// True if two have the same absolute colour preference: C3 keeps them apart unless one is a topscorer.
pub(super) fn clash(one: ColorHistory, other: ColorHistory) -> bool {
    one.strength == Strength::Absolute && other.strength == Strength::Absolute && one.preference == other.preference
}

/// Fills in whom each player must not meet.
fn bar(players: &mut [DutchPlayer], history: &History) {
    let mut places = vec![None; history.players.len()];
    for (place, player) in players.iter().enumerate() {
        places[player.number.index()] = Some(place);
    }
    for player in players.iter_mut() {
        let rounds = &history.player(player.number).rounds;
        let met = rounds.iter().filter_map(|round| match round.encounter {
            Encounter::Met { opponent, .. } => places[opponent.index()],
            _ => None,
        });
        player.barred = met.collect();
    }
    for (one, other) in &history.forbidden {
        if let (Some(one), Some(other)) = (places[one.index()], places[other.index()]) {
            players[one].barred.push(other);
            players[other].barred.push(one);
        }
    }
    for player in players {
        player.barred.sort_unstable();
        player.barred.dedup();
    }
}

fn colors(player: &PastPlayer) -> impl Iterator<Item = FirstColor> {
    player.rounds.iter().filter_map(|round| match round.encounter {
        Encounter::Met { color, .. } => Some(color),
        _ => None,
    })
}

/// Articles 1.6 and 1.7.
fn color_history(player: &PastPlayer) -> ColorHistory {
    let (mut difference, mut last, mut repeated) = (0, None, None);
    for color in colors(player) {
        difference += if color == FirstColor::White { 1 } else { -1 };
        repeated = (last == Some(color)).then_some(color);
        last = Some(color);
    }
    let balancing = || {
        if difference > 0 {
            FirstColor::Black
        } else {
            FirstColor::White
        }
    };
    let (preference, strength) = match (difference, repeated, last) {
        (..=-2 | 2.., _, _) => (Some(balancing()), Strength::Absolute),
        (_, Some(twice), _) => (Some(twice.opposite()), Strength::Absolute),
        (-1 | 1, None, _) => (Some(balancing()), Strength::Strong),
        (0, None, Some(last)) => (Some(last.opposite()), Strength::Mild),
        (0, None, None) => (None, Strength::None),
    };
    ColorHistory {
        preference,
        strength,
        difference,
        repeated,
    }
}

/// C2: "a player who has already received a pairing-allocated bye, or has already scored in one single round, without
/// playing, as many points as rewarded for a win, shall not receive the pairing-allocated bye." (2026)
///
/// The text of 2017 names the pairing-allocated bye and the win by forfeit, so that a full-point bye bars nobody.
fn is_barred_from_bye(player: &PastPlayer, rules: &DutchRules) -> bool {
    player.rounds.iter().any(|round| match round.encounter {
        Encounter::PairingAllocatedBye => true,
        Encounter::Forfeit { .. } => round.points >= rules.win,
        Encounter::Absent => rules.edition == DutchEdition::Of2026 && round.points >= rules.win,
        Encounter::Met { .. } => false,
    })
}

/// True for each player whose number in article 5.2.5 is odd.
fn odd_numbers(history: &History, parity: TpnParity) -> Vec<bool> {
    let was_paired = |player: &PastPlayer| player.rounds.iter().any(|round| round.encounter != Encounter::Absent);
    let counts = |number: PairingNumber| {
        let player = history.player(number);
        let takes_part = player.present || history.paired_apart.contains(&number);
        parity == TpnParity::Listed || takes_part || was_paired(player)
    };
    let mut odd = false;
    let numbers = history.numbers();
    numbers
        .map(|number| {
            odd ^= counts(number);
            odd
        })
        .collect()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Float {
    Down,
    Up,
}

/// Scores with virtual points before the last round and before the one before it.
struct Scores {
    before: [Vec<Points>; 2],
}

impl Scores {
    fn new(history: &History, rules: &DutchRules) -> Self {
        let paired = history.rounds_paired();
        let before = |back: usize| {
            let Some(round) = (paired + 1).checked_sub(back).filter(|&round| round > 0) else {
                return Vec::new();
            };
            let score = |(index, player): (usize, &PastPlayer)| {
                let earlier = player.rounds.iter().take(round - 1).map(|past| past.points);
                earlier.sum::<Points>() + rules.virtual_points(index, round)
            };
            history.players.iter().enumerate().map(score).collect()
        };
        Self {
            before: [before(1), before(2)],
        }
    }

    /// Article 1.4: "a player who meets a lower-scored opponent floats down, the opponent up"; (1.4.3, 2026) "who has the
    /// pairing-allocated bye, or scores more without playing than a loss gives, floats down"; (2017) who does not play,
    /// for whatever reason, floats down.
    fn floats(&self, history: &History, rules: &DutchRules, index: usize, float: Float) -> Floats {
        [0, 1].map(|back| {
            let rounds = &history.players[index].rounds;
            let Some(round) = rounds.len().checked_sub(back + 1).map(|at| rounds[at]) else {
                return false;
            };
            let scores = &self.before[back];
            match (round.encounter, float) {
                (Encounter::Met { opponent, .. }, Float::Down) => scores[index] > scores[opponent.index()],
                (Encounter::Met { opponent, .. }, Float::Up) => scores[index] < scores[opponent.index()],
                (Encounter::PairingAllocatedBye, Float::Down) => true,
                (_, Float::Down) => rules.edition == DutchEdition::Of2017 || round.points > rules.loss,
                (_, Float::Up) => false,
            }
        })
    }
}
