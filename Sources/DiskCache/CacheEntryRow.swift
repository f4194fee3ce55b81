import Foundation
import GRDB
import Raster

/// The columns of an entry in the order of the query: a row finds a value faster by index than by name.
///
/// `CodingKey` supplies the names, as printing the case of another enumeration takes four conformance look-ups.
private enum Column: Int, CaseIterable, CodingKey {
    case id, source, variant, key, processor, kind, length, format, width, height, frames, url, host, etag, lastModified
    case headers, cost, stored, accessed, expires, hits, pinned, damage, verdict, hash, alpha, duration, color
    case orientation, name
}

extension ColumnValues {
    fileprivate func value<Value: DatabaseValueConvertible>(_ column: Column) throws -> Value {
        try checked(at: column.rawValue)
    }

    fileprivate func optional<Value: DatabaseValueConvertible>(_ column: Column) throws -> Value? {
        try checkedIfPresent(at: column.rawValue)
    }
}

extension CacheEntry {
    static let columns = Column.allCases.map(\.stringValue).joined(separator: ", ")
    static let tables = "entry LEFT JOIN content ON number = entry.content"

    static let selectOne = "SELECT \(columns) FROM \(tables) WHERE id = ?"
    private static let selectNamed = "SELECT \(columns) FROM \(tables) WHERE source = ? AND variant = ?"

    static func one(named name: CacheEntryName, in database: Database) throws -> CacheEntry? {
        try database.cachedStatement(sql: selectNamed)
            .first([name.source, name.variant], CacheEntry.init(row:))
    }

    static func one(_ id: Int64, in database: Database) throws -> CacheEntry? {
        try database.cachedStatement(sql: selectOne).first([id], CacheEntry.init(row:))
    }

    /// Reads a row of `columns`.
    init(row: some ColumnValues) throws {
        id = try row.value(.id)
        key = CacheEntryKey(
            shown: try row.optional(.key), url: try row.value(.url), processor: try row.value(.processor),
            kind: try row.value(.kind))
        entryName = CacheEntryName(source: try row.value(.source), variant: try row.value(.variant))
        facts = try CacheEntryFacts(row: row)
        contentName = try row.value(.name)
        length = try row.value(.length)
        stored = Date(timeIntervalSince1970: try row.value(.stored))
        accessed = Date(timeIntervalSince1970: try row.value(.accessed))
        expires = try row.optional(.expires).map(Date.init(timeIntervalSince1970:))
        hits = try row.value(.hits)
        isPinned = try row.value(.pinned)
        damage = try row.optional(.damage)
        shownKey = try row.optional(.key)
    }

    /// Inserts the row.
    ///
    /// SQLite keeps a journal for each statement that may fail half way; `OR IGNORE` needs none.
    ///
    /// - Parameter content: The row identifier of the content.
    /// - Returns: False if the row was not inserted, usually because one with the same key exists.
    @discardableResult
    func insert(content: Int64, into database: Database) throws -> Bool {
        try database.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO entry (source, variant, key, processor, kind, content, length, format, width, height,
                    frames, url, host, etag, lastModified, headers, cost, stored, accessed, expires, life, hits, pinned,
                    verdict, hash, alpha, duration, color, orientation)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).run([
            entryName.source, entryName.variant, shownKey, key.processor, key.kind.rawValue, content, length,
            facts.format, facts.size?.width, facts.size?.height, facts.frames, facts.url, facts.host,
            facts.etag, facts.lastModified, facts.headers.isEmpty ? nil : facts.headers.joined(separator: "\n"),
            facts.cost, stored.timeIntervalSince1970, accessed.timeIntervalSince1970,
            expires?.timeIntervalSince1970, expires.map { max(0, $0.timeIntervalSince(accessed)) } ?? -1, hits,
            isPinned, facts.verdict, facts.hash.map { Int64(bitPattern: $0) }, facts.hasAlpha, facts.duration,
            facts.color, facts.orientation,
        ])
        return database.changesCount > 0
    }
}

extension CacheEntryKey {
    /// Creates a key from a row; without a stored key, the source is the address.
    init(shown: String?, url: String, processor: String, kind: String) {
        self.init(source: shown ?? url, processor: processor, kind: CacheEntryKind(rawValue: kind) ?? .original)
    }
}

extension CacheEntryFacts {
    fileprivate init(row: some ColumnValues) throws {
        let (width, height): (Int?, Int?) = (try row.optional(.width), try row.optional(.height))
        self.init(
            format: try row.optional(.format),
            size: width.flatMap { width in height.map { PixelSize(width: width, height: $0) } },
            frames: try row.optional(.frames), url: try row.value(.url), host: try row.value(.host),
            etag: try row.optional(.etag), lastModified: try row.optional(.lastModified),
            headers: try (row.optional(.headers) as String?)?.split(separator: "\n").map(String.init) ?? [],
            cost: try row.value(.cost))
        verdict = try row.optional(.verdict)
        hash = try (row.optional(.hash) as Int64?).map { UInt64(bitPattern: $0) }
        hasAlpha = try row.optional(.alpha)
        duration = try row.optional(.duration)
        color = try row.optional(.color)
        orientation = try row.optional(.orientation)
    }
}
