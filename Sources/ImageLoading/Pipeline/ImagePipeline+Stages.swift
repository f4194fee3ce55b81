import FoundationEssentials
import Raster

/// The stages of a load; each joins equal work that runs already.
extension ImagePipeline {
    func memoryHit(_ request: LoadRequest) -> ImageResult? {
        guard request.policy.readsMemory, !request.options.cache.reprocesses else { return nil }
        let extending = request.options.cache.memoryCacheAccessExtendingExpiration
        let found = request.target.memory.value(forKey: request.memoryKey, extending: extending)
        guard let image = found.flatMap({ $0.serving(request.options.process.animation) }) else { return nil }
        return ImageResult(image: image, cacheType: .memory, metrics: nil)
    }

    /// Returns the processed image from the disk, which needs only a decode; nil on a miss.
    func processedHit(_ request: LoadRequest) async -> ImageResult? {
        guard request.isProcessed, let stored = await stored(request.processedKey, request) else { return nil }
        remember(stored.image, request)
        return ImageResult(image: stored.image, cacheType: .disk, metrics: nil)
    }

    /// Returns a processed image from the disk, or nil on a miss or if the request does not allow it.
    private func stored(_ key: CacheEntryKey, _ request: LoadRequest) async -> StagedImage? {
        guard request.policy.readsDisk, !request.options.cache.reprocesses,
            let hit = await request.target.disk?.data(for: key, extending: request.diskExtending)
        else { return nil }
        // Bytes of an own serializer may have no header that tells what they need.
        let memory = try? await memory(for: hit.data, within: nil, request)
        guard var image = try? await deserialize(hit.data, request) else { return nil }
        if let original = await request.originals.disk?.entry(for: request.originalKey)?.facts.size {
            image.originalSize = original
        }
        return StagedImage(image: image, origin: FetchedData(data: hit.data, cacheType: .disk), memory: memory)
    }

    /// Returns the processed image, made from the results of the shorter processor chains.
    func picture(
        _ request: LoadRequest, send: @escaping @Sendable (LoadEvent) -> Void
    ) async throws(ImageError) -> StagedImage {
        try await picture(request, steps: request.processor.steps[...], send: send)
    }

    private func picture(
        _ request: LoadRequest, steps chain: ArraySlice<any ImageProcessor>,
        send: @escaping @Sendable (LoadEvent) -> Void
    ) async throws(ImageError) -> StagedImage {
        let identifier = ChainedImageProcessor(Array(chain)).identifier
        let key = StepKey(decode: request.decodeKey, identifier: identifier)
        return try await pictures.value(for: key, onEvent: send) { sharing throws(ImageError) in
            guard let last = chain.last else { return try await self.decoded(request, send: sharing.send) }
            if chain.count < request.processor.steps.count, let kept = await self.kept(request, through: identifier) {
                return kept
            }
            if chain.count == 1, let read = last.readsFiles {
                let file = try await self.original(request, isStored: request.keepsOriginal, send: sharing.send)
                return StagedImage(image: try await self.read(file.data, request, read), origin: file)
            }
            // Only this step decodes into this size, so no other work can share the decode.
            let isDecodedForStep = chain.count == 1 && request.decodeKey.isScaled
            var staged =
                isDecodedForStep
                ? try await self.decoded(request, send: sharing.send)
                : try await self.picture(request, steps: chain.dropLast(), send: sharing.send)
            staged.image = try await self.process(staged.image, last, request)
            return staged
        }
    }

    /// Returns the stored result of a shorter chain, for example of a prefetch; it saves the steps of that chain.
    private func kept(_ request: LoadRequest, through identifier: String) async -> StagedImage? {
        // A serializer that stores originals applies the whole chain when it reads them.
        request.options.cache.serializer.originalDataUsed
            ? nil : await stored(request.processedKey(of: identifier), request)
    }

    private func decoded(
        _ request: LoadRequest, send: @escaping @Sendable (LoadEvent) -> Void
    ) async throws(ImageError) -> StagedImage {
        let fetched = try await original(request, isStored: request.keepsOriginal, send: send)
        do throws(ImageError) {
            return try await decoded(fetched, request)
        } catch {
            // Cached bytes that are not a picture count as a miss: the source is fetched again.
            guard error.isAboutBytes, fetched.cacheType == .disk, request.policy == .cacheFirst else { throw error }
        }
        return try await decoded(try await original(request, isStored: request.keepsOriginal, send: send), request)
    }

    /// Decodes an original, and removes a damaged one from the disk.
    private func decoded(_ fetched: FetchedData, _ request: LoadRequest) async throws(ImageError) -> StagedImage {
        do throws(ImageError) {
            let memory = try await memory(for: fetched.data, within: request.decodeKey.box, request)
            let image = try await decode(fetched.data, request)
            // Cached bytes stay: they were stored although they are damaged, or after a light check.
            if image.hasDamagedPixels, fetched.cacheType == .none, !request.options.process.storesDamaged {
                await forget(fetched.data, request)
            }
            return StagedImage(image: image, origin: fetched, memory: memory)
        } catch {
            if error.isAboutBytes { await forget(fetched.data, request) }
            throw error
        }
    }

    /// Removes an original from the disk.
    private func forget(_ data: Data, _ request: LoadRequest) async {
        guard request.policy.mayFetch else { return }
        await request.originalsDisk?.remove(data, of: request.originalKey)
    }

    /// Returns the source's bytes from the original cache or from a fetch.
    ///
    /// - Parameters:
    ///   - isStored: Whether fetched bytes are on disk afterwards; if they are not, `storeProblem` has the error.
    ///   - needsBytes: Whether the bytes of an entry on disk are read; if not, the result may contain only its `entry`.
    func original(
        _ request: LoadRequest, isStored: Bool, needsBytes: Bool = true,
        send: @escaping @Sendable (LoadEvent) -> Void
    ) async throws(ImageError) -> FetchedData {
        let found = try await originals.value(
            for: request.bytesKey, storing: isStored ? request : nil, onEvent: send
        ) { sharing throws(ImageError) in
            // The look-up is part of the joined work, so that a load right after a transfer finds the stored bytes.
            let found = try await self.foundOrFetched(request, needsBytes: needsBytes, send: sharing.send)
            guard found.cacheType == .none, let storing = sharing.publish(found) else { return found }
            return try await self.stored(found, storing, send: sharing.send)
        }
        // The load joined a look-up that did not read the bytes.
        if needsBytes, found.lacksBytes { return try await original(request, isStored: isStored, send: send) }
        // Loads for display and prefetches share the transfer, but damage fails only prefetches.
        if isStored, let rejection = found.rejection, !request.options.process.limits.allowsDamage {
            Self.report(rejection, on: found, send)
            throw rejection
        }
        return found
    }

    private func foundOrFetched(
        _ request: LoadRequest, needsBytes: Bool, send: @escaping @Sendable (LoadEvent) -> Void
    ) async throws(ImageError) -> FetchedData {
        if !needsBytes, request.policy.readsDisk, let disk = request.originalsDisk {
            switch await disk.findRow(request.originalKey, extending: request.diskExtending) {
            case .alive(let entry) where request.accepts(entry): return FetchedData(of: entry)
            case .nothing where request.policy == .cacheFirst:
                return try await fetch(request, expired: nil, send: send)
            case .alive, .expired, .nothing, nil: break
            }
        }
        switch try await cachedOriginal(request) {
        case .alive(let hit): return FetchedData(hit.data, of: hit.entry)
        case .expired(let old): return try await fetch(request, expired: old, send: send)
        case .nothing: return try await fetch(request, expired: nil, send: send)
        }
    }

    /// Checks fetched bytes and stores them on disk.
    private func stored(
        _ fetched: FetchedData, _ request: LoadRequest, send: @escaping @Sendable (LoadEvent) -> Void
    ) async throws(ImageError) -> FetchedData {
        var fetched = fetched
        let began = now()
        var outcome = await store(&fetched, request)
        // A resumed transfer may have joined parts of two different files, which look like one damaged file.
        if fetched.metrics?.resumedBytes ?? 0 > 0, fetched.rejection != nil || outcome.isFailure {
            fetched = try await fetch(request, expired: nil, send: send)
            outcome = await store(&fetched, request)
        }
        do throws(ImageError) {
            fetched.storeProblem = try outcome.get()
        } catch {
            Self.report(error, on: fetched, send)
            throw error
        }
        fetched.storeTime = now() - began
        return fetched
    }

    private func store(_ fetched: inout FetchedData, _ request: LoadRequest) async -> Result<ImageError?, ImageError> {
        do throws(ImageError) {
            return .success(try await storeOriginal(&fetched, request))
        } catch {
            return .failure(error)
        }
    }

    /// Sends what is known about fetched bytes before they are refused.
    static func report(_ error: ImageError, on fetched: FetchedData, _ send: (LoadEvent) -> Void) {
        if let metrics = fetched.metrics, let code = metrics.statusCode {
            send(.answered(statusCode: code, redirects: metrics.redirectedTo))
        }
        guard !error.isTaskCancelled else { return }
        var refused = fetched
        refused.check = fetched.check ?? ImageFacts(refused: fetched.data, error)
        if refused.check?.sha256 == nil { refused.check?.sha256 = ContentDigest(of: fetched.data).hexadecimal }
        send(.refused(DataResult(refused)))
    }

    /// Returns the original from the disk, live or expired, as far as the request accepts it.
    ///
    /// - Throws: `.cache(.imageNotExisting)` if only the disk may be read and it has no such entry.
    private func cachedOriginal(
        _ request: LoadRequest
    ) async throws(ImageError) -> CacheFinding<(data: Data, entry: CacheEntry)> {
        let (disk, key) = (request.originalsDisk, request.originalKey)
        var found = CacheFinding<(data: Data, entry: CacheEntry)>.nothing
        switch request.policy {
        case .cacheFirst, .cacheOnly:
            found =
                await disk?.find(
                    key, extending: request.diskExtending, noting: request.options.cache.notesUse,
                    expiredWithin: request.expiredLimit) ?? .nothing
        case .revalidate: found = await disk?.find(key, extending: .none, validating: true) ?? .nothing
        case .cacheOnlyEvenExpired:
            found =
                await disk?.find(key, extending: .none, noting: false, expiredWithin: request.expiredLimit) ?? .nothing
        case .memoryFirst, .reload: break
        }
        switch found {
        case .alive(let hit) where request.accepts(hit.entry): return found
        case .expired(let old) where request.accepts(old.entry):
            if request.policy == .cacheOnlyEvenExpired { return .alive(old) }
            if request.policy != .cacheOnly { return found }
        default: break
        }
        guard request.policy.mayFetch else {
            throw .cache(.imageNotExisting(key: request.source.cacheKey))
        }
        return .nothing
    }

    /// Fetches the bytes; the server can confirm that the expired ones are still valid.
    func fetch(
        _ request: LoadRequest, expired: (data: Data, entry: CacheEntry)?,
        send: @escaping @Sendable (LoadEvent) -> Void
    ) async throws(ImageError) -> FetchedData {
        let fetched: FetchedData
        switch request.source {
        case .network(let resource):
            fetched = try await transfer(resource, request, expired: expired, send: send)
            send(.received(byteCount: fetched.data.count))
        case .provider(let provider): fetched = try await read(provider, request.decodeKey.limits, send: send)
        }
        guard let expected = request.options.download.sha256 else { return fetched }
        do throws(ImageError) {
            try await Self.check(fetched.data, against: expected)
        } catch {
            Self.report(error, on: fetched, send)
            throw error
        }
        return fetched
    }

    @concurrent
    private static func check(_ data: Data, against expected: String) async throws(ImageError) {
        guard ContentDigest(of: data).hexadecimal == expected else { throw .response(.digestMismatch) }
    }

    /// Reads from a provider outside any actor.
    @concurrent
    private func read(
        _ provider: any ImageDataProvider, _ limits: DecodeLimits, send: @escaping @Sendable (LoadEvent) -> Void
    ) async throws(ImageError) -> FetchedData {
        let provider = (provider as? any LimitedImageDataProvider)?.limited(to: limits.bytes) ?? provider
        do {
            let data = try await provider.data { send(.progress(DownloadProgress(received: $0, total: $1))) }
            return FetchedData(data: data, cacheType: .none)
        } catch let error as ImageError {
            throw error
        } catch let error as CodecError {
            throw ImageError(error)
        } catch let error as DownloadError {
            throw ImageError(error)
        } catch is CancellationError {
            throw .cancelled
        } catch {
            throw .imageSetting(.dataProviderError(ImageError.ProviderError(error: error)))
        }
    }

    private func decode(_ data: Data, _ request: LoadRequest) async throws(ImageError) -> Image {
        let key = request.decodeKey
        return try await queued(request, data) { [decoder] () throws(ImageError) in
            try ImageError.wrapping { () throws(CodecError) in
                try decoder.decode(data, within: key.box, limits: key.limits, animation: key.animation)
            }
        }
    }

    /// Waits for the memory that an image needs; returns nil if the header is invalid, because decoding fails then.
    @concurrent
    func memory(
        for data: Data, within box: PixelSize?, _ request: LoadRequest
    ) async throws(ImageError) -> ResourceBudget.Lease? {
        let options = request.options.process
        guard let header = DeclaredHeader.read(data) ?? (try? decoder.header(of: data, limits: options.limits)) else {
            return nil
        }
        let bytes = header.memory(within: box, steps: request.processor.steps.count)
        return try await options.queue.memory.lease(bytes, priority: request.options.download.priority)
    }

    /// Returns the partial images of a load, if the options ask for them; they are sent as events.
    func partialPictures(
        _ request: LoadRequest, _ onEvent: @escaping @Sendable (LoadEvent) -> Void
    ) -> PartialPictures? {
        guard let progressive = request.options.process.progressiveJPEG else { return nil }
        return PartialPictures(progressive, now: now) { data, scan async throws(ImageError) in
            try await self.partialPicture(data, scan, progressive, request)
        } send: {
            onEvent(.partial($0))
        }
    }

    /// Returns the image of a progressive scan, processed by the whole chain.
    private func partialPicture(
        _ data: Data, _ scan: ProgressiveScan, _ progressive: ImageProgressive, _ request: LoadRequest
    ) async throws(ImageError) -> Image {
        let (box, limits) = (request.processor.steps.first?.decodeBox, request.options.process.limits)
        return try await queued(request, data) { [decoder] () throws(ImageError) in
            try ImageError.wrapping { () throws(CodecError) in
                let image = try decoder.partialPicture(
                    of: data, through: scan, within: box, isBlur: progressive.isBlur, limits: limits)
                return try request.processor.process(image)
            }
        }
    }

    private func deserialize(_ data: Data, _ request: LoadRequest) async throws(ImageError) -> Image {
        let (serializer, limits) = (request.options.cache.serializer, request.decodeLimits)
        return try await queued(request, data) { [decoder] () throws(ImageError) in
            let image = try serializer.image(from: data, decoder: decoder, limits: limits)
            guard serializer.originalDataUsed else { return image }
            return try ImageError.wrapping { () throws(CodecError) in try request.processor.process(image) }
        }
    }

    private func read(
        _ file: Data, _ request: LoadRequest, _ read: @escaping @Sendable (Data) throws(CodecError) -> Image
    ) async throws(ImageError) -> Image {
        try await queued(request, file) { () throws(ImageError) in
            try ImageError.wrapping { () throws(CodecError) in try read(file) }
        }
    }

    private func process(
        _ image: Image, _ step: any ImageProcessor, _ request: LoadRequest
    ) async throws(ImageError) -> Image {
        try await queued(request, nil) { () throws(ImageError) in
            try ImageError.wrapping { () throws(CodecError) in try step.process(image) }
        }
    }

    /// Runs the work on a file in the queue.
    func queued<Result: Sendable>(
        _ request: LoadRequest, _ data: Data?, _ work: @escaping @Sendable () throws(ImageError) -> Result
    ) async throws(ImageError) -> Result {
        let isLong = data.map { $0.count >= Self.longFile } ?? false
        return try await request.options.process.queue.run(
            priority: request.options.download.priority, isLong: isLong, work)
    }

    /// The size in bytes from which a file takes milliseconds to decode.
    private static let longFile = 128 << 10
}

extension Image {
    /// Returns the image as the animation options require, or nil if it contains too few frames for them.
    fileprivate func serving(_ loading: AnimationLoading) -> Image? {
        guard frameCount > 1 else { return self }
        if loading.onlyFirstFrame {
            var still = self
            still.animation = nil
            return still
        }
        guard let animation, !loading.preloadsAllFrames || !animation.frames.isEmpty else { return nil }
        return self
    }
}

extension Result {
    fileprivate var isFailure: Bool { if case .failure = self { true } else { false } }
}

extension ImageError {
    /// Whether the error means that the bytes are not a picture, or a damaged one.
    var isAboutBytes: Bool {
        switch self {
        case .processor(.decodingFailed), .processor(.damaged), .response(.notAnImage): true
        default: false
        }
    }
}
