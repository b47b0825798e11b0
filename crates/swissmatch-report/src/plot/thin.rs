//! Lines of many points, thinned so that they look the same.

/// The kind of a line, which decides what is kept of it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LineKind {
    /// A path keeps its highest and lowest points.
    Path,
    /// The upper edge of an area keeps its highest points.
    Upper,
    /// The lower edge of an area keeps its lowest points.
    Lower,
}

/// Of the points in each column of pixels, the first and last, and the lowest and highest, in their order. The points are in px, ordered by
/// x; y runs down.
pub(super) fn thinned(points: impl IntoIterator<Item = (f64, f64)>, line: LineKind) -> Vec<(f64, f64)> {
    let mut kept = Vec::new();
    let mut column: Option<PixelColumn> = None;
    for (nr, point) in points.into_iter().enumerate() {
        let at = point.0.floor();
        match &mut column {
            Some(column) if column.at == at => column.add(nr, point),
            _ => {
                if let Some(full) = column.replace(PixelColumn::new(at, nr, point)) {
                    full.give(&mut kept, line);
                }
            }
        }
    }
    if let Some(last) = column {
        last.give(&mut kept, line);
    }
    kept
}

type NumberedPoint = (usize, (f64, f64));

struct PixelColumn {
    at: f64,
    first: NumberedPoint,
    last: NumberedPoint,
    /// The least y.
    highest: NumberedPoint,
    /// The largest y.
    lowest: NumberedPoint,
}

impl PixelColumn {
    fn new(at: f64, nr: usize, point: (f64, f64)) -> Self {
        let first = (nr, point);
        Self {
            at,
            first,
            last: first,
            highest: first,
            lowest: first,
        }
    }

    fn add(&mut self, nr: usize, point: (f64, f64)) {
        let y = |numbered: &NumberedPoint| numbered.1.1;
        self.last = (nr, point);
        if point.1 < y(&self.highest) {
            self.highest = self.last;
        }
        if point.1 > y(&self.lowest) {
            self.lowest = self.last;
        }
    }

    fn give(self, kept: &mut Vec<(f64, f64)>, line: LineKind) {
        let highest = if line == LineKind::Lower {
            self.first
        } else {
            self.highest
        };
        let lowest = if line == LineKind::Upper {
            self.first
        } else {
            self.lowest
        };
        let mut points = [self.first, highest, lowest, self.last];
        points.sort_by_key(|(nr, _)| *nr);
        let mut before = None;
        for (nr, point) in points {
            if before != Some(nr) {
                kept.push(point);
            }
            before = Some(nr);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_points_stay() {
        let points = [(0.0, 1.0), (1.0, 5.0), (2.0, 0.0), (2.1, 7.0), (2.2, 3.0)];
        assert_eq!(thinned(points, LineKind::Path), points);
        assert!(thinned([], LineKind::Path).is_empty());
    }

    #[test]
    fn each_column_keeps_its_lowest_and_highest_point_in_order() {
        let points: Vec<_> = (0..1_000_000_u32)
            .map(|nr| {
                (
                    f64::from(nr) / 10_000.0,
                    f64::from(nr.wrapping_mul(2_654_435_761) % 1000),
                )
            })
            .collect();
        let thin = thinned(points.iter().copied(), LineKind::Path);
        let upper = thinned(points.iter().copied(), LineKind::Upper);
        let lower = thinned(points.iter().copied(), LineKind::Lower);
        assert!(thin.len() <= 100 * 4, "{}", thin.len());
        assert!(upper.len() <= 100 * 3 && lower.len() <= 100 * 3);
        assert!(thin.is_sorted_by(|a, b| a.0 <= b.0));
        for column in 0..100_u32 {
            let inside = |point: &&(f64, f64)| point.0.floor() == f64::from(column);
            let ends = |points: &[(f64, f64)]| {
                let ys = || points.iter().filter(inside).map(|point| point.1);
                (ys().fold(f64::MAX, f64::min), ys().fold(f64::MIN, f64::max))
            };
            assert_eq!(ends(&points[..]), ends(&thin), "column {column}");
            assert_eq!((ends(&lower).1, ends(&upper).0), (ends(&thin).1, ends(&thin).0));
        }
        assert_eq!((thin.first(), thin.last()), (points.first(), points.last()));
    }
}
