//! Data packed by gzip: suites of openings, evidence.
//!
//! May not: open files; unpack more than it is asked for.

use std::io::{self, BufRead, BufReader, Read as _, Write as _};

use flate2::Compression;
use flate2::bufread::MultiGzDecoder as Decoder;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;

/// Why packed bytes cannot be unpacked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GzipError {
    /// They are not what gzip writes, or not all of it.
    #[error("it cannot be unpacked: {0}; expected a gzip file")]
    Broken(String),
    /// They would unpack to more bytes than allowed.
    #[error("it has more than {} MiB, which is the most that is unpacked", .0 >> 20)]
    TooLarge(usize),
}

/// Packs bytes; equal bytes give equal results.
///
/// # Panics
/// Never: writing to memory does not fail.
pub fn pack(bytes: &[u8]) -> Vec<u8> {
    // Fast, since most of what is packed is text that repeats itself.
    packed(bytes, Compression::fast())
}

/// Like [`pack`], but smaller, for what is sent. The smallest size would take twice as long and save a thousandth
/// more.
///
/// # Panics
/// Never, as [`pack`].
pub fn pack_small(bytes: &[u8]) -> Vec<u8> {
    packed(bytes, Compression::default())
}

fn packed(bytes: &[u8], level: Compression) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), level);
    encoder.write_all(bytes).expect("a Vec takes everything");
    encoder.finish().expect("a Vec takes everything")
}

/// Unpacks all parts of a gzip file, at most `largest` bytes.
///
/// # Errors
/// When they are broken, or too many.
pub fn unpack(packed: &[u8], largest: usize) -> Result<Vec<u8>, GzipError> {
    let mut bytes = Vec::new();
    let bound = largest as u64 + 1;
    MultiGzDecoder::new(packed)
        .take(bound)
        .read_to_end(&mut bytes)
        .map_err(|error| GzipError::Broken(error.to_string()))?;
    match bytes.len() <= largest {
        true => Ok(bytes),
        false => Err(GzipError::TooLarge(largest)),
    }
}

/// The bytes with which gzip begins.
const MAGIC: &[u8] = &[0x1f, 0x8b];

/// Reads a file whether it is packed or not, as its first bytes tell; a packed one in all its parts, piece by piece,
/// however long it is.
///
/// # Errors
/// When its beginning cannot be read.
pub fn reader<'a>(mut source: impl BufRead + 'a) -> io::Result<Box<dyn BufRead + 'a>> {
    match source.fill_buf()?.starts_with(MAGIC) {
        true => Ok(Box::new(BufReader::with_capacity(1 << 16, Decoder::new(source)))),
        false => Ok(Box::new(source)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANY: usize = 1 << 20;

    #[test]
    fn parts_are_joined() {
        let packed = [pack(b"one\n"), pack(b"two\n")].concat();
        assert_eq!(unpack(&packed, ANY), Ok(b"one\ntwo\n".to_vec()));
    }

    #[test]
    fn a_file_is_read_whether_it_is_packed_or_not() {
        let packed = [pack(b"one\n"), pack(b"two\n")].concat();
        for (bytes, expected) in [(&packed[..], "one\ntwo\n"), (b"plain\n", "plain\n"), (b"", "")] {
            let mut text = String::new();
            reader(bytes)
                .and_then(|mut read| read.read_to_string(&mut text))
                .expect("a text");
            assert_eq!(text, expected);
        }
        let mut text = String::new();
        let cut = reader(&packed[..packed.len() - 1]).and_then(|mut read| read.read_to_string(&mut text));
        assert!(cut.is_err());
    }

    #[test]
    fn what_is_broken_or_cut_is_refused() {
        let packed = pack(&[b'x'; 1000]);
        for bad in [&b"no gzip"[..], &packed[..packed.len() - 1], &packed[..5], b""] {
            assert!(matches!(unpack(bad, ANY), Err(GzipError::Broken(_))), "{bad:?}");
        }
    }

    #[test]
    fn a_bomb_is_refused_at_the_limit() {
        let packed = pack(&vec![0; 1 << 20]);
        assert!(packed.len() < 10_000);
        assert_eq!(unpack(&packed, (1 << 20) - 1), Err(GzipError::TooLarge((1 << 20) - 1)));
        assert_eq!(unpack(&packed, 1 << 20).map(|bytes| bytes.len()), Ok(1 << 20));
    }
}
