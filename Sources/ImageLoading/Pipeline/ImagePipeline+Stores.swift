import AlcedoImageCodecs
import FoundationEssentials
import Raster
import Synchronization

/// Storing the results of a load in the caches.
extension ImagePipeline {
    /// Stores a finished image in memory and on disk; waits for the disk only if the options require it.
    func store(_ staged: StagedImage, _ request: LoadRequest) async throws(ImageError) -> ImageResult {
        var result = ImageResult(
            image: staged.image, cacheType: staged.origin.cacheType, metrics: staged.origin.metrics,
            storeProblem: staged.origin.storeProblem,
            fetched: staged.origin.cacheType == .none ? staged.origin.data : nil)
        // An expired image must not get a new lifetime.
        guard request.policy != .cacheOnlyEvenExpired else { return result }
        remember(staged.image, request)
        guard request.keepsProcessed, let disk = request.target.disk, !staged.image.hasDamagedPixels else {
            return result
        }
        // A processed copy would be a still image. The original file of an animation is stored instead, and its frames
        // are processed when they are shown.
        guard staged.image.frameCount == 1 else {
            if !request.keepsOriginal, staged.origin.cacheType == .none {
                var origin = staged.origin
                result.storeProblem = try await storeOriginal(&origin, request)
            }
            return result
        }
        guard request.options.cache.waitForCache else {
            pendingStores.add { await Self.storeProcessed(staged, request, on: disk) }
            return result
        }
        result.storeProblem = await Self.storeProcessed(staged, request, on: disk) ?? result.storeProblem
        return result
    }

    func remember(_ image: Image, _ request: LoadRequest) {
        request.target.memory.store(
            image, forKey: request.memoryKey, cost: image.cost,
            expiration: request.options.cache.memoryCacheExpiration)
    }

    /// Stores a processed image on disk; returns the error, because the load still succeeds if the store fails.
    @concurrent @discardableResult
    private static func storeProcessed(
        _ staged: StagedImage, _ request: LoadRequest, on disk: DiskStorage
    ) async -> ImageError? {
        let serializer = request.options.cache.serializer
        do throws(ImageError) {
            let data = try serializer.data(for: staged.image, original: staged.origin.data)
            let facts = request.facts(size: staged.image.size, format: serializer.format(for: staged.image))
            _ = try await disk.store(data, for: request.processedKey, facts, request.options.cache)
            return nil
        } catch { return error }
    }

    /// Stores the original bytes on disk; stores a damaged picture only if the options allow it.
    ///
    /// - Returns: The error if the store failed, because the image can still be shown.
    /// - Throws: `ImageError` if the bytes are not a complete image.
    func storeOriginal(_ fetched: inout FetchedData, _ request: LoadRequest) async throws(ImageError) -> ImageError? {
        if fetched.isRenewed { return nil }
        guard let accepted = request.options.process.acceptedFormats else {
            return try await storeAnything(&fetched, request)
        }
        let (facts, damage) = try await check(fetched, request)
        fetched.check = facts
        guard let format = facts.format, accepted.contains(format) else {
            throw .response(.notAccepted(format: facts.format?.rawValue ?? "unknown"))
        }
        if let damage, damage.affectsPixels, !request.options.process.storesDamaged {
            fetched.rejection = .processor(.damaged(format: format.rawValue, damage))
            return nil
        }
        return await write(&fetched, request)
    }

    /// Stores original bytes on disk even if they are not a picture; throws only faults of this machine, which say
    /// nothing about the bytes.
    private func storeAnything(
        _ fetched: inout FetchedData, _ request: LoadRequest
    ) async throws(ImageError) -> ImageError? {
        do throws(ImageError) {
            fetched.check = try await check(fetched, request).facts
        } catch {
            guard !error.isTaskCancelled, !error.isOfEnvironment else { throw error }
            var facts = PictureFacts()
            facts.verdict = .unreadable
            fetched.check = ImageFacts(facts)
        }
        return await write(&fetched, request)
    }

    /// Writes original bytes to the disk; returns the error, because the load still succeeds.
    private func write(_ fetched: inout FetchedData, _ request: LoadRequest) async -> ImageError? {
        guard let disk = request.originalsDisk else {
            if request.options.process.originalCheck == .decode {
                fetched.check?.sha256 = ContentDigest(of: fetched.data).hexadecimal
            }
            return nil
        }
        var facts = request.facts()
        if let check = fetched.check { facts.picture = check.picture }
        if let download = fetched.download {
            facts.etag = download.etag
            facts.lastModified = download.lastModified
            facts.headers = download.headers
            facts.cost = download.metrics.total.milliseconds
        }
        do throws(ImageError) {
            fetched.check?.sha256 = try await disk.store(
                fetched.data, for: request.originalKey, facts, request.options.cache)
            return nil
        } catch { return error }
    }

    /// Checks fetched bytes as the options require, and whether the transfer may have lost their end.
    ///
    /// - Returns: The facts, and the damage of a file that can be decoded in part.
    func check(
        _ fetched: FetchedData, _ request: LoadRequest
    ) async throws(ImageError) -> (facts: ImageFacts, damage: PictureDamage?) {
        let recipe = recipe(for: fetched.data, request)
        let found = try await fileFacts(of: fetched.data, recipe, request)
        var (facts, damage) = (ImageFacts(found, recipe: recipe), found.damage)
        facts.picture.readExif(of: fetched.data)
        // The end mark is missing and the connection may have broken, so more of the file may be missing.
        if damage == .missingEnd, fetched.download?.isProvenWhole == false {
            damage = .incomplete("the end of the file is missing, and the server did not state its length")
            if facts.verdict != .unchecked { facts.verdict = .incomplete }
        }
        return (facts, damage)
    }

    private func fileFacts(
        of data: Data, _ recipe: PictureRecipe?, _ request: LoadRequest
    ) async throws(ImageError) -> FileFacts {
        let (check, limits) = (Self.check(request), request.options.process.limits)
        let box = recipe == nil ? PictureCheck.box : nil
        let memory = check == .framing ? nil : try await memory(for: data, within: box, request)
        defer { withExtendedLifetime(memory) {} }
        return try await queued(request, data) { [decoder] () throws(ImageError) in
            try ImageError.wrapping { () throws(CodecError) in
                if let recipe { return try decoder.facts(of: data, making: recipe, limits: limits) }
                return try decoder.facts(of: data, check, limits: limits)
            }
        }
    }

    private static func check(_ request: LoadRequest) -> PictureCheck {
        let options = request.options.process
        if options.originalCheck == .framing || request.warmsPicture { return .framing }
        return options.keepsThumbnail ? .thumbnail : .pixels
    }

    /// Returns the recipe of the file that the check shall also make.
    private func recipe(for data: Data, _ request: LoadRequest) -> PictureRecipe? {
        guard let recipe = request.options.process.recipe, Self.check(request) == .pixels else { return nil }
        return DeclaredHeader.read(data).flatMap { $0.format == .jpeg ? recipe($0) : nil }
    }
}

extension Image {
    var hasDamagedPixels: Bool { damage?.affectsPixels == true }
}

/// The stores that run in the background, so that a shutdown can wait for them.
final class PendingStores: Sendable {
    private let state = Mutex((tasks: [Int: Task<Void, Never>](), last: 0))

    func add(_ store: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            state.last += 1
            let number = state.last
            state.tasks[number] = Task {
                await store()
                self.state.withLock { $0.tasks[number] = nil }
            }
        }
    }

    /// Waits until all stores added before are done.
    func finish() async {
        for task in state.withLock({ Array($0.tasks.values) }) { await task.value }
    }
}

extension DiskStorage {
    fileprivate func store(
        _ data: Data, for key: CacheEntryKey, _ facts: CacheEntryFacts, _ options: CacheOptions
    ) async throws(ImageError) -> String? {
        do throws(DiskCacheError) {
            return try await store(
                data, for: key, facts: facts, expiration: options.diskCacheExpiration,
                writeOptions: options.diskStoreWriteOptions, forcedExtension: options.forcedCacheFileExtension)
        } catch { throw ImageError(error) }
    }
}
