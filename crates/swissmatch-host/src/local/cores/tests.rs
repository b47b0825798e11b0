//! Stored machines (`tests/data/topology/`): who is seated where on them, and what they have no room for.
//!
//! May not: look at the machine that it runs on.

use super::*;

/// The machine of that name, of which this process may use the CPUs `allowed`.
fn machine(name: &str, allowed: &str) -> Topology {
    let path = format!("{}/../../tests/data/topology/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the machine is stored");
    let sys = tempfile::tempdir().expect("a temporary directory");
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (path, content) = line.split_once(": ").expect("a path and its content");
        let path = sys.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a directory")).expect("it is made");
        std::fs::write(path, format!("{content}\n")).expect("it is written");
    }
    let allowed: Vec<usize> = allowed.split(',').flat_map(range).collect();
    Topology::read(sys.path(), &allowed, allowed.len())
}

fn range(part: &str) -> std::ops::RangeInclusive<usize> {
    let (first, last) = part.split_once('-').unwrap_or((part, part));
    first.parse().expect("a number")..=last.parse().expect("a number")
}

/// Seats so many games of so many threads each, and holds what must hold whatever the machine: nobody shares a hardware
/// thread, and no game is on second threads of cores while first ones are free.
#[track_caller]
fn check(topology: &Topology, games: usize, threads: usize, expected: &str) {
    let seats = assign(&topology.cpus, games, threads);
    let shown = seats.as_ref().map_or_else(
        || "no room".to_owned(),
        |seats| {
            let lists = seats
                .iter()
                .map(|cpus| cpus.iter().map(usize::to_string).collect::<Vec<_>>().join(","));
            lists.collect::<Vec<_>>().join(" ")
        },
    );
    assert_eq!(shown, expected, "{games} games of {threads}");
    let Some(seats) = seats else {
        assert!(games * threads > topology.cpus.len());
        return;
    };
    let mut taken: Vec<usize> = seats.concat();
    taken.sort_unstable();
    assert_eq!(taken.len(), games * threads);
    assert!(taken.windows(2).all(|pair| pair[0] < pair[1]), "{taken:?}");
    assert!(taken.iter().all(|id| topology.cpus.iter().any(|cpu| cpu.id == *id)));
    if games * threads <= topology.physical_cores() {
        let mut cores: Vec<usize> = topology
            .cpus
            .iter()
            .filter(|cpu| taken.contains(&cpu.id))
            .map(|cpu| cpu.core)
            .collect();
        cores.dedup();
        assert_eq!(cores.len(), taken.len(), "a core of its own for each thread");
    }
}

#[test]
fn two_sockets_with_two_threads_a_core() {
    let whole = machine("two-sockets-smt", "0-15");
    assert_eq!((whole.physical_cores(), whole.threads()), (8, 16));
    check(&whole, 8, 1, "0 1 2 3 4 5 6 7");
    check(&whole, 10, 1, "0 1 2 3 4 5 6 7 8 9");
    check(&whole, 4, 2, "0,1 2,3 4,5 6,7");
    // A game is in one socket: no third game of the first has room there.
    check(&whole, 2, 3, "0,1,2 4,5,6");
    // Rather second threads beside each other than what is left of both sockets? Cores of their own come first.
    check(&whole, 3, 2, "0,1 2,3 4,5");
    check(&whole, 4, 3, "0,1,2 4,5,6 3,8,9 7,12,13");
    check(&whole, 1, 8, "0,1,2,3,4,5,6,7");
    check(&whole, 2, 8, "0,1,2,3,4,5,6,7 8,9,10,11,12,13,14,15");
    check(&whole, 1, 17, "no room");
}

#[test]
fn a_container_with_three_odd_cpus() {
    // 3 and 11 are threads of one core.
    let container = machine("two-sockets-smt", "3,5,11");
    assert_eq!((container.physical_cores(), container.threads()), (2, 3));
    check(&container, 2, 1, "3 5");
    check(&container, 3, 1, "3 5 11");
    check(&container, 1, 2, "3,5");
    check(&container, 1, 3, "3,5,11");
    // The second thread alone is a core as good as any.
    check(&machine("two-sockets-smt", "11,13"), 2, 1, "11 13");
}

#[test]
fn big_cores_come_before_small_ones() {
    let arm = machine("big-little", "0-7");
    assert_eq!(arm.physical_cores(), 8);
    check(&arm, 3, 1, "4 5 6");
    check(&arm, 8, 1, "4 5 6 7 0 1 2 3");
    // Cores of one kind, though that leaves a big one over.
    check(&arm, 2, 3, "4,5,6 0,1,2");
    check(&arm, 1, 5, "0,4,5,6,7");
    let x86 = machine("hybrid-x86", "0-11");
    assert_eq!((x86.physical_cores(), x86.threads()), (8, 12));
    check(&x86, 9, 1, "0 2 4 6 8 9 10 11 1");
    check(&x86, 2, 4, "0,2,4,6 8,9,10,11");
}

#[test]
fn sixty_four_cores_in_four_nodes() {
    let large = machine("64-cores", "0-63");
    let one_each = (0..64).map(|cpu: usize| cpu.to_string()).collect::<Vec<_>>().join(" ");
    check(&large, 64, 1, &one_each);
    // Five cores a game: three in each node, and the next ones where a package has room for them.
    let of_node = |node: usize| (0..3).map(move |game| (node * 16 + game * 5, node * 16 + game * 5 + 5));
    let games: Vec<String> = (0..4)
        .flat_map(of_node)
        .map(|(from, to)| (from..to).map(|cpu| cpu.to_string()).collect::<Vec<_>>().join(","))
        .collect();
    check(&large, 12, 5, &games.join(" "));
    check(&large, 1, 65, "no room");
}

#[test]
fn offline_cpus_are_nobodys_even_where_they_are_allowed() {
    let offline = machine("offline", "0-7");
    assert_eq!((offline.physical_cores(), offline.threads()), (4, 6));
    check(&offline, 4, 1, "0 1 3 6");
    check(&offline, 6, 1, "0 1 3 6 4 7");
}

#[test]
fn where_the_kernel_is_silent_each_cpu_is_a_core() {
    let silent = machine("silent", "2-5");
    assert_eq!((silent.physical_cores(), silent.threads()), (4, 4));
    check(&silent, 2, 2, "2,3 4,5");
}

#[test]
fn the_most_demanding_pair_is_that_with_most_threads_thinking_at_once() {
    let check = |agents: &[(usize, bool)], expected| {
        let needs = |&(threads, ponders): &(usize, bool)| Needs { threads, ponders };
        let of_each: Vec<Needs> = agents.iter().map(needs).collect();
        assert_eq!(most_demanding(&of_each), expected, "{agents:?}");
    };
    check(&[], None);
    check(&[(4, false)], None);
    check(&[(1, false), (1, false), (1, false)], Some((1, [0, 1])));
    check(&[(1, false), (4, false), (2, false)], Some((4, [0, 1])));
    // One who ponders thinks while the other does, whoever of them has more threads.
    check(&[(1, true), (1, false)], Some((2, [0, 1])));
    check(&[(1, true), (4, false), (4, false)], Some((5, [0, 1])));
    check(&[(1, false), (4, false), (3, true)], Some((7, [1, 2])));
    check(&[(1, true), (8, false), (2, false)], Some((9, [0, 1])));
    // One who is asked over the network has no thread, against whomever it plays.
    check(&[(0, false), (0, false)], Some((0, [0, 1])));
    check(&[(0, false), (1, true), (0, false)], Some((1, [0, 1])));
    let whole = machine("two-sockets-smt", "0-15");
    assert_eq!(
        [0, 1, 2, 3, 8, 9].map(|threads| whole.at_once(threads)),
        [8, 8, 4, 2, 1, 1]
    );
}

/// The default keys with these.
fn keys(concurrency: Option<u32>, pin: Pinning, oversubscribe: bool) -> HostKeys {
    HostKeys {
        concurrency,
        pin,
        oversubscribe,
        ..HostKeys::default()
    }
}

/// What is planned: games at once and whether they are pinned, or what is refused.
#[track_caller]
fn check_plan(topology: &Topology, run: &HostKeys, threads: usize, expected: Result<(usize, bool), &str>) {
    let planned = Seating::plan(run, topology, threads);
    if let Ok(seating) = &planned {
        assert_eq!(seating.slots().len(), seating.games);
    }
    let found = planned
        .map(|seating| (seating.games, seating.cpus.is_some()))
        .map_err(|why| format!("{why}; {}", why.remedy()));
    assert_eq!(
        found.as_ref().map_err(String::as_str),
        expected.as_ref().map_err(|why| *why)
    );
}

#[test]
fn auto_seats_each_game_where_the_games_take_all_cores() {
    let whole = machine("two-sockets-smt", "0-15");
    let auto = |concurrency| keys(concurrency, Pinning::Auto, false);
    // "cores" is a core for each thread.
    for (threads, games) in [(1, 8), (2, 4), (3, 2), (8, 1), (9, 1), (16, 1)] {
        check_plan(&whole, &auto(None), threads, Ok((games, true)));
    }
    check_plan(&whole, &auto(Some(7)), 1, Ok((7, false)));
    check_plan(&whole, &auto(Some(8)), 1, Ok((8, true)));
    check_plan(&whole, &auto(Some(16)), 1, Ok((16, true)));
    check_plan(&whole, &keys(Some(7), Pinning::Always, false), 1, Ok((7, true)));
    check_plan(&whole, &keys(Some(8), Pinning::None, false), 1, Ok((8, false)));
    // A control group that gives the time of four, whichever they are.
    let shared = Topology {
        quota: 4,
        ..whole.clone()
    };
    check_plan(&shared, &auto(None), 1, Ok((4, false)));
    check_plan(&shared, &auto(None), 2, Ok((2, false)));
}

#[test]
fn games_that_need_no_core_are_beside_the_others_and_pinned_to_none() {
    let whole = machine("two-sockets-smt", "0-15");
    let seating = Seating::plan(&keys(None, Pinning::Auto, false), &whole, 2)
        .expect("room")
        .with(3);
    assert_eq!((seating.games, seating.beside, seating.all()), (4, 3, 7));
    let slots = seating.slots();
    assert!(slots[..4].iter().all(Option::is_some), "{slots:?}");
    assert_eq!(slots[4..], [None, None, None]);
    let described = seating.describe();
    assert_eq!(
        (&described["games_at_once"], &described["games_beside"]),
        (&7.into(), &3.into())
    );
    // Where nobody needs a core there may be any number of games.
    check_plan(&whole, &keys(Some(1000), Pinning::Auto, false), 0, Ok((1000, false)));
    check_plan(&whole, &keys(Some(1000), Pinning::Always, false), 0, Ok((1000, false)));
    check_plan(&whole, &keys(None, Pinning::Auto, false), 0, Ok((8, true)));
}

#[test]
fn more_threads_than_there_are_is_refused_unless_it_is_allowed() {
    let whole = machine("two-sockets-smt", "0-15");
    let (auto, always) = (Pinning::Auto, Pinning::Always);
    check_plan(
        &whole,
        &keys(Some(17), auto, false),
        1,
        Err(
            "17 threads at once (17 games of 1) are more than the 16 hardware threads that swissmatch may use here; lower \
             run.concurrency to 16 or less; or run.oversubscribe = true allows it, for agents that wait for something other \
             than the processor",
        ),
    );
    check_plan(
        &whole,
        &keys(None, auto, false),
        17,
        Err(
            "17 threads at once (1 game of 17) are more than the 16 hardware threads that swissmatch may use here; lower the \
             option Threads; or run.oversubscribe = true allows it, for agents that wait for something other than the \
             processor",
        ),
    );
    check_plan(&whole, &keys(Some(1000), auto, true), 1, Ok((1000, false)));
    check_plan(&whole, &keys(None, auto, true), 17, Ok((1, false)));
    check_plan(
        &whole,
        &keys(Some(17), always, true),
        1,
        Err(
            "run.pin = \"always\" needs a separate hardware thread for each of 17, but there are 16; write run.pin = \
             \"none\", or lower run.concurrency",
        ),
    );
}
