//! Plots: figures that were computed elsewhere, drawn as SVG.
//!
//! All have one look: 800 px wide on white, with a title, axes with units, a caption that gives the number of games (or pairs, or moves),
//! and colours that colour-blind readers can tell apart (Okabe and Ito 2008), never by colour alone. The same data give the same bytes. An
//! SVG stands by itself: it has no script, no style sheet, no reference to anything outside, and it is well-formed whatever names contain.
//! Texts are measured by the font that it asks for first, so that they are shortened instead of overlapping.
//!
//! Figures that are no numbers (NaN, infinities) are left out, and the caption says how many; ends of intervals may be
//! infinite, and reach to the frame.
//!
//! May not: compute what is shown, or touch files.

mod axis;
mod by_move;
mod chart;
mod drawn;
mod font;
mod heat;
mod llr;
mod look;
mod los;
mod number;
mod page;
mod ranks;
mod ratings;
mod score;
mod svg;
mod thin;

pub use self::axis::AxisKind;
pub use self::by_move::{Across, AgentSeries, AtMove, ByMove};
pub use self::drawn::Plot;
pub use self::llr::Decision;
pub(crate) use self::llr::LlrPath;
pub(crate) use self::los::LosMatrix;
pub use self::page::{CountedUnit, Heading};
pub(crate) use self::ranks::RankConfidence;
pub use self::ratings::{RatingBar, RatingsPlot};
pub(crate) use self::score::{ScoreAfter, ScoreOverGames};

#[cfg(test)]
mod tests;
