import AlcedoSQLite
import AlcedoSupport
import FoundationEssentials
import Raster

/// The kind of bytes that an entry holds.
package enum CacheEntryKind: String, Sendable, Hashable, CaseIterable {
    /// The bytes as the source sent them.
    case original
    /// A processed picture, serialised.
    case processed
    /// A picture encoded for a terminal.
    case encoded
}

/// The key of an entry.
package struct CacheEntryKey: Sendable, Hashable {
    /// The source's cache key.
    package var source: String
    /// The processor's identifier; empty for an original.
    package var processor: String
    /// The kind of bytes; an original by default.
    package var kind: CacheEntryKind

    /// Creates a key; without a processor and a kind, it is the key of an original.
    package init(source: String, processor: String = "", kind: CacheEntryKind = .original) {
        (self.source, self.processor, self.kind) = (source, processor, kind)
    }

    /// Whether the key belongs to an original, from which other entries are derived.
    var isSource: Bool { kind == .original && processor.isEmpty }

    /// The display name: 12 hexadecimal digits for the source and, for a derived entry, a dash and 6 more.
    package var name: String { CacheEntryName(self).text }
}

/// The metadata of an entry at the time of its store.
@dynamicMemberLookup
package struct CacheEntryFacts: Sendable, Hashable {
    /// The facts of the picture.
    package var picture = PictureFacts()
    /// The address of the source, without credentials and secrets once it is stored.
    package var url: String
    /// The host without a port; empty if there is none.
    package var host: String
    /// The entity tag from the server; nil if it sent none.
    package var etag: String?
    /// The modification date as the server wrote it; nil if it sent none.
    package var lastModified: String?
    /// The response headers, one string `Name: value` each, without cookies and other private ones.
    package var headers: [String]
    /// The time that it took to produce the bytes, in milliseconds.
    package var cost: Int

    /// Creates metadata; omitted values are unknown.
    package init(
        format: ImageFormat? = nil, size: PixelSize? = nil, frames: Int? = nil, url: String = "", host: String = "",
        etag: String? = nil, lastModified: String? = nil, headers: [String] = [], cost: Int = 0
    ) {
        (self.url, self.host, self.etag, self.lastModified, self.headers) = (url, host, etag, lastModified, headers)
        self.cost = cost
        (picture.format, picture.size, picture.frames) = (format, size, frames)
    }

    package subscript<Value>(dynamicMember fact: WritableKeyPath<PictureFacts, Value>) -> Value {
        get { picture[keyPath: fact] }
        set { picture[keyPath: fact] = newValue }
    }

    /// Returns the media type among header lines; nil if there is none.
    package static func contentType(among headers: [String]) -> String? {
        let line = headers.first { $0.lowercased().hasPrefix("content-type:") }
        return line.map { line in
            line.dropFirst("content-type:".count).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
    }
}

/// A row of the index.
public struct CacheEntry: Sendable, Hashable, Identifiable {
    public var id: Int64
    /// The key without the secret values of an address, so it may not find the entry again.
    package var key: CacheEntryKey
    /// The digests of the original key, by which the index finds the entry.
    var entryName: CacheEntryName
    /// The metadata at the time of the store.
    package var facts: CacheEntryFacts
    /// The name of the content file: its digest and, if one was forced, a dot and an extension.
    package var contentName: String
    /// The length of the content in bytes.
    public var length: Int
    /// The source's key without secrets, as the index stores it; nil if it equals the address.
    var shownKey: String?
    /// The time of the store.
    public var stored: Date
    /// The time of the last use; before the first use, the time of the store.
    public var accessed: Date
    /// The time of expiry; nil for never.
    public var expires: Date?
    /// `StorageExpiration.life` at the store; not read from the index.
    var life: TimeInterval = -1
    /// The number of uses since the store.
    public var hits: Int
    /// Whether the entry is exempt from expiry, eviction and sweeps.
    public var isPinned: Bool
    /// The damage that a verification found; nil if none.
    public var damage: String?

    /// The source's key without the secret values of an address.
    public var sourceKey: String { key.source }
    /// The identifier of the processor that made the content; empty for an original.
    public var processorIdentifier: String { key.processor }
    /// The SHA-256 of the content, in hexadecimal.
    public var digest: String { String(contentName.prefix(64)) }
    /// The display name: 12 hexadecimal digits for the source and, for a derived entry, a dash and 6 more.
    package var name: String { entryName.text }
    /// The display name of the source's original.
    package var sourceName: String { entryName.sourceText }
    /// Whether the key finds the entry again: that of an address with secrets does not.
    package var hasWholeKey: Bool { CacheEntryName(key) == entryName }

    /// Returns whether the entry is pinned or not expired at a time.
    package func isAlive(at now: Date) -> Bool { isPinned || expires.map { $0 > now } ?? true }
}

extension CacheEntry {
    /// Creates an entry that is stored now.
    init(
        key: CacheEntryKey, facts: CacheEntryFacts, content: ContentName, length: Int, now: Date,
        life: StorageExpiration
    ) {
        let address = Redaction.shown(facts.url)
        let shownKey = key.source == facts.url ? address : Redaction.shown(key.source)
        var facts = facts
        facts.url = address
        self.init(
            id: 0, key: key, entryName: CacheEntryName(key), facts: facts, contentName: content.text, length: length,
            stored: now, accessed: now, expires: life.date(from: now), life: life.life, hits: 0,
            isPinned: false)
        self.shownKey = shownKey == address ? nil : shownKey
    }
}

/// The columns of an entry in the order of the query, before those of `PictureFact`: a row finds a value faster by
/// index than by name.
///
/// Printing a case of a plain enum is slow (four conformance look-ups); `CodingKey` stores the name.
private enum Column: Int, CaseIterable, CodingKey {
    case id, source, variant, key, processor, kind, length, url, host, etag, lastModified, headers, cost
    case stored, accessed, expires, hits, pinned, damage, name
}

extension Row {
    fileprivate func value<Value: SQLiteConvertible>(_ column: Column) throws(SQLiteError) -> Value {
        try value(at: column.rawValue)
    }
}

extension CacheEntry {
    static let columns = (Column.allCases.map(\.stringValue) + PictureFact.all.map(\.column)).joined(separator: ", ")
    static let tables = "entry LEFT JOIN content ON number = entry.content"

    static let selectOne = "SELECT \(columns) FROM \(tables) WHERE id = ?"
    private static let selectNamed = "SELECT \(columns) FROM \(tables) WHERE source = ? AND variant = ?"

    static func one(named name: CacheEntryName, in database: Database) throws -> CacheEntry? {
        try database.firstRow(selectNamed, [name.source, name.variant], CacheEntry.init(row:))
    }

    static func one(_ id: Int64, in database: Database) throws -> CacheEntry? {
        try database.firstRow(selectOne, [id], CacheEntry.init(row:))
    }

    /// Reads a row of `columns`.
    init(row: borrowing Row) throws(SQLiteError) {
        id = try row.value(.id)
        key = CacheEntryKey(
            shown: try row.value(.key), url: try row.value(.url), processor: try row.value(.processor),
            kind: try row.value(.kind))
        entryName = CacheEntryName(source: try row.value(.source), variant: try row.value(.variant))
        facts = try CacheEntryFacts(row: row)
        contentName = try row.value(.name)
        length = try row.value(.length)
        stored = Date(timeIntervalSince1970: try row.value(.stored))
        accessed = Date(timeIntervalSince1970: try row.value(.accessed))
        expires = (try row.value(.expires) as Double?).map(Date.init(timeIntervalSince1970:))
        hits = try row.value(.hits)
        isPinned = try row.value(.pinned)
        damage = try row.value(.damage)
        shownKey = try row.value(.key)
    }

    private static let insertion: String = {
        let own = [
            "source", "variant", "key", "processor", "kind", "content", "length", "url", "host", "etag", "lastModified",
            "headers", "cost", "stored", "accessed", "expires", "life", "hits", "pinned",
        ]
        let columns = own + PictureFact.all.map(\.column)
        let places = columns.map { _ in "?" }
        return """
            INSERT OR IGNORE INTO entry (\(columns.joined(separator: ", "))) VALUES (\(places.joined(separator: ", ")))
            """
    }()

    /// Inserts the row.
    ///
    /// SQLite keeps a journal for each statement that may fail half way; `OR IGNORE` needs none.
    ///
    /// - Parameter content: The row identifier of the content.
    /// - Returns: False if the row was not inserted, usually because one with the same key exists.
    @discardableResult
    func insert(content: Int64, into database: Database) throws -> Bool {
        let own: SQLiteValues = [
            entryName.source, entryName.variant, shownKey, key.processor, key.kind.rawValue, content, length,
            facts.url, facts.host, facts.etag, facts.lastModified,
            facts.headers.isEmpty ? nil : facts.headers.joined(separator: "\n"), facts.cost,
            stored.timeIntervalSince1970, accessed.timeIntervalSince1970, expires?.timeIntervalSince1970, life, hits,
            isPinned,
        ]
        return try database.run(Self.insertion, own + PictureFact.all.map { $0.column(of: facts.picture) }) > 0
    }
}

extension CacheEntryKey {
    /// Creates a key from a row; without a stored key, the source is the address.
    init(shown: String?, url: String, processor: String, kind: String) {
        self.init(source: shown ?? url, processor: processor, kind: CacheEntryKind(rawValue: kind) ?? .original)
    }
}

extension CacheEntryFacts {
    fileprivate init(row: borrowing Row) throws(SQLiteError) {
        self.init(
            url: try row.value(.url), host: try row.value(.host), etag: try row.value(.etag),
            lastModified: try row.value(.lastModified),
            headers: (try row.value(.headers) as String?)?.split(separator: "\n").map(String.init) ?? [],
            cost: try row.value(.cost))
        for (place, fact) in PictureFact.all.enumerated() {
            let column = Column.allCases.count + place
            let value: FactValue? =
                fact.isText
                ? (try row.value(at: column) as String?).map(FactValue.text)
                : (try row.value(at: column) as Int?).map(FactValue.number)
            if let value { fact.setValue(value, in: &picture) }
        }
    }
}

extension PictureFact {
    /// Returns the value of the column.
    func column(of facts: PictureFacts) -> any SQLiteConvertible {
        switch value(in: facts) {
        case .text(let text): text
        case .number(let number), .milliseconds(let number): number
        case .flag(let flag): flag
        case .hash(let hash): Int64(bitPattern: hash.bits)
        case .color(let color): color.description
        case nil: Int?.none
        }
    }
}

/// The name by which the index finds an entry: digests of its key, so that no secret of an address is stored.
///
/// `source` is the first 16 bytes of the SHA-256 of the source's key. `variant` is the first 8 bytes of the SHA-256 of
/// kind and processor; it is empty for an original.
struct CacheEntryName: Hashable, Sendable {
    let source: Data
    let variant: Data

    init(_ key: CacheEntryKey) {
        source = Self.digest(of: key.source, bytes: 16)
        variant = Self.variant(key.processor, key.kind)
    }

    init(source: Data, variant: Data) {
        self.source = source
        self.variant = variant
    }

    static func source(_ key: String) -> Data { digest(of: key, bytes: 16) }

    private static func variant(_ processor: String, _ kind: CacheEntryKind) -> Data {
        processor.isEmpty && kind == .original ? Data() : digest(of: "\(kind.rawValue)\u{0}\(processor)", bytes: 8)
    }

    private static func digest(of text: String, bytes count: Int) -> Data {
        var text = text
        return text.withUTF8 { bytes in
            Data(SHA256.digest(of: UnsafeRawBufferPointer(bytes)).prefix(count))
        }
    }

    /// The display form: 12 hexadecimal digits for the source and, for a derived entry, a dash and 6 more.
    var text: String { variant.isEmpty ? sourceText : "\(sourceText)-\(Self.hexadecimal(variant.prefix(3)))" }

    /// The display form of the source alone.
    var sourceText: String { Self.hexadecimal(source.prefix(6)) }

    private static func hexadecimal(_ bytes: Data) -> String {
        bytes.map { byte in String(byte >> 4, radix: 16) + String(byte & 15, radix: 16) }.joined()
    }
}

/// The beginning of an entry's name, in the form of `CacheEntryName.text`.
struct CacheEntryNamePrefix: Hashable, Sendable {
    /// The first and the last source of 16 bytes with this prefix.
    let sources: Bounds
    /// The first and the last variant of 8 bytes with this prefix; nil for every variant.
    let variants: Bounds?

    struct Bounds: Hashable {
        let first, last: Data
    }

    /// Parses 4 to 32 hexadecimal digits, optionally followed by a dash and 1 to 16 more; nil for any other text.
    init?(_ text: String) {
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, (4...32).contains(first.utf8.count), let sources = Self.bounds(first, bytes: 16)
        else { return nil }
        self.sources = sources
        guard parts.count == 2 else {
            variants = nil
            return
        }
        guard (1...16).contains(parts[1].utf8.count), let variants = Self.bounds(parts[1], bytes: 8) else { return nil }
        self.variants = variants
    }

    private static func bounds(_ digits: Substring, bytes count: Int) -> Bounds? {
        guard let first = bytes(digits, filledWith: 0, count), let last = bytes(digits, filledWith: 15, count) else {
            return nil
        }
        return Bounds(first: first, last: last)
    }

    private static func bytes(_ text: Substring, filledWith digit: Int, _ count: Int) -> Data? {
        let digits = text.compactMap(\.hexDigitValue)
        guard digits.count == text.utf8.count else { return nil }
        let whole = digits + Array(repeating: digit, count: 2 * count - digits.count)
        return Data(stride(from: 0, to: 2 * count, by: 2).map { UInt8(whole[$0] << 4 | whole[$0 + 1]) })
    }
}
