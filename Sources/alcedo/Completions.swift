import AlcedoConfig
import AlcedoFilters
import ArgumentParser
import FoundationEssentials
import ImageLoading

/// Completions that shells ask the program for: filter terms, cache entries and processors; errors give none.
extension CompletionKind {
    static var cacheFilter: CompletionKind { filter(in: .cache) }
    static var reportFilter: CompletionKind { filter(in: .report) }

    /// The terms of a filter; hosts are those in the cache.
    private static func filter(in scope: FilterScope) -> CompletionKind {
        .custom { (words: [String], index: Int, word: String) async -> [String] in
            // bash takes the colon and what stands before it for words of their own.
            let isSplit = index > 1 && index < words.count && words[index - 1] == ":"
            let lead = isSplit ? words[index - 2] + ":" : ""
            let text = lead + word
            let hosts = text.hasPrefix("host:") ? await cachedHosts().map { "host:\($0)" } : []
            let terms = PictureFilter.completions(of: text, in: scope) + hosts
            return terms.filter { $0.hasPrefix(text) && isPlain($0) }.map { String($0.dropFirst(lead.count)) }
        }
    }

    /// The keys of entries and their addresses, the last used first.
    static var cacheEntries: CompletionKind {
        .custom { (_: [String], _: Int, word: String) async -> [String] in
            guard let disk = cache(), let found = try? await disk.entries(CacheEntryQuery(limit: 5000)) else {
                return []
            }
            let names = found.entries.map(\.name) + found.entries.map(\.facts.url)
            return Array(names.filter { $0.hasPrefix(word) && isPlain($0) }.prefix(200))
        }
    }

    /// The name of the first processor of a chain.
    static var processors: CompletionKind {
        .custom { (_: [String], _: Int, word: String) -> [String] in
            ProcessorGrammar.names.filter { $0.hasPrefix(word) }
        }
    }

    /// Whether a shell takes a text as it is.
    ///
    /// bash expands what it is offered, and runs what stands in `$(…)`; addresses are foreign text. Terms with `<` or `>`
    /// would become redirections.
    private static func isPlain(_ text: String) -> Bool {
        !text.isEmpty && !text.hasPrefix("-")
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "._-:/%+@,=".utf8.contains(byte)
            }
    }

    private static func cachedHosts() async -> [String] {
        guard let disk = cache() else { return [] }
        return (try? await disk.groups(CacheGroupQuery(field: .host)).groups.map(\.value)) ?? []
    }

    /// The disk cache of the configuration, if there is one; none is made.
    private static func cache() -> DiskStorage? {
        guard let settings = try? LibrarySettings(ConfigFlags.parse([]).read()),
            (try? settings.diskFolder())?.holdsCache == true
        else { return nil }
        return try? ImageServices.openDisk(settings)
    }
}
