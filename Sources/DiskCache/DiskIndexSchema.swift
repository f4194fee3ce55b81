import AlcedoSQLite
import Raster

/// The tables of the index.
///
/// Triggers maintain use counts and totals, so that no query scans all rows for them. `content.name` is a
/// `ContentName`; `entry.source` and `entry.variant` are a `CacheEntryName`. Times are seconds since 1970.
enum DiskIndexSchema {
    /// The version of the schema, which increases with each change; a program does not use an index of a later version.
    ///
    /// A new fact in `PictureFact` makes a new version.
    private static let version = PictureFact.all.map(\.since).max() ?? 1

    /// A later version of the program wrote the index.
    struct TooNew: Error {}

    /// An earlier version of the program wrote the index, and the index is read-only, so it cannot be updated.
    struct TooOld: Error {}

    /// The database belongs to another program.
    struct Foreign: Error {}

    /// Creates the tables in an empty database.
    ///
    /// If two processes do this at the same time, one waits and then finds the tables.
    ///
    /// - Throws: `TooNew` for tables of a later version, `TooOld` for those of an earlier one that cannot be changed,
    ///   `Foreign` for other tables.
    static func prepare(_ pool: DatabasePool, isReadOnly: Bool) throws {
        let found = try pool.read(version)
        guard found != version else { return }
        if found > 0, found < version, isReadOnly { throw TooOld() }
        try pool.write { database in try database.transaction { try update(database) } }
    }

    private static func update(_ database: Database) throws {
        let found = try version(of: database)
        guard found <= version else { throw TooNew() }
        guard found < version else { return }
        var script = additions(since: max(1, found)) + "PRAGMA user_version = \(version);"
        if found == 0 {
            guard try database.value("SELECT count(*) FROM sqlite_master") == 0 else { throw Foreign() }
            script = tables + triggers + script
        }
        try database.execute(script)
    }

    /// Returns whether an SQLite message says that one of these tables or triggers is missing.
    static func isLacking(_ message: String) -> Bool {
        let parts = message.split(separator: ": ", maxSplits: 1)
        guard parts.count == 2 else { return false }
        let name = parts[1].hasPrefix("main.") ? parts[1].dropFirst(5) : parts[1]
        switch parts[0] {
        case "no such table": return ["entry", "content", "total", "counter"].contains(name)
        case "no such trigger": return triggerNames.contains(String(name))
        default: return false
        }
    }

    private static func version(of database: Database) throws -> Int {
        try database.value("PRAGMA user_version") ?? 0
    }

    /// The statements that create the tables.
    ///
    /// Identifiers of entries are never reused, so a stale identifier names no other entry. `key` is NULL if it equals
    /// the address. `life` is `StorageExpiration.life`.
    private static let tables = """
        CREATE TABLE content (
            number INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            size INTEGER NOT NULL,
            uses INTEGER NOT NULL DEFAULT 0);
        CREATE TABLE entry (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            source BLOB NOT NULL,
            variant BLOB NOT NULL,
            key TEXT,
            processor TEXT NOT NULL,
            kind TEXT NOT NULL,
            content INTEGER NOT NULL,
            length INTEGER NOT NULL,
            format TEXT,
            width INTEGER,
            height INTEGER,
            frames INTEGER,
            url TEXT NOT NULL,
            host TEXT NOT NULL,
            etag TEXT,
            lastModified TEXT,
            headers TEXT,
            cost INTEGER NOT NULL,
            stored REAL NOT NULL,
            accessed REAL NOT NULL,
            expires REAL,
            life REAL NOT NULL,
            hits INTEGER NOT NULL DEFAULT 0,
            pinned INTEGER NOT NULL DEFAULT 0,
            damage TEXT);
        CREATE UNIQUE INDEX entryByName ON entry (source, variant);
        CREATE INDEX entryByAccess ON entry (pinned, accessed);
        CREATE INDEX entryByExpiry ON entry (pinned, expires);
        CREATE INDEX entryDamaged ON entry (damage) WHERE damage IS NOT NULL;
        CREATE TABLE total (entries INTEGER NOT NULL, bytes INTEGER NOT NULL, space INTEGER NOT NULL);
        INSERT INTO total VALUES (0, 0, 0);
        CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
        """

    /// Returns the statements that turn an earlier version into this one: they add columns for later facts.
    private static func additions(since version: Int) -> String {
        PictureFact.all.filter { $0.since > version }.map { fact in
            "ALTER TABLE entry ADD COLUMN \(fact.column) \(fact.isText ? "TEXT" : "INTEGER");"
        }.joined()
    }

    private static let triggerNames = ["entryAdded", "entryRemoved", "contentAdded", "contentRemoved"]

    /// Empties the tables with the triggers dropped; with them, a million rows would hold the lock for seconds.
    static func removeAllRows(from database: Database) throws {
        try database.execute(
            triggerNames.map { "DROP TRIGGER \($0);" }.joined()
                + "DELETE FROM entry; DELETE FROM content; UPDATE total SET entries = 0, bytes = 0, space = 0;"
                + triggers)
    }

    private static let triggers = """
        CREATE TRIGGER entryAdded AFTER INSERT ON entry BEGIN
            UPDATE content SET uses = uses + 1 WHERE number = new.content;
            UPDATE total SET entries = entries + 1;
        END;
        CREATE TRIGGER entryRemoved AFTER DELETE ON entry BEGIN
            UPDATE content SET uses = uses - 1 WHERE number = old.content;
            UPDATE total SET entries = entries - 1;
        END;
        CREATE TRIGGER contentAdded AFTER INSERT ON content BEGIN
            UPDATE total SET bytes = bytes + new.size, space = space + \(BlobStore.space(ofColumn: "new.size"));
        END;
        CREATE TRIGGER contentRemoved AFTER DELETE ON content BEGIN
            UPDATE total SET bytes = bytes - old.size, space = space - \(BlobStore.space(ofColumn: "old.size"));
        END;
        """
}
