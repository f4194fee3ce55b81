import AlcedoSQLite
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct DatabasePoolTests {
    private final class Running: Sendable {
        let counts = Mutex((now: 0, most: 0))
    }

    private let place: TemporaryFolder
    private let path: String

    init() throws {
        place = try TemporaryFolder()
        path = place / "file.sqlite"
    }

    private func open(isReadOnly: Bool = false, readers: Int = 2) throws -> DatabasePool {
        try DatabasePool(path: path, isReadOnly: isReadOnly, readers: readers, busyTimeout: .seconds(5)) { _ in }
    }

    private func filled() throws -> DatabasePool {
        let pool = try open()
        try pool.write { try $0.execute("CREATE TABLE item (number INTEGER); INSERT INTO item VALUES (1)") }
        return pool
    }

    @Test func `a read sees the same state although others write meanwhile`() async throws {
        let pool = try filled()
        let counts = try pool.read { database -> [Int?] in
            let before: Int? = try database.value("SELECT count(*) FROM item")
            try pool.write { try $0.execute("INSERT INTO item VALUES (2)") }
            return [before, try database.value("SELECT count(*) FROM item")]
        }
        #expect(counts == [1, 1])
        #expect(try pool.read { try $0.value("SELECT count(*) FROM item") } == 2)
    }

    @Test func `a read without a snapshot sees each commit`() throws {
        let pool = try filled()
        let counts = try pool.read(inSnapshot: false) { database -> [Int?] in
            let before: Int? = try database.value("SELECT count(*) FROM item")
            try pool.write { try $0.execute("INSERT INTO item VALUES (2)") }
            return [before, try database.value("SELECT count(*) FROM item")]
        }
        #expect(counts == [1, 2])
    }

    @Test func `a read does not see a transaction that is not committed`() throws {
        let pool = try filled()
        try pool.write { database in
            try database.transaction {
                try database.run("INSERT INTO item VALUES (2)")
                #expect(try pool.read { try $0.value("SELECT count(*) FROM item") } == 1)
            }
        }
        #expect(try pool.read { try $0.value("SELECT count(*) FROM item") } == 2)
    }

    @Test func `reads cannot write`() throws {
        let pool = try filled()
        let error = #expect(throws: SQLiteError.self) { try pool.read { try $0.execute("DELETE FROM item") } }
        #expect(error?.code == .readOnly)
        #expect(try pool.read { try $0.value("SELECT count(*) FROM item") } == 1)
    }

    @Test func `more reads than connections wait for each other`() async throws {
        let pool = try filled()
        let running = Running()
        await withTaskGroup(of: Int?.self) { group in
            for _ in 1...20 {
                group.addTask {
                    try? pool.read { database in
                        running.counts.withLock { ($0.now, $0.most) = ($0.now + 1, max($0.most, $0.now + 1)) }
                        defer { running.counts.withLock { $0.now -= 1 } }
                        return try database.value("SELECT number FROM item")
                    }
                }
            }
            for await number in group { #expect(number == 1) }
        }
        #expect((1...2).contains(running.counts.withLock(\.most)))
    }

    @Test func `concurrent writes are all made, one after the other`() async throws {
        let pool = try filled()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...50 {
                group.addTask {
                    try await pool.write { database in
                        try database.transaction {
                            let highest: Int? = try database.value("SELECT max(number) FROM item")
                            try database.run("INSERT INTO item VALUES (?)", [(highest ?? 0) + 1])
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try pool.read { try $0.value("SELECT max(number) FROM item") } == 51)
    }

    @Test func `an error of an asynchronous write reaches the caller`() async throws {
        let pool = try filled()
        await #expect(throws: SQLiteError.self) { try await pool.write { try $0.execute("INSERT INTO nowhere") } }
        try await pool.write { try $0.execute("INSERT INTO item VALUES (2)") }
    }

    @Test func `the last one who closes writes the log into the file`() throws {
        var (pool, other): (DatabasePool?, DatabasePool?) = (try filled(), try open())
        _ = try pool?.read { try $0.value("SELECT count(*) FROM item") as Int? }
        _ = try other?.read { try $0.value("SELECT count(*) FROM item") as Int? }
        #expect(FileManager.default.fileExists(atPath: path + "-wal"))
        pool = nil
        #expect(FileManager.default.fileExists(atPath: path + "-wal"))
        other = nil
        #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
        let closed = try Database(path: "file:\(path)?immutable=1", isReadOnly: true)
        #expect(try closed.value("SELECT count(*) FROM item") == 1)
        withExtendedLifetime((pool, other)) {}
    }

    @Test func `a log exists as soon as the pool is open`() throws {
        _ = try filled()
        let pool = try open()
        #expect(FileManager.default.fileExists(atPath: path + "-wal"))
        withExtendedLifetime(pool) {}
    }

    @Test func `a read-only pool reads and does not create a file`() throws {
        #expect(throws: SQLiteError.self) { try open(isReadOnly: true) }
        #expect(!FileManager.default.fileExists(atPath: path))
        let writer = try filled()
        let pool = try open(isReadOnly: true)
        #expect(try pool.read { try $0.value("SELECT number FROM item") } == 1)
        let error = #expect(throws: SQLiteError.self) { try pool.write { try $0.execute("DELETE FROM item") } }
        #expect(error?.code == .readOnly)
        withExtendedLifetime(writer) {}
    }

    @Test func `every connection is prepared`() throws {
        let pool = try DatabasePool(path: path, readers: 1, busyTimeout: .zero) { database in
            database.add(function: "seven", arguments: 0) { _ in .integer(7) }
        }
        #expect(try pool.read { try $0.value("SELECT seven()") } == 7)
        #expect(try pool.write { try $0.value("SELECT seven()") } == 7)
    }
}
