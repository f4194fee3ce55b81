import FoundationEssentials
import Raster

/// A decoder of image files; no type of the underlying library appears in this interface.
public protocol ImageDecoding: Sendable {
    /// Reads the size, the format and the number of frames without decoding pixels.
    ///
    /// - Throws: `.notAnImage` for other formats, `.processor` for damaged or oversized files.
    func header(of data: Data, limits: DecodeLimits) throws(CodecError) -> ImageHeader

    /// Decodes the first frame, upright, in sRGB.
    ///
    /// - Parameters:
    ///   - data: The complete file.
    ///   - box: The box that the picture is scaled down to fit; nil keeps the picture's size.
    ///   - limits: The limits that the picture must keep to.
    /// - Throws: `.notAnImage` for other formats, `.processor` for oversized files, `.processor(.decodingFailed)` for
    ///   damaged or truncated ones.
    func decode(_ data: Data, within box: PixelSize?, limits: DecodeLimits) throws(CodecError) -> Image

    /// Decodes the first frame and, as `animation` requests, the other frames of an animation.
    ///
    /// The default implementation ignores `animation`, for decoders without support for animations.
    func decode(
        _ data: Data, within box: PixelSize?, limits: DecodeLimits, animation: AnimationLoading
    ) throws(CodecError) -> Image

    /// Checks a file and returns its facts.
    ///
    /// The default implementation calls `header` and `decode`. Damage is a fact, not an error; a picture beyond the
    /// limits of pixels or frames is not decoded.
    ///
    /// - Throws: `.notAnImage` for other formats, `.processor` for files that cannot be decoded at all.
    func facts(of data: Data, _ check: PictureCheck, limits: DecodeLimits) throws(CodecError) -> FileFacts

    /// Decodes the picture that the scans of a progressive JPEG up to the given one show, upright, in sRGB.
    ///
    /// The picture is a preview and must not be cached. The default implementation decodes in this process.
    ///
    /// - Parameters:
    ///   - data: The file so far; it may contain bytes after the scan.
    ///   - scan: The last scan to decode.
    ///   - box: The box that the picture is scaled down to fit; nil keeps its size.
    ///   - isBlur: Whether the picture of an early scan is blurred: by a Gaussian of σ = max(2, 14 − 4n) pixels after
    ///     scan n, up to the fifth.
    ///   - limits: The limits that the picture must keep to.
    /// - Throws: `CodecError.processor`.
    func partialPicture(
        of data: Data, through scan: ProgressiveScan, within box: PixelSize?, isBlur: Bool, limits: DecodeLimits
    ) throws(CodecError) -> Image
}

extension ImageDecoding {
    public func decode(
        _ data: Data, within box: PixelSize?, limits: DecodeLimits, animation: AnimationLoading
    ) throws(CodecError) -> Image {
        try decode(data, within: box, limits: limits)
    }

    public func partialPicture(
        of data: Data, through scan: ProgressiveScan, within box: PixelSize?, isBlur: Bool, limits: DecodeLimits
    ) throws(CodecError) -> Image {
        try limits.check(bytes: data.count)
        var tolerant = limits
        tolerant.allowsDamage = true
        var image = try CodecDecoder().decode(
            data.prefix(max(0, scan.end)) + [0xFF, 0xD9], within: box, limits: tolerant)
        (image.damage, image.byteCount) = (nil, data.count)
        if isBlur, let sigma = scan.blurRadius { image.pixels = image.pixels.blurred(sigma: sigma) }
        return image
    }
}

/// The facts that the header of an image file states.
public struct ImageHeader: Sendable, Hashable {
    /// The format, detected by the first bytes.
    public var format: ImageFormat
    /// The size after EXIF orientation is applied.
    public var size: PixelSize
    /// The number of frames; 1 for a still picture.
    public var frameCount: Int
    /// The number of pages of a document, or of pictures in a file that holds several; 1 for other files.
    public var pageCount: Int
    /// The colours of the file; nil if they are not known.
    public var color: ColorFacts?

    /// Creates a header; by default of one frame and one page, with unknown colours.
    public init(
        format: ImageFormat, size: PixelSize, frameCount: Int, pageCount: Int = 1, color: ColorFacts? = nil
    ) {
        (self.format, self.size, self.frameCount, self.pageCount) = (format, size, frameCount, pageCount)
        self.color = color
    }
}

/// Limits on the size of an image file, its pixels and its frames.
///
/// They are checked after the header is read and before pixels are decoded.
public struct DecodeLimits: Sendable, Hashable {
    /// The largest file size in bytes; 100 MiB by default.
    public var bytes: Int
    /// The largest number of pixels that are decoded at once; 100 million by default.
    ///
    /// It applies to a still picture, to one frame of an animation, or to all frames together when all are preloaded.
    public var pixels: Int
    /// The largest number of frames of an animation; 10,000 by default.
    ///
    /// At ten frames a second, 10,000 frames play for 16 minutes, twice as long as the longest known animations. Frames
    /// are decoded one by one and cost no memory, but a file of 100 MiB can hold five million frames of one pixel.
    public var frames: Int
    /// The processor time in which a helper process must decode a picture; 3 s by default, and 1 s more for each 16
    /// million pixels that a file of more than 64 KiB declares.
    ///
    /// It is enforced with a precision of 1 s, and not by decoders in the program's own process.
    public var processorTime = Duration.seconds(3)
    /// Whether a file with missing or wrong pixels is decoded as far as possible; false by default.
    public var allowsDamage = false
    /// The page that is decoded, from 1, the default; a file without pages has one.
    package var page = 1
    /// The first steps of the chain that follows, as far as the decoder of a JPEG may do them; nil, the default, for all
    /// pixels.
    package var leadingSteps: LeadingSteps?

    /// Creates limits; a value that is not given has its default.
    public init(
        bytes: Int = 100 << 20, pixels: Int = 100_000_000, frames: Int = 10_000
    ) {
        (self.bytes, self.pixels, self.frames) = (bytes, pixels, frames)
    }

    /// The default limits: 100 MiB, 100 million pixels, 10,000 frames.
    public static let standard = DecodeLimits()

    /// Checks the size of a file.
    package func check(bytes count: Int) throws(CodecError) {
        guard count <= bytes else {
            let isLarge = bytes >= 1 << 20
            let (unit, size) = isLarge ? ("MiB", 1 << 20) : ("bytes", 1)
            let amount = (count + size - 1) / size
            throw .processor(.limitExceeded("\(amount) \(unit), limit \(bytes / size) \(unit); raise --max-size"))
        }
    }

    /// Checks the canvas size and the number of frames.
    package func check(size: PixelSize, frames count: Int) throws(CodecError) {
        guard size.area <= pixels else {
            throw .processor(.limitExceeded("\(amount(size.area)), limit \(amount(pixels)); raise --max-pixels"))
        }
        guard count <= frames else {
            throw .processor(.limitExceeded("more than \(frames) frames; raise --max-frames"))
        }
    }

    /// Checks the pixels of all frames together.
    package func check(allFrames count: Int, of size: PixelSize) throws(CodecError) {
        try check(size: size, frames: count)
        let (total, overflow) = size.area.multipliedReportingOverflow(by: max(1, count))
        guard !overflow, total <= pixels else {
            throw .processor(
                .limitExceeded("\(size) × \(count) frames, limit \(amount(pixels)); raise --max-pixels"))
        }
    }

    /// The bytes of a file whose pixels are too few to need more time.
    package static let largestSmallFile = 64 << 10

    /// Returns the processor time that a helper process has for a file, in seconds.
    package func processorSeconds(for file: Data) -> Int {
        let (seconds, attoseconds) = processorTime.components
        let own = max(1, min(Int(clamping: seconds) + (attoseconds > 0 ? 1 : 0), 3_000))
        guard file.count > Self.largestSmallFile else { return own }
        // For some formats only a library can read the size; then one megapixel per 128 KiB is assumed.
        let megapixels = DeclaredHeader.read(file).map { $0.size.area / 1_000_000 } ?? file.count >> 17
        return own + min(megapixels / 16, 500)
    }

    /// Formats a number of pixels: in megapixels, or in pixels when the limit is below one megapixel.
    private func amount(_ count: Int) -> String {
        guard pixels >= 1_000_000 else { return "\(count) pixels" }
        let (whole, tenth) = (count / 100_000).quotientAndRemainder(dividingBy: 10)
        return tenth == 0 ? "\(whole) MP" : "\(whole).\(tenth) MP"
    }
}
