import Foundation
import GRDB
import Support

/// What a filter text asks for: `host:`, `type:`, `kind:`, `size>`, `size<`, `age>`, `age<`, `hits<`, `state:`, `key:`,
/// globs and words.
///
/// Terms are joined by "and"; quotes make what has blanks one term. A word without a prefix must occur in the address. What
/// has a `*`, or begins with a slash, is a glob for the end of the address's path, whose `*` matches slashes too. Both are
/// compared with the address as it is stored and as screens show it, without escapes. A host may have its port; `key:` takes an
/// entry's name, or its beginning, or the whole address. Sizes take K, M, G, T (of 1024), ages s, m, h, d.
public struct CacheFilter: Sendable, Hashable {
    enum Term: Sendable, Hashable {
        case host(String), format(String), kind(String), word(String)
        case larger(Int), smaller(Int), olderThan(Double), youngerThan(Double), unusedFor(Double), fewerHits(Int)
        case expired, pinned, unpinned, damaged
        case path(String)
        case source(Data)
        case named(CacheEntryNamePrefix)
        /// Entries that were there when the one with this identifier was the latest.
        case upTo(Int64)
        /// At least one of them.
        case any([Term])
    }

    /// Which part of a filter text is not understood.
    public struct Problem: Error, Sendable, Equatable {
        /// The term as it was written.
        public let term: String
        /// What would have been understood, for people.
        public let expected: String
    }

    var terms: [Term] = []

    /// A filter that every entry passes.
    public init() {}

    /// Reads a filter text; throws `Problem` naming the term that is not understood.
    public init(_ text: String) throws(Problem) {
        var last = ""
        for word in Self.words(of: text) {
            if Self.isUnit(word), Self.endsWithNumber(last) {
                throw Problem(term: "\(last) \(word)", expected: "\(last)\(word), without a blank")
            }
            terms.append(try Self.term(word))
            last = word
        }
    }

    /// What stands between blanks or within quotes, which are none of it; a quote that is not closed goes on to the end.
    private static func words(of text: String) -> [String] {
        var words: [String] = []
        var (word, isQuoted) = ("", false)
        for character in text {
            if character == "\"" {
                isQuoted.toggle()
            } else if character == " ", !isQuoted {
                words.append(word)
                word = ""
            } else {
                word.append(character)
            }
        }
        return (words + [word]).filter { !$0.isEmpty }
    }

    /// One filter text of the arguments of a command, where a shell has taken the quotes away.
    ///
    /// An argument with blanks and a glob, but with no term of another kind, is one term; every other is read as it is.
    public static func text(of arguments: [String]) -> String {
        arguments.map { argument in
            let isGlob = argument.contains("*") || argument.hasPrefix("/")
            let hasOthers = argument.contains { "\":<>=".contains($0) }
            return isGlob && argument.contains(" ") && !hasOthers ? "\"\(argument)\"" : argument
        }.joined(separator: " ")
    }

    private static func endsWithNumber(_ word: String) -> Bool {
        ["size>", "size<", "age>", "age<", "hits<"].contains(where: word.hasPrefix) && word.last?.isNumber == true
    }

    private static func isUnit(_ word: String) -> Bool {
        ["B", "K", "M", "G", "T", "KB", "MB", "GB", "TB", "KIB", "MIB", "GIB", "TIB", "S", "H", "D"]
            .contains(word.uppercased())
    }

    /// A filter for every entry of one source.
    public init(source: String) { terms = [.source(CacheEntryName.source(source))] }

    init(_ terms: [Term]) { self.terms = terms }

    /// Whether it names what it selects.
    public var namesEntries: Bool {
        terms.contains {
            switch $0 {
            case .source, .named: true
            case .any(let terms): CacheFilter(terms).namesEntries
            default: false
            }
        }
    }

    /// The same without the entries that came after the one with an identifier.
    ///
    /// A deletion removes what its question counted, although other processes store meanwhile; identifiers only grow.
    public func upTo(_ id: Int64) -> CacheFilter { CacheFilter(terms + [.upTo(id)]) }

    /// Whether only entries of one source pass.
    var namesSource: Bool { terms.contains { if case .source = $0 { true } else { false } } }

    private static func term(_ word: String) throws(Problem) -> Term {
        if let host = word.dropping("host:") { return .host(host) }
        if let format = word.dropping("type:") { return .format(try self.format(format, in: word)) }
        if let key = word.dropping("key:"), !key.isEmpty {
            return CacheEntryNamePrefix(key).map { .named($0) } ?? .source(CacheEntryName.source(key))
        }
        if let kind = word.dropping("kind:") {
            guard CacheEntryKind(rawValue: kind) != nil else {
                throw Problem(term: word, expected: "kind:original, kind:processed or kind:encoded")
            }
            return .kind(kind)
        }
        if let size = word.dropping("size>") { return .larger(try bytes(size, in: word)) }
        if let size = word.dropping("size<") { return .smaller(try bytes(size, in: word)) }
        if let age = word.dropping("age>") { return .olderThan(try seconds(age, in: word)) }
        if let age = word.dropping("age<") { return .youngerThan(try seconds(age, in: word)) }
        if let hits = word.dropping("hits<") {
            guard let count = Int(hits) else { throw Problem(term: word, expected: "a number") }
            return .fewerHits(count)
        }
        switch word {
        case "state:expired": return .expired
        case "state:pinned": return .pinned
        case "state:damaged": return .damaged
        default: break
        }
        guard !word.hasPrefix("state:") else {
            throw Problem(term: word, expected: "state:expired, state:pinned or state:damaged")
        }
        if let form = Self.form(of: word) { throw Problem(term: word, expected: form) }
        return word.hasPrefix("/") || word.contains("*") ? .path(word) : .word(word)
    }

    /// The format names that entries are stored with.
    package static let formats = ["JPEG", "PNG", "GIF", "WebP"]

    /// Entries without a format have an empty one.
    private static func format(_ name: String, in word: String) throws(Problem) -> String {
        let names = formats
        let wanted = name.lowercased() == "jpg" ? "JPEG" : name
        guard wanted.isEmpty || names.contains(where: { $0.lowercased() == wanted.lowercased() }) else {
            throw Problem(term: word, expected: "one of " + names.map { "type:\($0)" }.joined(separator: ", "))
        }
        return wanted
    }

    /// How a term is written that begins as one and goes on otherwise, as `hits>1` does, or not at all: a shell takes an
    /// unquoted `>` for itself.
    private static func form(of word: String) -> String? {
        let forms = [
            "host": "host:NAME", "type": "type:FORMAT", "kind": "kind:KIND", "state": "state:STATE",
            "key": "key:KEY", "size": "size>BYTES or size<BYTES, in a shell in quotes",
            "age": "age>TIME or age<TIME, in a shell in quotes", "hits": "hits<NUMBER, in a shell in quotes",
        ]
        let name = word.prefix { !":<>=".contains($0) }
        // A bare word may occur in an address; but these three have lost what a shell takes for itself.
        return name == word && !["age", "size", "hits"].contains(word) ? nil : forms[String(name)]
    }

    /// Reads bytes with K, M, G or T (of 1024), as 500K, 1.5M or 2MiB; throws `Problem` naming the text, or the term it
    /// stands in.
    public static func bytes(_ text: String, in term: String? = nil) throws(Problem) -> Int {
        let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
        let unit = text.dropFirst(digits.count).uppercased()
        let units = ["", "K", "M", "G", "T"]
        let power = units.firstIndex { unit == $0 || !$0.isEmpty && (unit == $0 + "B" || unit == $0 + "IB") }
        // No byte has parts: a unit is missing.
        guard let power, let number = Double(digits), number.isFinite, power > 0 || !digits.contains(".") else {
            throw Problem(term: term ?? text, expected: "a size such as 500K or 1.5M")
        }
        let bytes = number * Double(1 << (10 * power))
        return bytes < Double(Int.max) ? Int(bytes) : .max
    }

    /// Reads seconds with s, m, h or d; throws `Problem` naming the text, or the term it stands in.
    public static func seconds(_ text: String, in term: String? = nil) throws(Problem) -> Double {
        let factors: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let factor = text.last.flatMap({ factors[$0] }), let number = Double(text.dropLast()), number.isFinite,
            number >= 0
        else { throw Problem(term: term ?? text, expected: "an age such as 12h or 30d") }
        return number * factor
    }
}

extension CacheFilter {
    func clause(now: Date) -> (sql: String, arguments: StatementArguments) {
        guard !terms.isEmpty else { return ("", []) }
        var arguments: StatementArguments = []
        let parts = terms.map { term in
            let part = term.condition(now: now)
            arguments += part.arguments
            return part.sql
        }
        return ("WHERE " + parts.joined(separator: " AND "), arguments)
    }
}

extension CacheFilter.Term {
    fileprivate func condition(now: Date) -> (sql: String, arguments: StatementArguments) {
        let moment = now.timeIntervalSince1970
        return switch self {
        case .host(let host): Self.host(host)
        case .format(let format): ("coalesce(format, '') = ? COLLATE NOCASE", [format])
        case .kind(let kind): ("kind = ?", [kind])
        case .word(let word): Self.stored(or: "url", "instr(lower(#), lower(?)) > 0", word)
        case .path(let glob): Self.stored(or: Self.withoutTail, "# GLOB ?", "*://*\(glob)")
        case .larger(let bytes): ("length > ?", [bytes])
        case .smaller(let bytes): ("length < ?", [bytes])
        case .olderThan(let seconds): ("stored < ?", [moment - seconds])
        case .youngerThan(let seconds): ("stored > ?", [moment - seconds])
        case .unusedFor(let seconds): ("accessed < ?", [moment - seconds])
        case .fewerHits(let count): ("hits < ?", [count])
        case .expired: ("(expires <= ? AND pinned = 0)", [moment])
        case .pinned: ("pinned = 1", [])
        case .unpinned: ("pinned = 0", [])
        case .damaged: ("damage IS NOT NULL", [])
        case .source(let source): ("source = ?", [source])
        case .named(let name): Self.named(name)
        case .upTo(let id): ("id <= ?", [id])
        case .any(let terms): Self.any(terms.map { $0.condition(now: now) })
        }
    }

    /// The address up to its query or fragment, as SQL says it.
    private static let withoutTail = """
        substr(url, 1, min(instr(url || '?', '?'), instr(url || '#', '#')) - 1)
        """

    /// Whether a condition holds for an address, its `#`, as it is stored or without escapes; most have none.
    private static func stored(
        or address: String, _ condition: String, _ text: String
    ) -> (sql: String, arguments: StatementArguments) {
        let (stored, shown) = (
            condition.replacing("#", with: address), condition.replacing("#", with: "unescaped(\(address))")
        )
        return ("(\(stored) OR (instr(url, '%') > 0 AND \(shown)))", [text, text])
    }

    /// A name, or with its port what stands between the scheme and the path.
    ///
    /// The index has addresses of IPv6 without brackets.
    private static func host(_ text: String) -> (sql: String, arguments: StatementArguments) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let hasPort = text.hasPrefix("[") ? !text.hasSuffix("]") : parts.count == 2
        guard hasPort, parts.last.flatMap({ Int($0) }) != nil else {
            return ("host = ? COLLATE NOCASE", [text.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))])
        }
        let authority = "instr(url, '://') + 3"
        return (
            """
            (lower(substr(url, \(authority), length(?))) = lower(?) \
            AND substr(url, \(authority) + length(?), 1) IN ('', '/', '?', '#'))
            """, [text, text, text]
        )
    }

    private static func named(_ name: CacheEntryNamePrefix) -> (sql: String, arguments: StatementArguments) {
        let sources = "source BETWEEN ? AND ?"
        guard let variants = name.variants else { return (sources, [name.sources.first, name.sources.last]) }
        return (
            "(\(sources) AND variant BETWEEN ? AND ?)",
            [name.sources.first, name.sources.last, variants.first, variants.last]
        )
    }

    private static func any(
        _ parts: [(sql: String, arguments: StatementArguments)]
    ) -> (sql: String, arguments: StatementArguments) {
        let arguments = parts.reduce(into: StatementArguments()) { $0 += $1.arguments }
        return ("(" + parts.map(\.sql).joined(separator: " OR ") + ")", arguments)
    }
}

extension DatabaseFunction {
    /// SQL's `unescaped(text)`: an address as screens show it.
    static let unescaped = DatabaseFunction("unescaped", argumentCount: 1, pure: true) { values in
        values.first.flatMap { String.fromDatabaseValue($0) }.map { AddressEncoder.decode($0) }
    }
}

extension String {
    fileprivate func dropping(_ prefix: String) -> String? {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
    }
}
