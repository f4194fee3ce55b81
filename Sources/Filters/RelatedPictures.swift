import AlcedoComparison

/// The digests and perceptual hashes that several pictures share, for the terms `dup` and `like:`.
package struct RelatedPictures: Sendable, Hashable {
    package private(set) var digests: Set<UInt64> = []
    /// For each distance: the hashes that are at most this far from the hash of another picture.
    package private(set) var hashes: [Int: Set<UInt64>] = [:]

    package init() {}

    /// Finds the pictures of `dup` and the hashes of `like:`, each only if the filter has such a term.
    ///
    /// Complexity: for `like:`, that of `SimilarHashes`.
    ///
    /// - Parameters:
    ///   - repeatedDigests: The digests that several pictures have; called for `dup` only.
    ///   - hashes: The hashes of all pictures; called for `like:` only.
    package init(
        for filter: PictureFilter, repeatedDigests: () throws -> Set<UInt64>, hashes: () throws -> [UInt64]
    ) rethrows {
        for term in filter.terms {
            switch term {
            case .duplicate: digests = try repeatedDigests()
            case .similar(let distance): self.hashes[distance] = Self.near(try hashes(), within: distance)
            default: break
            }
        }
    }

    /// Returns whether several pictures have a digest.
    package func hasSeveral(_ digest: UInt64) -> Bool { digests.contains(digest) }

    /// Returns whether a hash is near the hash of another picture.
    package func isNear(_ hash: UInt64, within distance: Int) -> Bool { hashes[distance]?.contains(hash) ?? false }

    /// Returns the hashes that occur several times, or differ from another one in at most `distance` bits, 0 to 15.
    private static func near(_ hashes: [UInt64], within distance: Int) -> Set<UInt64> {
        var near = repeated(hashes)
        let different = Array(Set(hashes))
        SimilarHashes.forEachPair(in: different, within: distance) { near.formUnion([different[$0], different[$1]]) }
        return near
    }

    /// Returns the values that occur several times.
    package static func repeated(_ values: [UInt64]) -> Set<UInt64> {
        let sorted = values.sorted()
        return Set(zip(sorted, sorted.dropFirst()).lazy.filter { $0 == $1 }.map { $0.0 })
    }
}

extension PictureFilter {
    /// Whether the filter must know all pictures before it can test one.
    package var readsAllPictures: Bool {
        terms.contains { term in
            switch term {
            case .duplicate, .similar: true
            default: false
            }
        }
    }
    /// Whether a term reads facts that only a decode of the pixels tells.
    package var readsPixels: Bool {
        terms.contains { term in
            switch term {
            case .verdict, .alpha, .similar: true
            default: false
            }
        }
    }
}
