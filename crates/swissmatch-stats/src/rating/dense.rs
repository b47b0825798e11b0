//! Symmetric matrices that are positive definite: Cholesky's factor, solutions, the inverse.
//!
//! Every element is computed in the same order on any number of threads, so the numbers are always the same. A
//! thousand rows take some tenths of a second, which is why no crate of linear algebra is used here.

use rayon::iter::{IndexedParallelIterator as _, IntoParallelIterator as _, ParallelIterator as _};
use rayon::slice::ParallelSliceMut as _;

/// Columns that are eliminated at a time.
const BLOCK: usize = 64;
/// Rows from which threads are worth it.
const ROWS: usize = 32;
/// A pivot that lost more than this of its diagonal element is only rounding: the matrix is singular.
const SINGULAR: f64 = 1e-13;

/// A square matrix, row by row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Matrix {
    side: usize,
    elements: Vec<f64>,
}

impl Matrix {
    pub(super) fn zero(side: usize) -> Self {
        Self {
            side,
            elements: vec![0.0; side * side],
        }
    }

    pub(super) fn at(&self, row: usize, column: usize) -> f64 {
        self.elements[row * self.side + column]
    }

    pub(super) fn add(&mut self, row: usize, column: usize, value: f64) {
        self.elements[row * self.side + column] += value;
    }

    pub(super) fn row(&self, row: usize) -> &[f64] {
        &self.elements[row * self.side..][..self.side]
    }

    pub(super) fn row_mut(&mut self, row: usize) -> &mut [f64] {
        &mut self.elements[row * self.side..][..self.side]
    }

    pub(super) fn scale(&mut self, factor: f64) {
        self.elements.iter_mut().for_each(|element| *element *= factor);
    }

    /// A symmetric matrix; the function gives its elements on and below the diagonal.
    pub(super) fn symmetric(side: usize, element: impl Fn(usize, usize) -> f64 + Sync) -> Self {
        let mut matrix = Self::zero(side);
        let rows = matrix
            .elements
            .par_chunks_mut(side.max(1))
            .with_min_len(ROWS)
            .enumerate();
        rows.for_each(|(row, elements)| {
            elements[..=row]
                .iter_mut()
                .enumerate()
                .for_each(|(column, to)| *to = element(row, column));
        });
        matrix.mirror();
        matrix
    }

    /// Copies the elements below the diagonal to those above it.
    pub(super) fn mirror(&mut self) {
        for row in 0..self.side {
            for column in 0..row {
                self.elements[column * self.side + row] = self.elements[row * self.side + column];
            }
        }
    }

    /// This symmetric matrix between two copies of another symmetric one: other · this · other.
    pub(super) fn between(&self, other: &Self) -> Self {
        let mut half = Self::zero(self.side);
        let rows = half
            .elements
            .par_chunks_mut(self.side.max(1))
            .with_min_len(ROWS)
            .enumerate();
        rows.for_each(|(row, elements)| {
            let own = other.row(row);
            elements
                .iter_mut()
                .enumerate()
                .for_each(|(column, to)| *to = dot(own, self.row(column)));
        });
        Self::symmetric(self.side, |row, column| dot(half.row(row), other.row(column)))
    }
}

/// The lower triangle whose product with its transpose is a matrix.
#[derive(Clone, Debug)]
pub(super) struct Cholesky(Matrix);

impl Cholesky {
    /// Factors a symmetric matrix, whose lower triangle is read; `None` if it is not positive definite.
    pub(super) fn new(mut matrix: Matrix) -> Option<Self> {
        let side = matrix.side;
        let diagonal: Vec<f64> = (0..side).map(|row| matrix.at(row, row)).collect();
        for first in (0..side).step_by(BLOCK) {
            let end = (first + BLOCK).min(side);
            let (above, below) = matrix.elements.split_at_mut(end * side);
            for row in first..end {
                let (done, own) = above.split_at_mut(row * side);
                for column in first..row {
                    let known = &done[column * side..][..=column];
                    own[column] = (own[column] - dot(&own[first..column], &known[first..column])) / known[column];
                }
                let pivot = own[row] - dot(&own[first..row], &own[first..row]);
                // Not-a-number pivots are refused, too.
                if pivot.is_nan() || pivot <= SINGULAR * diagonal[row] {
                    return None;
                }
                own[row] = pivot.sqrt();
            }
            let block = &above[first * side..];
            below.par_chunks_mut(side).with_min_len(ROWS).for_each(|own| {
                for column in first..end {
                    let known = &block[(column - first) * side..][..=column];
                    own[column] = (own[column] - dot(&own[first..column], &known[first..column])) / known[column];
                }
            });
            let panel: Vec<f64> = below.chunks(side).flat_map(|row| &row[first..end]).copied().collect();
            let width = end - first;
            below
                .par_chunks_mut(side)
                .with_min_len(ROWS)
                .enumerate()
                .for_each(|(row, own)| {
                    let known = &panel[row * width..][..width];
                    let rest = own[end..=end + row].iter_mut().zip(panel.chunks(width));
                    rest.for_each(|(element, other)| *element -= dot(known, other));
                });
        }
        Some(Self(matrix))
    }

    /// The solution x of matrix · x = `right`.
    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut solution = right.to_vec();
        for row in 0..self.0.side {
            let own = self.0.row(row);
            solution[row] = (solution[row] - dot(&own[..row], &solution[..row])) / own[row];
        }
        for row in (0..self.0.side).rev() {
            let own = self.0.row(row);
            solution[row] /= own[row];
            let value = solution[row];
            solution[..row]
                .iter_mut()
                .zip(own)
                .for_each(|(to, element)| *to -= value * element);
        }
        solution
    }

    /// The inverse of the matrix.
    pub(super) fn inverse(&self) -> Matrix {
        let side = self.0.side;
        // Columns of the inverse of the triangle, each from its diagonal element down.
        let column = |first: usize| {
            let mut column = vec![0.0; side - first];
            column[0] = 1.0 / self.0.at(first, first);
            for row in first + 1..side {
                let own = self.0.row(row);
                column[row - first] = -dot(&own[first..row], &column[..row - first]) / own[row];
            }
            column
        };
        let columns: Vec<Vec<f64>> = (0..side).into_par_iter().with_min_len(ROWS).map(column).collect();
        Matrix::symmetric(side, |row, column| dot(&columns[row], &columns[column][row - column..]))
    }
}

/// The scalar product; in eight sums, so that the processor adds several at a time.
pub(super) fn dot(one: &[f64], other: &[f64]) -> f64 {
    let (ones, rest) = one.as_chunks::<8>();
    let (others, other_rest) = other.as_chunks::<8>();
    let mut sums = [0.0; 8];
    for (one, other) in ones.iter().zip(others) {
        for at in 0..8 {
            sums[at] += one[at] * other[at];
        }
    }
    let rest: f64 = rest.iter().zip(other_rest).map(|(one, other)| one * other).sum();
    sums.iter().sum::<f64>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A positive definite matrix of numbers without a pattern.
    fn matrix(side: usize) -> Matrix {
        let mut state = 1_u32;
        let mut factor = Matrix::zero(side);
        for element in &mut factor.elements {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *element = f64::from(state >> 8) / f64::from(1 << 24) - 0.5;
        }
        Matrix::symmetric(side, |row, column| {
            dot(factor.row(row), factor.row(column)) + f64::from(u8::from(row == column))
        })
    }

    #[test]
    fn the_inverse_undoes_the_matrix() {
        for side in [1, 2, 9, 63, 64, 65, 200] {
            let matrix = matrix(side);
            let factor = Cholesky::new(matrix.clone()).expect("it is positive definite");
            let inverse = factor.inverse();
            for row in 0..side {
                for column in 0..side {
                    let product = dot(matrix.row(row), inverse.row(column));
                    assert!(
                        (product - f64::from(u8::from(row == column))).abs() < 1e-9,
                        "{side}: {row} {column}"
                    );
                }
            }
            let right: Vec<f64> = (0..side).map(|row| inverse.at(row, 0) + 1.0).collect();
            let solution = factor.solve(&right);
            (0..side).for_each(|row| assert!((dot(matrix.row(row), &solution) - right[row]).abs() < 1e-9));
            let same = matrix.between(&inverse);
            (0..side).for_each(|row| assert!((same.at(row, 0) - inverse.at(row, 0)).abs() < 1e-9));
        }
    }

    #[test]
    fn a_singular_matrix_is_seen() {
        for side in [2, 70, 130] {
            // The last row repeats the first.
            let whole = matrix(side + 1);
            let mut matrix = Matrix::symmetric(side, |row, column| whole.at(row, column));
            let first: Vec<f64> = (0..side).map(|column| matrix.at(0, column)).collect();
            let last = side - 1;
            matrix.row_mut(last).copy_from_slice(&first);
            let corner = matrix.at(0, 0);
            matrix.row_mut(last)[last] = corner;
            assert!(Cholesky::new(matrix).is_none(), "{side}");
        }
        let nothing = Cholesky::new(Matrix::zero(0)).expect("nothing is wrong with it");
        assert_eq!(nothing.inverse(), Matrix::zero(0));
    }
}
