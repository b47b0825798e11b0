//! What a worker lets agents of others do on its machine: they are guarded, and may do nothing beyond that unless its
//! owner names it.
//!
//! May not: start anything.

use swiss_system::text::harmless;
use swissmatch_game::isolation::Isolation;
use swissmatch_host::host::AgentSpec;

/// What agents may do beyond being guarded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allows {
    /// Run without any isolation.
    pub off: bool,
    /// Get these environment variables of the worker.
    pub env: Vec<String>,
    /// Write to these places, named as in `player.write`.
    pub write: Vec<String>,
    /// Reach these addresses, named as in `player.connect`.
    pub connect: Vec<String>,
}

impl Allows {
    /// Why an agent is not started, as a sentence without its end. It names what the agent may not do and the flag that
    /// allows it.
    pub fn refuses(&self, agent: &AgentSpec) -> Option<String> {
        let (name, player) = (harmless(&agent.player.name), &agent.player);
        if agent.isolation == Isolation::Off && !self.off {
            return Some(format!(
                "{name} is not to be isolated (engine.isolation = \"off\"), which takes --allow-off"
            ));
        }
        let values = player.env.values().filter_map(|value| value.strip_prefix('$'));
        let env = not_in(values, &self.env).map(|variable| (format!("is given ${variable}"), "--allow-env", variable));
        let connect = not_in(player.connect.iter().map(String::as_str), &self.connect);
        let connect = connect.map(|place| (format!("reaches {place} (player.connect)"), "--allow-connect", place));
        let write = not_in(player.write.iter().map(String::as_str), &self.write);
        let write = write.map(|place| (format!("writes {place} (player.write)"), "--allow-write", place));
        let (what, flag, value) = env.or(connect).or(write)?;
        Some(format!(
            "{name} {}, which takes {flag} {}",
            harmless(&what),
            harmless(value)
        ))
    }
}

/// The first wanted item that is not allowed.
fn not_in<'a>(mut wanted: impl Iterator<Item = &'a str>, allowed: &[String]) -> Option<&'a str> {
    wanted.find(|one| !allowed.iter().any(|allowed| allowed == one))
}

#[cfg(test)]
mod tests {
    use super::*;
    use swissmatch_tournament::setup::{PlayerKeys, Setup};

    fn agent(isolation: Isolation, change: impl FnOnce(&mut PlayerKeys)) -> AgentSpec {
        let mut player = PlayerKeys {
            name: "Rook".to_owned(),
            isolation: Some(isolation),
            ..PlayerKeys::default()
        };
        change(&mut player);
        AgentSpec::of_player(&player, &Setup::default())
    }

    #[test]
    fn what_goes_beyond_being_guarded_is_refused_with_the_flag_that_lets_it() {
        let none = Allows::default();
        assert_eq!(none.refuses(&agent(Isolation::Guarded, |_| {})), None);
        assert_eq!(none.refuses(&agent(Isolation::Sealed, |_| {})), None);
        let all = Allows {
            off: true,
            env: vec!["KEY".to_owned()],
            write: vec!["logs".to_owned()],
            connect: vec!["example.org:443".to_owned()],
        };
        let off = agent(Isolation::Off, |_| {});
        let env = agent(Isolation::Guarded, |player| {
            player.env = [("A", "plain"), ("B", "$KEY")]
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into();
        });
        let write = agent(Isolation::Guarded, |player| player.write = vec!["logs".to_owned()]);
        let connect = agent(Isolation::Guarded, |player| {
            player.connect = vec!["example.org:443".to_owned()]
        });
        for (agent, flag) in [
            (off, "--allow-off"),
            (env, "--allow-env KEY"),
            (write, "--allow-write logs"),
            (connect, "--allow-connect example.org:443"),
        ] {
            let why = none.refuses(&agent).expect("it is refused");
            assert!(why.starts_with("Rook ") && why.ends_with(flag), "{why}");
            assert_eq!(all.refuses(&agent), None);
        }
    }
}
