import Foundation

/// What a check of the whole cache found.
public struct CacheVerification: Sendable, Hashable {
    /// One thing that is not as it should be.
    public struct Finding: Sendable, Hashable {
        public enum Kind: String, Sendable, Hashable, CaseIterable {
            /// The content is not what it was.
            case damaged
            /// There is no content.
            case missing
            /// A content that no entry needs; normal for what is younger than an hour.
            case unused
            /// The index itself.
            case index
        }

        public var kind: Kind
        /// The entry's address, the file, or the part of the index.
        public var subject: String
        /// What was found.
        public var detail: String
    }

    /// Entries and bytes that were looked at.
    public var checked = CacheAmount()
    /// How many there were of each kind.
    public var counts: [Finding.Kind: Int] = [:]
    /// The first of them, at most 1,000.
    public var findings: [Finding] = []
    /// Whether what was found has been mended.
    public var isRepaired = false

    /// Whether all is as it should be; contents that nobody needs yet do no harm.
    public var isSound: Bool { counts.allSatisfy { $0.key == .unused || $0.value == 0 } }

    mutating func add(_ kind: Finding.Kind, _ subject: String, _ detail: String) {
        counts[kind, default: 0] += 1
        if findings.count < 1000 { findings.append(Finding(kind: kind, subject: subject, detail: detail)) }
    }
}
