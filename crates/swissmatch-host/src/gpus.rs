//! The GPUs of this machine: the device nodes of each, and the environment variables that assign one to a program.
//!
//! Variables: `CUDA_VISIBLE_DEVICES` (CUDA C++ Programming Guide), `ROCR_VISIBLE_DEVICES` and, counted among those,
//! `HIP_VISIBLE_DEVICES` (ROCm, GPU isolation techniques), `ZE_AFFINITY_MASK` (Level Zero, Core Programming Guide).
//!
//! May not: decide who gets which.

mod pool;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use swiss_system::word::words;

pub(crate) use pool::NO_GPU;
pub use pool::{LentGpus, Pool};

/// What programs read to find a GPU, besides its nodes.
pub(super) const READ: &[&str] = &[
    "/proc/driver/nvidia",
    "/sys/bus/pci",
    "/sys/class/drm",
    "/sys/class/kfd",
    "/sys/dev/char",
    "/sys/devices",
    "/sys/module",
];

/// The maker of a GPU, by its driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Maker {
    /// `nvidia`.
    Nvidia,
    /// `amdgpu`.
    Amd,
    /// `i915` or `xe`.
    Intel,
}

words!(Maker {
    Nvidia => "NVIDIA",
    Amd => "AMD",
    Intel => "Intel",
});

/// What a machine has, as its files show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Device nodes, by their names in `/dev`, such as `nvidia0` and `dri/renderD128`.
    pub nodes: BTreeSet<String>,
    /// The vendor of each render node on the PCI bus, by the node's number, such as 128.
    pub vendors: BTreeMap<u32, u32>,
    /// The UUID of each GPU that has one, by its own node, as its maker writes it.
    pub uuids: BTreeMap<String, String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gpu {
    /// Its number in `run.gpus`.
    pub number: u32,
    pub maker: Maker,
    /// How many of the same maker come before it.
    pub place: usize,
    /// Its UUID, if it has one.
    pub uuid: Option<String>,
    /// Its own device node, as a path, then the nodes that its programs share with programs of other GPUs.
    pub nodes: Vec<String>,
}

/// The GPUs of a machine. Those of NVIDIA have the numbers of their nodes; the others follow in the order of their
/// render nodes.
pub fn gpus_of(listing: &Listing) -> Vec<Gpu> {
    let numbers = |prefix: &str| -> BTreeSet<u32> {
        let numbers = listing
            .nodes
            .iter()
            .filter_map(|name| name.strip_prefix(prefix)?.parse().ok());
        numbers.collect()
    };
    let shared = |maker: Maker| {
        listing.nodes.iter().filter(move |name| match maker {
            Maker::Nvidia => {
                ["nvidiactl", "nvidia-uvm", "nvidia-uvm-tools", "nvidia-modeset"].contains(&name.as_str())
                    || name.starts_with("nvidia-caps/")
            }
            Maker::Amd => *name == "kfd",
            Maker::Intel => false,
        })
    };
    let mut gpus: Vec<Gpu> = Vec::new();
    let mut add = |number: u32, maker: Maker, own: String| {
        let place = gpus.iter().filter(|gpu| gpu.maker == maker).count();
        let mut nodes = vec![format!("/dev/{own}")];
        nodes.extend(shared(maker).map(|name| format!("/dev/{name}")));
        gpus.push(Gpu {
            number,
            maker,
            place,
            uuid: listing.uuids.get(&own).cloned(),
            nodes,
        });
    };
    let mut next = 0;
    for number in numbers("nvidia") {
        add(number, Maker::Nvidia, format!("nvidia{number}"));
        next = number + 1;
    }
    for node in numbers("dri/renderD") {
        let maker = match listing.vendors.get(&node) {
            Some(0x1002) => Maker::Amd,
            Some(0x8086) => Maker::Intel,
            // NVIDIA's have nodes of their own; others are displays.
            _ => continue,
        };
        add(next, maker, format!("dri/renderD{node}"));
        next += 1;
    }
    gpus
}

impl Gpu {
    /// The variables that assign it to a program: by UUID if the maker's programs take one, otherwise by number among
    /// the GPUs that they see. That is its place, unless it is the only one that they may open.
    pub fn variables(&self, is_alone: bool) -> Vec<(&'static str, String)> {
        let number = if is_alone { 0 } else { self.place }.to_string();
        let name = self.uuid.clone().unwrap_or_else(|| number.clone());
        match self.maker {
            // By default they are counted from the fastest.
            Maker::Nvidia => vec![
                ("CUDA_DEVICE_ORDER", "PCI_BUS_ID".to_owned()),
                ("CUDA_VISIBLE_DEVICES", name),
            ],
            Maker::Amd => vec![("ROCR_VISIBLE_DEVICES", name), ("HIP_VISIBLE_DEVICES", "0".to_owned())],
            Maker::Intel => vec![("ZE_AFFINITY_MASK", number)],
        }
    }

    /// True if any user may use it.
    fn is_for_everybody(&self) -> bool {
        let is_open = |node: &String| fs::metadata(node).is_ok_and(|data| data.mode() & 0o6 == 0o6);
        // Some of the shared nodes are for the superuser alone, and programs do without them.
        self.nodes.first().is_some_and(is_open) && self.nodes.iter().filter(|node| *node == "/dev/kfd").all(is_open)
    }
}

/// True if any user may use any GPU of this machine.
pub(super) fn are_for_everybody() -> bool {
    gpus_of(&Listing::of_this_machine()).iter().all(Gpu::is_for_everybody)
}

impl Listing {
    pub fn of_this_machine() -> Self {
        let of_nvidia = names(Path::new("/dev")).filter(|name| name.starts_with("nvidia") || name == "kfd");
        let capabilities = names(Path::new("/dev/nvidia-caps")).map(|name| format!("nvidia-caps/{name}"));
        let render = names(Path::new("/dev/dri")).map(|name| format!("dri/{name}"));
        let nodes: BTreeSet<String> = of_nvidia.chain(capabilities).chain(render).collect();
        let numbers = nodes
            .iter()
            .filter_map(|name| name.strip_prefix("dri/renderD")?.parse().ok());
        let vendor = |node: u32| {
            let text = fs::read_to_string(format!("/sys/class/drm/renderD{node}/device/vendor")).ok()?;
            let vendor = u32::from_str_radix(text.trim().strip_prefix("0x")?, 16).ok()?;
            Some((node, vendor))
        };
        let vendors = numbers.filter_map(vendor).collect();
        let read = |directory: &'static str, file: &'static str| {
            names(Path::new(directory))
                .filter_map(move |name| fs::read_to_string(format!("{directory}/{name}/{file}")).ok())
        };
        let nvidia = read("/proc/driver/nvidia/gpus", "information").filter_map(|text| uuid_of_nvidia(&text));
        let amd = read("/sys/class/kfd/kfd/topology/nodes", "properties").filter_map(|text| uuid_of_amd(&text));
        let uuids = nvidia.chain(amd).collect();
        Self { nodes, vendors, uuids }
    }
}

/// The names in a directory; none if it does not exist.
fn names(directory: &Path) -> impl Iterator<Item = String> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().into_string().ok())
}

/// A node and its UUID, from the driver's text: lines of a name, a colon and a value.
fn uuid_of_nvidia(text: &str) -> Option<(String, String)> {
    let value = |name: &str| {
        let mut lines = text.lines().filter_map(|line| line.split_once(':'));
        lines.find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim())
    };
    let (minor, uuid) = (value("Device Minor")?, value("GPU UUID")?);
    // For some GPUs the driver prints question marks.
    let is_known = uuid.starts_with("GPU-") && !uuid.contains('?');
    is_known.then(|| (format!("nvidia{minor}"), uuid.to_owned()))
}

/// The UUID from lines of a name and a number; a GPU without one has the number 0.
fn uuid_of_amd(text: &str) -> Option<(String, String)> {
    let value = |name: &str| {
        let mut lines = text.lines().filter_map(|line| line.split_once(' '));
        lines.find(|(key, _)| *key == name)?.1.trim().parse::<u64>().ok()
    };
    let (node, id) = (value("drm_render_minor")?, value("unique_id")?);
    (node > 0 && id > 0).then(|| (format!("dri/renderD{node}"), format!("GPU-{id:016x}")))
}

#[cfg(test)]
mod tests;
