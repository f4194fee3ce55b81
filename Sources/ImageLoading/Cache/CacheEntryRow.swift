import Foundation
import GRDB
import Raster

extension CacheEntry {
    static func one(for key: CacheEntryKey, in database: Database) throws -> CacheEntry? {
        try Row.fetchOne(
            try database.cachedStatement(
                sql: "SELECT * FROM entry WHERE source = ? AND processor = ? AND kind = ?"),
            arguments: [key.source, key.processor, key.kind.rawValue]
        ).map(CacheEntry.init(row:))
    }

    /// Reads a row; throws where a damaged one holds a value of another type, which `row[…]` would trap on.
    init(row: Row) throws {
        id = try row.decode(forColumn: "id")
        key = try CacheEntryKey(row: row)
        facts = try CacheEntryFacts(row: row)
        contentName = try row.decode(forColumn: "digest")
        length = try row.decode(forColumn: "length")
        stored = Date(timeIntervalSince1970: try row.decode(forColumn: "stored"))
        accessed = Date(timeIntervalSince1970: try row.decode(forColumn: "accessed"))
        expires = try row.decode(Double?.self, forColumn: "expires").map(Date.init(timeIntervalSince1970:))
        hits = try row.decode(forColumn: "hits")
        isPinned = try row.decode(forColumn: "pinned")
    }

    func insert(into database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO entry (source, processor, kind, digest, length, format, width, height, frames, url, host,
                    etag, lastModified, cost, stored, accessed, expires, hits, pinned, life)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                key.source, key.processor, key.kind.rawValue, contentName, length, facts.format?.rawValue,
                facts.size?.width, facts.size?.height, facts.frames, facts.url, facts.host, facts.etag,
                facts.lastModified, facts.cost, stored.timeIntervalSince1970, accessed.timeIntervalSince1970,
                expires?.timeIntervalSince1970, hits, isPinned,
                expires.map { max(0, $0.timeIntervalSince(accessed)) } ?? -1,
            ])
    }
}

extension CacheEntryKey {
    init(row: Row) throws {
        self.init(
            source: try row.decode(forColumn: "source"), processor: try row.decode(forColumn: "processor"),
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
            cost: try row.decode(forColumn: "cost"))
    }
}
