import Raster

/// The properties of a picture that filters test; unknown properties match no term.
package struct FilteredPicture: Sendable, Hashable {
    package var facts: PictureFacts
    /// The length of the file.
    package var bytes: Int?
    /// The first eight bytes of the SHA-256.
    package var digest: UInt64?
    /// Whether the name or the media type contradicts the format.
    package var isMismatched: Bool

    package init(facts: PictureFacts, bytes: Int? = nil, digest: UInt64? = nil, isMismatched: Bool = false) {
        (self.facts, self.bytes, self.digest, self.isMismatched) = (facts, bytes, digest, isMismatched)
    }

    /// Returns whether the picture matches a term; nil for a term about an address, a transfer or a cache entry.
    ///
    /// - Parameter related: The digests and hashes of all pictures, for `dup` and `like:`.
    package func meets(_ term: FilterTerm, _ related: RelatedPictures) -> Bool? {
        switch term {
        case .format(let format): facts.format == format
        case .verdict(let verdict): facts.verdict == verdict
        case .color(let model): facts.color?.model == model
        case .alpha(let isThere): facts.hasAlpha == isThere
        case .number(let number, let comparison, let limit):
            value(of: number).map { comparison.holds($0, limit) } ?? false
        case .ratio(let ratio): facts.size.map { FilterTerm.isNear(ratio, $0) } ?? false
        case .duplicate: digest.map(related.hasSeveral) ?? false
        case .digest(let digits):
            digest.map { $0 >> UInt64(64 - 4 * min(16, digits.count)) == UInt64(digits.prefix(16), radix: 16) } ?? false
        case .similar(let distance): facts.perceptualHash.map { related.isNear($0.bits, within: distance) } ?? false
        case .mismatch: isMismatched
        case .camera(let name): facts.camera?.lowercased().contains(name) ?? false
        case .taken(let time): facts.taken?.hasPrefix(time) ?? false
        case .text, .host, .status, .code, .error, .tag, .kind, .state, .key, .marked: nil
        }
    }

    private func value(of number: FilterTerm.Number) -> Double? {
        switch number {
        case .width: facts.width.map(Double.init)
        case .height: facts.height.map(Double.init)
        case .megapixels: facts.size.map { Double($0.width) * Double($0.height) / 1e6 }
        case .bytes: bytes.map(Double.init)
        case .frames: facts.frames.map(Double.init)
        case .age, .unused, .hits: nil
        }
    }
}
