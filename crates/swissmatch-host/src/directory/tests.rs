//! What is left out of a directory, and what differs from its manifest.

use std::fs;
use std::os::unix::fs::symlink;

use super::*;

fn directory(root: &Path) -> Directory {
    Directory {
        root: fs::canonicalize(root).expect("it is there"),
        left_out: Arc::default(),
        own: Arc::default(),
        is_whole: false,
    }
}

fn manifest(of: &Directory) -> DirectoryManifest {
    of.manifest(&of.look().expect("it is looked at")).expect("it is read")
}

fn names(manifest: &DirectoryManifest) -> Vec<&str> {
    lines(&manifest.text).map(|(_, name)| name).collect()
}

#[test]
fn what_is_not_the_agents_is_left_out_at_any_depth() {
    let place = tempfile::tempdir().expect("a directory");
    let root = fs::canonicalize(place.path()).expect("it is there");
    for name in [
        "agent.py",
        "nets/a.bin",
        "nets/.git/config",
        "nets/.env.local",
        "nets/deep/__pycache__/agent.pyc",
        ".ssh/id",
        "results/spring/run.sqlite",
        "results/spring/games.pgn",
        "results/notes.txt",
        ".env/pyvenv.cfg",
        ".env/bin/tool",
        "event.toml",
        "learnt/x",
        "KQvK.rtbw",
    ] {
        let path = root.join(name);
        fs::create_dir_all(path.parent().expect("it has one")).expect("a directory");
        fs::write(path, name).expect("a file");
    }
    symlink("/etc/hostname", root.join("nets/out")).expect("a link");
    symlink("../event.toml", root.join("nets/event")).expect("a link");
    symlink("a.bin", root.join("nets/in")).expect("a link");
    symlink("/usr/bin/env", root.join("nets/env")).expect("a link");
    let of = Directory {
        left_out: Arc::from([root.join("event.toml")]),
        own: Arc::from([root.join("learnt")]),
        ..directory(&root)
    };
    let contents = of.look().expect("it is looked at");
    let manifest = of.manifest(&contents).expect("it is read");
    assert_eq!(
        names(&manifest),
        [
            ".env/bin/tool",
            ".env/pyvenv.cfg",
            "KQvK.rtbw",
            "agent.py",
            "nets/a.bin",
            "nets/env",
            "nets/in",
            "results/notes.txt",
        ]
    );
    assert!(manifest.text.contains("size:9  KQvK.rtbw\n"), "{}", manifest.text);
    assert!(manifest.text.contains("link:a.bin  nets/in\n"), "{}", manifest.text);
    let mut hidden = contents.hidden;
    hidden.sort();
    let left_out = [
        ".ssh",
        "event.toml",
        "nets/.env.local",
        "nets/.git",
        "nets/deep/__pycache__",
        "results/spring",
    ];
    assert_eq!(hidden, left_out.map(|name| root.join(name)));
    let mut out = contents.leading_out;
    out.sort();
    assert_eq!(out, ["nets/event", "nets/out"].map(|name| root.join(name)));
}

/// Nothing that was handed in can be changed unseen, whatever it is called.
#[test]
fn of_what_was_handed_in_nothing_is_left_out() {
    let place = tempfile::tempdir().expect("a directory");
    for name in [
        ".env.local",
        ".git/p.jinja",
        ".ssh/id",
        "agent.py",
        "old/run.sqlite",
        "other.toml",
        "KQvK.rtbw",
        "zz/__pycache__/a.pyc",
    ] {
        let path = place.path().join(name);
        fs::create_dir_all(path.parent().expect("it has one")).expect("a directory");
        fs::write(path, "[[player]]\n").expect("a file");
    }
    let of = Directory {
        is_whole: true,
        ..directory(place.path())
    };
    let (contents, was) = (of.look().expect("it is looked at"), manifest(&of));
    assert!(contents.hidden.is_empty(), "{:?}", contents.hidden);
    assert_eq!(
        names(&was),
        [
            ".env.local",
            ".git/p.jinja",
            ".ssh/id",
            "KQvK.rtbw",
            "agent.py",
            "old/run.sqlite",
            "other.toml",
            "zz/__pycache__/a.pyc"
        ]
    );
    fs::write(place.path().join("KQvK.rtbw"), "[[PLAYER]]\n").expect("as long");
    assert_ne!(manifest(&of).hash().sha256, was.hash().sha256);
}

#[test]
fn a_manifest_says_what_differs() {
    let place = tempfile::tempdir().expect("a directory");
    for name in ["agent.py", "helper.py", "log"] {
        fs::write(place.path().join(name), "one").expect("a file");
    }
    let of = directory(place.path());
    let was = manifest(&of);
    assert_eq!(was.changes(&was.text, &[]), [""; 0]);
    fs::write(place.path().join("agent.py"), "two").expect("a file");
    fs::write(place.path().join("log"), "more").expect("a file");
    fs::remove_file(place.path().join("helper.py")).expect("it was there");
    let is = manifest(&of);
    assert_ne!(was.hash().sha256, is.hash().sha256);
    let path = path_of(&of.root);
    let own = [format!("{path}log")];
    let gone = [
        format!("{path}agent.py has changed"),
        format!("{path}helper.py is no longer there"),
    ];
    assert_eq!(is.changes(&was.text, &own), gone);
}

#[test]
fn what_comes_later_is_left_out() {
    let place = tempfile::tempdir().expect("a directory");
    fs::write(place.path().join("agent.py"), "one").expect("a file");
    let of = directory(place.path());
    let registered = manifest(&of);
    remember(&registered.text);
    fs::write(place.path().join("new\nname"), "").expect("a file");
    let mut contents = of.look().expect("it is looked at");
    let compared = of.compare(&mut contents, &registered.hash().sha256);
    assert_eq!(compared.expect("it is read"), None);
    assert_eq!(contents.hidden, [of.root.join("new\nname")]);
    fs::write(place.path().join("agent.py"), "two").expect("a file");
    let compared = of.compare(&mut contents, &registered.hash().sha256);
    let changed = format!("{}agent.py has changed", path_of(&of.root));
    assert_eq!(compared.expect("it is read"), Some(changed));
}

#[test]
fn a_new_link_is_no_agents() {
    let place = tempfile::tempdir().expect("a directory");
    fs::create_dir(place.path().join("nets")).expect("a directory");
    for name in ["agent.py", "nets/a.bin"] {
        fs::write(place.path().join(name), "one").expect("a file");
    }
    let of = directory(place.path());
    let registered = manifest(&of);
    remember(&registered.text);
    let compare = || {
        let mut contents = of.look().expect("it is looked at");
        let compared = of.compare(&mut contents, &registered.hash().sha256);
        (compared.expect("it is read"), contents.hidden)
    };
    // What it came in is left out with it.
    fs::create_dir_all(place.path().join("new/bin")).expect("a directory");
    symlink("/usr/bin/env", place.path().join("new/bin/tool")).expect("a link");
    assert_eq!(compare(), (None, vec![of.root.join("new/")]));
    symlink("a.bin", place.path().join("nets/b.bin")).expect("a link");
    assert_eq!(
        compare().0,
        Some(format!("{}nets/b.bin is a new link", path_of(&of.root)))
    );
}

#[test]
fn what_is_left_out_is_left_out_by_each_of_its_names() {
    let place = tempfile::tempdir().expect("a directory");
    let root = fs::canonicalize(place.path()).expect("it is there");
    for name in [".env", "agent.py", "net.bin", "secret.epd"] {
        fs::write(root.join(name), name).expect("a file");
    }
    for (name, other) in [(".env", "a"), ("secret.epd", "b"), ("net.bin", "c")] {
        fs::hard_link(root.join(name), root.join(other)).expect("a second name");
    }
    let of = Directory {
        left_out: Arc::from([root.join("secret.epd")]),
        ..directory(&root)
    };
    let mut contents = of.look().expect("it is looked at");
    contents.hidden.sort();
    assert_eq!(
        contents.hidden,
        [".env", "a", "b", "secret.epd"].map(|name| root.join(name))
    );
    assert_eq!(
        names(&of.manifest(&contents).expect("it is read")),
        ["agent.py", "c", "net.bin"]
    );
}

/// What was registered with an agent may be another's since.
#[test]
fn what_is_anothers_by_now_is_not_missed() {
    let place = tempfile::tempdir().expect("a directory");
    for name in ["agent.py", "late.py"] {
        fs::write(place.path().join(name), "one").expect("a file");
    }
    let of = directory(place.path());
    let registered = manifest(&of);
    remember(&registered.text);
    let of = Directory {
        left_out: Arc::from([of.root.join("late.py")]),
        ..of
    };
    let mut contents = of.look().expect("it is looked at");
    assert_eq!(contents.hidden, [of.root.join("late.py")]);
    let compared = of.compare(&mut contents, &registered.hash().sha256);
    assert_eq!(compared.expect("it is read"), None);
}

#[test]
fn what_this_program_writes_and_event_files_are_no_agents() {
    let place = tempfile::tempdir().expect("a directory");
    let root = fs::canonicalize(place.path()).expect("it is there");
    let _log = fs::File::create(root.join("log.txt")).expect("a file");
    fs::write(root.join("pyproject.toml"), "[tool]\n").expect("a file");
    fs::write(root.join("other.toml"), "event.name = \"x\"\n[[player]]\n").expect("a file");
    fs::write(root.join("tour.toml"), "player = [ { name = \"A\" } ]\n").expect("a file");
    let mut contents = directory(&root).look().expect("it is looked at");
    contents.leave_out_what_is_written();
    let mut hidden = contents.hidden;
    hidden.sort();
    assert_eq!(
        hidden,
        ["log.txt", "other.toml", "tour.toml"].map(|name| root.join(name))
    );
}
