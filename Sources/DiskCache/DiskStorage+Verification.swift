import FoundationEssentials
import Raster

/// Verification of the contents and the index.
extension DiskStorage {
    /// Verifies the content of every entry, then the index and its sums; other processes may use the cache meanwhile.
    ///
    /// Damaged entries are marked: they are misses and are evicted first.
    ///
    /// - Parameters:
    ///   - isFull: Whether to check digests too, not only lengths.
    ///   - repairs: Whether to remove damaged entries and unused contents older than an hour, correct the sums, and
    ///     reset a damaged index.
    ///   - onProgress: Receives the number of checked entries and the total.
    @concurrent
    package func verify(
        isFull: Bool = false, repairs: Bool = false,
        onProgress: @escaping @Sendable (_ entries: Int, _ of: Int) -> Void = { _, _ in }
    ) async throws(DiskCacheError) -> CacheVerification {
        var result = try await verifyIndex(isFull, repairs, onProgress)
        // If the index has a finding already, that finding covers the reset.
        if consumeReset(), result.counts[.index] == nil {
            result.add(.index, DiskIndex.structure, "damaged; begun anew")
        }
        return result
    }

    private func verifyIndex(
        _ isFull: Bool, _ repairs: Bool, _ onProgress: @escaping @Sendable (_ entries: Int, _ of: Int) -> Void
    ) async throws(DiskCacheError) -> CacheVerification {
        try await withIndex { [self] index in
            var result = CacheVerification()
            let total = try index.statistics(now: now()).entries
            var last = Int64.min
            while true {
                let entries = try await index.verificationSlice(after: last)
                guard let newest = entries.last else { break }
                try Task.checkCancellation()
                try await check(entries, isFull, repairs, index, &result)
                last = newest.id
                onProgress(result.checked.entries, max(total, result.checked.entries))
            }
            try await checkUnused(repairs, index, &result)
            let faults = try await index.check(isFull: isFull, repairs: repairs)
            for (part, detail) in faults { result.add(.index, part, detail) }
            if repairs, faults.contains(where: { $0.part == DiskIndex.structure }) { reset(index) }
            if repairs { blobs.sweepTemporaryFiles(now: now()) }
            result.isRepaired = repairs
            return result
        }
    }

    /// Verifies some entries with their digests.
    ///
    /// - Returns: The faults of these entries.
    @concurrent
    package func verify(ids: [Int64]) async throws(DiskCacheError) -> CacheVerification {
        try await withIndex(.readByIdentifier) { [self] index in
            var result = CacheVerification()
            for id in ids {
                guard let entry = try index.entry(id) else { continue }
                let checked = DiskIndex.VerifiedRow(id: id, entry: entry)
                try await check([checked], true, false, index, &result)
            }
            return result
        }
    }

    private func check(
        _ rows: [DiskIndex.VerifiedRow], _ isFull: Bool, _ repairs: Bool, _ index: DiskIndex,
        _ result: inout CacheVerification
    ) async throws {
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
            }
            let isNew = problem?.detail != row.entry?.damage || row.entry == nil
            if isNew || problem != nil && repairs { verdicts.append((row.id, problem?.detail)) }
        }
        guard !verdicts.isEmpty else { return }
        if newlyDamaged > 0 { count(.damaged, newlyDamaged, index) }
        if repairs {
            for verdict in verdicts where verdict.damage != nil {
                let entry = rows.first { $0.id == verdict.id }?.entry
                let removed =
                    if let entry { try await index.removeDamaged(entry) } else {
                        try await index.remove(ids: [verdict.id])
                    }
                notify(removed.keys, .damaged)
            }
        } else {
            try await index.mark(verdicts)
        }
    }

    private func problem(
        of row: DiskIndex.VerifiedRow, isFull: Bool
    ) -> (kind: CacheVerification.Finding.Kind, detail: String)? {
        guard let entry = row.entry else { return (.damaged, "the row makes no sense") }
        do throws(BlobStore.Problem) {
            if isFull {
                _ = try blobs.read(entry.contentName, length: entry.length, checkingDigest: true)
            } else if let fault = blobs.fault(of: entry.contentName, length: entry.length) {
                throw fault
            }
            // A quick check cannot see all damage, so the result of an earlier full check stays.
            return isFull ? nil : entry.damage.map { (.damaged, $0) }
        } catch {
            switch error {
            case .missing: return (.missing, error.description)
            case .damaged: return (.damaged, error.description)
            // A system error is not a fault of the content.
            case .system: return nil
            }
        }
    }

    private func checkUnused(_ repairs: Bool, _ index: DiskIndex, _ result: inout CacheVerification) async throws {
        for names in blobs.contents(writtenBefore: anHourAgo) {
            let unused = try await index.unusedFiles(names)
            for name in unused { result.add(.unused, blobs.path(of: name), "no entry needs it") }
            if repairs { try await index.releaseUnused(unused) }
        }
    }
}

/// The result of a verification of the cache.
package struct CacheVerification: Sendable, Hashable {
    /// One fault.
    package struct Finding: Sendable, Hashable {
        package enum Kind: String, Sendable, Hashable, CaseIterable {
            /// The content differs from the stored one.
            case damaged
            /// The content file is missing.
            case missing
            /// A content file that no entry uses; normal if it is younger than an hour.
            case unused
            /// A fault of the index.
            case index
        }

        package var kind: Kind
        /// The entry's address, the path of the file, or the part of the index.
        package var subject: String
        /// A description of the fault.
        package var detail: String
    }

    /// The number of checked entries, and their bytes.
    package var checked = CacheAmount()
    /// The number of findings of each kind.
    package var counts: [Finding.Kind: Int] = [:]
    /// The first findings, at most 1,000.
    package var findings: [Finding] = []
    /// Whether the verification repaired its findings.
    package var isRepaired = false

    /// Whether there are no faults; unused contents are harmless.
    package var isSound: Bool { counts.allSatisfy { $0.key == .unused || $0.value == 0 } }

    mutating func add(_ kind: Finding.Kind, _ subject: String, _ detail: String) {
        counts[kind, default: 0] += 1
        if findings.count < 1000 { findings.append(Finding(kind: kind, subject: subject, detail: detail)) }
    }
}
