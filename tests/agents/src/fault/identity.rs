//! What the fault agent says of itself in the handshake.

use super::outlet::{Outlet, write_raw};

/// A name that tries to break out of logs, PGN tags, tables and web pages.
const EVIL_NAME: &[u8] = b"id name evil\x1b[2J\x1b[31mred\x07\x08 \"] [Result \"1-0\"] [X \"y \
<script>alert(1)</script> nul\0byte \xff\xfe\xc3( \xe2\x80\xaegnorw {comment} %s | a,b;c\td\n";

/// Bytes that are no UCI at all.
const GARBAGE: &[u8] = b"\xde\xad\xbe\xef\0\0\x1b[31m\n\
uciok?\nUCI OK\n\n\n   \nbestmove\nid\noption\noption name\n\x7fELF\x02\x01\x01\n";

/// Says the usual name.
pub(super) fn name(out: Outlet) {
    out.say(concat!("id name fault-agent ", env!("CARGO_PKG_VERSION")));
}

/// Says the name that no one should print as it is.
pub(super) fn evil_name() {
    let _gone = write_raw(EVIL_NAME);
}

/// Says who wrote it.
pub(super) fn author(out: Outlet) {
    out.say("id author the swissmatch authors");
}

/// Writes bytes that are no UCI.
pub(super) fn garbage() {
    let _gone = write_raw(GARBAGE);
}

/// Declares two thousand options, in few words.
pub(super) fn many_options() {
    let options: String = (0..2000)
        .map(|number| format!("option name F{number} type button\n"))
        .collect();
    let _gone = write_raw(options.as_bytes());
}

/// Declares a megabyte of options.
pub(super) fn too_many_options() {
    let mut text = String::new();
    let mut number = 0;
    while text.len() < 1 << 20 {
        text.push_str(&format!("option name Filler {number} type string default <empty>\n"));
        number += 1;
    }
    let _gone = write_raw(text.as_bytes());
}
