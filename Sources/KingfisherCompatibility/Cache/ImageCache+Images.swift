import AlcedoDiskCache
import Foundation
import ImageLoading

/// The outcome of a store, tier by tier.
public struct CacheStoreResult: Sendable {
    /// The memory tier always succeeds.
    public let memoryCacheResult: Result<Void, Never> = .success(())
    /// The outcome on disk.
    public let diskCacheResult: Result<Void, KingfisherError>
}

/// Storing images.
extension ImageCache {
    /// Stores an image with the serializer and the expirations of the options.
    public func store(
        _ image: Image, original: Data? = nil, forKey key: String, options: KingfisherParsedOptionsInfo,
        toDisk: Bool = true, completionHandler: (@Sendable (CacheStoreResult) -> Void)? = nil
    ) {
        let identifier = options.processor.identifier
        base.remember(image, Base.memoryKey(key, identifier), options.memoryCacheExpiration)
        let queue = options.callbackQueue
        guard toDisk else {
            return queue.execute { completionHandler?(CacheStoreResult(diskCacheResult: .success(()))) }
        }
        write(key, on: queue, completionHandler) { [self] in
            if diskStorage.base == nil { throw DiskCacheError.unavailable("there is no folder") }
            let isPlain = identifier.isEmpty && options.cacheSerializer is DefaultCacheSerializer
            let plain = isPlain ? original : nil
            guard let data = plain ?? options.cacheSerializer.data(with: image, original: original) else {
                throw KingfisherError.cacheError(
                    reason: .cannotSerializeImage(
                        image: image, original: original, serializer: options.cacheSerializer))
            }
            try await base.storeToDisk(
                data, forKey: key, processorIdentifier: identifier, expiration: options.diskCacheExpiration,
                forcedExtension: options.forcedExtension ?? diskStorage.config.pathExtension)
        }
    }

    /// Stores an image in memory at once, then on disk unless `toDisk` is false.
    public func store(
        _ image: Image, original: Data? = nil, forKey key: String, processorIdentifier identifier: String = "",
        forcedExtension: String? = nil,
        cacheSerializer serializer: any CacheSerializer = DefaultCacheSerializer.default,
        toDisk: Bool = true, callbackQueue: CallbackQueue = .untouch,
        completionHandler: (@Sendable (CacheStoreResult) -> Void)? = nil
    ) {
        let options = KingfisherParsedOptionsInfo([
            .processor(NamedProcessor(identifier: identifier)), .cacheSerializer(serializer),
            .callbackQueue(callbackQueue), .forcedCacheFileExtension(forcedExtension),
        ])
        store(
            image, original: original, forKey: key, options: options, toDisk: toDisk,
            completionHandler: completionHandler)
    }

    /// Stores bytes on disk, unchanged.
    public func storeToDisk(
        _ data: Data, forKey key: String, processorIdentifier identifier: String = "", forcedExtension: String? = nil,
        expiration: StorageExpiration? = nil, callbackQueue: CallbackQueue = .untouch,
        completionHandler: (@Sendable (CacheStoreResult) -> Void)? = nil
    ) {
        write(key, data, on: callbackQueue, completionHandler) { [self] in
            try await base.storeToDisk(
                data, forKey: key, processorIdentifier: identifier, expiration: expiration,
                forcedExtension: forcedExtension ?? diskStorage.config.pathExtension)
        }
    }

    private func write(
        _ key: String, _ data: Data = Data(), on queue: CallbackQueue,
        _ handler: (@Sendable (CacheStoreResult) -> Void)?, _ work: @escaping @Sendable () async throws -> Void
    ) {
        enqueue { [self] in
            let result = CacheStoreResult(diskCacheResult: await outcome(of: key, data: data, work))
            queue.execute { handler?(result) }
        }
    }

    /// Removes an image, by default from both tiers.
    public func removeImage(
        forKey key: String, processorIdentifier identifier: String = "", forcedExtension: String? = nil,
        fromMemory: Bool = true, fromDisk: Bool = true, callbackQueue: CallbackQueue = .untouch,
        completionHandler: (@Sendable () -> Void)? = nil
    ) {
        if fromMemory { base.memory.removeValue(forKey: Base.memoryKey(key, identifier)) }
        enqueue { [self] in
            try? await base.removeImage(
                forKey: key, processorIdentifier: identifier, fromMemory: false, fromDisk: fromDisk)
            callbackQueue.execute { completionHandler?() }
        }
    }
}

/// Reading images.
extension ImageCache {
    /// Returns an image from memory, at once; nil on a miss.
    public func retrieveImageInMemoryCache(forKey key: String, options: KingfisherOptionsInfo? = nil) -> Image? {
        retrieveImageInMemoryCache(forKey: key, options: KingfisherParsedOptionsInfo(options))
    }

    /// Returns an image from memory, at once; nil on a miss.
    public func retrieveImageInMemoryCache(forKey key: String, options: KingfisherParsedOptionsInfo) -> Image? {
        base.retrieveImageInMemoryCache(
            forKey: key, processorIdentifier: options.processor.identifier,
            extending: options.memoryCacheAccessExtendingExpiration)
    }

    /// Gives the handler an image from memory, or else from the disk; a miss is no error.
    public func retrieveImage(
        forKey key: String, options: KingfisherOptionsInfo? = nil,
        callbackQueue: CallbackQueue = .mainCurrentOrAsync,
        completionHandler: (@Sendable (Result<ImageCacheResult, KingfisherError>) -> Void)?
    ) {
        retrieveImage(
            forKey: key, options: KingfisherParsedOptionsInfo(options), callbackQueue: callbackQueue,
            completionHandler: completionHandler)
    }

    /// Gives the handler an image from memory, or else from the disk; a miss is no error.
    public func retrieveImage(
        forKey key: String, options: KingfisherParsedOptionsInfo,
        callbackQueue: CallbackQueue = .mainCurrentOrAsync,
        completionHandler: (@Sendable (Result<ImageCacheResult, KingfisherError>) -> Void)?
    ) {
        guard let completionHandler else { return }
        if let image = retrieveImageInMemoryCache(forKey: key, options: options) {
            return callbackQueue.execute { completionHandler(.success(.memory(image))) }
        }
        enqueue { [self] in
            let result = await fromDisk(key, options, isKept: true)
            callbackQueue.execute { completionHandler(result.map { $0.map { .disk($0) } ?? .none }) }
        }
    }

    /// Gives the handler an image from the disk, nil on a miss; the memory tier stays as it is.
    public func retrieveImageInDiskCache(
        forKey key: String, options: KingfisherOptionsInfo? = nil, callbackQueue: CallbackQueue = .untouch,
        completionHandler: @escaping @Sendable (Result<Image?, KingfisherError>) -> Void
    ) {
        enqueue { [self] in
            let result = await fromDisk(key, KingfisherParsedOptionsInfo(options), isKept: false)
            callbackQueue.execute { completionHandler(result) }
        }
    }

    private func fromDisk(
        _ key: String, _ options: KingfisherParsedOptionsInfo, isKept: Bool
    ) async -> Result<Image?, KingfisherError> {
        let processor = options.processor.bridged(options)
        do throws(ImageError) {
            let image = try await base.retrieveImageInDiskCache(
                forKey: key, processor: processor, serializer: options.cacheSerializer.bridged(options),
                extending: options.diskCacheAccessExtendingExpiration)
            if isKept, let image {
                base.remember(image, Base.memoryKey(key, processor.identifier), options.memoryCacheExpiration)
            }
            return .success(image)
        } catch {
            guard case .processor(.processingFailed) = error else { return .success(nil) }
            return .failure(
                .processorError(reason: .processingFailed(processor: options.processor, item: .data(Data()))))
        }
    }
}

/// The same for tasks.
extension ImageCache {
    /// Returns an image from memory, or else from the disk.
    public func retrieveImage(
        forKey key: String, options: KingfisherOptionsInfo? = nil
    ) async throws -> ImageCacheResult {
        try await withCheckedThrowingContinuation { continuation in
            retrieveImage(forKey: key, options: options, callbackQueue: .untouch) { continuation.resume(with: $0) }
        }
    }

    /// Returns an image from the disk; nil on a miss.
    public func retrieveImageInDiskCache(
        forKey key: String, options: KingfisherOptionsInfo? = nil
    ) async throws -> Image? {
        try await withCheckedThrowingContinuation { continuation in
            retrieveImageInDiskCache(forKey: key, options: options) { continuation.resume(with: $0) }
        }
    }

    /// The size of all files in bytes.
    public var diskStorageSize: UInt {
        get async throws {
            try await withCheckedThrowingContinuation { continuation in
                calculateDiskStorageSize { continuation.resume(with: $0) }
            }
        }
    }
}

/// A processor that only names results that exist already.
private struct NamedProcessor: ImageProcessor {
    let identifier: String

    func process(item: ImageProcessItem, options: KingfisherParsedOptionsInfo) -> Image? {
        if case .image(let image) = item { image } else { nil }
    }
}
