/// Writes bytes to preallocated memory; bytes beyond its end are dropped, which is a programming error.
struct ByteWriter {
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
        self.buffer = buffer
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        guard count < buffer.count else { return }
        buffer[count] = byte
        count &+= 1
    }

    /// Writes a sixel several times, with a repeat introducer if that is shorter.
    @inline(__always)
    mutating func append(_ sixel: UInt8, times: Int) {
        if times > 3 {
            append(UInt8(ascii: "!"))
            append(decimal: times)
            append(sixel)
        } else {
            for _ in 0..<times { append(sixel) }
        }
    }

    /// Writes a non-negative number.
    mutating func append(decimal number: Int) {
        if number > 9 { append(decimal: number / 10) }
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }
}

extension [UInt8] {
    /// Appends the bytes that `body` writes, at most `capacity`.
    mutating func append(capacity: Int, _ body: (inout ByteWriter) -> Void) {
        let start = count
        self += [UInt8](unsafeUninitializedCapacity: capacity) { buffer, written in
            var writer = ByteWriter(buffer)
            body(&writer)
            written = writer.count
        }
        assert(count - start <= capacity)
    }
}
