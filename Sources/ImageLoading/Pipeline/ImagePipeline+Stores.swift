import Foundation

/// Storing the results of a load in the caches.
extension ImagePipeline {
    /// Stores a finished image in memory and on disk; waits for the disk only if the options require it.
    func store(_ staged: StagedImage, _ request: LoadRequest) async throws(ImageError) -> ImageResult {
        var result = ImageResult(
            image: staged.image, cacheType: staged.origin.cacheType, metrics: staged.origin.metrics,
            storeProblem: staged.origin.storeProblem)
        // An expired image does not start a new life.
        guard request.lookUp != .evenExpired else { return result }
        remember(staged.image, request)
        guard request.keepsProcessed, let disk = request.target.disk else { return result }
        // A processed copy would be a still image. The original file of an animation is stored instead, and its frames
        // are processed when they are shown.
        guard staged.image.frameCount == 1 else {
            if !request.keepsOriginal, staged.origin.cacheType == .none {
                result.storeProblem = try await storeOriginal(staged.origin, request)
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
        let data: Data
        do throws(ImageError) {
            data = try serializer.data(for: staged.image, original: staged.origin.data)
        } catch { return error }
        do throws(DiskCacheError) {
            try await disk.store(
                data, for: request.processedKey,
                facts: request.facts(size: staged.image.size, format: serializer.format(for: staged.image)),
                expiration: request.options.cache.diskCacheExpiration,
                writeOptions: request.options.cache.diskStoreWriteOptions,
                forcedExtension: request.options.cache.forcedCacheFileExtension)
            return nil
        } catch {
            return ImageError(error)
        }
    }

    /// Stores the original bytes on disk.
    ///
    /// - Returns: The error if the store failed, because the image can still be shown.
    /// - Throws: `ImageError` if the bytes are not a complete image.
    func storeOriginal(_ fetched: FetchedData, _ request: LoadRequest) async throws(ImageError) -> ImageError? {
        if fetched.isRenewed { return nil }
        let header = try await header(of: fetched.data, request)
        guard let disk = request.originals.disk, request.source.isWorthCachingOnDisk else { return nil }
        var facts = request.facts(size: header.size, format: header.format)
        facts.frames = header.frameCount
        if let download = fetched.download {
            facts.etag = download.etag
            facts.lastModified = download.lastModified
            facts.headers = download.headers
            facts.cost = download.metrics.total.milliseconds
        }
        do throws(DiskCacheError) {
            try await disk.store(
                fetched.data, for: request.originalKey, facts: facts,
                expiration: request.options.cache.diskCacheExpiration,
                writeOptions: request.options.cache.diskStoreWriteOptions,
                forcedExtension: request.options.cache.forcedCacheFileExtension)
            return nil
        } catch {
            return ImageError(error)
        }
    }

    @concurrent
    private func header(of data: Data, _ request: LoadRequest) async throws(ImageError) -> ImageHeader {
        let header = try ImageError.wrapping { () throws(CodecError) in
            try decoder.header(of: data, limits: request.options.process.limits)
        }
        guard data.withUnsafeBytes({ CompletenessCheck.isThere(in: $0, of: header.format) }) else {
            throw .processor(.decodingFailed(format: header.format.rawValue, "the file is cut off"))
        }
        return header
    }
}
