import GRDB

/// The tables of the index.
///
/// Triggers keep uses and totals, so that no question needs a walk over the rows. `entry.digest` is a `ContentName`.
enum DiskIndexSchema {
    private static let migrations = [
        ("1", tables + triggers),
        // How long an entry lives from a use; below 0 is for ever, NULL is in rows of version 1.
        ("2", "ALTER TABLE entry ADD COLUMN life REAL;"),
    ]

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for (name, sql) in migrations {
            migrator.registerMigration(name, foreignKeyChecks: .immediate) { try $0.execute(sql: sql) }
        }
        return migrator
    }

    /// Brings an index to this layout, in which an older program can still read and write it.
    ///
    /// Of two processes that do so at a time, one finds each change made already and looks again.
    static func migrate(_ pool: DatabasePool) throws {
        for _ in migrations {
            do { return try migrator.migrate(pool) } catch let error as DatabaseError where error.isOfTheSlower {}
        }
        try migrator.migrate(pool)
    }

    private static let tables = """
        CREATE TABLE entry (
            id INTEGER PRIMARY KEY,
            source TEXT NOT NULL,
            processor TEXT NOT NULL,
            kind TEXT NOT NULL,
            digest TEXT NOT NULL,
            length INTEGER NOT NULL,
            format TEXT,
            width INTEGER,
            height INTEGER,
            frames INTEGER,
            url TEXT NOT NULL,
            host TEXT NOT NULL,
            etag TEXT,
            lastModified TEXT,
            cost INTEGER NOT NULL,
            stored REAL NOT NULL,
            accessed REAL NOT NULL,
            expires REAL,
            hits INTEGER NOT NULL DEFAULT 0,
            pinned INTEGER NOT NULL DEFAULT 0,
            UNIQUE (source, processor, kind));
        CREATE INDEX entryByAccess ON entry (accessed);
        CREATE INDEX entryByExpiry ON entry (expires);
        CREATE TABLE blob (digest TEXT PRIMARY KEY, length INTEGER NOT NULL, uses INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE total (bytes INTEGER NOT NULL);
        INSERT INTO total VALUES (0);
        CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
        """

    private static let triggers = """
        CREATE TRIGGER entryAdded AFTER INSERT ON entry BEGIN
            INSERT INTO blob (digest, length, uses) VALUES (new.digest, new.length, 1)
            ON CONFLICT (digest) DO UPDATE SET uses = uses + 1;
        END;
        CREATE TRIGGER entryRemoved AFTER DELETE ON entry BEGIN
            UPDATE blob SET uses = uses - 1 WHERE digest = old.digest;
        END;
        CREATE TRIGGER blobAdded AFTER INSERT ON blob BEGIN UPDATE total SET bytes = bytes + new.length; END;
        CREATE TRIGGER blobRemoved AFTER DELETE ON blob BEGIN UPDATE total SET bytes = bytes - old.length; END;
        """
}

extension DatabaseError {
    /// "Table entry already exists", "duplicate column name", or a migration noted twice.
    fileprivate var isOfTheSlower: Bool {
        [.SQLITE_ERROR, .SQLITE_CONSTRAINT].contains(resultCode.primaryResultCode)
    }
}
