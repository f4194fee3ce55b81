import BrowserCore
import ImageLoading

/// Fetches the rest of the list behind what is looked at.
@MainActor
final class ListPrefetch {
    /// Whether items are fetched that nobody looks at.
    var isOn: Bool
    private let context: BrowserContext
    private let prefetcher: ImagePrefetcher
    /// Items that the user cancelled or removed, and did not ask for since.
    private var givenUp: Set<ItemID> = []
    /// The order that was given last.
    private var lastOrder: Task<Void, Never>?

    init(_ context: BrowserContext, isOn: Bool) {
        self.context = context
        self.isOn = isOn
        prefetcher = ImagePrefetcher(
            pipeline: context.library.pipeline, options: context.choices.prefetchOptions, maxConcurrentDownloads: 8,
            maxPerHost: 5, backlogLimit: 4096)
    }

    /// Tells how the items fare, until the prefetcher is stopped.
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

    /// Goes on with an item whose transfer is under way for somebody who is about to leave it; false where it does not.
    func takeOver(_ item: ItemID) async -> Bool {
        guard takes(item),
            let item = context.feed.items([item], options: context.choices.prefetchOptions).first
        else { return false }
        return await prefetcher.takeOver(item)
    }

    /// The user does not want these any more.
    func giveUp(_ items: [ItemID]) { givenUp.formUnion(items) }

    /// The user looks at it.
    func takeBack(_ item: ItemID) { givenUp.remove(item) }

    func hasGivenUp(_ item: ItemID) -> Bool { givenUp.contains(item) }

    /// Whether an item is fetched that nobody looks at.
    func takes(_ item: ItemID) -> Bool { isOn && !hasGivenUp(item) }

    /// Orders reach the prefetcher one after the other, as they were given.
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
