import AlcedoSQLite
import Foundation
import TestSupport
import Testing

@testable import AlcedoDiskCache

@Suite(.timeLimit(.minutes(1))) struct GroupCommitTests {
    private let place: TemporaryFolder
    private let pool: DatabasePool
    private let commits: GroupCommit

    init() throws {
        place = try TemporaryFolder()
        pool = try DatabasePool(path: place / "index.sqlite", readers: 2, busyTimeout: .seconds(5)) { database in
            try database.execute("PRAGMA synchronous = NORMAL")
        }
        try pool.write { try $0.execute("CREATE TABLE item (name TEXT PRIMARY KEY)") }
        commits = GroupCommit(pool: pool, contents: ContentTable(blobs: BlobStore(folder: place / "blobs")))
    }

    private static func insert(_ name: String, into database: Database) throws -> String {
        try database.run("INSERT INTO item VALUES (?)", [name])
        return name
    }

    private func names() async throws -> [String] {
        try pool.read { try $0.values("SELECT name FROM item ORDER BY name") }
    }

    @Test func `a write is committed when it returns`() async throws {
        #expect(try await commits.perform { try Self.insert("a", into: $0) } == "a")
        #expect(try await names() == ["a"])
    }

    @Test func `an enqueued write is committed before the next awaited one`() async throws {
        commits.enqueue { _ = try Self.insert("a", into: $0) }
        try await commits.perform { _ in }
        #expect(try await names() == ["a"])
    }

    @Test func `a failing write is rolled back alone`() async throws {
        let commits = commits
        try await commits.perform { try Self.insert("taken", into: $0) }
        let outcomes = await withTaskGroup(of: (String, Bool).self) { group in
            for name in ["a", "b", "c", "d"] {
                group.addTask {
                    let result = try? await commits.perform { database in
                        _ = try Self.insert(name, into: database)
                        return name == "b" ? try Self.insert("taken", into: database) : name
                    }
                    return (name, result != nil)
                }
            }
            return await group.reduce(into: [String: Bool]()) { $0[$1.0] = $1.1 }
        }
        #expect(outcomes == ["a": true, "b": false, "c": true, "d": true])
        #expect(try await names() == ["a", "c", "d", "taken"])
    }

    @Test func `a failing enqueued write does not affect other writes`() async throws {
        commits.enqueue { try $0.execute("INSERT INTO nowhere VALUES (1)") }
        try await commits.perform { try Self.insert("a", into: $0) }
        #expect(try await names() == ["a"])
    }

    @Test func `concurrent writes are all committed`() async throws {
        let commits = commits
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask { _ = try await commits.perform { try Self.insert("\(number)", into: $0) } }
            }
            try await group.waitForAll()
        }
        #expect(try await names().count == 200)
    }

    @Test func `only a durable write is synchronised`() async throws {
        let levels = Levels()
        for isDurable in [false, true, false] {
            try await commits.perform(isDurable: isDurable) { database in
                levels.add(try database.value("PRAGMA synchronous") ?? -1)
            }
        }
        let usual: Int? = try await pool.write { try $0.value("PRAGMA synchronous") }
        #expect(levels.all[1] == 2)
        #expect(levels.all[2] == 1)
        #expect(usual == 1)
    }

    @Test func `an enqueued write is committed eventually`() async throws {
        commits.enqueue { _ = try Self.insert("a", into: $0) }
        try await eventually("the note") { try await names() == ["a"] }
    }

    @Test func `enqueued counts are added up in one row`() async throws {
        try await pool.write { try $0.execute("CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER)") }
        for number in 1...9 { commits.enqueue(counting: [(.diskHits, 1), (.bytesSaved, number)]) }
        try await commits.perform { _ in }
        #expect(
            try pool.read { try $0.values("SELECT name FROM counter ORDER BY name") } == ["bytesSaved", "diskHits"])
        #expect(try pool.read { try $0.values("SELECT value FROM counter ORDER BY name") } == [45, 9])
    }

    @Test func `a single failing write is rolled back`() async throws {
        await #expect(throws: SQLiteError.self) {
            _ = try await commits.perform { database in
                _ = try Self.insert("a", into: database)
                return try Self.insert("a", into: database)
            }
        }
        #expect(try await names().isEmpty)
    }

    private typealias Levels = Recorder<Int>
}
