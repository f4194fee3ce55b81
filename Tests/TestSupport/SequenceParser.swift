/// Cuts what a program writes into scalars, control sequences and strings, in pieces of any length.
package struct SequenceParser: Sendable {
    package enum Token: Equatable {
        case scalar(Unicode.Scalar)
        case escape(Unicode.Scalar)
        /// Which set of characters, and what it is set to.
        case charset(Unicode.Scalar, Unicode.Scalar)
        case control(String, Character)
        /// The introducer's letter and the body.
        case string(Unicode.Scalar, String)
    }

    private enum State {
        case ground
        case escape
        case charset(Unicode.Scalar)
        case control(String)
        case string(Unicode.Scalar, String.UnicodeScalarView, isEnding: Bool)
    }

    private var state = State.ground
    private var pending: [UInt8] = []

    package mutating func parse(_ bytes: some Sequence<UInt8>) -> [Token] {
        pending += bytes
        var tokens: [Token] = []
        for scalar in takeScalars() { step(scalar, &tokens) }
        return tokens
    }

    /// Everything but an unfinished character at the end.
    private mutating func takeScalars() -> [Unicode.Scalar] {
        let tail = pending.suffix(3)
        let start = tail.lastIndex { $0 & 0xC0 != 0x80 } ?? pending.endIndex
        let length = start < pending.endIndex ? Self.length(pending[start]) : 1
        let end = pending.endIndex - start < length ? start : pending.endIndex
        defer { pending.removeSubrange(..<end) }
        return Array(String(decoding: pending[..<end], as: UTF8.self).unicodeScalars)
    }

    private static func length(_ lead: UInt8) -> Int { lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1 }

    private mutating func step(_ scalar: Unicode.Scalar, _ tokens: inout [Token]) {
        switch state {
        case .ground:
            if scalar == "\u{1B}" { state = .escape } else { tokens.append(.scalar(scalar)) }
        case .escape: introduce(scalar, &tokens)
        case .charset(let set):
            state = .ground
            tokens.append(.charset(set, scalar))
        case .control(let body): control(body, scalar, &tokens)
        case .string(let kind, let body, let isEnding): string(kind, body, isEnding, scalar, &tokens)
        }
    }

    private mutating func introduce(_ scalar: Unicode.Scalar, _ tokens: inout [Token]) {
        switch scalar {
        case "[": state = .control("")
        case "P", "]", "_", "^", "X": state = .string(scalar, String.UnicodeScalarView(), isEnding: false)
        case "(", ")", "*", "+": state = .charset(scalar)
        default:
            state = .ground
            tokens.append(.escape(scalar))
        }
    }

    private mutating func control(_ body: String, _ scalar: Unicode.Scalar, _ tokens: inout [Token]) {
        switch scalar.value {
        case 0x40...0x7E:
            state = .ground
            tokens.append(.control(body, Character(scalar)))
        case 0x18: state = .ground
        case 0x1B: state = .escape
        default: state = .control(body + String(scalar))
        }
    }

    private mutating func string(
        _ kind: Unicode.Scalar, _ body: String.UnicodeScalarView, _ isEnding: Bool, _ scalar: Unicode.Scalar,
        _ tokens: inout [Token]
    ) {
        if isEnding || scalar == "\u{7}" && kind == "]" {
            state = .ground
            return tokens.append(.string(kind, String(body)))
        }
        if scalar == "\u{18}" {
            state = .ground
            return
        }
        if scalar == "\u{1B}" {
            state = .string(kind, body, isEnding: true)
            return
        }
        // Bodies of pictures are long: the one copy is given up before it grows.
        state = .ground
        var body = body
        body.append(scalar)
        state = .string(kind, body, isEnding: false)
    }
}
