//! The signed list of published files: what a stranger checks with `ssh-keygen` alone.

use std::collections::BTreeMap;

use serde_json::Value;
use swissmatch::shell::run_dir::RunDir;
use swissmatch::shell::store::sha256;

use crate::anchor::{RUN, event, forge, new_key, ssh_keygen};
use crate::support::Place;

/// Whether a stranger with the public key and `ssh-keygen` alone finds the list signed.
fn is_signed(place: &Place, list: &str) -> bool {
    let args = [
        "-Y",
        "verify",
        "-f",
        "allowed",
        "-I",
        "organizer",
        "-n",
        "swissmatch",
        "-s",
        "run/signed.json.sig",
    ];
    ssh_keygen(place, &args, list)
}

#[test]
fn the_published_files_are_signed_as_ssh_keygen_checks_it() {
    let place = Place::new();
    new_key(&place, "key");
    new_key(&place, "other");
    place.write("event.toml", &event("[publish]\nsign = \"key\""));
    place.swissmatch(&RUN).expect_code(0);
    place.write("allowed", &format!("organizer {}", place.read("key.pub")));
    let list = place.read("run/signed.json");
    assert!(is_signed(&place, &list));
    assert!(!is_signed(&place, &list.replacen('1', "2", 1)), "a changed byte");

    let found: Value = serde_json::from_str(&list).expect("JSON");
    assert_eq!(found["entry"], 11);
    let files = found["files"].as_array().expect("files");
    let files: BTreeMap<&str, &Value> = files
        .iter()
        .map(|file| (file["name"].as_str().expect("a name"), file))
        .collect();
    for name in [
        "standings.csv",
        "games.pgn",
        "games.csv",
        "rounds/standings-1.csv",
        "rules.md",
        "tournament.trf",
    ] {
        let text = place.read(&format!("run/{name}"));
        assert_eq!(files[name]["sha256"], sha256(text.as_bytes()), "{name}");
        assert_eq!(files[name]["bytes"], text.len(), "{name}");
    }

    for (signer, code) in [
        (None, 0),
        (Some("key.pub"), 0),
        (Some("allowed"), 0),
        (Some("other.pub"), 1),
    ] {
        let mut args = vec!["verify", "run"];
        args.extend(signer.into_iter().flat_map(|signer| ["--signer", signer]));
        let verified = place.swissmatch(&args);
        verified.expect_code(code);
        assert!(verified.stdout().contains("SHA256:"), "{}", verified.stdout());
        let is_compared = !verified.stdout().contains("not checked against any key");
        assert_eq!(is_compared, signer.is_some(), "{}", verified.stdout());
    }
    // Whoever asks while a runner has the directory is told that nothing was compared.
    let held = RunDir::take(&place.path("run")).expect("nobody has it");
    let verified = place.swissmatch(&["verify", "run", "--signer", "other.pub"]);
    verified.expect_code(2);
    let told = "SKIPPED signature        a runner is at work on the run, or holds its lock";
    assert!(verified.stdout().contains(told), "{}", verified.stdout());
    drop(held);
    // The same log gives the same list and the same signature.
    let signature = place.read("run/signed.json.sig");
    place.swissmatch(&RUN).expect_code(0);
    assert_eq!(
        (place.read("run/signed.json"), place.read("run/signed.json.sig")),
        (list.clone(), signature.clone())
    );

    // A changed byte of the list, of its signature, of a file; and none at all.
    let verify = |place: &Place| {
        let verified = place.swissmatch(&["verify", "run"]);
        verified.expect_code(1);
        verified.stdout()
    };
    place.write("run/signed.json", &list.replacen("\"bytes\": 1", "\"bytes\": 2", 1));
    assert!(verify(&place).contains("did not sign this text"));
    place.write("run/signed.json", &list);
    place.write("run/signed.json.sig", &signature.replacen("BEGIN", "BEGUN", 1));
    assert!(verify(&place).contains("it is no signature of OpenSSH"));
    std::fs::remove_file(place.path("run/signed.json.sig")).expect("it is removed");
    assert!(verify(&place).contains("signed.json.sig: No such file"));
    place.swissmatch(&RUN).expect_code(0);
    place.swissmatch(&["verify", "run"]).expect_code(0);

    // An act without the key leaves the list of before, which is told; the next runner signs anew.
    place
        .swissmatch(&["arbiter", "disqualify", "A", "run", "--reason", "test", "--by", "me"])
        .expect_code(0);
    let late = place.swissmatch(&["verify", "run", "--signer", "key.pub"]);
    late.expect_code(0);
    assert!(late.stdout().contains("as of entry 11 of 12"), "{}", late.stdout());
    place.swissmatch(&RUN).expect_code(0);
    let verified = place.swissmatch(&["verify", "run"]);
    verified.expect_code(0);
    assert!(!verified.stdout().contains("as of entry"), "{}", verified.stdout());

    // A forger who has no key cannot sign what the forged log gives.
    place.copy("run", "forged");
    forge(&place.path("forged/run.sqlite"));
    new_key(&place, "forger");
    let forged = ["run", "event.toml", "--out", "forged", "--set", "publish.sign=forger"];
    place.swissmatch(&forged).expect_code(0);
    place.swissmatch(&["verify", "forged"]).expect_code(0);
    let found = place.swissmatch(&["verify", "forged", "--signer", "key.pub"]);
    found.expect_code(1);
    assert!(
        found.stdout().contains("which is none of --signer"),
        "{}",
        found.stdout()
    );

    // Who goes on without a key leaves no list.
    place.write("event.toml", &event(""));
    place.swissmatch(&RUN).expect_code(0);
    assert!(!place.path("run/signed.json").exists() && !place.path("run/signed.json.sig").exists());
    let missing = place.swissmatch(&["verify", "run", "--signer", "key.pub"]);
    missing.expect_code(1);
    assert!(
        missing.stdout().contains("signed.json: No such file"),
        "{}",
        missing.stdout()
    );
}
