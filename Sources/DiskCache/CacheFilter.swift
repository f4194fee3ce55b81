import Filters
import Foundation
import GRDB
import Raster

/// A filter for entries: what the user typed, and conditions of the program's own.
///
/// Text is compared with the address as it is stored and with its unescaped form.
package struct CacheFilter: Sendable, Hashable {
    enum Term: Sendable, Hashable {
        case matching(PictureFilter)
        case source(Data)
        case unpinned
        /// Entries up to an identifier.
        case upTo(Int64)
    }

    private(set) var terms: [Term] = []
    /// The contents and hashes that several entries share; `resolved(in:)` finds them.
    private var related = RelatedPictures()

    /// Creates a filter that selects every entry.
    package init() {}

    /// Parses a filter text.
    ///
    /// - Throws: `FilterProblem` with the term that is not valid.
    package init(_ text: String) throws(FilterProblem) {
        let filter = try PictureFilter(text, in: .cache)
        if !filter.isEmpty { terms = [.matching(filter)] }
    }

    /// Creates a filter for all entries of a source.
    package init(source: String) { terms = [.source(CacheEntryName.source(source))] }

    init(_ terms: [Term]) { self.terms = terms }

    /// Joins the arguments of a command, from which a shell has removed the quotes, into a filter text.
    ///
    /// An argument that has blanks and is a glob without other terms becomes one quoted term.
    package static func text(of arguments: [String]) -> String {
        arguments.map { argument in
            let isGlob = argument.contains("*") || argument.hasPrefix("/")
            let hasOthers = argument.contains { "\":<>=|~".contains($0) }
            return isGlob && argument.contains(" ") && !hasOthers ? "\"\(argument)\"" : argument
        }.joined(separator: " ")
    }

    /// Whether a term names a source or an entry.
    package var namesEntries: Bool {
        terms.contains {
            switch $0 {
            case .source: true
            case .matching(let filter): filter.terms.contains { if case .key = $0 { true } else { false } }
            case .unpinned, .upTo: false
            }
        }
    }

    /// Returns the filter without the entries after an identifier.
    ///
    /// Identifiers only grow, so a removal with this filter takes no more than was counted before, even while other
    /// processes store.
    package func upTo(_ id: Int64) -> CacheFilter {
        var copy = self
        copy.terms.append(.upTo(id))
        return copy
    }

    /// Whether the filter selects entries of one source only.
    var namesSource: Bool {
        terms.contains {
            switch $0 {
            case .source: return true
            case .matching(let filter):
                guard filter.alternatives.count == 1 else { return false }
                return filter.alternatives[0].contains { literal in
                    guard case .key(let key) = literal.term else { return false }
                    return !literal.isNegated && CacheEntryNamePrefix(key) == nil
                }
            case .unpinned, .upTo: return false
            }
        }
    }

    /// Returns the filter with what its terms `dup` and `like:` need to know about all entries.
    ///
    /// Complexity: O(entries) if there is such a term.
    func resolved(in database: Database) throws -> CacheFilter {
        var copy = self
        for case .matching(let filter) in terms where filter.readsAllPictures {
            copy.related = try RelatedPictures(
                for: filter,
                repeatedDigests: {
                    let contents = try Int64.fetchAll(database, sql: "SELECT number FROM content WHERE uses > 1")
                    return Set(contents.map { UInt64(bitPattern: $0) })
                },
                hashes: {
                    let hashes = try Int64.fetchAll(
                        database, sql: "SELECT hash FROM entry WHERE hash IS NOT NULL AND kind = 'original'")
                    return hashes.map { UInt64(bitPattern: $0) }
                })
        }
        return copy
    }

    func clause(now: Date) -> (sql: String, arguments: StatementArguments) {
        guard !terms.isEmpty else { return ("", []) }
        let parts = terms.map { term in
            switch term {
            case .matching(let filter): SQLCondition(filter, now: now, related)
            case .source(let source): SQLCondition("source = ?", [source])
            case .unpinned: SQLCondition("pinned = 0")
            case .upTo(let id): SQLCondition("id <= ?", [id])
            }
        }
        let all = SQLCondition.all(parts)
        return ("WHERE " + all.sql, all.arguments)
    }
}
