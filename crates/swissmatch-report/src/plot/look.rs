//! The look that all plots share: sizes, colours, dashes, markers.

use super::svg::Svg;

/// Width of every plot, in px.
pub(super) const WIDTH: f64 = 800.0;
/// Free space at the edges, in px.
pub(super) const EDGE: f64 = 16.0;
/// Sizes of text, in px.
pub(super) const TITLE: f64 = 17.0;
pub(super) const LABEL: f64 = 13.0;
pub(super) const TICK: f64 = 12.0;
pub(super) const CAPTION: f64 = 11.0;

/// For text and axes.
pub(super) const INK: &str = "#222222";
/// For remarks.
pub(super) const PALE_INK: &str = "#595959";
pub(super) const GRID: &str = "#e3e3e3";
pub(super) const BLUE: &str = "#0072b2";
pub(super) const VERMILLION: &str = "#d55e00";
pub(super) const GREEN: &str = "#009e73";
/// For what no longer counts.
pub(super) const GREY: &str = "#8c8c8c";

/// The look of one series among several.
#[derive(Clone, Copy)]
pub(super) struct Style {
    pub(super) color: &'static str,
    /// As `stroke-dasharray`; `none` for a solid line.
    pub(super) dashes: &'static str,
    pub(super) marker: Marker,
}

#[derive(Clone, Copy)]
pub(super) enum Marker {
    Circle,
    Square,
    Triangle,
    Diamond,
    Hanging,
    Ring,
    HollowSquare,
    HollowDiamond,
}

/// The palette of Okabe and Ito without its yellow, which is too pale for lines on white, and a grey; no two have the same
/// dashes or marker.
pub(super) const STYLES: [Style; 8] = [
    style(BLUE, "none", Marker::Circle),
    style(VERMILLION, "8 3", Marker::Square),
    style(GREEN, "2 2", Marker::Triangle),
    style("#cc79a7", "9 3 2 3", Marker::Diamond),
    style("#e69f00", "5 2", Marker::Hanging),
    style("#56b4e9", "12 3", Marker::Ring),
    style("#000000", "1 3", Marker::HollowSquare),
    style("#7f7f7f", "9 3 2 3 2 3", Marker::HollowDiamond),
];

const fn style(color: &'static str, dashes: &'static str, marker: Marker) -> Style {
    Style { color, dashes, marker }
}

/// Draws a marker; `size` is half its width in px.
pub(super) fn mark(svg: &mut Svg, marker: Marker, color: &str, at: (f64, f64), size: f64) {
    let (x, y) = at;
    let is_hollow = matches!(marker, Marker::Ring | Marker::HollowSquare | Marker::HollowDiamond);
    let fill = if is_hollow { "#ffffff" } else { color };
    let attributes = [
        ("class", "marker".into()),
        ("fill", fill.into()),
        ("stroke", color.into()),
        ("stroke-width", 1.2.into()),
    ];
    let corners: &[(f64, f64)] = match marker {
        Marker::Circle | Marker::Ring => return svg.circle(at, size, &attributes),
        Marker::Square | Marker::HollowSquare => &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
        Marker::Triangle => &[(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)],
        Marker::Hanging => &[(0.0, 1.2), (1.1, -0.8), (-1.1, -0.8)],
        Marker::Diamond | Marker::HollowDiamond => &[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)],
    };
    let corners: Vec<_> = corners
        .iter()
        .map(|(right, down)| (x + right * size, y + down * size))
        .collect();
    svg.polygon(&corners, &attributes);
}
