import AlcedoSQLite
import Synchronization

/// A row of the table of contents.
struct StoredContent: Sendable, Hashable {
    let id: Int64
    let name: String
    let length: Int
}

/// The index table of contents: one row for each content file, however many entries use it.
///
/// Its methods run in a write transaction.
struct ContentTable: Sendable {
    /// The content file is missing: it was removed with the last other entry that used it, before the new row was
    /// written.
    struct ContentGone: Error {}

    let blobs: BlobStore
    let pendingDeletions = PendingDeletions()

    /// Returns the row identifier of a content whose file has just been written; adds a missing row.
    ///
    /// - Throws: `ContentGone` if the file no longer exists.
    func adopt(_ name: ContentName, length: Int, in database: Database) throws -> Int64 {
        guard blobs.holds(name.text, length: length) else { throw ContentGone() }
        if let known = try Self.content(named: name.text, in: database) { return known.id }
        try database.run("INSERT OR FAIL INTO content (name, size) VALUES (?, ?)", [name.text, length])
        return database.lastInsertedRow
    }

    /// Removes the row of a content that no entry uses; its file is deleted after the transaction.
    ///
    /// - Returns: The freed bytes; 0 if an entry still uses the content.
    @discardableResult
    func releaseUnused(_ id: Int64, in database: Database) throws -> Int {
        let content = try database.firstRow(
            "DELETE FROM content WHERE number = ? AND uses <= 0 RETURNING \(Self.columns)", [id]
        ) { row in try? StoredContent(row: row) }
        guard case let content?? = content else { return 0 }
        pendingDeletions.add(content.name)
        return content.length
    }

    /// Removes the given content files that no entry uses.
    func releaseUnused(_ names: [String], in database: Database) throws {
        for name in names {
            if let known = try Self.content(named: name, in: database) {
                try releaseUnused(known.id, in: database)
            } else {
                blobs.remove(name)
            }
        }
    }

    static func content(named name: String, in database: Database) throws -> StoredContent? {
        try database.firstRow("SELECT \(columns) FROM content WHERE name = ?", [name], StoredContent.init(row:))
    }

    static let columns = "number, name, size"
}

extension StoredContent {
    /// Reads a row of `ContentTable.columns`; throws if a damaged row has a value of the wrong type.
    init(row: borrowing Row) throws {
        self.init(id: try row.value(at: 0), name: try row.value(at: 1), length: try row.value(at: 2))
    }
}

/// The files that a transaction no longer needs; they are deleted after the commit.
///
/// A process that is killed in between leaves files without a row, never a row without its file.
final class PendingDeletions: Sendable {
    private let names = Mutex<[String]>([])

    var count: Int { names.withLock(\.count) }

    func add(_ name: String) { names.withLock { $0.append(name) } }

    /// Drops all names after the first `count`, when the operations that added them were rolled back.
    func truncate(to count: Int) { names.withLock { $0.removeLast(max(0, $0.count - count)) } }

    /// Returns and removes all names.
    func removeAll() -> [String] {
        names.withLock { names in
            defer { names = [] }
            return names
        }
    }
}
