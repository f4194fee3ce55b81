/// The contents of the config file, by section; settings that it leaves out are nil.
///
///
/// Command-line options overwrite its values, so that one value passes all settings to the programs.
public struct Configuration: Sendable, Equatable {
    public var transfers = TransferConfiguration()
    public var retrying = RetryConfiguration()
    public var browser = BrowserConfiguration()
    public var prefetch = PrefetchConfiguration()
    public var cache = CacheConfiguration()
    public var keys = KeyConfiguration()

    public init() {}

    /// Returns the configured value of a setting, else its default.
    public subscript<Value>(_ setting: Setting<Value>) -> Value { self[keyPath: setting.field] ?? setting.standard }
}
