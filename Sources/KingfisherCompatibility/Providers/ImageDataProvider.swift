import AlcedoHTTPRequests
import AlcedoImageCodecs
import Foundation
import ImageLoading
import Raster

/// A source of an image's bytes other than the network; programs write one of both variants of `data`.
public protocol ImageDataProvider: ImageLoading.ImageDataProvider {
    /// Gives the handler the bytes, or the error.
    func data(handler: @escaping @Sendable (Result<Data, any Error>) -> Void)
}

extension ImageDataProvider {
    /// Returns the bytes that the handler gets.
    public func data() async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in data { continuation.resume(with: $0) } }
    }

    /// Gives the handler the bytes of the other variant.
    public func data(handler: @escaping @Sendable (Result<Data, any Error>) -> Void) {
        Task {
            let result: Result<Data, any Error>
            do { result = .success(try await data()) } catch { result = .failure(error) }
            handler(result)
        }
    }
}

extension Resource {
    /// Returns the source of the resource with another key; a file's source is a provider.
    public func convertToSource(overrideCacheKey: String?) -> Source {
        Source(ImageResource(downloadURL: downloadURL, cacheKey: overrideCacheKey ?? cacheKey))
    }
}

extension Source: Hashable {
    /// Compares kinds, keys and addresses.
    public static func == (left: Source, right: Source) -> Bool {
        left.cacheKey == right.cacheKey && left.url == right.url && left.isNetwork == right.isNetwork
    }

    /// Hashes the key and the address.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(cacheKey)
        hasher.combine(url)
    }

    var isNetwork: Bool { if case .network = self { true } else { false } }
}

/// A provider of a file's bytes.
public typealias LocalFileImageDataProvider = ImageLoading.LocalFileImageDataProvider
/// A provider that decodes base64 text.
public typealias Base64ImageDataProvider = ImageLoading.Base64ImageDataProvider
/// A provider of bytes in memory.
public typealias RawImageDataProvider = ImageLoading.RawImageDataProvider

extension ImageLoading.LocalFileImageDataProvider: ImageDataProvider {}
extension ImageLoading.Base64ImageDataProvider: ImageDataProvider {}
extension ImageLoading.RawImageDataProvider: ImageDataProvider {}

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

/// A provider of one frame of a video, by the program `ffmpeg`.
public struct AVAssetImageDataProvider: ImageDataProvider {
    /// The video: a file, or an address that the default downloader fetches.
    public let assetURL: URL
    /// The time of the frame from the start, in seconds.
    public let seconds: TimeInterval

    /// Creates a provider.
    public init(assetURL: URL, seconds: TimeInterval) { (self.assetURL, self.seconds) = (assetURL, seconds) }

    /// The address and the time.
    public var cacheKey: String { "\(assetURL.absoluteString)_\(seconds)" }
    /// The video.
    public var contentURL: URL? { assetURL }

    /// Returns the frame as PNG.
    public func data() async throws -> Data {
        if assetURL.isFileURL { return try await VideoFrameImageDataProvider(assetURL, seconds: seconds).data() }
        let video = try await ImageDownloader.default.transport.download(
            DownloadRequest(url: assetURL), priority: 0.5, onProgress: { _ in })
        let file = FileManager.default.temporaryDirectory.appending(path: "video-\(UUID().uuidString)")
        try video.data.write(to: file, options: .withoutOverwriting)
        defer { try? FileManager.default.removeItem(at: file) }
        return try await VideoFrameImageDataProvider(file, seconds: seconds).data()
    }
}
