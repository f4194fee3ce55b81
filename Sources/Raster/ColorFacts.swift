/// The colours of a picture's file: the colour model, the bits of a sample, and the name of the colour profile.
public struct ColorFacts: Sendable, Hashable, Encodable {
    /// The channels of a file's pixels.
    public enum Model: String, Sendable, Hashable, CaseIterable, Encodable {
        /// One channel of brightness.
        case grey
        /// Red, green and blue.
        case rgb = "RGB"
        /// Inks: cyan, magenta, yellow and black.
        case cmyk = "CMYK"
        /// CIE L*a*b*.
        case lab = "Lab"
    }

    /// The channels of the file's pixels.
    public var model: Model
    /// The bits of a sample; for a palette, the bits of the palette's colours.
    public var bits: Int
    /// The name of the colour profile or colour space that the file states, or the range of its samples that is shown;
    /// nil if it states none.
    public var profile: String?

    /// Creates the facts; nil means that the file states no profile.
    public init(_ model: Model, bits: Int, profile: String? = nil) {
        (self.model, self.bits, self.profile) = (model, bits, profile)
    }

    /// The facts in words: "RGB, 8 bits, Display P3".
    public var description: String {
        ([model.rawValue, "\(bits) bits"] + (profile.map { [$0] } ?? [])).joined(separator: ", ")
    }

    /// Reads the words of `description`; nil for other text.
    package init?(description: String) {
        let parts = description.split(separator: ", ", maxSplits: 2).map(String.init)
        guard parts.count > 1, let model = Model(rawValue: parts[0]), parts[1].hasSuffix(" bits"),
            let bits = Int(parts[1].dropLast(5))
        else { return nil }
        self.init(model, bits: bits, profile: parts.count > 2 ? parts[2] : nil)
    }
}
