import FoundationEssentials
import Raster

/// A directory of EXIF data: numbered fields, each a text, whole numbers or fractions.
///
/// Every offset is checked; a field that points outside the data is treated as missing.
///
/// Source: TIFF 6.0, section 2; Exif 2.32, section 4.6.
struct ExifDirectory {
    /// The type of a field's values, with its number in TIFF.
    private enum Kind: Int {
        case byte = 1
        case text, short, long, fraction, signedByte, undefined, signedShort, signedLong
        case float = 11
        case double
        /// The offset of a directory.
        case directory

        var bytes: Int {
            switch self {
            case .byte, .text, .signedByte, .undefined: 1
            case .short, .signedShort: 2
            case .long, .signedLong, .float, .directory: 4
            case .fraction, .double: 8
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
        (self.tiff, self.isLittle, self.start) = (tiff, isLittle, start)
    }

    /// Returns the directory that a field points to.
    func directory(_ tag: Int) -> ExifDirectory? {
        number(tag).map { ExifDirectory(tiff: tiff, isLittle: isLittle, start: $0) }
    }

    /// Returns the directories that a field points to, at most 16.
    func directories(_ tag: Int) -> [ExifDirectory] {
        guard let field = field(tag), field.kind == .long || field.kind == .directory else { return [] }
        return (0..<min(field.count, 16)).compactMap { index in
            tiff.number(at: field.offset + index * 4, bytes: 4, isLittle: isLittle)
                .map { ExifDirectory(tiff: tiff, isLittle: isLittle, start: $0) }
        }
    }

    /// Returns the first whole number of a field.
    func number(_ tag: Int) -> Int? {
        guard let field = field(tag), field.kind == .short || field.kind == .long else { return nil }
        return tiff.number(at: field.offset, bytes: field.kind.bytes, isLittle: isLittle)
    }

    /// Returns where the bytes of a field lie, which need not be there.
    func place(of tag: Int) -> Range<Int>? {
        field(tag).map { $0.offset..<$0.offset + $0.count * $0.kind.bytes }
    }

    /// Returns the first number of a field, of any type but a fraction; nil for infinity and what is no number.
    func value(_ tag: Int) -> Double? {
        guard let field = field(tag), field.kind != .text, field.kind != .fraction, field.count > 0,
            let bits = tiff.number(at: field.offset, bytes: field.kind.bytes, isLittle: isLittle)
        else { return nil }
        let value =
            switch field.kind {
            case .signedByte: Double(Int8(truncatingIfNeeded: bits))
            case .signedShort: Double(Int16(truncatingIfNeeded: bits))
            case .signedLong: Double(Int32(truncatingIfNeeded: bits))
            case .float: Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
            case .double: Double(bitPattern: UInt64(bitPattern: Int64(bits)))
            default: Double(bits)
            }
        return value.isFinite ? value : nil
    }

    /// Returns the text of a field; nil if it is blank.
    ///
    /// At most 512 bytes are read, up to the first zero; white space is collapsed to single spaces.
    func text(_ tag: Int) -> String? {
        guard let field = field(tag), field.kind == .text,
            let bytes = tiff.part(at: field.offset, count: min(field.count, 512))
        else { return nil }
        return ExifText.words(bytes)
    }

    /// Returns a comment, whose first eight bytes name its encoding, as `text` does; nil for JIS.
    func comment(_ tag: Int) -> String? {
        guard let field = field(tag), field.kind == .undefined || field.kind == .byte, field.count > 8,
            let bytes = tiff.part(at: field.offset + 8, count: min(field.count - 8, 512))
        else { return nil }
        guard tiff.has("UNICODE\0", at: field.offset) else {
            return tiff.has("JIS\0", at: field.offset) ? nil : ExifText.words(bytes)
        }
        let units = stride(from: 0, to: bytes.count - 1, by: 2).compactMap { offset in
            ByteView(bytes: bytes).number(at: offset, bytes: 2, isLittle: isLittle).map { UInt16($0) }
        }
        return ExifText.words(String(decoding: units.prefix { $0 != 0 }, as: UTF16.self))
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

/// Texts of metadata.
enum ExifText {
    /// Returns UTF-8 up to the first zero, without control characters and with single spaces; nil if it is blank.
    static func words(_ bytes: some Collection<UInt8>) -> String? {
        words(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
    }

    static func words(_ text: String) -> String? {
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ").withoutControls
        return words.isEmpty ? nil : words
    }

    /// Returns a time of EXIF as ISO 8601 writes it, `2026-07-14T18:30:05+02:00`; nil if it is not one.
    static func time(_ text: String?, offset: String?) -> String? {
        var bytes = Array((text ?? "").utf8.prefix(19))
        func number(_ place: Int) -> Int { bytes[place..<place + 2].reduce(0) { $0 * 10 + Int($1 &- 48) } }
        guard fits(bytes, "0000:00:00 00:00:00"), number(0) > 0, 1...12 ~= number(5), 1...31 ~= number(8),
            number(11) < 24, number(14) < 60, number(17) < 61
        else { return nil }
        (bytes[4], bytes[7], bytes[10]) = (0x2D, 0x2D, 0x54)
        let zone = Array((offset ?? "").utf8)
        let hasZone = fits(zone, "+00:00") || fits(zone, "-00:00")
        return String(decoding: bytes + (hasZone ? zone : []), as: UTF8.self)
    }

    /// Returns whether bytes are a text, in which `0` stands for any digit.
    private static func fits(_ bytes: [UInt8], _ form: String) -> Bool {
        bytes.count == form.utf8.count
            && zip(bytes, form.utf8).allSatisfy { $1 == 0x30 ? 0x30...0x39 ~= $0 : $0 == $1 }
    }
}

/// The position of EXIF data in image files.
enum ExifBlock {
    /// Returns the EXIF data of a JPEG, PNG, WebP, TIFF, AVIF, HEIC or JPEG XL file; nil if there is none.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - format: The format of the file.
    /// - isApplied: Whether data that decoders ignore is left out: in a PNG, after the pixels or with a wrong checksum.
    static func find(
        in file: UnsafeRawBufferPointer, _ format: ImageFormat, isApplied: Bool = false
    ) -> UnsafeRawBufferPointer? {
        switch format {
        case .jpeg: JPEGSegments(file).exif
        case .png: inPNG(ByteView(bytes: file), isApplied: isApplied)
        case .webP: RIFFChunks(file)["EXIF"]
        case .tiff: file
        case .avif, .heic: MediaBoxes(view: ByteView(bytes: file)).exifItem
        case .jpegXL: MediaBoxes.exif(MediaBoxes(view: ByteView(bytes: file))["Exif"])
        default: nil
        }
    }

    /// Returns the comment that a JPEG or PNG file has beside EXIF data.
    static func comment(in file: UnsafeRawBufferPointer, _ format: ImageFormat) -> String? {
        switch format {
        case .jpeg: JPEGSegments(file).comment.flatMap { ExifText.words($0.prefix(512)) }
        case .png:
            PNGChunks.all(in: ByteView(bytes: file)).lazy.filter { $0.name == PNGChunks.ChunkName.text }
                .compactMap { chunk -> String? in
                    let parts = chunk.content.bytes.prefix(600).split(separator: 0, maxSplits: 1)
                    let keyword = parts.first.map { String(decoding: $0, as: UTF8.self).lowercased() }
                    guard parts.count == 2, keyword == "description" || keyword == "comment" else { return nil }
                    // The text is Latin-1, whose bytes are the first scalars of Unicode.
                    return ExifText.words(String(String.UnicodeScalarView(parts[1].map { Unicode.Scalar($0) })))
                }.first
        default: nil
        }
    }

    private static func inPNG(_ file: ByteView, isApplied: Bool) -> UnsafeRawBufferPointer? {
        for chunk in PNGChunks.all(in: file) {
            if isApplied, chunk.name == PNGChunks.ChunkName.pixels { return nil }
            if chunk.name == PNGChunks.ChunkName.exif, !isApplied || chunk.isIntact { return chunk.content.bytes }
        }
        return nil
    }
}

/// The EXIF orientation that a file states, which decoding applies.
package enum StatedOrientation {
    /// Returns the small JPEG file in the EXIF data of a JPEG file, which the orientation applies to, too.
    package static func preview(in file: Data) -> Data? {
        file.withUnsafeBytes { bytes in
            guard let exif = JPEGSegments(bytes).exif else { return nil }
            return CameraRawFile.jpegFiles(in: exif).first.map { Data(exif[$0.start...]) }
        }
    }

    /// Returns the number from 1 to 8, 1 if the file states none; nil for formats that have no EXIF data, or whose
    /// library rotates pictures itself.
    package static func read(_ file: Data, _ format: ImageFormat) -> Int? {
        guard [.jpeg, .png, .webP, .tiff].contains(format) else { return nil }
        let orientation = file.withUnsafeBytes { bytes -> Orientation in
            ExifBlock.find(in: bytes, format, isApplied: true).map(Orientation.init(exif:)) ?? .upright
        }
        return Int(orientation.rawValue)
    }
}

extension Orientation {
    /// Whether width and height change places.
    var isLying: Bool { rawValue > 4 }

    /// Converts a stored size to the upright one, and an upright size to the stored one.
    func upright(_ size: PixelSize) -> PixelSize {
        isLying ? PixelSize(width: size.height, height: size.width) : size
    }

    /// Returns the upright picture.
    func upright(_ picture: PixelBuffer) -> PixelBuffer {
        let (right, bottom) = (picture.size.width - 1, picture.size.height - 1)
        let size = upright(picture.size)
        switch self {
        case .upright: return picture
        case .mirrored: return picture.rearranged(to: size) { (right - $0, $1) }
        case .turnedHalf: return picture.rearranged(to: size) { (right - $0, bottom - $1) }
        case .flipped: return picture.rearranged(to: size) { ($0, bottom - $1) }
        case .transposed: return picture.rearranged(to: size) { ($1, $0) }
        case .turnedRight: return picture.rearranged(to: size) { ($1, bottom - $0) }
        case .transversed: return picture.rearranged(to: size) { (right - $1, bottom - $0) }
        case .turnedLeft: return picture.rearranged(to: size) { (right - $1, $0) }
        }
    }
}

extension Orientation {
    /// Creates the orientation that EXIF data states; upright if it states none.
    init(exif: UnsafeRawBufferPointer) {
        let number = ExifDirectory(exif: exif)?.number(274)
        self = number.flatMap { Orientation(rawValue: UInt16(truncatingIfNeeded: $0)) } ?? .upright
    }
}

/// Facts about how a picture was taken, from its EXIF data; nil where the file states nothing.
///
/// Texts have no control characters.
///
/// Source: Exif 2.32, sections 4.6.4 to 4.6.6.
public struct CaptureFacts: Sendable, Hashable {
    /// The manufacturer and the model.
    public var camera: String?
    /// The model of the lens.
    public var lens: String?
    /// The time of capture in the camera's local time, such as `2026-07-14T18:30:05`, and its offset from UTC if that
    /// is stated: `+02:00`.
    public var taken: String?
    /// The exposure time in seconds.
    public var exposureTime: Double?
    /// The f-number, such as 2.8.
    public var aperture: Double?
    /// The sensitivity according to ISO 12232.
    public var sensitivity: Int?
    /// The focal length in millimetres.
    public var focalLength: Double?
    /// The description of the picture, or a comment in the file.
    public var description: String?
    /// The person who made the picture.
    public var artist: String?
    /// The copyright notice.
    public var copyright: String?
    /// The program that wrote the file.
    public var software: String?
    /// The latitude in degrees, as is the longitude; north and east are positive.
    public var latitude: Double?
    /// The longitude in degrees; east is positive.
    public var longitude: Double?

    /// Reads the facts of a JPEG, PNG, WebP, TIFF, AVIF, HEIC or JPEG XL file; all are nil for other data.
    public init(file: Data) {
        file.withUnsafeBytes { bytes in
            guard let format = FormatSniffer.format(of: bytes) else { return }
            self = CaptureFacts(bytes, format)
            description = description ?? ExifBlock.comment(in: bytes, format)
        }
    }

    /// Reads the facts from EXIF data only.
    init(_ file: UnsafeRawBufferPointer, _ format: ImageFormat) {
        if format == .jpegXL, let unpacked = MediaBoxes(view: ByteView(bytes: file)).packedExif {
            unpacked.withUnsafeBytes { read(MediaBoxes.exif(ByteView(bytes: $0))) }
        } else {
            read(ExifBlock.find(in: file, format))
        }
    }

    private mutating func read(_ exif: UnsafeRawBufferPointer?) {
        exif.flatMap { ExifDirectory(exif: $0) }.map { read($0) }
    }

    private mutating func read(_ main: ExifDirectory) {
        camera = Self.camera(maker: main.text(0x010F), model: main.text(0x0110))
        description = main.text(0x010E)
        software = main.text(0x0131)
        artist = main.text(0x013B)
        copyright = main.text(0x8298)
        if let exposure = main.directory(0x8769) { readExposure(exposure) }
        if let place = main.directory(0x8825) {
            latitude = Self.degrees(place.fractions(0x0002), isNegative: place.text(0x0001) == "S", limit: 90)
            longitude = Self.degrees(place.fractions(0x0004), isNegative: place.text(0x0003) == "W", limit: 180)
        }
    }

    private mutating func readExposure(_ exposure: ExifDirectory) {
        taken =
            ExifText.time(exposure.text(0x9003), offset: exposure.text(0x9011))
            ?? ExifText.time(exposure.text(0x9004), offset: exposure.text(0x9012))
        description = description ?? exposure.comment(0x9286)
        exposureTime = exposure.fractions(0x829A)?.first
        aperture = exposure.fractions(0x829D)?.first
        sensitivity = exposure.number(0x8827)
        focalLength = exposure.fractions(0x920A)?.first
        lens = exposure.text(0xA434)
    }

    /// Joins manufacturer and model, unless the model already begins with the manufacturer's name.
    private static func camera(maker: String?, model: String?) -> String? {
        guard let maker, let model else { return model ?? maker }
        let name = maker.split(separator: " ").first ?? ""
        return model.lowercased().hasPrefix(name.lowercased()) ? model : "\(maker) \(model)"
    }

    /// Converts degrees, minutes and seconds to degrees; nil if the result exceeds `limit`.
    private static func degrees(_ parts: [Double]?, isNegative: Bool, limit: Double) -> Double? {
        guard let parts, parts.count == 3 else { return nil }
        let value = parts[0] + parts[1] / 60 + parts[2] / 3600
        return value <= limit ? (isNegative ? -value : value) : nil
    }
}
