import Foundation
import GRDB
import Testing

@testable import AlcedoDiskCache

/// A statement's question marks stand for values as they are.
@Suite(.timeLimit(.minutes(1)))
struct StatementRunTests {
    private let database: DatabaseQueue

    init() throws {
        database = try DatabaseQueue()
        try database.write { try $0.execute(sql: "CREATE TABLE item (number INTEGER PRIMARY KEY, value)") }
    }

    /// What SQLite says of a value that was stored: its type, and the value in SQL.
    private func stored(_ value: any StatementBinding & Sendable) throws -> String? {
        try database.write { database in
            try database.makeStatement(sql: "INSERT INTO item (value) VALUES (?)").run([value])
            return try String.fetchOne(
                database, sql: "SELECT typeof(value) || ' ' || quote(value) FROM item ORDER BY number DESC LIMIT 1")
        }
    }

    @Test func `values keep their types`() throws {
        #expect(try stored(7) == "integer 7")
        #expect(try stored(Int64.min) == "integer -9223372036854775808")
        #expect(try stored(true) == "integer 1")
        #expect(try stored(0.5) == "real 0.5")
        #expect(try stored("a'ü") == "text 'a''ü'")
        #expect(try stored(Data([0, 255])) == "blob X'00FF'")
    }

    @Test func `empty values are not null`() throws {
        #expect(try stored("") == "text ''")
        #expect(try stored(Data()) == "blob X''")
        #expect(try stored(String?.none) == "null NULL")
        #expect(try stored(Int?.some(0)) == "integer 0")
    }

    @Test func `a statement can be reused with other values`() throws {
        try database.write { database in
            let statement = try database.makeStatement(sql: "INSERT INTO item (number, value) VALUES (?, ?)")
            for number in 1...3 { try statement.run([number, "\(number)"]) }
            let values = try database.makeStatement(sql: "SELECT value FROM item WHERE number > ? ORDER BY number")
                .all([1]) { try $0.checked(at: 0) as String }
            #expect(values == ["2", "3"])
        }
    }

    @Test func `the first row is returned, or nil without rows`() throws {
        try database.write { database in
            let statement = try database.makeStatement(sql: "SELECT ? UNION ALL SELECT 2")
            for _ in 1...2 { #expect(try statement.first([1]) { try $0.checked(at: 0) as Int } == 1) }
            let none = try database.makeStatement(sql: "SELECT value FROM item WHERE number = ?")
                .first([9]) { try $0.checked(at: 0) as String }
            #expect(none == nil)
        }
    }

    @Test func `a statement is reset after its first row`() throws {
        try database.write { database in
            try database.execute(sql: "INSERT INTO item (value) VALUES (1), (2)")
            let statement = try database.makeStatement(sql: "SELECT value FROM item")
            #expect(try statement.first { try $0.checked(at: 0) as Int } == 1)
            // One that stands on a row would keep the table.
            try database.execute(sql: "DROP TABLE item")
            withExtendedLifetime(statement) {}
        }
    }

    @Test func `run and execute can alternate on one statement`() throws {
        try database.write { database in
            let statement = try database.makeStatement(sql: "INSERT INTO item (number, value) VALUES (?, ?)")
            try statement.execute(arguments: [1, "a"])
            try statement.run([2, "b"])
            try statement.execute(arguments: [3, "c"])
            #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM item") == 3)
        }
    }

    @Test func `more or fewer values than placeholders are refused`() throws {
        try database.write { database in
            let statement = try database.makeStatement(sql: "INSERT INTO item (number, value) VALUES (?, ?)")
            #expect(throws: DatabaseError.self) { try statement.run([1]) }
            #expect(throws: DatabaseError.self) { try statement.run([1, 2, 3]) }
        }
    }

    @Test func `an error names the statement, which stays usable`() throws {
        try database.write { database in
            let statement = try database.makeStatement(sql: "INSERT INTO item (number, value) VALUES (?, ?)")
            try statement.run([1, "a"])
            let error = #expect(throws: DatabaseError.self) { try statement.run([1, "b"]) }
            #expect(error?.resultCode == .SQLITE_CONSTRAINT)
            #expect(error?.sql?.hasPrefix("INSERT INTO item") == true)
            try statement.run([2, "b"])
            #expect(throws: DatabaseError.self) { try statement.run([2, "c"]) }
            try statement.execute(arguments: [3, "c"])
        }
    }
}
