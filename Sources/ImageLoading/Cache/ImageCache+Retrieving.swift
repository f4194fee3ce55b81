import Foundation

/// Reading images from the tiers.
extension ImageCache {
    /// Returns an image from memory, or from the disk; an image from the disk is decoded and stored in memory.
    ///
    /// - Parameter serializer: Reads processed images from the disk; `DefaultCacheSerializer` by default.
    /// - Parameter decoder: Reads the formats of this library within `limits`; libvips by default.
    /// - Returns: The image and its tier; `.none` on a miss.
    /// - Throws: `.processor` if the bytes on disk are not a valid image.
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

    /// Returns an image from memory, or nil on a miss; a hit renews its life unless `extending` says otherwise.
    ///
    /// The call never suspends.
    public func retrieveImageInMemoryCache(
        forKey key: String, processorIdentifier: String = "", extending: ExpirationExtending = .cacheTime
    ) -> Image? {
        memory.value(forKey: Self.memoryKey(key, processorIdentifier), extending: extending)
    }

    /// Returns a decoded image from the disk, or nil on a miss; the memory tier stays unchanged.
    ///
    /// - Throws: `.processor` if the bytes are not a valid image.
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
