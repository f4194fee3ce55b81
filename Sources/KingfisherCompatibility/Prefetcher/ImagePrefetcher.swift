import Foundation
import ImageLoading

/// Receives the items that a cache had, that failed and that were fetched, so far.
public typealias PrefetchReport<Item> = @Sendable (_ skipped: [Item], _ failed: [Item], _ completed: [Item]) -> Void
/// Receives resources.
public typealias PrefetcherProgressBlock = PrefetchReport<any Resource>
/// Receives sources.
public typealias PrefetcherSourceProgressBlock = PrefetchReport<Source>
/// Receives resources when all is done.
public typealias PrefetcherCompletionHandler = PrefetchReport<any Resource>
/// Receives sources when all is done.
public typealias PrefetcherSourceCompletionHandler = PrefetchReport<Source>

/// Loads a list of images into the caches before they are needed.
///
/// The handlers run where `.callbackQueue` says, by default on the main queue. Transfers yield to those of views.
public final class ImagePrefetcher: Sendable, CustomStringConvertible {
    private struct State: Sendable {
        var limit = 5
        var isStarted = false
        var isStopped = false
        var running: ImageLoading.ImagePrefetcher?
    }

    private let sources: [Source]
    private let options: KingfisherParsedOptionsInfo
    // These get the places of items in the list.
    private let progress: PrefetchReport<Int>?
    private let completion: PrefetchReport<Int>?
    private let state = Locked(State())

    private init(
        _ sources: [Source], _ options: KingfisherOptionsInfo?, _ progress: PrefetchReport<Int>?,
        _ completion: PrefetchReport<Int>?
    ) {
        (self.sources, self.progress, self.completion) = (sources, progress, completion)
        self.options = KingfisherManager.shared.parsed(options)
    }

    private static func report<Item: Sendable>(
        _ items: [Item], to block: PrefetchReport<Item>?
    ) -> PrefetchReport<Int>? {
        guard let block else { return nil }
        return { skipped, failed, completed in
            block(skipped.map { items[$0] }, failed.map { items[$0] }, completed.map { items[$0] })
        }
    }

    /// Creates a prefetcher of sources.
    public convenience init(
        sources: [Source], options: KingfisherOptionsInfo? = nil, progressBlock: PrefetcherSourceProgressBlock?,
        completionHandler: PrefetcherSourceCompletionHandler? = nil
    ) {
        self.init(
            sources, options, Self.report(sources, to: progressBlock), Self.report(sources, to: completionHandler))
    }

    /// Creates a prefetcher of resources.
    public convenience init(
        resources: [any Resource], options: KingfisherOptionsInfo? = nil,
        progressBlock: PrefetcherProgressBlock?, completionHandler: PrefetcherCompletionHandler? = nil
    ) {
        self.init(
            resources.map { Source($0) }, options, Self.report(resources, to: progressBlock),
            Self.report(resources, to: completionHandler))
    }

    /// Creates a prefetcher of addresses.
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

    /// The addresses or keys of the list.
    public var description: String { "ImagePrefetcher: \(sources.map { $0.url?.absoluteString ?? $0.cacheKey })" }

    /// The number of transfers at a time; 5 by default, and fixed once the prefetcher is started.
    public var maxConcurrentDownloads: Int {
        get { state.value.limit }
        set { state.change { $0.limit = newValue } }
    }

    /// Starts; a second call does nothing.
    public func start() {
        let limit = state.change { state -> Int? in
            defer { state.isStarted = true }
            return state.isStarted || state.isStopped ? nil : max(1, state.limit)
        }
        guard let limit else { return }
        var imageOptions = options.imageOptions
        imageOptions.download.alternativeSources = options.alternativeSources ?? []
        imageOptions.download.retryStrategy = (options.retryStrategy as? DelayRetryStrategy)?.bridged
        let prefetcher = ImageLoading.ImagePrefetcher(
            sources: sources, options: imageOptions, pipeline: KingfisherManager.pipeline,
            maxConcurrentDownloads: limit, maxPerHost: limit)
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
        // It can be stopped only now that it knows its list.
        let isStopped = state.change { state in
            state.running = prefetcher
            return state.isStopped
        }
        if isStopped { await prefetcher.stop() }
        for await event in events {
            switch event {
            case .finished, .failed: send(await prefetcher.results, to: progress)
            case .load, .hostChanged: break
            }
        }
        send(await prefetcher.results, to: completion)
        state.change { $0.running = nil }
    }

    private func send(_ results: PrefetchResults, to report: PrefetchReport<Int>?) {
        guard let report else { return }
        options.callbackQueue.execute {
            report(results.skipped.map(\.id), results.failed.map(\.item.id), results.completed.map(\.id))
        }
    }
}
