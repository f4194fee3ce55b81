import Foundation
import GRDB

/// What a damaged index that was set aside still tells.
enum IndexSalvage {
    typealias Batch = [CacheEntry]

    /// Reads the rows that can be read, some at a time, from both ends towards the damage.
    ///
    /// Only what has its content still is of use: names, lengths and digests prove each.
    static func read(_ path: String, _ body: (Batch) async throws -> Void) async throws {
        var configuration = Configuration()
        configuration.readonly = true
        // Garbage tells nothing.
        guard let database = try? DatabaseQueue(path: path, configuration: configuration) else { return }
        let seen = try await read(database, "id > ? ORDER BY id", from: .min, until: .max, body)
        _ = try await read(database, "id < ? ORDER BY id DESC", from: .max, until: seen, body)
        try? database.close()
    }

    /// Answers the last identifier that was read.
    private static func read(
        _ database: DatabaseQueue, _ condition: String, from start: Int64, until end: Int64,
        _ body: (Batch) async throws -> Void
    ) async throws -> Int64 {
        let sql = "SELECT \(CacheEntry.columns) FROM \(CacheEntry.tables) WHERE \(condition) LIMIT 64"
        var last = start
        while true {
            let slice = try? await database.read { [last] database in
                try Row.fetchAll(database, sql: sql, arguments: [last]).compactMap { try? CacheEntry(row: $0) }
            }
            guard let slice, let newest = slice.last, start == .min || newest.id > end else { return last }
            try await body(slice)
            last = newest.id
        }
    }
}

extension DiskStorage {
    /// Takes over what an index that was set aside still tells, and removes it; false where there is none.
    ///
    /// Costs a look for its file where there is none, else time that grows with its entries.
    @discardableResult
    public func salvage() async -> Bool {
        let path = folder.index + ".damaged"
        guard FileManager.default.fileExists(atPath: path) else { return false }
        let isOver: Void? = try? await withWritableIndex { index in
            // What cannot be taken over now may be later.
            try await IndexSalvage.read(path) { try await index.takeOver($0) }
        }
        guard isOver != nil else { return false }
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        return true
    }
}

extension DiskIndex {
    /// Adds entries whose contents are there, unless newer ones have their names.
    fileprivate func takeOver(_ entries: IndexSalvage.Batch) async throws {
        try await commits.perform { [contents] database in
            for entry in entries where contents.store.holds(entry.content) {
                guard let name = ContentName(entry.contentName),
                    try CacheEntry.one(named: entry.entryName, in: database) == nil
                else { continue }
                let id = try contents.takeOver(entry.content, name: name, in: database)
                try entry.insert(content: id, into: database)
            }
        }
    }
}

extension ContentTable {
    /// The row of a content that lies in a file or a pack already.
    fileprivate func takeOver(_ content: StoredContent, name: ContentName, in database: Database) throws -> Int64 {
        if let known = try Self.content(named: name.text, in: database) { return known.id }
        guard let slot = content.place.slot else {
            return try adopt(NewContent(name: name, length: content.length, packed: nil), in: database)
        }
        // Nothing is added to a pack of which nobody knows the end.
        try database.execute(
            sql: """
                INSERT INTO pack (id, size, contents) VALUES (?, \(PackStore.limit), 1)
                ON CONFLICT (id) DO UPDATE SET contents = contents + 1
                """, arguments: [slot.pack])
        try database.execute(
            sql: "INSERT INTO content (name, size, pack, start) VALUES (?, ?, ?, ?)",
            arguments: [name.text, content.length, slot.pack, slot.offset])
        return database.lastInsertedRowID
    }
}
