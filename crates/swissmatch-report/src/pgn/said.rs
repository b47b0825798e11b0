//! Selects the lines of an engine that stand in the comments of its moves.
//!
//! May not: trust evidence: a line of it may be anything.

use regex_lite::Regex;

use swissmatch_game::record::GameRecord;
use swissmatch_game::transcript::FramedLine;

/// For each ply of the game (from 0, not counting the opening) and each expression, the last line that matches it among those the engine
/// wrote while it searched for that move. `evidence` is that of the game.
pub fn lines_of_moves(evidence: &str, record: &GameRecord, wanted: &[Regex]) -> Vec<Vec<String>> {
    let moves: Vec<&str> = record.moves.split_ascii_whitespace().collect();
    let mut of_moves: Vec<Vec<String>> = Vec::with_capacity(moves.len());
    // By side.
    let mut since_go: [Vec<&str>; 2] = [Vec::new(), Vec::new()];
    for FramedLine {
        side, mark, said: line, ..
    } in evidence.lines().filter_map(FramedLine::of)
    {
        let said = &mut since_go[side.index()];
        match mark {
            ">" if line == "go" || line.starts_with("go ") => said.clear(),
            "<" => said.push(line),
            _ => continue,
        }
        let mut words = line.split_ascii_whitespace();
        let is_answer = mark == "<" && words.next() == Some("bestmove");
        // A failed attempt is not the move that was played.
        if is_answer && words.next() == moves.get(of_moves.len()).copied() {
            let found = wanted.iter().filter_map(|wanted| {
                let found = said.iter().rev().find(|line| wanted.is_match(line));
                found.map(|line| (*line).to_owned())
            });
            of_moves.push(found.collect());
            said.clear();
        }
    }
    of_moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use swissmatch_game::termination::{Outcome, Termination};

    #[test]
    fn the_last_line_of_each_move_that_is_found() {
        let evidence = "
     0.000100 White > go nodes 1
     0.000200 White < info string note one
     0.000300 White < info string note two
     0.000400 White < info depth 1
     0.000500 White < bestmove e2e5
     0.000600 White > go nodes 1
     0.000700 White < info string note three
     0.000800 White ! info string note of standard error
     0.000900 White < bestmove e2e4 ponder e7e5
     0.001000 Black > go nodes 1
     0.001100 Black < bestmove e7e5
     0.001200 White > go nodes 1
     0.001300 White < info string note four
     0.001400 White < bestmove g1f3
     0.001500 Black < info string note after its turn
info string note without a frame
";
        let game = fixture::finished((1, 1, 1), (1, 3), Outcome::Draw, Termination::MoveCap);
        let mut record = fixture::empty_record(&game);
        record.moves = "e2e4 e7e5 g1f3".to_owned();
        let wanted = ["^info string note", "depth"].map(|text| Regex::new(text).expect("an expression"));
        assert_eq!(
            lines_of_moves(evidence, &record, &wanted),
            [
                vec!["info string note three".to_owned()],
                Vec::new(),
                vec!["info string note four".to_owned()]
            ]
        );
    }
}
