import Raster

/// Mixes the picture with a colour in the picture's shape: fraction 0 is the solid colour, 1 the untouched picture.
///
/// With f the fraction, αi, Ci the picture and αc, Cc the colour: αo = αi · (f + (1 − f) · αc) and
/// co = αi · (f · Ci + (1 − f) · αc · Cc), premultiplied. For a colour without transparency this is the model's
/// formula; the model squares the alpha of transparent pictures, this does not.
public struct OverlayImageProcessor: ImageProcessor {
    /// What the picture is mixed with; its alpha counts.
    public let color: Color
    /// 0.5 by default, clamped to 0…1.
    public let fraction: Double

    public init(color: Color, fraction: Double = 0.5) {
        self.color = color
        self.fraction = fraction.limited(to: 0...1, fallback: 0.5)
    }

    public var identifier: String { "overlay(\(ColorText.text(color)), \(NumberText.text(fraction)))" }

    public func process(_ image: Image) -> Image {
        guard fraction < 1 else { return image }
        let color = Pixel(color).premultiplied * Float(1 - fraction)
        let weight = Float(fraction)
        // The colour of a mix does not depend on the picture's alpha, which only scales the result's.
        return image.with(
            image.pixels.mapped { pixel in
                var mixed = Pixel(pixel.x, pixel.y, pixel.z, 1) * weight + color
                mixed = mixed.straight
                mixed.w *= pixel.w
                return mixed
            })
    }
}
