//! The programs that an agent may run, `engine.exec` and `player.exec`.

use serde::{Deserialize, Serialize};
use swiss_system::word::{WordOr, is_none_of};

use super::{PlayerKeys, Setup};
use swissmatch_game::isolation::Isolation;

/// `engine.exec` and `player.exec`
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "WordOr<Vec<String>>", into = "WordOr<Vec<String>>")]
pub enum Exec {
    /// A list of programs that an agent may run beside its own. `"own"` is the empty list: only its command with its
    /// interpreter, and its own files.
    Own(Vec<String>),
    /// `"any"`
    #[default]
    Any,
}

/// The words that stand for a list.
const OWN: &str = "own";
const ANY: &str = "any";

impl From<Exec> for WordOr<Vec<String>> {
    fn from(exec: Exec) -> Self {
        match exec {
            Exec::Any => Self::word(ANY),
            Exec::Own(programs) if programs.is_empty() => Self::word(OWN),
            Exec::Own(programs) => Self::Other(programs),
        }
    }
}

impl TryFrom<WordOr<Vec<String>>> for Exec {
    type Error = String;

    fn try_from(written: WordOr<Vec<String>>) -> Result<Self, String> {
        match written {
            WordOr::Other(programs) => Ok(Self::Own(programs)),
            WordOr::Word(word) if word == ANY => Ok(Self::Any),
            WordOr::Word(word) if word == OWN => Ok(Self::Own(Vec::new())),
            WordOr::Word(word) => Err(is_none_of(&word, r#""own", "any""#)),
        }
    }
}

impl Setup {
    /// The programs that a player's agent may run; any if it is not isolated.
    pub fn exec(&self, player: &PlayerKeys) -> Exec {
        let said = player.exec.as_ref().or(self.engine.exec.as_ref());
        match (self.isolation(player), said) {
            // Submissions of strangers play by themselves, however they are isolated.
            (Isolation::Guarded, None) if player.submission.is_some() => Exec::Own(Vec::new()),
            (Isolation::Off, _) | (Isolation::Guarded, None) => Exec::Any,
            (Isolation::Sealed, None) => Exec::Own(Vec::new()),
            (Isolation::Guarded | Isolation::Sealed, Some(exec)) => exec.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{EngineKeys, SubmissionId};
    use super::*;

    #[test]
    fn what_logs_have_is_read() {
        for (stored, exec) in [
            (r#""own""#, Exec::Own(Vec::new())),
            (r#""any""#, Exec::Any),
            (r#"["gcc"]"#, Exec::Own(vec!["gcc".to_owned()])),
        ] {
            assert_eq!(serde_json::from_str::<Exec>(stored).expect("a value"), exec);
            assert_eq!(serde_json::to_string(&exec).expect("plain data"), stored);
        }
        assert!(serde_json::from_str::<Exec>(r#""none""#).is_err());
    }

    #[test]
    fn sealed_agents_run_their_own_where_nothing_else_is_said() {
        let mut setup = Setup::default();
        let mut player = PlayerKeys::default();
        assert_eq!(setup.exec(&player), Exec::Any);
        player.isolation = Some(Isolation::Sealed);
        assert_eq!(setup.exec(&player), Exec::Own(Vec::new()));
        setup.engine.exec = Some(Exec::Any);
        assert_eq!(setup.exec(&player), Exec::Any);
        player.exec = Some(Exec::Own(vec!["gcc".to_owned()]));
        assert_eq!(setup.exec(&player), Exec::Own(vec!["gcc".to_owned()]));
        player.isolation = Some(Isolation::Off);
        assert_eq!(setup.exec(&player), Exec::Any);
        let handed_in = PlayerKeys {
            submission: Some(SubmissionId {
                archive: String::new(),
                number: 1,
            }),
            ..PlayerKeys::default()
        };
        assert_eq!(Setup::default().exec(&handed_in), Exec::Own(Vec::new()));
    }

    /// Before the key existed agents could run any program, sealed or not.
    #[test]
    fn a_log_that_lacks_the_key_lets_agents_run_any_program() {
        let mut stored = serde_json::to_value(EngineKeys::default()).expect("plain data");
        assert_eq!(stored["exec"], serde_json::Value::Null);
        stored.as_object_mut().expect("a table").remove("exec");
        let keys: EngineKeys = serde_json::from_value(stored).expect("every key has a default");
        assert_eq!(keys.exec, Some(Exec::Any));
    }
}
