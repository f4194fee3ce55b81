import AlcedoHTTPRequests
import AlcedoSupport
import FoundationEssentials
import Synchronization

/// The cookies of a downloader: those of the user's file, and those that servers set.
///
/// A cookie that a server sets is sent to its own host and port only, whatever its `Domain` attribute says.
final class CookieJar: Sendable {
    /// The limits for one host, which servers accept: the number of cookies, and the bytes of the `Cookie` field.
    private static let limit = (count: 20, bytes: 4_096)
    /// The maximum number of hosts with cookies; another host clears all cookies that servers set.
    private static let hostLimit = 3_000

    private let file: CookieFile?
    private let set = Mutex([String: [Cookie]]())

    init(_ file: CookieFile? = nil) { self.file = file }

    /// Stores the cookies of a response's `Set-Cookie` fields; `now` is in seconds since 1970.
    func store(_ fields: [String], from url: URL, at now: Int64) {
        guard !fields.isEmpty else { return }
        let cookies = fields.compactMap { Cookie(setBy: $0, at: url, now: now) }
        guard let host = Origin(url).keys.last, !cookies.isEmpty else { return }
        set.withLock { set in
            if set.count >= Self.hostLimit, set[host] == nil { set = [:] }
            for cookie in cookies { Self.add(cookie, to: &set[host, default: []], at: now) }
            if set[host]?.isEmpty == true { set[host] = nil }
        }
    }

    /// Returns the `Cookie` field for an address, with the longest path first, or nil if there are no cookies.
    func field(for url: URL, at now: Int64) -> String? {
        let own = set.withLock { set in
            set.isEmpty ? [] : Origin(url).keys.last.flatMap { set[$0] } ?? []
        }.filter { $0.goes(to: url, at: now) }
        let given = (file?.cookies(for: url, at: now) ?? []).filter { cookie in !own.contains { $0.isSame(as: cookie) }
        }
        let all = (given + own).enumerated().sorted {
            ($1.element.path.utf8.count, $0.offset) < ($0.element.path.utf8.count, $1.offset)
        }
        return all.isEmpty ? nil : all.map { "\($0.element.name)=\($0.element.value)" }.joined(separator: "; ")
    }

    private static func add(_ cookie: Cookie, to cookies: inout [Cookie], at now: Int64) {
        var kept = cookies.filter { !$0.isSame(as: cookie) && $0.isLive(at: now) }
        if cookie.isLive(at: now) { kept.append(cookie) }
        let bytes = kept.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 3 }
        if kept.count <= limit.count, bytes <= limit.bytes { cookies = kept }
    }
}
