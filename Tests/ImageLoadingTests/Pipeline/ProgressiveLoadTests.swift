import FaultServer
import Foundation
import ImageTestSupport
import Raster
import Synchronization
import TestSupport
import Testing

@testable import ImageLoading

/// Partial pictures while the bytes arrive.
@Suite(.timeLimit(.minutes(1))) struct ProgressiveLoadTests {
    private let place: TemporaryFolder
    private let file: Data
    private let source: Source

    init() throws {
        place = try TemporaryFolder()
        file = try ProgressiveJPEG.file()
        source = .network(try #require(URL(string: "http://example.org/a.jpg")))
    }

    private func cache() throws -> ImageCache {
        ImageCache(disk: try DiskStorage(folder: CacheFolder(path: place / "cache")))
    }

    private static func partial(_ event: LoadEvent) -> Image? {
        if case .partial(let image) = event { return image }
        return nil
    }

    @Test func `a slow progressive JPEG gives at least three partial pictures, each closer to the whole`() async throws
    {
        let seen = Recorder<Image>()
        let pipeline = ImagePipeline(cache: try cache(), downloader: PiecewiseDownloader(file, waitsFor: seen))
        let whole = try await pipeline.image(
            for: source, options: [.progressiveJPEG(ImageProgressive(isBlur: false))]
        ) { if let image = Self.partial($0) { seen.add(image) } }
        let closeness = seen.all.map { ProgressiveJPEG.closeness($0.pixels, whole.image.pixels) }
        #expect(closeness.count >= 3)
        #expect(closeness == closeness.sorted())
    }

    @Test func `partial pictures are not stored in any cache`() async throws {
        let cache = try cache()
        let seen = Recorder<Image>()
        let held = Recorder<Int>()
        let downloader = PiecewiseDownloader(file, waitsFor: seen) {
            let onDisk = try? await cache.disk?.entries(CacheEntryQuery()).count
            held.add(cache.memory.count + (onDisk ?? 1))
        }
        let pipeline = ImagePipeline(cache: cache, downloader: downloader)
        _ = try await pipeline.image(for: source, options: [.progressiveJPEG(ImageProgressive())]) {
            if let image = Self.partial($0) { seen.add(image) }
        }
        #expect(seen.all.count >= 3)
        #expect(held.all.count >= 3 && held.all.allSatisfy { $0 == 0 })
        #expect(cache.memory.count == 1)
        #expect(
            try await pipeline.image(for: source).image.pixels
                == VipsDecoder().decode(file, within: nil, limits: .standard).pixels)
    }

    @Test func `a transfer that breaks after partial pictures leaves nothing in the cache`() async throws {
        let cache = try cache()
        let seen = Recorder<Image>()
        let pipeline = ImagePipeline(cache: cache, downloader: PiecewiseDownloader(file, waitsFor: seen, breaks: true))
        await #expect(throws: ImageError.response(.transport(.reset))) {
            try await pipeline.image(for: source, options: [.progressiveJPEG(ImageProgressive())]) {
                if let image = Self.partial($0) { seen.add(image) }
            }
        }
        #expect(!seen.all.isEmpty)
        #expect(cache.memory.count == 0)
        #expect(try await cache.disk?.entries(CacheEntryQuery()).count == 0)
        #expect(pipeline.transfers.count == 0)
    }

    @Test func `partial pictures are processed like the whole`() async throws {
        let seen = Recorder<Image>()
        let pipeline = ImagePipeline(cache: try cache(), downloader: PiecewiseDownloader(file, waitsFor: seen))
        let chain = DownsamplingImageProcessor(size: PixelSize(width: 80, height: 80)) |> BlackWhiteProcessor()
        let whole = try await pipeline.image(
            for: source, options: [.processor(chain), .progressiveJPEG(ImageProgressive())]
        ) { if let image = Self.partial($0) { seen.add(image) } }
        #expect(seen.all.count >= 3)
        for image in seen.all {
            #expect(image.size == whole.image.size)
            let color = image.pixels[40, 30]
            #expect(color.red == color.green && color.green == color.blue)
        }
    }

    @Test func `a load that joins a transfer gets the partial pictures from its beginning`() async throws {
        let gate = Gate()
        let seen = Recorder<Image>()
        let pipeline = ImagePipeline(cache: try cache(), downloader: HalfwayDownloader(file: file, gate: gate))
        let prefetch = Task { [source] in try await pipeline.warm(source) }
        await gate.untilArrived()
        let load = Task { [source] in
            try await pipeline.image(
                for: source, options: [.progressiveJPEG(ImageProgressive()), .callbackQueue(.untouch)]
            ) { if let image = Self.partial($0) { seen.add(image) } }
        }
        await seen.until(count: 1)
        await gate.open()
        _ = try await load.value
        _ = try await prefetch.value
        #expect(pipeline.transfers.count == 0)
    }

    @Test func `a baseline JPEG, a PNG, or a load without the option gives no partial pictures`() async throws {
        let baseline = try ImageEncoder.encode(
            Pictures.image(Pictures.gradient(PixelSize(width: 64, height: 64))), as: .jpeg)
        let progressive = ImageOptions([.progressiveJPEG(ImageProgressive())])
        let png = try Pictures.png(width: 64, height: 64)
        let cases: [(Data, ImageOptions)] = [(baseline, progressive), (png, progressive), (file, ImageOptions())]
        for (data, options) in cases {
            let seen = Recorder<Image>()
            let pipeline = ImagePipeline(
                cache: ImageCache(disk: nil), downloader: PiecewiseDownloader(data, waitsFor: nil))
            _ = try await pipeline.image(for: source, options: options) {
                if let image = Self.partial($0) { seen.add(image) }
            }
            #expect(seen.all.isEmpty)
        }
    }

    @Test func `partial pictures arrive over a real connection too`() async throws {
        let server = try await FaultServer.start([
            "/a.jpg": [.dripBody(Array(file.prefix(9000)), every: .microseconds(300))]
        ])
        let seen = Recorder<Image>()
        let url = try #require(URL(string: server.url("/a.jpg")))
        let pipeline = ImagePipeline(cache: ImageCache(disk: nil))
        // The server hangs up after 9,000 bytes: what came until then was seen.
        _ = try? await pipeline.image(
            for: .network(url), options: [.progressiveJPEG(ImageProgressive()), .callbackQueue(.untouch)]
        ) { if let image = Self.partial($0) { seen.add(image) } }
        #expect(!seen.all.isEmpty)
        #expect(pipeline.cache.memory.count == 0)
        await server.stop()
    }
}

/// Hands out a body in pieces of 512 bytes, and at each scan waits until that has been seen.
private struct PiecewiseDownloader: DataDownloading {
    let data: Data
    let seen: Recorder<Image>?
    let breaks: Bool
    let onPart: @Sendable () async -> Void

    init(
        _ data: Data, waitsFor seen: Recorder<Image>?, breaks: Bool = false,
        onPart: @escaping @Sendable () async -> Void = {}
    ) {
        self.data = data
        self.seen = seen
        self.breaks = breaks
        self.onPart = onPart
    }

    func download(
        _ request: DownloadRequest, priority: Double, onProgress: @escaping @Sendable (DownloadProgress) -> Void
    ) async throws(DownloadError) -> Download {
        var scanner = ProgressiveScanner()
        var expected = 0
        for offset in stride(from: 0, to: data.count, by: 512) {
            let piece = Data(data[offset..<min(offset + 512, data.count)])
            request.onBytes?(piece, offset)
            guard let seen, !scanner.append(piece).isEmpty else { continue }
            expected += 1
            await seen.until(count: expected)
            await onPart()
            if breaks, expected == 2 { throw .response(.transport(.reset)) }
        }
        return .of(data, from: request.url)
    }
}

/// Hands out half a body, then the rest when the gate opens.
private struct HalfwayDownloader: DataDownloading {
    let file: Data
    let gate: Gate

    func download(
        _ request: DownloadRequest, priority: Double, onProgress: @escaping @Sendable (DownloadProgress) -> Void
    ) async throws(DownloadError) -> Download {
        request.onBytes?(file.prefix(file.count / 2), 0)
        await gate.pass()
        request.onBytes?(Data(file.suffix(file.count - file.count / 2)), file.count / 2)
        return .of(file, from: request.url)
    }
}
