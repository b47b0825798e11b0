//! Fits a table into the width of a terminal.
//!
//! May not: know cells; their widths are handed in.

use super::{Cells, Column, GAP, NoRoom};

/// Names are shortened to no fewer columns than this; then a table runs over the width.
const LEAST_NAME: u16 = 8;
/// Names longer than this are shortened before columns are left out.
const USUAL_NAME: u16 = 24;

/// The layout of a table.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fit {
    /// Columns, by their place in the table, that stand side by side; one table for each block, one below the other.
    pub(super) blocks: Vec<Vec<usize>>,
    /// Most columns of the terminal for a name; `None` if all fit.
    pub(super) name: Option<u16>,
    /// Columns that do not fit.
    pub(super) left_out: Vec<usize>,
}

impl Fit {
    /// The layout of columns with these widths in a terminal of `width` columns; `None`: as wide as they are.
    pub(super) fn new(columns: &[Column], content: &[u16], width: Option<u16>) -> Self {
        let widths = Widths { columns, content };
        let mut kept: Vec<usize> = (0..columns.len()).collect();
        let mut left_out = Vec::new();
        let width = match width.map(usize::from) {
            Some(width) if widths.of(&kept, u16::MAX) > width => width,
            _ => {
                return Self {
                    blocks: vec![kept],
                    name: None,
                    left_out,
                };
            }
        };
        while widths.of(&kept, USUAL_NAME) > width {
            let going = kept.iter().filter_map(|&index| match columns[index].no_room {
                NoRoom::Goes(turn) => Some((turn, index)),
                NoRoom::Stays | NoRoom::Below => None,
            });
            let Some((_, goes)) = going.max() else { break };
            kept.retain(|&index| index != goes);
            left_out.push(goes);
        }
        left_out.sort_unstable();
        let first_below = kept.iter().position(|&index| columns[index].no_room == NoRoom::Below);
        match first_below {
            Some(first) if widths.of(&kept, USUAL_NAME) > width => {
                let (head, rest) = kept.split_at(first);
                let name = u16::try_from(width / 3)
                    .unwrap_or(USUAL_NAME)
                    .clamp(LEAST_NAME, USUAL_NAME);
                Self {
                    blocks: widths.blocks(head, rest, name, width),
                    name: Some(name),
                    left_out,
                }
            }
            _ => {
                let name = (LEAST_NAME..=widths.longest_name())
                    .rev()
                    .find(|&name| widths.of(&kept, name) <= width);
                Self {
                    blocks: vec![kept],
                    name: Some(name.unwrap_or(LEAST_NAME)),
                    left_out,
                }
            }
        }
    }
}

/// The widths of columns.
struct Widths<'a> {
    columns: &'a [Column],
    content: &'a [u16],
}

impl Widths<'_> {
    /// The width of these side by side, if a name has at most `name` columns.
    fn of(&self, indices: &[usize], name: u16) -> usize {
        let gaps = usize::from(GAP) * indices.len().saturating_sub(1);
        gaps + indices
            .iter()
            .map(|&index| usize::from(self.one(index, name)))
            .sum::<usize>()
    }

    fn one(&self, index: usize, name: u16) -> u16 {
        match self.columns[index].cells {
            Cells::Names => self.content[index].min(name),
            Cells::Figures | Cells::Words => self.content[index],
        }
    }

    fn longest_name(&self) -> u16 {
        let columns = self.columns.iter().zip(self.content);
        let names = columns.filter(|(column, _)| column.cells == Cells::Names);
        names.map(|(_, content)| *content).max().unwrap_or(LEAST_NAME)
    }

    /// Splits the columns of `rest`, in order, into blocks of as many as fit beside those of `head`, at least one.
    fn blocks(&self, head: &[usize], rest: &[usize], name: u16, width: usize) -> Vec<Vec<usize>> {
        let mut blocks: Vec<Vec<usize>> = Vec::new();
        for &index in rest {
            let fits = |block: &Vec<usize>| self.of(&[block.as_slice(), &[index]].concat(), name) <= width;
            match blocks.last_mut() {
                Some(block) if fits(block) => block.push(index),
                _ => blocks.push([head, &[index]].concat()),
            }
        }
        blocks
    }
}
