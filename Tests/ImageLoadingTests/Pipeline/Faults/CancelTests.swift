import Dispatch
import FaultServer
import Foundation
import ImageTestSupport
import Raster
import Retrying
import TestSupport
import Testing

@testable import AlcedoDiskCache
@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests
@testable import ImageLoading

/// A cancel in any state frees what it held and leaves nothing behind: row H33 of the fault matrix.
@Suite(.timeLimit(.minutes(1))) struct CancelTests {
    enum State: CaseIterable { case queued, connecting, head, body, decoding, writing }

    @Test(arguments: State.allCases)
    func `a cancelled load leaves no connection, task, descriptor or temporary file`(in state: State) async throws {
        let rig = try await CancelRig()
        let remains = try await cancel(in: state, rig)
        // Nobody holds the pipeline any more but a task that has not ended.
        await until { remains.areGone }
        #expect(remains.areGone)
        // Of what was cancelled nothing is remembered.
        #expect(remains.memory.count == 1)
        await until { OpenDescriptors.files(below: rig.place.path).isEmpty }
        #expect(OpenDescriptors.files(below: rig.place.path) == [])
        await until { rig.sockets == 0 }
        #expect(rig.sockets == 0)
        #expect(rig.temporaryFiles == [])
        await rig.server.stop()
    }

    /// Cancels a load in the state; then there must be room for the next one.
    private func cancel(in state: State, _ rig: CancelRig) async throws -> Remains {
        let (pipeline, downloader) = try rig.pipeline()
        let remains = Remains(
            memory: pipeline.cache.memory, pipeline: pipeline, downloader: downloader, disk: pipeline.cache.disk)
        defer { rig.turnstile.open() }
        let held = state == .queued ? try await rig.holding(pipeline) : nil
        let load = try rig.start(state, pipeline)
        await rig.untilReached(state, downloader)
        try #require(!Task.isCancelled)
        if state != .queued { #expect(rig.sockets > 0) }
        if state == .writing { #expect(rig.temporaryFiles.count == 1) }

        load.cancel()
        #expect(await load.value == .cancelled)
        held?.cancel()
        if let held { #expect(await held.value == .cancelled) }

        if state == .head || state == .body { await until { rig.sockets == 0 } }
        rig.turnstile.open()
        #expect(await rig.load("/next", pipeline, ImageOptions()) == nil)
        await pipeline.finishStores()
        #expect(await rig.server.count(of: "/waiting") == 0)
        #expect(pipeline.transfers.count == 0)
        return remains
    }
}

/// Those that go when no task holds them any more.
private struct Remains {
    let memory: MemoryStorage<Image>
    weak let pipeline: ImagePipeline?
    weak let downloader: ImageDownloader?
    weak let disk: DiskStorage?

    var areGone: Bool { pipeline == nil && downloader == nil && disk == nil }
}

/// Brings a load into a state and keeps it there.
private struct CancelRig {
    let server: FaultServer
    let place: TemporaryFolder
    let turnstile = Turnstile()
    /// Opens when bytes of a body have come.
    private let progress = FaultGate()
    private let silent: FullListener
    private let silentSockets: Int

    init() async throws {
        let picture = Array(try Pictures.png(width: 40, height: 30))
        server = try await FaultServer.start([
            "/head": .stall, "/held": .stall, "/body": .stallInBody(picture, after: 500), "/whole": .picture(picture),
            "/next": .picture(Array(try Pictures.png())), "/waiting": .picture(picture),
        ])
        place = try TemporaryFolder()
        silent = try FullListener()
        silentSockets = OpenDescriptors.sockets(to: silent.port)
    }

    /// One transfer at a time; durable stores stop when their file is written and not yet in its place.
    func pipeline() throws -> (ImagePipeline, ImageDownloader) {
        let folder = CacheFolder(path: place / "cache")
        var blobs = BlobStore(folder: folder.blobs)
        blobs.synchronize = { [turnstile] _ in
            turnstile.pass()
            return 0
        }
        let disk = try DiskStorage(
            folder: folder, configuration: .init(), now: { Date() }, freeSpace: { _ in nil }, blobs: blobs)
        var limits = DownloadLimits()
        limits.concurrent = 1
        // Longer than the test may take: what goes, goes by the cancel. Only a connection that is being made lasts
        // until its own time is up.
        (limits.head, limits.idle, limits.rateWindow) = (.seconds(3600), .seconds(3600), .seconds(3600))
        limits.connect = .seconds(2)
        let downloader = ImageDownloader(limits: limits)
        let decoder = TurnstileDecoder(turnstile: turnstile)
        return (ImagePipeline(cache: ImageCache(disk: disk), downloader: downloader, decoder: decoder), downloader)
    }

    /// Our connections, the silent listener's own aside.
    var sockets: Int {
        OpenDescriptors.sockets(to: server.port) + OpenDescriptors.sockets(to: silent.port) - silentSockets
    }

    var temporaryFiles: [String] { place.files().filter { $0.contains(".tmp-") } }

    /// The error of a load; nil when it came.
    func load(_ path: String, _ pipeline: ImagePipeline, _ options: ImageOptions) async -> ImageError? {
        guard let url = URL(string: path.contains("://") ? path : server.url(path)) else {
            return .request(.invalidURL(path))
        }
        do throws(ImageError) {
            if options.cache.diskStoreWriteOptions.contains(.durable) {
                _ = try await pipeline.warm(.network(url), options: options)
            } else {
                _ = try await pipeline.image(for: .network(url), options: options) { [progress] event in
                    if case .progress = event { progress.open() }
                }
            }
            return nil
        } catch {
            return error
        }
    }

    /// A load that has the only place.
    func holding(_ pipeline: ImagePipeline) async throws -> Task<ImageError?, Never> {
        let task = Task { [self] in await load("/held", pipeline, ImageOptions()) }
        await server.arrival(of: "/held")
        return task
    }

    func start(_ state: CancelTests.State, _ pipeline: ImagePipeline) throws -> Task<ImageError?, Never> {
        let path =
            switch state {
            case .queued: "/waiting"
            case .connecting: "http://127.0.0.1:\(silent.port)/x"
            case .head: "/head"
            case .body: "/body"
            case .decoding, .writing: "/whole"
            }
        var options: ImageOptions = [.callbackQueue(.untouch)]
        if state == .writing { options.apply(.diskStoreWriteOptions(.durable)) }
        if state == .decoding {
            options.apply(.processingQueue(ProcessingQueue(width: 1, executor: turnstile.executor)))
        }
        return Task { [self, options] in await load(path, pipeline, options) }
    }

    func untilReached(_ state: CancelTests.State, _ downloader: ImageDownloader) async {
        switch state {
        case .queued: await until { downloader.waitingCount == 1 }
        case .connecting: await until { sockets > 0 }
        case .head: await server.arrival(of: "/head")
        case .body: await progress.wait()
        case .decoding, .writing: await turnstile.untilArrived()
        }
    }
}

/// Where threads wait until a test lets them through; then all pass.
private final class Turnstile: Sendable {
    let executor = QueueExecutor()
    private let arrival = FaultGate()
    private let opening = DispatchSemaphore(value: 0)

    func pass() {
        arrival.open()
        opening.wait()
        opening.signal()
    }

    func open() { opening.signal() }
    func untilArrived() async { await arrival.wait() }
}

/// Waits on its way to the pixels, on the queue of a decode that is told to.
private struct TurnstileDecoder: ImageDecoding {
    let turnstile: Turnstile

    func header(of data: Data, limits: DecodeLimits) throws(CodecError) -> ImageHeader {
        try VipsDecoder().header(of: data, limits: limits)
    }

    func decode(_ data: Data, within box: PixelSize?, limits: DecodeLimits) throws(CodecError) -> Image {
        if QueueExecutor.isCurrent { turnstile.pass() }
        return try VipsDecoder().decode(data, within: box, limits: limits)
    }
}

/// A thread that may be kept waiting.
private final class QueueExecutor: TaskExecutor {
    private static let mark = DispatchSpecificKey<Bool>()
    private let queue = DispatchQueue(label: "turnstile")

    init() { queue.setSpecific(key: Self.mark, value: true) }

    static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) == true }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

extension ImageDownloader {
    /// The number of transfers that wait for a place.
    fileprivate var waitingCount: Int { queue.waitingCount }
}
