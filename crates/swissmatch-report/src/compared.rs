//! Differences between an agent that is isolated and the same agent started by hand.
//!
//! May not: start either.

use serde::Serialize;

use swissmatch_game::conformance::FirstMoveReport;

#[derive(Clone, Debug, Serialize)]
pub struct IsolationComparison {
    /// As events start it.
    pub isolated: FirstMoveReport,
    /// As its author starts it.
    pub by_hand: FirstMoveReport,
    /// Nodes of the first move.
    pub nodes: u64,
}

/// Speeds that differ by less, in percent, count as alike: two starts of one engine differ by as much.
const ALIKE: u64 = 25;

impl IsolationComparison {
    pub fn text(&self) -> String {
        let mut text = "Started by hand, too, without isolation:\n".to_owned();
        let before = text.len();
        let only = |heard: &FirstMoveReport, other: &FirstMoveReport, whose: &str| -> String {
            let lines = heard.lines.iter().filter(|line| !other.lines.contains(line));
            lines.map(|line| format!("  only {whose}  {line}\n")).collect()
        };
        text += &only(&self.by_hand, &self.isolated, "by hand ");
        text += &only(&self.isolated, &self.by_hand, "isolated");
        for (heard, whose) in [(&self.by_hand, "by hand"), (&self.isolated, "isolated")] {
            if let Some(failure) = &heard.failure {
                text += &format!("  {whose}: {failure}\n");
            }
        }
        if let (Some(by_hand), Some(isolated)) = (&self.by_hand.first_move, &self.isolated.first_move) {
            let nodes = self.nodes;
            if by_hand != isolated {
                text += &format!("  first move at {nodes} nodes: {by_hand} by hand, {isolated} isolated\n");
            }
            let share = self.isolated.took_us.saturating_mul(100) / self.by_hand.took_us.max(1);
            if share.abs_diff(100) > ALIKE {
                text += &format!("  time for {nodes} nodes: {share} % of that by hand\n");
            }
        }
        if text.len() == before {
            text += "  nothing differs: the same lines, the same first move, about the same speed\n";
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_told_and_nothing_else() {
        let heard = |lines: &[&str], first_move: &str, took_us| FirstMoveReport {
            lines: lines.iter().map(|line| (*line).to_owned()).collect(),
            first_move: Some(first_move.to_owned()),
            took_us,
            failure: None,
        };
        let same = IsolationComparison {
            isolated: heard(&["id name X"], "e2e4", 1_050),
            by_hand: heard(&["id name X"], "e2e4", 1_000),
            nodes: 50_000,
        };
        assert!(same.text().contains("nothing differs"), "{}", same.text());
        let other = IsolationComparison {
            isolated: heard(&["id name X", "info string cannot open nn.bin"], "d2d4", 500),
            ..same
        };
        insta::assert_snapshot!(other.text(), @r"
        Started by hand, too, without isolation:
          only isolated  info string cannot open nn.bin
          first move at 50000 nodes: e2e4 by hand, d2d4 isolated
          time for 50000 nodes: 50 % of that by hand
        ");
    }
}
