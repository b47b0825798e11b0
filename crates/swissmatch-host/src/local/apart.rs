//! Cores that are kept for something other than the games of a run.
//!
//! May not: know what for.

use std::collections::BTreeMap;
use std::io;

use rustix::thread::CpuSet;

use super::cores::{CpuList, stay_on};
use crate::topology::Topology;

/// The cores of this machine that this thread may use, some of them kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Apart {
    /// The hardware threads of each kept core.
    pub kept: Vec<CpuList>,
    /// The hardware threads of all others.
    pub rest: CpuList,
}

impl Apart {
    /// Keeps the last `most` cores, but always leaves one.
    ///
    /// # Errors
    /// The kernel does not say what this thread may use.
    pub fn of_this_machine(most: usize) -> io::Result<Self> {
        Ok(Self::of(&Topology::of_this_machine()?, most))
    }

    fn of(topology: &Topology, most: usize) -> Self {
        let mut cores: BTreeMap<usize, CpuList> = BTreeMap::new();
        for cpu in &topology.cpus {
            cores.entry(cpu.core).or_default().push(cpu.id);
        }
        let mut rest: Vec<CpuList> = cores.into_values().collect();
        let kept = rest.split_off(rest.len() - most.min(rest.len().saturating_sub(1)));
        Self {
            kept,
            rest: rest.concat(),
        }
    }
}

/// Keeps this thread, and what it starts, where it was told to stay. When dropped, the thread may go where it could
/// before.
#[derive(Debug)]
pub struct Staying(CpuSet);

/// Keeps this thread, and what it starts meanwhile, on these hardware threads.
///
/// # Errors
/// The kernel refuses.
pub fn stay_for_now(cpus: &[usize]) -> io::Result<Staying> {
    let before = rustix::thread::sched_getaffinity(None)?;
    stay_on(cpus)?;
    Ok(Staying(before))
}

impl Drop for Staying {
    fn drop(&mut self) {
        // A core that has gone away meanwhile is no reason to end.
        let _ = rustix::thread::sched_setaffinity(None, &self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::Cpu;

    fn machine(cores: &[&[usize]]) -> Topology {
        let cpu = |core: usize, id: usize| Cpu {
            id,
            core,
            package: 0,
            node: 0,
            capacity: 1024,
        };
        let of_core = |threads: &&[usize]| threads.iter().map(|id| cpu(threads[0], *id)).collect::<Vec<_>>();
        let mut topology = Topology::read(std::path::Path::new("/nowhere"), &[0], 1);
        topology.cpus = cores.iter().flat_map(of_core).collect();
        topology
    }

    #[test]
    fn whole_cores_are_kept_and_one_is_left() {
        let four = machine(&[&[0, 4], &[1, 5], &[2, 6], &[3, 7]]);
        let apart = |topology: &Topology, most| {
            let apart = Apart::of(topology, most);
            (apart.kept, apart.rest)
        };
        assert_eq!(apart(&four, 0), (vec![], vec![0, 4, 1, 5, 2, 6, 3, 7]));
        assert_eq!(apart(&four, 2), (vec![vec![2, 6], vec![3, 7]], vec![0, 4, 1, 5]));
        assert_eq!(apart(&four, 9).1, [0, 4]);
        assert_eq!(apart(&machine(&[&[0]]), 1), (vec![], vec![0]));
    }

    #[test]
    fn a_thread_goes_where_it_could_before() {
        let before = Apart::of_this_machine(0).expect("it is known").rest;
        let staying = stay_for_now(&before[..1]).expect("it stays");
        assert_eq!(Apart::of_this_machine(0).expect("it is known").rest, before[..1]);
        drop(staying);
        assert_eq!(Apart::of_this_machine(0).expect("it is known").rest, before);
    }
}
