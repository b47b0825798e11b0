//! Which lines of other match runners are asked for: from which program, how often, and what goes into their log.
//!
//! May not: know the wording of such a line; `report::peers` does.

/// The program whose lines are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PeerFormat {
    /// Lines of fastchess.
    #[default]
    Fastchess,
    /// Lines that fastchess prints with `-output format=cutechess`.
    FastchessAsCutechess,
    /// Lines of cutechess-cli.
    Cutechess,
}

impl PeerFormat {
    /// True if fastchess prints them.
    pub const fn is_of_fastchess(self) -> bool {
        !matches!(self, Self::Cutechess)
    }
}

/// Which lines are printed, and how often.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PeerOutput {
    pub lines: PeerFormat,
    /// Figures count game pairs.
    pub pairs: bool,
    /// Games between two reports of figures (for fastchess with pairs: pairs); 0 means only at the end.
    pub rating: u32,
    /// Games between two `Score of` lines of fastchess; 0 means only at the end.
    pub score: u32,
    /// Games between two lists of outcomes of cutechess-cli; 0 means only at the end.
    pub outcomes: u32,
    /// Warnings of fastchess take one line each.
    pub is_one_line: bool,
    /// Warns of mates that the variation does not show.
    pub has_mates: bool,
}

/// What goes into a log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PeerLogOptions {
    /// Warnings, and games that were lost by a crash or on time.
    pub has_warnings: bool,
    /// All that engines say and are told. Without it, only their standard error in games that ended by a fault.
    pub has_engines: bool,
}
