//! Ranks a tournament file by points and tie-breaks, and shows the terms of one of the values:
//! `cargo run --example standings`.

use std::error::Error;

use swiss_system::standings::criterion::Criterion;
use swiss_system::standings::explain;
use swiss_system::standings::{RankingRules, file, rank};
use swiss_system::trf;

/// The tournament file; the library itself opens no files.
const OPEN: &[u8] = include_bytes!("open.trf");

fn main() -> Result<(), Box<dyn Error>> {
    let tournament = trf::read(OPEN)?.tournament;
    let results = file::results(&tournament, None, None, 1)?;
    // Points, then Buchholz without its lowest contribution, then Sonneborn-Berger.
    let order = ["PTS", "BH/C1", "SB"].map(str::parse::<Criterion>);
    let rules = RankingRules {
        order: order.into_iter().collect::<Result<_, _>>()?,
        ..RankingRules::default()
    };
    let standings = rank(&results, &rules);

    println!("{:>5}  {:20} {:>5} {:>5} {:>5}", "place", "name", "PTS", "BH/C1", "SB");
    for row in &standings.rows {
        print!("{:5}  {:20}", row.place, results.names[row.player.index()]);
        for cell in &row.cells {
            let value = cell.value.map_or_else(String::new, |value| value.to_string());
            print!(" {value:>5}");
        }
        println!();
    }

    let first = &standings.rows[0];
    for line in explain::row(&results, &rules, &standings, first.player) {
        println!(
            "\n{} of {}:",
            standings.criteria[line.criterion],
            results.names[line.player.index()]
        );
        for term in &line.terms {
            let round = term
                .round
                .map_or_else(String::new, |round| format!("round {}, ", round + 1));
            let opponent = term
                .opponent
                .map_or("nobody", |opponent| &results.names[opponent.index()]);
            let cut = if term.cut.is_some() { ", cut" } else { "" };
            println!("  {round}{opponent}: {}{cut}", term.amount);
        }
    }
    if let [first, second, ..] = &standings.rows[..]
        && let Some(criterion) = explain::separation(&standings, first.player, second.player)
    {
        println!("\nThe first two are told apart by {}.", standings.criteria[criterion]);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_runs() {
        super::main().expect("nothing fails");
    }
}
