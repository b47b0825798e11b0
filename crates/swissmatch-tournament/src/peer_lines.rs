//! Which lines of other match runners are asked for: whose, how often, and what their log has.
//!
//! May not: know what such a line says; that is `report::peers`.

/// Whose lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PeerFormat {
    /// Those of fastchess.
    #[default]
    Fastchess,
    /// Those that fastchess prints by `-output format=cutechess`.
    FastchessAsCutechess,
    /// Those of cutechess-cli.
    Cutechess,
}

impl PeerFormat {
    /// Whether fastchess prints them.
    pub const fn is_of_fastchess(self) -> bool {
        !matches!(self, Self::Cutechess)
    }
}

/// Which lines are printed, and how often.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PeerOutput {
    /// Whose.
    pub lines: PeerFormat,
    /// Whether figures are of game pairs.
    pub pairs: bool,
    /// Games (of fastchess with pairs: pairs) from one report of figures to the next; 0: only at the end.
    pub rating: u32,
    /// Games from one `Score of` of fastchess to the next; 0: only at the end.
    pub score: u32,
    /// Games from one list of outcomes of cutechess-cli to the next; 0: only at the end.
    pub outcomes: u32,
    /// Whether warnings of fastchess have one line each.
    pub is_one_line: bool,
    /// Whether mates that a variation does not show are warned of.
    pub has_mates: bool,
}

/// What a log has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PeerLogOptions {
    /// What is warned of, and games that were lost by a process or by the clock.
    pub has_warnings: bool,
    /// All that engines say and are told; without it what they wrote to standard error in games that ended by a fault.
    pub has_engines: bool,
}
