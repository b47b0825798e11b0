//! Writes an SVG: elements, attributes, texts.
//!
//! May not: write NaN or an infinity, or a text that XML does not allow.

use std::fmt::Write as _;

use swiss_system::text::harmless;

use super::font;

pub(super) enum Value<'a> {
    /// In px, with at most two decimals.
    Number(f64),
    Words(&'a str),
}

impl From<f64> for Value<'_> {
    fn from(number: f64) -> Self {
        Value::Number(number)
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(words: &'a str) -> Self {
        Value::Words(words)
    }
}

/// Names and values of attributes.
pub(super) type Attributes<'a> = [(&'a str, Value<'a>)];

/// The point of a text that is put at its position.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// An SVG up to some element.
pub(super) struct Svg {
    text: String,
    open: Vec<&'static str>,
}

impl Svg {
    /// An SVG of this size in px, white, with its title for those who cannot see it.
    pub(super) fn new(width: f64, height: f64, title: &str) -> Self {
        let mut svg = Self {
            text: String::new(),
            open: Vec::new(),
        };
        let view = format!("0 0 {} {}", number(width), number(height));
        svg.begin(
            "svg",
            &[
                ("xmlns", "http://www.w3.org/2000/svg".into()),
                ("width", width.into()),
                ("height", height.into()),
                ("viewBox", view.as_str().into()),
                ("role", "img".into()),
                ("font-family", font::FAMILIES.into()),
            ],
        );
        svg.words("title", &[], title);
        svg.rect(0.0, 0.0, width, height, &[("fill", "#ffffff".into())]);
        svg
    }

    /// Opens a group, which [`Svg::end`] closes.
    pub(super) fn group(&mut self, class: &str, attributes: &Attributes<'_>) {
        self.tag("g", &[("class", class.into())], attributes);
        self.text.push_str(">\n");
        self.open.push("g");
    }

    /// Closes what was opened last.
    pub(super) fn end(&mut self) {
        if let Some(name) = self.open.pop() {
            let _ = writeln!(self.text, "</{name}>");
        }
    }

    pub(super) fn rect(&mut self, x: f64, y: f64, width: f64, height: f64, attributes: &Attributes<'_>) {
        let place = [
            ("x", x.into()),
            ("y", y.into()),
            ("width", width.into()),
            ("height", height.into()),
        ];
        self.empty("rect", &place, attributes);
    }

    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), attributes: &Attributes<'_>) {
        let place = [
            ("x1", from.0.into()),
            ("y1", from.1.into()),
            ("x2", to.0.into()),
            ("y2", to.1.into()),
        ];
        self.empty("line", &place, attributes);
    }

    pub(super) fn circle(&mut self, at: (f64, f64), radius: f64, attributes: &Attributes<'_>) {
        let place = [("cx", at.0.into()), ("cy", at.1.into()), ("r", radius.into())];
        self.empty("circle", &place, attributes);
    }

    /// A line through points, each with one decimal; no element without points.
    pub(super) fn polyline(&mut self, points: &[(f64, f64)], attributes: &Attributes<'_>) {
        self.through("polyline", points, attributes);
    }

    /// An area within points, each with one decimal; no element without points.
    pub(super) fn polygon(&mut self, points: &[(f64, f64)], attributes: &Attributes<'_>) {
        self.through("polygon", points, attributes);
    }

    /// A text whose base line is at `at`. Characters that are not harmless are left out.
    pub(super) fn label(&mut self, at: (f64, f64), size: f64, anchor: Anchor, attributes: &Attributes<'_>, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let place = [
            ("x", at.0.into()),
            ("y", at.1.into()),
            ("font-size", size.into()),
            ("text-anchor", anchor.into()),
        ];
        self.tag("text", &place, attributes);
        self.content("text", text);
    }

    /// A text that is read upwards, centred at `at`.
    pub(super) fn upwards(&mut self, at: (f64, f64), size: f64, text: &str) {
        let turned = format!("rotate(-90 {} {})", number(at.0), number(at.1));
        let attributes = [("transform", turned.as_str().into()), ("class", "label".into())];
        self.label(at, size, Anchor::Middle, &attributes, text);
    }

    pub(super) fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.end();
        }
        self.text
    }

    fn begin(&mut self, name: &'static str, attributes: &Attributes<'_>) {
        self.tag(name, attributes, &[]);
        self.text.push_str(">\n");
        self.open.push(name);
    }

    fn empty(&mut self, name: &str, place: &Attributes<'_>, attributes: &Attributes<'_>) {
        self.tag(name, place, attributes);
        self.text.push_str("/>\n");
    }

    fn through(&mut self, name: &str, points: &[(f64, f64)], attributes: &Attributes<'_>) {
        if points.is_empty() {
            return;
        }
        let mut through = String::with_capacity(points.len() * 14);
        for (x, y) in points {
            let gap = if through.is_empty() { "" } else { " " };
            let _ = write!(through, "{gap}{},{}", decimal(*x, 1), decimal(*y, 1));
        }
        self.empty(name, &[("points", through.as_str().into())], attributes);
    }

    fn words(&mut self, name: &str, attributes: &Attributes<'_>, text: &str) {
        self.tag(name, attributes, &[]);
        self.content(name, text);
    }

    fn content(&mut self, name: &str, text: &str) {
        self.text.push('>');
        self.escaped(&harmless(text));
        let _ = writeln!(self.text, "</{name}>");
    }

    fn tag(&mut self, name: &str, place: &Attributes<'_>, attributes: &Attributes<'_>) {
        self.text.push('<');
        self.text.push_str(name);
        for (name, value) in place.iter().chain(attributes) {
            let _ = write!(self.text, " {name}=\"");
            match value {
                Value::Number(value) => self.text.push_str(&number(*value)),
                Value::Words(words) => self.escaped(words),
            }
            self.text.push('"');
        }
    }

    /// Writes a text, escaping characters that have a meaning in XML and leaving out those it does not allow.
    fn escaped(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '&' => self.text.push_str("&amp;"),
                '<' => self.text.push_str("&lt;"),
                '>' => self.text.push_str("&gt;"),
                '"' => self.text.push_str("&quot;"),
                '\'' => self.text.push_str("&apos;"),
                '\u{fffe}' | '\u{ffff}' => {}
                _ if c.is_control() => {}
                _ => self.text.push(c),
            }
        }
    }
}

/// With two decimals at most.
fn number(value: f64) -> String {
    decimal(value, 2)
}

/// With at most so many decimals. NaN or an infinity is a mistake of a plot, and becomes 0 so that the XML stays valid.
fn decimal(value: f64, decimals: usize) -> String {
    debug_assert!(value.is_finite(), "a place in a plot is a number");
    let value = if value.is_finite() { value } else { 0.0 };
    let text = format!("{value:.decimals$}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0" } else { text }.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_two_decimals_at_most() {
        assert_eq!(
            [1.0, 100.0, 0.1 + 0.2, -0.001, -2.5].map(number),
            ["1", "100", "0.3", "0", "-2.5"]
        );
    }

    #[test]
    fn texts_mean_nothing_to_xml() {
        let mut svg = Svg::new(10.0, 10.0, "a & b");
        svg.label(
            (1.0, 2.0),
            12.0,
            Anchor::End,
            &[],
            "<script>&\"' ]]>\u{1}\u{1b}\u{fffe}\u{ffff}\u{2028}é",
        );
        let text = svg.finish();
        assert!(text.contains("<title>a &amp; b</title>"), "{text}");
        assert!(
            text.contains(">&lt;script&gt;&amp;&quot;&apos; ]]&gt;é</text>"),
            "{text}"
        );
    }
}
