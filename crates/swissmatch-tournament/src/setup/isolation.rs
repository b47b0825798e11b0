//! What the agents of an event may reach, and the protections that they must have.

use swiss_system::word::Word as _;

use super::{PlayerKeys, Setup};
use swissmatch_game::isolation::{Isolation, Protection};

impl Setup {
    /// What a player's agent may reach.
    pub fn isolation(&self, player: &PlayerKeys) -> Isolation {
        player.isolation.unwrap_or(self.engine.isolation)
    }

    /// Isolates agents with this setting; a player keeps its own unless that is less strict.
    pub fn isolate(&mut self, word: Isolation) {
        self.engine.isolation = word;
        for player in &mut self.players {
            player.isolation.take_if(|own| *own > word);
        }
    }

    /// The protections without which a player's agent is not started.
    pub fn required_protections(&self, player: &PlayerKeys) -> Vec<Protection> {
        match self.isolation(player) {
            Isolation::Sealed => Protection::ALL.to_vec(),
            Isolation::Guarded => self.engine.isolation_require.clone(),
            Isolation::Off => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::EngineKeys;
    use super::*;

    #[test]
    fn the_stricter_word_is_that_of_a_player() {
        for word in Isolation::ALL {
            let mut setup = Setup::default();
            let own = [
                None,
                Some(Isolation::Off),
                Some(Isolation::Guarded),
                Some(Isolation::Sealed),
            ];
            setup.players = own
                .map(|isolation| PlayerKeys {
                    isolation,
                    ..PlayerKeys::default()
                })
                .into();
            setup.isolate(*word);
            let words: Vec<_> = setup.players.iter().map(|player| setup.isolation(player)).collect();
            let expected = match word {
                Isolation::Off => [Isolation::Off, Isolation::Off, Isolation::Guarded, Isolation::Sealed],
                Isolation::Guarded => [
                    Isolation::Guarded,
                    Isolation::Guarded,
                    Isolation::Guarded,
                    Isolation::Sealed,
                ],
                Isolation::Sealed => [Isolation::Sealed; 4],
            };
            assert_eq!(words, expected, "{word:?}");
        }
    }

    #[test]
    fn a_log_that_lacks_the_word_was_played_without_isolation() {
        let mut stored = serde_json::to_value(EngineKeys::default()).expect("plain data");
        assert_eq!(stored["isolation"], "guarded");
        stored.as_object_mut().expect("a table").remove("isolation");
        let keys: EngineKeys = serde_json::from_value(stored).expect("every key has a default");
        assert_eq!(keys.isolation, Isolation::Off);
    }
}
