import Foundation
import GRDB
import Synchronization

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

    /// Copies an index with its log; false for what is no file of ours.
    static func copy(_ path: String, to copy: String) throws -> Bool {
        guard RegularFile.isPlain(path) else { return false }
        if RegularFile.isPlain(path + "-wal") {
            try FileManager.default.copyItem(atPath: path + "-wal", toPath: copy + "-wal")
        }
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        return true
    }

    /// Answers the last identifier that was read.
    private static func read(
        _ database: DatabaseQueue, _ condition: String, from start: Int64, until end: Int64,
        _ body: (Batch) async throws -> Void
    ) async throws -> Int64 {
        let sql = "SELECT \(CacheEntry.columns) FROM \(CacheEntry.tables) WHERE \(condition) LIMIT ?"
        var (last, limit) = (start, 64)
        while true {
            let slice = try? await database.read { [last, limit] database in
                try Row.fetchAll(database, sql: sql, arguments: [last, limit]).compactMap { try? CacheEntry(row: $0) }
            }
            guard let slice else {
                // The damage may be further on than the next row.
                guard limit > 1 else { return last }
                limit /= 2
                continue
            }
            guard let newest = slice.last, start == .min || newest.id > end else { return last }
            try await body(slice)
            last = newest.id
        }
    }
}

extension DiskStorage {
    /// Takes over what an index that was set aside still tells, and removes it; answers how many entries that were, nil
    /// where there is none.
    ///
    /// What it does not tell any more is removed, but for contents that may be on their way to their entry.
    ///
    /// Costs a look for its file where there is none, else time that grows with its entries and contents. Once it has
    /// begun it goes on to its end: half an index would be lost with who was cancelled.
    @discardableResult
    public func salvage() async -> Int? {
        guard FileIdentity(folder.index + ".damaged") != nil else { return nil }
        let task = salvaging.withLock { running in
            let task = running ?? Task { await self.salvageAlone() }
            running = task
            return task
        }
        return await task.value
    }

    private func salvageAlone() async -> Int? {
        let count = try? await working { [self] in try await salvaged() }
        if let count = count ?? nil { salvages.tell(count) }
        salvaging.withLock { $0 = nil }
        return count ?? nil
    }

    /// nil while another process is at it.
    private func salvaged() async throws -> Int? {
        guard let lock = FolderLock(folder.versioned) else { return nil }
        defer { withExtendedLifetime(lock) {} }
        let damaged = folder.index + ".damaged"
        // SQLite knows a file by its inode: as long as this process has the old one open it would read by the old log.
        let copy = folder.index + ".salvage"
        IndexDamage.removeFiles(copy)
        defer { IndexDamage.removeFiles(copy) }
        // What cannot be taken over now may be later.
        let isTold = try IndexSalvage.copy(damaged, to: copy)
        let count = try await takeOver(isTold ? copy : nil)
        if let date = RegularFile.changeTime(damaged) { try? await removeUntold(before: date - Self.storeTime) }
        IndexDamage.removeFiles(damaged)
        return count
    }

    /// So many seconds a store may take from its content to its entry.
    private static let storeTime = 10.0

    /// Removes the contents that the damaged index told of and the new one does not: nobody would find them again.
    private func removeUntold(before date: Date) async throws {
        try await withNewIndex { [self] index in
            try await removeUnused(writtenBefore: date, in: index)
            try await index.releaseLostPlaces(of: index.closedPacks())
        }
    }

    private func takeOver(_ path: String?) async throws -> Int {
        guard let path else { return 0 }
        return try await withNewIndex { index in
            var count = 0
            try await IndexSalvage.read(path) { count += try await index.takeOver($0) }
            return count
        }
    }

    /// Calls the handler with how many entries were taken over, each time that an index turned out to be damaged;
    /// answers what to end that by.
    @discardableResult
    public func hearSalvages(_ handler: @escaping @Sendable (_ entries: Int) -> Void) -> Int { salvages.add(handler) }

    /// The handler is called no more.
    public func endHearingSalvages(_ identifier: Int) { salvages.remove(identifier) }
}

/// Those who want to hear that an index was made anew.
final class SalvageListeners: Sendable {
    private let state = Mutex((handlers: [Int: @Sendable (Int) -> Void](), last: 0))

    func add(_ handler: @escaping @Sendable (Int) -> Void) -> Int {
        state.withLock { state in
            state.last += 1
            state.handlers[state.last] = handler
            return state.last
        }
    }

    func remove(_ identifier: Int) { state.withLock { _ = $0.handlers.removeValue(forKey: identifier) } }

    func tell(_ entries: Int) { state.withLock { Array($0.handlers.values) }.forEach { $0(entries) } }
}

extension DiskIndex {
    /// The packs to which nothing is added any more.
    fileprivate func closedPacks() async throws -> [Int64] {
        try await ask {
            try Int64.fetchAll($0, sql: "SELECT id FROM pack WHERE size >= ?", arguments: [PackStore.limit])
        }
    }

    /// Gives back what no content needs of some packs.
    func releaseLostPlaces(of packs: some Sequence<Int64> & Sendable) async throws {
        // One by one, so that others come in between, and no more is in memory than a pack has.
        for pack in packs {
            try await commits.perform { [contents] database in
                let sql = "SELECT start, size FROM content WHERE pack = ?"
                let kept = try Row.fetchAll(database, sql: sql, arguments: [pack]).compactMap { row in
                    try? PackSlot(pack: pack, offset: row.checked(at: 0), length: row.checked(at: 1))
                }
                contents.store.packs.release(allOf: pack, but: kept)
            }
        }
    }

    /// Adds entries whose contents are there, unless newer ones have their names.
    ///
    /// Answers how many.
    fileprivate func takeOver(_ entries: IndexSalvage.Batch) async throws -> Int {
        try await commits.perform { [contents] database in
            var count = 0
            for entry in entries where contents.store.holds(entry.content) {
                guard let name = ContentName(entry.contentName),
                    try CacheEntry.one(named: entry.entryName, in: database) == nil
                else { continue }
                let id = try contents.takeOver(entry.content, name: name, in: database)
                if try entry.insert(content: id, into: database) { count += 1 }
            }
            return count
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
