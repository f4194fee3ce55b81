import FoundationEssentials
import Raster

/// A decoder of still JPEG, PNG and WebP in sRGB that uses the formats' own libraries.
///
/// `VipsDecoder` reads the rest of these formats and GIF: animations, CMYK, colour profiles other than sRGB, and every
/// file that a codec refuses. `StillDecoder` reads the other formats. libvips is loaded at its first use.
public struct CodecDecoder: ImageDecoding {
    private let rest = VipsDecoder()
    private let formats: Set<ImageFormat>

    /// Creates a decoder.
    ///
    /// - Parameter formats: The formats to decode; a file of another format is refused with an error that names it. The
    ///   decoders of formats beyond the trusted ones must read untrusted files only in a sandbox.
    public init(formats: Set<ImageFormat> = ImageFormat.trusted) { self.formats = formats }

    public func header(of data: Data, limits: DecodeLimits) throws(CodecError) -> ImageHeader {
        let data = JPEGSegments.mended(data)
        var header = try openedHeader(of: data, limits: limits)
        header.color = header.color ?? data.withUnsafeBytes { ColorFacts($0, header.format) }
        return header
    }

    private func openedHeader(of data: Data, limits: DecodeLimits) throws(CodecError) -> ImageHeader {
        try limits.check(bytes: data.count)
        let header = data.withUnsafeBytes { bytes in open(bytes)?.header }
        guard let header else {
            if let decoder = try stillDecoder(data, limits) { return try decoder.header(of: data) }
            return try rest.header(of: data, limits: limits)
        }
        try limits.check(size: header.size, frames: 1)
        return header
    }

    public func decode(_ data: Data, within box: PixelSize?, limits: DecodeLimits) throws(CodecError) -> Image {
        try decode(data, within: box, limits: limits, animation: AnimationLoading())
    }

    public func decode(
        _ data: Data, within box: PixelSize?, limits: DecodeLimits, animation loading: AnimationLoading
    ) throws(CodecError) -> Image {
        let data = JPEGSegments.mended(data)
        var image = try decoded(data, within: box, limits: limits, animation: loading)
        image.color = image.color ?? data.withUnsafeBytes { ColorFacts($0, image.format) }
        return image
    }

    private func decoded(
        _ data: Data, within box: PixelSize?, limits: DecodeLimits, animation loading: AnimationLoading
    ) throws(CodecError) -> Image {
        try limits.check(bytes: data.count)
        if limits.page > 1, let format = FormatSniffer.format(of: data), ImageFormat.trusted.contains(format) {
            throw StillDecoder.missingPage(limits.page, of: 1, format)
        }
        let image = data.withUnsafeBytes { bytes -> Image? in
            guard let codec = open(bytes) else { return nil }
            let size = codec.header.size
            // libvips refuses a picture that exceeds the limits, with its own error.
            guard (try? limits.check(size: size, frames: 1)) != nil else { return nil }
            guard let decoded = picture(codec, within: box, limits) else { return nil }
            var image = Image(
                pixels: decoded.pixels, originalSize: size, format: codec.format, frameCount: 1, byteCount: data.count)
            image.damage = decoded.damage
            return image
        }
        if let image {
            try limits.check(image.damage, of: image.format)
            return image
        }
        if let decoder = try stillDecoder(data, limits) {
            return try decoder.decode(data, within: box).loading(loading, within: box, limits: limits)
        }
        return try rest.decode(data, within: box, limits: limits, animation: loading)
    }

    public func facts(
        of data: Data, _ check: PictureCheck, limits: DecodeLimits
    ) throws(CodecError) -> FileFacts {
        try limits.check(bytes: data.count)
        if check == .pixels, let facts = data.withUnsafeBytes({ jpegFacts($0, limits) }) { return facts }
        return try factsByDecoding(data, check, limits)
    }

    /// Decodes into a box, or as the first steps of a chain say.
    private func picture(_ codec: any Codec, within box: PixelSize?, _ limits: DecodeLimits) -> DecodedPixels? {
        let size = codec.header.size
        if let codec = codec as? JPEGCodec, let plan = limits.leadingSteps?.plan(for: size) {
            var none: LightnessReader?
            return codec.picture(plan, lightness: &none)
        }
        let target = size.fitted(into: box)
        return codec.picture(upright: target) ?? part(of: codec, target, limits)
    }

    /// Checks a JPEG and decodes it for the first steps of a chain, at once.
    ///
    /// - Returns: The facts of `facts`, apart from the hash, which may differ in few bits, and the picture of `decode`
    ///   even if it is damaged; nil if that takes two decodes.
    package func checkedPicture(
        of data: Data, within box: PixelSize?, limits: DecodeLimits
    ) -> (facts: FileFacts, image: Image)? {
        data.withUnsafeBytes { bytes in
            guard data.count <= limits.bytes, let codec = open(bytes) as? JPEGCodec, codec.hasHashedSquare,
                (try? limits.check(size: codec.header.size, frames: 1)) != nil
            else { return nil }
            let target = codec.header.size.fitted(into: box)
            let plan = limits.leadingSteps?.plan(for: codec.header.size) ?? (target, PixelRect(target))
            guard min(plan.target.width, plan.target.height) >= LightnessReader.leastSide else { return nil }
            var lightness: LightnessReader? = LightnessReader(plan.target)
            guard let decoded = codec.picture(plan, lightness: &lightness), let square = lightness?.square else {
                return nil
            }
            var image = Image(
                pixels: decoded.pixels, originalSize: codec.header.size, format: .jpeg, frameCount: 1,
                byteCount: data.count)
            (image.damage, image.color) = (decoded.damage, ColorFacts(bytes, .jpeg))
            return (jpegFacts(codec, bytes, decoded.damage, codec.orientation.upright(square)), image)
        }
    }

    /// Returns the facts of a JPEG from its lightness alone; nil if that is not enough.
    private func jpegFacts(_ bytes: UnsafeRawBufferPointer, _ limits: DecodeLimits) -> FileFacts? {
        guard let codec = open(bytes) as? JPEGCodec, (try? limits.check(size: codec.header.size, frames: 1)) != nil,
            let square = codec.checkedSquare()
        else { return nil }
        return jpegFacts(codec, bytes, square.damage, square.pixels)
    }

    private func jpegFacts(
        _ codec: JPEGCodec, _ bytes: UnsafeRawBufferPointer, _ damage: PictureDamage?, _ square: PixelBuffer
    ) -> FileFacts {
        var header = codec.header
        header.color = ColorFacts(bytes, .jpeg)
        return FileFacts(
            header: header, orientation: Int(codec.orientation.rawValue), damage: damage,
            pixels: FileFacts.Pixels(hash: PerceptualHash(square: square), hasAlpha: false))
    }

    /// Opens a file with the codec of its format; nil if there is none or the codec refuses the file.
    func open(_ bytes: UnsafeRawBufferPointer) -> (any Codec)? {
        InProcessDecoding.check()
        guard let format = FormatSniffer.format(of: bytes), formats.contains(format) else { return nil }
        switch format {
        case .jpeg: return JPEGCodec(bytes)
        case .png: return PNGCodec(bytes)
        case .webP: return WebPCodec(bytes)
        default: return nil
        }
    }

    /// Returns the decoder of a format that is not trusted; nil for other files.
    private func stillDecoder(_ data: Data, _ limits: DecodeLimits) throws(CodecError) -> StillDecoder? {
        guard let format = FormatSniffer.format(of: data) else { return nil }
        guard formats.contains(format) else { throw .unsupported(format) }
        // libjpeg-turbo 2 reads neither lossless JPEG nor 12 bits per sample; FFmpeg does, in the sandbox.
        let isRare = format == .jpeg && data.withUnsafeBytes { JPEGSegments($0).unsupportedKind } != nil
        guard isRare ? formats.contains(.video) : !ImageFormat.trusted.contains(format) else { return nil }
        return StillDecoder(format: format, limits: limits)
    }

    /// Decodes the part of a damaged WebP that can be decoded, if the limits allow that.
    private func part(of codec: any Codec, _ target: PixelSize, _ limits: DecodeLimits) -> DecodedPixels? {
        guard limits.allowsDamage, let codec = codec as? WebPCodec else { return nil }
        return codec.part(upright: target)
    }
}

extension CodecError {
    /// Returns the error for a format that is decoded only in the sandbox.
    static func unsupported(_ format: ImageFormat) -> CodecError {
        .processor(
            .decoderUnavailable("\(format.rawValue) is decoded only in the sandbox, which is not in use"))
    }
}

/// A still picture's file opened by the library of its format; the bytes must outlive the codec.
protocol Codec {
    var format: ImageFormat { get }
    /// The size that the file states, before EXIF orientation is applied.
    var storedSize: PixelSize { get }
    var orientation: Orientation { get }
    /// Decodes the pixels without applying the orientation; nil if the library refuses the file.
    ///
    /// - Parameter target: The size of the result; no side is longer than the stored one.
    func pixels(scaledTo target: PixelSize) -> DecodedPixels?
}

/// The pixels of a still picture, and the damage of its file.
package struct DecodedPixels {
    var pixels: PixelBuffer
    var damage: PictureDamage?

    package init(pixels: PixelBuffer, damage: PictureDamage? = nil) {
        (self.pixels, self.damage) = (pixels, damage)
    }
}

extension Codec {
    var header: ImageHeader { ImageHeader(format: format, size: orientation.upright(storedSize), frameCount: 1) }

    func picture(upright target: PixelSize) -> DecodedPixels? {
        pixels(scaledTo: orientation.upright(target)).map {
            DecodedPixels(pixels: orientation.upright($0.pixels), damage: $0.damage)
        }
    }
}

extension ImageFormat {
    /// The formats whose decoders may read untrusted files outside the sandbox.
    public static let trusted: Set<ImageFormat> = [.jpeg, .png, .gif, .webP]
}
