//! A finished plot with its name.

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plot {
    /// The name of its file, without `.svg`.
    pub name: &'static str,
    pub svg: String,
}
