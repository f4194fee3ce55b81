/// Cuts bytes that arrive in pieces into lines, and holds never more than one line.
///
/// Lines end in LF or CRLF. A line over the limit is not kept: it is counted, and comes out as a fault.
struct LineSplitter {
    /// In bytes, without the line end.
    let limit: Int
    private(set) var number = 0
    private var pending: [UInt8] = []
    private var overlong = false

    /// Whether the bytes so far end with a line.
    var isBetweenLines: Bool { pending.isEmpty && !overlong }

    /// Whether a line has begun, with neither a blank nor what makes it a comment.
    var beginsWithText: Bool { pending.first.map { !$0.isBlank && $0 != UInt8(ascii: "#") } ?? false }

    init(limit: Int = 64 * 1024) {
        self.limit = limit
    }

    /// The lines that end within the bytes.
    mutating func feed(_ bytes: [UInt8]) -> [ListLine] {
        var lines: [ListLine] = []
        var rest = bytes[...]
        while let end = rest.place(of: UInt8(ascii: "\n")) {
            keep(rest[..<end])
            lines.append(take())
            rest = rest[(end + 1)...]
        }
        keep(rest)
        return lines
    }

    /// The last line, when it has no line end.
    mutating func finish() -> ListLine? {
        isBetweenLines ? nil : take()
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        // One more than the limit, for the CR of a CRLF.
        if overlong || pending.count + bytes.count > limit + 1 {
            overlong = true
            pending.removeAll()
        } else {
            pending.append(contentsOf: bytes)
        }
    }

    private mutating func take() -> ListLine {
        defer {
            pending.removeAll(keepingCapacity: true)
            overlong = false
        }
        number += 1
        return ListLine(number: number, content: overlong ? .failure(.tooLong) : content())
    }

    private func content() -> Result<String, ListLine.Fault> {
        var bytes = pending[...]
        if bytes.last == UInt8(ascii: "\r") { bytes = bytes.dropLast() }
        if bytes.count > limit { return .failure(.tooLong) }
        return Result { () throws(ListLine.Fault) in try ListLine.text(bytes) }
    }
}
