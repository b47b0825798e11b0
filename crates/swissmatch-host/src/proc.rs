//! Files in `/proc` and the like, read in as few calls as possible: some are read many times a second.
//!
//! The standard library asks for a file's length, which the kernel does not give for these, and then begins with a few
//! bytes. May not: know what they say.

use std::io;
use std::path::Path;

use rustix::buffer::spare_capacity;
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

/// Bytes read at once: the kernel gives at most a page of a list at a time.
const PAGE: usize = 4096;

/// The whole content of such a file.
///
/// # Errors
/// It cannot be read: its process may have ended.
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

/// Like [`read`], as text. A process may have any bytes as its name.
///
/// # Errors
/// Like [`read`].
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
