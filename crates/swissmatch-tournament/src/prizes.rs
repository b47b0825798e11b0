//! Prizes and tour points: who gets which of them, line by line.
//!
//! Level players share. A fixed part of the first prize goes to the winner. A prize that cannot be divided goes whole
//! to the player who has its place. Whatever a play-off or a decision has yet to settle is listed as pending.
//!
//! May not: use floats; rank anybody; guess what is not settled.

use std::ops::RangeInclusive;

use swiss_system::score::Points;
use swiss_system::standings::value::Value;

use super::money::Cents;
use super::placing::{Placing, place};
use super::setup::PrizeKeys;

/// What each player gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement<P> {
    /// One for each player, in the final order.
    pub accounts: Vec<Account<P>>,
    pub pending: Vec<Pending<P>>,
    /// Places with prizes but without players.
    pub unclaimed: Option<RangeInclusive<u32>>,
}

/// What one player gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account<P> {
    pub player: P,
    pub place: u32,
    pub lines: Vec<PrizeLine>,
}

/// One item of what a player gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PrizeLine {
    /// An equal share of divisible money, rounded down to the cent.
    Share {
        /// The first and the last place whose prizes are shared.
        places: (u32, u32),
        /// The sum of these prizes.
        pot: Cents,
        /// The number of players who share it.
        among: usize,
        money: Cents,
    },
    /// The winner's fixed part of the first prize.
    Fixed(Cents),
    /// A cent left over when money was shared.
    SpareCent,
    /// Money that cannot be divided.
    Whole { place: u32, money: Cents },
    /// A trophy.
    Trophy { place: u32, name: String },
    /// An equal share of tour points.
    Points {
        /// The first and the last place whose points are shared.
        places: (u32, u32),
        /// The sum of these points.
        pot: Points,
        /// The number of players who share it.
        among: usize,
        /// Exact.
        points: Value,
    },
    /// Tour points for winning outright.
    Bonus(Points),
}

/// A prize that nobody has yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pending<P> {
    /// What a play-off has yet to settle.
    pub what: AwaitedPrize,
    /// The players who may get it, in their present order.
    pub among: Vec<P>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AwaitedPrize {
    /// The winner's fixed part of the first prize.
    Fixed(Cents),
    /// Leftover cents, one for each player by placing.
    SpareCents(usize),
    /// The money of a place that cannot be divided.
    Whole { place: u32, money: Cents },
    /// The trophy of a place.
    Trophy { place: u32, name: String },
}

impl PrizeLine {
    pub const fn money(&self) -> Cents {
        match self {
            Self::Share { money, .. } | Self::Fixed(money) | Self::Whole { money, .. } => *money,
            Self::SpareCent => Cents::new(1),
            Self::Trophy { .. } | Self::Points { .. } | Self::Bonus(_) => Cents::ZERO,
        }
    }

    pub fn points(&self) -> Value {
        match self {
            Self::Points { points, .. } => *points,
            Self::Bonus(points) => Value::from(*points),
            _ => Value::ZERO,
        }
    }
}

impl<P> Account<P> {
    pub fn money(&self) -> Cents {
        self.lines.iter().map(PrizeLine::money).sum()
    }

    pub fn points(&self) -> Value {
        self.lines.iter().map(PrizeLine::points).sum()
    }

    pub fn trophies(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().filter_map(|line| match line {
            PrizeLine::Trophy { name, .. } => Some(name.as_str()),
            _ => None,
        })
    }
}

impl AwaitedPrize {
    pub const fn money(&self) -> Cents {
        match self {
            Self::Fixed(money) | Self::Whole { money, .. } => *money,
            Self::SpareCents(cents) => Cents::new(*cents as u64),
            Self::Trophy { .. } => Cents::ZERO,
        }
    }
}

/// The prizes of all players by these keys.
pub fn statement<P: Copy + Eq>(placing: &Placing<P>, keys: &PrizeKeys) -> Statement<P> {
    let players = placing.order.iter().zip(&placing.places);
    let accounts = players.map(|(&player, &place)| Account {
        player,
        place,
        lines: Vec::new(),
    });
    let count = placing.order.len();
    let prizes = keys.by_place.len().max(keys.points.len());
    let mut statement = Statement {
        accounts: accounts.collect(),
        pending: Vec::new(),
        unclaimed: (prizes > count).then(|| place(count)..=place(prizes - 1)),
    };
    let mut first = 0;
    for level in &placing.levels {
        let last = first + level.len() - 1;
        Level {
            placing,
            keys,
            first,
            last,
        }
        .give(&mut statement);
        first = last + 1;
    }
    statement
}

/// Players who are level, by index in the final order.
struct Level<'a, P> {
    placing: &'a Placing<P>,
    keys: &'a PrizeKeys,
    first: usize,
    last: usize,
}

impl<P: Copy + Eq> Level<'_, P> {
    fn give(&self, statement: &mut Statement<P>) {
        let Self {
            placing,
            keys,
            first,
            last,
        } = *self;
        let among = last - first + 1;
        let places = (place(first), place(last));

        // "The prize money for all the places of players involved in the original tie shall be shared equally amongst all
        // those players, including the winner" (Grand Chess Tour 2024, 2.6, 3.6; 2.8, 3.8 for other ties).
        let divisible = |prize: &super::setup::Prize| if prize.indivisible { Cents::ZERO } else { prize.money };
        let covered = self.covered(&keys.by_place);
        let first_prize = covered.first().map_or(Cents::ZERO, divisible);
        // "… of the prize money for first place shall be awarded to the winner" of a tie (2.6, 3.6).
        let fixed = if first == 0 && among > 1 {
            keys.winner_fixed.min(first_prize)
        } else {
            Cents::ZERO
        };
        let pot = covered.iter().map(divisible).sum::<Cents>() - fixed;
        let (money, spare) = pot.shared(among);
        if money > Cents::ZERO {
            let share = PrizeLine::Share {
                places,
                pot,
                among,
                money,
            };
            self.accounts(statement)
                .for_each(|account| account.lines.push(share.clone()));
        }
        let winner_is_open = fixed > Cents::ZERO && placing.winner.is_none();
        if winner_is_open {
            self.await_(statement, AwaitedPrize::Fixed(fixed), first);
        } else if fixed > Cents::ZERO {
            statement.accounts[first].lines.push(PrizeLine::Fixed(fixed));
        }

        // "Every share is rounded down to the cent, spare cents go out by placing": one each, when the placing is settled.
        let is_played_off = |part: &(u32, u32)| part.0 <= places.1 && places.0 <= part.1;
        let is_open = winner_is_open || self.whole_is_open() || placing.unfinished.iter().any(is_played_off);
        if spare > 0 && is_open {
            let among = placing.order[first..=last].to_vec();
            let what = AwaitedPrize::SpareCents(spare);
            statement.pending.push(Pending { what, among });
        } else {
            let lucky = self.accounts(statement).take(spare);
            lucky.for_each(|account| account.lines.push(PrizeLine::SpareCent));
        }
        self.whole(statement);
        self.points(statement, places, among);
    }

    /// True if it is open who has a place with indivisible money or a trophy.
    fn whole_is_open(&self) -> bool {
        let prizes = (self.first..).zip(self.covered(&self.keys.by_place));
        let mut whole = prizes.filter(|(_, prize)| prize.is_indivisible());
        whole.any(|(at, _)| self.between(at).0 < self.between(at).1)
    }

    /// Indivisible money and trophies.
    fn whole(&self, statement: &mut Statement<P>) {
        for (at, prize) in (self.first..).zip(self.covered(&self.keys.by_place)) {
            let money = (prize.indivisible && prize.money > Cents::ZERO).then_some(prize.money);
            let trophy = prize.trophy.clone();
            let place = place(at);
            if self.between(at) == (place, place) {
                let lines = &mut statement.accounts[at].lines;
                lines.extend(money.map(|money| PrizeLine::Whole { place, money }));
                lines.extend(trophy.map(|name| PrizeLine::Trophy { place, name }));
            } else {
                let money = money.map(|money| AwaitedPrize::Whole { place, money });
                let trophy = trophy.map(|name| AwaitedPrize::Trophy { place, name });
                let awaited = money.into_iter().chain(trophy);
                awaited.for_each(|what| self.await_(statement, what, at));
            }
        }
    }

    /// "Tour Points … shall be divided evenly amongst all players involved in the tie. No Tour Points bonus will be assigned
    /// if a playoff is required to determine the winner" (2.7, 3.7).
    fn points(&self, statement: &mut Statement<P>, places: (u32, u32), among: usize) {
        let pot: Points = self.covered(&self.keys.points).iter().sum();
        if pot > Points::ZERO {
            let points = Value::from(pot).divided_by(u32::try_from(among).expect("few players"));
            let share = PrizeLine::Points {
                places,
                pot,
                among,
                points,
            };
            self.accounts(statement)
                .for_each(|account| account.lines.push(share.clone()));
        }
        let bonus = self.keys.outright_bonus;
        if self.first == 0 && among == 1 && !self.placing.played_off && bonus > Points::ZERO {
            statement.accounts[0].lines.push(PrizeLine::Bonus(bonus));
        }
    }

    /// The items for the places of these players.
    fn covered<'a, T>(&self, by_place: &'a [T]) -> &'a [T] {
        let end = by_place.len().min(self.last + 1);
        by_place.get(self.first..end).unwrap_or_default()
    }

    fn accounts<'s>(&self, statement: &'s mut Statement<P>) -> impl Iterator<Item = &'s mut Account<P>> + use<'s, P> {
        statement.accounts[self.first..=self.last].iter_mut()
    }

    /// The places that the player at this index may still have.
    fn between(&self, at: usize) -> (u32, u32) {
        self.placing.between[at]
    }

    /// Makes a prize pending among the players who may still have the place at this index.
    fn await_(&self, statement: &mut Statement<P>, what: AwaitedPrize, at: usize) {
        let (first, last) = self.between(at);
        let among = self.placing.order[first as usize - 1..last as usize].to_vec();
        statement.pending.push(Pending { what, among });
    }
}

#[cfg(test)]
mod tests;
