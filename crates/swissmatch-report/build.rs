//! Has cargo build this crate again when the front end changes: what lies in `../../web/dist` is embedded.

fn main() {
    println!("cargo:rerun-if-changed=../../web/dist");
}
