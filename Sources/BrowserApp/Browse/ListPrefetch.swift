import AlcedoBrowserCore
import ImageLoading
import Synchronization

/// Prefetches the rest of the list in the background.
@MainActor
final class ListPrefetch {
    /// The largest number of transfers at a time.
    static let transferLimit = 8

    /// Whether items that are not shown are prefetched.
    var isOn: Bool
    private let context: BrowserContext
    private let prefetcher: ImagePrefetcher
    /// Items that the user cancelled or removed and has not requested since.
    private var excluded: Set<ItemID> = []
    /// The command that was enqueued last.
    private var lastCommand: Task<Void, Never>?

    init(_ context: BrowserContext, isOn: Bool) {
        self.context = context
        self.isOn = isOn
        prefetcher = ImagePrefetcher(
            pipeline: context.library.pipeline, options: context.choices.prefetchOptions,
            maxConcurrentDownloads: Self.transferLimit, maxPerHost: 5, backlogLimit: 4096)
        enqueue { [statuses = context.statuses] prefetcher, _ in
            await prefetcher.onFinish { statuses.didFinish(ItemID($0)) }
        }
    }

    /// Reports the progress of the items until the prefetcher is stopped.
    func observe() async {
        for await event in prefetcher.events {
            context.statuses.report(event) { context.listLoader.source($0) }
            switch event {
            case .load(let id, .refused(let result)): context.report(result.facts, of: ItemID(id))
            case .finished(let id, let result):
                context.report(result.facts, of: ItemID(id))
                result.metrics.map { context.transfers.record($0, of: ItemID(id)) }
                context.usage.scheduleReport()
            default: break
            }
        }
    }

    /// Learns the facts of cached items by a decode, and posts them; one at a time, so that keys and pictures come
    /// first.
    func inspect(_ items: [ItemID]) async {
        var options = context.choices.prefetchOptions
        options.process.originalCheck = .decode
        options.download.inspection = .whole
        options.cache.policy = .cacheOnly
        for (done, id) in items.enumerated() where !Task.isCancelled {
            context.inbox.post(.inspecting(done: done))
            guard let source = context.listLoader.source(id) else { continue }
            let refused = Mutex<ImageFacts?>(nil)
            let result = try? await context.library.pipeline.warm(
                source, options: context.listLoader.options(options, for: id)
            ) { event in
                if case .refused(let result) = event { refused.withLock { $0 = result.facts } }
            }
            context.report(result?.facts ?? refused.withLock(\.self), of: id)
        }
        context.inbox.post(.inspected)
    }

    func stop() async { await prefetcher.stop() }

    /// Replaces the items that wait.
    ///
    /// Items are left out if they have finished but the list has not read that message yet. Local files load faster
    /// than the list reads its messages; they would be loaded again, and each would cause another replacement.
    func replaceBacklog(with items: [ItemID]) {
        enqueue(items) { [statuses = context.statuses] prefetcher, items in
            await prefetcher.replaceBacklog(with: items) { statuses.isFinishedUnread(ItemID($0)) }
        }
    }

    func setPaused(_ isPaused: Bool) {
        enqueue { prefetcher, _ in await isPaused ? prefetcher.pause() : prefetcher.resume() }
    }

    func cancel(_ item: ItemID) {
        exclude([item])
        enqueue { prefetcher, _ in await prefetcher.cancel(item.rawValue) }
    }

    func add(_ item: ItemID) {
        enqueue([item]) { prefetcher, items in
            for item in items { await prefetcher.add(item) }
        }
    }

    /// Continues a load that is about to be cancelled; returns false if the prefetcher cannot.
    func takeOver(_ item: ItemID) async -> Bool {
        guard prefetches(item),
            let item = context.listLoader.items([item], options: context.choices.prefetchOptions).first
        else { return false }
        return await prefetcher.takeOver(item)
    }

    /// Returns whether the prefetcher loads an item, or waits for its host with it.
    func isLoading(_ item: ItemID) async -> Bool { await prefetcher.isActive(item.rawValue) }

    /// Excludes items that the user does not want any more.
    func exclude(_ items: [ItemID]) { excluded.formUnion(items) }

    /// Includes an item again because the user looks at it.
    func include(_ item: ItemID) { excluded.remove(item) }

    func isExcluded(_ item: ItemID) -> Bool { excluded.contains(item) }

    /// Returns whether an item is prefetched although it is not shown.
    func prefetches(_ item: ItemID) -> Bool { isOn && !isExcluded(item) }

    /// Runs commands to the prefetcher one after the other, in their order.
    private func enqueue(
        _ ids: [ItemID] = [], _ command: @escaping @MainActor (ImagePrefetcher, [PrefetchItem]) async -> Void
    ) {
        let previous = lastCommand
        lastCommand = Task { [prefetcher, context] in
            await previous?.value
            await command(prefetcher, context.listLoader.items(ids, options: context.choices.prefetchOptions))
        }
    }
}
