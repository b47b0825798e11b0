//! How much of the log evidence may take up, and who has taken how much of it.
//!
//! Each player has an equal share, so that no agent leaves the games of others without evidence. May not: change a text that
//! there is room for.

use std::collections::BTreeMap;

use swiss_system::pairing::history::PairingNumber;

use crate::shell::store::Evidence;

/// The room that evidence has in the log of an event, and what is taken of it. Bytes, packed.
#[derive(Debug)]
pub struct Shares {
    /// Of all games.
    most: u64,
    /// Of the games of one player, of which half of each game counts.
    of_each: u64,
    mib: u32,
    taken: u64,
    taken_by: BTreeMap<PairingNumber, u64>,
}

impl Shares {
    /// The room of an event, `run.evidence_event`, of so many players.
    pub fn new(mib: u32, players: usize) -> Self {
        let most = u64::from(mib) << 20;
        Self {
            most,
            of_each: most / players.max(1) as u64,
            mib,
            taken: 0,
            taken_by: BTreeMap::new(),
        }
    }

    /// Evidence of these players' game takes up so much.
    pub fn take(&mut self, players: [PairingNumber; 2], bytes: u64) {
        self.taken += bytes;
        for player in players {
            *self.taken_by.entry(player).or_default() += bytes / 2;
        }
    }

    /// The evidence of a game, as far as there is room for it: all, or what it begins with. Takes the room.
    pub(super) fn fit(&mut self, players: [PairingNumber; 2], text: String) -> Evidence {
        let mut evidence = Evidence::of(text);
        if let Some(why) = self.lacks(players, evidence.packed.len() as u64) {
            // How it ended, and the position: above the first empty line.
            let (head, _) = evidence.text.split_once("\n\n").unwrap_or((&evidence.text, ""));
            evidence = Evidence::of(format!("{head}\n\n(What was said is not kept: {why})\n"));
            evidence.cut = Some(why);
        }
        self.take(players, evidence.packed.len() as u64);
        evidence
    }

    /// Why there is no room for so much more.
    fn lacks(&self, players: [PairingNumber; 2], bytes: u64) -> Option<String> {
        let taken_by = |player| self.taken_by.get(&player).copied().unwrap_or(0);
        let full = players
            .into_iter()
            .find(|player| taken_by(*player) + bytes / 2 > self.of_each);
        let mib = self.mib;
        match full {
            Some(player) => Some(format!(
                "the evidence of the games of player {player} has taken up its share of run.evidence_event, which is {mib} MiB"
            )),
            // Who came late has a share that was given away.
            None => (self.taken + bytes > self.most)
                .then(|| format!("the evidence of all games has taken up run.evidence_event, which is {mib} MiB")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What does not pack well.
    fn noise(seed: u64, bytes: usize) -> String {
        let mut mixed = seed;
        let letters = std::iter::repeat_with(|| {
            mixed = mixed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            char::from(b'!' + (mixed >> 33) as u8 % 90)
        });
        letters.take(bytes).collect()
    }

    fn said(seed: u64, bytes: usize) -> String {
        format!("Game 1.1.1\nEnded: somehow\n\n{}\n", noise(seed, bytes))
    }

    #[test]
    fn who_says_much_takes_no_room_of_others() {
        let [loud, first, second, third] = [1, 2, 3, 4].map(PairingNumber);
        let mut shares = Shares::new(1, 4);
        let mut whole = 0;
        for game in 0..20 {
            let evidence = shares.fit([loud, first], said(game, 100_000));
            whole += usize::from(evidence.cut.is_none());
            assert_eq!(evidence.cut.is_none(), evidence.text.len() > 100_000);
            assert!(evidence.text.starts_with("Game 1.1.1\nEnded: somehow\n\n"));
        }
        assert!((5..=8).contains(&whole), "256 KiB for each, half of a game: {whole}");
        assert!(shares.fit([second, third], said(99, 100_000)).cut.is_none());
        let cut = shares
            .fit([second, loud], said(98, 100_000))
            .cut
            .expect("there is no room");
        assert!(cut.contains("of player 1 ") && cut.contains("1 MiB"), "{cut}");
    }

    #[test]
    fn late_entries_take_no_more_than_there_is_for_all() {
        let mut shares = Shares::new(1, 2);
        for player in 1..=20 {
            let pair = [PairingNumber(player), PairingNumber(player + 100)];
            shares.fit(pair, said(player.into(), 200_000));
        }
        assert!(shares.taken <= (1 << 20) + 20 * 400, "{}", shares.taken);
    }
}
