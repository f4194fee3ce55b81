/// Cuts the bytes of a JSON array, or of objects one behind another, which arrive in pieces, into its elements, and holds
/// never more than one.
///
/// It knows no more of JSON than texts and brackets: whether an element makes sense is not looked at. A lost quote costs
/// its own element: a text ends with its line, as JSON has it, and what begins no further right than the element did is
/// the next one then. An element over the limit is not kept. An array begins a line; before it there may be comments.
struct JSONElementSplitter {
    private enum State {
        case outside, between, scalar
        case nested(depth: Int)
        case text(depth: Int, isEscaped: Bool)
    }

    /// In bytes.
    let limit: Int
    /// Whether there are brackets around the elements, and commas between them.
    let isArray: Bool
    /// The line the reading is on, from 1.
    private(set) var line = 1
    private var state: State
    private var bytes: [UInt8] = []
    private var first = 1
    private var fault: ListLine.Fault?
    private var isOutsideTold = false
    /// Whether the line is one, outside of the array.
    private var isComment = false
    /// Bytes of the line so far, whether they are blanks, and where the element began on its own.
    private var column = 0
    private var isLineStart = true
    private var firstColumn = 0

    init(limit: Int = 64 * 1024, isArray: Bool = true) {
        self.limit = limit
        self.isArray = isArray
        state = isArray ? .outside : .between
    }

    /// The elements that end within the bytes.
    mutating func feed(_ bytes: [UInt8]) -> [ListLine] {
        var elements: [ListLine] = []
        for byte in bytes {
            if isNextElement(byte) { elements.append(element()) }
            take(byte, into: &elements)
            move(past: byte)
        }
        return elements
    }

    private func isNextElement(_ byte: UInt8) -> Bool {
        fault == .openText && isLineStart && column <= firstColumn && byte == UInt8(ascii: "{")
    }

    private mutating func move(past byte: UInt8) {
        if byte == UInt8(ascii: "\n") {
            line += 1
            (column, isLineStart) = (0, true)
        } else {
            column += 1
            isLineStart = isLineStart && byte <= 0x20
        }
    }

    /// What is wrong when the bytes end within the array.
    var missingEnd: MissingEnd? {
        switch state {
        case .outside: nil
        case .between where !isArray: nil
        case .between: MissingEnd(line: line, reason: "the array has no end: ] is missing")
        case .scalar, .nested, .text:
            MissingEnd(line: first, reason: "the \(isArray ? "array" : "JSON") ends within this element")
        }
    }

    private mutating func take(_ byte: UInt8, into elements: inout [ListLine]) {
        switch state {
        case .outside: begin(byte, &elements)
        case .between: takeBetween(byte)
        case .scalar where byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]"):
            elements.append(element())
            state = byte == UInt8(ascii: ",") ? .between : .outside
        case .scalar where byte == UInt8(ascii: "\n") && !isArray: elements.append(element())
        case .scalar: keep(byte)
        case .nested(let depth):
            keep(byte)
            state = Self.state(after: byte, depth)
            if case .nested(0) = state { elements.append(element()) }
        case .text(let depth, let isEscaped):
            keep(byte)
            let isOpen = byte == UInt8(ascii: "\n")
            if isOpen { fault = fault ?? .openText }
            state = .text(depth: depth, isEscaped: byte == UInt8(ascii: "\\") && !isEscaped)
            guard isOpen || byte == UInt8(ascii: "\"") && !isEscaped else { return }
            state = .nested(depth: depth)
            if depth == 0 { elements.append(element()) }
        }
    }

    private mutating func begin(_ byte: UInt8, _ elements: inout [ListLine]) {
        if isLineStart, byte > 0x20 { isComment = byte == UInt8(ascii: "#") }
        if isLineStart, byte == UInt8(ascii: "[") {
            state = .between
        } else if byte > 0x20, !isComment, !isOutsideTold {
            isOutsideTold = true
            elements.append(ListLine(number: line, content: .failure(.outside)))
        }
    }

    private mutating func takeBetween(_ byte: UInt8) {
        if !isArray, isLineStart, byte > 0x20 { isComment = byte == UInt8(ascii: "#") }
        if isComment, !isArray { return }
        switch byte {
        case UInt8(ascii: "]") where isArray: state = .outside
        case UInt8(ascii: ","), 0x00...0x20: break
        case UInt8(ascii: "{"), UInt8(ascii: "["): start(byte, .nested(depth: 1))
        case UInt8(ascii: "\""): start(byte, .text(depth: 0, isEscaped: false))
        default: start(byte, .scalar)
        }
    }

    private mutating func start(_ byte: UInt8, _ new: State) {
        (first, firstColumn, state) = (line, column, new)
        keep(byte)
    }

    private static func state(after byte: UInt8, _ depth: Int) -> State {
        switch byte {
        case UInt8(ascii: "\""): .text(depth: depth, isEscaped: false)
        case UInt8(ascii: "{"), UInt8(ascii: "["): .nested(depth: depth + 1)
        case UInt8(ascii: "}"), UInt8(ascii: "]"): .nested(depth: depth - 1)
        default: .nested(depth: depth)
        }
    }

    private mutating func keep(_ byte: UInt8) {
        guard fault == nil else { return }
        bytes.append(byte)
        guard bytes.count > limit else { return }
        fault = .tooLong
        bytes.removeAll()
    }

    private mutating func element() -> ListLine {
        defer {
            bytes.removeAll(keepingCapacity: true)
            (state, fault) = (.between, nil)
        }
        if let fault { return ListLine(number: first, content: .failure(fault)) }
        return ListLine(number: first, content: Result { () throws(ListLine.Fault) in try ListLine.text(bytes[...]) })
    }
}
