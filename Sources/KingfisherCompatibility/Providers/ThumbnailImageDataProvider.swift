import AlcedoImageCodecs
import Foundation
import ImageLoading
import Raster

/// A provider of an image file that is scaled down, as PNG.
public struct ThumbnailImageDataProvider: ImageDataProvider {
    /// The image file.
    public let url: URL
    /// The largest length of the longer side in pixels; smaller images keep their size.
    public let maxPixelSize: CGFloat
    /// The key in the cache.
    public let cacheKey: String

    /// Creates a provider; the default key has the file's address, size and modification time, and the pixel size.
    public init(url: URL, maxPixelSize: CGFloat, cacheKey: String? = nil) {
        (self.url, self.maxPixelSize) = (url, maxPixelSize)
        self.cacheKey =
            cacheKey ?? "\(ImageLoading.LocalFileImageDataProvider(fileURL: url).cacheKey)#thumbnail-\(maxPixelSize)"
    }

    /// The image file.
    public var contentURL: URL? { url }

    /// Reads and scales the file; throws `KingfisherError` if it is no image.
    @concurrent
    public func data() async throws -> Data {
        let side = PixelSize(CGSize(width: maxPixelSize, height: maxPixelSize))
        let file = try await ImageLoading.LocalFileImageDataProvider(fileURL: url).data()
        guard !side.isEmpty, let image = Image(data: file, within: side), let data = image.pngData() else {
            throw KingfisherError.processorError(
                reason: .processingFailed(processor: DownsamplingImageProcessor(size: .zero), item: .data(file)))
        }
        return data
    }
}
