//! Files that are replaced whole, added to and held.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

use crate::threads;

use super::{
    Draft, append_line, hold, holds, is_draft, part_in, sweep, sweep_all, write_all_whole, write_instead, write_new,
    write_out, write_whole,
};

#[test]
fn a_draft_that_is_not_placed_leaves_what_was_there() {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("table.csv");
    write_whole(&path, "old").expect("it is written");
    let mut draft = Draft::at(&path).expect("a draft");
    draft.write("new").expect("it is written");
    assert_eq!(fs::read_to_string(&path).expect("it is there"), "old");
    drop(draft);
    assert_eq!(fs::read_to_string(&path).expect("it is there"), "old");
    assert_eq!(fs::read_dir(place.path()).expect("the directory").count(), 1);
}

#[test]
fn links_and_rights_stay() {
    let place = tempfile::tempdir().expect("a directory");
    let (real, link) = (place.path().join("real"), place.path().join("link"));
    fs::write(&real, "old").expect("it is written");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).expect("rights");
    std::os::unix::fs::symlink("real", &link).expect("a link");
    write_whole(&link, "new").expect("it is written");
    assert!(link.is_symlink());
    assert_eq!(fs::read_to_string(&real).expect("it is there"), "new");
    assert_eq!(real.metadata().expect("it is there").mode() & 0o777, 0o640);
    // But for the right to work as whoever wrote it.
    fs::set_permissions(&real, fs::Permissions::from_mode(0o6755)).expect("rights");
    write_whole(&real, "new").expect("it is written");
    assert_eq!(real.metadata().expect("it is there").mode() & 0o7777, 0o755);
    // What leads nowhere yet leads to the file.
    std::os::unix::fs::symlink("later", place.path().join("ahead")).expect("a link");
    write_whole(&place.path().join("ahead"), "x").expect("it is written");
    assert_eq!(
        fs::read_to_string(place.path().join("later")).expect("it is there"),
        "x"
    );
    write_out("/dev/null".as_ref(), "x").expect("a device takes it");
    std::os::unix::fs::symlink("/dev/null", place.path().join("null")).expect("a link");
    let refused = write_whole(&place.path().join("null"), "x").expect_err("it is no file");
    assert!(refused.to_string().contains("it is not a plain file"), "{refused}");
    write_out(&link, "newer").expect("it is written");
    assert!(link.is_symlink() && fs::read_to_string(&real).is_ok_and(|text| text == "newer"));
}

/// In a directory that others prepared nothing is written, read or waited for but in this place itself.
#[test]
fn what_others_prepared_gives_way() {
    let place = tempfile::tempdir().expect("a directory");
    let (victim, path) = (place.path().join("victim"), place.path().join("file"));
    fs::write(&victim, "text").expect("it is written");
    let links = ["victim", "ahead", "/dev/zero"];
    for link in links {
        std::os::unix::fs::symlink(link, &path).expect("a link");
        assert!(!holds(&path, b"text"), "{link}");
        write_instead(&path, "text").expect("it is written");
        assert!(!path.is_symlink() && holds(&path, b"text"), "{link}");
        fs::remove_file(&path).expect("it is there");
    }
    let pipe = rustix::fs::FileType::Fifo;
    rustix::fs::mknodat(rustix::fs::CWD, &path, pipe, rustix::fs::Mode::RWXU, 0).expect("a pipe");
    assert!(!holds(&path, b"text"));
    write_instead(&path, "text").expect("it is written");
    assert!(holds(&path, b"text") && !holds(&path, b"texts") && !holds(&path, b"tex!"));
    assert_eq!(fs::read_to_string(&victim).expect("it is there"), "text");
    assert!(!place.path().join("ahead").exists());
}

/// A name that somebody planted for the file that is being written is not written through.
#[test]
fn a_planted_draft_is_not_followed() {
    let place = tempfile::tempdir().expect("a directory");
    let (victim, path) = (place.path().join("victim"), place.path().join("file"));
    fs::write(&victim, "mine").expect("it is written");
    for _ in 0..100 {
        std::os::unix::fs::symlink("victim", part_in(place.path())).expect("a link");
    }
    // The numbers after those that were taken now.
    let next = part_in(place.path());
    let name = next.file_name().expect("a name").to_string_lossy().into_owned();
    let number: u32 = name
        .rsplit('-')
        .next()
        .and_then(|end| end.strip_suffix(".part")?.parse().ok())
        .expect("a number");
    for ahead in 1..100 {
        let planted = name.replace(&format!("-{number}."), &format!("-{}.", number + ahead));
        std::os::unix::fs::symlink("victim", place.path().join(planted)).expect("a link");
    }
    write_whole(&path, "text").expect("it is written");
    assert_eq!(fs::read_to_string(&victim).expect("it is there"), "mine");
    assert!(!path.is_symlink());
}

#[test]
fn what_the_dead_left_is_swept_and_nothing_else() {
    let place = tempfile::tempdir().expect("a directory");
    let own = part_in(place.path());
    let names = [".swissmatch-4194999-0.part", ".swissmatch-x-0.part", "games.part"];
    for path in names.map(|name| place.path().join(name)).iter().chain([&own]) {
        fs::write(path, "").expect("it is written");
    }
    sweep(place.path());
    assert!(!place.path().join(names[0]).exists());
    assert!(own.exists() && place.path().join(names[1]).exists() && place.path().join(names[2]).exists());
    assert!(is_draft(names[0]) && !is_draft(names[1]));
}

#[test]
fn where_nobody_else_may_write_the_number_of_a_living_process_spares_nothing() {
    let place = tempfile::tempdir().expect("a directory");
    let (own, of_another) = (part_in(place.path()), place.path().join(".swissmatch-1-0.part"));
    for path in [&own, &of_another] {
        fs::write(path, "").expect("it is written");
    }
    sweep(place.path());
    assert!(of_another.exists(), "process 1 may be writing it");
    sweep_all(place.path());
    assert!(own.exists() && !of_another.exists());
}

#[test]
fn a_file_that_is_there_is_not_written_anew() {
    let place = tempfile::tempdir().expect("a directory");
    write_all_whole(
        place.path(),
        &[("a", "1"), ("b", "2")].map(|(name, text)| (name.to_owned(), text.to_owned())),
    )
    .expect("they are written");
    let again = write_new(&place.path().join("a"), "3");
    assert_eq!(
        again.expect_err("it is there").kind(),
        std::io::ErrorKind::AlreadyExists
    );
    assert_eq!(fs::read_to_string(place.path().join("a")).expect("it is there"), "1");
}

#[test]
fn a_line_is_added_after_one_that_was_not_finished() {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("lines");
    append_line(&path, "1").expect("it is made");
    append_line(&path, "2").expect("it is added");
    fs::write(&path, "1\n2\n3 to").expect("a line without its end");
    append_line(&path, "4").expect("it is added");
    assert_eq!(fs::read_to_string(&path).expect("it is there"), "1\n2\n3 to\n4\n");
    let refused = append_line(place.path(), "x").expect_err("it is a directory");
    assert!(refused.to_string().contains("it is not a plain file"), "{refused}");
}

#[test]
fn who_holds_a_file_holds_the_one_in_its_place() {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("count");
    fs::write(&path, "0").expect("it is written");
    std::thread::scope(|scope| {
        for _ in 0..8 {
            threads::start_in(scope, || {
                for _ in 0..20 {
                    let _held = hold(&path).expect("it is held");
                    let count: u32 = fs::read_to_string(&path)
                        .expect("it is there")
                        .parse()
                        .expect("a number");
                    write_whole(&path, (count + 1).to_string()).expect("it is written");
                }
            })
            .expect("a thread");
        }
    });
    assert_eq!(fs::read_to_string(&path).expect("it is there"), "160");
}

/// Who publishes again what is there does not wait for the disk, and a file that was changed or lost is written again.
#[test]
fn of_several_files_those_that_say_so_already_stay() {
    let place = tempfile::tempdir().expect("a directory");
    let names = ["same", "other", "longer", "gone"];
    let files = names.map(|name| (name.to_owned(), "new\n".to_owned()));
    write_all_whole(place.path(), &files).expect("they are written");
    let inodes = || names.map(|name| fs::metadata(place.path().join(name)).expect("it is there").ino());
    let before = inodes();
    fs::write(place.path().join("other"), "old\n").expect("it is changed");
    fs::write(place.path().join("longer"), "new\nand more\n").expect("it is changed");
    fs::rename(place.path().join("gone"), place.path().join("aside")).expect("it is moved");
    write_all_whole(place.path(), &files).expect("they are written");
    let after = inodes();
    assert_eq!(before[0], after[0]);
    assert!((1..4).all(|file| before[file] != after[file]), "{before:?} {after:?}");
    for name in names {
        assert_eq!(fs::read_to_string(place.path().join(name)).expect("a file"), "new\n");
    }
}
