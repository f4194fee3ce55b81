import AlcedoSupport
import FoundationEssentials
import Raster

extension ColorFacts {
    /// Reads the facts of a JPEG, PNG, GIF or WebP file; nil for other files and damaged headers.
    init?(_ file: UnsafeRawBufferPointer, _ format: ImageFormat) {
        switch format {
        case .jpeg:
            let segments = JPEGSegments(file)
            guard let frame = segments.frame else { return nil }
            let model = [1: Model.grey, 3: .rgb, 4: .cmyk][frame.components]
            let names = [segments.profileName, segments.hasGainMap ? "HDR gain map not used" : nil].compactMap(\.self)
            self.init(model ?? .rgb, bits: frame.bits, profile: names.isEmpty ? nil : names.joined(separator: "; "))
        case .png:
            let view = ByteView(bytes: file)
            let start = PNGChunks.headerStart(view)
            guard let bits = view.number(at: start + 16, bytes: 1), let kind = view.number(at: start + 17, bytes: 1)
            else { return nil }
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
        let name = text?.withoutControls.withoutBlanks
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

extension String {
    /// The text without characters that control a terminal or the direction of text.
    var withoutControls: String {
        String(
            UnicodeScalarView(unicodeScalars.filter { ![.control, .format].contains($0.properties.generalCategory) }))
    }
}
