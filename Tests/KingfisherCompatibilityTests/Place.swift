import FaultServer
import Foundation
import KingfisherCompatibility
import Raster
import TestSupport

/// A loopback server with pictures, and caches in a folder of their own.
///
/// The picture of a path is 60 × 40 pixels of one colour; `/missing` is a 404, `/text` is no picture.
final class Place: Sendable {
    let folder: TemporaryFolder
    let server: FaultServer
    let manager: KingfisherManager
    let cache: ImageCache
    let downloader: ImageDownloader

    init(_ scripts: [String: [FaultScript]] = [:]) async throws {
        folder = try TemporaryFolder()
        let picture = Array(try Place.picture(.red))
        server = try await FaultServer.start { request, turn in
            if let list = scripts[request.path] { return list[min(turn, list.count - 1)] }
            if request.path.hasPrefix("/missing") { return .status(404) }
            if request.path == "/text" { return .picture(Array("no picture".utf8)) }
            return .picture(picture)
        }
        cache = try ImageCache(name: "own", cacheDirectoryURL: folder.url)
        downloader = ImageDownloader(name: "own")
        manager = KingfisherManager(downloader: downloader, cache: cache)
    }

    /// The options that keep a program's loads in the folder.
    var own: KingfisherOptionsInfo { [.targetCache(cache), .downloader(downloader)] }

    func url(_ path: String) throws -> URL {
        guard let url = URL(string: server.url(path)) else { throw NeverCame.noURL }
        return url
    }

    func requests(_ path: String) async -> Int { await server.count(of: path) }

    enum NeverCame: Error { case noURL, noImage }

    /// Loads an image with a handler and returns what that got.
    func retrieve(
        _ source: Source, _ options: KingfisherOptionsInfo = []
    ) async -> Result<RetrieveImageResult, KingfisherError> {
        await withCheckedContinuation { continuation in
            manager.retrieveImage(with: source, options: options) { continuation.resume(returning: $0) }
        }
    }

    /// Whether the caller runs on the main queue, which any thread may do.
    static var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mainMark) == true }

    private static let mainMark = {
        let mark = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: mark, value: true)
        return mark
    }()

    static func picture(_ color: Color, _ width: Int = 60, _ height: Int = 40) throws -> Data {
        try Pictures.make(width, height) { _, _ in color }.pngData()
    }

    static func image(_ color: Color, _ width: Int = 60, _ height: Int = 40) throws -> Image {
        guard let image = Image(data: try picture(color, width, height)) else { throw NeverCame.noImage }
        return image
    }
}

/// A view of 20 × 6 cells and what it has drawn.
@MainActor final class Screen {
    private final class Written { var updates: [[UInt8]] = [] }

    let view: TerminalImageView
    private let written = Written()

    var updates: [[UInt8]] { written.updates }

    init(clock: any Clock<Duration> = ContinuousClock()) {
        let written = written
        view = TerminalImageView(frame: CGRect(x: 0, y: 0, width: 20, height: 6), clock: clock) {
            written.updates.append($0)
        }
    }
}

extension Result {
    var value: Success? { try? get() }
}
