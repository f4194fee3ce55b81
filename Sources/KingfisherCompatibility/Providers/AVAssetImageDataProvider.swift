import AlcedoHTTPRequests
import Foundation
import ImageLoading

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
