/// A bounds-checked view of bytes, read by offset.
struct ByteView {
    let bytes: UnsafeRawBufferPointer

    /// Reads an unsigned number of one to four bytes; nil if the bytes do not lie within the view.
    ///
    /// - Parameters:
    ///   - offset: The position of the first byte.
    ///   - count: The number of bytes.
    ///   - isLittle: Whether the lowest byte comes first; false by default.
    func number(at offset: Int, bytes count: Int, isLittle: Bool = false) -> Int? {
        guard let part = part(at: offset, count: count) else { return nil }
        return isLittle ? part.reversed().reduce(0) { $0 << 8 | Int($1) } : part.reduce(0) { $0 << 8 | Int($1) }
    }

    /// Returns `count` bytes from an offset; nil if they do not lie within the view.
    func part(at offset: Int, count: Int) -> UnsafeRawBufferPointer? {
        guard offset >= 0, count >= 0, count <= bytes.count, offset <= bytes.count - count else { return nil }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    }

    func has(_ text: String, at offset: Int) -> Bool {
        part(at: offset, count: text.utf8.count)?.elementsEqual(text.utf8) ?? false
    }
}
