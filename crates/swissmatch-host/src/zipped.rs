//! Zip archives of strangers: looked at before anything of them is written, and unpacked within bounds.
//!
//! What an archive says of itself is believed of nothing: names are looked at, and bytes are counted while they are written. May not:
//! follow a link, or write outside the directory that it is given.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use swiss_system::count;
use swiss_system::text::escaped;
use zip::ZipArchive;
use zip::read::{ArchiveOffset, Config};
use zip::result::ZipError;

use super::files;

/// Most files and directories of an archive.
const MOST_NAMES: usize = 2000;
/// Most directories in each other.
const DEEPEST: usize = 20;
/// Longest path in it, in bytes.
const LONGEST_NAME: usize = 200;
/// The record at the end of an archive, without its comment.
const END: usize = 22;
const END_MARK: &[u8] = b"PK\x05\x06";
/// What stands before that where a second end, of zip64, says where the directory is.
const LOCATOR_64: usize = 20;
const LOCATOR_64_MARK: &[u8] = b"PK\x06\x07";
/// The record of a file in the directory, without its name and what follows that.
const ENTRY: usize = 46;
const ENTRY_MARK: &[u8] = b"PK\x01\x02";
/// The record before each of its files, without the name.
const LOCAL: usize = 30;
const LOCAL_MARK: &[u8] = b"PK\x03\x04";
/// Longest comment behind it.
const LONGEST_COMMENT: usize = 65_535;
/// Bits of a Unix mode: what it is, and a link.
const KIND: u32 = 0o170_000;
const LINK: u32 = 0o120_000;
const PLAIN: u32 = 0o100_000;
const DIRECTORY: u32 = 0o040_000;
/// That the directory is not as long as the end says, or has a name twice.
const MISCOUNTED: &str = "it has a name twice, or counts its names wrongly";
/// Bytes at the beginning of a file that tell what it is.
const BEGINNING: usize = 8;

/// A file in an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its path, by `/`.
    pub name: String,
    /// Its length as the archive says.
    pub bytes: u64,
    /// Its first bytes.
    pub begins: Vec<u8>,
}

/// Why an archive is not taken.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The archive is at fault; a sentence.
    #[error("{0}")]
    Archive(String),
    /// The machine is.
    #[error("the archive cannot be read: {0}")]
    Machine(#[from] io::Error),
}

/// An archive whose names and sizes are within bounds.
#[derive(Debug)]
pub struct BoundedArchive {
    archive: ZipArchive<File>,
    /// The same file, for what the archive says at each of its own files.
    file: File,
    most: u64,
}

fn unfit<T>(why: impl Into<String>) -> Result<T, ArchiveError> {
    Err(ArchiveError::Archive(why.into()))
}

impl BoundedArchive {
    /// Looks at an archive that may have so many bytes unpacked.
    ///
    /// # Errors
    /// When it is none, or has what no archive may have.
    pub fn open(mut file: File, most: u64) -> Result<Self, ArchiveError> {
        let names = names_counted(&mut file)?;
        let of_members = file.try_clone()?;
        // Nothing stands before it by which its places would have to be moved.
        let config = Config {
            archive_offset: ArchiveOffset::Known(0),
        };
        let archive = match ZipArchive::with_config(config, file) {
            Ok(archive) => archive,
            Err(ZipError::Io(error)) if error.kind() != io::ErrorKind::UnexpectedEof => return Err(error.into()),
            Err(error) => return unfit(format!("it cannot be read as a zip archive: {error}")),
        };
        // Of equal names only one is counted there.
        if archive.len() != names {
            return unfit(MISCOUNTED);
        }
        Ok(Self {
            archive,
            file: of_members,
            most,
        })
    }

    /// The files in it, with their first bytes.
    ///
    /// # Errors
    /// When a name, a size or a kind is none that it may have.
    pub fn members(&mut self) -> Result<Vec<Member>, ArchiveError> {
        let (mut members, mut seen, mut total) = (Vec::new(), BTreeSet::new(), 0_u64);
        for index in 0..self.archive.len() {
            let mut member = match self.archive.by_index(index) {
                Ok(member) => member,
                Err(ZipError::UnsupportedArchive(why)) => return unfit(format!("it cannot be unpacked: {why}")),
                Err(error) => return unfit(format!("it cannot be read as a zip archive: {error}")),
            };
            let name = name_of(member.name_raw())?;
            let shown = escaped(&name);
            let own = name_before(&self.file, member.header_start())?;
            if own.as_deref() != Some(member.name_raw()) {
                return unfit(format!("{shown} has another name where it lies in the archive"));
            }
            if member.encrypted() {
                return unfit(format!("{shown} is encrypted"));
            }
            match member.unix_mode().map(|mode| mode & KIND) {
                None | Some(0 | PLAIN | DIRECTORY) => {}
                Some(LINK) => return unfit(format!("{shown} is a link; put the file itself in its place")),
                Some(_) => return unfit(format!("{shown} is neither a file nor a directory")),
            }
            let is_directory = name.ends_with('/');
            // Some file systems know no difference of case.
            if !seen.insert(name.trim_end_matches('/').to_lowercase()) && !is_directory {
                return unfit(format!(
                    "{shown} is in it twice, or differs from another name by case alone"
                ));
            }
            if is_directory {
                continue;
            }
            total = total.saturating_add(member.size());
            if total > self.most {
                return unfit(too_large(self.most));
            }
            let bytes = member.size();
            let mut begins = Vec::new();
            let read = (&mut member).take(BEGINNING as u64).read_to_end(&mut begins);
            if let Err(error) = read {
                return unfit(format!("{shown} cannot be unpacked: {error}"));
            }
            members.push(Member { name, bytes, begins });
        }
        let directories: BTreeSet<&str> = members
            .iter()
            .flat_map(|member| member.name.match_indices('/').map(|(end, _)| &member.name[..end]))
            .collect();
        if members.len() + directories.len() > MOST_NAMES {
            return unfit(too_many(members.len() + directories.len()));
        }
        let files: BTreeSet<String> = members.iter().map(|member| member.name.to_lowercase()).collect();
        let above = members.iter().flat_map(|member| {
            let ends = member.name.match_indices('/').map(|(end, _)| end);
            ends.map(|end| member.name[..end].to_lowercase()).collect::<Vec<_>>()
        });
        match above.into_iter().find(|above| files.contains(above)) {
            Some(both) => unfit(format!("{} is a file and a directory", escaped(&both))),
            None => Ok(members),
        }
    }

    /// Writes these of its files below a directory, each as one that everybody may read, and `run` where it is that one.
    ///
    /// # Errors
    /// When it is larger than it says, or the disk is full.
    pub fn unpack(
        &mut self,
        into: &Path,
        wanted: &dyn Fn(&str) -> bool,
        run: Option<&str>,
    ) -> Result<(), ArchiveError> {
        let mut left = self.most;
        for index in 0..self.archive.len() {
            let mut member = self
                .archive
                .by_index(index)
                .map_err(|error| ArchiveError::Archive(error.to_string()))?;
            let name = name_of(member.name_raw())?;
            if name.ends_with('/') || !wanted(&name) {
                continue;
            }
            let mut counted = MemberReader {
                source: &mut member,
                left,
                failed: None,
            };
            let path = into.join(&name);
            let written = files::write_read_only(&path, &mut counted, u64::MAX - 1, run == Some(name.as_str()));
            match (written, counted.failed) {
                (Ok(bytes), _) => left -= bytes.min(left),
                (Err(_), Some(MemberReadFailure::TooLarge)) => return unfit(too_large(self.most)),
                (Err(_), Some(MemberReadFailure::Source(why))) => {
                    return unfit(format!("{} cannot be unpacked: {why}", escaped(&name)));
                }
                (Err(error), None) => return Err(error.into()),
            }
        }
        Ok(())
    }
}

/// What is read of a file of an archive, which may lie about its length.
struct MemberReader<'a> {
    source: &'a mut dyn io::Read,
    left: u64,
    failed: Option<MemberReadFailure>,
}

enum MemberReadFailure {
    TooLarge,
    Source(io::Error),
}

impl io::Read for MemberReader<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        match self.source.read(bytes) {
            Ok(read) if read as u64 > self.left => {
                self.failed = Some(MemberReadFailure::TooLarge);
                Err(io::Error::other("too large"))
            }
            Ok(read) => {
                self.left -= read as u64;
                Ok(read)
            }
            Err(error) => {
                self.failed = Some(MemberReadFailure::Source(error));
                Err(io::Error::other("no archive"))
            }
        }
    }
}

fn too_many(names: usize) -> String {
    format!("it has {names} files and directories, and may have {MOST_NAMES}")
}

fn too_large(most: u64) -> String {
    format!(
        "unpacked it has more than {} MB (submissions.max_unpacked)",
        most / 1_000_000
    )
}

/// A path within the archive that leads nowhere else.
fn name_of(raw: &[u8]) -> Result<String, ArchiveError> {
    let Ok(name) = std::str::from_utf8(raw) else {
        return unfit(format!("{} is a name that is not in UTF-8", escaped(raw)));
    };
    let shown = escaped(name);
    if name.len() > LONGEST_NAME {
        return unfit(format!(
            "a name in it has {}, and may have {LONGEST_NAME}",
            count::of(name.len(), "byte", "bytes")
        ));
    }
    let mut parts = name.strip_suffix('/').unwrap_or(name).split('/');
    if name.starts_with('/') || name.contains('\\') || parts.any(|part| ["", ".", ".."].contains(&part)) {
        return unfit(format!("{shown} leads out of the archive, or is no path by `/`"));
    }
    if name.matches('/').count() > DEEPEST {
        return unfit(format!("{shown} lies in more than {DEEPEST} directories"));
    }
    if name.chars().any(char::is_control) {
        return unfit(format!("{shown} has a control character in its name"));
    }
    Ok(name.to_owned())
}

/// The name that stands before a file of an archive, whose record is there; `None`: there is none.
fn name_before(file: &File, at: u64) -> Result<Option<Vec<u8>>, ArchiveError> {
    let mut record = [0; LOCAL];
    if file.read_exact_at(&mut record, at).is_err() || !record.starts_with(LOCAL_MARK) {
        return Ok(None);
    }
    let mut name = vec![0; usize::from(u16::from_le_bytes([record[26], record[27]]))];
    Ok(file.read_exact_at(&mut name, at + LOCAL as u64).is_ok().then_some(name))
}

/// How many names an archive has, counted by its one directory before any of them is kept. What another program could take for another
/// directory is refused.
fn names_counted(file: &mut File) -> Result<usize, ArchiveError> {
    let length = file.seek(SeekFrom::End(0))?;
    let tail = (END + LONGEST_COMMENT).min(usize::try_from(length).unwrap_or(usize::MAX));
    let begins = length - tail as u64;
    let mut read = vec![0; tail];
    file.read_exact_at(&mut read, begins)?;
    let mut ends = read
        .windows(END_MARK.len())
        .enumerate()
        .filter(|(_, window)| *window == END_MARK);
    let at = match (ends.next(), ends.next()) {
        (_, Some(_)) => return unfit("it has two ends"),
        (Some((at, _)), None) if at + END <= tail => at,
        _ => {
            return unfit(
                "it is not a zip archive: pack the files as .zip (also those of a .tar.gz, as Kaggle takes them)",
            );
        }
    };
    let record = &read[at..];
    let two = |from: usize| u16::from_le_bytes([record[from], record[from + 1]]);
    let four = |from: usize| u32::from_le_bytes([record[from], record[from + 1], record[from + 2], record[from + 3]]);
    let (names, bytes, first) = (two(10), four(12), four(16));
    let above = at.saturating_sub(LOCATOR_64);
    if read[above..at].starts_with(LOCATOR_64_MARK) || names == u16::MAX || bytes == u32::MAX || first == u32::MAX {
        return unfit("it is an archive by zip64, which no submission needs: pack it without");
    }
    let names = usize::from(names);
    if names > MOST_NAMES {
        return unfit(too_many(names));
    }
    let ends = begins + at as u64;
    if (two(4), two(6), two(8)) != (0, 0, two(10)) || u64::from(first) + u64::from(bytes) != ends {
        return unfit("its directory does not end where its end begins: pack it anew");
    }
    let mut next = u64::from(first);
    for _ in 0..names {
        let mut entry = [0; ENTRY];
        if next + ENTRY as u64 > ends || file.read_exact_at(&mut entry, next).is_err() || !entry.starts_with(ENTRY_MARK)
        {
            return unfit(MISCOUNTED);
        }
        let lengths = [28, 30, 32].map(|from| u64::from(u16::from_le_bytes([entry[from], entry[from + 1]])));
        next += ENTRY as u64 + lengths.iter().sum::<u64>();
    }
    match next == ends {
        true => Ok(names),
        false => unfit(MISCOUNTED),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use zip::write::SimpleFileOptions;
    use zip::{CompressionMethod, ZipWriter};

    use super::*;

    const MB: u64 = 1_000_000;

    /// An archive with these files.
    fn archive(files: &[(&str, &[u8])]) -> File {
        let mut writer = ZipWriter::new(tempfile::tempfile().expect("a file"));
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        for (name, bytes) in files {
            writer.start_file(*name, options).expect("a name");
            writer.write_all(bytes).expect("it is written");
        }
        writer.finish().expect("an archive")
    }

    fn refusal(file: File, most: u64) -> String {
        let opened = BoundedArchive::open(file, most);
        let looked = opened.and_then(|mut zipped| zipped.members().map(drop));
        looked.expect_err("it is refused").to_string()
    }

    #[test]
    fn what_is_in_it_is_unpacked() {
        let place = tempfile::tempdir().expect("a directory");
        let file = archive(&[
            ("agent.py", b"pass"),
            ("nets/a.bin", b"weights"),
            ("bin/engine", b"\x7fELF"),
        ]);
        let mut zipped = BoundedArchive::open(file, MB).expect("an archive");
        let members = zipped.members().expect("files");
        let names: Vec<&str> = members.iter().map(|member| member.name.as_str()).collect();
        assert_eq!(names, ["agent.py", "nets/a.bin", "bin/engine"]);
        assert_eq!(members[2].begins, b"\x7fELF");
        let into = place.path().join("new");
        let wanted = |name: &str| name != "agent.py";
        zipped
            .unpack(&into, &wanted, Some("bin/engine"))
            .expect("it is unpacked");
        assert!(!into.join("agent.py").exists());
        assert_eq!(std::fs::read(into.join("nets/a.bin")).expect("a file"), b"weights");
        let mode = |name: &str| {
            let data = into.join(name).metadata().expect("a file");
            std::os::unix::fs::MetadataExt::mode(&data) & 0o777
        };
        assert_eq!((mode("nets/a.bin"), mode("bin/engine")), (0o444, 0o555));
    }

    #[test]
    fn names_that_lead_elsewhere_are_refused() {
        for (name, why) in [
            ("../agent.py", "leads out of the archive"),
            ("/etc/passwd", "leads out of the archive"),
            ("a\\b", "leads out of the archive"),
            ("a/./b", "leads out of the archive"),
            ("a\nb", "control character"),
        ] {
            let said = refusal(archive(&[(name, b"")]), MB);
            assert!(said.contains(why), "{name:?}: {said}");
        }
        let twice = refusal(archive(&[("Agent.py", b""), ("agent.py", b"")]), MB);
        assert!(twice.contains("is in it twice"), "{twice}");
        let both = refusal(archive(&[("a", b""), ("A/b", b"")]), MB);
        assert!(both.contains("a file and a directory"), "{both}");
        let long = refusal(archive(&[(&"a".repeat(300), b"")]), MB);
        assert!(long.contains("300 bytes"), "{long}");
    }

    #[test]
    fn links_are_refused() {
        let mut writer = ZipWriter::new(tempfile::tempfile().expect("a file"));
        let options = SimpleFileOptions::default();
        writer.add_symlink("agent.py", "/etc/passwd", options).expect("a link");
        let said = refusal(writer.finish().expect("an archive"), MB);
        assert!(said.contains("agent.py is a link"), "{said}");
    }

    #[test]
    fn what_is_too_large_is_refused_whatever_it_says() {
        let honest = refusal(archive(&[("a", &vec![0; 2_000_000])]), MB);
        assert!(honest.contains("more than 1 MB"), "{honest}");
        // One that says that it has one byte.
        let mut file = archive(&[("a", &vec![0; 2_000_000])]);
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(0)).expect("it is there");
        file.read_to_end(&mut bytes).expect("it is read");
        let central = bytes
            .windows(4)
            .rposition(|mark| mark == b"PK\x01\x02")
            .expect("its list");
        for at in [central + 24, 22] {
            bytes[at..at + 4].copy_from_slice(&1_u32.to_le_bytes());
        }
        let mut lying = tempfile::tempfile().expect("a file");
        lying.write_all(&bytes).expect("it is written");
        let place = tempfile::tempdir().expect("a directory");
        let mut zipped = BoundedArchive::open(lying, MB).expect("an archive");
        let said = zipped
            .members()
            .map(drop)
            .and_then(|()| zipped.unpack(&place.path().join("x"), &|_| true, None));
        let said = said.expect_err("it is refused").to_string();
        assert!(
            said.contains("cannot be unpacked") || said.contains("more than 1 MB"),
            "{said}"
        );
    }

    fn bytes_of(mut file: File) -> Vec<u8> {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(0)).expect("it is there");
        file.read_to_end(&mut bytes).expect("it is read");
        bytes
    }

    fn file_of(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(bytes).expect("it is written");
        file
    }

    /// Whoever reads the archive by another program sees other names or files.
    #[test]
    fn what_reads_otherwise_elsewhere_is_refused() {
        let twice = bytes_of(archive(&[("agent.py", b"one"), ("agent.pz", b"two")]));
        let text = twice.iter().map(|byte| char::from(*byte)).collect::<String>();
        let renamed: Vec<u8> = text
            .replace("agent.pz", "agent.py")
            .chars()
            .map(|letter| letter as u8)
            .collect();
        assert_eq!(
            refusal(file_of(&renamed), MB),
            "it has a name twice, or counts its names wrongly"
        );
        // The name before the file alone.
        let otherwise: Vec<u8> = text
            .replacen("agent.pz", "README.m", 1)
            .chars()
            .map(|letter| letter as u8)
            .collect();
        let said = refusal(file_of(&otherwise), MB);
        assert_eq!(said, "agent.pz has another name where it lies in the archive");
        let ends: Vec<u8> = [twice.as_slice(), END_MARK, &[0; END]].concat();
        assert_eq!(refusal(file_of(&ends), MB), "it has two ends");
        // Python would read the directory that zip64 names, and others the one that the plain end names.
        let end = twice.len() - END;
        let by_locator = [&twice[..end], LOCATOR_64_MARK, &[0; LOCATOR_64 - 4], &twice[end..]].concat();
        let said = refusal(file_of(&by_locator), MB);
        assert!(said.contains("zip64"), "{said}");
        // Many names by zip64, and one by the plain end.
        let mut by_size = twice.clone();
        by_size[end + 8..end + 12].copy_from_slice(&[1, 0, 1, 0]);
        by_size[end + 12..end + 20].fill(0xff);
        let said = refusal(file_of(&by_size), MB);
        assert!(said.contains("zip64"), "{said}");
        // A second directory behind the one that the end names, or something before the archive.
        let first =
            [20, 16].map(|from| u32::from_le_bytes(twice[end + from - 4..end + from].try_into().expect("four")));
        let directory = &twice[first[0] as usize..end];
        for with_more in [
            [&twice[..end], directory, &twice[end..]].concat(),
            [&b"#!/bin/sh\n"[..], &twice].concat(),
        ] {
            let said = refusal(file_of(&with_more), MB);
            assert_eq!(said, "its directory does not end where its end begins: pack it anew");
        }
        let mut fewer = twice.clone();
        fewer[end + 8..end + 12].copy_from_slice(&[1, 0, 1, 0]);
        assert_eq!(
            refusal(file_of(&fewer), MB),
            "it has a name twice, or counts its names wrongly"
        );
        let deep = refusal(archive(&[(&format!("{}b", "a/".repeat(21)), b"")]), MB);
        assert!(deep.contains("lies in more than 20 directories"), "{deep}");
    }

    #[test]
    fn many_names_are_refused_before_they_are_read() {
        let names: Vec<String> = (0..=MOST_NAMES).map(|number| number.to_string()).collect();
        let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b""[..])).collect();
        let said = refusal(archive(&files), MB);
        assert_eq!(said, "it has 2001 files and directories, and may have 2000");
        for bytes in [&b""[..], b"PK\x05\x06", b"#!/bin/sh\n"] {
            let mut file = tempfile::tempfile().expect("a file");
            file.write_all(bytes).expect("it is written");
            assert!(refusal(file, MB).starts_with("it is not a zip archive: pack the files as .zip"));
        }
    }
}
