/// The way through a terminal multiplexer to the terminal outside, which then draws at its own cursor.
///
/// The multiplexer knows nothing of what passes: positions in it count from the outer terminal's corner, and whatever it
/// redraws itself lies on top.
public enum Passthrough: String, Hashable, Sendable, CaseIterable {
    /// tmux 3.3 or later with `allow-passthrough on`.
    case tmux
    /// GNU screen.
    case screen

    /// The most bytes of one wrapped piece: 900,000 for tmux, whose buffer ends at 1 MiB, and 256 for screen.
    public var pieceLimit: Int {
        switch self {
        case .tmux: 900_000
        case .screen: 256
        }
    }

    /// The same bytes in control strings that the multiplexer unwraps and hands on.
    ///
    /// tmux gets whole escape sequences, as it may write between two pieces; a sequence that is longer than the limit
    /// stays in one piece, which tmux drops. Screen takes any pieces. Complexity: O(bytes).
    public func wrapped(_ bytes: [UInt8]) -> [UInt8] {
        guard !bytes.isEmpty else { return [] }
        return switch self {
        case .tmux: Self.wrappedForTmux(bytes, limit: pieceLimit)
        case .screen: Self.wrappedForScreen(bytes, limit: pieceLimit)
        }
    }

    private static let start = Array("\u{1B}P".utf8)
    private static let tmuxStart = Array("\u{1B}Ptmux;".utf8)
    private static let end = Array("\u{1B}\\".utf8)

    private static func wrappedForTmux(_ bytes: [UInt8], limit: Int) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + bytes.count / 256)
        var piece: [UInt8] = []
        for sequence in EscapeSequences.pieces(of: bytes) {
            let content = doubled(sequence)
            if !piece.isEmpty, tmuxStart.count + piece.count + content.count + end.count > limit {
                result += tmuxStart + piece + end
                piece = []
            }
            piece += content
        }
        return result + tmuxStart + piece + end
    }

    /// Within tmux's string every escape stands twice.
    private static func doubled(_ sequence: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(sequence.count + 4)
        var rest = sequence
        while let place = rest.firstIndex(of: EscapeSequences.escape) {
            result += rest[...place]
            result.append(EscapeSequences.escape)
            rest = rest[(place + 1)...]
        }
        return result + rest
    }

    /// Screen's string ends at `ESC \` only, so that the two never stand in one piece.
    private static func wrappedForScreen(_ bytes: [UInt8], limit: Int) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + bytes.count / 32)
        var rest = bytes[...]
        while !rest.isEmpty {
            var piece = rest.prefix(limit - start.count - end.count)
            if let split = firstTerminator(in: piece) { piece = piece[...split] }
            result += start + piece + end
            rest = rest[piece.endIndex...]
        }
        return result
    }

    /// The place of the first escape that a backslash follows.
    private static func firstTerminator(in piece: ArraySlice<UInt8>) -> Int? {
        piece.indices.dropLast().first { piece[$0] == EscapeSequences.escape && piece[$0 + 1] == UInt8(ascii: "\\") }
    }
}
