//! The front end as it was built and embedded.
//!
//! May not: know what the page shows.

use rust_embed::RustEmbed;

/// The output of `npm run build` in `web/`, if that was run before this program was built.
#[derive(RustEmbed)]
#[folder = "../../web/dist"]
struct FrontEndFiles;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrontEnd {
    /// One script, which stands in the page.
    pub script: String,
    pub style: String,
    /// The licences of the code in both.
    pub licences: String,
}

impl FrontEnd {
    /// The embedded front end; `None` if the program was built without it.
    pub fn embedded() -> Option<Self> {
        let text = |name: &str| String::from_utf8(FrontEndFiles::get(name)?.data.into_owned()).ok();
        Some(Self {
            script: text("page.js")?,
            style: text("page.css")?,
            licences: text("licences.txt")?,
        })
    }
}
