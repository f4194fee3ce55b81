/// A directory of EXIF data: numbered fields, each a text, whole numbers or fractions.
///
/// Every offset is checked; a field that points outside the data is treated as missing.
///
/// Source: TIFF 6.0, section 2; Exif 2.32, section 4.6.
struct ExifDirectory {
    /// The type of a field's values, with its number in TIFF.
    private enum Kind: Int {
        case text = 2, short = 3, long = 4, fraction = 5

        var bytes: Int {
            switch self {
            case .text: 1
            case .short: 2
            case .long: 4
            case .fraction: 8
            }
        }
    }

    private struct Field {
        let kind: Kind
        let count: Int
        let offset: Int
    }

    private let tiff: ByteView
    private let isLittle: Bool
    private let start: Int

    /// Opens the first directory of EXIF data; nil if its header is invalid.
    ///
    /// - Parameter exif: The data, beginning with the EXIF prefix, as in JPEG, or with the TIFF header.
    init?(exif: UnsafeRawBufferPointer) {
        let isMarked = exif.starts(with: Array("Exif\0\0".utf8))
        let tiff = ByteView(bytes: isMarked ? UnsafeRawBufferPointer(rebasing: exif.dropFirst(6)) : exif)
        let isLittle = tiff.has("II", at: 0)
        guard isLittle || tiff.has("MM", at: 0), let start = tiff.number(at: 4, bytes: 4, isLittle: isLittle)
        else { return nil }
        self.init(tiff: tiff, isLittle: isLittle, start: start)
    }

    private init(tiff: ByteView, isLittle: Bool, start: Int) {
        self.tiff = tiff
        self.isLittle = isLittle
        self.start = start
    }

    /// Returns the directory that a field points to.
    func directory(_ tag: Int) -> ExifDirectory? {
        number(tag).map { ExifDirectory(tiff: tiff, isLittle: isLittle, start: $0) }
    }

    /// Returns the first whole number of a field.
    func number(_ tag: Int) -> Int? {
        guard let field = field(tag), field.kind == .short || field.kind == .long else { return nil }
        return tiff.number(at: field.offset, bytes: field.kind.bytes, isLittle: isLittle)
    }

    /// Returns the text of a field; nil if it is blank.
    ///
    /// At most 512 bytes are read, up to the first zero; white space is collapsed to single spaces.
    func text(_ tag: Int) -> String? {
        guard let field = field(tag), field.kind == .text,
            let bytes = tiff.part(at: field.offset, count: min(field.count, 512))
        else { return nil }
        let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.isEmpty ? nil : words
    }

    /// Returns up to three fractions of a field; nil if a denominator is zero.
    func fractions(_ tag: Int) -> [Double]? {
        guard let field = field(tag), field.kind == .fraction, field.count > 0 else { return nil }
        let values = (0..<min(3, field.count)).compactMap { fraction(at: field.offset + $0 * 8) }
        return values.count == min(3, field.count) ? values : nil
    }

    private func fraction(at offset: Int) -> Double? {
        guard let above = tiff.number(at: offset, bytes: 4, isLittle: isLittle),
            let below = tiff.number(at: offset + 4, bytes: 4, isLittle: isLittle), below != 0
        else { return nil }
        return Double(above) / Double(below)
    }

    private func field(_ tag: Int) -> Field? {
        let count = tiff.number(at: start, bytes: 2, isLittle: isLittle) ?? 0
        for place in 0..<count {
            let offset = start + 2 + place * 12
            guard let found = tiff.number(at: offset, bytes: 2, isLittle: isLittle) else { return nil }
            if found == tag { return field(at: offset) }
        }
        return nil
    }

    /// Reads a field; values of up to four bytes are stored in the field itself, longer ones at an offset.
    private func field(at offset: Int) -> Field? {
        guard let kind = tiff.number(at: offset + 2, bytes: 2, isLittle: isLittle).flatMap(Kind.init),
            let count = tiff.number(at: offset + 4, bytes: 4, isLittle: isLittle)
        else { return nil }
        let (bytes, overflow) = count.multipliedReportingOverflow(by: kind.bytes)
        guard !overflow else { return nil }
        let place = bytes <= 4 ? offset + 8 : tiff.number(at: offset + 8, bytes: 4, isLittle: isLittle)
        return place.map { Field(kind: kind, count: count, offset: $0) }
    }
}
