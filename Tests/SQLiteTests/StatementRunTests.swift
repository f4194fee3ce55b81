import AlcedoSQLite
import Foundation
import Testing

/// A statement's question marks stand for values as they are.
@Suite(.timeLimit(.minutes(1)))
struct StatementRunTests {
    private let database: Database

    init() throws {
        database = try Database(path: ":memory:")
        try database.execute("CREATE TABLE item (number INTEGER PRIMARY KEY, value)")
    }

    /// Returns the type and the SQL text of a stored value, as SQLite reports them.
    private func stored(_ value: any SQLiteConvertible) throws -> String? {
        try database.run("INSERT INTO item (value) VALUES (?)", [value])
        return try database.value(
            "SELECT typeof(value) || ' ' || quote(value) FROM item ORDER BY number DESC LIMIT 1")
    }

    /// The value as it is read again.
    private func returned<Value: SQLiteConvertible>(_ value: Value) throws -> Value? {
        try database.run("INSERT INTO item (value) VALUES (?)", [value])
        return try database.value("SELECT value FROM item ORDER BY number DESC LIMIT 1")
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

    @Test func `values are returned as they were stored`() throws {
        for number in [Int64.min, -1, 0, 1 << 53 + 1, .max] { #expect(try returned(number) == number) }
        for number in [-0.0, 0.1, .greatestFiniteMagnitude, -.infinity] { #expect(try returned(number) == number) }
        for text in ["", "a\u{0}b\u{0}", "e\u{301}👨‍👩‍👧"] {
            #expect(try returned(text).map { Array($0.utf8) } == Array(text.utf8))
        }
        for bytes in [Data(), Data([0]), Data(repeating: 0xAB, count: 5 << 20)] {
            #expect(try returned(bytes) == bytes)
        }
        #expect(try returned(true) == true)
        #expect(try returned(false) == false)
    }

    @Test func `NULL is nil, and no value of another type`() throws {
        #expect(try database.firstRow("SELECT NULL") { row in try row.value(at: 0) as Int? } == .some(nil))
        let error = #expect(throws: SQLiteError.self) {
            try database.firstRow("SELECT NULL") { row in try row.value(at: 0) as Int }
        }
        #expect(error?.code == .mismatch)
    }

    @Test(arguments: ["'7'", "7.0", "x'37'"]) func `an integer is read from integers alone`(value: String) throws {
        let error = #expect(throws: SQLiteError.self) { try database.value("SELECT \(value)") as Int? }
        #expect(error?.code == .mismatch)
    }

    @Test(arguments: ["7", "7.5", "x'61'", "CAST(x'61FF' AS TEXT)", "CAST(x'C3' AS TEXT)"])
    func `text is read from valid UTF-8 alone`(value: String) throws {
        let error = #expect(throws: SQLiteError.self) { try database.value("SELECT \(value)") as String? }
        #expect(error?.code == .mismatch)
    }

    @Test(arguments: ["'a'", "7"]) func `bytes are read from blobs alone`(value: String) throws {
        #expect(throws: SQLiteError.self) { try database.value("SELECT \(value)") as Data? }
        #expect(try database.value("SELECT 7") == 7.0)
        #expect(throws: SQLiteError.self) { try database.value("SELECT 'a'") as Double? }
    }

    @Test func `a statement can be reused with other values`() throws {
        for number in 1...3 {
            try database.run("INSERT INTO item (number, value) VALUES (?, ?)", [number, "\(number)"])
        }
        let sql = "SELECT value FROM item WHERE number > ? ORDER BY number"
        #expect(try database.values(sql, [1]) == ["2", "3"])
        #expect(try database.values(sql, [2]) == ["3"])
    }

    @Test func `the first row is returned, or nil without rows`() throws {
        for _ in 1...2 { #expect(try database.value("SELECT ? UNION ALL SELECT 2", [1]) == 1) }
        #expect(try database.value("SELECT value FROM item WHERE number = ?", [9]) as String? == nil)
    }

    @Test func `a statement is reset after its first row`() throws {
        try database.execute("INSERT INTO item (value) VALUES (1), (2)")
        #expect(try database.value("SELECT value FROM item") == 1)
        // One that stands on a row would keep the table.
        try database.execute("DROP TABLE item")
    }

    @Test func `rows end when the closure says so, or throws`() throws {
        struct Stop: Error {}
        try database.execute("INSERT INTO item (value) VALUES (1), (2), (3)")
        var seen: [Int] = []
        try database.forEachRow("SELECT value FROM item") { row in
            seen.append(try row.value(at: 0))
            return seen.count < 2
        }
        #expect(throws: Stop.self) {
            try database.forEachRow("SELECT value FROM item") { _ in throw Stop() }
        }
        #expect(seen == [1, 2])
        try database.execute("DROP TABLE item")
    }

    @Test func `run and execute can alternate on one statement`() throws {
        try database.run("INSERT INTO item (value) VALUES (?)", ["a"])
        try database.execute("INSERT INTO item (value) VALUES ('b')")
        #expect(try database.run("INSERT INTO item (value) VALUES (?)", ["c"]) == 1)
        #expect(try database.value("SELECT count(*) FROM item") == 3)
    }

    @Test func `a statement can run inside of its own rows`() throws {
        try database.execute("INSERT INTO item (value) VALUES (1), (2)")
        let sql = "SELECT value FROM item ORDER BY number"
        let pairs = try database.rows(sql) { row in
            let first: Int = try row.value(at: 0)
            return try database.rows(sql) { row in [first, try row.value(at: 0)] }
        }
        #expect(pairs == [[[1, 1], [1, 2]], [[2, 1], [2, 2]]])
    }

    @Test func `more statements than are kept give the same results`() throws {
        for _ in 1...2 {
            for number in 1...100 { #expect(try database.value("SELECT \(number) + ?", [1]) == number + 1) }
        }
    }

    @Test func `more or fewer values than placeholders are refused`() throws {
        for values in [[1], [1, 2, 3]] {
            let error = #expect(throws: SQLiteError.self) {
                try database.run("INSERT INTO item (number, value) VALUES (?, ?)", values)
            }
            #expect(error?.code == .misuse)
        }
    }

    @Test func `an error names the statement, which stays usable`() throws {
        let insertion = "INSERT INTO item (number, value) VALUES (?, ?)"
        try database.run(insertion, [1, "a"])
        let error = #expect(throws: SQLiteError.self) { try database.run(insertion, [1, "secret"]) }
        #expect(error?.code == .constraint)
        #expect(error?.extendedCode == 1555, "SQLITE_CONSTRAINT_PRIMARYKEY")
        #expect(error?.sql?.hasPrefix("INSERT INTO item") == true)
        #expect(error.map { "\($0)".contains("secret") } == false)
        try database.run(insertion, [2, "b"])
        #expect(throws: SQLiteError.self) { try database.run(insertion, [2, "c"]) }
        try database.run(insertion, [3, "c"])
    }

    @Test(arguments: ["", "SELEC 1", "SELECT 1 FROM nowhere", "SELECT ("])
    func `a text that is no statement is refused`(sql: String) throws {
        #expect(throws: SQLiteError.self) { try database.run(sql) }
    }

    @Test func `a function receives texts and returns a value`() throws {
        database.add(function: "joined", arguments: 2) { texts in
            .text(texts.map { $0 ?? "-" }.joined(separator: "+"))
        }
        #expect(try database.value("SELECT joined('a' || char(0), 'ü')") == "a\u{0}+ü")
        #expect(try database.value("SELECT joined('', 7)") == "+-")
        #expect(throws: SQLiteError.self) { try database.value("SELECT joined('a')") as String? }
        database.add(function: "absent", arguments: 0) { _ in .null }
        #expect(try database.value("SELECT absent() IS NULL") == true)
    }
}
