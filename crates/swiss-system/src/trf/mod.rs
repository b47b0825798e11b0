//! Tournament files: the FIDE Tournament Report File of 2016 and of 2026 (TRF16, TRF26), with the records that JaVaFo
//! and bbpPairings added.
//!
//! A [`Tournament`] is the file's records in the file's order, each line one [`Record`]. [`read`] is lenient, and
//! gives a [`Warning`] wherever it was; a line that it cannot understand safely it refuses with line, column and
//! remedy. [`write()`] is strict: it writes every record in its canonical columns, or refuses. The text reads back as
//! the same tournament, and a canonical text that is read and written again is unchanged.
//!
//! May not: depend on any module but `score`; touch files; know rules of pairing or of tie-breaks.

mod agree;
mod alterations;
mod columns;
mod editions;
mod error;
mod event;
mod kind;
mod not_ranked;
mod player;
mod points;
mod read;
mod record;
mod team;
#[cfg(test)]
mod tests;
mod tie_breaks;
mod tournament;
mod write;

pub use alterations::Alteration;
pub use editions::{EditionBy, editions_comment};
pub use error::{TrfError, TrfLineError, TrfRecordError, TrfWriteError, Warning};
pub use not_ranked::not_ranked_comment;
pub use points::PointSystem;
pub use read::{Reading, read};
pub use record::{
    AbnormalPoints, Acceleration, BbCode, ByeKind, Byes, Color, Forbidden, Header, Lineup, MatchSymbol, OldTeam,
    PlayerRecord, PointsSymbol, Record, ResultCode, RoundCell, Span, Spelling, Team, TeamByes, TeamForfeit,
    TieBreakList, TieBreaks, XxsCode,
};
pub use tournament::Tournament;
pub use write::write;
