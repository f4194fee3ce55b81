import BrowserCore
import ImageLoading

/// Prefetches the rest of the list in the background.
@MainActor
final class ListPrefetch {
    /// Whether items that are not shown are prefetched.
    var isOn: Bool
    private let context: BrowserContext
    private let prefetcher: ImagePrefetcher
    /// Items that the user cancelled or removed and has not requested since.
    private var givenUp: Set<ItemID> = []
    /// The command that was enqueued last.
    private var lastOrder: Task<Void, Never>?

    init(_ context: BrowserContext, isOn: Bool) {
        self.context = context
        self.isOn = isOn
        prefetcher = ImagePrefetcher(
            pipeline: context.library.pipeline, options: context.choices.prefetchOptions, maxConcurrentDownloads: 8,
            maxPerHost: 5, backlogLimit: 4096)
    }

    /// Reports the progress of the items until the prefetcher is stopped.
    func hear() async {
        for await event in prefetcher.events {
            context.statuses.report(event)
            guard case .finished(let id, let result) = event else { continue }
            result.metrics.map { context.transfers.note($0, of: ItemID(id)) }
            context.usage.renew()
        }
    }

    func stop() async { await prefetcher.stop() }

    func replaceBacklog(with items: [ItemID]) { order(items) { await $0.replaceBacklog(with: $1) } }

    func setPaused(_ isPaused: Bool) {
        order { prefetcher, _ in await isPaused ? prefetcher.pause() : prefetcher.resume() }
    }

    func cancel(_ item: ItemID) {
        giveUp([item])
        order { prefetcher, _ in await prefetcher.cancel(item.rawValue) }
    }

    func add(_ item: ItemID) {
        order([item]) { prefetcher, items in
            for item in items { await prefetcher.add(item) }
        }
    }

    /// Continues a load that is about to be cancelled; returns false if the prefetcher cannot.
    func takeOver(_ item: ItemID) async -> Bool {
        guard takes(item),
            let item = context.feed.items([item], options: context.choices.prefetchOptions).first
        else { return false }
        return await prefetcher.takeOver(item)
    }

    /// Excludes items that the user does not want any more.
    func giveUp(_ items: [ItemID]) { givenUp.formUnion(items) }

    /// Includes an item again because the user looks at it.
    func takeBack(_ item: ItemID) { givenUp.remove(item) }

    func hasGivenUp(_ item: ItemID) -> Bool { givenUp.contains(item) }

    /// Returns whether an item is prefetched although it is not shown.
    func takes(_ item: ItemID) -> Bool { isOn && !hasGivenUp(item) }

    /// Runs commands to the prefetcher one after the other, in their order.
    private func order(
        _ ids: [ItemID] = [], _ order: @escaping @MainActor (ImagePrefetcher, [PrefetchItem]) async -> Void
    ) {
        let previous = lastOrder
        lastOrder = Task { [prefetcher, context] in
            await previous?.value
            await order(prefetcher, context.feed.items(ids, options: context.choices.prefetchOptions))
        }
    }
}
