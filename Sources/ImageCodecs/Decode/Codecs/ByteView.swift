/// Bytes that are looked at by offset, never past their end.
struct ByteView {
    let bytes: UnsafeRawBufferPointer

    /// One to four bytes as a number; nil where they are not all there.
    func number(at offset: Int, bytes count: Int, isLittle: Bool = false) -> Int? {
        guard let part = part(at: offset, count: count) else { return nil }
        return isLittle ? part.reversed().reduce(0) { $0 << 8 | Int($1) } : part.reduce(0) { $0 << 8 | Int($1) }
    }

    /// `count` bytes; nil where they are not all there.
    func part(at offset: Int, count: Int) -> UnsafeRawBufferPointer? {
        guard offset >= 0, count >= 0, count <= bytes.count, offset <= bytes.count - count else { return nil }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    }

    func has(_ text: String, at offset: Int) -> Bool {
        part(at: offset, count: text.utf8.count)?.elementsEqual(text.utf8) ?? false
    }
}
