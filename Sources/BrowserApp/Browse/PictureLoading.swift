import BrowserCore
import ImageLoading
import Raster
import TerminalGraphics

/// Loads the picture that is chosen, and those beside it that may be seen or chosen next.
@MainActor
final class PictureLoading {
    /// A load that the slot waits for.
    private struct Order {
        let id: RequestID
        let item: ItemID
        let source: Source
        let box: PixelSize
        let region: PictureRegion?
        let start = MonotonicTime.now()
    }

    /// A load as it runs.
    private struct Load {
        let task: Task<Void, Never>
        let item: ItemID
        /// Whether bytes of it have come.
        var isTransferring = false
    }

    private let context: BrowserContext
    private let presenter: PicturePresenter
    private let prefetch: ListPrefetch
    private var loads: [RequestID: Load] = [:]
    /// What of them nobody looks at any more, for a moment.
    private var departing: [RequestID: Task<Void, Never>] = [:]
    /// Those of them whose items the prefetcher goes on with.
    private var handedOver: Set<RequestID> = []
    /// The item that was chosen last.
    private var chosen: ItemID?
    /// Runs until a choice has stood for a moment.
    private var standing: Task<Void, Never>?
    /// The encoding of a chosen picture that was begun last.
    private var encoding: Task<Void, Never>?

    init(_ context: BrowserContext, presenter: PicturePresenter, prefetch: ListPrefetch) {
        self.context = context
        self.presenter = presenter
        self.prefetch = prefetch
    }

    /// Ends everything that runs.
    func stop() {
        for task in loads.values.map(\.task) + departing.values { task.cancel() }
        standing?.cancel()
    }

    /// Loads the picture that the slot waits for.
    func load(_ id: RequestID, _ item: ItemID, box: PixelSize, region: PictureRegion?, reload: Bool) {
        prefetch.takeBack(item)
        guard let source = context.feed.source(item) else {
            return context.inbox.post(
                .slotFailed(id, FailureFacts(title: "no source", detail: "The item is gone.", attempts: 0)))
        }
        let order = Order(id: id, item: item, source: source, box: box, region: region)
        let isPassing = isPassing(to: item)
        if region != nil { return begin(order) { await $0.performZoomed(order) } }
        if !reload, let image = remembered(order) { return show(image, to: order, isPassing: isPassing) }
        var options = context.choices.options(item, box, priority: 1)
        options.cache.forceRefresh = reload
        options.process.progressiveJPEG = ImageProgressive(scanInterval: .milliseconds(200))
        options.delivery.callbackQueue = .main
        begin(order, whenItStands: isPassing) { await $0.perform(order, options) }
    }

    /// So long a choice stands before it counts as more than a row that is passed on the way: longer than between the
    /// repeats of a key that is held.
    private static let stand = Duration.milliseconds(60)

    /// Whether this choice follows another one so fast that the next is to be expected.
    ///
    /// Decoding what is only passed would take the processors away from the keys.
    private func isPassing(to item: ItemID) -> Bool {
        guard item != chosen else { return false }
        let isPassing = standing != nil
        chosen = item
        standing?.cancel()
        standing = Task { [weak self, clock = context.clock] in
            guard (try? await clock.sleep(for: Self.stand)) != nil else { return }
            self?.standing = nil
        }
        return isPassing
    }

    private func begin(
        _ order: Order, whenItStands: Bool = false, _ work: @escaping @MainActor (PictureLoading) async -> Void
    ) {
        let standing = whenItStands ? standing : nil
        let task = Task {
            await standing?.value
            if standing == nil || !Task.isCancelled { await work(self) }
            loads[order.id] = nil
            handedOver.remove(order.id)
        }
        loads[order.id] = Load(task: task, item: order.item)
    }

    /// How long a load goes on that nobody looks at any more, so that others can join its transfer: the same picture in
    /// another size, or the prefetcher.
    private static let handover = Duration.milliseconds(300)

    /// Gives up a load; one whose bytes are coming is left to others.
    func leave(_ id: RequestID) {
        guard let load = loads.removeValue(forKey: id) else { return }
        guard load.isTransferring, !context.choices.isLowData, !prefetch.hasGivenUp(load.item) else {
            return load.task.cancel()
        }
        departing[id] = Task {
            if await prefetch.takeOver(load.item) { handedOver.insert(id) }
            try? await context.clock.sleep(for: Self.handover)
            load.task.cancel()
            departing[id] = nil
        }
    }

    /// Shows what the memory holds: in this very frame when it is encoded too.
    private func show(_ image: Image, to order: Order, isPassing: Bool) {
        let picture = hold(image, order)
        guard !presenter.isReady(picture) else { return deliver(image, picture, from: .memory, to: order) }
        begin(order, whenItStands: isPassing) { loading in
            await loading.encode(picture, for: order)
            loading.deliver(image, picture, from: .memory, to: order)
        }
    }

    /// A part of the picture from the original's pixels, which stay in memory for the next part.
    private func performZoomed(_ order: Order) async {
        guard let region = order.region else { return }
        do throws(ImageError) {
            var options = context.choices.wholeOptions(order.item)
            options.process.animation.onlyFirstFrame = true
            let result = try await context.library.pipeline.image(for: order.source, options: options)
            guard loads[order.id] != nil else { return }
            let image = try await region.part(of: result.image, within: order.box)
            let picture = hold(image, order)
            await encode(picture, for: order)
            deliver(image, picture, from: PictureOrigin(result, source: order.source), to: order)
        } catch {
            await fail(order.id, order.item, source: order.source, error: error)
        }
    }

    /// What the memory holds, at once: it then stands in the very frame that shows the choice.
    private func remembered(_ order: Order) -> Image? {
        let chain = context.choices.chain(of: order.item, within: order.box)
        let image = context.library.cache.retrieveImageInMemoryCache(
            forKey: order.source.cacheKey, processorIdentifier: chain.identifier)
        return image.flatMap { $0.frameCount == 1 || $0.animation != nil ? $0 : nil }
    }

    /// Decodes and encodes a picture that may be chosen next; of the network only what is here already.
    func prepare(_ item: ItemID, box: PixelSize) async {
        guard let source = context.feed.source(item) else { return }
        var options = context.choices.options(item, box, priority: 0.25)
        if case .network = source { options.cache.onlyFromCache = true }
        guard let image = try? await context.library.pipeline.image(for: source, options: options).image,
            !Task.isCancelled
        else { return }
        let order = Order(id: RequestID(0), item: item, source: source, box: box, region: nil)
        await presenter.prepare(hold(image, order))
    }

    /// A small picture for the grid; of what moves the first frame.
    func loadThumbnail(_ item: ItemID, box: PixelSize) async -> Bool {
        guard let source = context.feed.source(item) else { return false }
        var options = context.choices.options(item, box, priority: 0.75)
        options.process.animation.onlyFirstFrame = true
        let order = Order(id: RequestID(0), item: item, source: source, box: box, region: nil)
        do throws(ImageError) {
            let image = try await context.library.pipeline.image(for: source, options: options).image
            guard !Task.isCancelled else { return false }
            context.inbox.post(.thumbnail(item, box: box, facts(of: image, hold(image, order), from: .memory, order)))
            context.statuses.end(item, .inMemory(bytes: image.byteCount))
            return true
        } catch {
            if !error.isTaskCancelled { context.statuses.end(item, .failed(reason: error.title)) }
            return false
        }
    }

    private func perform(_ order: Order, _ options: ImageOptions) async {
        do throws(ImageError) {
            let result = try await context.library.pipeline.image(for: order.source, options: options) { event in
                MainActor.assumeIsolated { self.hear(event, of: order) }
            }
            result.metrics.map { context.transfers.note($0, of: order.item) }
            let picture = hold(result.image, order)
            await encode(picture, for: order)
            deliver(result.image, picture, from: PictureOrigin(result, source: order.source), to: order)
        } catch {
            await fail(order.id, order.item, source: order.source, error: error)
        }
        context.usage.renew()
    }

    private func hear(_ event: LoadEvent, of order: Order) {
        switch event {
        case .progress(let progress):
            loads[order.id]?.isTransferring = true
            context.inbox.post(.slotProgress(order.id, received: progress.received, total: progress.total))
        case .partial(let image): hear(partial: image, of: order)
        case .started, .received, .answered, .retrying, .parked: break
        }
        context.statuses.report(order.item, event)
    }

    private func hear(partial image: Image, of order: Order) {
        let picture = hold(image, order, isPartial: true)
        Task {
            await encode(picture, for: order)
            context.inbox.post(.slotPartial(order.id, facts(of: image, picture, from: .network, order)))
        }
    }

    private func deliver(_ image: Image, _ picture: HeldPicture, from origin: PictureOrigin, to order: Order) {
        context.inbox.post(.slotPicture(order.id, facts(of: image, picture, from: origin, order)))
        context.statuses.end(order.item, .inMemory(bytes: image.byteCount))
    }

    /// Has a picture encoded before it is told of, so that its place is never empty between the old one and the new.
    ///
    /// One after the other: those that nobody waits for any more when their turn comes are left out.
    private func encode(_ picture: HeldPicture, for order: Order) async {
        let previous = encoding
        let work = Task {
            await previous?.value
            if loads[order.id] != nil { await presenter.prepare(picture) }
        }
        encoding = work
        await work.value
    }

    private func hold(_ image: Image, _ order: Order, isPartial: Bool = false) -> HeldPicture {
        HeldPicture(
            image, of: order.source, processor: context.choices.chain(of: order.item), within: order.box,
            isPartial: isPartial, background: presenter.background)
    }

    /// What the screen needs to know of a picture, which the presenter holds from here on.
    private func facts(
        of image: Image, _ picture: HeldPicture, from origin: PictureOrigin, _ order: Order
    ) -> PictureFacts {
        PictureFacts(
            picture: presenter.add(picture), size: image.size, originalSize: image.originalSize,
            format: image.format.rawValue, bytes: image.byteCount, frames: image.frameCount,
            frameInterval: picture.playback?.frameInterval, frameDelay: picture.playback?.frameDelay,
            playLength: picture.playback?.length, origin: origin,
            milliseconds: (MonotonicTime.now() - order.start).milliseconds,
            processor: context.choices.chainText(of: order.item))
    }

    private func fail(_ id: RequestID, _ item: ItemID, source: Source, error: ImageError) async {
        guard !error.isTaskCancelled else { return await settle(id, item, source: source) }
        let attempts = max(1, context.statuses.history(of: item)?.attempts ?? 1)
        context.inbox.post(.slotFailed(id, FailureFacts(error, of: source, attempts: attempts)))
        context.statuses.end(item, .failed(reason: error.title))
    }

    /// A load that nobody waits for any more leaves the item as the caches have it, or to the prefetcher.
    private func settle(_ id: RequestID, _ item: ItemID, source: Source) async {
        // Whoever goes on with it tells how it stands.
        guard !handedOver.contains(id), !loads.values.contains(where: { $0.item == item }) else { return }
        // This task was cancelled, and the index would not answer it.
        let standing = await Task { await context.library.standing(of: source) }.value
        context.statuses.end(item, standing)
        if standing == .waiting, prefetch.takes(item) { prefetch.add(item) }
    }
}
