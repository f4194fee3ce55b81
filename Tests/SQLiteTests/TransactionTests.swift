import AlcedoSQLite
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct TransactionTests {
    private struct Failure: Error {}

    private let place: TemporaryFolder
    private let database: Database

    init() throws {
        place = try TemporaryFolder()
        database = try Database(path: place / "file.sqlite")
        try database.execute("CREATE TABLE item (name TEXT PRIMARY KEY)")
    }

    private func insert(_ name: String) throws { try database.run("INSERT INTO item VALUES (?)", [name]) }

    private var names: [String] { get throws { try database.values("SELECT name FROM item ORDER BY name") } }

    @Test func `an error of the closure rolls a transaction back`() throws {
        #expect(throws: Failure.self) {
            try database.transaction {
                try insert("a")
                throw Failure()
            }
        }
        #expect(try names.isEmpty && !database.isInTransaction)
        try database.transaction { try insert("b") }
        #expect(try names == ["b"])
    }

    @Test func `an error of SQLite rolls a transaction back`() throws {
        #expect(throws: SQLiteError.self) {
            try database.transaction { for _ in 1...2 { try insert("a") } }
        }
        #expect(try names.isEmpty && !database.isInTransaction)
    }

    /// Inserts a name in a savepoint that is rolled back after more work.
    private func insertInVain(_ name: String, _ work: () throws -> Void) throws {
        do {
            try database.savepoint {
                try insert(name)
                try work()
                throw Failure()
            }
        } catch is Failure {}
    }

    @Test func `nested savepoints are rolled back alone`() throws {
        try database.transaction {
            try insert("a")
            try database.savepoint {
                try insert("b")
                try insertInVain("c") {}
                try database.savepoint { try insert("d") }
            }
            try insertInVain("e") {
                try database.savepoint { try insert("f") }
                try insertInVain("g") {}
                #expect(try names == ["a", "b", "d", "e", "f"])
            }
        }
        #expect(try names == ["a", "b", "d"])
    }

    @Test func `a transaction inside of another one is refused`() throws {
        try database.transaction {
            try insert("a")
            let error = #expect(throws: SQLiteError.self) { try database.transaction {} }
            #expect(error?.code == .error && database.isInTransaction)
        }
        #expect(try names == ["a"])
    }

    @Test func `a transaction has the write lock from its beginning`() throws {
        let other = try Database(path: place / "file.sqlite")
        try database.transaction {
            let error = #expect(throws: SQLiteError.self) { try other.execute("BEGIN IMMEDIATE") }
            #expect(error?.code == .busy)
        }
        try other.transaction {}
    }

    @Test func `a locked database is refused after the busy timeout`() throws {
        let clock = ContinuousClock()
        let other = try Database(path: place / "file.sqlite", busyTimeout: .milliseconds(50))
        try database.transaction {
            let wait = clock.measure { #expect(throws: SQLiteError.self) { try other.transaction {} } }
            #expect(wait >= .milliseconds(50))
            other.setBusyTimeout(.zero)
            #expect(clock.measure { #expect(throws: SQLiteError.self) { try other.transaction {} } } < wait)
        }
    }

    @Test func `a read-only connection does not write`() throws {
        let reader = try Database(path: place / "file.sqlite", isReadOnly: true)
        let error = #expect(throws: SQLiteError.self) { try reader.execute("DELETE FROM item") }
        #expect(error?.code == .readOnly && reader.isReadOnly && !database.isReadOnly)
    }

    @Test func `a file that is missing or no database is refused`() throws {
        let missing = #expect(throws: SQLiteError.self) { try Database(path: place / "none", isReadOnly: true) }
        #expect(missing?.code == .cannotOpen)
        let text = try Database(path: try place.write("text", "no database, but text of some length".utf8))
        let error = #expect(throws: SQLiteError.self) { try text.value("PRAGMA user_version") as Int? }
        #expect(error?.code == .notADatabase)
    }
}
