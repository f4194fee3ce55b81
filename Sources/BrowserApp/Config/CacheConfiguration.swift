import Foundation
import ImageLoading

extension ConfigurationSection {
    static let cache = ConfigurationSection(
        name: "cache", documentation: "The disk cache.",
        settings: [Setting<String>.cacheFolder, Setting<Int>.cacheBytes, Setting<Bool>.allowsNetworkCache])
}

extension Setting<String> {
    package static var cacheFolder: Setting {
        let kind = SettingKind.text("an absolute path") { $0.isEmpty || $0.hasPrefix("/") }
        return Setting(
            "cache.folder", kind, default: LibrarySettings().cacheFolder,
            "Its folder, an absolute path; empty for $XDG_CACHE_HOME/alcedo. $ALCEDO_CACHE_DIR overrides it.",
            environment: EnvironmentSource("ALCEDO_CACHE_DIR") { $0 })
    }
}

extension Setting<Int> {
    package static var cacheBytes: Setting {
        Setting(
            "cache.max-size", .bytes, default: LibrarySettings().cacheBytes,
            "Size limit, with K, M or G.")
    }
}

extension Setting<Bool> {
    package static var allowsNetworkCache: Setting {
        Setting(
            "cache.allow-network", .flag, default: false,
            "Also use a folder on a network file system. One machine at a time may use it.")
    }
}

extension LibrarySettings {
    /// Creates the settings from a configuration and the environment.
    package init(
        _ configuration: Configuration, environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.init()
        jobs = configuration[.jobs]
        perHost = configuration[.perHost]
        maximumBytes = configuration[.maximumBytes]
        // A file that may be downloaded may also be decoded.
        decode.bytes = max(DecodeLimits.standard.bytes, maximumBytes)
        decode.pixels = configuration[.megapixels] * 1_000_000
        decode.frames = configuration[.frames]
        sandbox = configuration[.sandbox]
        memory = configuration[.memory]
        timeout = configuration[.timeout]
        requestsPerSecond = configuration[.requestRate]
        bytesPerSecond = configuration[.limitRate]
        retry = RetrySettings(configuration)
        cacheFolder = configuration[.cacheFolder]
        cacheBytes = configuration[.cacheBytes]
        allowsNetworkCache = configuration[.allowsNetworkCache]
        self.environment = environment
    }
}
