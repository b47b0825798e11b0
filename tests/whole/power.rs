//! Power cuts: a run on a file system of its own (XFS in a file) that is shut down at random instants, so that all is gone that was
//! not on the disk; what the program told of is there, and the same command goes on.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::death::{Background, assert_empty, send, until};
use crate::kill::{Log, Lot, results, short_event, told_games};
use crate::support::{Place, say_what_is_missing, times};

const SHORT: usize = 3;
const LONG: usize = 300;
/// Cuts of one event before it may play to its end.
const CUTS_OF_ONE: usize = 14;
const PATIENCE: Duration = Duration::from_secs(120);
/// What `mkfs.xfs` takes at least; the file has holes where nothing was written.
const SIZE: u64 = 320 << 20;
const RUN: &str = "disk/run";
const COMMAND: [&str; 9] = [
    "run",
    "event.toml",
    "--json",
    "--concurrency",
    "3",
    "--set",
    "run.oversubscribe=true",
    "--out",
    RUN,
];

/// A file system in a file, mounted at `disk`. Dropped it is unmounted, and its loop device goes with that.
struct Disk<'a> {
    place: &'a Place,
}

impl<'a> Disk<'a> {
    /// A new one; what is missing where there can be none.
    fn new(place: &'a Place) -> Result<Self, String> {
        let image = std::fs::File::create(place.path("image")).expect("a file");
        image.set_len(SIZE).expect("a file with holes");
        std::fs::create_dir(place.path("disk")).expect("a directory");
        let disk = Self { place };
        disk.tool("mkfs.xfs", &["-q", "image"])?;
        disk.mount()?;
        Ok(disk)
    }

    fn tool(&self, program: &str, args: &[&str]) -> Result<(), String> {
        let ran = Command::new(program)
            .args(args)
            .current_dir(self.place.path(""))
            .output();
        match ran {
            Ok(Output { status, .. }) if status.success() => Ok(()),
            Ok(ran) => Err(format!(
                "{program}: {}",
                String::from_utf8_lossy(&ran.stderr).trim_end()
            )),
            Err(error) => Err(format!("{program}: {error}")),
        }
    }

    /// Mounts it; the file system reads its own log then, as after a power cut.
    fn mount(&self) -> Result<(), String> {
        self.tool("mount", &["-t", "xfs", "-o", "loop", "image", "disk"])
    }

    /// From now on nothing reaches the disk, nor what the file system has not written of its own log, unless that is flushed.
    fn cut(&self, flushed: bool) {
        let shutdown = if flushed { "shutdown -f" } else { "shutdown" };
        let cut = self.tool("xfs_io", &["-x", "-c", shutdown, "disk"]);
        cut.expect("root may shut a file system down");
    }

    /// As if the power were there again.
    fn restart(&self) {
        let unmounted = || self.tool("umount", &["disk"]).ok();
        until("nobody uses the disk", PATIENCE, unmounted);
        // An agent that has just ended may have it in a namespace of its own yet; a mount would give that one back, shut down as it is.
        until("nobody has the disk", PATIENCE, || (!self.is_in_use()).then_some(()));
        self.mount().expect("it is mounted again");
    }

    /// Whether a loop device has the file.
    fn is_in_use(&self) -> bool {
        let image = self.place.path("image");
        let image = image.canonicalize().unwrap_or(image).display().to_string();
        let devices = std::fs::read_dir("/sys/block").expect("devices").flatten();
        let mut files = devices.map(|device| std::fs::read_to_string(device.path().join("loop/backing_file")));
        files.any(|file| file.is_ok_and(|file| file.trim_end() == image))
    }
}

impl Drop for Disk<'_> {
    fn drop(&mut self) {
        let mounted = || {
            let mounts = std::fs::read_to_string("/proc/self/mounts").unwrap_or_default();
            let home: PathBuf = self.place.path("disk");
            let home = home.canonicalize().unwrap_or(home).display().to_string();
            mounts.lines().any(|line| line.split(' ').nth(1) == Some(&home))
        };
        let begun = Instant::now();
        while mounted() && begun.elapsed() < PATIENCE {
            if self.tool("umount", &["disk"]).is_err() {
                sleep(Duration::from_millis(50));
            }
        }
    }
}

#[test]
fn power_cuts_lose_nothing_that_was_told() {
    let place = Place::new();
    let disk = match Disk::new(&place) {
        Ok(disk) => disk,
        Err(missing) => {
            return say_what_is_missing(&format!("no file system in a file, which root may have: {missing}"));
        }
    };
    let wanted = times(SHORT, LONG);
    let begun = Instant::now();
    place.write("event.toml", &short_event());
    let calm = place.swissmatch(&COMMAND);
    calm.expect_code(0);
    let expected = results(&place, RUN);
    let games = Log::read(&place, RUN).games.len();

    let mut lot = Lot(300);
    let (mut cuts, mut events, mut kept) = (0, 0, 0);
    while cuts < wanted {
        events += 1;
        std::fs::remove_dir_all(place.path(RUN)).expect("the run goes");
        let mut before = Log::default();
        for attempt in 0.. {
            let mut running = Background::start(&place, &COMMAND);
            let cuts_it = attempt < CUTS_OF_ONE.min(wanted);
            let latest = u64::try_from(calm.took.as_micros()).expect("short") / [1, 3][attempt % 2];
            if cuts_it {
                sleep(Duration::from_micros(lot.below(latest)));
            }
            let cut = cuts_it && running.ended().is_none();
            let mut told = Vec::new();
            if cut {
                let processes: Vec<u32> = [Some(running.guard()), running.player_now()]
                    .into_iter()
                    .flatten()
                    .collect();
                let all = |signal| processes.iter().for_each(|process| send(*process, signal));
                // A file system that is shut down may tell a call that is under way that it was done; power that goes tells nobody.
                all(Signal::STOP);
                told = told_games(&place);
                disk.cut(lot.below(3) == 0);
                cuts += 1;
                // Mostly the processes go with the power; sometimes they see a disk that is gone.
                all(if lot.below(3) > 0 { Signal::KILL } else { Signal::CONT });
            }
            let status = running.end(PATIENCE);
            assert_empty(&place, Duration::from_secs(5));
            let complained = place.read("complained");
            assert!(!complained.contains("panicked"), "{complained}");
            if cut {
                assert!(matches!(status.code(), None | Some(0 | 5)), "{status}: {complained}");
                disk.restart();
            } else {
                assert_eq!(status.code(), Some(0), "{complained}");
                told = told_games(&place);
            }
            let log = Log::read(&place, RUN);
            log.assert_only_grew(&before);
            for game in &told {
                assert!(log.games.contains(game), "{game} was told and is lost: {complained}");
            }
            kept += told.len();
            before = log;
            if !cut {
                break;
            }
        }
        assert_eq!(before.games.len(), games);
        assert_eq!(results(&place, RUN), expected, "after {cuts} cuts");
        place.swissmatch(&["verify", RUN]).expect_code(0);
    }
    println!(
        "{cuts} power cuts of {events} events, {kept} games told of and all there, in {:?}",
        begun.elapsed()
    );
}
