//! Properties of every plot, whatever data it has, read from the SVG as XML.

use super::look::WIDTH;
use super::*;
use roxmltree::{Document, Node};

/// Names that would break the formats they are written into.
const EVIL: [&str; 5] = [
    "<script>&\"' ]]>",
    "a\u{1}\u{1b}[31m\u{202e}\u{fffe}\u{ffff}b\u{0}",
    "&#0; &lt; --> <![CDATA[",
    "象棋 🤖 עברית",
    "",
];
/// Most bytes of an SVG.
const LARGEST: usize = 300_000;

fn heading(n: usize) -> Heading {
    Heading {
        title: format!("A plot of {}", EVIL[0]),
        n: n as u64,
        counted: CountedUnit::Games,
        note: format!("As {} says.", EVIL[2]),
    }
}

fn name(nr: usize) -> String {
    match EVIL.get(nr) {
        Some(evil) => (*evil).to_owned(),
        None if nr.is_multiple_of(7) => format!("{}{nr}", "a long name of an agent ".repeat(9)),
        None => format!("Agent {nr}"),
    }
}

/// Figures that look random, from -1 to 1.
fn noise(nr: usize) -> f64 {
    let bits = (nr as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((bits ^ (bits >> 31)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 33) as f64 / f64::from(1 << 30) - 1.0
}

fn ratings(count: usize) -> RatingsPlot {
    let rated = |nr: usize| {
        let rating = noise(nr) * 300.0;
        RatingBar {
            name: name(nr),
            rating,
            low: rating - 30.0,
            high: rating + 40.0,
            is_anchor: nr % 10 == 4,
        }
    };
    RatingsPlot {
        heading: heading(count),
        axis: "Rating (Elo)".to_owned(),
        bars: "95 % confidence interval".to_owned(),
        agents: (0..count).map(rated).collect(),
    }
}

fn llr(count: usize) -> LlrPath {
    let mut sum = 0.0;
    let path = (0..count).map(|nr| {
        sum += noise(nr) * 3.0 / (count as f64).sqrt();
        sum
    });
    LlrPath {
        heading: heading(count),
        llr: path.collect(),
        lower: -2.94,
        upper: 2.94,
        decision: (count > 1).then_some(Decision {
            after: count as u64 / 2,
            is_h1: true,
        }),
    }
}

fn score(count: usize) -> ScoreOverGames {
    let mut sum = 0.0;
    let points = (1..=count).map(|after| {
        sum += (noise(after) + 1.0) / 2.0;
        let (score, error) = (sum / after as f64, 0.8 / (after as f64).sqrt());
        ScoreAfter {
            after: after as u64,
            score,
            low: score - error,
            high: score + error,
        }
    });
    ScoreOverGames {
        heading: heading(count),
        name: name(0),
        band: "95 % confidence interval".to_owned(),
        points: points.collect(),
    }
}

fn by_move(agents: usize, moves: u32, kind: AxisKind) -> ByMove {
    let series = |nr: usize| {
        let moves = (1..=moves).map(|number| {
            let median = 1.1 + noise(nr * 1000 + number as usize);
            AtMove {
                number,
                median,
                low: median / 2.0,
                high: median * 2.0,
            }
        });
        AgentSeries {
            name: name(nr),
            moves: moves.collect(),
        }
    };
    ByMove {
        heading: heading(agents),
        across: Across::Moves,
        axis: "Time per move (s)".to_owned(),
        kind,
        band: "quartiles".to_owned(),
        agents: (0..agents).map(series).collect(),
        limit: Some(5.0),
    }
}

fn los(count: usize) -> LosMatrix {
    let row = |row: usize| {
        (0..count)
            .map(|column| (noise(row * count + column) + 1.0) / 2.0)
            .collect()
    };
    LosMatrix {
        heading: heading(count),
        names: (0..count).map(name).collect(),
        los: (0..count).map(row).collect(),
    }
}

fn ranks(count: usize) -> RankConfidence {
    RankConfidence {
        heading: heading(count),
        names: (0..count).map(name).collect(),
        places: los(count).los,
    }
}

/// Every plot with this many agents, or points.
fn all(count: usize) -> Vec<String> {
    let moves = count as u32;
    let plots = [
        llr(count).svg(),
        score(count).svg(),
        by_move(2, moves, AxisKind::Linear).svg(),
        by_move(2, moves, AxisKind::Log).svg(),
    ];
    let of_agents = (count <= 100).then(|| {
        let by_move = by_move(count, 50, AxisKind::Linear).svg();
        [ratings(count).svg(), los(count).svg(), ranks(count).svg(), by_move]
    });
    plots.into_iter().chain(of_agents.into_iter().flatten()).collect()
}

fn number(node: &Node<'_, '_>, attribute: &str) -> f64 {
    let text = node
        .attribute(attribute)
        .unwrap_or_else(|| panic!("{attribute} of {node:?}"));
    let number: f64 = text.parse().unwrap_or_else(|_| panic!("{attribute} is {text}"));
    assert!(number.is_finite(), "{attribute} is {text}");
    number
}

fn having<'a>(document: &'a Document<'a>, class: &str) -> Vec<Node<'a, 'a>> {
    let nodes = document.descendants();
    nodes.filter(|node| node.attribute("class") == Some(class)).collect()
}

fn texts(document: &Document<'_>, class: &str) -> Vec<String> {
    let nodes = having(document, class).into_iter().filter(|node| node.is_element());
    nodes.map(|node| node.text().unwrap_or_default().to_owned()).collect()
}

fn points(node: &Node<'_, '_>) -> Vec<(f64, f64)> {
    let points = node.attribute("points").unwrap_or_default().split_whitespace();
    let parsed = points.map(|point| {
        let (x, y) = point.split_once(',').expect("two numbers");
        (x.parse().expect("a number"), y.parse().expect("a number"))
    });
    parsed.collect()
}

/// The corners of a frame.
fn frame(document: &Document<'_>) -> (f64, f64, f64, f64) {
    let frame = having(document, "frame")[0];
    let [x, y, width, height] = ["x", "y", "width", "height"].map(|name| number(&frame, name));
    (x, y, x + width, y + height)
}

/// Where an element reaches: left, top, right, bottom.
fn extent_of(node: &Node<'_, '_>) -> Option<(f64, f64, f64, f64)> {
    let of = |name| number(node, name);
    match node.tag_name().name() {
        "rect" => Some((of("x"), of("y"), of("x") + of("width"), of("y") + of("height"))),
        "line" => Some((
            of("x1").min(of("x2")),
            of("y1").min(of("y2")),
            of("x1").max(of("x2")),
            of("y1").max(of("y2")),
        )),
        "circle" => Some((
            of("cx") - of("r"),
            of("cy") - of("r"),
            of("cx") + of("r"),
            of("cy") + of("r"),
        )),
        "polyline" | "polygon" => {
            let points = points(node);
            let (xs, ys) = (points.iter().map(|point| point.0), points.iter().map(|point| point.1));
            Some((
                xs.clone().fold(f64::MAX, f64::min),
                ys.clone().fold(f64::MAX, f64::min),
                xs.fold(f64::MIN, f64::max),
                ys.fold(f64::MIN, f64::max),
            ))
        }
        "text" => {
            let (width, size) = (
                font::width(node.text().unwrap_or_default(), of("font-size")),
                of("font-size"),
            );
            let (x, y) = (of("x"), of("y"));
            let (ascent, descent) = (size * 0.76, size * 0.24);
            Some(
                match (node.attribute("transform").is_some(), node.attribute("text-anchor")?) {
                    (true, _) => (x - ascent, y - width / 2.0, x + descent, y + width / 2.0),
                    (_, "start") => (x, y - ascent, x + width, y + descent),
                    (_, "middle") => (x - width / 2.0, y - ascent, x + width / 2.0, y + descent),
                    _ => (x - width, y - ascent, x, y + descent),
                },
            )
        }
        _ => None,
    }
}

/// An SVG is XML, holds no script and no reference, all its parts lie within it, and no two of its texts touch.
fn check(svg: &str) {
    assert!(svg.len() < LARGEST, "{} bytes", svg.len());
    for word in ["NaN", "inf", "href", "<script", "<style", "url(", "<image"] {
        assert!(!svg.contains(word), "{word}");
    }
    let document = Document::parse(svg).unwrap_or_else(|error| panic!("{error}: {svg}"));
    let root = document.root_element();
    let (width, height) = (number(&root, "width"), number(&root, "height"));
    assert_eq!(width, WIDTH);
    let known = [
        "svg", "title", "g", "rect", "line", "circle", "polyline", "polygon", "text",
    ];
    let mut written: Vec<(f64, f64, f64, f64)> = Vec::new();
    for node in document.descendants().filter(Node::is_element) {
        assert!(known.contains(&node.tag_name().name()), "{node:?}");
        let Some(extent) = extent_of(&node) else { continue };
        let (left, top, right, bottom) = extent;
        let is_within = left >= 0.0 && top >= 0.0 && right <= width && bottom <= height;
        assert!(
            is_within,
            "{extent:?} in {width} × {height}: {node:?} {:?}",
            node.text()
        );
        if node.tag_name().name() == "text" && node.text().is_some() {
            let slack = 0.6;
            for other in &written {
                let apart = left + slack >= other.2
                    || other.0 + slack >= right
                    || top + slack >= other.3
                    || other.1 + slack >= bottom;
                assert!(apart, "{extent:?} and {other:?}: {:?}", node.text());
            }
            written.push(extent);
        }
    }
    for class in ["path", "band", "late", "bar"] {
        let (left, top, right, bottom) = match having(&document, "frame").is_empty() {
            true => continue,
            false => frame(&document),
        };
        for node in having(&document, class) {
            let (x1, y1, x2, y2) = extent_of(&node).expect("a shape");
            let slack = 0.01;
            let is_within = x1 >= left - slack && y1 >= top - slack && x2 <= right + slack && y2 <= bottom + slack;
            assert!(is_within, "{class} beyond the frame");
        }
    }
    assert!(texts(&document, "caption")[0].starts_with("n = "), "n is told");
}

#[test]
fn every_plot_is_sound_whatever_its_size() {
    for count in [0, 1, 2, 5, 12, 24, 25, 60, 61, 100, 3000] {
        for svg in all(count) {
            check(&svg);
        }
    }
}

#[test]
fn where_there_is_nothing_that_is_said() {
    let has = |svg: &String| svg.contains("There is nothing to show yet.");
    let (empty, little) = (all(0), all(2));

    assert!(empty.iter().all(has) && !little.iter().any(has));
    let one = score(1).svg();
    let document = Document::parse(&one).unwrap();
    assert_eq!(having(&document, "bar").len(), 1);
    assert!(having(&document, "path").is_empty());
}

#[test]
fn a_million_points_fit() {
    for svg in [
        llr(1_000_000).svg(),
        score(1_000_000).svg(),
        by_move(2, 200_000, AxisKind::Linear).svg(),
    ] {
        check(&svg);
    }
}

#[test]
fn the_same_data_give_the_same_bytes() {
    assert_eq!(all(13), all(13));
}

/// No figure that is none, or far too large, is ever written.
#[test]
fn figures_that_are_none_are_never_written() {
    let odd = [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        1e300,
        -1e300,
        f64::MIN_POSITIVE,
        0.0,
        1e-12,
    ];
    for (nr, value) in odd.into_iter().enumerate() {
        let mut ratings = ratings(9);
        let mut llr = llr(40);
        let mut score = score(40);
        let mut ranks = ranks(6);
        let mut log = by_move(2, 40, AxisKind::Log);
        let mut linear = by_move(2, 40, AxisKind::Linear);
        let mut los = los(6);
        ratings.agents[0].rating = value;
        ratings.agents[1].low = value;
        ratings.agents[2].high = value;
        llr.llr[3] = value;
        llr.llr[19] = value;
        llr.upper = value;
        score.points[30].score = value;
        score.points[31].low = value;
        score.points[32].high = value;
        for plot in [&mut log, &mut linear] {
            plot.agents[0].moves[3].median = value;
            plot.agents[1].moves[4].low = value;
            plot.agents[1].moves[5].high = value;
            plot.limit = Some(value);
        }
        los.los[1][2] = value;
        ranks.places[1][2] = value;
        los.los[3].truncate(nr % 4);
        for svg in [
            ratings.svg(),
            llr.svg(),
            score.svg(),
            log.svg(),
            linear.svg(),
            los.svg(),
            ranks.svg(),
        ] {
            check(&svg);
        }
    }
    // A whole plot of them.
    let every = |value: f64| {
        let mut llr = llr(20);
        llr.llr.fill(value);
        (llr.lower, llr.upper) = (value, value);
        llr.svg()
    };
    for value in odd {
        check(&every(value));
    }
}

#[test]
fn names_are_shown_as_they_are_and_mean_nothing() {
    let svg = ratings(5).svg();
    let document = Document::parse(&svg).unwrap();
    let names = texts(&document, "name");
    assert!(names.contains(&EVIL[0].to_owned()), "{names:?}");
    assert!(names.contains(&"a[31mb".to_owned()), "{names:?}");
    assert!(names.contains(&EVIL[2].to_owned()), "{names:?}");
    assert_eq!(texts(&document, "title"), [format!("A plot of {}", EVIL[0])]);
    assert!(texts(&document, "caption").concat().contains(EVIL[2]));
}

#[test]
fn bars_are_where_their_figures_are() {
    let rated = |name: &str, rating: f64, low: f64, high: f64| RatingBar {
        name: name.to_owned(),
        rating,
        low,
        high,
        is_anchor: false,
    };
    let plot = RatingsPlot {
        agents: vec![
            rated("low", -100.0, -150.0, -50.0),
            rated("none", f64::NAN, 0.0, 0.0),
            rated("top", 100.0, 50.0, f64::INFINITY),
        ],
        ..ratings(0)
    };
    let svg = plot.svg();
    let document = Document::parse(&svg).unwrap();
    assert_eq!(texts(&document, "name"), ["top", "low", "none"]);
    assert_eq!(
        texts(&document, "figure"),
        ["100 [50, ∞]", "−100 [−150, −50]", "no rating"]
    );
    let ticks = having(&document, "tick-x");
    let place = |text: &str| {
        let tick = ticks.iter().find(|tick| tick.text() == Some(text)).expect(text);
        number(tick, "x")
    };
    let scale = (place("100") - place("−100")) / 200.0;
    let at = |rating: f64| place("−100") + (rating + 100.0) * scale;
    let bars = having(&document, "bar");
    let right = frame(&document).2;
    let is = |bar: usize, attribute: &str, x: f64| {
        let found = number(&bars[bar], attribute);
        assert!((found - x).abs() < 0.05, "{attribute} of {bar}: {found}, not {x}");
    };
    is(0, "x1", at(50.0));
    is(0, "x2", right);
    is(1, "x1", at(-150.0));
    is(1, "x2", at(-50.0));
    assert_eq!((bars.len(), having(&document, "cap").len()), (2, 3));
    let markers: Vec<f64> = (having(&document, "marker").iter())
        .filter(|marker| {
            marker
                .attribute("cy")
                .is_some_and(|y| y.parse::<f64>().is_ok_and(|y| y > frame(&document).1))
        })
        .map(|marker| number(marker, "cx"))
        .collect();
    assert!(
        (markers[0] - at(100.0)).abs() < 0.05 && (markers[1] - at(-100.0)).abs() < 0.05,
        "{markers:?}"
    );
}

#[test]
fn the_first_of_too_many_are_shown_and_that_is_said() {
    let caption = |svg: String| {
        let document = Document::parse(&svg).unwrap();
        (texts(&document, "caption").join(" "), texts(&document, "name").len())
    };
    for svg in [ratings(61).svg(), los(61).svg(), ranks(61).svg()] {
        let (caption, names) = caption(svg);
        assert!(caption.contains("The first 60 of 61 agents are shown."), "{caption}");
        assert_eq!(names, 60);
    }
    let (text, _) = caption(by_move(9, 5, AxisKind::Linear).svg());
    assert!(
        text.contains("The first 8 of 9 agents are shown. Medians; quartiles are left out."),
        "{text}"
    );
    assert!(!caption(ratings(60).svg()).0.contains("are shown"));
}

#[test]
fn the_decision_is_marked_and_what_follows_is_grey() {
    let plot = LlrPath {
        llr: vec![1.0, 2.0, 3.0, 2.0, 1.0],
        decision: Some(Decision { after: 3, is_h1: true }),
        ..llr(0)
    };
    let svg = plot.svg();
    let document = Document::parse(&svg).unwrap();
    assert!(texts(&document, "key").contains(&"H1 accepted after game 3, LLR 3.00".to_owned()));
    let path = points(&having(&document, "path")[0]);
    let late = points(&having(&document, "late")[0]);
    assert_eq!((path.len(), late.len()), (4, 3));
    assert_eq!(path.last(), late.first());
    let (left, _, right, _) = frame(&document);
    assert!((path[3].0 - (left + (right - left) * 3.0 / 5.0)).abs() < 0.05);
    let bounds = texts(&document, "bound");
    assert!(
        bounds.iter().any(|text| text == "H1 2.94") && bounds.iter().any(|text| text == "H0 −2.94"),
        "{bounds:?}"
    );
    // A decision that the path does not have is not drawn.
    let unknown = LlrPath {
        decision: Some(Decision { after: 9, is_h1: true }),
        ..plot
    };
    let svg = unknown.svg();
    let document = Document::parse(&svg).unwrap();
    assert!(having(&document, "decision").is_empty() && having(&document, "late").is_empty());
}

#[test]
fn a_path_goes_through_its_figures() {
    let points_of = |scores: &[f64]| {
        let mut plot = score(0);
        let after = |(nr, score): (usize, &f64)| ScoreAfter {
            after: nr as u64 + 1,
            score: *score,
            low: score - 0.1,
            high: score + 0.1,
        };
        plot.points = scores.iter().enumerate().map(after).collect();
        plot.svg()
    };
    let svg = points_of(&[0.5, 0.6, 0.4]);
    let document = Document::parse(&svg).unwrap();
    let path = points(&having(&document, "path")[0]);
    let even = number(&having(&document, "even")[0], "y1");
    assert!((path[0].1 - even).abs() < 0.02);
    assert!((path[1].1 + path[2].1 - 2.0 * even).abs() < 0.05 && path[1].1 < even);
    let band = points(&having(&document, "band")[0]);
    assert_eq!(band.len(), 6);
    assert!((band[5].1 + band[0].1 - 2.0 * even).abs() < 0.05);
}

#[test]
fn cells_have_their_figures_where_they_fit() {
    let plot = LosMatrix {
        names: vec!["a".to_owned(), "b".to_owned()],
        los: vec![vec![0.5, 0.974], vec![0.026, f64::NAN]],
        ..los(0)
    };
    let svg = plot.svg();
    let document = Document::parse(&svg).unwrap();
    let cells: Vec<_> = having(&document, "cells")[0]
        .children()
        .filter(Node::is_element)
        .collect();
    assert_eq!(cells.len(), 2, "nobody against themselves");
    let figures: Vec<_> = having(&document, "figures")[0]
        .children()
        .filter_map(|node| node.text().map(str::trim))
        .collect();
    assert_eq!(
        figures.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>(),
        ["97", "3"]
    );
    assert!(number(&cells[0], "x") > number(&cells[1], "x") && number(&cells[0], "y") < number(&cells[1], "y"));
    let svg = los(40).svg();
    assert!(having(&Document::parse(&svg).unwrap(), "figures").is_empty());
}
