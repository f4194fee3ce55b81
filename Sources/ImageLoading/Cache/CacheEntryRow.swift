import Foundation
import GRDB
import Raster

extension CacheEntry {
    static func one(for key: CacheEntryKey, in database: Database) throws -> CacheEntry? {
        try Row.fetchOne(
            database, sql: "SELECT * FROM entry WHERE source = ? AND processor = ? AND kind = ?",
            arguments: [key.source, key.processor, key.kind.rawValue]
        ).map(CacheEntry.init(row:))
    }

    init(row: Row) {
        id = row["id"]
        key = CacheEntryKey(
            source: row["source"], processor: row["processor"],
            kind: CacheEntryKind(rawValue: row["kind"]) ?? .original)
        facts = CacheEntryFacts(row: row)
        digest = row["digest"]
        length = row["length"]
        stored = Date(timeIntervalSince1970: row["stored"])
        accessed = Date(timeIntervalSince1970: row["accessed"])
        expires = (row["expires"] as Double?).map(Date.init(timeIntervalSince1970:))
        hits = row["hits"]
        isPinned = row["pinned"]
    }

    func insert(into database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO entry (source, processor, kind, digest, length, format, width, height, frames, url, host,
                    etag, lastModified, cost, stored, accessed, expires, hits, pinned)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                key.source, key.processor, key.kind.rawValue, digest, length, facts.format?.rawValue,
                facts.size?.width, facts.size?.height, facts.frames, facts.url, facts.host, facts.etag,
                facts.lastModified, facts.cost, stored.timeIntervalSince1970, accessed.timeIntervalSince1970,
                expires?.timeIntervalSince1970, hits, isPinned,
            ])
    }
}

extension CacheEntryFacts {
    fileprivate init(row: Row) {
        let width: Int? = row["width"]
        let height: Int? = row["height"]
        self.init(
            format: (row["format"] as String?).flatMap(ImageFormat.init(rawValue:)),
            size: width.flatMap { width in height.map { PixelSize(width: width, height: $0) } },
            frames: row["frames"], url: row["url"], host: row["host"], etag: row["etag"],
            lastModified: row["lastModified"], cost: row["cost"])
    }
}
