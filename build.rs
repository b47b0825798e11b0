//! A debug build lies at fixed addresses: the loader has nothing to relocate, which is half of the start of a program that the tests
//! start some ten thousand times. What users get, a release, stays at random addresses.

#[expect(clippy::disallowed_methods, reason = "what Cargo tells a build script")]
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var_os("PROFILE").is_some_and(|profile| profile == "debug") {
        println!("cargo::rustc-link-arg=-no-pie");
    }
}
