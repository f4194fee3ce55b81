/// Options of a store; every write is atomic, with any options.
public struct CacheWriteOptions: OptionSet, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A completed store survives a power failure: content, folder and index are synchronised with the disk.
    ///
    /// A store then takes milliseconds instead of microseconds.
    public static let durable = CacheWriteOptions(rawValue: 1 << 0)
}
