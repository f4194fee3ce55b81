import Foundation
import ImageLoading

extension PrefetchJournal {
    /// Opens the journal for these settings; returns nil without a state folder, or if the same run is active in
    /// another process.
    convenience init?(of settings: PrefetchSettings, now: Date = Date()) {
        guard let folder = StateFolder.journals(environment: settings.library.environment) else { return nil }
        let life = settings.freshness == .ifNotCached ? Self.longestLife : Self.refreshingLife
        self.init(folder: folder, run: settings.run, resumes: settings.resumes, now: now, life: life)
    }
}

extension PrefetchSettings {
    /// Identifies the run: its lists, the options that determine what is cached, and the cache folder.
    fileprivate var run: String {
        let folder = FileManager.default.currentDirectoryPath
        let places = lists.map { $0.contains("://") ? $0 : URL(filePath: $0, relativeTo: URL(filePath: folder)).path }
        let base = base.map { "\($0)" } ?? ""
        let cache = (try? library.diskFolder())?.path ?? ""
        let choices =
            [freshness.rawValue, shard?.text ?? "", "\(usesLowData)", "\(warmsMemory)"]
            + (inspection.map { ["\($0)"] } ?? [])
        return (places + [base, cache] + choices + variants.map(\.text)).joined(separator: "\n")
    }
}

extension ImageOptions {
    /// Returns the options for prefetching.
    func prefetching(_ settings: PrefetchSettings) -> ImageOptions {
        var options = self
        options.cache.forceRefresh = settings.freshness == .force
        options.cache.revalidates = settings.freshness == .refresh
        options.cache.expiredGracePeriod = nil
        options.cache.alsoPrefetchToMemory = settings.warmsMemory
        options.process.originalCheck = settings.check
        options.process.keepsThumbnail = settings.thumbnails > 0
        options.process.storesDamaged = settings.keepsDamaged
        options.process.acceptedFormats = settings.acceptedFormats
        options.process.limits.allowsDamage = settings.keepsDamaged
        options.download.isNetworkConstrained = settings.usesLowData
        options.download.inspection = settings.inspection
        return options
    }
}

extension ImageError {
    /// Whether every later attempt would fail in the same way, with any options.
    var isFinal: Bool {
        switch self {
        case .imageSetting(.alternativeSourcesExhausted(let failures)): failures.allSatisfy { $0.error.isFinal }
        case .response(.invalidHTTPStatusCode(let code, _)): [404, 410].contains(code)
        case .response(.notAnImage), .request(.invalidURL): true
        default: false
        }
    }
}
