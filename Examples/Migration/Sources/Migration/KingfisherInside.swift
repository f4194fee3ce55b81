import Foundation
import TerminalImageView

@MainActor
func kingfisherInside(_ checks: Checks) async {
    await values(checks)
    await sources(checks)
    await options(checks)
    await tasks(checks)
    await failures(checks)
    await retries(checks)
    await loading(checks)
}

/// B1 to B4: the types of the entrance.
@MainActor
private func values(_ checks: Checks) async {
    await checks.row("B1", "no kf namespace: the view itself has setImage") {
        let view = try checks.view(on: Drawings())
        try await view.setImage(with: checks.source("/pic/b1.png"))
        return view.image?.size == pixels(150, 100)
    }
    await checks.row("B2", "the progress block receives a DownloadProgress: Int and Int?") {
        let (pipeline, events) = (try checks.pipeline(), Events())
        _ = try await pipeline.image(for: checks.source("/drip/b2.png")) { events.add($0) }
        let received: [Int] = events.progress.map(\.received)
        let totals: [Int?] = events.progress.map(\.total)
        return received == received.sorted() && received.count > 1 && Set(totals) == [received.last]
    }
    await checks.row("B3", "RetrieveImageResult is ImageResult") {
        let (pipeline, source) = (try checks.pipeline(), try checks.source("/pic/b3.png"))
        let results = [try await pipeline.image(for: source), try await pipeline.image(for: source)]
        return results[0].image == results[1].image && results.map(\.cacheType) == [.none, .memory]
            && results[0].metrics?.statusCode == 200 && results[1].metrics == nil
    }
    await checks.row("B4", "instead of add(to:) and remove(from:): a placeholder returns its look") {
        let screen = Drawings()
        let view = try checks.view(on: screen)
        try await view.setImage(with: checks.source("/drip/b4.png"), placeholder: Card())
        let look = Card().content(for: PlaceholderContext(name: "b4.png", grid: GridSize(columns: 20, rows: 5)))
        return look == .text(["wait for b4.png"]) && screen.contains("wait for b4.png") && screen.isPictureLast
    }
}

/// B5 to B10: sources, resources and providers.
@MainActor
private func sources(_ checks: Checks) async {
    await checks.row("B5", "Source.network and Source.provider") {
        let pipeline = try checks.pipeline()
        let sources: [Source] = [.network(try checks.url("/pic/b5.png")), .provider(smallAnimation)]
        let first = try await pipeline.image(for: sources[0]).image.size
        return try await pipeline.image(for: sources[1]).image.size == pixels(2, 2) && first == pixels(300, 200)
    }
    await checks.row("B6", "Source.cacheKey and url") {
        let url = try checks.url("/pic/b6.png")
        let network = Source.network(ImageResource(downloadURL: url, cacheKey: "b6"))
        let provider = Source.provider(smallAnimation)
        return network.url == url && network.cacheKey == "b6" && provider.url == nil
            && provider.cacheKey == smallAnimation.cacheKey
    }
    await checks.row("B7", "Source(resource): a file URL becomes a provider with the resource's key") {
        let (pipeline, file) = (try checks.pipeline(), try checks.file("b7.png", .red))
        let source = Source(ImageResource(downloadURL: file, cacheKey: "b7"))
        guard case .provider = source, case .network = Source(try checks.url("/pic/b7.png")) else {
            return false
        }
        let result = try await pipeline.image(for: source)
        return await pipeline.cache.isCached(forKey: "b7") && result.image.pixels[0, 0] == .red
    }
    await checks.row("B8", "the cacheKey of a URL is its absoluteString") {
        let (pipeline, url) = (try checks.pipeline(), try checks.url("/pic/b8.png"))
        _ = try await pipeline.image(for: .network(url))
        return await pipeline.cache.isCached(forKey: url.absoluteString) && url.cacheKey == url.absoluteString
    }
    await checks.row("B9", "ImageDataProvider: cacheKey and data") {
        let (pipeline, calls) = (try checks.pipeline(), Recorder<Int>())
        let provider = CountingProvider(calls: calls)
        _ = try await pipeline.image(for: .provider(provider))
        _ = try await pipeline.image(for: .provider(provider))
        let count = await calls.all().count
        return await pipeline.cache.isCached(forKey: "counted") && count == 1
    }
    await checks.row("B10", "the key of a local file changes with the file") {
        let file = try checks.file("b10.png", .red)
        let before = LocalFileImageDataProvider(fileURL: file).cacheKey
        try Data(repeating: 0, count: 7).write(to: file)
        let after = LocalFileImageDataProvider(fileURL: file).cacheKey
        return before != after && [before, after].allSatisfy { $0.hasPrefix(file.absoluteString + "#") }
    }
}

/// B11 to B15: options and what a view shows.
@MainActor
private func options(_ checks: Checks) async {
    await checks.row("B11", "a list of options is parsed into a value") {
        let list: [ImageOptionsItem] = [.downloadPriority(0.2), .forceRefresh, .downloadPriority(0.8)]
        let options = ImageOptions(list)
        return options.cache.policy == .reload && options.download.priority == 0.8
    }
    await checks.row("B12", "no source is the error emptySource, the placeholder stays") {
        let screen = Drawings()
        let view = try checks.view(on: screen)
        let error = await imageError { try await view.setImage(with: nil, placeholder: Card()) }
        return error == .imageSetting(.emptySource) && screen.contains("wait for") && screen.pictures == 0
    }
    await checks.row("B13", "defaultOptions and the options of a call") {
        let defaults: ImageOptions = [.onlyFromCache, .processor(.blackWhite)]
        let pipeline = ImagePipeline(cache: try checks.cache(), defaultOptions: defaults)
        let source = try checks.source("/pic/b13.png")
        let error = await imageError { try await pipeline.image(for: source) }
        let result = try await pipeline.image(for: source, options: [.forceRefresh])
        let replaced = try await pipeline.image(for: source, options: ImageOptions([.forceRefresh]))
        return error == .cache(.imageNotExisting(key: source.cacheKey)) && result.image.pixels[200, 10].isGrey
            && !replaced.image.pixels[200, 10].isGrey
    }
    await checks.row("B14", "the placeholder is shown unless an image is kept") {
        let (screen, source) = (Drawings(), try checks.source("/drip/b14.png"))
        let view = try checks.view(on: screen)
        view.placeholder = Card()
        let options: [ImageOptionsItem] = [.keepCurrentImageWhileLoading]
        try await view.setImage(with: source, options: options)
        let isShownFirst = screen.contains("wait for b14.png")
        screen.clear()
        try await view.setImage(with: checks.source("/drip/b14-next.png"), options: options)
        return isShownFirst && !screen.contains("wait for")
    }
    await checks.row("B15", "the indicator runs from the request to its end") {
        let screen = Drawings()
        let view = try checks.view(on: screen, indicator: ActivityIndicator(.ascii, interval: .milliseconds(10)))
        try await view.setImage(with: checks.source("/drip/b15.png"))
        let count = screen.count
        try await Task.sleep(for: .milliseconds(50))
        return count > 3 && screen.count == count && screen.isPictureLast
    }
}

/// B16 to B24: the task of a view.
@MainActor
private func tasks(_ checks: Checks) async {
    await checks.row("B16", "Source.Identifier.next(), one per request") {
        let (pipeline, source) = (try checks.pipeline(), try checks.source("/pic/b16.png"))
        let before = Source.Identifier.next()
        let first = try await pipeline.image(for: source).identifier
        let second = try await pipeline.image(for: source).identifier
        return before < first && first < second && second < Source.Identifier.next()
    }
    await checks.row("B17", "shouldPreloadAllAnimation is AnimationFrames(preloadsAllFrames:)") {
        let image = try await checks.pipeline().image(for: .provider(smallAnimation)).image
        guard let animation = image.animation else { return false }
        let lazy = AnimationFrames(animation, byteBudget: 16)
        let eager = AnimationFrames(animation, byteBudget: 16, preloadsAllFrames: true)
        for frames in [lazy, eager] {
            _ = try await frames.frame(at: 0)
            await frames.finishReadingAhead()
        }
        let held = await (lazy.heldBytes, eager.heldBytes)
        return held.0 < held.1 && held.1 == 2 * 16
    }
    await checks.row("B18", "events of the received data instead of side effects") {
        let (pipeline, events) = (try checks.pipeline(), Events())
        _ = try await pipeline.image(for: checks.source("/pic/b18.png")) { events.add($0) }
        guard case .started = events.all.first, case .received(let count) = events.all.last else { return false }
        return count > 0 && events.progress.last?.received == count
    }
    await checks.row("B19", "only the newest task of a view is told of") {
        let screen = Drawings()
        let view = try checks.view(on: screen)
        let old = try checks.source("/drip/b19.png")
        let older = Task { await imageError { try await view.setImage(with: old, placeholder: Card()) } }
        guard try await eventually({ screen.contains("wait for b19.png") }) else { return false }
        let newer = try await view.setImage(with: checks.source("/pic/b19.png"))
        let error = await older.value
        return error?.isNotCurrentTask == true && view.image == newer.image && screen.pictures == 1
    }
    await checks.row("B20", "one task for the whole load: cancel it between two attempts") {
        let (pipeline, source) = (try checks.pipeline(), try checks.source("/down/b20.png"))
        let strategy = DelayRetryStrategy(maxRetryCount: 5, retryInterval: .seconds(60))
        let events = Events()
        let task = Task {
            await imageError {
                try await pipeline.image(for: source, options: [.retryStrategy(strategy)]) { events.add($0) }
            }
        }
        guard try await eventually({ events.retries == [2] }) else { return false }
        task.cancel()
        return await task.value?.isTaskCancelled == true
    }
    await checks.row("B21", "a stale result is the error notCurrentSourceTask") {
        let view = try checks.view(on: Drawings())
        let slow = try checks.source("/slow/b21.png")
        let older = Task { await imageError { try await view.setImage(with: slow) } }
        guard try await eventually({ view.isLoading }) else { return false }
        try await view.setImage(with: checks.source("/pic/b21.png"))
        return await older.value == .imageSetting(.notCurrentSourceTask)
    }
    await checks.row("B22", "the task is cleared at the end") {
        let view = try checks.view(on: Drawings())
        let source = try checks.source("/drip/b22.png")
        let load = Task { try await view.setImage(with: source) }
        guard try await eventually({ view.isLoading }) else { return false }
        _ = try await load.value
        return !view.isLoading
    }
    await checks.row("B23", "a transition for pictures that no cache had, or a forced one") {
        let display = ImageOptions([.transition(.fade(0.3))]).display
        let forced = ImageOptions([.transition(.fade(0.3)), .forceTransition]).display
        let types: [ImageCache.CacheType] = [.none, .memory, .disk]
        return types.map { display.transition(from: $0).isVisible } == [true, false, false]
            && types.map { forced.transition(from: $0).isVisible } == [true, true, true]
    }
    await checks.row("B24", "onFailureImage at a failure") {
        let screen = Drawings()
        let view = try checks.view(on: screen)
        let (missing, sign) = (try checks.source("/missing"), image(of: .blue))
        _ = await imageError { try await view.setImage(with: missing) }
        let before = view.image
        _ = await imageError { try await view.setImage(with: missing, options: [.onFailureImage(sign)]) }
        return before == nil && view.image == sign && screen.pictures == 1
    }
}

/// B25 to B28: alternatives and their errors.
@MainActor
private func failures(_ checks: Checks) async {
    await checks.row("B25", "a cancelled load tries no alternative and no further attempt") {
        let (pipeline, source) = (try checks.pipeline(), try checks.source("/slow/b25.png"))
        let options: [ImageOptionsItem] = [
            .alternativeSources([try checks.source("/pic/b25.png")]), .retryStrategy(withNoDelay()),
        ]
        let task = Task { await imageError { try await pipeline.image(for: source, options: options) } }
        guard try await eventually({ try await checks.requests(for: "/slow/b25.png") == 1 }) else { return false }
        task.cancel()
        let isCancelled = await task.value?.isTaskCancelled == true
        let count = try await checks.requests(for: "/slow/b25.png")
        return try await checks.requests(for: "/pic/b25.png") == 0 && count == 1 && isCancelled
    }
    await checks.row("B26", "alternatives are taken one after another") {
        let others = ["/missing", "/header/b26.png", "/pic/b26.png"]
        let alternatives = try others.map { try checks.source($0) }
        let result = try await checks.pipeline().image(
            for: checks.source("/down/b26.png"), options: [.alternativeSources(alternatives)])
        let count = try await checks.requests(for: "/header/b26.png")
        return try await checks.requests(for: "/down/b26.png") == 1 && count == 1
            && result.image.size == pixels(300, 200)
    }
    await checks.row("B27", "one failure is its own error, several are alternativeSourcesExhausted") {
        let (pipeline, source) = (try checks.pipeline(), try checks.source("/missing"))
        let one = await imageError { try await pipeline.image(for: source) }
        let several = await imageError {
            try await pipeline.image(for: source, options: [.alternativeSources([checks.source("/header/b27.png")])])
        }
        return one?.isInvalidResponseStatusCode(404) == true && one?.failures.count == 0 && several?.failures.count == 2
    }
    await checks.row("B28", "PropagationError is SourceFailure, with a source and an error") {
        let (pipeline, source) = (try checks.pipeline(), try checks.source("/missing"))
        let error = await imageError {
            try await pipeline.image(for: source, options: [.alternativeSources([checks.source("/header/b28.png")])])
        }
        guard let failures = error?.failures, failures.count == 2 else { return false }
        return failures[0].source.url == source.url && failures[0].error.isInvalidResponseStatusCode(404)
            && failures[1].error.isInvalidResponseStatusCode(403)
    }
}

/// B29 to B33: retries.
@MainActor
private func retries(_ checks: Checks) async {
    let briefly = DelayRetryStrategy(maxRetryCount: 1, retryInterval: .seconds(0.01))
    await checks.row("B29", "retries come before the alternatives") {
        let other = try checks.source("/pic/b29.png")
        _ = try await checks.pipeline().image(
            for: checks.source("/down/b29.png"), options: [.retryStrategy(briefly), .alternativeSources([other])])
        let count = try await checks.requests(for: "/down/b29.png")
        return try await checks.requests(for: "/pic/b29.png") == 1 && count == 2
    }
    await checks.row("B30", "each alternative has its own retries") {
        let other = try checks.source("/busy/b30.png")
        let result = try await checks.pipeline().image(
            for: checks.source("/missing"), options: [.retryStrategy(briefly), .alternativeSources([other])])
        return try await checks.requests(for: "/busy/b30.png") == 2 && result.image.size == pixels(300, 200)
    }
    await checks.row("B31", "instead of .retry or .stop: the policy of a retrier returns its decision") {
        let pipeline = try checks.pipeline()
        let strategy = PolicyStrategy(policy: CountingPolicy(limit: 1, failures: Recorder()))
        let result = try await pipeline.image(
            for: checks.source("/busy/b31.png"), options: [.retryStrategy(strategy)])
        let error = await imageError {
            try await pipeline.image(for: checks.source("/down/b31.png"), options: [.retryStrategy(strategy)])
        }
        let count = try await checks.requests(for: "/down/b31.png")
        return error?.isInvalidResponseStatusCode(503) == true && count == 2 && result.cacheType == .none
    }
    await checks.row("B32", "userInfo is carried from failure to failure") {
        let failures = try await attempts(checks, at: "/down/b32.png", retries: 2)
        return failures.map { $0.userInfo as? Int } == [nil, 1, 2]
    }
    await checks.row("B33", "retriedCount and error are index and error, the newest one") {
        let failures = try await attempts(checks, at: "/down/b33.png", retries: 1)
        let errors = failures.compactMap { $0.error as? ImageError }
        return failures.map(\.index) == [0, 1] && errors.map { $0.isInvalidResponseStatusCode(503) } == [true, true]
    }
}

/// B34 to B37: how a picture is loaded.
@MainActor
private func loading(_ checks: Checks) async {
    await checks.row("B34", "forceRefresh, else the cache, else the error of onlyFromCache, else a load") {
        let (pipeline, source) = (try checks.pipeline(), try checks.source("/pic/b34.png"))
        let error = await imageError { try await pipeline.image(for: source, options: [.onlyFromCache]) }
        var types: [ImageCache.CacheType] = []
        for options: [ImageOptionsItem] in [[], [], [.onlyFromCache], [.onlyFromCache, .forceRefresh]] {
            types.append(try await pipeline.image(for: source, options: options).cacheType)
        }
        return error == .cache(.imageNotExisting(key: source.cacheKey)) && types == [.none, .memory, .memory, .none]
    }
    await checks.row("B35", "a network source is downloaded, a provider is read") {
        let (downloader, calls) = (ImageDownloader(), Recorder<Int>())
        let pipeline = try checks.pipeline(downloader)
        let provided = try await pipeline.image(for: .provider(CountingProvider(calls: calls)))
        let before = downloader.receivedByteCount
        let downloaded = try await pipeline.image(for: checks.source("/pic/b35.png"))
        let count = await calls.all().count
        return before == 0 && downloader.receivedByteCount > 0 && count == 1 && provided.metrics == nil
            && downloaded.metrics != nil
    }
    await checks.row("B36", "the downloader of the options, else the pipeline's") {
        let (own, other) = (ImageDownloader(), ImageDownloader())
        let pipeline = try checks.pipeline(own)
        _ = try await pipeline.image(for: checks.source("/pic/b36a.png"), options: [.downloader(other)])
        let counts = (own.receivedByteCount, other.receivedByteCount)
        _ = try await pipeline.image(for: checks.source("/pic/b36b.png"))
        return counts.0 == 0 && counts.1 > 0 && own.receivedByteCount > 0
            && other.receivedByteCount == counts.1
    }
    await checks.row("B37", "the error of a provider is kept") {
        let error = await imageError { try await checks.pipeline().image(for: .provider(BrokenProvider())) }
        guard case .imageSetting(.dataProviderError(let failure)) = error else { return false }
        return failure.error is BrokenProvider.NoPicture
    }
}

/// Counts how often it is read.
private struct CountingProvider: ImageDataProvider {
    let calls: Recorder<Int>
    let cacheKey = "counted"

    func data() async throws -> Data {
        calls.add(1)
        return try PixelBuffer(size: pixels(10, 10), filledWith: .red).pngData()
    }
}

private struct BrokenProvider: ImageDataProvider {
    struct NoPicture: Error {}

    let cacheKey = "broken"

    func data() async throws -> Data { throw NoPicture() }
}

private struct PolicyStrategy: RetryStrategy {
    let policy: CountingPolicy

    func retrier(for host: String) -> Retrier { Retrier(policy) }
}

/// Counts the failures of a run in `userInfo`, and stops after a number of retries.
private struct CountingPolicy: RetryPolicy {
    let limit: Int
    let failures: Recorder<AttemptFailure>

    func decision(after failure: AttemptFailure, using random: inout some RandomNumberGenerator) -> RetryDecision {
        failures.add(failure)
        return failure.index < limit ? .retry(after: .milliseconds(5)) : .giveUp
    }

    func userInfo(after failure: AttemptFailure) -> (any Sendable)? { (failure.userInfo as? Int ?? 0) + 1 }
}

/// Returns the failed attempts at a picture.
@MainActor
private func attempts(_ checks: Checks, at path: String, retries: Int) async throws -> [AttemptFailure] {
    let (failures, source) = (Recorder<AttemptFailure>(), try checks.source(path))
    let strategy = PolicyStrategy(policy: CountingPolicy(limit: retries, failures: failures))
    _ = await imageError { try await checks.pipeline().image(for: source, options: [.retryStrategy(strategy)]) }
    return await failures.all()
}

// MARK: - Shared by the rows of Kingfisher

/// The bytes that a view has drawn.
@MainActor
final class Drawings {
    private var updates: [[UInt8]] = []

    func add(_ bytes: [UInt8]) { updates.append(bytes) }
    func clear() { updates = [] }

    var count: Int { updates.count }
    /// The number of pictures, which are drawn in synchronized updates, unlike text.
    var pictures: Int { updates.count(where: isPicture) }
    var isPictureLast: Bool { updates.last.map(isPicture) ?? false }

    func contains(_ text: String) -> Bool { updates.contains { String(decoding: $0, as: UTF8.self).contains(text) } }

    private func isPicture(_ bytes: [UInt8]) -> Bool { bytes.starts(with: Array("\u{1B}[?2026h".utf8)) }
}

/// The events of a load.
@MainActor
final class Events {
    private(set) var all: [LoadEvent] = []

    func add(_ event: LoadEvent) { all.append(event) }

    var progress: [DownloadProgress] { all.compactMap { if case .progress(let value) = $0 { value } else { nil } } }
    var partials: [Image] { all.compactMap { if case .partial(let image) = $0 { image } else { nil } } }
    var retries: [Int] { all.compactMap { if case .retrying(let attempt, _, _) = $0 { attempt } else { nil } } }
}

struct Card: Placeholder {
    func content(for context: PlaceholderContext) -> PlaceholderContent { .text(["wait for \(context.name)"]) }
}

/// An animation of two frames of 2×2 pixels, red and blue.
let smallAnimation = Base64ImageDataProvider(
    base64String: """
        R0lGODlhAgACAPEAAP8AAAAA/wAAAP///yH/C05FVFNDQVBFMi4wAwEAAAAh+QQACgAAACwAAAAAAgACAAACAwQIFAAh+QQACgAAACwAAAAA
        AgACAAACA0yYFAA7
        """, cacheKey: "animation")

let pngSignature = Data([0x89, 0x50, 0x4E, 0x47])

func pixels(_ width: Int, _ height: Int) -> PixelSize { PixelSize(width: width, height: height) }

extension Color {
    var isGrey: Bool { red == green && green == blue }
}

/// Returns the error of some work; nil if there is none.
@MainActor
func imageError<Result>(_ work: @MainActor () async throws -> Result) async -> ImageError? {
    do { _ = try await work() } catch { return error as? ImageError }
    return nil
}

/// Waits until a condition holds, for two seconds at most.
@MainActor
func eventually(_ condition: @MainActor () async throws -> Bool) async throws -> Bool {
    for _ in 0..<400 {
        if try await condition() { return true }
        try await Task.sleep(for: .milliseconds(5))
    }
    return false
}

extension ImageError {
    /// The failures of all sources; empty if there was one source.
    var failures: [SourceFailure] {
        if case .imageSetting(.alternativeSourcesExhausted(let failures)) = self { failures } else { [] }
    }
}

/// Counts its jobs.
final class CountingExecutor: TaskExecutor {
    let jobs = Recorder<Int>()

    func enqueue(_ job: consuming ExecutorJob) {
        jobs.add(1)
        let job = UnownedJob(job)
        DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
