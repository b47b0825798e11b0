//! Whether this process has asked what it is, and the answer: without that no engine may be started.

use std::sync::OnceLock;

/// True if a guard stands behind this process; set once it has asked what it is.
static GUARDED: OnceLock<bool> = OnceLock::new();

/// A program that starts engines without having asked first what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "this program may not start engines: the first line of its main has to be `swissmatch::begin();`, because for each engine \
    it is started once more, as the engine's keeper"
)]
pub(crate) struct NotBegunError;

/// Notes that this process knows what it is; the first answer stays.
pub(super) fn note(is_guarded: bool) {
    _ = GUARDED.set(is_guarded);
}

/// True if a guard stands behind this process.
pub fn is_guarded() -> bool {
    GUARDED.get() == Some(&true)
}

/// Checks that this program may be started again.
///
/// # Errors
/// Its main did not ask what it is: the new process would do all that this one does.
pub(crate) fn require_begun() -> Result<(), NotBegunError> {
    GUARDED.get().map(|_| ()).ok_or(NotBegunError)
}
