import Testing

/// Expects text in which nothing could act on a terminal or hide: newlines are the only control characters, and
/// there are no bidirectional or zero-width ones.
func expectSafe(_ text: String, location: SourceLocation = #_sourceLocation) {
    let bad = text.unicodeScalars.filter { scalar in
        switch scalar.value {
        case 0x0A: false
        case 0..<0x20, 0x7F..<0xA0, 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }
    #expect(bad.isEmpty, "raw \(bad.map { String($0.value, radix: 16) })", sourceLocation: location)
}
