import CVips
import Foundation
import Raster

/// A decoder that uses libvips.
///
/// It detects the format, selects the loader of that format, checks the limits, and then decodes pixels.
public struct VipsDecoder: ImageDecoding {
    public init() {}

    public func header(of data: Data, limits: DecodeLimits) throws(CodecError) -> ImageHeader {
        try limits.check(bytes: data.count)
        let format = try sniff(data)
        if format == .jpeg, let kind = data.withUnsafeBytes({ JPEGSegments.unsupportedKind($0) }) {
            throw .processor(.decoderUnavailable("\(kind) is not supported by libjpeg-turbo 2"))
        }
        // libvips ignores a wrong checksum, but the sizes in the header must be reliable.
        if format == .png, !data.withUnsafeBytes(PNGChunks.hasIntactHeader) {
            throw .processor(.decodingFailed(format: format.rawValue, "the checksum of the header is wrong"))
        }
        var tolerant = limits
        tolerant.allowsDamage = true
        let repaired = try repaired(data, format, tolerant)
        if format == .gif {
            let file = try GIFFile(data, limits: limits)
            return ImageHeader(format: format, size: file.canvas, frameCount: file.frames.count)
        }
        if format == .png, let file = try APNGFile(data, limits: limits) {
            let size = file.orientation.upright(file.canvas)
            return ImageHeader(format: format, size: size, frameCount: file.frames.count)
        }
        let header = try VipsFile(repaired.file, format: format).read(isWhole: false) { (file) throws(VipsFailure) in
            let image = try file.load(scaledBy: 1)
            return ImageHeader(format: format, size: image.uprightSize, frameCount: image.frames)
        }
        try limits.check(size: header.size, frames: header.frameCount)
        return header
    }

    /// Decodes the first frame and, for an animation, the data from which frames are decoded on demand.
    public func decode(_ data: Data, within box: PixelSize?, limits: DecodeLimits) throws(CodecError) -> Image {
        try decode(data, within: box, limits: limits, animation: AnimationLoading())
    }

    public func decode(
        _ data: Data, within box: PixelSize?, limits: DecodeLimits, animation loading: AnimationLoading
    ) throws(CodecError) -> Image {
        let header = try header(of: data, limits: limits)
        // An animated PNG with one frame need not show its default image.
        let isComposed = header.format == .png ? try APNGFile(data, limits: limits) != nil : false
        if header.format == .gif || header.frameCount > 1 || isComposed {
            return try moving(data, header, within: box, limits: limits, loading)
        }
        let repaired = try repaired(data, header.format, limits)
        var decoded = try still(repaired.file, header, within: box, limits)
        decoded.damage = repaired.damage ?? decoded.damage
        return Image(decoded, header, byteCount: data.count)
    }

    /// Decodes a still picture; with `limits.allowsDamage`, as far as possible.
    private func still(
        _ data: Data, _ header: ImageHeader, within box: PixelSize?, _ limits: DecodeLimits
    ) throws(CodecError) -> DecodedPixels {
        let file = VipsFile(data, format: header.format)
        func pixels(isWhole: Bool) throws(CodecError) -> PixelBuffer {
            if header.format == .png { return try file.pngPicture(of: header.size, within: box, isWhole: isWhole) }
            return try file.read(isWhole: isWhole) { (file) throws(VipsFailure) in
                try file.picture(of: header.size, within: box)
            }
        }
        do throws(CodecError) { return DecodedPixels(pixels: try pixels(isWhole: true)) } catch {
            guard case .processor(.decodingFailed(_, let reason)) = error else { throw error }
            let damage = PictureDamage(reason: reason)
            try limits.check(damage, of: header.format)
            if header.format == .webP {
                let target = box.flatMap { $0.isEmpty ? nil : header.size.scaled(to: $0) } ?? header.size
                guard let part = data.withUnsafeBytes({ WebPCodec($0)?.part(upright: target) }) else { throw error }
                return part
            }
            return DecodedPixels(pixels: try pixels(isWhole: false), damage: damage)
        }
    }

    /// Returns a file whose chunks libvips can trust, and the damage of the original one.
    ///
    /// libvips allocates as much as a chunk states, up to 2 GiB.
    private func repaired(
        _ data: Data, _ format: ImageFormat, _ limits: DecodeLimits
    ) throws(CodecError) -> (file: Data, damage: PictureDamage?) {
        if format == .png {
            let repair = PNGRepair(data)
            guard let damage = repair.damage else { return (data, nil) }
            guard repair.hasPixels else {
                throw .processor(.decodingFailed(format: format.rawValue, "the file ends before its pixels"))
            }
            try limits.check(damage, of: format)
            return (repair.file, damage)
        }
        // libjpeg tells a file without its end mark from one without all of its pixels.
        guard format != .jpeg, !data.withUnsafeBytes({ CompletenessCheck.isThere(in: $0, of: format) }) else {
            return (data, nil)
        }
        let damage = PictureDamage.incomplete("the file is cut off")
        try limits.check(damage, of: format)
        return (data, damage)
    }

    private func sniff(_ data: Data) throws(CodecError) -> ImageFormat {
        switch FormatSniffer.judge(data, isWhole: true) {
        case .format(let format) where ImageFormat.trusted.contains(format): return format
        case .format(let format): throw .unsupported(format)
        case .undecided: throw .notAnImage("too short")
        case .refused(let appearance): throw .notAnImage(appearance)
        }
    }

    private func moving(
        _ data: Data, _ header: ImageHeader, within box: PixelSize?, limits: DecodeLimits, _ loading: AnimationLoading
    ) throws(CodecError) -> Image {
        let animation = try animation(data, header, limits)
        var reader = try FrameReaderFactory(animation, within: box, limits: limits).make()
        let first = try reader.frame(at: 0)
        let damage = (reader as? GIFFrameReader)?.damage
        var image = Image(DecodedPixels(pixels: first, damage: damage), header, byteCount: data.count)
        guard header.frameCount > 1, !loading.onlyFirstFrame else { return image }
        image.animation = animation
        guard loading.preloadsAllFrames else { return image }
        try limits.check(allFrames: animation.frameCount, of: header.size)
        var frames: [PixelBuffer] = []
        for index in 0..<animation.frameCount {
            guard !Task.isCancelled else { throw .cancelled }
            frames.append(try reader.frame(at: index))
        }
        image.animation = Animation(
            file: data, delays: animation.delays, loopCount: animation.loopCount, canvasSize: header.size,
            frames: frames)
        return image
    }

    private func animation(
        _ data: Data, _ header: ImageHeader, _ limits: DecodeLimits
    ) throws(CodecError) -> Animation {
        if header.format == .gif {
            let file = try GIFFile(data, limits: limits)
            return Animation(
                file: data, delays: file.frames.map(\.delay), loopCount: file.loopCount, canvasSize: file.canvas)
        }
        if header.format == .png, let file = try APNGFile(data, limits: limits) {
            return Animation(
                file: data, delays: file.frames.map(\.delay), loopCount: file.loopCount, canvasSize: header.size)
        }
        return try VipsFile(data, format: header.format).read { (file) throws(VipsFailure) in
            let image = try file.load(scaledBy: 1)
            let delays = image.delays + Array(repeating: 0, count: max(0, header.frameCount - image.delays.count))
            return Animation(
                file: data, delays: delays.prefix(header.frameCount).map { .milliseconds($0) },
                loopCount: image.loopCount, canvasSize: header.size)
        }
    }
}

extension Image {
    fileprivate init(_ decoded: DecodedPixels, _ header: ImageHeader, byteCount: Int) {
        self.init(
            pixels: decoded.pixels, originalSize: header.size, format: header.format, frameCount: header.frameCount,
            byteCount: byteCount)
        damage = decoded.damage
    }
}
