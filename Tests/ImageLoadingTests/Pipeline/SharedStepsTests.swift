import Foundation
import ImageTestSupport
import Raster
import Synchronization
import TestSupport
import Testing

@testable import AlcedoDiskCache
@testable import ImageLoading

/// The steps of processor chains that several loads share.
@Suite(.timeLimit(.minutes(1))) struct SharedStepsTests {
    private let place: TemporaryFolder
    private let picture: Data
    private let source: Source

    init() throws {
        place = try TemporaryFolder()
        picture = try Pictures.png(width: 24, height: 18)
        source = .network(try #require(URL(string: "http://example.org/main.png")))
    }

    private func cache() throws -> ImageCache {
        ImageCache(disk: try DiskStorage(folder: CacheFolder(path: place / "cache")))
    }

    @Test func `a longer chain reuses a warmed variant and its decode`() async throws {
        // Given a variant on disk, and nothing in memory
        let counts = Recorder<String>()
        func step(_ name: String) -> any ImageProcessor { CountingProcessor(identifier: name, counts: counts) }
        let (variant, longer) = (step("a") |> step("b"), step("a") |> step("b") |> step("c"))
        _ = try await ImagePipeline(cache: try cache(), downloader: FakeDownloader(picture))
            .warm(source, variants: [variant])

        // When more is done to it
        let decoder = CountingDecoder()
        let pipeline = ImagePipeline(cache: try cache(), downloader: FakeDownloader.failing(), decoder: decoder)
        let result = try await pipeline.image(for: source, options: [.processor(longer), .cacheMemoryOnly])

        // Then what was done is not done again
        #expect(result.cacheType == .disk && counts.all == ["a", "b", "c"])
        let anew = try await pipeline.image(
            for: source, options: [.processor(step("a") |> step("x")), .cacheMemoryOnly])
        #expect(anew.image.size == result.image.size && counts.all == ["a", "b", "c", "a", "x"])
    }

    @Test func `fifty waiters and five chains cause one transfer, one decode, and each prefix once`() async throws {
        let gate = Gate()
        let downloader = FakeDownloader(picture, gate: gate)
        let decoder = CountingDecoder()
        let pipeline = ImagePipeline(cache: try cache(), downloader: downloader, decoder: decoder)
        let counts = Recorder<String>()
        func step(_ name: String) -> any ImageProcessor { CountingProcessor(identifier: name, counts: counts) }
        let chains: [any ImageProcessor] = [
            step("a"), step("a") |> step("b"), step("a") |> step("b") |> step("c"), step("a") |> step("d"),
            step("e"),
        ]
        let loads = (0..<50).map { index in
            Task {
                try await pipeline.image(for: source, options: [.processor(chains[index % 5]), .cacheMemoryOnly])
            }
        }
        // Every stage has its waiters before the bytes come: "a" those of itself, "ab" and "ad", the decode "a" and "e".
        let decode = LoadRequest(
            source: source, options: [.cacheMemoryOnly, .processor(BlackWhiteProcessor())], cache: pipeline.cache
        )
        .decodeKey
        await gate.untilArrived()
        for chain in chains {
            let options: ImageOptions = [.processor(chain), .cacheMemoryOnly]
            let request = LoadRequest(source: source, options: options, cache: pipeline.cache)
            await until { pipeline.waiterCount(of: request) >= 10 }
        }
        await until { pipeline.pictures.waiterCount(for: StepKey(decode: decode, identifier: "a")) >= 3 }
        await until { pipeline.pictures.waiterCount(for: StepKey(decode: decode, identifier: "")) >= 2 }
        await gate.open()

        for load in loads { _ = try await load.value }
        #expect(downloader.requests.all.count == 1 && decoder.count == 1)
        #expect(counts.all.sorted() == ["a", "b", "c", "d", "e"])
    }
}
private final class CountingDecoder: ImageDecoding {
    private let decoder = VipsDecoder()
    private let number = Mutex(0)

    var count: Int { number.withLock(\.self) }

    func header(of data: Data, limits: DecodeLimits) throws(CodecError) -> ImageHeader {
        try decoder.header(of: data, limits: limits)
    }

    func decode(_ data: Data, within box: PixelSize?, limits: DecodeLimits) throws(CodecError) -> Image {
        number.withLock { $0 += 1 }
        return try decoder.decode(data, within: box, limits: limits)
    }
}

private struct CountingProcessor: ImageProcessor {
    let identifier: String
    let counts: Recorder<String>

    func process(_ image: Image) throws(CodecError) -> Image {
        counts.add(identifier)
        return image
    }
}
