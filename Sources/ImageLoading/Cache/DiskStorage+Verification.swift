import Foundation
import GRDB
import Synchronization

/// Looks whether everything is as the index says.
extension DiskStorage {
    /// Checks each entry's content by its length, and by its digest with `isFull`; then the index and its sums.
    ///
    /// Damaged entries are marked, so that they are misses and go first; `repairs` removes them and contents that are an
    /// hour old and needed by none, sets the sums right, and makes a damaged index anew from what it tells. `onProgress` hears how many entries have been looked at.
    /// Others may use the cache meanwhile.
    @concurrent
    public func verify(
        isFull: Bool = false, repairs: Bool = false,
        onProgress: @escaping @Sendable (_ entries: Int, _ of: Int) -> Void = { _, _ in }
    ) async throws(ImageError) -> CacheVerification {
        let salvages = Mutex<[Int]>([])
        let hearing = hearSalvages { entries in salvages.withLock { $0.append(entries) } }
        defer { endHearingSalvages(hearing) }
        await salvage()
        var result = try await verifyIndex(isFull, repairs, onProgress)
        // That it was begun anew is the finding already where this check did so.
        guard result.counts[.index] == nil else { return result }
        for entries in salvages.withLock(\.self) {
            let told = "damaged; begun anew with the \(entries) entries that could still be read"
            result.add(.index, DiskIndex.structure, told)
        }
        return result
    }

    private func verifyIndex(
        _ isFull: Bool, _ repairs: Bool, _ onProgress: @escaping @Sendable (_ entries: Int, _ of: Int) -> Void
    ) async throws(ImageError) -> CacheVerification {
        try await asking { [self] index in
            var result = CacheVerification()
            var damagedPacks: Set<Int64> = []
            let total = try index.statistics(now: now()).entries
            var last = Int64.min
            while true {
                let entries = try await index.verificationSlice(after: last)
                guard let newest = entries.last else { break }
                try Task.checkCancellation()
                damagedPacks.formUnion(try await check(entries, isFull, repairs, index, &result))
                last = newest.id
                onProgress(result.checked.entries, max(total, result.checked.entries))
            }
            if repairs { try await index.releaseLostPlaces(of: damagedPacks) }
            try await checkUnused(repairs, index, &result)
            let faults = try await index.check(isFull: isFull, repairs: repairs)
            for (part, detail) in faults { result.add(.index, part, detail) }
            if repairs, faults.contains(where: { $0.part == DiskIndex.structure }) { try await makeAnew(index) }
            if repairs { store.blobs.sweepTemporaryFiles(now: now()) }
            result.isRepaired = repairs
            return result
        }
    }

    /// Sets an index aside whose structure is damaged, and takes over its rows.
    private func makeAnew(_ damaged: DiskIndex) async throws {
        try await damaged.flush()
        try? await damaged.writePending()
        setAside(damaged)
        await salvage()
        guard FileIdentity(folder.index + ".damaged") == nil else {
            throw ImageError.cache(.diskUnavailable("the index could not be made anew"))
        }
    }

    /// Checks some entries alone; answers what is wrong with which.
    @concurrent
    public func verify(ids: [Int64]) async throws(ImageError) -> CacheVerification {
        try await asking(holdsIdentifiers: true) { [self] index in
            var result = CacheVerification()
            for id in ids {
                guard let entry = try index.entry(id) else { continue }
                let checked = DiskIndex.VerifiedRow(id: id, entry: entry)
                _ = try await check([checked], true, false, index, &result)
            }
            return result
        }
    }

    /// Answers the packs that damaged contents were to lie in.
    private func check(
        _ rows: [DiskIndex.VerifiedRow], _ isFull: Bool, _ repairs: Bool, _ index: DiskIndex,
        _ result: inout CacheVerification
    ) async throws -> Set<Int64> {
        var packs: Set<Int64> = []
        var verdicts: [(id: Int64, damage: String?)] = []
        var newlyDamaged = 0
        for row in rows {
            result.checked.entries += 1
            result.checked.bytes += max(0, row.entry?.length ?? 0)
            let problem = problem(of: row, isFull: isFull)
            if let problem {
                if row.entry?.damage == nil { newlyDamaged += 1 }
                result.add(problem.kind, row.entry?.facts.url ?? "entry \(row.id)", problem.detail)
                if let name = row.entry?.contentName { verified.remove(name) }
                if let pack = row.entry?.place.slot?.pack { packs.insert(pack) }
            }
            let isNew = problem?.detail != row.entry?.damage || row.entry == nil
            if isNew || problem != nil && repairs { verdicts.append((row.id, problem?.detail)) }
        }
        guard !verdicts.isEmpty else { return packs }
        if newlyDamaged > 0 { count(.damaged, newlyDamaged, index) }
        if repairs {
            for verdict in verdicts where verdict.damage != nil {
                let entry = rows.first { $0.id == verdict.id }?.entry
                let removed =
                    if let entry { try await index.removeDamaged(entry) } else {
                        try await index.remove(ids: [verdict.id])
                    }
                tell(removed.keys, .damaged)
            }
        } else {
            try await index.mark(verdicts)
        }
        return packs
    }

    private func problem(
        of row: DiskIndex.VerifiedRow, isFull: Bool
    ) -> (kind: CacheVerification.Finding.Kind, detail: String)? {
        guard let entry = row.entry else { return (.damaged, "the row makes no sense") }
        do throws(BlobStore.Problem) {
            if isFull {
                _ = try store.read(entry.content, checkingDigest: true)
            } else if let fault = store.fault(of: entry.content) {
                throw fault
            }
            // What a quick look cannot see stays as a full one has found it.
            return isFull ? nil : entry.damage.map { (.damaged, $0) }
        } catch {
            switch error {
            case .missing: return (.missing, error.description)
            case .damaged: return (.damaged, error.description)
            // It says nothing of the content.
            case .system: return nil
            }
        }
    }

    private func checkUnused(_ repairs: Bool, _ index: DiskIndex, _ result: inout CacheVerification) async throws {
        for names in store.blobs.contents(writtenBefore: anHourAgo) {
            let unused = try await index.unusedFiles(names)
            for name in unused { result.add(.unused, store.blobs.path(of: name), "no entry needs it") }
            if repairs { try await index.releaseUnused(files: unused) }
        }
        let packs = try await index.unknownPacks(store.packs.packs(writtenBefore: anHourAgo))
        for pack in packs { result.add(.unused, store.packs.path(of: pack), "no entry needs it") }
        if repairs { try await index.releaseUnused(packs: packs) }
    }
}
