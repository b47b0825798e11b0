//! An SVG as PNG, drawn by resvg with the embedded font.
//!
//! May not: use a font of the machine, or follow a reference to a file.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, ImageHrefResolver, Options, Tree};

use super::font;

/// Most pixels of an image: 1 GB of memory.
const MOST_PIXELS: f64 = 250e6;

/// Why an SVG has no PNG.
#[derive(Debug, thiserror::Error)]
pub enum PngError {
    /// It is no SVG.
    #[error("the SVG cannot be read: {0}")]
    Svg(#[from] usvg::Error),
    /// The scale is no positive number, or the image would be too large.
    #[error("an image of {width} × {height} px at scale {scale} is not made: it would have no pixel, or too many")]
    Size {
        /// Of the SVG, in px.
        width: f32,
        /// Of the SVG, in px.
        height: f32,
        /// What was asked for.
        scale: f32,
    },
    /// It cannot be packed.
    #[error("the PNG cannot be written: {0}")]
    Encode(String),
}

/// The SVG as the bytes of a PNG, `scale` pixels for each of its px.
pub fn png(svg: &str, scale: f32) -> Result<Vec<u8>, PngError> {
    let mut options = Options {
        font_family: font::FAMILY.to_owned(),
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(|_, _, _| None),
            resolve_string: Box::new(|_, _| None),
        },
        ..Options::default()
    };
    options.fontdb_mut().load_font_data(font::bytes().to_vec());
    let tree = Tree::from_str(svg, &options)?;
    let (width, height) = (tree.size().width(), tree.size().height());
    let too_large = PngError::Size { width, height, scale };
    let pixels = |px: f32| f64::from(px) * f64::from(scale);
    let (wide, high) = (pixels(width).ceil(), pixels(height).ceil());
    if !(wide >= 1.0 && high >= 1.0 && wide * high <= MOST_PIXELS) {
        return Err(too_large);
    }
    let mut image = Pixmap::new(wide as u32, high as u32).ok_or(too_large)?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut image.as_mut());
    image.encode_png().map_err(|error| PngError::Encode(error.to_string()))
}
