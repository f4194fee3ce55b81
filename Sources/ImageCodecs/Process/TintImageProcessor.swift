import Raster

/// A processor that draws a colour over the whole picture, source-over.
///
/// co = αc·Cc + αi·Ci·(1 − αc), αo = αc + αi·(1 − αc): W3C Compositing and Blending Level 1, section 9.1.4. Transparent
/// pixels receive the colour too.
public struct TintImageProcessor: ImageProcessor {
    /// The colour drawn over the picture; an opaque colour hides it.
    public let color: Color

    public init(tint color: Color) { self.color = color }

    public var identifier: String { "tint(\(ColorText.text(color)))" }

    public func process(_ image: Image) -> Image {
        let color = Pixel(color)
        return image.with(image.pixels.mapped { color.over($0) })
    }
}
