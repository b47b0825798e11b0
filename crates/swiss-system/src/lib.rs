//! Swiss-system tournaments: tournament files, pairings and standings, and the reasons for them.
//!
//! It knows no chess, no clock and no file: text or plain data in, plain data out.
//!
//! The modules stand in the order of their layers, lowest first; each uses only what stands above it.

pub mod count;
pub mod text;
pub mod word;

pub mod score;

pub mod lot;

pub mod trf;

pub mod pairing;
pub mod standings;
