import Raster

/// A fault of a picture's file that left some or all pixels.
public enum PictureDamage: Sendable, Hashable {
    /// All pixels are there; only the mark at the end of the file is missing.
    case missingEnd
    /// The file ends within its pixels; the text says where.
    case incomplete(String)
    /// The file decodes with errors; the text gives the first one.
    case corrupt(String)

    /// Whether pixels may be missing or wrong.
    public var affectsPixels: Bool { self != .missingEnd }

    /// A short description: "incomplete: the file ends at row 20 of 100".
    public var title: String {
        switch self {
        case .missingEnd: "the mark at the end of the file is missing"
        case .incomplete(let reason): "incomplete: \(reason)"
        case .corrupt(let reason): "corrupt: \(reason)"
        }
    }

    /// Creates damage from the reason that a decoder gave.
    init(reason: String) {
        let ends = [
            "truncated", "premature end", "ends", "end of file", "cut off", "too short", "longer than the file",
            // libtiff's words
            "bytes, expected", "not enough data",
        ]
        let text = reason.lowercased()
        self = ends.contains(where: text.contains) ? .incomplete(reason) : .corrupt(reason)
    }
}

extension DecodeLimits {
    /// Throws the damage as an error unless the limits allow it.
    func check(_ damage: PictureDamage?, of format: ImageFormat) throws(CodecError) {
        guard let damage, damage.affectsPixels, !allowsDamage else { return }
        throw .processor(.damaged(format: format.rawValue, damage))
    }
}
