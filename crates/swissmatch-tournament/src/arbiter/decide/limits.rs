//! Limits set by the event or the arbiter, which the arbiter may overrule.
//!
//! May not: change the state.

use std::collections::BTreeSet;

use crate::log::{Act, Limit};
use crate::state::State;

use super::{ActError, ActReview, cannot};

/// The limits that stand against an act, if it could be done without them; otherwise none.
pub fn overruling(state: &State, act: &Act) -> Vec<Limit> {
    let mut overruled = Vec::new();
    loop {
        let desk = ActReview {
            state,
            under_way: &BTreeSet::new(),
            overruled: &overruled,
        };
        match desk.judge(act) {
            Err(ActError::Limit { limit, .. }) => overruled.push(limit),
            Ok(()) => return overruled,
            Err(_) => return Vec::new(),
        }
    }
}

impl ActReview<'_> {
    /// Refuses an act against a limit, unless the limit is overruled.
    pub(super) fn keeps(&self, limit: Limit, why: String) -> Result<(), ActError> {
        match self.overruled.contains(&limit) {
            true => Ok(()),
            false => Err(ActError::Limit { limit, why }),
        }
    }

    /// Refuses if an overruled limit does not stand against the act.
    pub(super) fn nothing_in_vain(&self, act: &Act) -> Result<(), ActError> {
        if self.overruled.is_empty() {
            return Ok(());
        }
        let needed = overruling(self.state, act);
        match self.overruled.iter().find(|limit| !needed.contains(limit)) {
            None => Ok(()),
            Some(limit) => cannot(format!(
                "{} does not stand in the way: there is nothing to overrule",
                limit.called()
            )),
        }
    }
}
