//! Many files in one directory, written together.
//!
//! May not: put a file in its place that has not been synced.

use std::fs::File;
use std::io;
use std::path::Path;

use super::{Draft, sync_directory};

/// Like `write_all_whole`, for hundreds of files: it waits for the disk once, not once for each file. All of them are
/// open at the same time.
///
/// # Errors
/// The disk is full or gone; some files may have been replaced.
pub fn write_many_whole(directory: &Path, files: &[(String, String)]) -> io::Result<()> {
    let draft = |(name, text): &(String, String)| {
        let mut draft = Draft::at(&directory.join(name))?;
        draft.write(text)?;
        Ok(draft)
    };
    let drafts = files.iter().map(draft).collect::<io::Result<Vec<Draft>>>()?;
    // This only saves time: each file is synced before it is renamed, and then its bytes are already on the disk.
    if let Ok(opened) = File::open(directory) {
        let _ = rustix::fs::syncfs(opened);
    }
    drafts.into_iter().try_for_each(|draft| draft.take_place().map(drop))?;
    sync_directory(directory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_files_are_there_whole_and_no_draft_stays() {
        let place = tempfile::tempdir().expect("a directory");
        std::fs::write(place.path().join("7"), "old").expect("a file");
        let files: Vec<(String, String)> = (0..300)
            .map(|number| (number.to_string(), number.to_string()))
            .collect();
        write_many_whole(place.path(), &files).expect("they are written");
        for (name, text) in &files {
            assert_eq!(std::fs::read_to_string(place.path().join(name)).expect("a file"), *text);
        }
        assert_eq!(std::fs::read_dir(place.path()).expect("it is there").count(), 300);
    }
}
