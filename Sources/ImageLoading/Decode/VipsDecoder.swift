import CVips
import Foundation
import Raster

/// Decodes with libvips: our allow-list first, then the format's own loader, then the limits, then pixels.
public struct VipsDecoder: ImageDecoding {
    public init() {}

    public func header(of data: Data, limits: DecodeLimits) throws(ImageError) -> ImageHeader {
        try limits.check(bytes: data.count)
        let format = try sniff(data)
        let header = try withBytes(of: data, format: format) { (bytes) throws(VipsFailure) in
            let image = try Loader(bytes: bytes, format: format).load(scaledBy: 1)
            return ImageHeader(format: format, size: image.uprightSize, frameCount: image.frames)
        }
        try limits.check(size: header.size, frames: header.frameCount)
        return header
    }

    public func decode(_ data: Data, within box: PixelSize?, limits: DecodeLimits) throws(ImageError) -> Image {
        let header = try header(of: data, limits: limits)
        let pixels = try withBytes(of: data, format: header.format) { (bytes) throws(VipsFailure) in
            try Self.pixels(of: Loader(bytes: bytes, format: header.format), size: header.size, box: box)
        }
        return Image(
            pixels: pixels, originalSize: header.size, format: header.format, frameCount: header.frameCount,
            byteCount: data.count)
    }

    private func sniff(_ data: Data) throws(ImageError) -> ImageFormat {
        switch FormatSniffer.judge(data, isWhole: true) {
        case .format(let format): return format
        case .undecided: throw .response(.notAnImage("too short"))
        case .refused(let appearance): throw .response(.notAnImage(appearance))
        }
    }

    private static func pixels(
        of loader: Loader, size: PixelSize, box: PixelSize?
    ) throws(VipsFailure) -> PixelBuffer {
        let target = box.flatMap { $0.isEmpty ? nil : size.scaled(to: $0) } ?? size
        let shrink = min(
            Double(size.width) / Double(max(1, target.width)), Double(size.height) / Double(max(1, target.height)))
        let fitted = try loader.load(scaledBy: shrink).resized(toUpright: target)
        let colored = fitted.hasProfile ? try fitted.fromProfile() : fitted
        let upright = colored.isUpright ? colored : try colored.applying(alcedo_vips_upright)
        return try upright.eightBitRGBA()
    }

    private func withBytes<Result: Sendable>(
        of data: Data, format: ImageFormat, _ body: (UnsafeRawBufferPointer) throws(VipsFailure) -> Result
    ) throws(ImageError) -> Result {
        let outcome: Swift.Result<Result, VipsFailure> = data.withUnsafeBytes { bytes in
            do throws(VipsFailure) { return .success(try body(bytes)) } catch { return .failure(error) }
        }
        switch outcome {
        case .success(let result): return result
        case .failure(let failure): throw .processor(.decodingFailed(format: format.rawValue, failure.message))
        }
    }
}

/// The explicit loader of one format over bytes that outlive it.
private struct Loader {
    let bytes: UnsafeRawBufferPointer
    let format: ImageFormat

    /// Opens the picture; formats that can scale while decoding do so, never below the asked size.
    func load(scaledBy shrink: Double) throws(VipsFailure) -> VipsHandle {
        let base = bytes.baseAddress
        let count = bytes.count
        switch format {
        case .jpeg: return try VipsHandle { alcedo_vips_load_jpeg(base, count, jpegShrink(shrink), $0) }
        case .png: return try VipsHandle { alcedo_vips_load_png(base, count, $0) }
        case .gif: return try VipsHandle { alcedo_vips_load_gif(base, count, $0) }
        case .webP: return try VipsHandle { alcedo_vips_load_webp(base, count, shrink > 1 ? 1 / shrink : 1, $0) }
        }
    }

    /// libjpeg scales by 1/2, 1/4 and 1/8 within the inverse transform.
    private func jpegShrink(_ shrink: Double) -> Int32 {
        [8, 4, 2].first { Double($0) <= shrink } ?? 1
    }
}

extension VipsHandle {
    /// Scaled to exactly this size once upright.
    fileprivate consuming func resized(toUpright target: PixelSize) throws(VipsFailure) -> VipsHandle {
        if uprightSize == target { return self }
        let isTurned = uprightSize != storedSize
        let width = Int32(isTurned ? target.height : target.width)
        let height = Int32(isTurned ? target.width : target.height)
        return try applying { alcedo_vips_resize($0, $1, width, height) }
    }

    /// In sRGB by the picture's own profile; one that makes no sense is left out of account.
    fileprivate consuming func fromProfile() throws(VipsFailure) -> VipsHandle {
        do { return try applying(alcedo_vips_profile_to_srgb) } catch {
            vips_error_clear()
            return self
        }
    }

    /// Four bands of eight bits in sRGB, evaluated.
    consuming func eightBitRGBA() throws(VipsFailure) -> PixelBuffer {
        var image = self
        if !image.isSRGB { image = try image.applying(alcedo_vips_to_srgb) }
        if !image.isEightBit { image = try image.applying(alcedo_vips_to_bytes) }
        if image.bands == 3 { image = try image.applying(alcedo_vips_add_alpha) }
        return try image.pixels()
    }
}
