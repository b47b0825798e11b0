//! Article 5: who has White, once it is settled who meets whom.
//!
//! May not: change a pair.

use crate::pairing::dutch::player::{ColorHistory, DutchPlayer, Strength};
use crate::pairing::history::FirstColor;

/// The colour of `higher`, who is the higher ranked of a pair (article 1.2).
pub(super) fn of_higher(higher: &DutchPlayer, lower: &DutchPlayer, initial: FirstColor) -> FirstColor {
    let (own, other) = (higher.color, lower.color);
    match (own.preference, other.preference) {
        // 5.2.1: "grant both colour preferences"
        (Some(own), Some(other)) if own != other => return own,
        (Some(own), None) => return own,
        (None, Some(other)) => return other.opposite(),
        // 5.2.5: "if the higher ranked player has an odd pairing number, give him the initial colour, otherwise the opposite"
        (None, None) if higher.has_odd_number => return initial,
        (None, None) => return initial.opposite(),
        (Some(_), Some(_)) => {}
    }
    let wish = own.preference.expect("both wish the same colour");
    // 5.2.2: "grant the stronger colour preference; if both are absolute, the wider colour difference"
    let claim = |color: ColorHistory| {
        let wide = color.strength == Strength::Absolute;
        (color.strength, if wide { color.difference.abs() } else { 0 })
    };
    match claim(own).cmp(&claim(other)) {
        std::cmp::Ordering::Greater => return wish,
        std::cmp::Ordering::Less => return wish.opposite(),
        std::cmp::Ordering::Equal => {}
    }
    // 5.2.3: "alternate the colours to the most recent time in which one player had White and the other Black"; only
    // played games count, the latest with the latest
    let latest = higher.colors.iter().rev().zip(lower.colors.iter().rev());
    for (own, other) in latest {
        if own != other {
            return own.opposite();
        }
    }
    // 5.2.4: "grant the colour preference of the higher ranked player"
    wish
}
