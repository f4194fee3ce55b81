import Foundation
import GRDB
import Support

/// A filter for entries, as text with the terms `host:`, `type:`, `kind:`, `size>`, `size<`, `age>`, `age<`, `hits<`,
/// `state:`, `key:`, `w>`, `h<`, `mpx>`, `frames>`, `verdict:`, `color:`, `alpha:`, `dup`, globs and words.
///
/// An entry must match all terms; quotes make a text with blanks one term. A word without a prefix must occur in the
/// address. A term with a `*`, or with a slash at the beginning, is a glob for the end of the address's path, in which
/// `*` matches slashes too. Both are compared with the address as it is stored and with its unescaped form. A host may
/// have a port. `key:` takes an entry's name, the beginning of one, or the whole address. Sizes take K, M, G and T
/// (powers of 1,024), ages take s, m, h and d.
package struct CacheFilter: Sendable, Hashable {
    enum Term: Sendable, Hashable {
        case host(String), format(String), kind(String), word(String)
        case larger(Int), smaller(Int), olderThan(Double), youngerThan(Double), unusedFor(Double), fewerHits(Int)
        case expired, pinned, unpinned, damaged
        case verdict(String), colorModel(String), alpha(Bool), duplicate
        /// A number of the picture above or below a limit.
        case above(Number, Double), below(Number, Double)
        case path(String)
        case source(Data)
        case named(CacheEntryNamePrefix)
        /// Entries up to an identifier.
        case upTo(Int64)
        /// Entries that match at least one of the terms.
        case any([Term])
    }

    /// A number of a picture, with its SQL expression.
    enum Number: String, Sendable, Hashable, CaseIterable {
        case width = "w"
        case height = "h"
        case megapixels = "mpx"
        case frames

        fileprivate var sql: String {
            switch self {
            case .width: "width"
            case .height: "height"
            case .megapixels: "width * height / 1e6"
            case .frames: "frames"
            }
        }
    }

    /// The part of a filter text that is not valid.
    package struct Problem: Error, Sendable, Equatable {
        /// The term as the user wrote it.
        package let term: String
        /// A description of the valid forms, for the user.
        package let expected: String
    }

    var terms: [Term] = []

    /// Creates a filter that selects every entry.
    package init() {}

    /// Parses a filter text.
    ///
    /// - Throws: `Problem` with the term that is not valid.
    package init(_ text: String) throws(Problem) {
        var last = ""
        for word in Self.words(of: text) {
            if Self.isUnit(word), Self.endsWithNumber(last) {
                throw Problem(term: "\(last) \(word)", expected: "\(last)\(word), without a blank")
            }
            terms.append(try Self.term(word))
            last = word
        }
    }

    /// Returns the words of a text, separated by blanks outside quotes; the quotes are removed.
    ///
    /// An unclosed quote extends to the end.
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

    /// Joins the arguments of a command, from which a shell has removed the quotes, into a filter text.
    ///
    /// An argument that has blanks and is a glob without other terms becomes one quoted term.
    package static func text(of arguments: [String]) -> String {
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

    /// Creates a filter for all entries of a source.
    package init(source: String) { terms = [.source(CacheEntryName.source(source))] }

    init(_ terms: [Term]) { self.terms = terms }

    /// Whether a term names a source or an entry.
    package var namesEntries: Bool {
        terms.contains {
            switch $0 {
            case .source, .named: true
            case .any(let terms): CacheFilter(terms).namesEntries
            default: false
            }
        }
    }

    /// Returns the filter without the entries after an identifier.
    ///
    /// Identifiers only grow, so a removal with this filter takes no more than was counted before, even while other
    /// processes store.
    package func upTo(_ id: Int64) -> CacheFilter { CacheFilter(terms + [.upTo(id)]) }

    /// Whether the filter selects entries of one source only.
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
        if let fact = try fact(word) { return fact }
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

    /// Reads a term about the picture; nil for other words.
    private static func fact(_ word: String) throws(Problem) -> Term? {
        for number in Number.allCases {
            for (sign, isAbove) in [(">", true), ("<", false)] {
                guard let text = word.dropping(number.rawValue + sign) else { continue }
                guard let value = Double(text), value.isFinite else {
                    throw Problem(term: word, expected: "\(number.rawValue)\(sign)NUMBER")
                }
                return isAbove ? .above(number, value) : .below(number, value)
            }
        }
        if let verdict = word.dropping("verdict:") {
            let verdicts = ["whole", "incomplete", "corrupt", "unreadable", "unchecked"]
            guard verdicts.contains(verdict) else {
                throw Problem(term: word, expected: "verdict: and one of " + verdicts.joined(separator: ", "))
            }
            return .verdict(verdict)
        }
        if let color = word.dropping("color:") {
            let models = ["grey", "RGB", "CMYK", "Lab"]
            guard let model = models.first(where: { $0.lowercased() == color.lowercased() }) else {
                throw Problem(term: word, expected: "color: and one of " + models.joined(separator: ", "))
            }
            return .colorModel(model)
        }
        switch word {
        case "alpha:yes": return .alpha(true)
        case "alpha:no": return .alpha(false)
        case "dup": return .duplicate
        default: return nil
        }
    }

    /// The names of the formats of entries.
    private static let formats = [
        "JPEG", "PNG", "GIF", "WebP", "AVIF", "HEIC", "JPEG XL", "TIFF", "JPEG 2000", "PNM", "Radiance HDR", "OpenEXR",
        "SVG", "BMP", "ICO", "TGA", "QOI", "PSD", "PCX", "DDS", "XBM", "XPM", "ICNS", "PDF",
        "video",
    ]
    /// Usual short names of formats.
    private static let shortNames = ["jpg": "JPEG", "jxl": "JPEG XL", "jp2": "JPEG 2000", "hdr": "Radiance HDR"]

    /// Returns the stored name of a format, ignoring case and spaces; the empty name stands for an unknown format.
    private static func format(_ name: String, in word: String) throws(Problem) -> String {
        func plain(_ name: String) -> String { name.lowercased().replacing(" ", with: "") }
        guard !name.isEmpty else { return "" }
        guard let format = shortNames[name.lowercased()] ?? formats.first(where: { plain($0) == plain(name) }) else {
            let names = formats.map { "type:\($0.replacing(" ", with: ""))" }
            throw Problem(term: word, expected: "one of " + names.joined(separator: ", "))
        }
        return format
    }

    /// Returns the valid form of a term that has a known prefix but another continuation, such as `hits>1`; nil for
    /// other words.
    ///
    /// A shell interprets an unquoted `>` itself and removes it.
    private static func form(of word: String) -> String? {
        let forms = [
            "host": "host:NAME", "type": "type:FORMAT", "kind": "kind:KIND", "state": "state:STATE",
            "key": "key:KEY", "size": "size>BYTES or size<BYTES, in a shell in quotes",
            "age": "age>TIME or age<TIME, in a shell in quotes", "hits": "hits<NUMBER, in a shell in quotes",
            "alpha": "alpha:yes or alpha:no",
        ]
        let name = word.prefix { !":<>=".contains($0) }
        // A bare word may occur in an address; but a shell leaves these three behind after a redirection.
        return name == word && !["age", "size", "hits"].contains(word) ? nil : forms[String(name)]
    }

    /// Parses a size with K, M, G or T (powers of 1,024), such as 500K, 1.5M or 2MiB.
    ///
    /// - Parameter term: The term that contains the text; nil if there is none.
    /// - Returns: The size in bytes.
    /// - Throws: `Problem` with the term, or else the text.
    package static func bytes(_ text: String, in term: String? = nil) throws(Problem) -> Int {
        let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
        let unit = text.dropFirst(digits.count).uppercased()
        let units = ["", "K", "M", "G", "T"]
        let power = units.firstIndex { unit == $0 || !$0.isEmpty && (unit == $0 + "B" || unit == $0 + "IB") }
        // A fraction of a byte means that the unit is missing.
        guard let power, let number = Double(digits), number.isFinite, power > 0 || !digits.contains(".") else {
            throw Problem(term: term ?? text, expected: "a size such as 500K or 1.5M")
        }
        let bytes = number * Double(1 << (10 * power))
        return bytes < Double(Int.max) ? Int(bytes) : .max
    }

    /// Parses a duration with s, m, h or d.
    ///
    /// - Parameter term: The term that contains the text; nil if there is none.
    /// - Returns: The duration in seconds.
    /// - Throws: `Problem` with the term, or else the text.
    package static func seconds(_ text: String, in term: String? = nil) throws(Problem) -> Double {
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
        case .verdict(let verdict): ("verdict = ?", [verdict])
        case .colorModel(let model): ("color LIKE ?", ["\(model),%"])
        case .alpha(let isThere): ("alpha = ?", [isThere])
        case .duplicate: ("content IN (SELECT number FROM content WHERE uses > 1)", [])
        case .above(let number, let limit): ("\(number.sql) > ?", [limit])
        case .below(let number, let limit): ("\(number.sql) < ?", [limit])
        case .source(let source): ("source = ?", [source])
        case .named(let name): Self.named(name)
        case .upTo(let id): ("id <= ?", [id])
        case .any(let terms): Self.any(terms.map { $0.condition(now: now) })
        }
    }

    /// The SQL expression for the address without query and fragment.
    private static let withoutTail = """
        substr(url, 1, min(instr(url || '?', '?'), instr(url || '#', '#')) - 1)
        """

    /// Returns a condition that holds for an address, written `#` in it, as it is stored or without its escapes.
    ///
    /// Most addresses have no escapes and are compared once.
    private static func stored(
        or address: String, _ condition: String, _ text: String
    ) -> (sql: String, arguments: StatementArguments) {
        let (stored, shown) = (
            condition.replacing("#", with: address), condition.replacing("#", with: "unescaped(\(address))")
        )
        return ("(\(stored) OR (instr(url, '%') > 0 AND \(shown)))", [text, text])
    }

    /// Returns the condition for a host, or for a host and port, which are compared with the address's authority.
    ///
    /// The index stores IPv6 addresses without brackets.
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
    /// The SQL function `unescaped(text)`: an address as screens show it.
    static let unescaped = DatabaseFunction("unescaped", argumentCount: 1, pure: true) { values in
        values.first.flatMap { String.fromDatabaseValue($0) }.map { AddressEncoder.decode($0) }
    }
}

extension String {
    fileprivate func dropping(_ prefix: String) -> String? {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
    }
}
