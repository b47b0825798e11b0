//! Files that are not of the run: the organizer's, other agents', and places that all share.
#![expect(clippy::disallowed_methods, reason = "it reads and writes files")]

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::inotify;

use super::means::{MIB, Means};
use super::outcome::{Failed, Tried, perl};

pub(super) fn read(_: &Means, path: &str) -> Tried {
    match fs::read(path)?.len() {
        0 => Err(Failed::refused("it is empty")),
        length => Ok(format!("{length} bytes of {path}")),
    }
}

pub(super) fn list(_: &Means, path: &str) -> Tried {
    match fs::read_dir(path)?.flatten().count() {
        0 => Err(Failed::refused("it is empty")),
        entries => Ok(format!("{entries} names in {path}")),
    }
}

/// Adds to a file that is there.
pub(super) fn write(_: &Means, path: &str) -> Tried {
    OpenOptions::new().append(true).open(path)?.write_all(b"# hostile\n")?;
    Ok(format!("wrote to {path}"))
}

/// A program where others look for one.
pub(super) fn plant(_: &Means, path: &str) -> Tried {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(0o755);
    options.open(path)?.write_all(b"#!/bin/sh\nexit 0\n")?;
    Ok(format!("made {path}"))
}

/// A file that stays in a directory.
pub(super) fn litter(means: &Means, dir: &str) -> Tried {
    let path = Path::new(dir).join(&means.mark);
    fs::write(&path, "hostile\n")?;
    Ok(format!("made {}", path.display()))
}

/// Fills so many MiB where it works, and leaves them there.
pub(super) fn fill(means: &Means, mib: &str) -> Tried {
    let mib: usize = mib.parse().map_err(|_| Failed::untried("no number of MiB"))?;
    let mut file = fs::File::create(format!("{}-fill", means.mark))?;
    let piece = vec![1; MIB];
    for _ in 0..mib {
        file.write_all(&piece)?;
    }
    file.sync_all()?;
    Ok(format!("{mib} MiB"))
}

/// Opens a file by its number on the disk, whatever directories it lies in.
pub(super) fn open_by_number(_: &Means, path: &str) -> Tried {
    // The numbers of name_to_handle_at and open_by_handle_at.
    let (name, open) = match std::env::consts::ARCH {
        "x86_64" => ("303", "304"),
        "aarch64" => ("264", "265"),
        _ => return Err(Failed::untried("the calls have no known numbers here")),
    };
    perl(
        "my ($path, $name, $open) = @ARGV;
         my $handle = pack('Li', 128, 0) . (\"\\0\" x 128); my $mount = pack('i', 0);
         syscall($name + 0, -100, $path, $handle, $mount, 0) == 0 or refused();
         opendir(my $dir, '/') or refused();
         my $fd = syscall($open + 0, fileno($dir), $handle, 0);
         $fd < 0 and refused();
         open(my $file, '<&=', $fd) or refused(); my $read = sysread($file, my $bytes, 4096);
         defined $read or refused(); print \"$read bytes\"",
        &[path, name, open],
    )
}

/// Whoever opens the file elsewhere waits, until the lease is given up or broken.
pub(super) fn lease(_: &Means, path: &str) -> Tried {
    perl(
        "open(my $file, '<', $ARGV[0]) or refused();
         fcntl($file, 1024, 1) or refused(); print 'has the lease'",
        &[path],
    )
}

/// Takes the rights off a file that is open to be read, and puts them back.
pub(super) fn close_to_others(_: &Means, path: &str) -> Tried {
    perl(
        "open(my $file, '<', $ARGV[0]) or refused(); my $was = (stat $file)[2] & 07777;
         chmod(0, $file) or refused(); chmod($was, $file); print 'nobody could read it'",
        &[path],
    )
}

/// Sets an attribute of a file that it need not open.
pub(super) fn attribute(_: &Means, path: &str) -> Tried {
    // setxattrat has one number everywhere.
    perl(
        "my ($name, $value) = ('user.hostile', 'x'); my $what = pack('pLL', $value, 1, 0);
         syscall(463, -100, $ARGV[0], 0, $name, $what, 16) == 0 or refused(); print 'set'",
        &[path],
    )
}

/// Is told what others do in a directory.
pub(super) fn watch(_: &Means, dir: &str) -> Tried {
    let watching = inotify::init(inotify::CreateFlags::CLOEXEC)?;
    inotify::add_watch(&watching, dir, inotify::WatchFlags::ALL_EVENTS)?;
    Ok(format!("watches {dir}"))
}
