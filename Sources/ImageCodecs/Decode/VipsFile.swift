import CVips
import Foundation
import Raster

/// The file of a still picture, read by the libvips loader of its format.
struct VipsFile {
    let data: Data
    private let format: ImageFormat

    init(_ data: Data, format: ImageFormat) {
        self.data = data
        self.format = format
    }

    /// Calls a closure with a loader that is valid during the call.
    ///
    /// - Parameters:
    ///   - isWhole: False to decode a damaged file as far as possible.
    ///   - body: The closure.
    /// - Throws: `.processor(.decodingFailed)` with the reason.
    func read<Result: Sendable>(
        isWhole: Bool = true, _ body: (VipsLoader) throws(VipsFailure) -> Result
    ) throws(CodecError) -> Result {
        InProcessDecoding.check()
        do throws(VipsFailure) {
            return try data.withBytes { (bytes) throws(VipsFailure) in
                try body(VipsLoader(bytes: bytes, format: format, isWhole: isWhole))
            }
        } catch {
            let reason = DamageReport.reason(for: error.message, in: data, of: format)
            throw .processor(.decodingFailed(format: format.rawValue, reason))
        }
    }
}

/// The libvips loader of one format, over bytes that outlive it.
struct VipsLoader {
    let bytes: UnsafeRawBufferPointer
    let format: ImageFormat
    let isWhole: Bool

    /// Opens the picture; JPEG and WebP are scaled while decoding, never below the requested size.
    ///
    /// - Parameter shrink: The factor by which the sides may be divided.
    func load(scaledBy shrink: Double) throws(VipsFailure) -> VipsHandle {
        let base = bytes.baseAddress
        let count = bytes.count
        switch format {
        case .jpeg:
            return try VipsHandle { alcedo_vips_load_jpeg(base, count, jpegShrink(shrink), isWhole ? 1 : 0, $0) }
        case .png: return try VipsHandle { alcedo_vips_load_png(base, count, isWhole ? 1 : 0, $0) }
        case .webP: return try VipsHandle { alcedo_vips_load_webp(base, count, 1 / max(1, shrink), $0) }
        default: throw VipsFailure(message: "it has a loader of its own")
        }
    }

    /// Decodes the picture and scales it down to fit a box.
    ///
    /// - Parameters:
    ///   - size: The upright size of the picture.
    ///   - box: The box to fit; nil or an empty box keeps the size.
    func picture(of size: PixelSize, within box: PixelSize?) throws(VipsFailure) -> PixelBuffer {
        let target = size.fitted(into: box)
        let shrink = min(
            Double(size.width) / Double(max(1, target.width)), Double(size.height) / Double(max(1, target.height)))
        return try load(scaledBy: shrink).picture(upright: target)
    }

    /// Returns the largest divisor that libjpeg supports (1, 2, 4 or 8) up to `shrink`.
    private func jpegShrink(_ shrink: Double) -> Int32 {
        [8, 4, 2].first { Double($0) <= shrink } ?? 1
    }
}

extension VipsHandle {
    /// Evaluates the picture in exactly the size `target`, upright, in sRGB, with four bands of eight bits.
    consuming func picture(upright target: PixelSize) throws(VipsFailure) -> PixelBuffer {
        let fitted = try resized(toUpright: target)
        let colored = fitted.hasProfile ? try fitted.fromProfile() : fitted
        let upright = colored.isUpright ? colored : try colored.applying(alcedo_vips_upright)
        return try upright.eightBitRGBA()
    }

    consuming func resized(toUpright target: PixelSize) throws(VipsFailure) -> VipsHandle {
        if uprightSize == target { return self }
        let isTurned = uprightSize != storedSize
        let width = Int32(isTurned ? target.height : target.width)
        let height = Int32(isTurned ? target.width : target.height)
        return try applying { alcedo_vips_resize($0, $1, width, height) }
    }

    /// Converts to sRGB by the embedded colour profile; an invalid profile is ignored.
    private consuming func fromProfile() throws(VipsFailure) -> VipsHandle {
        do { return try applying(alcedo_vips_profile_to_srgb) } catch {
            alcedo_vips_clear_error()
            return self
        }
    }

    /// Evaluates the image in sRGB with four bands of eight bits.
    consuming func eightBitRGBA() throws(VipsFailure) -> PixelBuffer {
        var image = self
        if !image.isSRGB { image = try image.applying(alcedo_vips_to_srgb) }
        if !image.isEightBit { image = try image.applying(alcedo_vips_to_bytes) }
        if image.bands == 3 { image = try image.applying(alcedo_vips_add_alpha) }
        return try image.pixels()
    }
}
