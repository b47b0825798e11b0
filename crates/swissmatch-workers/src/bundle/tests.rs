//! Forged bundles, and agents that cannot travel. `tests/whole/travel.rs` shows that agents which travel play as they
//! did.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use swissmatch_host::host::{AgentFound, AgentSpec};
use swissmatch_host::store::sha256;
use swissmatch_tournament::log::FileHash;
use swissmatch_tournament::setup::{PlayerKeys, Setup};

use super::{Bundle, BundleUnpackError, PackedFile, pack};

fn agent(command: &str) -> AgentSpec {
    let player = PlayerKeys {
        name: "Rook".to_owned(),
        command: command.to_owned(),
        ..PlayerKeys::default()
    };
    AgentSpec::of_player(&player, &Setup::default())
}

fn found(files: &[(&Path, &str)]) -> AgentFound {
    let files = files.iter().map(|(path, sha256)| FileHash {
        path: path.display().to_string(),
        sha256: (*sha256).to_owned(),
    });
    let files: Vec<FileHash> = files.collect();
    AgentFound {
        program: files[0].path.clone(),
        directory: String::new(),
        files,
        own: Vec::new(),
        left_out: Vec::new(),
        manifests: Vec::new(),
        leading_out: Vec::new(),
        interpreter: None,
        patterns: Vec::new(),
        legal_moves: None,
    }
}

fn file(text: &str) -> PackedFile {
    PackedFile::File {
        sha256: sha256(text.as_bytes()),
        is_program: false,
    }
}

fn bundle(files: &[(&str, PackedFile)]) -> Bundle {
    Bundle {
        agent: agent("./rook"),
        files: files
            .iter()
            .map(|(name, packed)| ((*name).to_owned(), packed.clone()))
            .collect(),
    }
}

/// Unpacks the bundle, with this text in each file.
fn unpacked(bundle: &Bundle, text: &str) -> (tempfile::TempDir, Result<AgentSpec, BundleUnpackError>) {
    let place = tempfile::tempdir().expect("a directory");
    let unpacked = bundle.unpack(&place.path().join("agent"), &mut |_, to| std::fs::write(to, text));
    (place, unpacked)
}

#[test]
fn nothing_is_written_elsewhere_than_where_a_bundle_is_unpacked() {
    let link = |to: &str| PackedFile::Link(to.to_owned());
    let forged = [
        bundle(&[("../rook", file("x"))]),
        bundle(&[("/tmp/rook", file("x"))]),
        bundle(&[("a/../../rook", file("x"))]),
        bundle(&[("", file("x"))]),
        bundle(&[("a\0b", file("x"))]),
        bundle(&[("a", link("/etc")), ("b", file("x"))]),
        bundle(&[("a", link("../..")), ("b", file("x"))]),
        bundle(&[("a/b", link("../../c"))]),
        bundle(&[("a", link("/usr/../etc"))]),
        bundle(&[("a", link("b")), ("a/c", file("x"))]),
        bundle(&[("a//b", file("x"))]),
        bundle(&[("a/./b", file("x"))]),
        // Through two links, each of which seems to stay inside.
        bundle(&[("p/q/d", link("../..")), ("e", link("p/q/d/../secret"))]),
        bundle(&[(
            "a",
            PackedFile::File {
                sha256: "../../x".to_owned(),
                is_program: true,
            },
        )]),
    ];
    let mut words = [bundle(&[("a", file("x"))]), bundle(&[]), bundle(&[])];
    words[0].agent.player.dir = Some("/etc".to_owned());
    words[1].agent.player.write = vec!["../x".to_owned()];
    words[2].agent.player.command = "../../bin/rook".to_owned();
    for forged in forged.into_iter().chain(words) {
        let (place, refused) = unpacked(&forged, "x");
        assert!(
            matches!(refused, Err(BundleUnpackError::Bundle(_))),
            "{forged:?}: {refused:?}"
        );
        let there = std::fs::read_dir(place.path()).expect("a directory");
        assert_eq!(there.count(), 0, "{forged:?}");
    }
    let right = bundle(&[("a/b", file("x")), ("a/c", link("b")), ("d", link("/usr/bin/env"))]);
    let (place, agent) = unpacked(&right, "x");
    let root = place.path().join("agent");
    assert_eq!(agent.expect("it is right").words_from, Some(root.display().to_string()));
    assert_eq!(std::fs::read_to_string(root.join("a/c")).expect("it leads to b"), "x");
}

#[test]
fn a_file_that_comes_as_another_one_is_refused_and_so_is_a_program_for_another_machine() {
    let (half, refused) = unpacked(&bundle(&[("a", file("x"))]), "y");
    assert!(
        matches!(&refused, Err(BundleUnpackError::Content { path, .. }) if path == "a"),
        "{refused:?}"
    );
    assert!(!half.path().join("agent").exists(), "half of an agent is none");
    let head = |machine: u8| {
        let mut head = std::fs::read("/proc/self/exe").expect("this program")[..4096].to_vec();
        head[18] = machine;
        head
    };
    let program = |bytes: &[u8]| {
        bundle(&[(
            "rook",
            PackedFile::File {
                sha256: sha256(bytes),
                is_program: true,
            },
        )])
    };
    let place = tempfile::tempdir().expect("a directory");
    let other = head(243);
    let refused = program(&other).unpack(&place.path().join("other"), &mut |_, to| std::fs::write(to, &other));
    let Err(BundleUnpackError::Machine(why)) = refused else {
        panic!("{refused:?}")
    };
    assert!(
        why.starts_with("./rook is a program for riscv, and this machine is "),
        "{why}"
    );
    let mut lost = head(std::fs::read("/proc/self/exe").expect("this program")[18]);
    let loader = lost.windows(3).position(|part| part == b"ld-").expect("its loader");
    lost[loader] = b'x';
    let refused = program(&lost).unpack(&place.path().join("lost"), &mut |_, to| std::fs::write(to, &lost));
    let Err(BundleUnpackError::Machine(why)) = refused else {
        panic!("{refused:?}")
    };
    assert!(
        why.starts_with("./rook needs the loader ") && why.ends_with(", which is not here"),
        "{why}"
    );
}

#[test]
fn what_cannot_lie_elsewhere_stays() {
    let place = tempfile::tempdir().expect("a directory");
    let event = place.path().join("event");
    let path = |name: &str| -> PathBuf { place.path().join(name) };
    std::fs::create_dir(&event).expect("a directory");
    for name in ["event/rook", "net", "event/tb.rtbw"] {
        std::fs::write(path(name), "x").expect("a file");
    }
    let (rook, x) = (path("event/rook"), sha256(b"x"));
    let why = |spec: &AgentSpec, found: &AgentFound| pack(spec, found, &event).expect_err("it stays").to_string();
    let net = path("net");
    let told = why(&agent("./rook"), &found(&[(&rook, &x), (&net, &x)]));
    assert_eq!(
        told,
        format!(
            "{} lies neither below the event file's directory nor in the system's",
            net.display()
        )
    );
    let table = path("event/tb.rtbw");
    let told = why(&agent("./rook"), &found(&[(&rook, &x), (&table, "size:1")]));
    assert_eq!(
        told,
        format!("{} is known by its size alone, as tablebases are", table.display())
    );
    let mut model = agent("");
    model.player.model = Some("local:m".to_owned());
    assert!(why(&model, &found(&[(&rook, &x)])).contains("stay with the runner"));
    let mut whole = agent("./rook");
    whole.player.args = vec!["--net=/srv/net".to_owned()];
    let told = why(&whole, &found(&[(&rook, &x)]));
    assert_eq!(
        told,
        "its word /srv/net is a whole path, which leads nowhere on another machine"
    );
    let out = AgentFound {
        leading_out: vec!["bot/link".to_owned()],
        ..found(&[(&rook, &x)])
    };
    assert_eq!(
        why(&agent("./rook"), &out),
        "the link bot/link leads out of its directory"
    );
    // A program of the system stays and is compared there; one from elsewhere travels.
    let (bundle, sources) = pack(&agent("sh"), &found(&[(Path::new("/bin/sh"), &x)]), &event).expect("it travels");
    assert!(bundle.files.is_empty() && sources.is_empty());
    let (bundle, sources) = pack(&agent("../net"), &found(&[(&net, &x)]), &event).expect("it travels");
    assert_eq!(bundle.agent.player.command, ".programs/net");
    assert_eq!(bundle.files.keys().collect::<Vec<_>>(), [".programs/net"]);
    assert_eq!(sources, BTreeMap::from([(x, net)]));
}
