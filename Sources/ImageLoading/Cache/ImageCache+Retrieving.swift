import Foundation

/// What the tiers have.
extension ImageCache {
    /// A picture from the memory, else from the disk, from where it is decoded and put into the memory.
    ///
    /// What the disk has for a processor is read by `serializer`, `DefaultCacheSerializer` by default; `decoder`, libvips
    /// by default, reads the formats of this library within `limits`. Throws `.processor` when the bytes on disk give no
    /// picture; a miss is `.none`.
    @concurrent
    public func retrieveImage(
        forKey key: String, processor: any ImageProcessor = DefaultImageProcessor(),
        serializer: any CacheSerializer = DefaultCacheSerializer(), decoder: any ImageDecoding = CodecDecoder(),
        limits: DecodeLimits = .standard, options: CacheRetrieveOptions = CacheRetrieveOptions()
    ) async throws(ImageError) -> ImageCacheResult {
        let identifier = processor.identifier
        if let image = retrieveImageInMemoryCache(
            forKey: key, processorIdentifier: identifier, extending: options.memoryExtending)
        {
            return .memory(image)
        }
        let image = try await retrieveImageInDiskCache(
            forKey: key, processor: processor, serializer: serializer, decoder: decoder, limits: limits,
            extending: options.diskExtending)
        guard let image else { return .none }
        remember(image, Self.memoryKey(key, identifier), options.memoryExpiration)
        return .disk(image)
    }

    /// A picture from the memory; a hit renews its life unless `extending` says otherwise.
    ///
    /// Waits for nothing.
    public func retrieveImageInMemoryCache(
        forKey key: String, processorIdentifier: String = "", extending: ExpirationExtending = .cacheTime
    ) -> Image? {
        memory.value(forKey: Self.memoryKey(key, processorIdentifier), extending: extending)
    }

    /// A picture from the disk, decoded; the memory is left alone.
    ///
    /// Throws `.processor` when the bytes give no picture; a miss is nil.
    @concurrent
    public func retrieveImageInDiskCache(
        forKey key: String, processor: any ImageProcessor = DefaultImageProcessor(),
        serializer: any CacheSerializer = DefaultCacheSerializer(), decoder: any ImageDecoding = CodecDecoder(),
        limits: DecodeLimits = .standard, extending: ExpirationExtending = .cacheTime
    ) async throws(ImageError) -> Image? {
        let identifier = processor.identifier
        guard let hit = await disk?.data(for: Self.diskKey(key, identifier), extending: extending) else { return nil }
        guard !identifier.isEmpty else {
            return try ImageError.wrapping { () throws(CodecError) in
                try decoder.decode(hit.data, within: nil, limits: limits)
            }
        }
        let image = try serializer.image(from: hit.data, decoder: decoder, limits: limits)
        guard serializer.originalDataUsed else { return image }
        return try ImageError.wrapping { () throws(CodecError) in try processor.process(image) }
    }
}
