import CVips
import Foundation
import Raster

/// Makes pictures of a progressive JPEG whose last scans are still to come.
///
/// They are for the eye only: no cache may keep one.
public struct PartialImageDecoder: Sendable {
    public init() {}

    /// The picture as the file's scans up to this one show it, upright, in sRGB, no larger than `box` needs.
    ///
    /// With `isBlur` it is blurred by a Gaussian of σ = max(2, 14 − 4n) pixels after the scan n, and from the sixth on
    /// not at all. `data` may hold more than the scan. Throws `.processor`.
    public func picture(
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

    /// σ in pixels; nil from the sixth scan on.
    static func blurRadius(afterScan number: Int) -> Double? {
        number < 6 ? Double(max(2, 14 - 4 * max(1, number))) : nil
    }
}
