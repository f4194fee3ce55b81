/// The encoding in which office programs write tables in the west of Europe (WHATWG Encoding, `windows-1252`).
///
/// It has a meaning for every byte: that of ISO 8859-1, but for 0x80 to 0x9F.
enum Windows1252 {
    static func text(of bytes: some Sequence<UInt8>) -> String {
        String(String.UnicodeScalarView(bytes.map { (0x80...0x9F).contains($0) ? signs[Int($0) - 0x80] : .init($0) }))
    }

    private static let signs = Array(
        "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)
}
