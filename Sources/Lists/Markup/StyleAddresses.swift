import Raster

/// The addresses of a style sheet or of a `style` attribute: those in `url(…)`, and the best one of each `image-set(…)`
/// and `image(…)` (CSS Syntax 3, 4; CSS Images 4, 2.3 and 2.4).
///
/// As in browsers, the end of the text closes what is open. A nested function costs no stack.
struct StyleAddresses {
    /// The beginnings of the functions that name pictures, in lower case.
    static let functions = ["url(", "image-set(", "image("]

    /// Returns the addresses of all declarations.
    static func all(in style: String) -> [String] { read(style).map(\.address) }

    /// Returns the addresses that are pictures by their extension, by a function, or by a property such as
    /// `background-image`: a style sheet names fonts and other style sheets, too.
    static func pictures(in sheet: String) -> [String] {
        read(sheet).filter { found in
            // The sources of a font may be SVG.
            found.property != "src" && PictureFileDetector.isPicture(url: found.address[...])
                || found.address.hasPrefix("data:image/") || found.isChosen
                || ["background", "image"].contains { found.property.contains($0) }
        }.map(\.address)
    }

    /// A function whose parenthesis is open.
    private struct Function {
        enum Kind: Hashable {
            /// One of several pictures.
            case choice
            case type, other
        }

        let kind: Kind
        /// The place of the innermost choice, this one included.
        let choice: Int?
        var best: Option?
        var option = Option()

        mutating func finishOption() {
            let isBetter = best.map { (option.rank, option.resolution) > ($0.rank, $0.resolution) } ?? true
            if option.address != nil, isBetter { best = option }
            option = Option()
        }
    }

    /// A picture of a choice.
    private struct Option {
        var address: String?
        /// The number of pixels for a pixel of CSS.
        var resolution = 1.0
        /// 0 if the picture is said to be of a type that cannot be decoded.
        var rank = 1
    }

    private var text: StyleText
    private var found: [(address: String, property: String, isChosen: Bool)] = []
    private var property = ""
    private var isInValue = false
    private var open: [Function] = []
    private static let openLimit = 1024

    private static func read(_ text: String) -> [(address: String, property: String, isChosen: Bool)] {
        var reader = Self(text: StyleText(rest: Array(text.utf8)[...]))
        while let byte = reader.text.rest.first { reader.readToken(byte) }
        reader.closeAll()
        return reader.found
    }

    private mutating func readToken(_ byte: UInt8) {
        if StyleText.isWord(byte) { return readWord() }
        if text.skipComment() { return }
        text.rest.removeFirst()
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): if let string = text.string(to: byte) { read(string) }
        case UInt8(ascii: "("): begin(.other)
        case UInt8(ascii: ")"): close()
        case UInt8(ascii: ","): if let last = open.indices.last { open[last].finishOption() }
        case UInt8(ascii: ":"): isInValue = true
        case UInt8(ascii: ";"), UInt8(ascii: "{"), UInt8(ascii: "}"):
            closeAll()
            (property, isInValue) = ("", false)
        default: break
        }
    }

    private mutating func readWord() {
        let word = text.word().lowercased()
        if text.rest.first == UInt8(ascii: "(") {
            text.rest.removeFirst()
            switch word {
            case "url": add(text.address())
            case "image-set", "-webkit-image-set", "image": begin(.choice)
            default: begin(word == "type" ? .type : .other)
            }
        } else if let last = open.indices.last {
            if let resolution = Self.resolution(word) { open[last].option.resolution = resolution }
        } else if !isInValue {
            property = word
        }
    }

    /// Reads a string, which is an address only as a picture of a choice.
    private mutating func read(_ string: String) {
        switch open.last?.kind {
        case .choice: add(string)
        case .type where ImageFormat(mediaType: string) == nil:
            if let choice = open.last?.choice { open[choice].option.rank = 0 }
        default: break
        }
    }

    private mutating func begin(_ kind: Function.Kind) {
        // So deep is no style of a page.
        guard open.count < Self.openLimit else { return }
        open.append(Function(kind: kind, choice: kind == .choice ? open.count : open.last?.choice))
    }

    private mutating func close() {
        guard var last = open.popLast(), last.kind == .choice else { return }
        last.finishOption()
        if let address = last.best?.address { add(address, isChosen: true) }
    }

    private mutating func closeAll() { while !open.isEmpty { close() } }

    private mutating func add(_ address: String, isChosen: Bool = false) {
        let address = address.trimmed
        // A fragment names a part of the page.
        let isOther = ["#", "javascript:", "about:"].contains { address.prefix(11).lowercased().hasPrefix($0) }
        if address.isEmpty || isOther || Self.effects.contains(property) { return }
        if let choice = open.last?.choice {
            open[choice].option.address = open[choice].option.address ?? String(address)
        } else {
            found.append((String(address), property, isChosen))
        }
    }

    /// Properties whose addresses are shapes, filters and scripts.
    private static let effects: Set = ["clip-path", "-webkit-clip-path", "filter", "backdrop-filter", "behavior"]

    /// Reads a resolution (CSS Values 4, 7.4).
    private static func resolution(_ word: String) -> Double? {
        for (unit, dots) in [("dppx", 1), ("dpi", 96), ("dpcm", 96 / 2.54), ("x", 1)] where word.hasSuffix(unit) {
            return Double(word.dropLast(unit.utf8.count)).flatMap { $0 > 0 ? $0 / dots : nil }
        }
        return nil
    }
}

/// The bytes of a style sheet that are not read yet.
private struct StyleText {
    var rest: ArraySlice<UInt8>

    /// Returns whether a byte belongs to a name or a number.
    static func isWord(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isDigit || byte >= 0x80 || "-_.\\".utf8.contains(byte)
    }

    /// Consumes a comment; returns false if there is none.
    mutating func skipComment() -> Bool {
        guard rest.starts(with: "/*".utf8) else { return false }
        rest = rest.dropFirst(2)
        while let star = rest.fastIndex(of: UInt8(ascii: "*")) {
            rest = rest[(star + 1)...]
            if rest.first == UInt8(ascii: "/") {
                rest.removeFirst()
                return true
            }
        }
        rest = []
        return true
    }

    /// Consumes a name or a number.
    mutating func word() -> String { consume { !Self.isWord($0) } }

    /// Consumes a string behind its opening quote; nil if its line ends before it.
    mutating func string(to quote: UInt8) -> String? {
        let text = consume { $0 == quote || Self.isLineEnd($0) }
        if let end = rest.first, end != quote { return nil }
        rest = rest.dropFirst()
        return text
    }

    /// Consumes the address of `url(`, in quotes or not, and the closing parenthesis.
    mutating func address() -> String {
        rest = rest.drop(while: \.isBlank)
        let isEnd: (UInt8) -> Bool = { $0 == UInt8(ascii: ")") }
        defer { rest = rest.drop { !isEnd($0) }.dropFirst() }
        guard let quote = rest.first, "\"'".utf8.contains(quote) else { return consume(until: isEnd) }
        rest.removeFirst()
        return string(to: quote) ?? ""
    }

    /// Consumes the bytes up to an end; returns them with escapes resolved.
    private mutating func consume(until isEnd: (UInt8) -> Bool) -> String {
        var bytes: [UInt8] = []
        while let byte = rest.first, !isEnd(byte) {
            rest.removeFirst()
            if byte == UInt8(ascii: "\\") { bytes += escaped() } else { bytes.append(byte) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Consumes what follows a backslash: the number of a character and a blank, a line end, which is dropped, or a
    /// character.
    private mutating func escaped() -> [UInt8] {
        let digits = rest.prefix(6).prefix(while: \.isHexDigit)
        let isLineEnd = digits.isEmpty && rest.first.map(Self.isLineEnd) == true
        rest = rest[digits.endIndex...]
        if digits.isEmpty, !isLineEnd { return rest.popFirst().map { [$0] } ?? [] }
        if rest.starts(with: "\r\n".utf8) { rest.removeFirst() }
        if rest.first?.isBlank == true { rest.removeFirst() }
        guard let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) else { return [] }
        return Array(String(Unicode.Scalar(code == 0 ? 0xFFFD : code) ?? "\u{FFFD}").utf8)
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool { (0x0A...0x0D).contains(byte) && byte != 0x0B }
}
