//! What a Linux program needs from a machine: its kind of processor, and the loader for its libraries.
//!
//! May not: run it.

/// The facts in the head of a program; files may be cut off or damaged anywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Elf<'a> {
    /// The kind of processor, `e_machine`.
    pub machine: u16,
    /// The path of the loader, if there is one.
    pub loader: Option<&'a str>,
}

/// How many bytes of a file hold its head and the name of its loader.
pub(crate) const HEAD: u64 = 64 << 10;

/// The usual names of kinds of processors.
const MACHINES: &[(u16, &str)] = &[
    (3, "x86"),
    (40, "arm"),
    (62, "x86_64"),
    (183, "aarch64"),
    (243, "riscv"),
];

const INTERP: u32 = 3;

impl<'a> Elf<'a> {
    /// Reads the head of a file; `None` if it is not such a program.
    pub(crate) fn read(head: &'a [u8]) -> Option<Self> {
        if !head.starts_with(b"\x7fELF") {
            return None;
        }
        let (is_64, is_little) = (*head.get(4)? == 2, *head.get(5)? == 1);
        let field = |at: usize, bytes: usize| -> Option<u64> {
            let field = head.get(at..at.checked_add(bytes)?)?.iter();
            let add = |sum: u64, byte: &u8| (sum << 8) | u64::from(*byte);
            Some(match is_little {
                true => field.rev().fold(0, add),
                false => field.fold(0, add),
            })
        };
        let at = |at: u64| usize::try_from(at).ok();
        let machine = u16::try_from(field(18, 2)?).ok()?;
        let [table, size, count] = match is_64 {
            true => [field(32, 8)?, field(54, 2)?, field(56, 2)?],
            false => [field(28, 4)?, field(42, 2)?, field(44, 2)?],
        };
        let loader = (0..count).find_map(|number| {
            let header = at(table.checked_add(number.checked_mul(size)?)?)?;
            if field(header, 4)? != u64::from(INTERP) {
                return None;
            }
            let [offset, bytes] = match is_64 {
                true => [field(header.checked_add(8)?, 8)?, field(header.checked_add(32)?, 8)?],
                false => [field(header.checked_add(4)?, 4)?, field(header.checked_add(16)?, 4)?],
            };
            let name = head.get(at(offset)?..at(offset.checked_add(bytes)?)?)?;
            std::str::from_utf8(name.strip_suffix(b"\0").unwrap_or(name)).ok()
        });
        Some(Self { machine, loader })
    }

    /// The kind of processor in words.
    pub(crate) fn of(&self) -> String {
        let known = MACHINES.iter().find(|(machine, _)| *machine == self.machine);
        known.map_or_else(|| format!("kind {}", self.machine), |(_, name)| (*name).to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_of_a_program_is_read() {
        let own = std::fs::read("/proc/self/exe").expect("this program");
        let elf = Elf::read(&own).expect("a program");
        assert_eq!(elf.of(), std::env::consts::ARCH);
        let loader = elf.loader.expect("tests are linked to libraries");
        assert!(std::path::Path::new(loader).exists(), "{loader}");
        assert_eq!(Elf::read(b"#!/bin/sh\n"), None);
    }

    #[test]
    fn what_is_cut_off_or_wrong_is_no_trouble() {
        let own = std::fs::read("/proc/self/exe").expect("this program");
        let mut head = own[..4096].to_vec();
        for end in 0..head.len() {
            let _ = Elf::read(&head[..end]);
        }
        for at in 0..200 {
            let was = std::mem::replace(&mut head[at], 0xff);
            let _ = Elf::read(&head);
            head[at] = was;
        }
    }
}
