//! Suites that are packed by gzip.
//!
//! May not: open files.

use std::io::Read as _;

use flate2::read::MultiGzDecoder;

/// The most bytes that a suite may have, unpacked: 512 MiB, some seven million positions.
pub const LARGEST: usize = 512 << 20;

/// Why packed bytes give nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotUnpacked {
    /// They are not what gzip writes, or not all of it.
    #[error("it cannot be unpacked: {0}; expected a gzip file")]
    Broken(String),
    /// There are more than [`LARGEST`] bytes in them.
    #[error("it has more than {} MiB, which is the most that a suite may have", LARGEST >> 20)]
    TooLarge,
}

/// Unpacks all parts of a gzip file, at most [`LARGEST`] bytes.
///
/// # Errors
/// When they are broken, or too many.
pub fn unpack(packed: &[u8]) -> Result<Vec<u8>, NotUnpacked> {
    up_to(packed, LARGEST)
}

fn up_to(packed: &[u8], largest: usize) -> Result<Vec<u8>, NotUnpacked> {
    let mut bytes = Vec::new();
    let bound = largest as u64 + 1;
    MultiGzDecoder::new(packed)
        .take(bound)
        .read_to_end(&mut bytes)
        .map_err(|error| NotUnpacked::Broken(error.to_string()))?;
    match bytes.len() <= largest {
        true => Ok(bytes),
        false => Err(NotUnpacked::TooLarge),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn pack(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).expect("a Vec takes everything");
        encoder.finish().expect("a Vec takes everything")
    }

    #[test]
    fn parts_are_joined() {
        let packed = [pack(b"one\n"), pack(b"two\n")].concat();
        assert_eq!(unpack(&packed), Ok(b"one\ntwo\n".to_vec()));
    }

    #[test]
    fn what_is_broken_or_cut_is_refused() {
        let packed = pack(&[b'x'; 1000]);
        for bad in [&b"no gzip"[..], &packed[..packed.len() - 1], &packed[..5], b""] {
            assert!(matches!(unpack(bad), Err(NotUnpacked::Broken(_))), "{bad:?}");
        }
    }

    #[test]
    fn a_bomb_is_refused_at_the_limit() {
        let packed = pack(&vec![0; 1 << 20]);
        assert!(packed.len() < 2000);
        assert_eq!(up_to(&packed, (1 << 20) - 1), Err(NotUnpacked::TooLarge));
        assert_eq!(up_to(&packed, 1 << 20).map(|bytes| bytes.len()), Ok(1 << 20));
    }
}
