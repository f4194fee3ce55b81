import Foundation
import ImageLoading
import Lists

/// Reads lists and the lists that those name, as a sitemap index does, within bounds.
struct ListFollowing {
    /// How many lists lie within one another at most, and how many are followed in all.
    static let depthLimit = 3
    static let countLimit = 1000

    /// What to do with an entry that names another list.
    enum Step: Equatable {
        case follow
        case refuse(String)
    }

    private var followed: Set<String> = []

    /// Decides about a list that one `depth` lists deep names; 0 is one that the user named.
    mutating func step(to location: String, depth: Int) -> Step {
        guard depth < Self.depthLimit else { return .refuse("a list \(Self.depthLimit) lists deep is not followed") }
        guard followed.count < Self.countLimit else {
            return .refuse("more than \(Self.countLimit) lists are not followed")
        }
        guard followed.insert(URLNormalizer.normalize(location)).inserted else { return .refuse("a list named before") }
        return .follow
    }

    /// A list that the user named need not be followed.
    mutating func note(_ location: String) { followed.insert(URLNormalizer.normalize(location)) }

    /// What comes from the network does not look into the user's files.
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
    /// Extensions of lists, behind which `.gz` may stand; a page of pictures is such a list.
    private static let listExtensions: Set<String> = [
        "txt", "csv", "tsv", "json", "jsonl", "ndjson", "xml", "html", "htm", "xhtml", "rss", "atom", "md", "markdown",
    ]

    /// The address, when it names a list by its extension.
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
