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
