import Foundation

/// The result of a verification of the cache.
package struct CacheVerification: Sendable, Hashable {
    /// One fault.
    package struct Finding: Sendable, Hashable {
        package enum Kind: String, Sendable, Hashable, CaseIterable {
            /// The content differs from what was stored.
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
