import Foundation
import Raster

/// Storing images in the tiers.
extension ImageCache {
    /// Stores an image in memory and, unless `toDisk` is false, its bytes on disk.
    ///
    /// Without a processor the original bytes are stored unchanged; if there are none, `DefaultCacheSerializer` encodes
    /// the image. With a processor `serializer` returns the bytes. Without a disk tier the image is only stored in
    /// memory.
    ///
    /// - Throws: The error of the serializer, or `.cache(.cannotStore)`; the memory tier has the image in both cases.
    @concurrent
    public func store(
        _ image: Image, original data: Data? = nil, forKey key: String, processorIdentifier: String = "",
        serializer: any CacheSerializer = DefaultCacheSerializer(), toDisk: Bool = true,
        options: CacheStoreOptions = CacheStoreOptions()
    ) async throws(ImageError) {
        remember(image, Self.memoryKey(key, processorIdentifier), options.memoryExpiration)
        guard toDisk, let disk else { return }
        var facts = CacheEntryFacts(storedUnder: key)
        let bytes: Data
        if processorIdentifier.isEmpty {
            bytes = if let data { data } else { try DefaultCacheSerializer().data(for: image, original: Data()) }
            (facts.size, facts.frames) = (image.originalSize, data == nil ? 1 : image.frameCount)
            facts.imageFormat = data == nil ? DefaultCacheSerializer().format(for: image) : image.format
        } else {
            bytes = try serializer.data(for: image, original: data ?? Data())
            (facts.size, facts.frames, facts.imageFormat) = (image.size, 1, serializer.format(for: image))
        }
        do throws(DiskCacheError) {
            try await disk.store(
                bytes, for: Self.diskKey(key, processorIdentifier), facts: facts, expiration: options.diskExpiration,
                writeOptions: options.writeOptions, forcedExtension: options.forcedExtension)
        } catch {
            throw ImageError(error)
        }
    }

    /// Stores bytes on disk unchanged; they are not decoded, and the memory tier stays unchanged.
    ///
    /// - Throws: `.cannotStore`; `.unavailable` without a disk tier.
    @concurrent
    public func storeToDisk(
        _ data: Data, forKey key: String, processorIdentifier: String = "", expiration: StorageExpiration? = nil,
        forcedExtension: String? = nil, writeOptions: CacheWriteOptions = []
    ) async throws(DiskCacheError) {
        guard let disk else { throw .unavailable("this cache has no disk tier") }
        var facts = CacheEntryFacts(storedUnder: key)
        facts.imageFormat = FormatSniffer.format(of: data)
        try await disk.store(
            data, for: Self.diskKey(key, processorIdentifier), facts: facts, expiration: expiration,
            writeOptions: writeOptions, forcedExtension: forcedExtension)
    }

    func remember(_ image: Image, _ memoryKey: String, _ expiration: StorageExpiration?) {
        memory.store(image, forKey: memoryKey, cost: image.cost, expiration: expiration)
    }
}

extension CacheEntryFacts {
    /// The format that `format` names; nil if it is unknown.
    public var imageFormat: ImageFormat? {
        get { format.flatMap(ImageFormat.init(rawValue:)) }
        set { format = newValue?.rawValue }
    }

    /// Creates facts from a key that is an address, without its credentials.
    fileprivate init(storedUnder key: String) {
        self.init(url: AddressText.shown(key), host: URL(string: key)?.host() ?? "")
    }
}
