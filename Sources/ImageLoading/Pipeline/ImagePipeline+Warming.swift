import Foundation

/// Filling the caches without returning an image.
extension ImagePipeline {
    /// Makes sure that the source's bytes are on disk.
    ///
    /// The bytes are decoded only for the memory tier, for `backgroundDecode` or for a processor. Otherwise only the
    /// header is read, so that bytes that are not an image are rejected. A local file is read but not copied.
    ///
    /// - Throws: `ImageError`; `.cache(.cannotStore)` if the bytes were fetched but could not be stored.
    public func warm(
        _ source: Source, options: ImageOptions? = nil, onEvent: (@Sendable (LoadEvent) -> Void)? = nil
    ) async throws(ImageError) -> DataResult {
        try await warm(source, variants: [], options: options, onEvent: onEvent)
    }

    /// Makes sure that the source's bytes and the result of each processor are on disk.
    ///
    /// Newly fetched bytes are processed again. The result describes the bytes; its `decode` is the time for all
    /// variants.
    public func warm(
        _ source: Source, variants: [any ImageProcessor], options: ImageOptions? = nil,
        onEvent: (@Sendable (LoadEvent) -> Void)? = nil
    ) async throws(ImageError) -> DataResult {
        try await warm(source, variants, isMissing: false, options ?? defaultOptions, onEvent)
    }

    /// Makes sure that an item's bytes and variants are on disk.
    ///
    /// - Parameter isMissing: Whether a look-up has shown that the disk has no entry.
    func warm(
        _ item: PrefetchItem, isMissing: Bool, options: ImageOptions, onEvent: @escaping @Sendable (LoadEvent) -> Void
    ) async throws(ImageError) -> DataResult {
        try await warm(item.source, item.variants, isMissing: isMissing, options, onEvent)
    }

    private func warm(
        _ source: Source, _ variants: [any ImageProcessor], isMissing: Bool, _ options: ImageOptions,
        _ onEvent: (@Sendable (LoadEvent) -> Void)?
    ) async throws(ImageError) -> DataResult {
        var (result, expiredBecause) = try await relaying(onEvent, options) { send throws(ImageError) in
            try await self.firstSuccess(source, options) { source, options throws(ImageError) in
                guard !variants.isEmpty else {
                    return try await self.warm(source, options, isMissing: isMissing, send)
                }
                var result = try await self.warm(source, options.keepingOriginal, send)
                let began = self.now()
                let isNew = result.cacheType == .none && !result.isRevalidated
                for variant in variants {
                    let variantOptions = options.warming(variant, isNew: isNew)
                    _ = try await self.warm(source, variantOptions, send)
                }
                result.decode = self.now() - began
                return result
            }
        }
        result.isExpired = expiredBecause != nil
        return result
    }

    /// Fetches a document, such as a list of images, with retries; no cache is read or written.
    ///
    /// - Returns: The bytes, and the URL after all redirects.
    public func document(
        at url: URL, options: ImageOptions? = nil
    ) async throws(ImageError) -> (data: Data, url: URL) {
        let request = LoadRequest(
            source: .network(url), options: options ?? defaultOptions, cache: cache, isDocument: true)
        let fetched = try await transfer(url, request) { _ in }
        return (fetched.data, fetched.download?.url ?? url)
    }

    private func warm(
        _ source: Source, _ options: ImageOptions, isMissing: Bool = false,
        _ send: @escaping @Sendable (LoadEvent) -> Void
    ) async throws(ImageError) -> DataResult {
        let request = LoadRequest(source: source, options: options, cache: cache, isKnownMissing: isMissing)
        return request.warmsPicture
            ? try await warmPicture(request, onEvent: send) : try await warmBytes(request, onEvent: send)
    }

    private func warmBytes(
        _ request: LoadRequest, onEvent: @escaping @Sendable (LoadEvent) -> Void
    ) async throws(ImageError) -> DataResult {
        var request = request
        let disk = request.lookUp.readsDisk ? request.originals.disk : nil
        if request.isKnownMissing {
            disk?.countMiss(of: request.originalKey)
        } else if let disk {
            switch await disk.findRow(request.originalKey, extending: request.diskExtending) {
            case .alive(let entry) where request.accepts(entry):
                return DataResult(cacheType: .disk, byteCount: entry.length, metrics: nil)
            case .nothing:
                request = LoadRequest(
                    source: request.source, options: request.options, cache: cache, isKnownMissing: true)
            case .alive, .expired, nil: break
            }
        }
        guard let disk, case .network = request.source else { return try await fetchBytes(request, onEvent) }
        let (claim, isShared) = await disk.claims.claim(request.originalKey.source)
        if isShared, let row = await disk.findRows([(request.originalKey, request.diskExtending)])?.first,
            case .alive(let entry) = row, request.accepts(entry)
        {
            return DataResult(cacheType: .disk, byteCount: entry.length, metrics: nil)
        }
        let result = try await fetchBytes(request, onEvent)
        withExtendedLifetime(claim) {}
        return result
    }

    private func fetchBytes(
        _ request: LoadRequest, _ onEvent: @escaping @Sendable (LoadEvent) -> Void
    ) async throws(ImageError) -> DataResult {
        let fetched = try await urgently(request) { () throws(ImageError) in
            try await self.bytes(request, isKept: true, send: onEvent)
        }
        if let problem = fetched.storeProblem {
            if let metrics = fetched.metrics, let code = metrics.statusCode {
                onEvent(.answered(statusCode: code, redirects: metrics.redirectedTo))
            }
            throw problem
        }
        var result = DataResult(
            cacheType: fetched.cacheType, byteCount: fetched.data.count, metrics: fetched.metrics,
            isRevalidated: fetched.isRevalidated)
        result.store = fetched.storeTime
        result.url = fetched.download?.url
        return result
    }

    /// The result of a look-up for an item before it starts.
    enum WarmFinding: Sendable {
        case warm(DataResult)
        /// The disk has no entry; a miss is counted only when the item is fetched.
        case missing
        case unknown
    }

    /// Looks up the items for which only the bytes are needed, with one read of each cache.
    func lookAhead(_ items: [(item: PrefetchItem, options: ImageOptions)]) async -> [WarmFinding] {
        var findings = [WarmFinding](repeating: .unknown, count: items.count)
        let requests = items.enumerated().compactMap { place, item in
            lookAheadRequest(item.item, item.options).map { (place: place, request: $0.request, disk: $0.disk) }
        }
        for sharing in Dictionary(grouping: requests, by: { ObjectIdentifier($0.disk) }).values {
            let wanted = sharing.map { ($0.request.originalKey, $0.request.diskExtending) }
            let found = await sharing[0].disk.findRows(wanted)
            for ((place, _, _), found) in zip(sharing, found ?? []) {
                switch found {
                case .alive(let entry):
                    findings[place] = .warm(DataResult(cacheType: .disk, byteCount: entry.length, metrics: nil))
                case .nothing: findings[place] = .missing
                case .expired: break
                }
            }
        }
        return findings
    }

    private func lookAheadRequest(
        _ item: PrefetchItem, _ options: ImageOptions
    ) -> (request: LoadRequest, disk: DiskStorage)? {
        // Alternatives and an expected digest need more than a look-up.
        guard item.variants.isEmpty, case .network = item.source, options.download.alternativeSources.isEmpty,
            options.download.sha256 == nil
        else { return nil }
        let request = LoadRequest(source: firstSource(item.source, options), options: options, cache: cache)
        guard !request.warmsPicture, request.lookUp.readsDisk, let disk = request.originals.disk else { return nil }
        return (request, disk)
    }

    private func warmPicture(
        _ request: LoadRequest, onEvent: @escaping @Sendable (LoadEvent) -> Void
    ) async throws(ImageError) -> DataResult {
        var options = request.options
        options.cache.waitForCache = true
        if request.keepsOriginal, !request.isProcessed, !options.cache.alsoPrefetchToMemory {
            options.cache.memoryCacheExpiration = .expired
        }
        let result = try await load(request.source, options: options, onEvent: onEvent)
        if let problem = result.storeProblem { throw problem }
        return DataResult(cacheType: result.cacheType, byteCount: result.image.byteCount, metrics: result.metrics)
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

    /// Returns a copy for one processor's result from an original on disk.
    fileprivate func warming(_ variant: any ImageProcessor, isNew: Bool) -> ImageOptions {
        var copy = keepingOriginal
        copy.process.processor = variant
        copy.cache.cacheMemoryOnly = false
        copy.cache.forceRefresh = false
        copy.cache.revalidates = false
        copy.cache.reprocesses = isNew
        copy.cache.notesUse = false
        if !cache.alsoPrefetchToMemory { copy.cache.memoryCacheExpiration = .expired }
        return copy
    }
}
