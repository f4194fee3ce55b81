import Foundation
import Raster

/// Reads a picture's file and yields it scaled down, as PNG.
public struct ThumbnailImageDataProvider: ImageDataProvider {
    /// The picture's file.
    public let fileURL: URL
    /// The longer side at most, in pixels; smaller pictures keep their size.
    public let maxPixelSize: Int
    public let cacheKey: String
    private let limits: DecodeLimits
    private let decoder: any ImageDecoding

    /// The key is the file's with its time of change, and the size, when none is given.
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

    /// Throws what a local file's provider and the decoder throw, and `.imageSetting(.dataProvider)` for a size below 1.
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
