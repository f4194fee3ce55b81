/// How one picture is loaded, in small groups; the defaults are the library's.
///
/// Groups: what the caches answer and keep, how bytes are fetched, what is done between bytes and picture, and what is
/// handed out.
///
/// Where options meet, in this order:
/// 1. `forceRefresh` skips every look-up, so it wins over `onlyFromCache` and `fromMemoryCacheOrRefresh`.
/// 2. `onlyFromCache` forbids the network, so alternatives, retries and `fromMemoryCacheOrRefresh`'s fetch do not
///    happen: a miss is the error.
/// 3. `cacheMemoryOnly` keeps the processed picture off the disk; `cacheOriginalImage` writes the original none the
///    less.
/// 4. On a constrained network `lowDataSource` takes the source's place; the alternatives come after it.
/// 5. Each source has its own retries; a cancel ends everything at once.
public struct ImageOptions: Sendable {
    public var cache = CacheOptions()
    public var download = DownloadOptions()
    public var process = ProcessOptions()
    public var delivery = DeliveryOptions()

    public init() {}
}

/// What is handed out, as against what is stored.
public struct DeliveryOptions: Sendable {
    /// Edits each picture that is handed out, from whatever tier; nil by default.
    public var imageModifier: (any ImageModifier)?

    public init() {}
}

/// Edits a picture on its way out; what the caches keep stays as it is.
public protocol ImageModifier: Sendable {
    func modify(_ image: Image) -> Image
}

/// An image modifier made of a closure.
public struct AnyImageModifier: ImageModifier {
    private let body: @Sendable (Image) -> Image

    public init(_ body: @escaping @Sendable (Image) -> Image) { self.body = body }

    public func modify(_ image: Image) -> Image { body(image) }
}
