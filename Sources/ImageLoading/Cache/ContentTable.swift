import Foundation
import GRDB

/// The contents of the index and the packs they lie in; everything here runs within a transaction that writes.
struct ContentTable: Sendable {
    /// Another entry's end took the content away before this one's row was written.
    struct ContentGone: Error {}

    let store: ContentStore
    let leavings = Leavings()

    /// The row of a content, made or mended as needed; answers its identifier.
    ///
    /// What is to be packed is written here, unless it lies somewhere already. Throws `ContentGone` where a file that
    /// was written is no longer there.
    func adopt(_ content: NewContent, in database: Database) throws -> Int64 {
        let known = try Self.content(named: content.name.text, in: database)
        if let known, isGood(known, for: content), isThere(known, for: content) { return known.id }
        let place = try self.place(of: content, in: database)
        guard let known else { return try Self.insert(content, place, in: database) }
        try move(known, to: place, isTrusted: store.holdsWhole(known), in: database)
        return known.id
    }

    /// A content that was asked to have a file gets one.
    private func isGood(_ known: StoredContent, for content: NewContent) -> Bool {
        known.length == content.length && (content.packed != nil || known.place == .file)
    }

    /// A file has just been written, or found to be right.
    private func isThere(_ known: StoredContent, for content: NewContent) -> Bool {
        content.packed == nil ? store.holds(known) : store.holdsWhole(known)
    }

    private func place(of content: NewContent, in database: Database) throws -> ContentPlace {
        if let data = content.packed { return .pack(try append(data, in: database)) }
        guard store.blobs.holds(content.name.text, length: content.length) else { throw ContentGone() }
        return .file
    }

    private static func insert(_ content: NewContent, _ place: ContentPlace, in database: Database) throws -> Int64 {
        let slot = place.slot
        try database.cachedStatement(sql: "INSERT OR FAIL INTO content (name, size, pack, start) VALUES (?, ?, ?, ?)")
            .run([content.name.text, content.length, slot?.pack, slot?.offset])
        return database.lastInsertedRowID
    }

    /// The place of one that is damaged may be another's: it is left alone.
    private func move(
        _ content: StoredContent, to place: ContentPlace, isTrusted: Bool = true, in database: Database
    ) throws {
        let slot = place.slot
        try database.execute(
            sql: "UPDATE content SET pack = ?, start = ? WHERE number = ?",
            arguments: [slot?.pack, slot?.offset, content.id])
        if let old = content.place.slot { try giveBack(old, isTrusted: isTrusted, in: database) }
    }

    /// Forgets where a content lies that turned out to be damaged: the next store of it writes it anew.
    func discard(_ content: StoredContent, in database: Database) throws {
        store.blobs.remove(content.name)
        // Meanwhile it may have been written somewhere else.
        guard let known = try Self.content(content.id, in: database), known.place == content.place else { return }
        try move(known, to: .file, isTrusted: false, in: database)
    }

    /// Removes a content that no entry needs any more; answers how many bytes are left behind.
    ///
    /// The place of one that is not trusted, as it is damaged, is left alone.
    @discardableResult
    func releaseUnused(_ id: Int64, isTrusted: Bool = true, in database: Database) throws -> Int {
        let content = try database.cachedStatement(sql: Self.deleteUnused)
            .first([id]) { try? StoredContent(row: $0) }
        guard case let content?? = content else { return 0 }
        if let slot = content.place.slot {
            try giveBack(slot, isTrusted: isTrusted, in: database)
        } else {
            leavings.add(.file(content.name))
        }
        return content.length
    }

    private static let deleteUnused = "DELETE FROM content WHERE number = ? AND uses <= 0 RETURNING \(columns)"

    /// Releases those of some files that no content needs.
    func releaseUnused(_ names: [String], in database: Database) throws {
        for name in names {
            let known = try Self.content(named: name, in: database)
            if known?.place != .file { store.blobs.remove(name) }
            if let known { try releaseUnused(known.id, in: database) }
        }
    }

    static func content(named name: String, in database: Database) throws -> StoredContent? {
        try database.cachedStatement(sql: selectNamed)
            .first([name], StoredContent.init(row:))
    }

    static func content(_ number: Int64, in database: Database) throws -> StoredContent? {
        try database.cachedStatement(sql: "SELECT \(columns) FROM content WHERE number = ?")
            .first([number], StoredContent.init(row:))
    }

    /// The contents of some entries that no other entry needs.
    static func contents(onlyOf entries: [Int64], in database: Database) throws -> [StoredContent] {
        let statement = try database.cachedStatement(
            sql: "SELECT \(columns) FROM content WHERE uses = 1 AND number = (SELECT content FROM entry WHERE id = ?)")
        // A damaged row names nothing that could go.
        return try entries.compactMap { try statement.first([$0]) { try? StoredContent(row: $0) } ?? nil }
    }

    static let columns = "number, name, size, pack, start"
    private static let selectNamed = "SELECT \(columns) FROM content WHERE name = ?"
}

// MARK: - Packs

extension ContentTable {
    private func append(_ data: Data, in database: Database) throws -> PackSlot {
        if let slot = try Self.openSlot(of: data.count, in: database) {
            do throws(PackStore.Problem) {
                try store.packs.write(data, to: slot)
                return slot
            } catch {
                guard error.isOfTheContent else { throw error }
                // Gone or cut short: what is still in it may be read, but nothing is added.
                try database.execute(
                    sql: "UPDATE pack SET size = \(PackStore.limit), contents = contents - 1 WHERE id = ?",
                    arguments: [slot.pack])
            }
        }
        let pack = try makePack()
        let slot = PackSlot(pack: pack, offset: 0, length: data.count)
        try database.execute(
            sql: "INSERT INTO pack (id, size, contents) VALUES (?, ?, 1)",
            arguments: [pack, PackStore.space(slot.length)])
        try store.packs.write(data, to: slot)
        return slot
    }

    static let selectOpen = "SELECT id, size FROM pack WHERE \(DiskIndexSchema.isOpen) LIMIT 1"

    /// The next place in a pack that takes contents; nil when none does.
    private static func openSlot(of length: Int, in database: Database) throws -> PackSlot? {
        let slot = try database.cachedStatement(sql: selectOpen)
            .first { PackSlot(pack: try $0.checked(at: 0), offset: try $0.checked(at: 1), length: length) }
        guard let slot else { return nil }
        try database.cachedStatement(sql: "UPDATE pack SET size = ?, contents = contents + 1 WHERE id = ?")
            .run([slot.offset + PackStore.space(length), slot.pack])
        return slot
    }

    private func makePack() throws -> Int64 {
        for _ in 0..<8 {
            let pack = Self.anyNumber()
            do throws(PackStore.Problem) {
                try store.packs.make(pack)
            } catch {
                guard case .system(_, EEXIST) = error else { throw error }
                continue
            }
            return pack
        }
        throw PackStore.Problem.system(operation: "create", code: EEXIST)
    }

    /// An index that was begun anew must not hit upon the packs of the one before.
    private static func anyNumber() -> Int64 {
        withUnsafeBytes(of: UUID().uuid) { $0.loadUnaligned(as: Int64.self) } & .max
    }

    private func giveBack(_ slot: PackSlot, isTrusted: Bool = true, in database: Database) throws {
        // What is damaged may never have been in this pack.
        let contents = isTrusted ? "contents - 1" : "(SELECT count(*) FROM content WHERE pack = pack.id)"
        let left = try Int.fetchOne(
            try database.cachedStatement(sql: "UPDATE pack SET contents = \(contents) WHERE id = ? RETURNING contents"),
            arguments: [slot.pack])
        guard let left, left <= 0 else {
            if isTrusted { leavings.add(.slot(slot)) }
            return
        }
        try database.execute(sql: "DELETE FROM pack WHERE id = ?", arguments: [slot.pack])
        leavings.add(.pack(slot.pack))
    }

    /// Clears away the packs and the places in them that were left behind, as those are given out once only.
    ///
    /// Answers the files: they may have been stored anew meanwhile, so `releaseUnused` has to ask within a transaction.
    func clearPacks(of leavings: [Leavings.Leaving]) -> [String] {
        var (slots, packs, files): ([PackSlot], Set<Int64>, [String]) = ([], [], [])
        for leaving in leavings {
            switch leaving {
            case .slot(let slot): slots.append(slot)
            case .pack(let pack): packs.insert(pack)
            case .file(let name): files.append(name)
            }
        }
        packs.forEach(store.packs.remove)
        store.packs.release(slots.filter { !packs.contains($0.pack) })
        return files
    }

    /// Removes packs that are old and that the index does not know.
    func removeUnknownPacks(_ packs: [Int64], in database: Database) throws {
        for pack in packs {
            let isKnown = try Bool.fetchOne(
                database, sql: "SELECT EXISTS (SELECT 1 FROM pack WHERE id = ?)", arguments: [pack])
            if isKnown == false { store.packs.remove(pack) }
        }
    }
}

extension ContentPlace {
    var slot: PackSlot? { if case .pack(let slot) = self { slot } else { nil } }
}

extension StoredContent {
    /// Reads a row of `ContentTable.columns`; throws where a damaged one holds a value of another type.
    init(row: some ColumnValues) throws {
        id = try row.checked(at: 0)
        name = try row.checked(at: 1)
        length = try row.checked(at: 2)
        place = try ContentPlace(
            pack: try row.checkedIfPresent(at: 3), start: try row.checkedIfPresent(at: 4), length: length)
    }
}

extension ContentPlace {
    /// A place in a pack has a start.
    struct WithoutStart: Error {}

    init(pack: Int64?, start: Int?, length: Int) throws {
        guard let pack else {
            self = .file
            return
        }
        guard let start else { throw WithoutStart() }
        self = .pack(PackSlot(pack: pack, offset: start, length: length))
    }
}
