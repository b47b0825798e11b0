//! A heat map: a row for each agent, a column for each number, a colour for each share, and the figure where it fits.

use super::font;
use super::look::{CAPTION, EDGE, INK, LABEL, PALE_INK, TICK, WIDTH};
use super::number;
use super::page::{Heading, PlotPage, nothing};
use super::svg::{Anchor, Svg};

/// Most rows and columns that are readable.
pub(super) const MOST: usize = 60;
/// Most width of names, in px.
const NAMES: f64 = 190.0;
/// Most width and height of a cell, in px.
const LARGEST_CELL: f64 = 46.0;
/// Width of the scale of colours to the right of the cells, in px.
const SCALE: f64 = 78.0;
/// Least height of the scale of colours, so that its name has room, in px.
const LEAST_SCALE: f64 = 180.0;
/// Height of the numbers and the name of the columns above the cells, in px.
const ABOVE: f64 = 44.0;
/// Least height of a row, so that its name can be read, in px.
const LEAST_ROW: f64 = 11.0;
/// Least width of a cell with its figure, in px.
const FIGURE_CELL: f64 = 25.0;

/// Colours as red, green and blue, at shares from 0 to 1, equally far apart.
pub(super) type Ramp = &'static [[f64; 3]];

pub(super) struct Heat<'a> {
    pub(super) heading: &'a Heading,
    pub(super) rows: Vec<String>,
    /// Whether rows have numbers, too.
    pub(super) is_numbered: bool,
    /// The number of columns, which are numbered from 1.
    pub(super) columns: usize,
    /// The name of the columns.
    pub(super) across: &'a str,
    /// The meaning of the colours.
    pub(super) scale: &'a str,
    pub(super) ramp: Ramp,
    /// The share at a row and a column, both from 0; `None` leaves the cell blank.
    pub(super) share: &'a dyn Fn(usize, usize) -> Option<f64>,
    /// Whether 0 is a blank cell, for colours where 0 is white.
    pub(super) blank_zero: bool,
    pub(super) remarks: Vec<String>,
}

impl Heat<'_> {
    pub(super) fn svg(&self) -> String {
        let size = TICK.min(self.cell_for(NAMES).max(LEAST_ROW) * 0.92);
        let names = font::names(self.rows.iter().map(String::as_str), size, NAMES);
        let numbers = if self.is_numbered {
            font::width(&self.rows.len().to_string(), size) + 8.0
        } else {
            0.0
        };
        let widest = numbers + names.iter().map(|name| font::width(name, size)).fold(0.0, f64::max);
        let cell = self.cell_for(widest);
        let row = cell.max(LEAST_ROW);
        let (wide, high) = (cell * self.columns as f64, row * self.rows.len() as f64);
        let height = ABOVE + high.max(LEAST_SCALE) + 8.0;
        let nothing = nothing(self.rows.is_empty() || self.columns == 0);
        let remarks: Vec<String> = self.remarks.iter().cloned().chain(nothing).collect();
        let page = PlotPage::new(self.heading, &[], height, &remarks);
        let mut svg = page.svg;
        let left = ((WIDTH - (widest + 8.0 + wide + SCALE)) / 2.0 + widest + 8.0).round();
        let top = page.top + ABOVE;
        for (nr, name) in names.iter().enumerate() {
            let y = top + (nr as f64 + 0.5) * row + size * 0.36;
            let ink = [("class", "name".into()), ("fill", INK.into())];
            svg.label((left - 8.0 - numbers, y), size, Anchor::End, &ink, name);
            if self.is_numbered {
                let pale = [("class", "row".into()), ("fill", PALE_INK.into())];
                svg.label((left - 8.0, y), size, Anchor::End, &pale, &(nr + 1).to_string());
            }
        }
        self.draw_columns(&mut svg, (left, top), cell, size);
        self.draw_cells(&mut svg, (left, top), (cell, row));
        let at = (left + wide + 20.0, top);
        self.draw_scale(&mut svg, at, high.clamp(LEAST_SCALE, 300.0));
        svg.finish()
    }

    /// The width of a cell beside names of this width.
    fn cell_for(&self, names: f64) -> f64 {
        let room = WIDTH - 2.0 * EDGE - names - 8.0 - SCALE;
        let cell = (room / self.columns.max(self.rows.len()).max(1) as f64).min(LARGEST_CELL);
        // Positions with few digits keep the file small.
        (cell * 2.0).floor() / 2.0
    }

    fn draw_columns(&self, svg: &mut Svg, (left, top): (f64, f64), cell: f64, size: f64) {
        let widest = font::width(&self.columns.to_string(), size) + 4.0;
        // Every fifth number if not all fit.
        let every = if widest <= cell { 1 } else { 5 };
        for nr in 1..=self.columns {
            if nr == 1 || nr % every == 0 {
                let x = left + (nr as f64 - 0.5) * cell;
                let ink = [("class", "column".into()), ("fill", PALE_INK.into())];
                svg.label((x, top - 6.0), size, Anchor::Middle, &ink, &nr.to_string());
            }
        }
        let middle = left + cell * self.columns as f64 / 2.0;
        let ink = [("class", "label".into()), ("fill", INK.into())];
        let room = 2.0 * (middle - EDGE).min(WIDTH - EDGE - middle);
        let name = font::fitted(self.across, LABEL, room);
        svg.label((middle, top - 26.0), LABEL, Anchor::Middle, &ink, &name);
    }

    fn draw_cells(&self, svg: &mut Svg, (left, top): (f64, f64), (cell, row_height): (f64, f64)) {
        let cells: Vec<(usize, usize, f64)> = (0..self.rows.len())
            .flat_map(|row| (0..self.columns).map(move |column| (row, column)))
            .filter_map(|(row, column)| Some((row, column, (self.share)(row, column)?)))
            .filter(|(_, _, share)| share.is_finite() && !(self.blank_zero && *share == 0.0))
            .map(|(row, column, share)| (row, column, share.clamp(0.0, 1.0)))
            .collect();
        svg.group("cells", &[("shape-rendering", "crispEdges".into())]);
        for (row, column, share) in &cells {
            let (x, y) = (left + *column as f64 * cell, top + *row as f64 * row_height);
            let color = hex(at(self.ramp, *share));
            svg.rect(x, y, cell, row_height, &[("fill", color.as_str().into())]);
        }
        svg.end();
        let (wide, high) = (cell * self.columns as f64, row_height * self.rows.len() as f64);
        if !cells.is_empty() {
            let edge = [
                ("class", "frame".into()),
                ("fill", "none".into()),
                ("stroke", "#8c8c8c".into()),
            ];
            svg.rect(left, top, wide, high, &edge);
        }
        if cell < FIGURE_CELL {
            return;
        }
        svg.group("figures", &[]);
        let size = (cell * 0.36).clamp(9.0, 13.0);
        for (row, column, share) in &cells {
            let middle = left + (*column as f64 + 0.5) * cell;
            let base = top + (*row as f64 + 0.5) * row_height + size * 0.36;
            let ink = if is_dark(at(self.ramp, *share)) { "#ffffff" } else { INK };
            let figure = number::percent(*share);
            svg.label((middle, base), size, Anchor::Middle, &[("fill", ink.into())], &figure);
        }
        svg.end();
    }

    fn draw_scale(&self, svg: &mut Svg, (x, top): (f64, f64), high: f64) {
        const STEPS: usize = 50;
        let step = high / STEPS as f64;
        svg.group("scale", &[("shape-rendering", "crispEdges".into())]);
        for nr in 0..STEPS {
            let share = 1.0 - (nr as f64 + 0.5) / STEPS as f64;
            let color = hex(at(self.ramp, share));
            svg.rect(
                x,
                top + nr as f64 * step,
                14.0,
                step,
                &[("fill", color.as_str().into())],
            );
        }
        svg.rect(
            x,
            top,
            14.0,
            high,
            &[("fill", "none".into()), ("stroke", "#8c8c8c".into())],
        );
        svg.end();
        for percent in [0, 25, 50, 75, 100] {
            let y = top + high * (1.0 - f64::from(percent) / 100.0) + CAPTION * 0.36;
            let ink = [("class", "scale".into()), ("fill", INK.into())];
            svg.label((x + 20.0, y), CAPTION, Anchor::Start, &ink, &percent.to_string());
        }
        let name = font::fitted(self.scale, CAPTION, high);
        svg.upwards((x + 20.0 + 22.0 + CAPTION * 0.9, top + high / 2.0), CAPTION, &name);
    }
}

fn at(ramp: Ramp, share: f64) -> [f64; 3] {
    let last = ramp.len() - 1;
    let place = share * last as f64;
    let from = (place.floor() as usize).min(last.saturating_sub(1));
    let part = place - from as f64;
    let to = (from + 1).min(last);
    std::array::from_fn(|nr| ramp[from][nr] + (ramp[to][nr] - ramp[from][nr]) * part)
}

fn hex(color: [f64; 3]) -> String {
    let [red, green, blue] = color.map(|part| part.round() as u8);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Whether white is easier to read on a colour than ink.
fn is_dark([red, green, blue]: [f64; 3]) -> bool {
    0.299 * red + 0.587 * green + 0.114 * blue < 135.0
}
