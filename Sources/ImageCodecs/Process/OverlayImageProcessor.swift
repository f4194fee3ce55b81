import Raster

/// A processor that mixes the picture with a colour and keeps the picture's shape.
///
/// The fraction 0 gives the solid colour, 1 the unchanged picture. With f the fraction, αi, Ci the picture and αc, Cc
/// the colour: αo = αi · (f + (1 − f) · αc) and co = αi · (f · Ci + (1 − f) · αc · Cc), premultiplied. For an opaque
/// colour this is Kingfisher's formula, except that Kingfisher squares the alpha of transparent pictures.
public struct OverlayImageProcessor: ImageProcessor {
    /// The colour to mix with, including its alpha.
    public let color: Color
    /// The fraction of the picture; 0.5 by default, clamped to 0…1.
    public let fraction: Double

    public init(overlay color: Color, fraction: Double = 0.5) {
        self.color = color
        self.fraction = fraction.limited(to: 0...1, fallback: 0.5)
    }

    public var identifier: String { "overlay(\(ColorText.text(color)), \(NumberText.text(fraction)))" }

    public func process(_ image: Image) -> Image {
        guard fraction < 1 else { return image }
        let color = Pixel(color).premultiplied * Float(1 - fraction)
        let weight = Float(fraction)
        // The picture's alpha scales only the alpha of the result; the mixed colour does not depend on it.
        return image.with(
            image.pixels.mapped { pixel in
                var mixed = Pixel(pixel.x, pixel.y, pixel.z, 1) * weight + color
                mixed = mixed.straight
                mixed.w *= pixel.w
                return mixed
            })
    }
}
