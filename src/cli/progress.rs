//! How far a long computation is: a bar on a terminal, nothing elsewhere.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::screen::{self, ScreenBars};

/// Whether the terminal may be drawn on; an empty `TERM` counts as none. What `indicatif` finds besides is its own.
pub(super) fn can_draw() -> bool {
    std::env::var_os("TERM").is_some_and(|term| !term.is_empty())
}

/// The bar; it goes when it is dropped.
pub(super) struct Progress(ProgressBar);

impl Progress {
    /// A bar on standard error for so many steps, of which `what` says what they are.
    ///
    /// # Panics
    /// Never: the template is right.
    pub(super) fn new(steps: u64, what: &'static str) -> Self {
        let target = match can_draw() {
            true => ProgressDrawTarget::stderr(),
            false => ProgressDrawTarget::hidden(),
        };
        let bar = ProgressBar::with_draw_target(Some(steps), target);
        let style = ProgressStyle::with_template("[{wide_bar:.green/dim}] {pos}/{len} {prefix}, {eta} left");
        bar.set_style(style.expect("the template is right").progress_chars("=> "));
        bar.set_prefix(what);
        screen::draws(Some(ScreenBars::Bar(bar.clone())));
        Self(bar)
    }

    /// A step is done.
    pub(super) fn step(&self) {
        self.0.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        screen::draws(None);
        self.0.finish_and_clear();
    }
}
