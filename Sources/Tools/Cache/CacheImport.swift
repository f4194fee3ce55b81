import AlcedoConfig
import AlcedoScreen
import AlcedoSupport
import FoundationEssentials
import ImageLoading

/// Copies entries from one cache to another.
package enum CacheImport {
    /// The numbers of entries that were copied, and of those left out by reason.
    package struct Report: Sendable, Encodable {
        package var imported = 0
        package var importedBytes = 0
        /// The entries that were there already, at least as new.
        package var known = 0
        package var expired = 0
        /// The entries whose bytes are damaged or cannot be read.
        package var unreadable = 0
        /// The entries of addresses with secrets, which an index does not have.
        package var secret = 0

        package init() {}

        package var lines: [String] {
            let rest = [
                (known, "already here"), (expired, "expired"), (unreadable, "damaged or unreadable"),
                (secret, "with a secret address"),
            ]
            let words = rest.filter { $0.0 > 0 }.map { "\(Units.count($0.0)) \($0.1)" }
            let entries = imported == 1 ? "entry" : "entries"
            return ["Imported \(Units.count(imported)) \(entries), \(Units.bytes(importedBytes))."]
                + (words.isEmpty ? [] : ["Left out: \(words.joined(separator: ", "))."])
        }
    }

    /// Opens a cache to read it.
    ///
    /// - Throws: `ProgramProblem` if the folder holds no cache or cannot be opened.
    package static func open(_ path: String) throws(ProgramProblem) -> DiskStorage {
        let folder = CacheFolder(
            path: path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath.inFolder(path))
        guard folder.holdsCache else { throw ProgramProblem("\(path) is no cache folder of this version of alcedo") }
        // Nothing is evicted there.
        let settings = DiskStorage.Configuration(
            sizeLimit: .max, allowsNetworkFileSystem: true, minimumFreeSpace: 0, unusedLife: .seconds(.max / 4))
        do throws(CacheFolderProblem) { return try DiskStorage(folder: folder, configuration: settings) } catch {
            throw ProgramProblem("\(path): \(error)")
        }
    }

    /// Copies the entries that a cache lacks, with their facts, expiration and pins.
    package static func copy(
        _ other: DiskStorage, into disk: DiskStorage, _ report: inout Report, at now: Date = Date()
    ) async throws {
        guard other.folder.path != disk.folder.path else { throw ProgramProblem("that is this cache itself") }
        var ids = try await other.ids(CacheEntryQuery(limit: .max))[...]
        var pinned: [CacheEntryKey] = []
        while !ids.isEmpty {
            for entry in try await other.entries(ids: Array(ids.prefix(500))) {
                if try await copy(entry, of: other, into: disk, &report, now), entry.isPinned {
                    pinned.append(entry.key)
                }
            }
            ids = ids.dropFirst(500)
        }
        var places: [Int64] = []
        for key in pinned { if let entry = await disk.entry(for: key) { places.append(entry.id) } }
        if !places.isEmpty { try await disk.setPinned(true, ids: places) }
    }

    /// Copies an entry; returns false if it is left out.
    private static func copy(
        _ entry: CacheEntry, of other: DiskStorage, into disk: DiskStorage, _ report: inout Report, _ now: Date
    ) async throws -> Bool {
        guard entry.isAlive(at: now) else { return leaveOut(&report.expired) }
        guard entry.hasWholeKey else { return leaveOut(&report.secret) }
        if let own = await disk.entry(for: entry.key), own.damage == nil, own.isAlive(at: now),
            own.stored >= entry.stored
        {
            return leaveOut(&report.known)
        }
        guard entry.damage == nil, let data = await other.contents(of: entry) else {
            return leaveOut(&report.unreadable)
        }
        try await disk.store(
            data, for: entry.key, facts: entry.facts, expiration: entry.expires.map { .date($0) } ?? .never)
        report.imported += 1
        report.importedBytes += data.count
        return true
    }

    private static func leaveOut(_ count: inout Int) -> Bool {
        count += 1
        return false
    }
}
