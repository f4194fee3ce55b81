import Dispatch
import Foundation
import ImageTestSupport
import Raster
import Synchronization
import TestSupport
import Testing

@testable import ImageLoading

/// Where and at which size pictures are decoded and processed.
@Suite(.timeLimit(.minutes(1))) struct PipelineProcessTests {
    private let place: TemporaryFolder
    private let picture: Data
    private let source: Source

    init() throws {
        place = try TemporaryFolder()
        picture = try Pictures.png(width: 24, height: 18)
        source = .network(try #require(URL(string: "http://example.org/a.png")))
    }

    private func pipeline(_ downloader: FakeDownloader) throws -> ImagePipeline {
        ImagePipeline(
            cache: ImageCache(disk: try DiskStorage(folder: CacheFolder(path: place / "cache"))), downloader: downloader
        )
    }

    @Test(arguments: [
        (1.0, PixelSize(width: 10, height: 8)), (2.0, PixelSize(width: 20, height: 15)),
        (-3.0, PixelSize(width: 10, height: 8)),
    ])
    func `lengths of a processor are multiplied by the scale factor`(scale: Double, expected: PixelSize) async throws {
        let pipeline = try pipeline(FakeDownloader(picture))
        let box = DownsamplingImageProcessor(size: PixelSize(width: 10, height: 10))
        let result = try await pipeline.image(for: source, options: [.processor(box), .scaleFactor(scale)])
        #expect(result.image.size == expected)
    }

    @Test func `pictures with different scale factors are cached separately`() async throws {
        let pipeline = try pipeline(FakeDownloader(picture))
        let options: ImageOptions = [.processor(DownsamplingImageProcessor(size: PixelSize(width: 10, height: 10)))]
        _ = try await pipeline.image(for: source, options: options)
        let twice = try await pipeline.image(for: source, options: options.applying([.scaleFactor(2)]))
        #expect(twice.image.size.width == 20)
        #expect(pipeline.cache.memory.count == 2)
    }

    @Test(arguments: [
        ("resize(10x8, fill) |> blur(2)", "resize(20x16, fill) |> blur(4)"),
        ("crop(6x4, anchor: 0 1) |> bw", "crop(12x8, anchor: 0 1) |> bw"),
        (
            "round(3, corners: tl) |> border(4, black, radius: 2)",
            "round(6, corners: tl) |> border(8, black, radius: 4)"
        ),
        ("round(25%w) |> rotate(90)", "round(25%w) |> rotate(90)"),
    ])
    func `every length is scaled, fractions and angles are not`(text: String, expected: String) throws {
        let scaled = try ProcessorGrammar.parse(text).scaled(by: 2)
        #expect(try scaled.identifier == ProcessorGrammar.parse(expected).identifier)
    }

    @Test func `a decoding prefetch finds damaged pixels`() async throws {
        var damaged = picture
        damaged.replaceSubrange(picture.count / 2..<picture.count / 2 + 8, with: Data(repeating: 0x55, count: 8))
        let pipeline = try pipeline(FakeDownloader(damaged))
        _ = try await pipeline.warm(source)
        await #expect {
            try await pipeline.warm(source, options: [.backgroundDecode])
        } throws: { error in
            if case ImageError.processor(.damaged) = error { true } else { false }
        }
        // It is asked for again: its server may have mended it.
        #expect(await pipeline.cache.disk?.isCached(CacheEntryKey(source: source.cacheKey)) != true)
    }

    @Test(arguments: [true, false])
    func `a prefetch of a damaged picture fails while a load shows it`(isPrefetchFirst: Bool) async throws {
        var damaged = picture
        damaged.replaceSubrange(picture.count / 2..<picture.count / 2 + 8, with: Data(repeating: 0x55, count: 8))
        let gate = Gate()
        let downloader = FakeDownloader(damaged, gate: gate)
        let pipeline = try pipeline(downloader)
        let key = LoadRequest(source: source, options: [], cache: pipeline.cache).bytesKey
        let prefetch = { [source] in Task { try await pipeline.warm(source, options: [.backgroundDecode]) } }
        let display = { [source] in
            var options: ImageOptions = [.backgroundDecode]
            options.process.limits.allowsDamage = true
            return Task { [options] in try await pipeline.image(for: source, options: options) }
        }
        let (prefetched, shown): (Task<DataResult, any Error>, Task<ImageResult, any Error>)
        if isPrefetchFirst {
            prefetched = prefetch()
            await gate.untilArrived()
            shown = display()
        } else {
            shown = display()
            await gate.untilArrived()
            prefetched = prefetch()
        }
        await until { pipeline.originals.waiterCount(for: key) == 2 }
        await gate.open()
        let image = try await shown.value.image
        #expect(image.damage != nil)
        await #expect {
            try await prefetched.value
        } throws: { error in
            if case ImageError.processor(.damaged) = error { true } else { false }
        }
        #expect(downloader.requests.all.count == 1)
    }

    @Test func `a decoding prefetch keeps nothing in memory`() async throws {
        let pipeline = try pipeline(FakeDownloader(picture))
        _ = try await pipeline.warm(source, options: [.backgroundDecode])
        #expect(pipeline.cache.memory.count == 0)
    }

    @Test func `pictures are processed on the given executor`() async throws {
        let executor = MarkedExecutor()
        let wasThere = Recorder<Bool>()
        let pipeline = try pipeline(FakeDownloader(picture))
        let processor = WatchedProcessor { wasThere.add(MarkedExecutor.isCurrent) }
        let queue = ProcessingQueue(width: 1, executor: executor)
        // In this order: an actor that comes back from the executor may keep its thread for the next job.
        _ = try await pipeline.image(for: source, options: [.processor(processor), .cacheMemoryOnly])
        _ = try await pipeline.image(
            for: source,
            options: [.processor(processor), .processingQueue(queue), .forceRefresh, .cacheMemoryOnly])
        #expect(wasThere.all == [false, true])
    }

    @Test(arguments: [(1, 1), (2, 2)])
    func `the queue width limits concurrent processing`(width: Int, expected: Int) async throws {
        let queue = ProcessingQueue(width: width, executor: ThreadForEach())
        let crowd = Crowd(of: 6, hopingFor: 2, at: queue)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<6 {
                group.addTask { try await queue.run(priority: 0.5) { () throws(ImageError) in crowd.meet() } }
            }
            try await group.waitForAll()
        }
        #expect(crowd.largest == expected)
    }

    @Test func `a load cancelled in the queue does no work`() async throws {
        let queue = ProcessingQueue(width: 1)
        let worked = Recorder<Int>()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await queue.run(priority: 0.5) { () throws(ImageError) in worked.add(1) }
        }
        await #expect(throws: ImageError.cancelled) { try await task.value }
        #expect(worked.all.isEmpty)
    }

    @Test func `a processed picture from disk has the size of its original`() async throws {
        let box = DownsamplingImageProcessor(size: PixelSize(width: 10, height: 10))
        let options: ImageOptions = [.processor(box), .cacheOriginalImage, .waitForCache]
        _ = try await pipeline(FakeDownloader(picture)).image(for: source, options: options)
        let again = try await pipeline(.failing()).image(for: source, options: options)
        #expect(again.cacheType == .disk)
        #expect(again.image.originalSize == PixelSize(width: 24, height: 18))
    }
}

private struct WatchedProcessor: ImageProcessor {
    let identifier = "watched"
    let onProcess: @Sendable () -> Void

    func process(_ image: Image) throws(CodecError) -> Image {
        onProcess()
        return image
    }
}

/// Runs jobs on a queue that can be told from others.
private final class MarkedExecutor: TaskExecutor {
    private static let mark = DispatchSpecificKey<Bool>()
    private let queue = DispatchQueue(label: "marked")

    init() { queue.setSpecific(key: Self.mark, value: true) }

    static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) == true }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// Runs each job on a thread of its own, so that one that waits keeps no other from coming.
private final class ThreadForEach: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// Counts how many are there at a time; each stays until as many as hoped for are, or all others stand in the queue.
private final class Crowd: Sendable {
    private let size: Int
    private let hoped: Int
    private let queue: ProcessingQueue
    private let counts = Mutex((present: 0, gone: 0, largest: 0))

    init(of size: Int, hopingFor hoped: Int, at queue: ProcessingQueue) {
        (self.size, self.hoped, self.queue) = (size, hoped, queue)
    }

    var largest: Int { counts.withLock(\.largest) }

    func meet() {
        counts.withLock { counts in
            counts.present += 1
            counts.largest = max(counts.largest, counts.present)
        }
        while mayGrow { sched_yield() }
        counts.withLock { counts in
            counts.present -= 1
            counts.gone += 1
        }
    }

    /// Who is neither here nor gone nor in the queue is on the way.
    private var mayGrow: Bool {
        let (present, gone, largest) = counts.withLock(\.self)
        return largest < hoped && present + gone + queue.waitingCount < size
    }
}
