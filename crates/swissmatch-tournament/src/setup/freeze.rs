//! Whether agents are stopped while their opponents think, `game.freeze`.

use serde::{Deserialize, Serialize};
use swiss_system::word::{WordOr, is_none_of};

use super::{PlayerKeys, Setup};
use swissmatch_game::isolation::Isolation;

/// `game.freeze`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "WordOr<bool>", into = "WordOr<bool>")]
pub enum Freeze {
    /// `"auto"`: in games with a sealed agent.
    Auto,
    /// `true`
    Always,
    /// `false`; a log from before the key existed also means this.
    #[default]
    Never,
}

const AUTO: &str = "auto";

impl From<Freeze> for WordOr<bool> {
    fn from(freeze: Freeze) -> Self {
        match freeze {
            Freeze::Auto => Self::word(AUTO),
            Freeze::Always => Self::Other(true),
            Freeze::Never => Self::Other(false),
        }
    }
}

impl TryFrom<WordOr<bool>> for Freeze {
    type Error = String;

    fn try_from(written: WordOr<bool>) -> Result<Self, String> {
        match written {
            WordOr::Other(true) => Ok(Self::Always),
            WordOr::Other(false) => Ok(Self::Never),
            WordOr::Word(word) if word == AUTO => Ok(Self::Auto),
            WordOr::Word(word) => Err(is_none_of(&word, r#""auto""#)),
        }
    }
}

impl Setup {
    /// True if an agent that does not ponder is stopped while the other side is to move, in games between these
    /// players.
    pub fn freezes<'a>(&self, players: impl IntoIterator<Item = &'a PlayerKeys>) -> bool {
        match self.game.freeze {
            Freeze::Always => true,
            Freeze::Never => false,
            Freeze::Auto => players
                .into_iter()
                .any(|player| self.isolation(player) == Isolation::Sealed),
        }
    }

    /// Like [`Self::freezes`], for all games of the event; `None` if only for some.
    pub fn freezes_all(&self) -> Option<bool> {
        let usual = [PlayerKeys::default()];
        let players = match self.players.as_slice() {
            [] => &usual[..],
            players => players,
        };
        let any = self.freezes(players);
        // An agent that is not sealed meets another one that is not.
        let others = players.iter().filter(|player| !self.freezes([*player])).count();
        (!any || others < 2).then_some(any)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_logs_have_is_read() {
        for (stored, freeze) in [
            ("true", Freeze::Always),
            ("false", Freeze::Never),
            (r#""auto""#, Freeze::Auto),
        ] {
            assert_eq!(serde_json::from_str::<Freeze>(stored).expect("a value"), freeze);
            assert_eq!(serde_json::to_string(&freeze).expect("plain data"), stored);
        }
        assert!(serde_json::from_str::<Freeze>(r#""sealed""#).is_err());
    }

    #[test]
    fn sealed_agents_are_stopped_where_nothing_else_is_said() {
        let player = |isolation| PlayerKeys {
            isolation,
            ..PlayerKeys::default()
        };
        let mut setup = Setup::default();
        assert_eq!(setup.freezes_all(), Some(false));
        setup.players = [None, Some(Isolation::Sealed), None].map(player).into();
        assert_eq!(setup.freezes_all(), None);
        assert!(setup.freezes(&setup.players[..2]));
        setup.players.pop();
        assert_eq!(setup.freezes_all(), Some(true));
        setup.game.freeze = Freeze::Never;
        assert_eq!(setup.freezes_all(), Some(false));
        setup.game.freeze = Freeze::Always;
        setup.engine.isolation = Isolation::Off;
        assert_eq!(setup.freezes_all(), Some(true));
    }
}
