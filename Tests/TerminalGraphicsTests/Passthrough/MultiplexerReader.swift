@testable import TerminalGraphics

/// What multiplexers hand on to the terminal outside, written from how they read their input.
enum MultiplexerReader {
    typealias Refusal = Unpacking.Refusal

    /// The contents of the pieces, and their lengths with the envelopes.
    struct Pieces {
        var contents: [[UInt8]] = []
        var lengths: [Int] = []

        var joined: [UInt8] { Array(contents.joined()) }
    }

    static func read(_ bytes: [UInt8], of passthrough: Passthrough) throws(Refusal) -> Pieces {
        let introducer = Array((passthrough == .tmux ? "\u{1B}Ptmux;" : "\u{1B}P").utf8)
        var pieces = Pieces()
        var rest = bytes[...]
        while !rest.isEmpty {
            guard rest.starts(with: introducer) else { throw Refusal(reason: "introducer") }
            let before = rest.count
            rest = rest.dropFirst(introducer.count)
            pieces.contents.append(
                passthrough == .tmux ? try tmuxContent(&rest) : try screenContent(&rest))
            pieces.lengths.append(before - rest.count)
        }
        return pieces
    }

    /// Two escapes are one; one and a backslash are the end; one and anything else is a fault.
    private static func tmuxContent(_ rest: inout ArraySlice<UInt8>) throws(Refusal) -> [UInt8] {
        var content: [UInt8] = []
        while let byte = rest.popFirst() {
            guard byte == 0x1B else {
                content.append(byte)
                continue
            }
            switch rest.popFirst() {
            case 0x1B: content.append(0x1B)
            case UInt8(ascii: "\\"): return content
            default: throw Refusal(reason: "bare escape")
            }
        }
        throw Refusal(reason: "no end")
    }

    /// An escape is held back until it is known that no backslash follows.
    private static func screenContent(_ rest: inout ArraySlice<UInt8>) throws(Refusal) -> [UInt8] {
        var content: [UInt8] = []
        var holdsEscape = false
        while let byte = rest.popFirst() {
            if holdsEscape, byte == UInt8(ascii: "\\") { return content }
            if holdsEscape { content.append(0x1B) }
            holdsEscape = byte == 0x1B
            if !holdsEscape { content.append(byte) }
        }
        throw Refusal(reason: "no end")
    }
}
