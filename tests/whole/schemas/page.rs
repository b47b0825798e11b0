//! The data of the page, beside its schemas: in one file, in files of games beside that, and in a folder.

use std::io::Read as _;
use std::path::Path;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use flate2::read::GzDecoder;
use serde_json::Value;

use super::check;

/// Mini-matches of a page whose games are looked at: tests have many pages.
const LOOKED_AT: usize = 8;

/// Validates the data of a page, and the games in it.
#[track_caller]
pub(crate) fn check_report(html: &str) {
    let (_, event) = html.split_once("<script id=\"event\"").expect("the data of the event");
    let (_, event) = event.split_once('>').expect("an element");
    let (event, _) = event.split_once("</script>").expect("its end");
    check("page-event", &serde_json::from_str(event).expect("JSON"));
    for element in html.split("class=\"games\" ").skip(1).take(LOOKED_AT) {
        let (_, packed) = element.split_once('>').expect("an element");
        let (packed, _) = packed.split_once('<').expect("its end");
        check("page-games", &unpacked(packed));
    }
}

/// Validates the files of games beside a page.
#[track_caller]
pub(crate) fn check_scripts(dir: &Path) {
    for file in std::fs::read_dir(dir).expect("the folder").flatten() {
        let text = std::fs::read_to_string(file.path()).expect("a text");
        if let Some(packed) = text.strip_prefix("swissmatchGames(\"") {
            let packed = packed.split('"').nth(2).expect("two texts");
            check("page-games", &unpacked(packed));
        }
    }
}

/// Validates a folder that `publish` has written.
#[track_caller]
pub(crate) fn check_folder(dir: &Path) {
    let read =
        |path: &Path| -> Value { serde_json::from_str(&std::fs::read_to_string(path).expect("a text")).expect("JSON") };
    check("page-event", &read(&dir.join("event.json")));
    check("feed", &read(&dir.join("feed.json")));
    for file in std::fs::read_dir(dir.join("games")).expect("its games").flatten() {
        check("page-games", &read(&file.path()));
    }
}

fn unpacked(packed: &str) -> Value {
    let bytes = BASE64_STANDARD.decode(packed).expect("base64");
    let mut text = String::new();
    GzDecoder::new(bytes.as_slice())
        .read_to_string(&mut text)
        .expect("gzip");
    serde_json::from_str(&text).expect("JSON")
}
