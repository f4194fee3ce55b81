/// What equal transfers share: the bytes of one source.
struct DataKey: Hashable, Sendable {
    let source: String
    /// A refresh never joins a transfer that may answer from a cache.
    let isRefresh: Bool
    /// A look into the cache alone never joins a transfer, nor a transfer a mere look.
    let isCacheOnly: Bool
}

/// What equal pictures share: the bytes, the decode and the processors.
struct PictureKey: Hashable, Sendable {
    let source: String
    let processor: String
    let isRefresh: Bool
    let isCacheOnly: Bool

    /// What the memory knows the picture by.
    var text: String { ImageCache.memoryKey(source, processor) }
}
