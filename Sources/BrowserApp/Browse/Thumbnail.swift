import FoundationEssentials
import ImageLoading
import Raster

/// A small still picture: the disk cache keeps it at one of two sizes, and it is scaled for the screen.
enum Thumbnail {
    /// The sides of the squares that kept thumbnails fit.
    private static let sides = [256, 512]

    /// Returns the box of the thumbnail that is kept for a box on the screen; nil if that is larger than any.
    static func keptBox(for box: PixelSize) -> PixelSize? {
        sides.first { max(box.width, box.height) <= $0 }.map { PixelSize(width: $0, height: $0) }
    }

    /// Loads the first frame of a picture within a box.
    ///
    /// - Parameter options: Returns the options for a picture within the box that is passed to it.
    static func load(
        _ source: Source, within box: PixelSize, of pipeline: ImagePipeline, options: (PixelSize) -> ImageOptions
    ) async throws(ImageError) -> Image {
        let kept = keptBox(for: box)
        var options = options(kept ?? box)
        options.process.animation.onlyFirstFrame = true
        guard let kept else { return try await pipeline.image(for: source, options: options).image }
        options.cache.cacheMemoryOnly = false
        options.cache.serializer = ThumbnailSerializer(box: kept)
        return try await scaled(try await pipeline.image(for: source, options: options).image, to: box)
    }

    @concurrent
    private static func scaled(_ image: Image, to box: PixelSize) async throws(ImageError) -> Image {
        try ImageError.wrapping { () throws(CodecError) in try DownsamplingImageProcessor(size: box).process(image) }
    }
}

/// Stores thumbnails as JPEG, or as PNG if they are transparent, followed by a line with the facts of their pictures.
///
/// A decoder of these formats ignores what follows the end of the picture.
struct ThumbnailSerializer: CacheSerializer {
    /// The box that the thumbnail was made to fit.
    let box: PixelSize

    /// The first word of the line.
    private static let mark = "alcedo-thumbnail"
    /// More bytes than any line has.
    private static let longest = 128

    func format(for image: Image) -> ImageFormat { image.pixels.isOpaque ? .jpeg : .png }

    /// Returns the bytes to store.
    ///
    /// - Throws: `.cache(.cannotStore)` for a picture that fits the box: its own file is read as fast.
    func data(for image: Image, original: Data) throws(ImageError) -> Data {
        let size = image.originalSize
        guard size.width > box.width || size.height > box.height else {
            throw .cache(.cannotStore("the picture is as small as its thumbnail"))
        }
        let facts = "\n\(Self.mark) \(size.width) \(size.height) \(image.byteCount) \(image.format.rawValue)"
        return try ImageError.wrapping { () throws(CodecError) in
            try ImageEncoder.encode(image, as: format(for: image), quality: DefaultCacheSerializer.standardQuality)
        } + Data(facts.utf8)
    }

    func image(
        from data: Data, decoder: any ImageDecoding, limits: DecodeLimits
    ) throws(ImageError) -> Image {
        let end = data.suffix(Self.longest)
        let line = end.lastIndex(of: UInt8(ascii: "\n")).map { end[$0...].dropFirst() } ?? Data()
        let words = String(decoding: line, as: UTF8.self).split(separator: " ", maxSplits: 4).map(String.init)
        let numbers = words.dropFirst().prefix(3).compactMap { Int($0) }.filter { $0 > 0 }
        guard words.first == Self.mark, numbers.count == 3,
            let format = words.last.flatMap({ ImageFormat(rawValue: $0) })
        else {
            throw .processor(.decodingFailed(format: "thumbnail", "it does not end with the facts of its picture"))
        }
        var image = try ImageError.wrapping { () throws(CodecError) in
            try decoder.decode(data.dropLast(line.count + 1), within: nil, limits: limits)
        }
        (image.originalSize, image.format) = (PixelSize(width: numbers[0], height: numbers[1]), format)
        image.byteCount = numbers[2]
        return image
    }
}
