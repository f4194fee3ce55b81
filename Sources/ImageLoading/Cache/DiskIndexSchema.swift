import GRDB

/// The tables of the index.
///
/// Triggers keep uses and totals, so that no question needs a walk over the rows.
enum DiskIndexSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { try $0.execute(sql: tables + triggers) }
        return migrator
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
