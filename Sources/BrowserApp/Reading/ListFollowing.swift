import Foundation
import ImageLoading
import Lists

/// Decides which lists named by other lists are followed, as in a sitemap index.
struct ListFollowing {
    /// Maximum nesting depth, and maximum number of followed lists.
    static let depthLimit = 3
    static let countLimit = 1000

    private var followed: Set<String> = []

    /// Returns why a list that a list at `depth` names is not followed, or records that it is; lists named by the user
    /// have depth 0.
    mutating func refusal(of location: String, depth: Int) -> String? {
        guard depth < Self.depthLimit else { return "a list \(Self.depthLimit) lists deep is not followed" }
        guard followed.count < Self.countLimit else { return "more than \(Self.countLimit) lists are not followed" }
        return followed.insert(URLNormalizer.normalize(location)).inserted ? nil : "a list named before"
    }

    /// Records a list named by the user, which need not be followed again.
    mutating func markFollowed(_ location: String) { followed.insert(URLNormalizer.normalize(location)) }

    /// Returns whether an entry may be loaded; lists from the network must not name local files.
    static func mayName(_ entry: ListEntry, in list: ListSource) -> Bool {
        guard list.isWeb else { return true }
        let places = [entry.location] + entry.alternatives + [entry.lowData].compactMap(\.self)
        return places.allSatisfy { !$0.hasPrefix("/") }
    }

    static let fileReason = "a list from the network names a file"

    static func isWeb(_ location: String) -> Bool {
        ["http://", "https://"].contains { location.lowercased().hasPrefix($0) }
    }
}

extension ListSource {
    /// The extensions of list files, which `.gz` may follow; a web page of pictures is a list, too.
    private static let listExtensions: Set<String> = [
        "txt", "csv", "tsv", "json", "jsonl", "ndjson", "xml", "html", "htm", "xhtml", "rss", "atom", "md", "markdown",
    ]

    /// The address, if its extension is that of a list; else nil.
    var listOnTheWeb: String? {
        guard isWeb, case .picture(let location) = self, let path = WebAddress.url(location)?.path() else { return nil }
        let name = path.lowercased()
        let plain = name.hasSuffix(".gz") ? String(name.dropLast(3)) : name
        return plain.split(separator: ".").last.map(String.init).map(Self.listExtensions.contains) == true
            ? location : nil
    }

    fileprivate var isWeb: Bool {
        if case .picture(let location) = self { ListFollowing.isWeb(location) } else { false }
    }
}
