import Foundation
import ImageLoading

/// Receives the resources that a cache had, that failed and that were fetched, so far.
public typealias PrefetcherProgressBlock =
    @Sendable (
        _ skippedResources: [any Resource], _ failedResources: [any Resource], _ completedResources: [any Resource]
    ) -> Void
/// Receives the sources that a cache had, that failed and that were fetched, so far.
public typealias PrefetcherSourceProgressBlock =
    @Sendable (
        _ skippedSources: [Source], _ failedSources: [Source], _ completedSources: [Source]
    ) -> Void
/// Receives the resources that a cache had, that failed and that were fetched.
public typealias PrefetcherCompletionHandler = PrefetcherProgressBlock
/// Receives the sources that a cache had, that failed and that were fetched.
public typealias PrefetcherSourceCompletionHandler = PrefetcherSourceProgressBlock

/// Loads a list of images into the caches before they are needed.
public final class ImagePrefetcher: Sendable {
    private struct State: Sendable {
        var limit = 5
        var isStarted = false
        var isStopped = false
        var running: ImageLoading.ImagePrefetcher?
    }

    private let sources: [Source]
    private let options: KingfisherParsedOptionsInfo
    private let progress: PrefetcherSourceProgressBlock?
    private let completion: PrefetcherSourceProgressBlock?
    private let state = Locked(State())

    /// Creates a prefetcher of sources; the handlers run where `.callbackQueue` says, by default on the main queue.
    public init(
        sources: [Source], options: KingfisherOptionsInfo? = nil, progressBlock: PrefetcherSourceProgressBlock?,
        completionHandler: PrefetcherSourceCompletionHandler? = nil
    ) {
        (self.sources, progress, completion) = (sources, progressBlock, completionHandler)
        self.options = KingfisherManager.shared.parsed(options)
    }

    /// Creates a prefetcher of resources; the handlers run where `.callbackQueue` says, by default on the main queue.
    public convenience init(
        resources: [any Resource], options: KingfisherOptionsInfo? = nil,
        progressBlock: PrefetcherProgressBlock?, completionHandler: PrefetcherCompletionHandler? = nil
    ) {
        let keyed = Dictionary(resources.map { (Source($0), $0) }) { first, _ in first }
        @Sendable func adapted(_ block: PrefetcherProgressBlock?) -> PrefetcherSourceProgressBlock? {
            guard let block else { return nil }
            return { skipped, failed, completed in
                block(
                    skipped.compactMap { keyed[$0] }, failed.compactMap { keyed[$0] },
                    completed.compactMap { keyed[$0] })
            }
        }
        self.init(
            sources: resources.map { Source($0) }, options: options, progressBlock: adapted(progressBlock),
            completionHandler: adapted(completionHandler))
    }

    /// Creates a prefetcher of addresses; the handlers run where `.callbackQueue` says, by default on the main queue.
    public convenience init(
        urls: [URL], options: KingfisherOptionsInfo? = nil, progressBlock: PrefetcherProgressBlock?,
        completionHandler: PrefetcherCompletionHandler? = nil
    ) {
        self.init(
            resources: urls, options: options, progressBlock: progressBlock, completionHandler: completionHandler)
    }

    /// Creates a prefetcher of sources that does not tell the progress.
    public convenience init(
        sources: [Source], options: KingfisherOptionsInfo? = nil,
        completionHandler: PrefetcherSourceCompletionHandler? = nil
    ) { self.init(sources: sources, options: options, progressBlock: nil, completionHandler: completionHandler) }

    /// Creates a prefetcher of resources that does not tell the progress.
    public convenience init(
        resources: [any Resource], options: KingfisherOptionsInfo? = nil,
        completionHandler: PrefetcherCompletionHandler? = nil
    ) { self.init(resources: resources, options: options, progressBlock: nil, completionHandler: completionHandler) }

    /// Creates a prefetcher of addresses that does not tell the progress.
    public convenience init(
        urls: [URL], options: KingfisherOptionsInfo? = nil, completionHandler: PrefetcherCompletionHandler? = nil
    ) { self.init(resources: urls, options: options, progressBlock: nil, completionHandler: completionHandler) }

    /// The number of transfers at a time; 5 by default, and fixed once the prefetcher is started.
    public var maxConcurrentDownloads: Int {
        get { state.value.limit }
        set { state.change { $0.limit = newValue } }
    }

    /// Starts; a second call does nothing.
    public func start() {
        let limit = state.change { state -> Int? in
            defer { state.isStarted = true }
            return state.isStarted || state.isStopped ? nil : state.limit
        }
        guard let limit else { return }
        var imageOptions = options.imageOptions
        imageOptions.download.alternativeSources = options.alternativeSources ?? []
        imageOptions.download.retryStrategy = (options.retryStrategy as? DelayRetryStrategy)?.bridged
        let prefetcher = ImageLoading.ImagePrefetcher(
            sources: sources, options: imageOptions, pipeline: KingfisherManager.pipeline,
            maxConcurrentDownloads: max(1, limit), maxPerHost: max(1, limit))
        state.change { $0.running = prefetcher }
        Task { await run(prefetcher) }
    }

    /// Cancels what is not done yet, which counts as failed.
    public func stop() {
        let running = state.change { state in
            state.isStopped = true
            return state.running
        }
        Task { await running?.stop() }
    }

    private func run(_ prefetcher: ImageLoading.ImagePrefetcher) async {
        let events = await prefetcher.start()
        if state.value.isStopped { await prefetcher.stop() }
        for await event in events {
            switch event {
            case .finished, .failed: report(await prefetcher.results, to: progress)
            case .load, .hostChanged: break
            }
        }
        report(await prefetcher.results, to: completion)
        state.change { $0.running = nil }
    }

    private func report(_ results: PrefetchResults, to block: PrefetcherSourceProgressBlock?) {
        guard let block else { return }
        options.callbackQueue.execute {
            block(results.skipped.map(\.source), results.failed.map(\.item.source), results.completed.map(\.source))
        }
    }
}
