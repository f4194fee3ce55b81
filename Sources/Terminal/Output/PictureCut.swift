/// How a picture that is half written is ended.
public enum PictureCut: Equatable, Sendable {
    /// CAN and ST at any byte, then some more bytes.
    case cancel(then: [UInt8] = [])
    /// The control string that is being written to its end, then some more bytes.
    case afterString(then: [UInt8])

    /// Ends a control string at any byte.
    static let cancellation = [ControlSequence.cancel, .stringTerminator].bytes

    var ending: [UInt8] {
        switch self {
        case .cancel(let bytes), .afterString(let bytes): bytes
        }
    }

    /// Returns the rest of the control string of which `written` bytes are out; empty between two strings.
    static func endOfString(_ bytes: [UInt8], from written: Int) -> [UInt8] {
        let terminator = ControlSequence.stringTerminator.bytes
        if bytes[..<written].suffix(2).elementsEqual(terminator) { return [] }
        var end = written
        while end < bytes.count, end < 2 || bytes[end - 2..<end] != terminator[...] { end += 1 }
        return Array(bytes[written..<end])
    }
}
