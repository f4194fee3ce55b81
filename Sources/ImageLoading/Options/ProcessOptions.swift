/// What is done between bytes and picture.
public struct ProcessOptions: Sendable {
    /// `DefaultImageProcessor` by default: nothing.
    public var processor: any ImageProcessor = DefaultImageProcessor()
    /// 64 MiB, 16,384 pixels a side, 100 million pixels by default.
    public var limits = DecodeLimits.standard

    public init() {}
}
