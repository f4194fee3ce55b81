/// How the disk is written; writes are whole or not at all, always.
public struct CacheWriteOptions: OptionSet, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// What a store has answered survives a power cut: content, folder and index are synchronised with the disk.
    ///
    /// A store then takes milliseconds instead of microseconds.
    public static let durable = CacheWriteOptions(rawValue: 1 << 0)
}
