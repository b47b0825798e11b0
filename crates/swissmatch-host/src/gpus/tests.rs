//! Listings of machines, and who waits for whom.

use super::*;
use crate::threads;

fn listing(nodes: &[&str], vendors: &[(u32, u32)], uuids: &[(&str, &str)]) -> Listing {
    Listing {
        nodes: nodes.iter().map(|name| (*name).to_owned()).collect(),
        vendors: vendors.iter().copied().collect(),
        uuids: uuids
            .iter()
            .map(|(node, uuid)| ((*node).to_owned(), (*uuid).to_owned()))
            .collect(),
    }
}

/// Number, maker, nodes, and what its programs are told where they see it alone and where they see all.
#[track_caller]
fn check(listing: &Listing, expected: &[(u32, Maker, &[&str], &[&str])]) {
    let told = |gpu: &Gpu| {
        [true, false].map(|is_alone| {
            let variables = gpu
                .variables(is_alone)
                .into_iter()
                .filter(|(name, _)| *name != "CUDA_DEVICE_ORDER");
            variables
                .map(|(name, value)| format!("{name}={value}"))
                .collect::<Vec<_>>()
                .join(" ")
        })
    };
    let gpus = gpus_of(listing);
    let found: Vec<_> = gpus
        .iter()
        .map(|gpu| (gpu.number, gpu.maker, gpu.nodes.clone(), told(gpu)))
        .collect();
    let expected: Vec<_> = expected
        .iter()
        .map(|(number, maker, nodes, told)| {
            let nodes: Vec<String> = nodes.iter().map(|name| format!("/dev/{name}")).collect();
            (*number, *maker, nodes, [told[0].to_owned(), told[1].to_owned()])
        })
        .collect();
    assert_eq!(found, expected);
    // No GPU has the own node of another one.
    for gpu in &gpus {
        let has_own = |other: &&Gpu| gpu.nodes.contains(&other.nodes[0]);
        assert_eq!(gpus.iter().filter(has_own).count(), 1);
    }
}

const OF_NVIDIA: [&str; 7] = [
    "nvidia0",
    "nvidia1",
    "nvidiactl",
    "nvidia-uvm",
    "nvidia-uvm-tools",
    "nvidia-modeset",
    "nvidia-caps/nvidia-cap1",
];
const SHARED: [&str; 5] = [
    "nvidia-caps/nvidia-cap1",
    "nvidia-modeset",
    "nvidia-uvm",
    "nvidia-uvm-tools",
    "nvidiactl",
];

fn with<'a>(own: &'a str, shared: &[&'a str]) -> Vec<&'a str> {
    std::iter::once(own).chain(shared.iter().copied()).collect()
}

#[test]
fn a_machine_without_gpus_has_none() {
    check(&Listing::default(), &[]);
    check(
        &listing(&["nvidiactl", "dri/card0", "dri/renderD128"], &[(128, 0x1af4)], &[]),
        &[],
    );
}

#[test]
fn two_of_nvidia() {
    // They have render nodes too, which nobody needs who computes.
    let nodes = [&OF_NVIDIA[..], &["dri/card0", "dri/renderD128", "dri/renderD129"]].concat();
    let uuids = [("nvidia1", "GPU-8932f937-d72c-4106-c12f-20bd9faed9f6")];
    check(
        &listing(&nodes, &[(128, 0x10de), (129, 0x10de)], &uuids),
        &[
            (
                0,
                Maker::Nvidia,
                &with("nvidia0", &SHARED),
                &["CUDA_VISIBLE_DEVICES=0", "CUDA_VISIBLE_DEVICES=0"],
            ),
            (
                1,
                Maker::Nvidia,
                &with("nvidia1", &SHARED),
                &["CUDA_VISIBLE_DEVICES=GPU-8932f937-d72c-4106-c12f-20bd9faed9f6"; 2],
            ),
        ],
    );
}

#[test]
fn two_of_amd() {
    check(
        &listing(
            &["kfd", "dri/card0", "dri/card1", "dri/renderD128", "dri/renderD129"],
            &[(128, 0x1002), (129, 0x1002)],
            &[],
        ),
        &[
            (
                0,
                Maker::Amd,
                &["dri/renderD128", "kfd"],
                &["ROCR_VISIBLE_DEVICES=0 HIP_VISIBLE_DEVICES=0"; 2],
            ),
            (
                1,
                Maker::Amd,
                &["dri/renderD129", "kfd"],
                &[
                    "ROCR_VISIBLE_DEVICES=0 HIP_VISIBLE_DEVICES=0",
                    "ROCR_VISIBLE_DEVICES=1 HIP_VISIBLE_DEVICES=0",
                ],
            ),
        ],
    );
}

#[test]
fn makers_beside_each_other() {
    let nodes = [
        &OF_NVIDIA[..],
        &["kfd", "dri/renderD128", "dri/renderD129", "dri/renderD130"],
    ]
    .concat();
    let vendors = [(128, 0x8086), (129, 0x10de), (130, 0x1002)];
    check(
        &listing(&nodes, &vendors, &[("dri/renderD130", "GPU-00c0ffee00c0ffee")]),
        &[
            (
                0,
                Maker::Nvidia,
                &with("nvidia0", &SHARED),
                &["CUDA_VISIBLE_DEVICES=0", "CUDA_VISIBLE_DEVICES=0"],
            ),
            (
                1,
                Maker::Nvidia,
                &with("nvidia1", &SHARED),
                &["CUDA_VISIBLE_DEVICES=0", "CUDA_VISIBLE_DEVICES=1"],
            ),
            (
                2,
                Maker::Intel,
                &["dri/renderD128"],
                &["ZE_AFFINITY_MASK=0", "ZE_AFFINITY_MASK=0"],
            ),
            (
                3,
                Maker::Amd,
                &["dri/renderD130", "kfd"],
                &["ROCR_VISIBLE_DEVICES=GPU-00c0ffee00c0ffee HIP_VISIBLE_DEVICES=0"; 2],
            ),
        ],
    );
}

#[test]
fn uuids_as_the_drivers_tell_them() {
    let text = "Model: \t\t Tesla\nIRQ:   \t\t 5\nGPU UUID: \t GPU-8932f937-d72c\nBus Location: \t 0000:01:00.0\nDevice Minor: \t 1\n";
    let expected = ("nvidia1".to_owned(), "GPU-8932f937-d72c".to_owned());
    assert_eq!(uuid_of_nvidia(text), Some(expected));
    assert_eq!(uuid_of_nvidia(&text.replace("8932f937", "????????")), None);
    let text = "cpu_cores_count 0\nvendor_id 4098\ndrm_render_minor 129\nunique_id 12648430\n";
    let expected = ("dri/renderD129".to_owned(), "GPU-0000000000c0ffee".to_owned());
    assert_eq!(uuid_of_amd(text), Some(expected));
    assert_eq!(uuid_of_amd(&text.replace("12648430", "0")), None);
}

#[test]
fn two_who_want_both_do_not_wait_for_each_other() {
    let gpus = gpus_of(&listing(&OF_NVIDIA, &[], &[]));
    let pool = Pool::new(gpus);
    assert!(pool.take(3, &|| false).is_none(), "there are not so many");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            let work = || {
                for _ in 0..200 {
                    let taken = pool.take(2, &|| false).expect("they become free");
                    let numbers: Vec<u32> = taken.gpus().iter().map(|gpu| gpu.number).collect();
                    assert_eq!(numbers, [0, 1]);
                }
            };
            threads::start_in(scope, work).expect("a thread");
        }
    });
    let one = pool.take(1, &|| false).expect("it is free");
    assert!(pool.take(2, &|| true).is_none(), "one is not free");
    drop(one);
    assert!(pool.take(2, &|| true).is_some());
}
