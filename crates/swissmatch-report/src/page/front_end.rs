//! The front end, as it was built and embedded.
//!
//! May not: know what the page shows.

use rust_embed::RustEmbed;

/// What `npm run build` in `web/` has made, where it was run before this program was built.
#[derive(RustEmbed)]
#[folder = "../../web/dist"]
struct FrontEndFiles;

/// The three files of the front end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrontEnd {
    /// One script, to stand in the page.
    pub script: String,
    /// One style sheet.
    pub style: String,
    /// The licences of what is in both.
    pub licences: String,
}

impl FrontEnd {
    /// What is embedded; `None`: the program was built without it.
    pub fn embedded() -> Option<Self> {
        let text = |name: &str| String::from_utf8(FrontEndFiles::get(name)?.data.into_owned()).ok();
        Some(Self {
            script: text("page.js")?,
            style: text("page.css")?,
            licences: text("licences.txt")?,
        })
    }
}
