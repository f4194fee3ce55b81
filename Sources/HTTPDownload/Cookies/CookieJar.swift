import Foundation
import Synchronization

/// The cookies of a downloader: those of the user's file, and those that servers have set since it was made.
///
/// A server's cookies go back to its own host and port only, whatever domain they name.
final class CookieJar: Sendable {
    /// The most cookies of one host, and the most bytes of their field: as much as servers take.
    private static let limit = (count: 20, bytes: 4_096)
    /// The most hosts whose cookies are held; when another one comes, all that servers have set is dropped.
    private static let hostLimit = 3_000

    private let file: CookieFile?
    private let set = Mutex([String: [Cookie]]())

    init(_ file: CookieFile? = nil) { self.file = file }

    /// Takes in the `Set-Cookie` fields of an answer; `now` is in seconds since 1970.
    func take(_ fields: [String], from url: URL, at now: Int64) {
        guard !fields.isEmpty else { return }
        let cookies = fields.compactMap { Cookie(setBy: $0, at: url, now: now) }
        guard let host = Origin(url).keys.last, !cookies.isEmpty else { return }
        set.withLock { set in
            if set.count >= Self.hostLimit, set[host] == nil { set = [:] }
            for cookie in cookies { Self.add(cookie, to: &set[host, default: []], at: now) }
            if set[host]?.isEmpty == true { set[host] = nil }
        }
    }

    /// The `Cookie` field for an address, the longest path first; nil where there is nothing to send.
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
