/// What kind of list the first bytes belong to.
enum ListFormat: Hashable {
    case plainText
    /// Not a list, and why.
    case none(String)

    /// How many bytes ``recognise(_:)`` looks at.
    static let sample = 4096

    static func recognise(_ bytes: [UInt8]) -> ListFormat {
        let start = bytes.prefix(sample)
        if PictureType.isPicture(beginning: start) && !isText(start) { return .none("it is a picture") }
        for (signature, reason) in foreign where start.starts(with: signature) { return .none(reason) }
        return isText(start) ? .plainText : .none("it holds binary data")
    }

    private static let foreign: [([UInt8], String)] = [
        ([0x1F, 0x8B], "it is compressed with gzip"), ([0xFF, 0xFE], "it is UTF-16 text, UTF-8 is needed"),
        ([0xFE, 0xFF], "it is UTF-16 text, UTF-8 is needed"), (Array("%PDF-".utf8), "it is a PDF document"),
        (Array("PK\u{3}\u{4}".utf8), "it is a ZIP archive"), ([0x7F, 0x45, 0x4C, 0x46], "it is a program"),
        (Array("SQLite format 3".utf8), "it is an SQLite database"),
    ]

    /// Text has few control bytes; one stray NUL is a bad line, not a bad file.
    private static func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
        let odd = bytes.count { $0 < 0x20 && ![0x09, 0x0A, 0x0C, 0x0D, 0x1B].contains($0) }
        return odd * 10 <= bytes.count
    }
}
