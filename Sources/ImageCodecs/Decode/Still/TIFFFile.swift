import AlcedoCVips
import FoundationEssentials
import Raster

/// The kind of a TIFF file, which decides what library reads it.
///
/// Source of the tags: TIFF 6.0, sections 8, 15 and 21.
struct TIFFKind {
    /// Tiles with separate planes, predicted fractions of 16 bits, or bits that are no power of two or more than 32.
    var isForMagick = false
    /// Subsampled colours, the JPEG compression of TIFF 6.0, or strips of separate planes with extra samples.
    var isForLibtiff = false
    var size = PixelSize.zero
    /// Where the field lies that says that samples are fractions of 16 bits; nil for others.
    var halves: Range<Int>?

    init(_ data: Data) {
        guard let fields = data.withUnsafeBytes({ ExifDirectory(exif: $0) }) else { return }
        let (compression, colors) = (fields.number(259) ?? 1, fields.number(262))
        let bits = fields.number(258) ?? 1
        let hasPlanes = fields.number(284) == 2
        let isTiled = fields.number(322) != nil
        isForLibtiff =
            compression == 6 || colors == 6 && compression != 7
            || hasPlanes && !isTiled && bits <= 16 && fields.number(338) != nil
        let isHalf = bits == 16 && fields.number(339) == 3
        let isOdd = hasPlanes && isTiled || bits & (bits - 1) != 0 || bits > 32 || isHalf && fields.number(317) == 3
        isForMagick = !isForLibtiff && isOdd
        halves = isHalf && !isForLibtiff && !isOdd ? fields.place(of: 339) : nil
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

    /// The values that are shown as black and white.
    struct Range: Equatable {
        let low, high: Double

        /// Chooses the values for samples between two values.
        ///
        /// Fractions from 0 to 1 are shown as such; all others from the smallest to the largest.
        init(of samples: (low: Double, high: Double), areFractions: Bool) {
            let isUnit = areFractions && samples.low >= 0 && samples.high <= 1
            (low, high) = isUnit || samples.low > samples.high ? (0, 1) : samples
        }

        fileprivate init(_ stated: (low: Double, high: Double)) { (low, high) = stated }

        /// The values in words for the facts; nil for 0 and 1.
        var words: String? {
            (low, high) == (0, 1) ? nil : "black \(TIFFSamples.text(low)) to white \(TIFFSamples.text(high))"
        }
    }

    /// Returns the values that are shown as black and white: those that the file states, else by the samples; nil for
    /// samples that need none.
    ///
    /// - Parameter isWhole: False if the samples before the first damaged row are enough.
    func range(of image: borrowing VipsHandle, isWhole: Bool) throws(VipsFailure) -> Range? {
        let kind = image.withPointer { alcedo_vips_samples($0) }
        guard Int(kind) != alcedo_samples_plain else { return nil }
        if let stated { return Range(stated) }
        var (low, high) = (0.0, 0.0)
        let status = image.withPointer { alcedo_vips_range($0, colors(of: image), isWhole ? 1 : 0, &low, &high) }
        guard status == 0 else { throw VipsFailure.consumeLast() }
        return Range(of: (low, high), areFractions: Int(kind) == alcedo_samples_fractions)
    }

    /// Returns a picture without samples of unknown meaning; with a range, its samples have eight bits.
    func shown(_ image: borrowing VipsHandle, _ range: Range?) throws(VipsFailure) -> VipsHandle {
        let bands = hasUnspecified ? min(Int(colors(of: image)), image.bands) : image.bands
        let known = try image.applying { alcedo_vips_first_bands($0, Int32(bands), $1) }
        guard let range else { return known }
        return try known.applying { alcedo_vips_scale_samples($0, colors(of: image), range.low, range.high, $1) }
    }

    private func colors(of image: borrowing VipsHandle) -> Int32 { Int32(colors ?? (image.bands < 3 ? 1 : 3)) }

    fileprivate static func text(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : "\(Float(value))"
    }
}
