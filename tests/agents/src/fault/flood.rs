//! Faults that write far too much.

#![expect(clippy::disallowed_methods, reason = "floods come from threads of their own")]

use std::io::{self, Write};
use std::process;
use std::thread;
use std::time::Duration;

use super::outlet::write_raw;

const MEGABYTE: usize = 1 << 20;
const INFO: &str = "info depth 1 seldepth 1 score cp 0 nodes 1 nps 1 time 1 string flood\n";

/// About 64 kB of info lines.
fn info_chunk() -> Vec<u8> {
    INFO.repeat((64 << 10) / INFO.len()).into_bytes()
}

/// Writes for ever from a thread. Ends the process when nobody reads any more,
/// so that a test that went wrong does not leave it busy.
fn flood_for_ever(chunk: Vec<u8>) {
    thread::spawn(move || {
        while write_raw(&chunk).is_ok() {}
        process::exit(4);
    });
}

/// Info lines for ever.
pub(super) fn lines() {
    flood_for_ever(info_chunk());
}

/// Bytes without a newline for ever.
pub(super) fn bytes() {
    flood_for_ever(vec![b'x'; 64 << 10]);
}

/// 20 MB of info lines.
pub(super) fn many_lines() -> io::Result<()> {
    let chunk = info_chunk();
    for _ in 0..20 * MEGABYTE / chunk.len() {
        write_raw(&chunk)?;
    }
    Ok(())
}

/// 100 MB to the error output.
pub(super) fn errors() -> io::Result<()> {
    let chunk = vec![b'e'; MEGABYTE];
    for _ in 0..100 {
        io::stderr().write_all(&chunk)?;
    }
    Ok(())
}

/// A line to the error output, so many times.
pub(super) fn alarm(text: &str, lines: u64) -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stderr().lock());
    for _ in 0..lines {
        writeln!(out, "{text}")?;
    }
    out.flush()
}

/// One line of 200 MB.
pub(super) fn huge_line() -> io::Result<()> {
    write_raw(b"info string ")?;
    let chunk = vec![b'y'; MEGABYTE];
    for _ in 0..200 {
        write_raw(&chunk)?;
    }
    write_raw(b"\n")
}

/// An info line every 50 ms for ever, from a thread.
pub(super) fn drip() {
    thread::spawn(|| {
        while write_raw(INFO.as_bytes()).is_ok() {
            thread::sleep(Duration::from_millis(50));
        }
    });
}

/// Info lines that are well spelled but make no sense.
pub(super) const WRONG_INFO: &str = "\
info depth 999999999999999999999 score cp 99999999999999999999 nodes 1
info depth -1 seldepth -7 score cp -2147483649 nodes -5 nps -1 time -100
info depth 1 score mate 0 pv a1a1 h9h9 xyzzy
info depth 1 score mate -9223372036854775808 hashfull 1000000
info depth 0 score cp
info score
info depth 3 score cp 12 lowerbound upperbound nodes 18446744073709551616 pv
info depth 2 depth 3 depth score score cp cp 1 pv e1e8 e8e1 0000
info string
info";
