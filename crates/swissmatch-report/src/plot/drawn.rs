//! A plot as it is written: in both forms, by name.

use super::png::{PngError, png};

/// Pixels of an image for each of the SVG's.
const SCALE: f32 = 2.0;

/// A plot in both forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plot {
    /// The name of its files, without what tells the form.
    pub name: &'static str,
    /// As SVG.
    pub svg: String,
    /// As PNG.
    pub png: Vec<u8>,
}

impl Plot {
    /// This SVG, with its image.
    ///
    /// # Errors
    /// When the image cannot be made.
    pub fn new(name: &'static str, svg: String) -> Result<Self, PngError> {
        let png = png(&svg, SCALE)?;
        Ok(Self { name, svg, png })
    }
}
