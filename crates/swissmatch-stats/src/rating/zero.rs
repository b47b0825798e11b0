//! The zero of a group's ratings, and its effect on their covariance.

use super::Origin;
use super::dense::Matrix;
use super::fitted::Zero;
use super::groups::{GroupOrder, Groups};
use super::solve::Layout;

/// Sets the average of some players of a group to a value.
pub(super) struct ZeroOf<'a> {
    members: &'a [usize],
    averaged: Vec<usize>,
    value: f64,
    pub(super) zero: Zero,
}

impl ZeroOf<'_> {
    pub(super) fn centre(&self, ratings: &mut [f64]) {
        if self.zero != Zero::Anchors {
            let shift = self.value - self.mean(|player| ratings[player]);
            self.members.iter().for_each(|&player| ratings[player] += shift);
        }
    }

    fn mean(&self, of: impl Fn(usize) -> f64) -> f64 {
        let sum: f64 = self.averaged.iter().map(|&player| of(player)).sum();
        let count = u32::try_from(self.averaged.len()).expect("players are few");
        sum / f64::from(count)
    }
}

/// The zero of each group; `tied` are the anchors.
pub(super) fn zeros<'a>(groups: &'a Groups, tied: &[usize], origin: &Origin) -> Vec<ZeroOf<'a>> {
    let of_group = |(group, members): (usize, &'a Vec<usize>)| {
        let main = groups.order[group] == GroupOrder::Main;
        let (asked, zero, value): (&[usize], Zero, f64) = match origin {
            Origin::Average { players, value } if main => (players, Zero::Average, *value),
            Origin::Anchors(_) if members.iter().any(|player| tied.contains(player)) => (&[], Zero::Anchors, 0.0),
            _ => (&[], Zero::Own, 0.0),
        };
        let mut averaged: Vec<usize> = members
            .iter()
            .copied()
            .filter(|player| asked.contains(player))
            .collect();
        if averaged.is_empty() {
            averaged.clone_from(members);
        }
        ZeroOf {
            members,
            averaged,
            value,
            zero,
        }
    };
    groups.members.iter().enumerate().map(of_group).collect()
}

/// The covariance of all ratings, of White's advantage and of the share of draws (whose derivative by ψ is
/// `by_draw`), from that of the columns: if a group is moved by its average, r′ = r − Σ w·r, so the average is
/// subtracted from its rows, and then from its columns.
pub(super) fn centred(by_column: &Matrix, layout: &Layout, zeros: &[ZeroOf], by_draw: f64) -> Matrix {
    let players = layout.players.len();
    let mut columns: Vec<(Option<usize>, f64)> = layout.players.iter().map(|&column| (column, 1.0)).collect();
    columns.extend([(layout.white, 1.0), (layout.draw, by_draw)]);
    let mut matrix = Matrix::symmetric(players + 2, |row, column| {
        let ((own, factor), (other, other_factor)) = (columns[row], columns[column]);
        let element = own.zip(other).map(|(own, other)| by_column.at(own, other));
        element.map_or(0.0, |element| element * factor * other_factor)
    });
    for zero in zeros.iter().filter(|zero| zero.zero != Zero::Anchors) {
        let means: Vec<f64> = (0..players + 2)
            .map(|column| zero.mean(|player| matrix.at(player, column)))
            .collect();
        for &player in zero.members {
            matrix
                .row_mut(player)
                .iter_mut()
                .zip(&means)
                .for_each(|(element, mean)| *element -= mean);
        }
    }
    for zero in zeros.iter().filter(|zero| zero.zero != Zero::Anchors) {
        for row in 0..players + 2 {
            let mean = zero.mean(|player| matrix.at(row, player));
            zero.members.iter().for_each(|&player| matrix.add(row, player, -mean));
        }
    }
    matrix
}
