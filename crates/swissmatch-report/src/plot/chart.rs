//! A plot with two axes.

use super::axis::Axis;
use super::font;
use super::look::{EDGE, GRID, INK, LABEL, PALE_INK, TICK, WIDTH};
use super::page::{Heading, Item, PlotPage};
use super::svg::{Anchor, Svg};

/// Height of the frame, in px.
pub(super) const HEIGHT: f64 = 380.0;
/// Height of the ticks and the label of the lower axis below the frame, in px.
pub(super) const BELOW: f64 = 46.0;
/// Most width of a frame, in px, for the ticks of the lower axis.
pub(super) const ACROSS: f64 = 700.0;

/// An axis with its label, including the unit.
pub(super) struct NamedAxis {
    pub(super) axis: Axis,
    pub(super) name: String,
}

/// A plot whose frame, axes and ticks are drawn.
pub(super) struct Chart {
    pub(super) svg: Svg,
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
    x: Axis,
    y: Axis,
}

impl Chart {
    /// A chart with these axes; `beside` px stay free to the right of the frame.
    pub(super) fn new(
        heading: &Heading,
        key: &[Item],
        x: NamedAxis,
        y: NamedAxis,
        beside: f64,
        remarks: &[String],
    ) -> Self {
        let page = PlotPage::new(heading, key, HEIGHT + BELOW, remarks);
        let widths = y.axis.ticks.iter().map(|tick| font::width(&tick.label, TICK));
        let left = EDGE + LABEL + 10.0 + widths.fold(0.0, f64::max) + 8.0;
        // Half of the label of a tick at the right end stands outside the frame.
        let last = x.axis.ticks.last().map_or(0.0, |tick| font::width(&tick.label, TICK));
        let beside = beside.max(last / 2.0 + 4.0 - EDGE);
        let mut chart = Self {
            svg: page.svg,
            // Rounded up, as points have one decimal and may not lie outside.
            left: left.ceil(),
            right: (WIDTH - EDGE - beside).floor(),
            top: page.top,
            bottom: page.bottom - BELOW,
            x: x.axis,
            y: y.axis,
        };
        chart.draw_across(&x.name);
        chart.draw_up(&y.name);
        chart
    }

    /// The position of a value of the lower axis, in px; values beyond it lie at the edge.
    pub(super) fn x(&self, value: f64) -> f64 {
        self.left + self.x.share(value) * (self.right - self.left)
    }

    /// The position of a value of the left axis, in px; values beyond it lie at the edge.
    pub(super) fn y(&self, value: f64) -> f64 {
        self.bottom - self.y.share(value) * (self.bottom - self.top)
    }

    /// A line across the frame at a value of the left axis.
    pub(super) fn rule(&mut self, value: f64, color: &str, dashes: &str, class: &str) {
        let y = self.y(value);
        let attributes = [
            ("class", class.into()),
            ("stroke", color.into()),
            ("stroke-width", 1.4.into()),
            ("stroke-dasharray", dashes.into()),
        ];
        self.svg.line((self.left, y), (self.right, y), &attributes);
    }

    /// Draws the frame over everything and ends the SVG.
    pub(super) fn finish(mut self) -> String {
        let frame = [
            ("class", "frame".into()),
            ("fill", "none".into()),
            ("stroke", PALE_INK.into()),
            ("stroke-width", 1.0.into()),
        ];
        let (width, height) = (self.right - self.left, self.bottom - self.top);
        self.svg.rect(self.left, self.top, width, height, &frame);
        self.svg.finish()
    }

    fn draw_across(&mut self, name: &str) {
        let (top, bottom) = (self.top, self.bottom);
        for (at, label) in places(&self.x, |value| self.x(value)) {
            self.svg.line((at, top), (at, bottom), &[("stroke", GRID.into())]);
            self.svg
                .line((at, bottom), (at, bottom + 4.0), &[("stroke", PALE_INK.into())]);
            let ink = [("class", "tick-x".into()), ("fill", INK.into())];
            self.svg.label((at, bottom + 17.0), TICK, Anchor::Middle, &ink, &label);
        }
        let ink = [("class", "label".into()), ("fill", INK.into())];
        let name = font::fitted(name, LABEL, self.right - self.left);
        let middle = (self.left + self.right) / 2.0;
        self.svg
            .label((middle, bottom + 38.0), LABEL, Anchor::Middle, &ink, &name);
    }

    fn draw_up(&mut self, name: &str) {
        let (left, right) = (self.left, self.right);
        for (at, label) in places(&self.y, |value| self.y(value)) {
            self.svg.line((left, at), (right, at), &[("stroke", GRID.into())]);
            self.svg
                .line((left - 4.0, at), (left, at), &[("stroke", PALE_INK.into())]);
            let ink = [("class", "tick-y".into()), ("fill", INK.into())];
            self.svg
                .label((left - 8.0, at + TICK * 0.36), TICK, Anchor::End, &ink, &label);
        }
        let name = font::fitted(name, LABEL, self.bottom - self.top);
        let middle = (self.top + self.bottom) / 2.0;
        self.svg.upwards((EDGE + LABEL * 0.8, middle), LABEL, &name);
    }
}

fn places(axis: &Axis, place: impl Fn(f64) -> f64) -> Vec<(f64, String)> {
    let ticks = axis.ticks.iter();
    ticks.map(|tick| (place(tick.at), tick.label.clone())).collect()
}
