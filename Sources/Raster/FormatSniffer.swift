/// Detection of image formats by their content; file names and content types are ignored.
///
/// Signatures: JPEG (ITU-T T.81, SOI then a marker), PNG (W3C PNG, section 5.2), GIF (GIF89a, section 17),
/// WebP (RFC 9649, section 2.4). `FormatSignatures` lists those of the other formats.
package enum FormatSniffer {
    /// The number of bytes that suffice to detect a trusted format.
    package static let bytesNeeded = 16

    /// The result of the detection.
    package enum Verdict: Sendable, Equatable {
        /// A supported format.
        case format(ImageFormat)
        /// More bytes are needed.
        case undecided
        /// Not a supported format; the text names what the bytes look like.
        case refused(String)
    }

    /// Detects the format of a file from its first bytes.
    ///
    /// Sixteen bytes decide the trusted formats. Others need up to `FormatSignatures.bytesNeeded`, and a TGA file
    /// without a footer needs the whole file.
    ///
    /// - Parameters:
    ///   - bytes: The beginning of the file.
    ///   - isWhole: Whether no more bytes will follow.
    ///   - inflate: Decompresses the beginning of gzip data, which may be SVG; nil if there is no decompressor.
    package static func judge(
        _ bytes: some Collection<UInt8>, isWhole: Bool, inflate: (([UInt8]) -> [UInt8])?
    ) -> Verdict {
        let head = Array(bytes.prefix(bytesNeeded))
        if let format = signedFormat(head) { return .format(format) }
        if head.count < bytesNeeded, !isWhole { return .undecided }
        if let verdict = markup(bytes, isWhole: isWhole) { return verdict }
        let known = Array(bytes.prefix(FormatSignatures.bytesNeeded))
        let verdict = FormatSignatures(known, isWhole: isWhole && known.count == bytes.count).verdict
        guard verdict == nil || verdict == .undecided else { return verdict ?? .undecided }
        if known.starts(with: [0x1F, 0x8B, 8]), let inflate {
            let start = MarkupStart(inflate(Array(bytes.prefix(markupBytes))))
            if start.rootName == "svg" { return .format(.svg) }
            if start.isOpen, !isWhole, bytes.count < markupBytes { return .undecided }
        }
        if let header = TGAHeader(known) {
            guard isWhole else { return .undecided }
            // The header has no signature. It is believed only if the file has an eighth of the bytes that it promises.
            if bytes.count >= header.leastBytes / 8 { return .format(.tga) }
        }
        if verdict == .undecided, !isWhole { return .undecided }
        return .refused(appearance(of: Array(known.prefix(64))))
    }

    /// The bytes in which the root element of an SVG file is looked for, after comments and declarations.
    package static let markupBytes = 256 << 10

    /// Judges text that begins like XML; nil for other bytes, and for XML that is no SVG.
    private static func markup(_ bytes: some Collection<UInt8>, isWhole: Bool) -> Verdict? {
        let first = bytes.prefix(markupBytes).first { $0 != 0x20 && !(9...13).contains($0) }
        let isWide = MarkupStart.wide.contains { bytes.starts(with: $0.mark) }
        guard isWide || [nil, 0x3C, 0xEF].contains(first) else { return nil }
        let text = Array(bytes.prefix(markupBytes))
        let start = MarkupStart(text)
        guard start.rootName != "svg" else { return .format(.svg) }
        return start.isOpen && !isWhole && text.count < markupBytes ? .undecided : nil
    }

    private static func signedFormat(_ head: [UInt8]) -> ImageFormat? {
        if let known = ImageFormat.signatures.first(where: { head.starts(with: $0.bytes) }) { return known.format }
        // Some servers put a line break before a JPEG file, which browsers skip.
        if head.drop(while: { $0 == 0x20 || (9...13).contains($0) }).starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
        let isWebP = head.count >= 12 && head.starts(with: "RIFF".utf8) && head[8..<12].elementsEqual("WEBP".utf8)
        return isWebP ? .webP : nil
    }

    private static let appearances: [(prefix: String, name: String)] = [
        ("<!doctype html", "HTML"), ("<html", "HTML"), ("<head", "HTML"), ("<?xml", "XML"), ("{", "JSON or text"),
        ("%!ps", "PostScript, which is not read"), ("simple  =", "FITS, which is not read"),
        ("blp1", "BLP, which is not read"), ("blp2", "BLP, which is not read"),
    ]
    /// The beginnings of binary formats that are not read.
    private static let unread: [(bytes: [UInt8], name: String)] = [
        ([0x01, 0xDA], "SGI"), ([0x59, 0xA6, 0x6A, 0x95], "Sun raster"), ([0xB1, 0x68, 0xDE, 0x3A], "DCX"),
        ([0xC5, 0xD0, 0xD3, 0xC6], "PostScript"),
    ]

    private static func appearance(of head: [UInt8]) -> String {
        guard !head.isEmpty else { return "empty" }
        let text = String(decoding: head, as: UTF8.self).lowercased()
        let trimmed = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        if let known = appearances.first(where: { trimmed.hasPrefix($0.prefix) }) { return known.name }
        if let known = unread.first(where: { head.starts(with: $0.bytes) }) {
            return "\(known.name), which is not read"
        }
        return head.allSatisfy { (0x20..<0x7F).contains($0) || [9, 10, 13].contains($0) } ? "text" : "unknown bytes"
    }
}

/// The signatures of the formats that are not trusted, and of video.
///
/// Sources: ISO/IEC 14496-12, section 4.3 (ftyp), TIFF 6.0, section 2, ISO/IEC 15444-1, annexes A and I, ISO/IEC
/// 18181-2 (JPEG XL), the Netpbm pages, OpenEXR's file layout, PDF 1.7, annex H, RFC 8794 (EBML).
package struct FormatSignatures {
    /// The number of bytes that decide every format with a signature.
    package static let bytesNeeded = 4096

    private let bytes: [UInt8]
    private let isWhole: Bool

    /// Creates the check of the first bytes of a file, at least 16 or the whole file.
    init(_ bytes: [UInt8], isWhole: Bool) { (self.bytes, self.isWhole) = (bytes, isWhole) }

    /// The verdict; nil if no signature matches.
    var verdict: FormatSniffer.Verdict? {
        boxes ?? binary ?? netpbm ?? text ?? document
    }

    private func has(_ signature: [UInt8], at offset: Int = 0) -> Bool {
        bytes.count >= offset + signature.count && bytes[offset..<offset + signature.count].elementsEqual(signature)
    }

    private func has(_ text: String, at offset: Int = 0) -> Bool { has(Array(text.utf8), at: offset) }

    // MARK: - ISO base media files and other video

    private static let videoBoxes = ["moov", "mdat", "wide", "skip", "free"]

    private var boxes: FormatSniffer.Verdict? {
        if has([0x1A, 0x45, 0xDF, 0xA3]) || has("RIFF") && has("AVI ", at: 8) { return .format(.video) }
        // Text may have these letters at the same place. A box begins with its size, whose first byte is below 0x20.
        let beginsWithSize = bytes.first.map { $0 < 0x20 } ?? false
        if beginsWithSize, Self.videoBoxes.contains(where: { has($0, at: 4) }) { return .format(.video) }
        guard has("ftyp", at: 4) else { return nil }
        let (brands, end) = Self.brands(bytes)
        let isKnown = end <= bytes.count || bytes.count == Self.bytesNeeded || isWhole
        if brands.contains(where: ["avif", "avis"].contains) { return .format(.avif) }
        guard isKnown else { return .undecided }
        if has("crx ", at: 8) { return .format(.tiff) }
        if has("M4A ", at: 8) || has("M4B ", at: 8) { return .refused("audio") }
        let isHEIC = brands.contains { ["heic", "heix", "heim", "heis", "mif1", "msf1"].contains($0) }
        return .format(isHEIC ? .heic : .video)
    }

    /// Returns whether an ISO base media file states that it is an AVIF image sequence, or an HEIC one without a still.
    package static func isSequence(_ file: some Collection<UInt8>) -> Bool {
        let names = Set(brands(Array(file.prefix(bytesNeeded))).names)
        return names.contains("avis") || names.contains("msf1") && names.isDisjoint(with: ["mif1", "heic", "heix"])
    }

    /// Returns the brands of the first box and the offset of its end.
    private static func brands(_ bytes: [UInt8]) -> (names: [String], end: Int) {
        let end = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        let places = stride(from: 8, to: min(end, bytes.count) - 3, by: 4).filter { $0 != 12 }
        return (places.map { String(decoding: bytes[$0..<$0 + 4], as: UTF8.self) }, end)
    }

    // MARK: - Binary formats with weak signatures

    private var binary: FormatSniffer.Verdict? {
        if has("BM") {
            guard bytes.count >= 18 else { return isWhole ? nil : .undecided }
            return [12, 16, 40, 52, 56, 64, 108, 124].contains(bytes[14]) && bytes[15..<18].allSatisfy { $0 == 0 }
                ? .format(.bmp) : nil
        }
        if has([0, 0, 1, 0]) || has([0, 0, 2, 0]), bytes.count >= 16 {
            let count = Int(bytes[4]) | Int(bytes[5]) << 8
            return (1...1024).contains(count) && bytes[9] == 0 ? .format(.ico) : nil
        }
        if bytes.count >= 16, bytes[0] == 10, [0, 2, 3, 4, 5].contains(bytes[1]), bytes[2] <= 1,
            [1, 2, 4, 8].contains(bytes[3])
        {
            return .format(.pcx)
        }
        return nil
    }

    private var netpbm: FormatSniffer.Verdict? {
        guard bytes.count >= 8, bytes[0] == 0x50 else { return nil }
        let isKind = (0x31...0x37).contains(bytes[1]) || bytes[1] == 0x46 || bytes[1] == 0x66
        guard isKind, Self.isSpace(bytes[2]) else { return nil }
        let next = bytes[3...].first { !Self.isSpace($0) }
        let isNumber = next.map { (0x30...0x39).contains($0) || $0 == 0x23 } ?? false
        guard bytes[1] != 0x37 else { return bytes[2] == 10 && !isNumber || next == 0x23 ? .format(.pnm) : nil }
        return isNumber ? .format(.pnm) : nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (9...13).contains(byte) }

    // MARK: - Text

    private var text: FormatSniffer.Verdict? {
        let isOpen = !isWhole && bytes.count < Self.bytesNeeded
        guard let first = bytes.first(where: { !Self.isSpace($0) }) else { return nil }
        switch first {
        case 0x23, 0x2F, 0x73:
            if XBMHeader(bytes) != nil { return .format(.xbm) }
            if Self.isXPM(bytes) { return .format(.xpm) }
            return isOpen && XBMHeader.mayBegin(bytes) ? .undecided : nil
        default: return nil
        }
    }

    /// Returns whether the text is an XPM file without the usual comment at its beginning: an array of strings, the
    /// first of which holds four numbers.
    private static func isXPM(_ bytes: [UInt8]) -> Bool {
        let parts = String(decoding: bytes.prefix(512), as: UTF8.self).split(separator: "\"", maxSplits: 2)
        guard parts.count == 3, parts[0].contains("static"), parts[0].contains("char"), parts[0].contains("{") else {
            return false
        }
        let numbers = parts[1].split(whereSeparator: \.isWhitespace)
        return numbers.count >= 4 && numbers.prefix(4).allSatisfy { Int($0) != nil }
    }

    /// A PDF file may begin with up to 1,024 bytes that are not part of it.
    private var document: FormatSniffer.Verdict? {
        let head = bytes.prefix(1024)
        let hasMark = head.indices.contains { head[$0] == 0x25 && has("%PDF-", at: $0) }
        if hasMark { return .format(.pdf) }
        let isText = bytes.prefix(64).allSatisfy { (0x20..<0x7F).contains($0) || Self.isSpace($0) }
        return !isWhole && bytes.count < 1024 && !isText ? .undecided : nil
    }
}

/// The beginning of an XML or HTML file, up to its root element.
package struct MarkupStart {
    /// The name of the root element without its namespace prefix, in lower case; nil if it is not reached.
    private(set) var rootName: String?
    /// Whether the bytes may be XML but end before the root element.
    private(set) var isOpen = false
    /// The root element's tag with its attributes; empty if it is not reached.
    package private(set) var rootTag = ""

    package init(_ bytes: [UInt8]) {
        var rest = Self.text(of: bytes)
        if rest.first == "\u{FEFF}" { rest.removeFirst() }
        while true {
            rest = rest.drop { $0.isWhitespace || $0 == "\0" }
            if rest.isEmpty {
                isOpen = true
                return
            }
            let end: Substring.Index?
            if rest.hasPrefix("<?") {
                end = rest.firstRange(of: "?>")?.upperBound
            } else if rest.hasPrefix("<!--") {
                end = rest.firstRange(of: "-->")?.upperBound
            } else if rest.hasPrefix("<!DOCTYPE"),
                !rest.dropFirst(9).drop(while: \.isWhitespace).lowercased().hasPrefix("html")
            {
                end = Self.endOfDoctype(rest)
            } else {
                readRoot(rest)
                return
            }
            guard let end else {
                isOpen = true
                return
            }
            rest = rest[end...]
        }
    }

    /// The beginnings of UTF-16: a byte order mark, or `<`.
    static let wide: [(mark: [UInt8], isBig: Bool)] = [
        ([0xFE, 0xFF], true), ([0xFF, 0xFE], false), ([0, 0x3C, 0], true), ([0x3C, 0], false),
    ]

    private static func text(of bytes: [UInt8]) -> Substring {
        let mark = wide.first { bytes.starts(with: $0.mark) }
        guard let isBig = mark?.isBig else { return Substring(decoding: bytes, as: UTF8.self) }
        let units = stride(from: 0, to: bytes.count - 1, by: 2).map { place in
            UInt16(bytes[place + (isBig ? 0 : 1)]) << 8 | UInt16(bytes[place + (isBig ? 1 : 0)])
        }
        return Substring(decoding: units, as: UTF16.self)
    }

    private static func endOfDoctype(_ text: Substring) -> Substring.Index? {
        let bracket = text.firstIndex(of: "[")
        guard let close = text.firstIndex(of: ">") else { return nil }
        guard let bracket, bracket < close else { return text.index(after: close) }
        guard let subset = text.firstIndex(of: "]"), let end = text[subset...].firstIndex(of: ">") else { return nil }
        return text.index(after: end)
    }

    private mutating func readRoot(_ text: Substring) {
        guard text.first == "<" else { return }
        let name = text.dropFirst().prefix { $0.isLetter || $0.isNumber || ":-_.".contains($0) }
        rootName = name.split(separator: ":").last?.lowercased()
        rootTag = String(text.prefix { $0 != ">" })
    }
}

/// The header of an XBM file: C source that defines a width and a height.
package struct XBMHeader {
    package let size: PixelSize

    /// Reads the definitions; nil if one is missing.
    package init?(_ bytes: [UInt8]) {
        var values: [Substring: Int] = [:]
        let text = String(decoding: bytes, as: UTF8.self)
        for line in text.split(whereSeparator: \.isNewline) {
            let words = line.split(whereSeparator: \.isWhitespace)
            guard words.count >= 3, words[0] == "#define", let value = Int(words[2]), (0...100_000).contains(value),
                let name = words[1].split(separator: "_").last
            else { continue }
            values[name] = value
        }
        guard let width = values["width"], let height = values["height"], text.contains("_bits") else { return nil }
        size = PixelSize(width: width, height: height)
    }

    /// Returns whether bytes may be the beginning of an XBM file.
    static func mayBegin(_ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes.prefix(64), as: UTF8.self).drop { $0.isWhitespace }
        return ["#define ", "/*", "static "].contains { text.hasPrefix($0) }
    }
}

/// The header of a TGA file, which has no signature.
package struct TGAHeader {
    package let size: PixelSize
    package let leastBytes: Int

    /// Reads the first 18 bytes; nil if a field has a value that TGA does not define.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= 18 else { return nil }
        func number(_ offset: Int) -> Int { Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }
        let (hasMap, kind, depth) = (bytes[1] == 1, bytes[2], bytes[16])
        let mapBits = Int(bytes[7])
        let isKnown =
            switch kind {
            case 1, 9: hasMap && [8, 16].contains(depth) && number(5) > 0
            case 2, 10: [15, 16, 24, 32].contains(depth)
            case 3, 11: [8, 16].contains(depth)
            default: false
            }
        // A file may have a colour map that no pixel uses.
        let isMapKnown = !hasMap || [15, 16, 24, 32].contains(mapBits)
        size = PixelSize(width: number(12), height: number(14))
        guard isKnown, isMapKnown, bytes[1] <= 1, !size.isEmpty, bytes[17] & 0xC0 == 0,
            [0, 1, 8].contains(bytes[17] & 15)
        else { return nil }
        let map = hasMap ? number(5) * ((mapBits + 7) / 8) : 0
        let pixelBytes = Int(depth + 7) / 8
        // A packet of 1 + `pixelBytes` bytes holds at most 128 pixels.
        let pixels = kind < 9 ? size.area * pixelBytes : size.area / 128 * (1 + pixelBytes)
        leastBytes = 18 + Int(bytes[0]) + map + pixels
    }
}
