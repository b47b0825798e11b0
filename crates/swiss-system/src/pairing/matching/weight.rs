//! Weights of edges: exact, in one wide integer or in several with a strict order of precedence.
//!
//! Criteria of falling precedence are digits of one number. If they do not fit 128 bits, the same search runs on
//! several integers compared in order; so weights are a trait.
//!
//! May not: know what a weight stands for.

use std::fmt;
use std::ops::{Add, Sub};

/// What the search needs of a weight: an ordered group without rounding, in which doubled weights can be halved.
pub(crate) trait Weight: Copy + Ord + fmt::Debug + Add<Output = Self> + Sub<Output = Self> {
    const ZERO: Self;
    /// Larger than every slack; never added to.
    const UNKNOWN: Self;

    /// Half of the weight; only asked of even ones.
    fn halved(self) -> Self;
}

impl Weight for i128 {
    const ZERO: Self = 0;
    const UNKNOWN: Self = Self::MAX;

    fn halved(self) -> Self {
        self >> 1
    }
}

/// Several integers of falling precedence: sums go part by part, and the first part that differs decides, so that no
/// amount of a later part outweighs a unit of an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Lexicographic<const PARTS: usize>(pub [i128; PARTS]);

impl<const PARTS: usize> Add for Lexicographic<PARTS> {
    type Output = Self;
    fn add(mut self, other: Self) -> Self {
        for (part, other) in self.0.iter_mut().zip(other.0) {
            *part += other;
        }
        self
    }
}

impl<const PARTS: usize> Sub for Lexicographic<PARTS> {
    type Output = Self;
    fn sub(mut self, other: Self) -> Self {
        for (part, other) in self.0.iter_mut().zip(other.0) {
            *part -= other;
        }
        self
    }
}

impl<const PARTS: usize> Weight for Lexicographic<PARTS> {
    const ZERO: Self = Self([0; PARTS]);
    const UNKNOWN: Self = Self([i128::MAX; PARTS]);

    fn halved(mut self) -> Self {
        for part in &mut self.0 {
            *part >>= 1;
        }
        self
    }
}
