import AlcedoBrowserCore
import AlcedoLists
import AlcedoScreen
import AlcedoSupport
import FoundationEssentials
import ImageLoading
import Raster
import TerminalGraphics

/// Loads the selected picture, and prepares those that may be seen or selected next.
@MainActor
final class PictureLoading {
    /// A load that the slot waits for.
    private struct Order {
        let id: RequestID
        let item: ItemID
        let source: Source
        let box: PixelSize
        let region: PictureRegion?
        let start = RunClock.system.now()
    }

    /// A running load.
    private struct Load {
        let task: Task<Void, Never>
        let item: ItemID
        /// Whether some of its bytes have arrived, or an attempt has failed and the next one follows.
        var isUnderWay = false
    }

    private let context: BrowserContext
    private let presenter: PicturePresenter
    private let prefetch: ListPrefetch
    private var loads: [RequestID: Load] = [:]
    /// Loads that are no longer needed but continue for a moment.
    private var lingering: [RequestID: Task<Void, Never>] = [:]
    /// Loads whose items the prefetcher has taken over.
    private var handedOver: Set<RequestID> = []
    /// The number of thumbnails that are visible at a time.
    var visibleThumbnails = 0
    /// The item that was selected last.
    private var selected: ItemID?
    /// Runs until a selection has lasted for a moment.
    private var selectionDelay: Task<Void, Never>?
    /// The encoding that was enqueued last.
    private var encoding: Task<Void, Never>?

    init(_ context: BrowserContext, presenter: PicturePresenter, prefetch: ListPrefetch) {
        (self.context, self.presenter, self.prefetch) = (context, presenter, prefetch)
    }

    private var isStopped = false

    /// Cancels everything that runs; nothing is shown after that.
    func stop() {
        isStopped = true
        for task in loads.values.map(\.task) + lingering.values { task.cancel() }
        // What is still decoded is not announced any more.
        loads = [:]
        selectionDelay?.cancel()
    }

    /// Loads the picture that the slot waits for.
    func load(_ id: RequestID, _ item: ItemID, box: PixelSize, region: PictureRegion?, reload: Bool) {
        prefetch.include(item)
        guard let source = context.listLoader.source(item) else {
            return context.inbox.post(
                .slotFailed(id, FailureFacts(title: "no source", detail: "The item is gone.", attempts: 0)))
        }
        let order = Order(id: id, item: item, source: source, box: box, region: region)
        let isScrolling = isScrolling(to: item)
        if let path = context.listLoader.folder(item) {
            return begin(order, afterDelay: isScrolling) { await $0.perform(order, onFolder: path) }
        }
        if region != nil { return begin(order) { await $0.performZoomed(order) } }
        if !reload, let image = remembered(order) { return show(image, to: order, isScrolling: isScrolling) }
        var options = context.choices.options(item, box, priority: 1)
        if reload {
            options.cache.policy = .reload
            // What the user asks for again does not wait for its host.
            source.url.map { context.library.pipeline.hosts.probe($0.hostKey) }
        }
        options.process.progressiveJPEG = ImageProgressive(scanInterval: .milliseconds(200))
        options.delivery.callbackQueue = .main
        begin(order, afterDelay: isScrolling) { await $0.perform(order, options) }
    }

    /// How long a selection must last to count as more than scrolling past: longer than the repeat interval of a held
    /// key.
    private static let minimumSelectionTime = Duration.milliseconds(60)

    /// Returns whether this selection follows another one so fast that more are to be expected.
    ///
    /// Decoding pictures that the user scrolls past would slow down the response to keys.
    private func isScrolling(to item: ItemID) -> Bool {
        guard item != selected else { return false }
        let isScrolling = selectionDelay != nil
        selected = item
        selectionDelay?.cancel()
        selectionDelay = Task { [weak self, clock = context.clock] in
            guard (try? await clock.sleep(for: Self.minimumSelectionTime)) != nil else { return }
            self?.selectionDelay = nil
        }
        return isScrolling
    }

    private func begin(
        _ order: Order, afterDelay: Bool = false, _ work: @escaping @MainActor (PictureLoading) async -> Void
    ) {
        let selectionDelay = afterDelay ? selectionDelay : nil
        let task = Task {
            await selectionDelay?.value
            if selectionDelay == nil || !Task.isCancelled { await work(self) }
            loads[order.id] = nil
            handedOver.remove(order.id)
        }
        loads[order.id] = Load(task: task, item: order.item)
    }

    /// How long an unneeded load continues, so that another load of the picture, or the prefetcher, can join its
    /// transfer.
    private static let handover = Duration.milliseconds(300)

    /// Cancels a load; a load that is under way continues for a moment, so that others can join it.
    func abandon(_ id: RequestID) {
        guard let load = loads.removeValue(forKey: id) else { return }
        guard load.isUnderWay, !context.choices.isLowData, !prefetch.isExcluded(load.item) else {
            return load.task.cancel()
        }
        lingering[id] = Task {
            if await prefetch.takeOver(load.item) { handedOver.insert(id) }
            try? await context.clock.sleep(for: Self.handover)
            load.task.cancel()
            lingering[id] = nil
        }
    }

    /// Shows a picture from memory: in the next frame if it is encoded already.
    private func show(_ image: Image, to order: Order, isScrolling: Bool) {
        let picture = makePicture(image, order)
        guard !presenter.isReady(picture) else { return deliver(image, picture, from: .memory, to: order) }
        begin(order, afterDelay: isScrolling) { loading in
            await loading.encode(picture, for: order)
            loading.deliver(image, picture, from: .memory, to: order)
        }
    }

    /// Loads a part of the picture from the original's pixels, which stay in memory for the next part.
    private func performZoomed(_ order: Order) async {
        guard let region = order.region else { return }
        do throws(ImageError) {
            var options = context.choices.wholeOptions(order.item)
            options.process.animation.onlyFirstFrame = true
            let result = try await context.library.pipeline.image(for: order.source, options: options)
            guard loads[order.id] != nil else { return }
            let image = try await region.part(of: result.image, within: order.box)
            let picture = makePicture(image, order)
            await encode(picture, for: order)
            deliver(image, picture, from: PictureOrigin(result, source: order.source), to: order)
        } catch {
            await fail(order.id, order.item, source: order.source, error: error)
        }
    }

    /// Shows some pictures of a folder, and tells what it contains.
    private func perform(_ order: Order, onFolder path: String) async {
        let summary = await FolderPicture.summary(of: path, first: 4, showsHidden: context.listLoader.showsHidden)
        context.inbox.post(
            .folderRead(order.item, pictures: summary?.pictures, summary: summary?.texts ?? ["it cannot be read"]))
        if let summary, let facts = await folderFacts(summary, order) {
            return context.inbox.post(.slotPicture(order.id, facts))
        }
        guard !Task.isCancelled else { return }
        let title = summary == nil ? "it cannot be read" : "no picture of it can be shown"
        context.inbox.post(.slotFailed(order.id, FailureFacts(title: title, detail: "", attempts: 0)))
    }

    private func folderFacts(_ summary: FolderSummary, _ order: Order) async -> ShownPicture? {
        guard
            let pixels = await FolderPicture.make(
                summary.first, within: order.box, background: presenter.background, of: context.library.pipeline,
                options: { context.library.options(processor: DownsamplingImageProcessor(size: $0)) }),
            !Task.isCancelled
        else { return nil }
        let picture = DecodedPicture(pixels, name: "folder \(order.source)")
        return ShownPicture(
            picture: presenter.add(picture), size: pixels.size, originalSize: pixels.size, format: "folder", bytes: 0,
            frames: 1, origin: .file, milliseconds: (RunClock.system.now() - order.start).milliseconds, processor: "")
    }

    /// Returns the picture from the memory cache, so that the frame that shows the selection contains it.
    private func remembered(_ order: Order) -> Image? {
        let chain = context.choices.chain(of: order.item, within: order.box)
        let image = context.library.cache.retrieveImageInMemoryCache(
            forKey: order.source.cacheKey, processorIdentifier: chain.identifier)
        return image.flatMap { $0.frameCount == 1 || $0.animation != nil ? $0 : nil }
    }

    /// Decodes and encodes a picture that may be selected next; network sources are read from the cache only.
    func prepare(_ item: ItemID, box: PixelSize) async {
        guard let source = context.listLoader.source(item), context.listLoader.folder(item) == nil else { return }
        var options = context.choices.options(item, box, priority: 0.25)
        if case .network = source { options.cache.policy = .cacheOnly }
        guard let image = try? await context.library.pipeline.image(for: source, options: options).image,
            !Task.isCancelled
        else { return }
        let order = Order(id: RequestID(0), item: item, source: source, box: box, region: nil)
        await presenter.prepare(makePicture(image, order))
    }

    /// Shows the kept thumbnail, or else the preview that a camera stored in a local file.
    ///
    /// - Returns: false if the thumbnail must be loaded after that.
    func previewThumbnail(_ item: ItemID, box: PixelSize) async -> Bool {
        guard let source = context.listLoader.source(item), context.listLoader.folder(item) == nil else { return false }
        let order = Order(id: RequestID(0), item: item, source: source, box: box, region: nil)
        let pipeline = context.library.pipeline
        let kept = try? await Thumbnail.load(source, within: box, of: pipeline) {
            var options = context.choices.options(item, $0, priority: 1)
            options.cache.policy = .cacheOnly
            return options
        }
        if let kept { return await post(kept, asThumbnailFor: order) }
        guard context.choices.chain(of: item).identifier.isEmpty, case .provider(let provider) = source,
            let file = provider as? LocalFileImageDataProvider,
            let preview = await EmbeddedPreview(of: file, within: box)
        else { return false }
        var options = context.library.options(processor: preview.processor)
        options.cache.memoryCacheExpiration = .expired
        let image = try? await pipeline.image(for: .provider(preview), options: options).image
        guard let image else { return false }
        return await post(image, asThumbnailFor: order, previewOf: preview.size)
    }

    /// Returns a picture for the grid, encoded so that its place is not empty between a preview and the thumbnail; nil
    /// if it is not wanted any more.
    ///
    /// Strips stay until the next one is encoded.
    private func thumbnail(_ image: Image, _ order: Order, isPartial: Bool = false) async -> DecodedPicture? {
        var picture = makePicture(image, order, isPartial: isPartial)
        if presenter.largestPicture != nil, visibleThumbnails > PictureStrips.singles {
            picture.role = .part
        } else {
            await presenter.prepare(picture)
        }
        return Task.isCancelled ? nil : picture
    }

    /// Shows a thumbnail, or the preview of a picture of some size until its thumbnail replaces it.
    ///
    /// - Returns: whether it is the thumbnail.
    private func post(_ image: Image, asThumbnailFor order: Order, previewOf size: PixelSize? = nil) async -> Bool {
        guard let picture = await thumbnail(image, order, isPartial: size != nil) else { return false }
        var facts = facts(of: image, picture, from: .memory, order)
        facts.originalSize = size ?? facts.originalSize
        context.inbox.post(.thumbnail(order.item, box: order.box, facts))
        if size == nil { context.statuses.finish(order.item, .inMemory(bytes: image.byteCount)) }
        return size == nil
    }

    /// Loads a thumbnail for the grid; of an animation only the first frame.
    func loadThumbnail(_ item: ItemID, box: PixelSize) async -> Bool {
        guard let source = context.listLoader.source(item) else { return false }
        let order = Order(id: RequestID(0), item: item, source: source, box: box, region: nil)
        if let path = context.listLoader.folder(item) {
            guard
                let summary = await FolderPicture.summary(
                    of: path, first: 4, showsHidden: context.listLoader.showsHidden),
                let facts = await folderFacts(summary, order)
            else { return true }
            context.inbox.post(.thumbnail(item, box: box, facts))
            return true
        }
        do throws(ImageError) {
            let image = try await Thumbnail.load(source, within: box, of: context.library.pipeline) {
                context.choices.options(item, $0, priority: 0.75)
            }
            return await post(image, asThumbnailFor: order)
        } catch {
            if !error.isTaskCancelled { context.statuses.finish(item, .failed(reason: error.title)) }
            return false
        }
    }

    private func perform(_ order: Order, _ options: ImageOptions) async {
        do throws(ImageError) {
            let result = try await context.library.pipeline.image(for: order.source, options: options) { event in
                self.handle(event, of: order)
            }
            result.metrics.map { context.transfers.record($0, of: order.item) }
            let picture = makePicture(result.image, order)
            await encode(picture, for: order)
            deliver(result.image, picture, from: PictureOrigin(result, source: order.source), to: order)
        } catch {
            await fail(order.id, order.item, source: order.source, error: error)
        }
        context.usage.scheduleReport()
    }

    private func handle(_ event: LoadEvent, of order: Order) {
        switch event {
        case .progress(let progress):
            loads[order.id]?.isUnderWay = true
            context.inbox.post(.slotProgress(order.id, received: progress.received, total: progress.total))
        case .partial(let image): handle(partial: image, of: order)
        case .refused(let result): context.report(result.facts, of: order.item)
        case .retrying: loads[order.id]?.isUnderWay = true
        case .started, .received, .answered, .parked: break
        }
        context.statuses.report(order.item, event)
    }

    private func handle(partial image: Image, of order: Order) {
        let picture = makePicture(image, order, isPartial: true)
        Task {
            await encode(picture, for: order)
            guard !isStopped else { return }
            context.inbox.post(.slotPartial(order.id, facts(of: image, picture, from: .network, order)))
        }
    }

    private func deliver(_ image: Image, _ picture: DecodedPicture, from origin: PictureOrigin, to order: Order) {
        guard !isStopped else { return }
        context.inbox.post(.slotPicture(order.id, facts(of: image, picture, from: origin, order)))
        context.statuses.finish(order.item, .inMemory(bytes: image.byteCount))
        if let damage = image.damage, damage.affectsPixels {
            let name = order.source.url.map { LocationNames(Redaction.display($0.absoluteString)).name } ?? "the file"
            context.inbox.post(.pictureNotice(order.item, "\(name) is \(damage.title)"))
        }
    }

    /// Encodes a picture before it is announced, so that its place is never empty between the old picture and the new.
    ///
    /// Encodings run one after the other. One that is no longer needed when its turn comes is skipped.
    private func encode(_ picture: DecodedPicture, for order: Order) async {
        let previous = encoding
        let work = Task {
            await previous?.value
            if loads[order.id] != nil { await presenter.prepare(picture) }
        }
        encoding = work
        await work.value
    }

    private func makePicture(_ image: Image, _ order: Order, isPartial: Bool = false) -> DecodedPicture {
        DecodedPicture(
            image, of: order.source, processor: context.choices.chain(of: order.item), within: order.box,
            isPartial: isPartial, background: presenter.background)
    }

    /// Returns the facts for the screen; the presenter holds the picture from here on.
    private func facts(
        of image: Image, _ picture: DecodedPicture, from origin: PictureOrigin, _ order: Order
    ) -> ShownPicture {
        var facts = ShownPicture(
            picture: presenter.add(picture), size: image.size, originalSize: image.originalSize,
            format: image.format.rawValue, bytes: image.byteCount,
            frames: image.frameCount,
            frameInterval: picture.playback?.frameInterval, frameDelay: picture.playback?.frameDelay,
            playLength: picture.playback?.length, origin: origin,
            milliseconds: (RunClock.system.now() - order.start).milliseconds,
            processor: context.choices.chainText(of: order.item))
        (facts.page, facts.pages) = (context.choices.chain(of: order.item).decodePage ?? 1, image.pageCount)
        facts.damage = image.damage?.words ?? ""
        facts.color = image.color?.description ?? ""
        return facts
    }

    private func fail(_ id: RequestID, _ item: ItemID, source: Source, error: ImageError) async {
        guard !error.isTaskCancelled else { return await restoreStatus(id, item, source: source) }
        let attempts = max(1, context.statuses.history(of: item)?.attempts ?? 1)
        let facts = FailureFacts(error, of: source, attempts: attempts)
        context.statuses.finish(item, .failed(reason: error.title))
        [.failureKnown(item, facts), .slotFailed(id, facts)].forEach(context.inbox.post)
    }

    /// Resets the status of a cancelled item to what the caches have, unless another load or the prefetcher
    /// continues it.
    private func restoreStatus(_ id: RequestID, _ item: ItemID, source: Source) async {
        // Whoever continues the load reports its status.
        guard !handedOver.contains(id), !loads.values.contains(where: { $0.item == item }),
            await !prefetch.isLoading(item)
        else { return }
        // A new task, because the index does not answer in a cancelled one.
        let status = await Task { await context.library.status(of: source) }.value
        context.statuses.finish(item, status)
        if status == .waiting, prefetch.prefetches(item) { prefetch.add(item) }
    }
}

extension PictureDamage {
    /// The damage in the words of the details pane; verdicts are named as in filters.
    fileprivate var words: String {
        switch self {
        case .missingEnd: "without end mark"
        case .incomplete: "incomplete"
        case .corrupt: "corrupt"
        }
    }
}
