import AlcedoCVips
import Foundation
import Raster

/// The kind of a TIFF file, which decides what library reads it.
///
/// Source of the tags: TIFF 6.0, sections 8, 15 and 21.
struct TIFFKind {
    /// Tiles with separate planes, or samples whose bits are no power of two or more than 32.
    var isForMagick = false
    /// Subsampled colours, the JPEG compression of TIFF 6.0, or strips of separate planes with extra samples.
    var isForLibtiff = false
    var size = PixelSize.zero

    init(_ data: Data) {
        guard let fields = data.withUnsafeBytes({ ExifDirectory(exif: $0) }) else { return }
        let (compression, colors) = (fields.number(259) ?? 1, fields.number(262))
        let bits = fields.number(258) ?? 1
        let hasPlanes = fields.number(284) == 2
        let isTiled = fields.number(322) != nil
        isForLibtiff =
            compression == 6 || colors == 6 && compression != 7
            || hasPlanes && !isTiled && bits <= 16 && fields.number(338) != nil
        isForMagick = !isForLibtiff && (hasPlanes && isTiled || bits & (bits - 1) != 0 || bits > 32)
        size = PixelSize(width: fields.number(256) ?? 0, height: fields.number(257) ?? 0)
    }
}

/// The samples of a TIFF file that libvips has opened.
///
/// Source of the tags: TIFF 6.0, sections 8 and 18 (ExtraSamples), 19 (SMinSampleValue, SMaxSampleValue).
struct TIFFSamples {
    /// The samples of a pixel that are colours.
    private let colors: Int?
    /// Whether the first of the other samples has no stated meaning, so that it is not alpha.
    private let hasUnspecified: Bool
    /// The values that the file states for black and white.
    private let stated: (low: Double, high: Double)?

    init(_ file: UnsafeRawBufferPointer) {
        guard let fields = ExifDirectory(exif: file) else {
            (colors, hasUnspecified, stated) = (nil, false, nil)
            return
        }
        colors =
            switch fields.number(262) {
            case 0, 1: 1
            case 2: 3
            default: nil
            }
        hasUnspecified = fields.number(338) == 0
        if let low = fields.value(340), let high = fields.value(341), low < high {
            stated = (low, high)
        } else {
            stated = nil
        }
    }

    /// Returns a picture without samples of unknown meaning, whose samples have eight bits, or 16 without a sign.
    ///
    /// Other samples are scaled: to the range that the file states; of fractions from 0 to 1, to that; else to the range
    /// of their values. The range becomes a part of the facts.
    func inEightBits(
        _ image: borrowing VipsHandle, _ facts: inout ColorFacts?
    ) throws(VipsFailure) -> VipsHandle {
        let colors = colors ?? (image.bands < 3 ? 1 : 3)
        var (low, high) = stated ?? (0, 0)
        let bands = hasUnspecified ? min(colors, image.bands) : image.bands
        let scaled = try image.applying { alcedo_vips_first_bands($0, Int32(bands), $1) }
            .applying { alcedo_vips_scale_samples($0, Int32(colors), &low, &high, $1) }
        if low < high, (low, high) != (0, 1), facts?.profile == nil {
            facts?.profile = "black \(Self.text(low)) to white \(Self.text(high))"
        }
        return scaled
    }

    private static func text(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(format: "%g", value)
    }
}
