//! What pieces are worth, and where.
//!
//! A square's bonus is the sum of one number for its rank and one for its
//! file. That is less than a free table can say, but it is enough to tell the
//! centre from the rim, and it can be read at a glance.

use shakmaty::{Color, Role, Square};

/// A value in the middlegame and one in the endgame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Phased {
    pub(super) middle: i32,
    pub(super) end: i32,
}

/// Shorthand for a [`Phased`].
pub(super) const fn phased(middle: i32, end: i32) -> Phased {
    Phased { middle, end }
}

impl std::ops::AddAssign for Phased {
    fn add_assign(&mut self, other: Self) {
        self.middle += other.middle;
        self.end += other.end;
    }
}

impl std::ops::SubAssign for Phased {
    fn sub_assign(&mut self, other: Self) {
        self.middle -= other.middle;
        self.end -= other.end;
    }
}

impl std::ops::Mul<i32> for Phased {
    type Output = Self;

    fn mul(self, factor: i32) -> Self {
        phased(self.middle * factor, self.end * factor)
    }
}

/// Material and square bonuses of one kind of piece, seen by its owner.
struct Profile {
    material: Phased,
    middle_ranks: [i32; 8],
    middle_files: [i32; 8],
    end_ranks: [i32; 8],
    end_files: [i32; 8],
}

/// In the order of [`Role`].
const PROFILES: [Profile; 6] = [
    Profile {
        material: phased(88, 112),
        middle_ranks: [0, -4, 0, 8, 16, 28, 50, 0],
        middle_files: [-10, -2, 2, 12, 12, -4, 0, -10],
        end_ranks: [0, 0, 4, 14, 30, 55, 90, 0],
        end_files: [6, 2, -2, -4, -4, -2, 2, 6],
    },
    Profile {
        material: phased(330, 305),
        middle_ranks: [-28, -12, 4, 12, 18, 22, 6, -20],
        middle_files: [-26, -8, 4, 10, 10, 4, -8, -26],
        end_ranks: [-20, -10, 2, 10, 12, 6, -6, -18],
        end_files: [-18, -8, 4, 10, 10, 4, -8, -18],
    },
    Profile {
        material: phased(345, 315),
        middle_ranks: [-12, 6, 8, 8, 8, 6, -2, -10],
        middle_files: [-6, 4, 2, 4, 4, 2, 4, -6],
        end_ranks: [-6, -2, 2, 6, 6, 4, -2, -6],
        end_files: [-5, -1, 1, 4, 4, 1, -1, -5],
    },
    Profile {
        material: phased(480, 545),
        middle_ranks: [-4, -8, -8, -6, 0, 6, 22, 12],
        middle_files: [-6, -2, 4, 10, 10, 4, -2, -6],
        end_ranks: [-4, -4, -2, 2, 6, 8, 14, 8],
        end_files: [0; 8],
    },
    Profile {
        material: phased(980, 990),
        middle_ranks: [-6, 2, 2, 0, 0, 2, 0, 4],
        middle_files: [-4, -2, 0, 2, 2, 2, 0, -2],
        end_ranks: [-20, -12, -2, 8, 14, 14, 10, 4],
        end_files: [-12, -4, 4, 10, 10, 4, -4, -12],
    },
    Profile {
        material: phased(0, 0),
        middle_ranks: [12, -4, -30, -50, -60, -60, -60, -60],
        middle_files: [18, 24, 4, -14, -10, -6, 26, 16],
        end_ranks: [-36, -14, 2, 14, 20, 20, 8, -14],
        end_files: [-22, -6, 6, 12, 12, 6, -6, -22],
    },
];

/// Material plus square bonus for White's pieces, by role and square.
static WHITE: [[Phased; 64]; 6] = build();

const fn build() -> [[Phased; 64]; 6] {
    let mut table = [[phased(0, 0); 64]; 6];
    let mut role = 0;
    while role < 6 {
        let profile = &PROFILES[role];
        let mut square = 0;
        while square < 64 {
            let (rank, file) = (square / 8, square % 8);
            table[role][square] = phased(
                profile.material.middle + profile.middle_ranks[rank] + profile.middle_files[file],
                profile.material.end + profile.end_ranks[rank] + profile.end_files[file],
            );
            square += 1;
        }
        role += 1;
    }
    table
}

/// What a piece is worth on its square, to its owner.
pub(super) fn worth(color: Color, role: Role, square: Square) -> Phased {
    let own_view = color.fold_wb(square, square.flip_vertical());
    WHITE[role as usize - 1][own_view as usize]
}

/// What a piece is worth anywhere, for comparing captures.
pub(super) const fn price(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight => 320,
        Role::Bishop => 330,
        Role::Rook => 510,
        Role::Queen => 970,
        Role::King => 10_000,
    }
}
