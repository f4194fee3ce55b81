import AlcedoCVips
import FoundationEssentials
import Raster

/// A decoder of JPEG, PNG, GIF and WebP that uses libvips, and own code for the frames of animations.
package struct VipsDecoder: ImageDecoding {
    package init() {}

    package func header(of data: Data, limits: DecodeLimits) throws(CodecError) -> ImageHeader {
        // Missing pixels are found only when the pixels are decoded.
        var tolerant = limits
        tolerant.allowsDamage = true
        var header = try open(data, tolerant).header
        header.color = data.withUnsafeBytes { ColorFacts($0, header.format) }
        return header
    }

    /// Decodes the first frame and, for an animation, the data from which frames are decoded on demand.
    package func decode(_ data: Data, within box: PixelSize?, limits: DecodeLimits) throws(CodecError) -> Image {
        try decode(data, within: box, limits: limits, animation: AnimationLoading())
    }

    package func decode(
        _ data: Data, within box: PixelSize?, limits: DecodeLimits, animation loading: AnimationLoading
    ) throws(CodecError) -> Image {
        var opened = try open(data, limits)
        opened.header.color = data.withUnsafeBytes { ColorFacts($0, opened.header.format) }
        if let animation = opened.animation {
            return try moving(animation, opened.header, within: box, limits: limits, loading)
        }
        var decoded = try still(opened.file, opened.header, within: box, limits)
        decoded.damage = opened.damage ?? decoded.damage
        return Image(decoded, opened.header, byteCount: data.count)
    }

    /// A file with the header that was read before its pixels.
    fileprivate struct OpenedFile {
        var header: ImageHeader
        /// A file whose chunks libvips can trust.
        var file: Data
        /// The damage of the original file, as far as it is known.
        var damage: PictureDamage?
        /// The frames of a composed picture, which may be a single one; nil for a still picture.
        var animation: Animation?
    }

    private func open(_ data: Data, _ limits: DecodeLimits) throws(CodecError) -> OpenedFile {
        try limits.check(bytes: data.count)
        let format = try sniff(data)
        if format == .jpeg, let kind = data.withUnsafeBytes({ JPEGSegments($0).unsupportedKind }) {
            throw .processor(.decoderUnavailable("\(kind) is not supported by libjpeg-turbo 2"))
        }
        // libvips ignores a wrong checksum, but the sizes in the header must be reliable.
        if format == .png, !data.withUnsafeBytes(PNGChunks.hasIntactHeader) {
            if data.dropFirst(12).starts(with: Array("CgBI".utf8)) {
                throw .processor(
                    .decoderUnavailable("interlaced, damaged or deep PNG of Apple's own kind (CgBI) is not read"))
            }
            throw .damaged(format, "the checksum of the header is wrong")
        }
        if format == .gif {
            let gif = try GIFFile(data, limits: limits)
            return OpenedFile(composed: data, .gif, gif.canvas, gif.frames.map(\.delay), gif.loopCount)
        }
        let repaired = try repaired(data, format, limits)
        // Of a damaged animation the default image is shown.
        if format == .png, repaired.damage == nil, let png = try APNGFile(data, limits: limits) {
            let canvas = png.orientation.upright(png.canvas)
            return OpenedFile(composed: data, .png, canvas, png.frames.map(\.delay), png.loopCount)
        }
        var opened = try VipsFile(repaired.file, format: format).read(isWhole: false) { (file) throws(VipsFailure) in
            OpenedFile(try file.load(scaledBy: 1), of: data, format)
        }
        try limits.check(size: opened.header.size, frames: opened.header.frameCount)
        (opened.file, opened.damage) = (repaired.file, repaired.damage)
        return opened
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
            guard repair.damage == nil || repair.hasPixels else {
                throw .damaged(format, "the file ends before its pixels")
            }
            try limits.check(repair.damage, of: format)
            return (repair.file, repair.damage)
        }
        // libjpeg itself distinguishes a missing end mark from missing pixels.
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
        _ animation: Animation, _ header: ImageHeader, within box: PixelSize?, limits: DecodeLimits,
        _ loading: AnimationLoading
    ) throws(CodecError) -> Image {
        var reader = try animation.frameReader(within: box, limits: limits)
        let first = try reader.frame(at: 0)
        let damage = (reader as? GIFFrameReader)?.damage
        var image = Image(DecodedPixels(pixels: first, damage: damage), header, byteCount: animation.file.count)
        image.animation = animation
        return try image.loading(loading, limits: limits, reader)
    }
}

extension Image {
    /// Returns the picture with the requested frames.
    ///
    /// - Parameter reader: The reader of the frames; nil to create one.
    package func loading(
        _ loading: AnimationLoading, within box: PixelSize? = nil, limits: DecodeLimits,
        _ reader: (any FrameReading)? = nil
    ) throws(CodecError) -> Image {
        var image = self
        guard let animation, animation.frameCount > 1, !loading.onlyFirstFrame else {
            image.animation = nil
            return image
        }
        guard loading.preloadsAllFrames else { return image }
        try limits.check(allFrames: animation.frameCount, of: animation.canvasSize)
        var reader =
            if let reader { reader } else {
                try animation.frameReader(within: box, limits: limits)
            }
        var frames: [PixelBuffer] = []
        for index in 0..<animation.frameCount {
            guard !Task.isCancelled else { throw .cancelled }
            frames.append(try reader.frame(at: index))
        }
        image.animation = Animation(
            file: animation.file, delays: animation.delays, loopCount: animation.loopCount,
            canvasSize: animation.canvasSize, frames: frames)
        image.animation?.frameSource = animation.frameSource
        return image
    }
}

extension VipsDecoder.OpenedFile {
    /// Creates the file of an animation that a frame reader of this program composes, not libvips.
    fileprivate init(
        composed data: Data, _ format: ImageFormat, _ canvas: PixelSize, _ delays: [Duration], _ loopCount: Int?
    ) {
        self.init(
            header: ImageHeader(format: format, size: canvas, frameCount: delays.count), file: data,
            animation: Animation(file: data, delays: delays, loopCount: loopCount, canvasSize: canvas))
    }

    /// Creates a file that libvips has opened.
    fileprivate init(_ image: borrowing VipsHandle, of data: Data, _ format: ImageFormat) {
        let (count, delays) = (image.frames, image.delays.map { Duration.milliseconds($0) })
        let header = ImageHeader(format: format, size: image.uprightSize, frameCount: count)
        self.init(header: header, file: data)
        guard count > 1 else { return }
        let missing = Array(repeating: Duration.zero, count: max(0, count - delays.count))
        animation = Animation(
            file: data, delays: delays.prefix(count) + missing, loopCount: image.loopCount, canvasSize: header.size)
    }
}

extension Image {
    package init(_ decoded: DecodedPixels, _ header: ImageHeader, byteCount: Int) {
        self.init(
            pixels: decoded.pixels, originalSize: header.size, format: header.format, frameCount: header.frameCount,
            byteCount: byteCount)
        (damage, color, pageCount) = (decoded.damage, header.color, header.pageCount)
    }
}
