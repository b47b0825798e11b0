//! Pairs the next round of a tournament file (TRF) by the FIDE (Dutch) system, and says which choices would have looked
//! better and which rule stood against each: `cargo run --example pair_trf`.

use std::error::Error;

use swiss_system::pairing::dutch::explain::{Choice, Rule, explain};
use swiss_system::pairing::dutch::rules::DutchEdition;
use swiss_system::pairing::file::{before_round, rounds_played};
use swiss_system::pairing::history::PairingNumber;
use swiss_system::pairing::{check, dutch};
use swiss_system::trf;

/// The tournament file; the library itself opens no files.
const OPEN: &[u8] = include_bytes!("open.trf");

fn main() -> Result<(), Box<dyn Error>> {
    let reading = trf::read(OPEN)?;
    let tournament = reading.tournament;
    let round = rounds_played(&tournament) + 1;
    // The history before the round, and the rules as the file has them.
    let before = before_round(&tournament, round)?;
    for warning in &before.warnings {
        println!("note: {warning}");
    }

    let pairing = dutch::pair(&before.history, &before.rules)?;
    println!("Round {round}");
    for (board, pair) in (1..).zip(&pairing.pairs) {
        println!("{board:3}  {} – {}", pair.white, pair.black);
    }
    for player in pairing.byes() {
        println!("     {player} has the bye");
    }
    // The check is a second implementation of the rules, and shares no code with the pairing.
    assert!(check::illegalities(&before.history, &before.rules, &pairing).is_empty());

    let explanation = explain(&before.history, &before.rules)?;
    for explained in &explanation.brackets {
        let bracket = &explained.bracket;
        println!("\nBracket of {} points: {}", bracket.score, list(&bracket.residents));
        if !bracket.moved_down.is_empty() {
            println!("  moved down into it: {}", list(&bracket.moved_down));
        }
        for &(higher, lower) in &bracket.pairs {
            println!("  {higher} meets {lower}");
        }
        for ruled_out in &explained.ruled_out {
            println!(
                "  {}? No: {}",
                choice(ruled_out.choice),
                rule(ruled_out.by, before.rules.edition)
            );
        }
    }
    Ok(())
}

fn list(numbers: &[PairingNumber]) -> String {
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    numbers.join(", ")
}

fn choice(choice: Choice) -> String {
    match choice {
        Choice::Pair(one, other, taken) => format!("{one} against {other} instead of {taken}"),
        Choice::PairMovedDown(player) => format!("{player} paired here"),
        Choice::PairDownfloaters(one, other) => format!("{one} against {other}, who float down"),
        Choice::FloatDown(player) => format!("{player} floats down"),
        Choice::NoExchange => "the upper half against the lower half".to_owned(),
    }
}

fn rule(rule: Rule, edition: DutchEdition) -> String {
    match rule {
        Rule::Barred(obstacle) => obstacle.to_string(),
        Rule::Completion => "not everybody could be paired (C4)".to_owned(),
        Rule::Criterion(criterion) => format!("{} would be met less well", criterion.name(edition)),
        Rule::Exchange => "another exchange comes first (article 4.3)".to_owned(),
        Rule::Order => "what was taken comes first (article 4)".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_runs() {
        super::main().expect("nothing fails");
    }
}
