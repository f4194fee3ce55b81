/// Options for loading one image, in groups.
///
/// The groups: reading and storing in the caches, fetching bytes, processing, delivery, and display.
///
/// Rules for options that affect each other, in this order:
/// 1. `forceRefresh` skips every look-up, so it overrides `onlyFromCache` and `fromMemoryCacheOrRefresh`.
/// 2. `onlyFromCache` forbids the network, so there are no alternatives, no retries and no fetch for
///    `fromMemoryCacheOrRefresh`: a miss is an error.
/// 3. `cacheMemoryOnly` keeps the processed image off the disk; `cacheOriginalImage` still stores the original.
/// 4. On a constrained network `lowDataSource` replaces the source; the alternatives come after it.
/// 5. Each source has its own retries; a cancellation stops everything at once.
/// 6. With `keepCurrentImageWhileLoading` the current image is shown instead of the placeholder, until the new image
///    or `onFailureImage` replaces it.
/// 7. A transition runs for images that no cache had, and with `forceTransition` for all images.
public struct ImageOptions: Sendable {
    /// Options for reading from the caches and storing in them.
    @Shared public var cache = CacheOptions()
    /// Options for fetching bytes.
    @Shared public var download = DownloadOptions()
    /// Options for decoding and processing.
    @Shared public var process = ProcessOptions()
    /// Options for the delivery of images and events.
    @Shared public var delivery = DeliveryOptions()
    /// Options for the display of the image.
    @Shared public var display = DisplayOptions()

    public init() {}
}
