import Foundation
import Raster

/// A provider that reads an image file and returns it scaled down, as PNG.
public struct ThumbnailImageDataProvider: ImageDataProvider {
    /// The image file.
    public let fileURL: URL
    /// The largest length of the longer side, in pixels; smaller images keep their size.
    public let maxPixelSize: Int
    public let cacheKey: String
    private let limits: DecodeLimits
    private let decoder: any ImageDecoding

    /// Creates a provider; the default key contains the file's URL, size and modification time, and the pixel size.
    public init(
        _ fileURL: URL, maxPixelSize: Int, cacheKey: String? = nil, limits: DecodeLimits = .standard,
        decoder: any ImageDecoding = CodecDecoder()
    ) {
        self.fileURL = fileURL
        self.maxPixelSize = maxPixelSize
        self.cacheKey = cacheKey ?? "\(LocalFileImageDataProvider.key(for: fileURL))#thumbnail-\(maxPixelSize)"
        self.limits = limits
        self.decoder = decoder
    }

    public func data() async throws -> Data { try await data { _, _ in } }

    /// Reads and scales the file.
    ///
    /// - Throws: The errors of the local-file provider and the decoder; `.imageSetting(.dataProvider)` if the size is
    ///   below 1.
    @concurrent
    public func data(
        onProgress: @escaping @Sendable (_ received: Int, _ expected: Int?) -> Void
    ) async throws -> Data {
        guard maxPixelSize > 0 else {
            throw ImageError.imageSetting(.dataProvider("a thumbnail needs a size of at least 1 pixel"))
        }
        let file = LocalFileImageDataProvider(fileURL: fileURL, maximumBytes: limits.bytes)
        let data = try await file.data(onProgress: onProgress)
        let box = PixelSize(width: maxPixelSize, height: maxPixelSize)
        return try ImageError.wrapping { () throws(CodecError) in
            let image = try decoder.decode(
                data, within: box, limits: limits, animation: AnimationLoading(onlyFirstFrame: true))
            guard !Task.isCancelled else { throw .cancelled }
            return try image.pixels.pngData()
        }
    }
}
