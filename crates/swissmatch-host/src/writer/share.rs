//! How much of the log evidence may take up, and how much each player has taken.
//!
//! Each player has an equal share, which its own part of each game uses up: so an agent that says much leaves the
//! others theirs. May not: change a text that there is room for.

use std::collections::BTreeMap;

use swiss_system::pairing::history::PairingNumber;

use crate::store::{Evidence, Store, StoreError};
use swissmatch_game::Side;
use swissmatch_game::transcript;
use swissmatch_tournament::state::State;

/// The room for evidence in the log of an event, and what is taken of it, in packed bytes.
#[derive(Debug)]
pub struct Shares {
    /// Of all games.
    most: u64,
    /// Of the games of one player.
    of_each: u64,
    mib: u32,
    taken: u64,
    taken_by: BTreeMap<PairingNumber, u64>,
}

impl Shares {
    /// The room of an event with this many players, by `run.evidence_event`.
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

    /// The room of this event, less what its log has taken.
    ///
    /// # Errors
    /// The log cannot be read.
    pub fn of(state: &State, store: &Store) -> Result<Self, StoreError> {
        let setup = state.setup();
        let mut shares = Self::new(setup.run.evidence_event, setup.players.len());
        for parts in store.evidence_sizes()? {
            shares.take(
                parts.map(|(player, _)| PairingNumber(player)),
                parts.map(|(_, bytes)| bytes),
            );
        }
        Ok(shares)
    }

    /// Takes room for a game's evidence, each player's part from that player's share.
    fn take(&mut self, players: [PairingNumber; 2], bytes: [u64; 2]) {
        self.taken += bytes.iter().sum::<u64>();
        for (player, bytes) in players.into_iter().zip(bytes) {
            *self.taken_by.entry(player).or_default() += bytes;
        }
    }

    /// The evidence of a game, as far as there is room for it: all, or without the words of players whose share is
    /// full. Takes the room. The end of the game and its position are always there.
    pub(super) fn fit(&mut self, players: [PairingNumber; 2], text: String) -> Evidence {
        let mut evidence = Evidence::of(text);
        let lacks = self.lacks(players, evidence.bytes);
        if lacks.iter().any(Option::is_some) {
            let is_kept = |line: &&str| transcript::side_of(line).is_none_or(|side| lacks[side.index()].is_none());
            let mut text: String = evidence.text.split_inclusive('\n').filter(is_kept).collect();
            for side in Side::BOTH {
                if let Some(why) = &lacks[side.index()] {
                    text += &format!("(What {} said and was sent is not kept: {why})\n", side.name());
                }
            }
            evidence = Evidence::of(text);
            evidence.cut = lacks.into_iter().flatten().next();
        }
        self.take(players, evidence.bytes);
        evidence
    }

    /// Why there is no room for this much more of White's, and of Black's.
    fn lacks(&self, players: [PairingNumber; 2], bytes: [u64; 2]) -> [Option<String>; 2] {
        let mib = self.mib;
        if self.taken + bytes.iter().sum::<u64>() > self.most {
            // A late entry has a share that was given away.
            let why = format!("the evidence of all games has taken up run.evidence_event, which is {mib} MiB");
            return [Some(why.clone()), Some(why)];
        }
        Side::BOTH.map(|side| {
            let player = players[side.index()];
            let taken = self.taken_by.get(&player).copied().unwrap_or(0);
            (taken + bytes[side.index()] > self.of_each).then(|| {
                format!(
                    "the evidence of the games of player {player} has taken up its share of run.evidence_event, which is {mib} MiB"
                )
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use swissmatch_game::transcript::frame;

    /// Text that does not pack well.
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

    /// A game in which each side said this much.
    fn said(seed: u64, bytes: [usize; 2]) -> String {
        let mut text = "Game 1.1.1\nEnded: somehow\n\n".to_owned();
        for side in Side::BOTH {
            let said = noise(seed + side.index() as u64, bytes[side.index()]);
            for line in said.as_bytes().chunks(900) {
                text += &(frame(5, side, '<', line) + "\n");
            }
        }
        text
    }

    #[test]
    fn who_says_much_takes_no_room_of_others() {
        let [loud, quiet, second, third] = [1, 2, 3, 4].map(PairingNumber);
        let mut shares = Shares::new(1, 4);
        let mut whole = 0;
        for game in 0..20 {
            let evidence = shares.fit([loud, quiet], said(game, [60_000, 3000]));
            whole += usize::from(evidence.cut.is_none());
            assert_eq!(evidence.cut.is_none(), evidence.text.contains(" White < "));
            assert!(evidence.text.starts_with("Game 1.1.1\nEnded: somehow\n\n"));
            assert!(evidence.text.contains(" Black < "), "{}", evidence.text);
        }
        assert!((3..=6).contains(&whole), "256 KiB for each: {whole}");
        assert!(shares.fit([second, third], said(99, [90_000, 90_000])).cut.is_none());
        assert!(shares.fit([second, quiet], said(97, [9000, 90_000])).cut.is_none());
        let evidence = shares.fit([second, loud], said(98, [100, 60_000]));
        let cut = evidence.cut.expect("there is no room");
        assert!(cut.contains("of player 1 ") && cut.contains("1 MiB"), "{cut}");
        assert!(
            evidence.text.contains(" White < ") && !evidence.text.contains(" Black < "),
            "{}",
            evidence.text
        );
        assert!(
            evidence.text.contains("\n(What Black said and was sent is not kept: "),
            "{}",
            evidence.text
        );
    }

    #[test]
    fn late_entries_take_no_more_than_there_is_for_all() {
        let mut shares = Shares::new(1, 2);
        for player in 1..=20 {
            let pair = [PairingNumber(player), PairingNumber(player + 100)];
            shares.fit(pair, said(player.into(), [100_000, 100_000]));
        }
        assert!(shares.taken <= (1 << 20) + 20 * 400, "{}", shares.taken);
    }
}
