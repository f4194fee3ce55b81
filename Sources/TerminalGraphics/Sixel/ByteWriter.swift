/// A place in memory that takes bytes one after the other; what does not fit is a programming error and is left out.
struct ByteWriter {
    private let room: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(_ room: UnsafeMutableBufferPointer<UInt8>) {
        self.room = room
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        guard count < room.count else { return }
        room[count] = byte
        count &+= 1
    }

    /// Writes a sixel `times` times over, as a repeat introducer where that is shorter.
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

    /// Writes a number that is not negative.
    mutating func append(decimal number: Int) {
        if number > 9 { append(decimal: number / 10) }
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }
}

extension [UInt8] {
    /// Appends what `body` writes, at most `room` bytes.
    mutating func append(room: Int, _ body: (inout ByteWriter) -> Void) {
        let start = count
        self += [UInt8](unsafeUninitializedCapacity: room) { buffer, written in
            var writer = ByteWriter(buffer)
            body(&writer)
            written = writer.count
        }
        assert(count - start <= room)
    }
}
