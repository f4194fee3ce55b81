import Foundation

/// The result of a verification of the cache.
public struct CacheVerification: Sendable, Hashable {
    /// One fault.
    public struct Finding: Sendable, Hashable {
        public enum Kind: String, Sendable, Hashable, CaseIterable {
            /// The content differs from what was stored.
            case damaged
            /// The content file is missing.
            case missing
            /// A content file that no entry uses; normal if it is younger than an hour.
            case unused
            /// A fault of the index.
            case index
        }

        public var kind: Kind
        /// The entry's address, the path of the file, or the part of the index.
        public var subject: String
        /// A description of the fault.
        public var detail: String
    }

    /// The number of checked entries, and their bytes.
    public var checked = CacheAmount()
    /// The number of findings of each kind.
    public var counts: [Finding.Kind: Int] = [:]
    /// The first findings, at most 1,000.
    public var findings: [Finding] = []
    /// Whether the verification repaired its findings.
    public var isRepaired = false

    /// Whether there are no faults; unused contents are harmless.
    public var isSound: Bool { counts.allSatisfy { $0.key == .unused || $0.value == 0 } }

    mutating func add(_ kind: Finding.Kind, _ subject: String, _ detail: String) {
        counts[kind, default: 0] += 1
        if findings.count < 1000 { findings.append(Finding(kind: kind, subject: subject, detail: detail)) }
    }
}
