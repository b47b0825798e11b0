//! Small random events that the Dutch system could have made: positions to pair.
//!
//! Forfeits, byes asked for, withdrawals for a round, acceleration, forbidden pairs, other point systems, up to and
//! beyond the round in which no legal pairing is left. The same number gives the same event.
//!
//! May not: judge anything.

use swiss_system::pairing::dutch::rules::ColorRule;
use swiss_system::pairing::dutch::rules::DutchEdition;
use swiss_system::pairing::dutch::rules::DutchRules;
use swiss_system::pairing::dutch::rules::TpnParity;
use swiss_system::pairing::dutch::rules::baku;
use swiss_system::pairing::history::Encounter;
use swiss_system::pairing::history::FirstColor;
use swiss_system::pairing::history::History;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::pairing::history::PastPlayer;
use swiss_system::pairing::history::PastRound;
use swiss_system::pairing::history::RoundPairing;
use swiss_system::score::Points;

use super::pair_within;

/// A source of even numbers and odd ones (splitmix64).
pub(crate) struct Lot(pub(crate) u64);

impl Lot {
    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }

    /// Once in so many times; never for 0.
    pub(crate) fn once_in(&mut self, times: u64) -> bool {
        times > 0 && self.below(times) == 0
    }
}

/// One round to be paired, and how `literal` pairs it.
pub(crate) struct Round {
    /// What went before, and who is present.
    pub(crate) history: History,
    /// The event's keys.
    pub(crate) rules: DutchRules,
    /// `None` where there is no legal pairing.
    pub(crate) pairing: Option<RoundPairing>,
}

/// What is the same all through an event.
struct Habits {
    draw: Points,
    bye: Points,
    /// Once in so many: draws, forfeits, double forfeits, byes asked for, favourites that lose.
    draws: u64,
    forfeits: u64,
    byes: u64,
    upsets: u64,
}

/// The rounds of event number `seed`, with 3 to `players` players. It ends early when a round has no legal pairing
/// (that round is the last one of the list) or is too large for `steps`.
pub(crate) fn event(seed: u64, edition: DutchEdition, players: u64, steps: u64) -> Vec<Round> {
    let mut lot = Lot(seed);
    let field = 3 + lot.below(players - 2);
    let (mut rules, habits) = habits(&mut lot, edition, field);
    let mut history = History {
        players: (0..field).map(|_| PastPlayer::default()).collect(),
        ..History::default()
    };
    if lot.once_in(5) {
        for _ in 0..=lot.below(field) {
            let mut number = || PairingNumber(u32::try_from(1 + lot.below(field)).expect("a small number"));
            history.forbidden.push((number(), number()));
        }
        history.forbidden.retain(|(a, b)| a != b);
    }
    if lot.once_in(5) {
        rules.virtual_points = baku(history.players.len(), rules.rounds, rules.win);
    }
    let mut rounds = Vec::new();
    for _ in 0..rules.rounds {
        let away: Vec<bool> = (0..field).map(|_| lot.once_in(habits.byes)).collect();
        for (player, away) in history.players.iter_mut().zip(&away) {
            player.present = !away;
        }
        let Ok(pairing) = pair_within(&history, &rules, steps) else {
            break;
        };
        rounds.push(Round {
            history: history.clone(),
            rules: rules.clone(),
            pairing: pairing.clone(),
        });
        let Some(pairing) = pairing else {
            break;
        };
        play(&mut lot, &rules, &habits, &mut history, &pairing);
    }
    rounds
}

fn habits(lot: &mut Lot, edition: DutchEdition, field: u64) -> (DutchRules, Habits) {
    let (win, draw) = match lot.below(4) {
        0 => (Points::whole(3), Points::ONE),
        _ => (Points::ONE, Points::HALF),
    };
    let rules = DutchRules {
        edition,
        color: if lot.once_in(10) {
            ColorRule::Ignore
        } else {
            ColorRule::FirstGame
        },
        tpn_parity: if lot.once_in(2) {
            TpnParity::Listed
        } else {
            TpnParity::Participants
        },
        initial_color: if lot.once_in(2) {
            FirstColor::White
        } else {
            FirstColor::Black
        },
        rounds: u32::try_from(2 + lot.below(field)).expect("a small number"),
        win,
        ..DutchRules::default()
    };
    let habits = Habits {
        draw,
        bye: if lot.once_in(4) { draw } else { win },
        draws: [1, 2, 3, 10][lot.below(4) as usize],
        forfeits: [0, 4, 20][lot.below(3) as usize],
        byes: [0, 6, 30][lot.below(3) as usize],
        upsets: [2, 4, 20][lot.below(3) as usize],
    };
    (rules, habits)
}

/// Plays the round, and enters it for everybody.
fn play(lot: &mut Lot, rules: &DutchRules, habits: &Habits, history: &mut History, pairing: &RoundPairing) {
    let mut results: Vec<PastRound> = history
        .players
        .iter()
        .map(|_| {
            let points = [Points::ZERO, habits.draw, habits.draw, rules.win][lot.below(4) as usize];
            Encounter::Absent.worth(points)
        })
        .collect();
    if let Some(player) = pairing.bye {
        results[player.index()] = Encounter::PairingAllocatedBye.worth(habits.bye);
    }
    for pair in &pairing.pairs {
        let favourite_wins = !lot.once_in(habits.upsets);
        let white_wins = (pair.white < pair.black) == favourite_wins;
        let (mut points, drawn) = (
            if white_wins {
                [rules.win, rules.loss]
            } else {
                [rules.loss, rules.win]
            },
            lot.once_in(habits.draws),
        );
        let forfeited = lot.once_in(habits.forfeits);
        if forfeited && lot.once_in(5) {
            points = [rules.loss; 2];
        } else if drawn && !forfeited {
            points = [habits.draw; 2];
        }
        let sides = [
            (pair.white, pair.black, FirstColor::White, points[0]),
            (pair.black, pair.white, FirstColor::Black, points[1]),
        ];
        for (player, opponent, color, points) in sides {
            let encounter = if forfeited {
                Encounter::Forfeit { opponent }
            } else {
                Encounter::Met { opponent, color }
            };
            results[player.index()] = encounter.worth(points);
        }
    }
    for (player, result) in history.players.iter_mut().zip(results) {
        player.points += result.points;
        player.rounds.push(result);
    }
}
