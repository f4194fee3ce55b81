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
        var isOver = false
        var running: Task<Void, Never>?
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
        // Transfers yield to those of views.
        self.options = changed(KingfisherManager.shared.parsed(options)) { $0.downloadPriority /= 2 }
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
        state.change { state in
            guard !state.isOver, state.running == nil else { return }
            state.running = Task { [limit = max(1, state.limit)] in await run(limit) }
        }
    }

    /// Cancels what is not done yet, which counts as failed.
    public func stop() {
        state.change { state in
            state.isOver = true
            state.running?.cancel()
        }
    }

    private func run(_ limit: Int) async {
        var (skipped, failed, completed): ([Int], [Int], [Int]) = ([], [], [])
        func send(to report: PrefetchReport<Int>?) {
            guard let report else { return }
            options.callbackQueue.execute { [skipped, failed, completed] in report(skipped, failed, completed) }
        }
        func record(_ place: Int, _ outcome: Result<CacheType, KingfisherError>) {
            switch outcome {
            case .success(.none): completed.append(place)
            case .success: skipped.append(place)
            case .failure: failed.append(place)
            }
            send(to: progress)
        }
        await withTaskGroup(of: (Int, Result<CacheType, KingfisherError>).self) { group in
            for (place, source) in sources.enumerated() {
                if place >= limit, let (place, outcome) = await group.next() { record(place, outcome) }
                group.addTask { [options] in (place, await ImageLoad(source, options).prefetched()) }
            }
            for await (place, outcome) in group { record(place, outcome) }
        }
        send(to: completion)
    }
}
