/// What the config file says, a part a section; what it leaves open is nil.
///
/// The command line writes over it, so that one value carries every choice to the programs.
public struct Configuration: Sendable, Equatable {
    public var transfers = TransferConfiguration()
    public var retrying = RetryConfiguration()
    public var browser = BrowserConfiguration()
    public var prefetch = PrefetchConfiguration()
    public var cache = CacheConfiguration()
    public var keys = KeyConfiguration()

    public init() {}

    /// What holds for a setting: what was said, else its default.
    public subscript<Value>(_ setting: Setting<Value>) -> Value { self[keyPath: setting.field] ?? setting.standard }
}
