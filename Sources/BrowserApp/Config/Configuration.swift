/// The contents of the config file, by section; settings that it leaves out are nil.
///
///
/// Command-line options overwrite its values, so that one value passes all settings to the programs.
package struct Configuration: Sendable, Equatable {
    package var transfers = TransferConfiguration()
    package var retrying = RetryConfiguration()
    package var browser = BrowserConfiguration()
    package var prefetch = PrefetchConfiguration()
    package var cache = CacheConfiguration()
    package var keys = KeyConfiguration()

    package init() {}

    /// Returns the configured value of a setting, else its default.
    package subscript<Value>(_ setting: Setting<Value>) -> Value { self[keyPath: setting.field] ?? setting.standard }
}
