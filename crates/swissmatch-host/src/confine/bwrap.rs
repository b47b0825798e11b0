//! Namespaces of its own around an isolated agent, by bubblewrap: its own view of files, its own process ids, no network, no
//! shared memory of others.
//!
//! May not: be what an agent's files or system calls rest on alone; the process within shuts itself in all the same.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd as _;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use nix::mount::MsFlags;
use rustix::fs::{Access, access};
use rustix::io::FdFlags;

use super::{Confinement, shared, system};
use crate::paths::resolved;

/// Where this program is within.
const OURS: &str = "/.swissmatch";

/// Where copies of the machine's figures and facts are within.
const MACHINE: &str = "/.machine";

/// Where its own nodes of devices are within: one mount for all of them.
const NODES: &str = "/.devices";

/// Its own processes: outside, and the first one within.
pub(super) const PROCESSES: u64 = 2;

/// Most places that are covered: bubblewrap takes only so many words.
pub(super) const MOST_COVERS: usize = 1000;

/// Bytes of what an agent may put in each of the places that programs share.
const SHARED: &str = "268435456";

/// bubblewrap with the namespaces of this confinement, which then runs `ours`, this program, as the first process there or beside one
/// of its own.
///
/// # Errors
/// When this program cannot be handed to it.
pub(super) fn command(
    bubblewrap: &OsStr,
    confinement: &Confinement,
    ours: &File,
    is_first: bool,
) -> io::Result<Command> {
    // It is found by its descriptor: the path of a program may lead elsewhere by now.
    rustix::io::fcntl_setfd(ours, FdFlags::empty())?;
    let mut command = Command::new(bubblewrap);
    command.env_clear().args([
        "--die-with-parent",
        "--unshare-pid",
        "--unshare-ipc",
        "--unshare-net",
        "--unshare-uts",
    ]);
    if is_first {
        command.arg("--as-pid-1");
    }
    let copy_of = |path: &Path| confinement.copies().find(|(_, over)| *over == path);
    let machine = place_of(confinement, |over| over.starts_with(shared::OF_FIGURES));
    if let Some(machine) = machine {
        command.arg("--ro-bind").arg(machine).arg(MACHINE);
    }
    let (mut made, mut linked) = (BTreeSet::new(), BTreeSet::new());
    let of_system = system::READ.iter().map(PathBuf::from).chain(system::versions_in_etc());
    for path in of_system.filter(|path| path.symlink_metadata().is_ok()) {
        make_way(&mut command, &mut made, &path);
        let copy = copy_of(&path).filter(|(copy, _)| machine.is_some() && copy.parent() == machine);
        let Some((copy, over)) = copy else {
            see(&mut command, &path);
            continue;
        };
        command.arg("--symlink").arg(among_figures(copy)).arg(&path);
        linked.insert(over);
    }
    let by_itself = figures(confinement).collect::<BTreeSet<_>>();
    command.args(["--proc", "/proc", "--tmpfs", "/dev"]);
    let own = confinement.devices().filter_map(Path::parent).collect::<BTreeSet<_>>();
    for directory in own.into_iter().filter(|directory| *directory != Path::new("/dev")) {
        command.arg("--dir").arg(directory);
    }
    let seen_at = |path| copy_of(path).map_or(path, |(copy, _)| copy);
    let nodes = nodes(confinement);
    if let Some(nodes) = nodes {
        command.arg("--dev-bind").arg(nodes).arg(NODES);
    }
    for device in confinement.devices() {
        match (nodes, device.file_name()) {
            (Some(nodes), Some(name)) if seen_at(device).parent() == Some(nodes) => {
                command.arg("--symlink").arg(Path::new(NODES).join(name)).arg(device)
            }
            _ => command.arg("--dev-bind-try").arg(seen_at(device)).arg(device),
        };
    }
    for (name, of) in [("fd", "fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")] {
        command.args(["--symlink", &format!("/proc/self/{of}"), &format!("/dev/{name}")]);
    }
    for path in system::OWN {
        command.args(["--perms", "1777", "--size", SHARED, "--tmpfs", path]);
    }
    let is_hidden = |path: &Path| confinement.hidden().any(|hidden| path.starts_with(hidden));
    // What is seen with what it is in may be a link there, over which nothing can be put.
    let is_seen = |path: &Path| {
        let within = |other: &Path| path != other && path.starts_with(other);
        let by_name = confinement.reads().any(within) && !is_hidden(path);
        by_name || system::READ.iter().any(|system| within(Path::new(system)))
    };
    let mut links = BTreeSet::new();
    for path in confinement.reads() {
        links.extend(links_on_the_way(&mut command, &mut made, path));
    }
    let reads: BTreeSet<PathBuf> = confinement.reads().map(resolved).collect();
    // They are there already, and may be links.
    let is_device = |path: &Path| confinement.devices().any(|device| device == path);
    let reads = reads.iter().map(PathBuf::as_path);
    let reads = reads.filter(|path| !is_seen(path) && !is_device(path) && !path.starts_with("/proc"));
    let reads = reads.map(|path| (path, "--ro-bind"));
    let writes = confinement.writes().filter(|path| !is_device(path));
    let writes = writes.map(|path| (path, "--bind"));
    let covers = confinement.hidden().filter(|_| confinement.covers());
    let covers = covers.map(|path| (path, COVER));
    let is_of_system = |link: &Path| system::READ.iter().any(|system| link == Path::new(system));
    let links = links.iter().map(PathBuf::as_path);
    let links = links.filter(|link| !is_seen(link) && !is_of_system(link));
    let links = links.map(|link| (link, LINK));
    let mut granted: Vec<(&Path, &str)> = reads.chain(writes).chain(covers).chain(links).collect();
    // What is within comes after what it is in, what is granted by its own name after what covers it, and what may be written after
    // what may be read.
    granted.sort_by_key(|(path, how)| (path.components().count(), *how != COVER, *how != "--ro-bind"));
    for (path, how) in &granted {
        match *how {
            COVER => cover(&mut command, path),
            LINK => {
                make_way(&mut command, &mut made, path);
                command.arg("--symlink").arg(resolved(path)).arg(path);
            }
            how => {
                make_way(&mut command, &mut made, path);
                command.arg(how).arg(seen_at(path)).arg(path);
            }
        }
    }
    // Within a directory that is seen; another name of a file leads to it.
    for (copy, over) in confinement.copies().filter(|one| !by_itself.contains(one)) {
        let is_granted = granted.iter().any(|(path, _)| *path == over);
        let is_done = is_granted || linked.contains(over) || is_device(over);
        if !is_done && resolved(over) == over {
            command.arg("--ro-bind").arg(copy).arg(over);
        }
    }
    let descriptor = format!("/proc/self/fd/{}", ours.as_raw_fd());
    command.args(["--ro-bind", &descriptor, OURS]);
    command.args(["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/", "--", OURS]);
    Ok(command)
}

/// The copies of the machine's figures that the process within puts over them by itself, and what each is put over: bubblewrap reads the
/// list of all mounts for each of its own, and takes ten times as long. To a superuser it leaves the right to mount.
fn figures(confinement: &Confinement) -> impl Iterator<Item = (&Path, &Path)> {
    let is_figure = |over: &Path| over.starts_with(shared::OF_FIGURES);
    let machine = place_of(confinement, is_figure).filter(|_| rustix::process::geteuid().is_root());
    let copies = confinement.copies().filter(move |(_, over)| is_figure(over));
    copies.filter(move |(copy, _)| machine.is_some() && copy.parent() == machine)
}

/// The directory of the copies that are put over such paths. An agent's own come first, and may have such a path as well.
fn place_of(confinement: &Confinement, is_such: impl Fn(&Path) -> bool) -> Option<&Path> {
    confinement
        .copies()
        .filter(|(_, over)| is_such(over))
        .last()?
        .0
        .parent()
}

/// Where the copy of a figure or fact is within.
fn among_figures(copy: &Path) -> PathBuf {
    Path::new(MACHINE).join(copy.file_name().unwrap_or_default())
}

/// The directory of the nodes of devices that it has for itself, which only a superuser can make.
fn nodes(confinement: &Confinement) -> Option<&Path> {
    place_of(confinement, |over| {
        system::DEVICES.iter().any(|device| over == Path::new(device))
    })
}

/// In the process within, before it gives up its rights: what bubblewrap would do more slowly, or not at all. Puts the machine's figures
/// over those of `/proc`, where they may be changed as little as where they are mounted from; and lets nobody put anything beside its
/// own nodes of devices.
///
/// # Errors
/// When the kernel refuses it.
pub(super) fn finish(confinement: &Confinement) -> io::Result<()> {
    if confinement.bubblewrap.is_none() {
        return Ok(());
    }
    let mount = |from: Option<&Path>, over: &Path, flags| nix::mount::mount(from, over, NOTHING, flags, NOTHING);
    for (copy, over) in figures(confinement) {
        mount(Some(&among_figures(copy)), over, MsFlags::MS_BIND)?;
    }
    if nodes(confinement).is_some() {
        let closed = MsFlags::MS_RDONLY | MsFlags::MS_NOSUID | MsFlags::MS_NOEXEC;
        mount(None, Path::new(NODES), MsFlags::MS_REMOUNT | MsFlags::MS_BIND | closed)?;
    }
    Ok(())
}

/// A kind of file system, and its options, where there are none.
const NOTHING: Option<&str> = None;

/// How what is hidden is shown.
const COVER: &str = "cover";
/// How a link is.
const LINK: &str = "link";

/// What is not the same within.
const OTHERS: [&str; 2] = ["/proc", "/dev"];

/// The links on the way to a path, each where it is. The directories from which the way goes up by `..` are made.
fn links_on_the_way(command: &mut Command, made: &mut BTreeSet<PathBuf>, path: &Path) -> BTreeSet<PathBuf> {
    let (mut at, mut links) = (PathBuf::new(), BTreeSet::new());
    for part in path.components() {
        // What is there within is another process's, and its own.
        if OTHERS.iter().any(|place| at.starts_with(place)) {
            break;
        }
        if part == Component::ParentDir {
            make_way(command, made, &at.join("x"));
            at.pop();
            continue;
        }
        at.push(part);
        if at.is_symlink() {
            links.insert(at.clone());
            at = resolved(&at);
        }
    }
    links
}

/// Puts nothing over a path.
fn cover(command: &mut Command, path: &Path) {
    match path.is_dir() {
        true => command.args(["--perms", "0555", "--size", "4096", "--tmpfs"]).arg(path),
        false => command.args(["--ro-bind", "/dev/null"]).arg(path),
    };
}

/// Makes the directories that a path is in, for everybody: those that bubblewrap makes by itself are for its own user.
fn make_way(command: &mut Command, made: &mut BTreeSet<PathBuf>, path: &Path) {
    let mut above: Vec<&Path> = path.ancestors().skip(1).collect();
    above.pop();
    for directory in above
        .into_iter()
        .rev()
        .filter(|directory| made.insert(directory.to_path_buf()))
    {
        command.arg("--dir").arg(directory);
    }
}

/// Shows a path of the system as it is: a link as a link.
fn see(command: &mut Command, path: &Path) {
    match std::fs::read_link(path) {
        Ok(leads_to) => command.arg("--symlink").arg(leads_to).arg(path),
        Err(_) => command.arg("--ro-bind").arg(path).arg(path),
    };
}

/// bubblewrap, where it is installed.
pub(super) fn find() -> Option<PathBuf> {
    ["/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap"]
        .map(PathBuf::from)
        .into_iter()
        .find(|path| path.is_file() && access(path, Access::EXEC_OK).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_over_figures_and_devices_is_mounted_as_a_whole_where_that_can_be() {
        let copies = [
            ("/x/copies/1", "/proc/stat"),
            ("/x/shown/0", "/proc/stat"),
            ("/x/shown/1", "/etc/passwd"),
            ("/x/nodes/null", "/dev/null"),
            ("/x/nodes/zero", "/dev/zero"),
        ];
        let confinement = Confinement {
            reads: ["/dev/null".into()].into(),
            copies: copies.map(|(copy, over)| (copy.into(), over.into())).into(),
            bubblewrap: Some("bwrap".into()),
            ..Confinement::default()
        };
        let ours = File::open("/proc/self/exe").expect("this program");
        let command = command(OsStr::new("bwrap"), &confinement, &ours, false).expect("a command");
        let words: Vec<_> = command.get_args().filter_map(OsStr::to_str).collect();
        let has = |expected: [&str; 3]| words.windows(3).any(|words| words == expected);
        assert!(has(["--ro-bind", "/x/shown", MACHINE]), "{words:?}");
        assert!(has(["--symlink", "/.machine/1", "/etc/passwd"]), "{words:?}");
        assert!(has(["--dev-bind", "/x/nodes", NODES]), "{words:?}");
        assert!(has(["--symlink", "/.devices/null", "/dev/null"]), "{words:?}");
        // Whoever names a device finds it there.
        assert!(
            !words.windows(2).any(|words| words == ["--ro-bind", "/x/nodes/null"]),
            "{words:?}"
        );
        assert!(has(["--dev-bind-try", "/dev/full", "/dev/full"]), "{words:?}");
        // A superuser's agent does so before it is one.
        let is_root = rustix::process::geteuid().is_root();
        assert_ne!(has(["--ro-bind", "/x/shown/0", "/proc/stat"]), is_root, "{words:?}");
        assert_eq!(figures(&confinement).count(), usize::from(is_root));
    }

    /// Within, these are others: a link over one of them would end bubblewrap.
    #[test]
    fn no_way_below_proc_or_dev_is_made() {
        let (mut command, mut made) = (Command::new("bwrap"), BTreeSet::new());
        for path in [
            "/proc/self/../../usr/bin",
            "/dev/fd/0",
            "/tmp/../proc/self/../self/root",
        ] {
            let links = links_on_the_way(&mut command, &mut made, Path::new(path));
            assert_eq!(links, BTreeSet::new(), "{path}");
        }
        let below = |word: &OsStr| word.to_str().is_some_and(|word| word.starts_with("/proc/"));
        assert!(!command.get_args().any(below), "{command:?}");
    }
}
