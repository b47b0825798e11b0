//! System calls that change what a process may do or see.
#![expect(clippy::disallowed_methods, reason = "it makes directories and starts programs")]

use std::fs;
use std::process::{Command, Stdio};

use nix::mount::{MsFlags, mount, umount};

use super::means::Means;
use super::outcome::{Failed, Tried, perl, succeeds};

/// A user namespace, in which one is root.
pub(super) fn become_root(_: &Means, _: &str) -> Tried {
    succeeds("unshare", &["--user", "--map-root-user", "id", "-u"])
}

/// The same by the newest call, whose flags a filter cannot see.
pub(super) fn clone_namespace(_: &Means, _: &str) -> Tried {
    // The flag of a user namespace, and SIGCHLD.
    perl(
        "my $how = pack('Q8', 0x10000000, 0, 0, 0, 17, 0, 0, 0);
         my $pid = syscall(435, $how, 64);
         $pid < 0 and refused();
         kill 'KILL', $$ if $pid == 0;
         waitpid($pid, 0); print 'a child in a namespace of its own'",
        &[],
    )
}

/// Over a directory of its own, and undone at once.
pub(super) fn mount_over(means: &Means, _: &str) -> Tried {
    let dir = format!("{}-mount", means.mark);
    fs::create_dir_all(&dir)?;
    let mounted = mount(
        Some("none"),
        dir.as_str(),
        Some("tmpfs"),
        MsFlags::empty(),
        None::<&str>,
    );
    let undone = mounted.and_then(|()| umount(dir.as_str()));
    let _left = fs::remove_dir(&dir);
    undone?;
    Ok("mounted".to_owned())
}

/// Runs a program that changes its user when it is run, a copy of `id`.
pub(super) fn change_user(_: &Means, path: &str) -> Tried {
    let ran = Command::new(path).arg("-u").stdin(Stdio::null()).output()?;
    let user = String::from_utf8_lossy(&ran.stdout).trim().to_owned();
    let own = rustix::process::geteuid().as_raw().to_string();
    match ran.status.success() && user != own {
        true => Ok(format!("user {user}, was {own}")),
        false => Err(Failed::Refused(format!("{}, user {user} as before", ran.status))),
    }
}
