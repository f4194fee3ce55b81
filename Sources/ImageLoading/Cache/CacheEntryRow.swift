import Foundation
import GRDB
import Raster

extension CacheEntry {
    static let columns = "entry.*, name, pack, start"
    static let tables = "entry LEFT JOIN content ON number = entry.content"

    static func one(named name: CacheEntryName, in database: Database) throws -> CacheEntry? {
        try Row.fetchOne(
            try database.cachedStatement(
                sql: "SELECT \(columns) FROM \(tables) WHERE source = ? AND variant = ?"),
            arguments: [name.source, name.variant]
        ).map(CacheEntry.init(row:))
    }

    static func one(_ id: Int64, in database: Database) throws -> CacheEntry? {
        try Row.fetchOne(
            try database.cachedStatement(sql: "SELECT \(columns) FROM \(tables) WHERE id = ?"), arguments: [id]
        ).map(CacheEntry.init(row:))
    }

    /// Reads a row; throws where a damaged one holds a value of another type, which `row[…]` would trap on.
    init(row: Row) throws {
        id = try row.decode(forColumn: "id")
        key = try CacheEntryKey(row: row)
        entryName = CacheEntryName(
            source: try row.decode(forColumn: "source"), variant: try row.decode(forColumn: "variant"))
        facts = try CacheEntryFacts(row: row)
        contentName = try row.decode(forColumn: "name")
        length = try row.decode(forColumn: "length")
        place = try ContentPlace(row: row, length: length)
        stored = Date(timeIntervalSince1970: try row.decode(forColumn: "stored"))
        accessed = Date(timeIntervalSince1970: try row.decode(forColumn: "accessed"))
        expires = try row.decode(Double?.self, forColumn: "expires").map(Date.init(timeIntervalSince1970:))
        hits = try row.decode(forColumn: "hits")
        isPinned = try row.decode(forColumn: "pinned")
        damage = try row.decode(String?.self, forColumn: "damage")
        shownKey = try row.decode(String?.self, forColumn: "key")
    }

    func insert(content: Int64, into database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO entry (source, variant, key, processor, kind, content, length, format, width, height,
                    frames, url, host, etag, lastModified, headers, cost, stored, accessed, expires, life, hits, pinned)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                entryName.source, entryName.variant, shownKey, key.processor, key.kind.rawValue, content,
                length, facts.format?.rawValue, facts.size?.width, facts.size?.height, facts.frames, facts.url,
                facts.host,
                facts.etag, facts.lastModified, facts.headers.isEmpty ? nil : facts.headers.joined(separator: "\n"),
                facts.cost, stored.timeIntervalSince1970, accessed.timeIntervalSince1970,
                expires?.timeIntervalSince1970, expires.map { max(0, $0.timeIntervalSince(accessed)) } ?? -1, hits,
                isPinned,
            ])
    }
}

extension CacheEntryKey {
    init(row: Row) throws {
        self.init(
            source: try row.decode(String?.self, forColumn: "key") ?? row.decode(forColumn: "url"),
            processor: try row.decode(forColumn: "processor"),
            kind: CacheEntryKind(rawValue: try row.decode(forColumn: "kind")) ?? .original)
    }
}

extension CacheEntryFacts {
    fileprivate init(row: Row) throws {
        let width = try row.decode(Int?.self, forColumn: "width")
        let height = try row.decode(Int?.self, forColumn: "height")
        self.init(
            format: try row.decode(String?.self, forColumn: "format").flatMap(ImageFormat.init(rawValue:)),
            size: width.flatMap { width in height.map { PixelSize(width: width, height: $0) } },
            frames: try row.decode(Int?.self, forColumn: "frames"), url: try row.decode(forColumn: "url"),
            host: try row.decode(forColumn: "host"), etag: try row.decode(String?.self, forColumn: "etag"),
            lastModified: try row.decode(String?.self, forColumn: "lastModified"),
            headers: try row.decode(String?.self, forColumn: "headers")?.split(separator: "\n").map(String.init) ?? [],
            cost: try row.decode(forColumn: "cost"))
    }
}
