/// Splits the bytes of a JSON array, or of objects in sequence, into elements; holds one element at most.
///
/// Knows strings and brackets only and does not validate elements. An element over the limit is discarded. An array
/// begins at the start of a line.
struct JSONElementSplitter {
    private enum State {
        case outside, between, scalar
        case nested(depth: Int)
        case string(depth: Int, isEscaped: Bool)
    }

    /// The maximum length of an element in bytes.
    let limit: Int
    /// Whether the elements are those of an array; otherwise they follow each other without brackets around them.
    let isArray: Bool
    /// The number of the current line, from 1.
    private(set) var line = 1
    private var state: State
    private var bytes: [UInt8] = []
    private var firstLine = 1
    private var error: ListLine.ReadError?
    private var hasReportedOutside = false
    /// Whether the bytes before the current one in its line are blank.
    private var isLineStart = true

    init(isArray: Bool, limit: Int = 4 << 20) {
        self.limit = limit
        self.isArray = isArray
        state = isArray ? .outside : .between
    }

    /// Returns the elements that end within the bytes.
    mutating func feed(_ bytes: [UInt8]) -> [ListLine] {
        var elements: [ListLine] = []
        for byte in bytes {
            consume(byte, into: &elements)
            let isLineEnd = byte == UInt8(ascii: "\n")
            if isLineEnd { line += 1 }
            isLineStart = isLineEnd || isLineStart && byte <= 0x20
        }
        return elements
    }

    /// The incomplete element or array, if the bytes end here.
    var truncation: Truncation? {
        switch state {
        case .outside: nil
        case .between where !isArray: nil
        case .between: Truncation(line: line, reason: "the JSON array has no closing bracket")
        case .scalar, .nested, .string: Truncation(line: firstLine, reason: "the JSON ends within this element")
        }
    }

    private mutating func consume(_ byte: UInt8, into elements: inout [ListLine]) {
        switch state {
        case .outside: consumeOutside(byte, &elements)
        case .between: consumeBetween(byte)
        case .scalar where byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]"):
            elements.append(finishElement())
            state = byte == UInt8(ascii: ",") || !isArray ? .between : .outside
        case .scalar where byte == UInt8(ascii: "\n") && !isArray: elements.append(finishElement())
        case .scalar: append(byte)
        case .nested(let depth):
            append(byte)
            state = Self.state(after: byte, depth)
            if case .nested(0) = state { elements.append(finishElement()) }
        case .string(let depth, let isEscaped):
            append(byte)
            state = .string(depth: depth, isEscaped: byte == UInt8(ascii: "\\") && !isEscaped)
            guard byte == UInt8(ascii: "\""), !isEscaped else { return }
            state = .nested(depth: depth)
            if depth == 0 { elements.append(finishElement()) }
        }
    }

    private mutating func consumeOutside(_ byte: UInt8, _ elements: inout [ListLine]) {
        if isLineStart, byte == UInt8(ascii: "[") {
            state = .between
        } else if byte > 0x20, !hasReportedOutside {
            hasReportedOutside = true
            elements.append(ListLine(number: line, content: .failure(.outsideArray)))
        }
    }

    private mutating func consumeBetween(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "]") where isArray: state = .outside
        case UInt8(ascii: ","), 0x00...0x20: break
        case UInt8(ascii: "{"), UInt8(ascii: "["): beginElement(byte, .nested(depth: 1))
        case UInt8(ascii: "\""): beginElement(byte, .string(depth: 0, isEscaped: false))
        default: beginElement(byte, .scalar)
        }
    }

    private mutating func beginElement(_ byte: UInt8, _ state: State) {
        (firstLine, self.state) = (line, state)
        append(byte)
    }

    private static func state(after byte: UInt8, _ depth: Int) -> State {
        switch byte {
        case UInt8(ascii: "\""): .string(depth: depth, isEscaped: false)
        case UInt8(ascii: "{"), UInt8(ascii: "["): .nested(depth: depth + 1)
        case UInt8(ascii: "}"), UInt8(ascii: "]"): .nested(depth: depth - 1)
        default: .nested(depth: depth)
        }
    }

    private mutating func append(_ byte: UInt8) {
        guard error == nil else { return }
        bytes.append(byte)
        guard bytes.count > limit else { return }
        error = .elementTooLong
        bytes.removeAll()
    }

    private mutating func finishElement() -> ListLine {
        defer {
            bytes.removeAll(keepingCapacity: true)
            (state, error) = (.between, nil)
        }
        if let error { return ListLine(number: firstLine, content: .failure(error)) }
        return ListLine(
            number: firstLine,
            content: Result { () throws(ListLine.ReadError) in try ListLine.text(bytes[...]) })
    }
}
