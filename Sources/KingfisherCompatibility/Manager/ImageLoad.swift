import ImageLoading

/// One load with its retries and alternatives.
final class ImageLoad: Sendable {
    typealias Outcome<Value> = Result<Value, KingfisherError>

    private let source: Source
    private let options: KingfisherParsedOptionsInfo
    private let imageOptions: ImageOptions
    private let taskUpdated: DownloadTaskUpdatedBlock?
    private let onEvent: @Sendable (LoadEvent) -> Void
    private let task: DownloadTask

    init(
        _ source: Source, _ options: KingfisherParsedOptionsInfo, taskUpdated: DownloadTaskUpdatedBlock? = nil,
        onEvent: @escaping @Sendable (LoadEvent) -> Void = { _ in }
    ) {
        (self.source, self.options, self.taskUpdated, self.onEvent) = (source, options, taskUpdated, onEvent)
        imageOptions = options.imageOptions
        task = DownloadTask(source)
    }

    /// Starts the load, or ends it at once if the image is in memory.
    ///
    /// - Returns: The task; nil if a cache has the image, and if only caches may be read.
    func start(_ finish: @escaping @Sendable (Outcome<RetrieveImageResult>) -> Void) -> DownloadTask? {
        let usesCache = options.onlyFromCache || !options.forceRefresh && options.hasCached(source)
        if let hit = KingfisherManager.pipeline.imageInMemory(for: source, options: imageOptions) {
            finish(.success(result(hit, source)))
        } else {
            task.start { finish(await self.outcome(self.image)) }
            options.requestModifier?.onDownloadTaskStarted?(task)
        }
        return usesCache ? nil : task
    }

    /// Fills the caches; returns which one had the bytes before.
    func prefetched() async -> Outcome<CacheType> {
        await outcome { current in
            do throws(ImageError) {
                let found = try await KingfisherManager.pipeline.warm(current, options: self.imageOptions)
                return .success(found.cacheType)
            } catch {
                return .failure(KingfisherError(error, current, self.options.processor, self.task))
            }
        }
    }

    private func outcome<Value>(_ attempt: @Sendable (Source) async -> Outcome<Value>) async -> Outcome<Value> {
        var (current, context) = (source, RetryContext?.none)
        var alternatives = options.onlyFromCache ? [] : (options.alternativeSources ?? [])[...]
        var failures: [PropagationError] = []
        while true {
            let outcome = await attempt(current)
            guard case .failure(let error) = outcome, !error.isTaskCancelled else { return outcome }
            if !options.onlyFromCache, let strategy = options.retryStrategy {
                context?.failedAgain(error)
                context = context ?? RetryContext(source: source, error: error)
                if let context, case .retry(let info) = await strategy.decision(about: context) {
                    context.userInfo = info
                    current = source
                    continue
                }
                if Task.isCancelled { return .failure(.cancelled(task)) }
            }
            failures.append(PropagationError(source: current, error: error))
            if let next = alternatives.popFirst() {
                current = next
            } else if failures.count > 1 {
                return .failure(.imageSettingError(reason: .alternativeSourcesExhausted(failures)))
            } else {
                return outcome
            }
        }
    }

    @Sendable private func image(of current: Source) async -> Outcome<RetrieveImageResult> {
        do throws(ImageError) {
            let loaded = try await KingfisherManager.pipeline.image(for: current, options: imageOptions) { event in
                if case .started = event { self.taskUpdated?(self.task) }
                self.onEvent(event)
            }
            if loaded.cacheType == .none, let url = current.url, let downloader = options.downloader {
                downloader.transport.tell(of: loaded.image, url)
            }
            return .success(result(loaded, current))
        } catch {
            return .failure(KingfisherError(error, current, options.processor, task))
        }
    }

    private func result(_ loaded: ImageResult, _ current: Source) -> RetrieveImageResult {
        RetrieveImageResult(
            image: loaded.image, cacheType: loaded.cacheType, source: current, originalSource: source,
            data: { [serializer = options.cacheSerializer] in
                loaded.fetched ?? serializer.data(with: loaded.image, original: nil)
            }, metrics: loaded.metrics)
    }
}

extension KingfisherParsedOptionsInfo {
    /// Returns whether a cache that the options allow has the image, or the bytes that it is made from.
    fileprivate func hasCached(_ source: Source) -> Bool {
        guard let cache = targetCache else { return false }
        let tier = cache.imageCachedType(forKey: source.cacheKey, processorIdentifier: processor.identifier)
        if tier == .memory || tier == .disk && !fromMemoryCacheOrRefresh { return true }
        return !fromMemoryCacheOrRefresh && (originalCache ?? cache).imageCachedType(forKey: source.cacheKey) == .disk
    }
}
