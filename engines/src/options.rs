//! UCI options: one list both declares them and takes their values.

/// What an option may hold and holds now.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Spin { value: u64, min: u64, max: u64 },
    Check(bool),
}

/// The options of an agent, in the order in which they are declared.
#[derive(Clone, Debug, Default)]
pub struct Options {
    list: Vec<(&'static str, Kind)>,
}

impl Options {
    /// Adds a number with its default and bounds.
    #[must_use]
    pub fn spin(mut self, name: &'static str, value: u64, min: u64, max: u64) -> Self {
        self.list.push((name, Kind::Spin { value, min, max }));
        self
    }

    /// Adds a switch, off by default.
    #[must_use]
    pub fn check(mut self, name: &'static str) -> Self {
        self.list.push((name, Kind::Check(false)));
        self
    }

    /// The lines that declare the options after `uci`. To be asked before any
    /// option is set, as the values are given as the defaults.
    pub(crate) fn declarations(&self) -> Vec<String> {
        self.list
            .iter()
            .map(|(name, kind)| match kind {
                Kind::Spin { value, min, max } => {
                    format!("option name {name} type spin default {value} min {min} max {max}")
                }
                Kind::Check(value) => format!("option name {name} type check default {value}"),
            })
            .collect()
    }

    /// Takes a `setoption`. Numbers out of bounds are moved to the nearest
    /// bound.
    ///
    /// # Errors
    ///
    /// A sentence for the runner when the option or the value is unknown.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let (_, kind) = self
            .list
            .iter_mut()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .ok_or_else(|| format!("no option {name}"))?;
        let bad_value = || format!("option {name} cannot be {value:?}");
        match kind {
            Kind::Spin { value: held, min, max } => {
                let wanted: i128 = value.parse().map_err(|_| bad_value())?;
                let bounded = wanted.clamp(i128::from(*min), i128::from(*max));
                *held = u64::try_from(bounded).map_err(|_| bad_value())?;
            }
            Kind::Check(held) => {
                *held = match value {
                    _ if value.eq_ignore_ascii_case("true") => true,
                    _ if value.eq_ignore_ascii_case("false") => false,
                    _ => return Err(bad_value()),
                };
            }
        }
        Ok(())
    }

    /// The value of a number; zero if there is no such number.
    pub fn number(&self, name: &str) -> u64 {
        match self.find(name) {
            Some(Kind::Spin { value, .. }) => *value,
            _ => 0,
        }
    }

    /// Whether a switch is on.
    pub fn is_on(&self, name: &str) -> bool {
        matches!(self.find(name), Some(Kind::Check(true)))
    }

    fn find(&self, name: &str) -> Option<&Kind> {
        self.list.iter().find(|(known, _)| *known == name).map(|(_, kind)| kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_ignore_case_and_numbers_are_bounded() {
        let mut options = Options::default().spin("Skill", 20, 0, 20).check("UCI_Chess960");
        options.set("sKILL", "-3").expect("known");
        options.set("uci_chess960", "true").expect("known");
        assert_eq!(options.number("Skill"), 0);
        assert!(options.is_on("UCI_Chess960"));
        options.set("Skill", "999").expect("known");
        assert_eq!(options.number("Skill"), 20);
        assert!(options.set("Skill", "strong").is_err());
        assert!(options.set("Style", "1").is_err());
    }
}
