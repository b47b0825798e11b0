//! Names of players, each kept once.

use std::collections::HashMap;
use std::sync::Arc;

/// More names than this are refused, because a row has only so many bits for one.
pub const MOST_NAMES: usize = 1 << 22;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameId(pub(super) u32);

impl NameId {
    /// The index in the order in which the names were met, from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The names of all players met, in any number of files.
#[derive(Clone, Debug, Default)]
pub struct Names {
    by_name: HashMap<Arc<str>, NameId>,
    in_order: Vec<Arc<str>>,
}

impl Names {
    /// The id of `name`; a name met before allocates nothing. `None` if there are [`MOST_NAMES`] others.
    pub fn intern(&mut self, name: &str) -> Option<NameId> {
        if let Some(&id) = self.by_name.get(name) {
            return Some(id);
        }
        if self.in_order.len() >= MOST_NAMES {
            return None;
        }
        let id = NameId(u32::try_from(self.in_order.len()).ok()?);
        let name: Arc<str> = name.into();
        self.in_order.push(Arc::clone(&name));
        self.by_name.insert(name, id);
        Some(id)
    }

    pub fn find(&self, name: &str) -> Option<NameId> {
        self.by_name.get(name).copied()
    }

    /// The name as the file has it: foreign text, which may hold control characters.
    ///
    /// # Panics
    /// When `id` is from another [`Names`].
    pub fn name(&self, id: NameId) -> &str {
        &self.in_order[id.index()]
    }

    pub fn len(&self) -> usize {
        self.in_order.len()
    }

    pub fn is_empty(&self) -> bool {
        self.in_order.is_empty()
    }
}
