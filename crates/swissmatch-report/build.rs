//! Builds anew where the front end was: what lies in `../../web/dist` is embedded.

fn main() {
    println!("cargo:rerun-if-changed=../../web/dist");
}
