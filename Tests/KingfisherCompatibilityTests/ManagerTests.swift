import FaultServer
import Foundation
import KingfisherCompatibility
import Synchronization
import TestSupport
import Testing

/// What the manager promises: sources, queues, retries, errors.
@Suite(.timeLimit(.minutes(1))) struct ManagerTests {
    private struct Broken: Error, Equatable { let number: Int }

    private struct BrokenProvider: ImageDataProvider {
        let cacheKey: String

        func data(handler: @escaping @Sendable (Result<Data, any Error>) -> Void) {
            handler(.failure(Broken(number: 7)))
        }
    }

    /// Retries at once, up to a number, and keeps what it was told.
    private final class CountingStrategy: RetryStrategy {
        let most: Int
        let seen = Recorder<String>()

        init(_ most: Int) { self.most = most }

        func retry(context: RetryContext, retryHandler: @escaping @Sendable (RetryDecision) -> Void) {
            let last = context.userInfo as? Int ?? 0
            seen.add("\(context.retriedCount) \(last) \(context.error.errorCode) \(context.source.cacheKey)")
            retryHandler(context.retriedCount < most ? .retry(userInfo: last + 10) : .stop)
        }
    }

    private func place(_ scripts: [String: [FaultScript]] = [:]) async throws -> Place { try await Place(scripts) }

    private func picture() throws -> FaultScript { .picture(Array(try Place.picture(.red))) }

    @Test func `the result tells tier, source and bytes`() async throws {
        let place = try await place()
        let url = try place.url("/a.png")
        let first = try await place.retrieve(.network(url)).get()
        let file = try Place.picture(.red)
        #expect(first.cacheType == .none && first.data() == file && first.source == first.originalSource)
        let second = try await place.retrieve(.network(url)).get()
        #expect(second.cacheType == .memory && second.data().flatMap { Image(data: $0) }?.pixels == first.image.pixels)
        place.cache.clearMemoryCache()
        #expect(try await place.retrieve(.network(url)).get().cacheType == .disk)
        #expect(await place.requests("/a.png") == 1)
    }

    @Test func `the task is nil if a cache has the image`() async throws {
        let place = try await place()
        let url = try place.url("/a.png")
        let done = Recorder<Bool>()
        let first = place.manager.retrieveImage(with: url) { _ in done.add(true) }
        await done.until(count: 1)
        let second = place.manager.retrieveImage(with: url) { _ in done.add(true) }
        let third = place.manager.retrieveImage(with: url, options: [.forceRefresh]) { _ in done.add(true) }
        await done.until(count: 3)
        #expect(first != nil && second == nil && third != nil)
    }

    @Test @MainActor func `an image in memory is delivered before the call returns`() async throws {
        let place = try await place()
        let url = try place.url("/a.png")
        _ = await place.retrieve(.network(url))
        let done = Recorder<Bool>()
        place.manager.retrieveImage(with: url) { _ in done.add(Place.isOnMainQueue) }
        #expect(done.all == [true])
    }

    @Test func `handlers run on the main queue, or where the options say`() async throws {
        let place = try await place()
        let queue = DispatchQueue(label: "own")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let (url, seen) = (try place.url("/a.png"), Recorder<String>())
        place.manager.retrieveImage(with: url) { _ in seen.add(Place.isOnMainQueue ? "main" : "other") }
        await seen.until(count: 1)
        place.manager.retrieveImage(with: url, options: [.callbackQueue(.dispatch(queue))]) { _ in
            seen.add(DispatchQueue.getSpecific(key: key) == true ? "own" : "other")
        }
        await seen.until(count: 2)
        place.manager.retrieveImage(with: url, options: [.callbackQueue(.mainAsync), .forceRefresh]) { _ in
            seen.add(Place.isOnMainQueue ? "main" : "other")
        }
        await seen.until(count: 3)
        #expect(seen.all == ["main", "own", "main"])
    }

    @Test func `a cancelled task ends with its own error`() async throws {
        let gate = FaultGate()
        let place = try await place(["/slow": [FaultScript([.wait(gate)])]])
        let outcomes = Recorder<KingfisherError?>()
        let task = place.manager.retrieveImage(with: try place.url("/slow")) { outcomes.add($0.error) }
        await place.server.arrival(of: "/slow")
        task?.cancel()
        await outcomes.until(count: 1)
        #expect(outcomes.all.first??.isTaskCancelled == true && outcomes.all.first??.errorCode == 1003)
        gate.open()
        task?.cancel()
        #expect(outcomes.all.count == 1)
    }

    @Test func `a cancelled load of two leaves the other`() async throws {
        let gate = FaultGate()
        let body = Array(try Place.picture(.red))
        let place = try await place(["/slow": [FaultScript([.wait(gate)] + FaultScript.picture(body).steps)]])
        let (url, outcomes) = (try place.url("/slow"), Recorder<Bool>())
        let first = place.manager.retrieveImage(with: url) { outcomes.add($0.error?.isTaskCancelled == true) }
        await place.server.arrival(of: "/slow")
        place.manager.retrieveImage(with: url) { outcomes.add($0.error?.isTaskCancelled == true) }
        first?.cancel()
        await outcomes.until(count: 1)
        gate.open()
        await outcomes.until(count: 2)
        #expect(outcomes.all == [true, false])
        #expect(await place.requests("/slow") <= 2)
    }

    @Test func `alternatives are tried in order, and the result names the one that succeeded`() async throws {
        let place = try await place()
        let (missing, second, third) = (
            try place.url("/missing1"), try place.url("/missing2"), try place.url("/good.png")
        )
        let options: KingfisherOptionsInfo = [.alternativeSources([.network(second), .network(third)])]
        let value = try await place.retrieve(.network(missing), options).get()
        #expect(value.source.url == third && value.originalSource.url == missing)
        let failure = await place.retrieve(.network(missing), [.alternativeSources([.network(second)])]).error
        guard case .imageSettingError(.alternativeSourcesExhausted(let errors)) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(errors.map(\.source.url) == [missing, second] && failure?.errorCode == 5004)
        #expect(errors.allSatisfy { $0.error.isInvalidResponseStatusCode(404) })
        let alone = await place.retrieve(.network(missing)).error
        #expect(alone?.isInvalidResponseStatusCode(404) == true && alone?.errorCode == 2002)
    }

    @Test func `a strategy of the program sees counts, values and errors`() async throws {
        let place = try await place(["/a": [.status(500), .status(500), try picture()]])
        let (url, strategy) = (try place.url("/a"), CountingStrategy(5))
        #expect(await place.retrieve(.network(url), [.retryStrategy(strategy)]).value != nil)
        #expect(strategy.seen.all == ["0 0 2002 \(url.cacheKey)", "1 10 2002 \(url.cacheKey)"])
    }

    @Test func `a strategy that stops is followed by the alternatives`() async throws {
        let place = try await place(["/a": [.status(500)]])
        let strategy = CountingStrategy(1)
        let good = try place.url("/good.png")
        let options: KingfisherOptionsInfo = [.retryStrategy(strategy), .alternativeSources([.network(good)])]
        let value = try await place.retrieve(.network(try place.url("/a")), options).get()
        #expect(value.source.url == good && strategy.seen.all.count == 2)
        #expect(await place.requests("/a") == 2)
    }

    @Test func `DelayRetryStrategy retries a number of times, also by a closure`() async throws {
        let place = try await place(["/a": [.status(500)], "/b": [.status(500), try picture()]])
        let strategy = DelayRetryStrategy(maxRetryCount: 2, retryInterval: .seconds(0))
        let failure = await place.retrieve(.network(try place.url("/a")), [.retryStrategy(strategy)]).error
        #expect(failure?.isInvalidResponseStatusCode(500) == true)
        #expect(await place.requests("/a") == 3)
        let waits = Recorder<Int>()
        let custom = DelayRetryStrategy(
            maxRetryCount: 3,
            retryInterval: .custom { count in
                waits.add(count)
                return 0
            })
        #expect(await place.retrieve(.network(try place.url("/b")), [.retryStrategy(custom)]).value != nil)
        #expect(waits.all == [0])
    }

    @Test func `an error of a provider stays what it is`() async throws {
        let place = try await place()
        for _ in 0..<2 {
            let failure = await place.retrieve(.provider(BrokenProvider(cacheKey: "b"))).error
            guard case .imageSettingError(.dataProviderError(let provider, let error)) = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
            #expect(provider.cacheKey == "b" && error as? Broken == Broken(number: 7) && failure?.errorCode == 5003)
        }
    }

    @Test func `failures of a host delay no other load, not even if it asks for a delay`() async throws {
        let busy = FaultScript.status(503, headers: [("Retry-After", "30")])
        let place = try await place(["/busy": [busy]])
        for _ in 0..<7 {
            #expect(
                await place.retrieve(.network(try place.url("/busy"))).error?.isInvalidResponseStatusCode(503) == true)
        }
        #expect(await place.retrieve(.network(try place.url("/a.png"))).value != nil)
        #expect(await place.requests("/busy") == 7)
    }

    @Test func `onlyFromCache sends nothing and says what is missing`() async throws {
        let place = try await place()
        let url = try place.url("/a.png")
        let failure = await place.retrieve(.network(url), [.onlyFromCache, .alternativeSources([.network(url)])]).error
        guard case .cacheError(.imageNotExisting(let key)) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(key == url.cacheKey && failure?.errorCode == 3006)
        #expect(await place.requests("/a.png") == 0)
        _ = await place.retrieve(.network(url))
        #expect(await place.retrieve(.network(url), [.onlyFromCache]).value?.cacheType == .memory)
    }

    @Test func `what is no image is an error of the processor`() async throws {
        let place = try await place()
        let failure = await place.retrieve(.network(try place.url("/text"))).error
        #expect(failure?.errorCode == 4001)
        #expect(failure?.errorDescription?.contains("4001") == true)
        let request = await place.retrieve(
            .network(try place.url("/a.png")), [.requestModifier(AnyModifier { _ in nil })])
        #expect(request.error?.errorCode == 1001)
    }

    @Test func `the default options come first and the load's win`() async throws {
        let place = try await place()
        let (processor, other) = (
            ResizingImageProcessor(referenceSize: CGSize(width: 5, height: 5)),
            ResizingImageProcessor(referenceSize: CGSize(width: 7, height: 7))
        )
        place.manager.defaultOptions = [.processor(processor), .scaleFactor(2)]
        let url = try place.url("/a.png")
        #expect(try await place.retrieve(.network(url)).get().image.size.width == 10)
        #expect(try await place.retrieve(.network(url), [.processor(other)]).get().image.size.width == 14)
    }

    @Test func `the original cache serves other processors`() async throws {
        let place = try await place()
        let originals = try ImageCache(name: "originals", cacheDirectoryURL: place.folder.url)
        let (url, blur) = (try place.url("/a.png"), BlurImageProcessor(blurRadius: 1))
        let options: KingfisherOptionsInfo = [.originalCache(originals), .cacheOriginalImage, .waitForCache]
        _ = await place.retrieve(.network(url), options + [.processor(blur)])
        #expect(originals.isCached(forKey: url.cacheKey) && !place.cache.isCached(forKey: url.cacheKey))
        #expect(place.cache.isCached(forKey: url.cacheKey, processorIdentifier: blur.identifier))
        let second = await place.retrieve(.network(url), options + [.processor(BlackWhiteProcessor())])
        #expect(second.value?.cacheType == .disk)
        #expect(await place.requests("/a.png") == 1)
    }

    @Test func `waitForCache ends after the store, cacheMemoryOnly stores nothing on disk`() async throws {
        let place = try await place()
        let (url, processor) = (try place.url("/a.png"), BlackWhiteProcessor())
        _ = await place.retrieve(.network(url), [.processor(processor), .waitForCache])
        place.cache.clearMemoryCache()
        #expect(place.cache.imageCachedType(forKey: url.cacheKey, processorIdentifier: processor.identifier) == .disk)
        let other = try place.url("/b.png")
        _ = await place.retrieve(.network(other), [.cacheMemoryOnly])
        #expect(place.cache.imageCachedType(forKey: other.cacheKey) == .memory)
        place.cache.clearMemoryCache()
        #expect(!place.cache.isCached(forKey: other.cacheKey))
    }

    @Test func `damaged bytes in the cache are a miss`() async throws {
        let place = try await place()
        let url = try place.url("/a.png")
        _ = await withCheckedContinuation { done in
            place.cache.storeToDisk(Data([1, 2, 3]), forKey: url.cacheKey) { done.resume(returning: $0) }
        }
        #expect(await place.retrieve(.network(url)).value?.image.size.width == 60)
    }

    @Test func `the modifier's image is delivered, and the plain one is cached`() async throws {
        let place = try await place()
        let (url, blue) = (try place.url("/a.png"), try Place.image(.blue))
        let value = try await place.retrieve(.network(url), [.imageModifier(AnyImageModifier { _ in blue })]).get()
        #expect(value.image.pixels[0, 0] == .blue)
        #expect(place.cache.retrieveImageInMemoryCache(forKey: url.cacheKey)?.pixels[0, 0] == .red)
    }

    @Test func `the same for tasks`() async throws {
        let place = try await place()
        let value = try await place.manager.retrieveImage(with: try place.url("/a.png"))
        #expect(value.image.size.height == 40)
        await #expect(throws: KingfisherError.self) {
            try await place.manager.retrieveImage(with: try place.url("/missing"))
        }
    }

    @Test func `progress and the task are told`() async throws {
        let place = try await place()
        let (bytes, tasks, done) = (Recorder<[Int64]>(), Recorder<Bool>(), Recorder<Bool>())
        place.manager.retrieveImage(
            with: try place.url("/a.png"), progressBlock: { bytes.add([$0, $1]) },
            downloadTaskUpdated: { tasks.add($0 != nil) }
        ) { _ in done.add(true) }
        await done.until(count: 1)
        let size = Int64(try Place.picture(.red).count)
        #expect(bytes.all.last == [size, size] && tasks.all == [true])
    }
}
