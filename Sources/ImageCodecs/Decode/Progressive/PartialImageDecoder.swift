import CVips
import Foundation
import Raster

/// A decoder of incomplete progressive JPEGs.
///
/// The pictures are previews and must not be cached.
package struct PartialImageDecoder: Sendable {
    package init() {}

    /// Decodes the picture that the scans up to the given one show, upright, in sRGB.
    ///
    /// - Parameter isBlur: Whether the picture is blurred by a Gaussian of σ = max(2, 14 − 4n) pixels after scan n, up to
    ///   the fifth.
    package func picture(
        of data: Data, through scan: ProgressiveScan, within box: PixelSize? = nil, isBlur: Bool = true,
        limits: DecodeLimits = .standard
    ) throws(CodecError) -> Image {
        try limits.check(bytes: data.count)
        let part = data.prefix(max(0, scan.end)) + [0xFF, 0xD9]
        let file = VipsFile(part, format: .jpeg)
        let size = try file.read(isWhole: false) { (file) throws(VipsFailure) in try file.load(scaledBy: 1).uprightSize
        }
        try limits.check(size: size, frames: 1)
        var pixels = try file.read(isWhole: false) { (file) throws(VipsFailure) in
            try file.picture(of: size, within: box)
        }
        if isBlur, let sigma = Self.blurRadius(afterScan: scan.number) {
            pixels = pixels.blurred(sigma: sigma)
        }
        return Image(pixels: pixels, originalSize: size, format: .jpeg, frameCount: 1, byteCount: data.count)
    }

    /// Returns the blur's σ in pixels after a scan; nil from the sixth scan on.
    static func blurRadius(afterScan number: Int) -> Double? {
        number < 6 ? Double(max(2, 14 - 4 * max(1, number))) : nil
    }
}
