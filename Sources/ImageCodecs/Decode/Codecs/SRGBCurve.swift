import Foundation

/// The transfer functions of sRGB, from 0 for black to 1 for white.
///
/// Source: IEC 61966-2-1.
enum SRGBCurve {
    /// Returns the linear light of a sample.
    static func light(_ sample: Double) -> Double {
        sample <= 0.04045 ? sample / 12.92 : pow((sample + 0.055) / 1.055, 2.4)
    }

    /// Returns the sample of linear light.
    static func sample(_ light: Double) -> Double {
        light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
}
