/// The beginning of a character that takes two to four bytes in UTF-8.
struct UTF8Sequence: Equatable, Sendable {
    enum Step {
        case incomplete(UTF8Sequence)
        case complete(Unicode.Scalar)
        /// The byte does not belong to the character; it begins something else.
        case invalid
    }

    private var value: UInt32
    private var missing: Int
    /// The smallest value that needs this many bytes; smaller ones are overlong.
    private let least: UInt32

    /// Begins with a lead byte; nil when `first` is none.
    init?(first: UInt8) {
        switch first {
        case 0xC2...0xDF: (value, missing, least) = (UInt32(first & 0x1F), 1, 0x80)
        case 0xE0...0xEF: (value, missing, least) = (UInt32(first & 0x0F), 2, 0x800)
        case 0xF0...0xF4: (value, missing, least) = (UInt32(first & 0x07), 3, 0x10000)
        default: return nil
        }
    }

    func continued(with byte: UInt8) -> Step {
        guard byte & 0xC0 == 0x80 else { return .invalid }
        var longer = self
        longer.value = value << 6 | UInt32(byte & 0x3F)
        longer.missing -= 1
        guard longer.missing == 0 else { return .incomplete(longer) }
        guard longer.value >= least, let scalar = Unicode.Scalar(longer.value) else { return .invalid }
        return .complete(scalar)
    }
}
