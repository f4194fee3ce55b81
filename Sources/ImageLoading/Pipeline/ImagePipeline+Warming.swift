import FoundationEssentials

/// Filling the caches without returning an image.
extension ImagePipeline {
    /// Makes sure that the source's bytes, and the result of each processor in `variants`, are on disk.
    ///
    /// Without variants, the bytes are decoded only for the memory tier, for `backgroundDecode` or for a processor of
    /// the options. Otherwise only the header is read, so that bytes that are not an image are rejected. A local file
    /// is read but not copied. Newly fetched bytes are processed again.
    ///
    /// - Returns: A description of the bytes; its `decode` is the time for all variants.
    /// - Throws: `ImageError`; `.cache(.cannotStore)` if the bytes were fetched but could not be stored.
    public func warm(
        _ source: Source, variants: [any ImageProcessor] = [], options: ImageOptions? = nil,
        onEvent: (@Sendable (LoadEvent) -> Void)? = nil
    ) async throws(ImageError) -> DataResult {
        let options = options ?? defaultOptions
        var (result, expiredBecause) = try await relaying(
            onEvent.map { EventRelay(options.delivery.callbackQueue, direct: $0) }
        ) { send throws(ImageError) in
            try await self.firstSuccess(source, options) { source, options throws(ImageError) in
                variants.isEmpty
                    ? try await self.fillCaches(source, options, send)
                    : try await self.storeVariants(variants, of: source, options, send)
            }
        }
        result.isExpired = expiredBecause != nil
        return result
    }

    /// Makes sure that the original bytes and the result of each processor are on disk.
    private func storeVariants(
        _ variants: [any ImageProcessor], of source: Source, _ options: ImageOptions,
        _ send: @escaping @Sendable (LoadEvent) -> Void
    ) async throws(ImageError) -> DataResult {
        var result = try await fillCaches(source, options.keepingOriginal, send)
        let began = now()
        let isNew = result.cacheType == .none && !result.isRevalidated
        for variant in variants {
            _ = try await fillCaches(source, options.warming(variant, isNew: isNew), send)
        }
        result.decode = now() - began
        return result
    }

    /// Stores the image that the options ask for, or only its bytes if they need no decoding.
    private func fillCaches(
        _ source: Source, _ options: ImageOptions, _ send: @escaping @Sendable (LoadEvent) -> Void
    ) async throws(ImageError) -> DataResult {
        let request = LoadRequest(source: source, options: options, cache: cache)
        if let inspection = options.download.inspection { return try await inspect(request, inspection, send) }
        return request.warmsPicture
            ? try await storePicture(request, send) : try await storeBytes(request, send)
    }

    /// Makes sure that the original bytes are on disk.
    private func storeBytes(
        _ request: LoadRequest, _ send: @escaping @Sendable (LoadEvent) -> Void
    ) async throws(ImageError) -> DataResult {
        // While another process fetches the source, this one waits; then it finds the stored bytes.
        let claim: FetchClaims.Claim? =
            if request.policy.readsDisk, case .network = request.source {
                await request.originalsDisk?.claims.claim(request.originalKey.source)
            } else {
                nil
            }
        defer { withExtendedLifetime(claim) {} }
        let found = try await transfers.waiting(
            for: request.bytesKey, priority: request.options.download.priority
        ) { () throws(ImageError) in
            try await self.original(request, isStored: true, needsBytes: false, send: send)
        }
        if let problem = found.storeProblem {
            if let metrics = found.metrics, let code = metrics.statusCode {
                send(.answered(statusCode: code, redirects: metrics.redirectedTo))
            }
            throw problem
        }
        return found.entry.map(DataResult.init) ?? DataResult(found)
    }

    /// Fetches a document, such as a list of images, with retries; no cache is read or written.
    ///
    /// - Returns: The bytes, and the URL after all redirects.
    package func document(
        at url: URL, options: ImageOptions? = nil
    ) async throws(ImageError) -> (data: Data, url: URL) {
        let request = LoadRequest(
            source: .network(url), options: options ?? defaultOptions, cache: cache, isDocument: true)
        let fetched = try await transfer(url, request) { _ in }
        return (fetched.data, fetched.download?.url ?? url)
    }

    /// Looks up the items for which only the bytes are needed, with one read of each cache.
    ///
    /// - Returns: The result of each item that the cache has, nil for the others.
    func cachedResults(of items: [(item: PrefetchItem, options: ImageOptions)]) async -> [DataResult?] {
        var results = [DataResult?](repeating: nil, count: items.count)
        let requests = items.enumerated().compactMap { place, item in
            bytesRequest(item.item, item.options).map { (place: place, request: $0.request, disk: $0.disk) }
        }
        for sharing in Dictionary(grouping: requests, by: { ObjectIdentifier($0.disk) }).values {
            let wanted = sharing.map { ($0.request.originalKey, $0.request.diskExtending) }
            let found = await sharing[0].disk.findRows(wanted)
            for ((place, _, _), found) in zip(sharing, found ?? []) {
                guard case .alive(let entry) = found, requests[place].request.accepts(entry) else { continue }
                results[place] = DataResult(entry)
            }
        }
        return results
    }

    /// Returns the request of an item that a look-up of its bytes can finish; nil for other items.
    private func bytesRequest(
        _ item: PrefetchItem, _ options: ImageOptions
    ) -> (request: LoadRequest, disk: DiskStorage)? {
        // Alternatives and an expected digest need more than a look-up.
        guard item.variants.isEmpty, case .network = item.source, options.download.alternativeSources.isEmpty,
            options.download.sha256 == nil, options.download.inspection == nil
        else { return nil }
        let request = LoadRequest(source: firstSource(item.source, options), options: options, cache: cache)
        guard !request.warmsPicture, request.policy.readsDisk, let disk = request.originalsDisk else { return nil }
        return (request, disk)
    }

    /// Loads the image into the tiers that the options name.
    private func storePicture(
        _ request: LoadRequest, _ send: @escaping @Sendable (LoadEvent) -> Void
    ) async throws(ImageError) -> DataResult {
        var options = request.options
        options.cache.waitForCache = true
        if request.keepsOriginal, !request.isProcessed, !options.cache.alsoPrefetchToMemory {
            options.cache.memoryCacheExpiration = .expired
        }
        let result = try await load(request.source, options: options, onEvent: send)
        if let problem = result.storeProblem { throw problem }
        let image = result.image
        var description = DataResult(
            cacheType: result.cacheType, byteCount: image.byteCount, metrics: result.metrics)
        var facts = PictureFacts(image.header)
        facts.verdict = PictureVerdict(image.damage)
        description.facts = ImageFacts(facts)
        return description
    }
}

extension ImageOptions {
    /// A copy for the original bytes alone, which every variant needs.
    fileprivate var keepingOriginal: ImageOptions {
        var copy = self
        copy.process.processor = DefaultImageProcessor()
        copy.cache.cacheOriginalImage = true
        return copy
    }

    /// Returns a copy of the options that makes one processor's result from an original on disk.
    fileprivate func warming(_ variant: any ImageProcessor, isNew: Bool) -> ImageOptions {
        var copy = keepingOriginal
        copy.process.processor = variant
        copy.cache.cacheMemoryOnly = false
        if copy.cache.policy == .reload || copy.cache.policy == .revalidate { copy.cache.policy = .cacheFirst }
        copy.cache.reprocesses = isNew
        copy.cache.notesUse = false
        if !cache.alsoPrefetchToMemory { copy.cache.memoryCacheExpiration = .expired }
        return copy
    }
}
