//! Pairs from plain data, without any file: one round of a Swiss by match points, an all-play-all by Berger's tables, and a
//! pairing made by hand that is checked: `cargo run --example plain_data`.

use std::error::Error;

use swiss_system::pairing::bye::ByeCriterion;
use swiss_system::pairing::history::{Encounter, FirstColor, History, Pair, PairingNumber, PastPlayer, RoundPairing};
use swiss_system::pairing::{check, dutch, match_points, round_robin};
use swiss_system::score::Points;

/// Round 1: White, Black and the points of each.
const ROUND_1: [(u32, u32, [Points; 2]); 2] = [
    (1, 3, [Points::ONE, Points::ZERO]),
    (4, 2, [Points::HALF, Points::HALF]),
];

fn main() -> Result<(), Box<dyn Error>> {
    let history = after_round_1();

    let rules = match_points::MatchPointsRules {
        bye_order: vec![ByeCriterion::FewestByes, ByeCriterion::LowestMatchPoints],
    };
    println!(
        "Round 2 by match points: {}",
        words(&match_points::pair(&history, &rules)?)
    );

    // Who meets again? The check knows the absolute criteria of the Dutch system, whoever made the pairing.
    let by_hand = RoundPairing::new(vec![pair(3, 1), pair(2, 5)], Some(PairingNumber(4)));
    println!("Round 2 by hand: {}", words(&by_hand));
    for illegality in check::illegalities(&history, &dutch::rules::DutchRules::default(), &by_hand) {
        println!("  {illegality}");
    }

    println!("Five players, all-play-all:");
    for (round, pairing) in (1..).zip(round_robin::berger(5)) {
        println!("  round {round}: {}", words(&pairing));
    }
    Ok(())
}

/// Five players after one round, the fifth of whom had the bye.
fn after_round_1() -> History {
    let player = |submission| PastPlayer {
        present: true,
        submission,
        ..PastPlayer::default()
    };
    let mut players: Vec<PastPlayer> = (0..5).map(player).collect();
    let mut add = |number: PairingNumber, encounter: Encounter, points| {
        let player = &mut players[number.index()];
        player.points += points;
        player.rounds.push(encounter.worth(points));
    };
    for (white, black, [of_white, of_black]) in ROUND_1 {
        let (white, black) = (PairingNumber(white), PairingNumber(black));
        let [as_white, as_black] = [(black, FirstColor::White), (white, FirstColor::Black)]
            .map(|(opponent, color)| Encounter::Met { opponent, color });
        add(white, as_white, of_white);
        add(black, as_black, of_black);
    }
    add(PairingNumber(5), Encounter::PairingAllocatedBye, Points::ONE);
    History {
        players,
        ..History::default()
    }
}

fn pair(white: u32, black: u32) -> Pair {
    Pair {
        white: PairingNumber(white),
        black: PairingNumber(black),
        repeat: false,
    }
}

fn words(pairing: &RoundPairing) -> String {
    let pairs = pairing
        .pairs
        .iter()
        .map(|pair| format!("{}-{}", pair.white, pair.black));
    let byes = pairing.byes().map(|player| format!("({player})"));
    pairs.chain(byes).collect::<Vec<String>>().join(" ")
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_runs() {
        super::main().expect("nothing fails");
    }
}
