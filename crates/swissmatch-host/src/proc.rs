//! Files of `/proc` and the like, in as few calls as it takes: some are read many times a second.
//!
//! The standard library asks how long a file is, which the kernel does not say of these, and then begins with a few bytes. May not: know
//! what stands in them.

use std::io;
use std::path::Path;

use rustix::buffer::spare_capacity;
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

/// Bytes that are asked for at once: the kernel gives no more than a page of a list at a time.
const PAGE: usize = 4096;

/// All that stands in such a file.
///
/// # Errors
/// When it cannot be read: whom it tells of may have ended.
pub(crate) fn read(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    let file = rustix::fs::open(path.as_ref(), OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
    let mut all = Vec::new();
    loop {
        all.reserve(PAGE);
        match rustix::io::read(&file, spare_capacity(&mut all)) {
            Ok(0) => return Ok(all),
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// The same as text. A process may have any bytes as its name.
///
/// # Errors
/// As [`read`].
pub(crate) fn text(path: impl AsRef<Path>) -> io::Result<String> {
    let all = read(path)?;
    Ok(String::from_utf8(all).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_whole_however_long_they_are() {
        let place = tempfile::tempdir().expect("a directory");
        let path = place.path().join("file");
        for length in [0, 1, PAGE - 1, PAGE, 3 * PAGE + 1] {
            let content = vec![b'x'; length];
            std::fs::write(&path, &content).expect("it is written");
            assert_eq!(read(&path).expect("it is read"), content);
        }
        std::fs::write(&path, b"a \xff").expect("it is written");
        assert_eq!(text(&path).expect("it is read"), "a \u{fffd}");
        assert!(read(place.path().join("none")).is_err());
        assert!(text("/proc/self/stat").expect("it is read").ends_with('\n'));
    }
}
