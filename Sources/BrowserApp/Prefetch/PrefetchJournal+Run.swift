import Foundation
import ImageLoading

extension PrefetchJournal {
    /// The journal of a run with these settings; nil where there is no place for one, or another such run is under way.
    convenience init?(of settings: PrefetchSettings, now: Date = Date()) {
        guard let folder = StateFolder.journals(environment: settings.library.environment) else { return nil }
        let life = settings.freshness == .ifNotCached ? Self.longestLife : Self.refreshingLife
        self.init(folder: folder, run: settings.run, resumes: settings.resumes, now: now, life: life)
    }
}

extension PrefetchSettings {
    /// All that makes a run another one: its lists, and what is kept of their pictures and where.
    fileprivate var run: String {
        let folder = FileManager.default.currentDirectoryPath
        let places = lists.map { $0.contains("://") ? $0 : URL(filePath: $0, relativeTo: URL(filePath: folder)).path }
        let base = base.map { "\($0)" } ?? ""
        let cache = (try? library.diskFolder())?.path ?? ""
        let choices = [freshness.rawValue, shard?.text ?? "", "\(usesLowData)", "\(warmsMemory)"]
        return (places + [base, cache] + choices + variants.map(\.text)).joined(separator: "\n")
    }
}

extension ImageOptions {
    /// The same for filling the caches.
    func prefetching(_ settings: PrefetchSettings) -> ImageOptions {
        var options = self
        options.cache.forceRefresh = settings.freshness == .force
        options.cache.revalidates = settings.freshness == .refresh
        options.cache.servesExpired = nil
        options.cache.alsoPrefetchToMemory = settings.warmsMemory
        options.download.isNetworkConstrained = settings.usesLowData
        return options
    }
}

extension ImageError {
    /// Whether another attempt, at any time soon, would end the same way, whatever the options and the list say then.
    var isFinal: Bool {
        switch self {
        case .imageSetting(.alternativeSourcesExhausted(let failures)): failures.allSatisfy { $0.error.isFinal }
        case .response(.invalidHTTPStatusCode(let code, _)): [404, 410].contains(code)
        case .response(.notAnImage), .request(.invalidURL): true
        default: false
        }
    }
}
