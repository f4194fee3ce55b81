import AlcedoFilters
import AlcedoSQLite
import AlcedoSupport
import FoundationEssentials
import Raster

/// A filter for entries: the text that the user typed, and further conditions of the program.
///
/// Text is compared with the address as it is stored and with its unescaped form.
package struct CacheFilter: Sendable, Hashable {
    enum Term: Sendable, Hashable {
        case matching(PictureFilter)
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
            case .matching(let filter): filter.terms.contains { if case .key = $0 { true } else { false } }
            case .unpinned, .upTo: false
            }
        }
    }

    /// Returns the filter limited to identifiers up to `id`.
    ///
    /// Identifiers only grow, so a removal with this filter takes no more than was counted before, even while other
    /// processes store.
    package func upTo(_ id: Int64) -> CacheFilter {
        var copy = self
        copy.terms.append(.upTo(id))
        return copy
    }

    /// Returns the filter with the contents and hashes of all entries that its terms `dup` and `like:` need.
    ///
    /// Complexity: O(entries) if there is such a term.
    func resolved(in database: Database) throws -> CacheFilter {
        var copy = self
        for case .matching(let filter) in terms where filter.readsAllPictures {
            copy.related = try RelatedPictures(
                for: filter,
                repeatedDigests: {
                    let contents: [Int64] = try database.values("SELECT number FROM content WHERE uses > 1")
                    return Set(contents.map { UInt64(bitPattern: $0) })
                },
                hashes: {
                    let hashes: [Int64] = try database.values(
                        "SELECT hash FROM entry WHERE hash IS NOT NULL AND kind = 'original'")
                    return hashes.map { UInt64(bitPattern: $0) }
                })
        }
        return copy
    }

    /// Returns the clause `WHERE`, which is empty for a filter that selects every entry.
    func clause(now: Date) -> SQLCondition {
        guard !terms.isEmpty else { return SQLCondition("") }
        let parts = terms.map { term in
            switch term {
            case .matching(let filter): SQLCondition(filter, now: now, related)
            case .unpinned: SQLCondition("pinned = 0")
            case .upTo(let id): SQLCondition("id <= ?", [id])
            }
        }
        let all = SQLCondition.all(parts)
        return SQLCondition("WHERE " + all.sql, all.values)
    }
}

/// A condition for the rows of the table `entry`, or a query of them, with the values of its parameters.
struct SQLCondition {
    let sql: String
    let values: SQLiteValues

    init(_ sql: String, _ values: SQLiteValues = []) { (self.sql, self.values) = (sql, values) }

    /// Creates the condition of a filter.
    init(_ filter: PictureFilter, now: Date, _ related: RelatedPictures) {
        let choices = filter.alternatives.map { literals in
            Self.all(
                literals.map { literal in
                    let condition = SQLCondition(literal.term, now: now, related)
                    // An unknown fact makes the condition NULL; it matches no term, so it must match a negated term.
                    guard literal.isNegated else { return condition }
                    return SQLCondition("NOT coalesce(\(condition.sql), 0)", condition.values)
                })
        }
        self = choices.count == 1 ? choices[0] : Self.joined(choices, by: " OR ")
    }

    /// Returns the condition that all parts hold.
    static func all(_ parts: [SQLCondition]) -> SQLCondition { joined(parts, by: " AND ") }

    private static func joined(_ parts: [SQLCondition], by word: String) -> SQLCondition {
        let sql = parts.map(\.sql).joined(separator: word)
        let isSum = word == " OR "
        return SQLCondition(isSum ? "(\(sql))" : sql, parts.flatMap(\.values))
    }

    private init(_ term: FilterTerm, now: Date, _ related: RelatedPictures) {
        let moment = now.timeIntervalSince1970
        self =
            switch term {
            case .text(let pattern): Self.text(pattern)
            case .host(let host): Self.host(host)
            case .format(let format): SQLCondition("coalesce(format, '') = ?", [format?.rawValue ?? ""])
            case .verdict(let verdict): SQLCondition("verdict = ?", [verdict.rawValue])
            case .color(let model): SQLCondition("color LIKE ?", ["\(model.rawValue),%"])
            case .alpha(let isThere): SQLCondition("alpha = ?", [isThere])
            case .camera(let name): SQLCondition("camera LIKE ? ESCAPE '\\'", ["%\(Self.escaped(name))%"])
            case .taken(let time): SQLCondition("taken LIKE ?", ["\(time)%"])
            case .digest(let digits):
                SQLCondition("content IN (SELECT number FROM content WHERE name GLOB ?)", ["\(digits)*"])
            case .kind(let kind): SQLCondition("kind = ?", [kind])
            case .state(.expired): SQLCondition("(expires <= ? AND pinned = 0)", [moment])
            case .state(.pinned): SQLCondition("pinned = 1")
            case .state(.damaged): SQLCondition("damage IS NOT NULL")
            case .key(let key): Self.key(key)
            case .number(.age, let comparison, let limit):
                SQLCondition("? \(comparison.rawValue) stored", [moment - limit])
            case .number(.unused, let comparison, let limit):
                SQLCondition("? \(comparison.rawValue) accessed", [moment - limit])
            case .number(let number, let comparison, let limit):
                SQLCondition("\(number.column) \(comparison.rawValue) ?", [limit])
            case .ratio(let ratio): SQLCondition("abs(1.0 * width / height / ? - 1) <= 0.01", [ratio])
            case .duplicate: Self.isAmong("content", related.digests)
            case .similar(let distance): Self.isAmong("hash", related.hashes[distance] ?? [])
            case .mismatch: SQLCondition("mismatches(url, format, headers)")
            case .status, .code, .error, .tag, .marked: SQLCondition("0")
            }
    }

    private static func isAmong(_ column: String, _ values: Set<UInt64>) -> SQLCondition {
        SQLCondition("\(column) IN (SELECT value FROM json_each(?))", ["\(values.map { Int64(bitPattern: $0) })"])
    }

    /// The SQL expression for the address without query and fragment.
    private static let withoutTail = """
        substr(url, 1, min(instr(url || '?', '?'), instr(url || '#', '#')) - 1)
        """

    private static func text(_ pattern: TextPattern) -> SQLCondition {
        switch pattern.form {
        case .word:
            // LIKE ignores the case of ASCII letters, as lower() does, and is faster than instr(lower()).
            return stored(or: "url", "# LIKE ? ESCAPE '\\'", "%\(escaped(pattern.text))%")
        case .glob:
            // `?` and `[` are wildcards in SQL, but not in the filter.
            let glob = pattern.text.replacing("[", with: "[[]").replacing("?", with: "[?]")
            return stored(or: withoutTail, "lower(#) GLOB ?", "*://*\(glob)")
        case .regex: return stored(or: "url", "# REGEXP ?", pattern.text)
        }
    }

    /// Returns a text without wildcards of LIKE.
    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("%", with: "\\%").replacing("_", with: "\\_")
    }

    /// Returns a condition on an address as it is stored or with its escapes decoded; `#` stands for the address.
    ///
    /// Most addresses have no escapes and are compared once.
    private static func stored(or address: String, _ condition: String, _ text: String) -> SQLCondition {
        let (stored, shown) = (
            condition.replacing("#", with: address), condition.replacing("#", with: "unescaped(\(address))")
        )
        // SQLite's lower() knows ASCII only.
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return SQLCondition(shown, [text]) }
        return SQLCondition("(\(stored) OR (url GLOB '*%*' AND \(shown)))", [text, text])
    }

    /// Returns the condition for a host, or for a host and port, which are compared with the address's authority.
    ///
    /// The index stores IPv6 addresses without brackets.
    private static func host(_ text: String) -> SQLCondition {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let hasPort = text.hasPrefix("[") ? !text.hasSuffix("]") : parts.count == 2
        guard hasPort, parts.last.flatMap({ Int($0) }) != nil else {
            return SQLCondition("host = ? COLLATE NOCASE", [text.filter { $0 != "[" && $0 != "]" }])
        }
        let authority = "instr(url, '://') + 3"
        return SQLCondition(
            """
            (lower(substr(url, \(authority), length(?))) = lower(?) \
            AND substr(url, \(authority) + length(?), 1) IN ('', '/', '?', '#'))
            """, [text, text, text])
    }

    /// Returns the condition for an entry's name, the beginning of one, or the key of a source.
    private static func key(_ text: String) -> SQLCondition {
        CacheEntryNamePrefix(text).map(name) ?? SQLCondition("source = ?", [CacheEntryName.source(text)])
    }

    /// Returns the condition for the beginning of an entry's name.
    static func name(_ name: CacheEntryNamePrefix) -> SQLCondition {
        let sources = "source BETWEEN ? AND ?"
        guard let variants = name.variants else {
            return SQLCondition(sources, [name.sources.first, name.sources.last])
        }
        return SQLCondition(
            "(\(sources) AND variant BETWEEN ? AND ?)",
            [name.sources.first, name.sources.last, variants.first, variants.last])
    }
}

extension FilterTerm.Number {
    fileprivate var column: String {
        switch self {
        case .width: "width"
        case .height: "height"
        case .megapixels: "width * height / 1e6"
        case .bytes: "length"
        case .frames: "frames"
        case .age: "stored"
        case .unused: "accessed"
        case .hits: "hits"
        }
    }
}

extension CacheFilter {
    /// Adds the functions that conditions call to a connection.
    static func addFunctions(to database: Database) {
        // An address as screens show it, in lower case.
        database.add(function: "unescaped", arguments: 1) { texts in
            texts[0].map { AddressEncoder.decode($0).lowercased() }.sqliteValue
        }
        // Whether an address or the media type among headers contradicts a format.
        database.add(function: "mismatches", arguments: 3) { texts in
            guard let format = texts[1].flatMap({ ImageFormat(rawValue: $0) }) else { return false.sqliteValue }
            let type = CacheEntryFacts.contentType(among: texts[2]?.split(separator: "\n").map(String.init) ?? [])
            return (format.mismatch(address: texts[0] ?? "", contentType: type) != nil).sqliteValue
        }
        // `text REGEXP pattern`, which ignores case; it keeps the last expression for the next row.
        var last: TextPattern?
        database.add(function: "regexp", arguments: 2) { texts in
            guard let pattern = texts[0], let text = texts[1] else { return .null }
            if last?.text != pattern { last = TextPattern(regex: pattern) }
            return (last?.matches(text)).sqliteValue
        }
    }
}
