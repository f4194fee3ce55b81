import Foundation
import Raster

/// Decodes still JPEG, PNG and WebP in sRGB with the formats' own libraries; everything else is libvips' business.
///
/// That is: animations, CMYK, profiles other than sRGB's, 16 bits a channel, and every file that a codec refuses.
/// libvips' word on what is damaged counts, so that both give the same pictures and the same errors; it is loaded when
/// it is first asked.
public struct CodecDecoder: ImageDecoding {
    private let rest = VipsDecoder()

    public init() {}

    public func header(of data: Data, limits: DecodeLimits) throws(CodecError) -> ImageHeader {
        try limits.check(bytes: data.count)
        let header = data.withUnsafeBytes { bytes in CodecFormat.open(bytes)?.header }
        guard let header else { return try rest.header(of: data, limits: limits) }
        try limits.check(size: header.size, frames: 1)
        return header
    }

    public func decode(_ data: Data, within box: PixelSize?, limits: DecodeLimits) throws(CodecError) -> Image {
        try decode(data, within: box, limits: limits, animation: AnimationLoading())
    }

    public func decode(
        _ data: Data, within box: PixelSize?, limits: DecodeLimits, animation loading: AnimationLoading
    ) throws(CodecError) -> Image {
        try limits.check(bytes: data.count)
        let image = data.withUnsafeBytes { bytes -> Image? in
            guard let codec = CodecFormat.open(bytes) else { return nil }
            let size = codec.header.size
            // One over the limits is for libvips to refuse.
            guard (try? limits.check(size: size, frames: 1)) != nil else { return nil }
            let target = box.flatMap { $0.isEmpty ? nil : size.scaled(to: $0) } ?? size
            guard let pixels = codec.picture(upright: target) else { return nil }
            return Image(
                pixels: pixels, originalSize: size, format: codec.format, frameCount: 1, byteCount: data.count)
        }
        if let image { return image }
        return try rest.decode(data, within: box, limits: limits, animation: loading)
    }
}

/// A still picture's file that its format's own library has opened; its bytes outlive it.
protocol Codec {
    var format: ImageFormat { get }
    /// As the file states it, not upright.
    var storedSize: PixelSize { get }
    var orientation: Orientation { get }
    /// The pixels, not upright, scaled to a size that is no larger; nil where the library refuses.
    func pixels(scaledTo target: PixelSize) -> PixelBuffer?
}

extension Codec {
    var header: ImageHeader { ImageHeader(format: format, size: orientation.upright(storedSize), frameCount: 1) }

    func picture(upright target: PixelSize) -> PixelBuffer? {
        pixels(scaledTo: orientation.upright(target)).map(orientation.upright)
    }
}

/// The formats that have a codec.
enum CodecFormat {
    /// The codec for a file; nil where there is none, or where it refuses.
    static func open(_ bytes: UnsafeRawBufferPointer) -> (any Codec)? {
        guard case .format(let format) = FormatSniffer.judge(bytes, isWhole: true) else { return nil }
        switch format {
        case .jpeg: return JPEGCodec(bytes)
        case .png: return PNGCodec(bytes)
        case .webP: return WebPCodec(bytes)
        case .gif: return nil
        }
    }
}
