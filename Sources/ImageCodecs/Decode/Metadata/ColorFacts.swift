import Foundation
import Raster

/// The colours of a picture's file: the colour model, the bits of a sample, and the name of the colour profile.
public struct ColorFacts: Sendable, Hashable, Encodable {
    public enum Model: String, Sendable, Hashable, CaseIterable, Encodable {
        case grey
        case rgb = "RGB"
        case cmyk = "CMYK"
        case lab = "Lab"
    }

    public var model: Model
    /// The bits of a sample; for a palette, those of the palette's colours.
    public var bits: Int
    /// The name of the colour profile or colour space that the file states; nil if it states none.
    public var profile: String?

    public init(_ model: Model, bits: Int, profile: String? = nil) {
        self.model = model
        self.bits = bits
        self.profile = profile
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

extension ColorFacts {
    /// Reads the facts of a JPEG, PNG, GIF or WebP file; nil for other files and damaged headers.
    init?(_ file: UnsafeRawBufferPointer, _ format: ImageFormat) {
        switch format {
        case .jpeg:
            let segments = JPEGSegments(file)
            guard let frame = segments.frame else { return nil }
            let model = [1: Model.grey, 3: .rgb, 4: .cmyk][frame.components]
            self.init(model ?? .rgb, bits: frame.bits, profile: segments.profileName)
        case .png:
            let view = ByteView(bytes: file)
            guard let bits = view.number(at: 24, bytes: 1), let kind = view.number(at: 25, bytes: 1) else { return nil }
            self.init(kind & 2 == 0 ? .grey : .rgb, bits: kind == 3 ? 8 : bits, profile: PNGColorSpace(file).name)
        case .gif: self.init(.rgb, bits: 8)
        case .webP:
            let profile = RIFFChunks(file)["ICCP"].flatMap { ICCProfile($0).name }
            self.init(.rgb, bits: 8, profile: profile)
        default: return nil
        }
    }
}

/// An ICC profile.
///
/// Source: ICC.1:2022, sections 7.3, 9.2.41 and 10.15; ICC.1:2001-04, section 6.5.17 (textDescriptionType).
struct ICCProfile {
    let view: ByteView

    init(_ bytes: UnsafeRawBufferPointer) { view = ByteView(bytes: bytes) }

    /// Whether the data has the size and the signature of a profile.
    var isValid: Bool {
        view.has("acsp", at: 36) && view.number(at: 0, bytes: 4).map { (128...view.bytes.count).contains($0) } ?? false
    }

    /// The description of the profile, at most 64 characters without control characters; nil if there is none.
    var name: String? {
        guard let tag = tag("desc") else { return nil }
        var text: String?
        if tag.has("desc", at: 0), let count = tag.number(at: 8, bytes: 4), count > 1 {
            text = tag.part(at: 12, count: min(count - 1, 64)).map { String(decoding: $0, as: UTF8.self) }
        } else if tag.has("mluc", at: 0), let count = tag.number(at: 20, bytes: 4),
            let offset = tag.number(at: 24, bytes: 4)
        {
            let units = (0..<min(count / 2, 64)).compactMap { tag.number(at: offset + $0 * 2, bytes: 2) }
            text = String(decoding: units.map { UInt16($0) }, as: UTF16.self)
        }
        let clean = text?.unicodeScalars.filter { ![.control, .format].contains($0.properties.generalCategory) }
        let name = clean.map { String(String.UnicodeScalarView($0)).trimmingCharacters(in: .whitespaces) }
        return name?.isEmpty == false ? name : nil
    }

    /// Returns the content of a tag.
    func tag(_ name: String) -> ByteView? {
        guard let count = view.number(at: 128, bytes: 4) else { return nil }
        for entry in 0..<min(count, 100) where view.has(name, at: 132 + entry * 12) {
            guard let offset = view.number(at: 136 + entry * 12, bytes: 4),
                let length = view.number(at: 140 + entry * 12, bytes: 4)
            else { return nil }
            return view.part(at: offset, count: length).map(ByteView.init)
        }
        return nil
    }
}
