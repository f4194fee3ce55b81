import FoundationEssentials
import Glibc
import Raster

/// A processor that changes saturation, contrast, brightness and exposure, in this order; alpha is unchanged.
///
/// It works on sRGB values in 0…1, with the luma Y = 0.2126 R + 0.7152 G + 0.0722 B (ITU-R BT.709):
/// - saturation: c₁ = Y + s · (c − Y)
/// - contrast and brightness: c₂ = (c₁ − ½) · contrast + ½ + brightness
/// - exposure, in linear light: c₃ = encode(decode(c₂) · 2^EV), with the transfer functions of IEC 61966-2-1
///
/// Only the final result is clamped to 0…1. The formulas are those that Apple documents for CIColorControls and
/// CIExposureAdjust, which Kingfisher applies in sequence.
public struct ColorControlsProcessor: ImageProcessor {
    /// The value added to every channel; 0 by default, −1…1.
    public let brightness: Double
    /// The factor of the distance from middle grey; 1 by default, 0…4.
    public let contrast: Double
    /// The factor of the distance from grey; 1 by default, 0…4, where 0 gives grey.
    public let saturation: Double
    /// The exposure in stops; 0 by default, −10…10.
    public let inputEV: Double

    /// Creates a processor; values out of range are clamped.
    public init(brightness: Double = 0, contrast: Double = 1, saturation: Double = 1, inputEV: Double = 0) {
        self.brightness = brightness.limited(to: Self.brightnessRange)
        self.contrast = contrast.limited(to: Self.factorRange, fallback: 1)
        self.saturation = saturation.limited(to: Self.factorRange, fallback: 1)
        self.inputEV = inputEV.limited(to: Self.exposureRange)
    }

    static let brightnessRange = -1.0...1.0
    static let factorRange = 0.0...4.0
    static let exposureRange = -10.0...10.0

    public var identifier: String {
        var text = IdentifierText("color")
        text.add("brightness", brightness == 0 ? nil : NumberText.text(brightness))
        text.add("contrast", contrast == 1 ? nil : NumberText.text(contrast))
        text.add("saturation", saturation == 1 ? nil : NumberText.text(saturation))
        text.add("exposure", inputEV == 0 ? nil : NumberText.text(inputEV))
        return text.whole
    }

    public func process(_ image: Image) -> Image {
        let saturation = Float(saturation)
        let contrast = Float(contrast)
        let bias = Float(0.5 - 0.5 * Double(contrast) + brightness)
        let weights = Pixel(0.2126, 0.7152, 0.0722, 0)
        let controls = { (pixel: Pixel) -> Pixel in
            let luma = Pixel(repeating: (pixel * weights).sum())
            var result = (luma + (pixel - luma) * saturation) * contrast + bias
            result.w = pixel.w
            return result
        }
        guard inputEV != 0 else { return image.with(image.pixels.mapped(controls)) }
        let exposure = ExposureCurve(stops: inputEV)
        return image.with(
            image.pixels.mapped { pixel in
                let color = controls(pixel)
                return Pixel(exposure[color.x], exposure[color.y], exposure[color.z], pixel.w)
            })
    }
}

/// A tabulated exposure curve over sRGB values: encode(decode(v) · 2^EV), clamped to 0…1.
struct ExposureCurve {
    private static let steps = 4096
    /// The results for equally spaced inputs from 0 to the value that becomes white; others are interpolated.
    private let table: [Float]
    private let scale: Float

    init(stops: Double) {
        let white = SRGBCurve.sample(exp2(-stops))
        table = (0...Self.steps).map { step in
            Float(min(1, SRGBCurve.sample(SRGBCurve.light(white * Double(step) / Double(Self.steps)) * exp2(stops))))
        }
        scale = Float(Double(Self.steps) / white)
    }

    subscript(value: Float) -> Float {
        let position = value * scale
        guard position > 0 else { return 0 }
        guard position < Float(Self.steps) else { return 1 }
        let index = Int(position)
        return table[index] + (table[index + 1] - table[index]) * (position - Float(index))
    }
}

/// A processor that sets every channel to the luma Y′ = 0.2126 R′ + 0.7152 G′ + 0.0722 B′ (ITU-R BT.709).
///
/// Kingfisher also brightens by 0.7 EV, which clips highlights; `color(saturation: 0, exposure: 0.7)` gives that
/// result.
public struct BlackWhiteProcessor: ImageProcessor {
    /// Creates the processor.
    public init() {}

    public var identifier: String { "bw" }

    public func process(_ image: Image) -> Image {
        ColorControlsProcessor(saturation: 0).process(image)
    }
}

/// A processor that draws a colour over the whole picture, source-over.
///
/// co = αc·Cc + αi·Ci·(1 − αc), αo = αc + αi·(1 − αc): W3C Compositing and Blending Level 1, section 9.1.4. Transparent
/// pixels receive the colour too.
public struct TintImageProcessor: ImageProcessor {
    /// The colour drawn over the picture; an opaque colour hides it.
    public let color: Color

    /// Creates a processor for a colour.
    public init(tint color: Color) { self.color = color }

    public var identifier: String { "tint(\(ColorText.text(color)))" }

    public func process(_ image: Image) -> Image {
        let color = Pixel(color)
        return image.with(image.pixels.mapped { color.over($0) })
    }
}

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

    /// Creates a processor for a colour and the fraction of the picture that stays.
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

extension ImageProcessor where Self == OverlayImageProcessor {
    /// Returns a processor that lays a colour over the picture; a fraction of 0 hides it, 1 leaves it unchanged.
    public static func overlay(_ color: Color, fraction: Double = 0.5) -> Self {
        Self(overlay: color, fraction: fraction)
    }
}

extension ImageProcessor where Self == TintImageProcessor {
    /// Returns a processor that tints the picture.
    public static func tint(_ color: Color) -> Self { Self(tint: color) }
}

extension ImageProcessor where Self == BlackWhiteProcessor {
    /// A processor that removes the colours.
    public static var blackWhite: Self { Self() }
}

extension ImageProcessor where Self == ColorControlsProcessor {
    /// Returns a processor that adjusts the colours; by default nothing changes.
    public static func colorControls(
        brightness: Double = 0, contrast: Double = 1, saturation: Double = 1, inputEV: Double = 0
    ) -> Self {
        Self(brightness: brightness, contrast: contrast, saturation: saturation, inputEV: inputEV)
    }
}
