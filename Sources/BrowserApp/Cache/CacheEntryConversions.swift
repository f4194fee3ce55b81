import AlcedoBrowserCore
import AlcedoCacheScreen
import AlcedoLists
import AlcedoPrefetch
import AlcedoScreen
import AlcedoSupport
import FoundationEssentials
import ImageLoading

/// Conversions from the library's cache entries to the screen's rows.
extension CacheRow {
    init(_ entry: CacheEntry, now: Date) {
        let url = URL(string: entry.facts.url)
        let last = url?.lastPathComponent ?? ""
        let isNamed = !last.isEmpty && last != "/"
        let address = Redaction.display(entry.facts.url)
        let folder = "/" + AddressParts(address).path
        let schemePort = ["http": 80, "https": 443][url?.scheme ?? ""]
        let port = url?.port.flatMap { $0 == schemePort ? nil : ":\($0)" } ?? ""
        self.init(
            id: String(entry.id), state: State(entry, now: now), isPinned: entry.isPinned,
            kind: entry.key.kind.rawValue,
            host: SafeText.clean(url?.isFileURL == true ? folder : entry.facts.host + port),
            name: SafeText.clean(isNamed ? last : address, keepsEnd: true),
            address: SafeText.clean(address, limit: 4096), bytes: entry.length, size: entry.facts.size,
            processor: SafeText.clean(entry.key.processor), hits: entry.hits,
            secondsSinceUse: now.timeIntervalSince(entry.accessed).whole,
            secondsToExpiry: entry.expires.map { $0.timeIntervalSince(now).whole })
    }
}

extension CacheRow.State {
    fileprivate init(_ entry: CacheEntry, now: Date) {
        if entry.damage != nil {
            self = .damaged
        } else {
            self = entry.isAlive(at: now) ? .live : .expired
        }
    }
}
