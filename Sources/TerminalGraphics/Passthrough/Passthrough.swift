import Raster

/// The encoding of output for the terminal outside a multiplexer.
///
/// The multiplexer does not know about these bytes: they draw at the outer terminal's cursor, positions count from the
/// outer terminal's corner, and everything that the multiplexer redraws covers them.
public enum Passthrough: String, Hashable, Sendable, CaseIterable {
    /// tmux 3.3 or later with `allow-passthrough on`.
    case tmux
    /// GNU screen.
    case screen

    /// The largest wrapped piece in bytes: 900,000 for tmux, whose buffer ends at 1 MiB, and 256 for screen.
    package var pieceLimit: Int {
        switch self {
        case .tmux: 900_000
        case .screen: 256
        }
    }

    /// The largest control string that fits into a piece with its envelope and doubled escapes.
    package var stringLimit: Int { pieceLimit - 1000 }

    /// Wraps bytes in control strings that the multiplexer unwraps and forwards.
    ///
    /// tmux gets whole escape sequences, as it may write between two pieces; a sequence longer than the limit stays in
    /// one piece, which tmux drops. Screen accepts any pieces. Complexity: O(bytes).
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

    /// Doubles every escape, as tmux's string requires.
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

    /// Splits between `ESC` and `\`, which would end screen's string.
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

    /// Returns the index of the first escape before a backslash.
    private static func firstTerminator(in piece: ArraySlice<UInt8>) -> Int? {
        piece.indices.dropLast().first { piece[$0] == EscapeSequences.escape && piece[$0 + 1] == UInt8(ascii: "\\") }
    }
}

/// Divides output into parts that a terminal must receive in one piece (ECMA-48, section 5).
enum EscapeSequences {
    /// Returns control strings, control sequences, other escape sequences, and the text between them.
    ///
    /// The concatenated pieces are `bytes`; an unterminated sequence is the last piece. Complexity: O(bytes).
    static func pieces(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let end = end(of: rest)
            pieces.append(rest[..<end])
            rest = rest[end...]
        }
        return pieces
    }

    static let escape: UInt8 = 0x1B

    private static func end(of rest: ArraySlice<UInt8>) -> Int {
        guard rest.first == escape else { return rest.firstIndex(of: escape) ?? rest.endIndex }
        let after = rest.dropFirst(2)
        switch rest.dropFirst().first {
        case UInt8(ascii: "["): return after.firstIndex { (0x40...0x7E).contains($0) }.map { $0 + 1 } ?? rest.endIndex
        case UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"):
            return endOfString(after, mayEndInBell: false)
        case UInt8(ascii: "]"): return endOfString(after, mayEndInBell: true)
        case escape: return rest.startIndex + 1
        default:
            let final = rest.dropFirst().firstIndex { !(0x20...0x2F).contains($0) }
            return final.map { $0 + 1 } ?? rest.endIndex
        }
    }

    /// Returns the index after the string terminator, `ESC \`, or after the bell that xterm allows instead.
    private static func endOfString(_ content: ArraySlice<UInt8>, mayEndInBell: Bool) -> Int {
        var rest = content
        while let place = rest.firstIndex(where: { $0 == escape || mayEndInBell && $0 == 0x07 }) {
            if rest[place] == 0x07 { return place + 1 }
            if place + 1 < rest.endIndex, rest[place + 1] == UInt8(ascii: "\\") { return place + 2 }
            rest = rest[(place + 1)...]
        }
        return content.endIndex
    }
}

/// Divides a sixel stream into several that each start at their own text row, for terminals that drop long strings.
struct SixelStrips {
    struct Strip: Hashable {
        /// The strip's first text row, counted from the picture's top.
        let row: Int
        let stream: [UInt8]
    }

    private let size: PixelSize
    private let definitions: ArraySlice<UInt8>
    private let bands: [ArraySlice<UInt8>]

    /// Parses a stream of our encoders, in which every band selects its colours itself; nil for any other.
    init?(_ stream: [UInt8]) {
        let introducer = Array(SixelEnvelope.introducer.utf8)
        guard stream.starts(with: introducer), stream.suffix(2).elementsEqual(SixelEnvelope.end) else { return nil }
        let content = stream[introducer.count..<(stream.count - 2)]
        let sides = content.prefix { SixelEnvelope.isParameter($0) }
        let numbers = String(decoding: sides, as: UTF8.self).split(separator: ";").compactMap { Int($0) }
        guard numbers.count == 2 else { return nil }
        size = PixelSize(width: numbers[0], height: numbers[1])
        let body = Self.endOfDefinitions(content[sides.endIndex...])
        definitions = content[sides.endIndex..<body]
        bands = content[body...].split(separator: SixelEnvelope.lineFeed, omittingEmptySubsequences: false)
    }

    /// Splits the picture into as few streams as possible, each of at most `limit` bytes.
    ///
    /// Each stream starts at a row that is a multiple of the band height and of `cellHeight`. The bands between two
    /// such rows stay together, so a stream can exceed a small limit.
    func strips(cellHeight: Int, limit: Int) -> [Strip] {
        let border = SixelEnvelope.alignment(to: CellSize(width: 1, height: cellHeight))
        let unit = border / SixelEnvelope.bandHeight
        var strips: [Strip] = []
        var first = 0
        var count = 0
        for start in stride(from: 0, to: bands.count, by: unit) {
            let next = bands[start..<min(start + unit, bands.count)].reduce(0) { $0 + $1.count + 1 }
            if start > first, count + next + definitions.count + 40 > limit {
                strips.append(strip(first..<start, cellHeight))
                (first, count) = (start, 0)
            }
            count += next
        }
        return strips + [strip(first..<bands.count, cellHeight)]
    }

    private func strip(_ range: Range<Int>, _ cellHeight: Int) -> Strip {
        let top = range.lowerBound * SixelEnvelope.bandHeight
        let height = min(range.count * SixelEnvelope.bandHeight, size.height - top)
        var stream = Array("\(SixelEnvelope.introducer)\(size.width);\(height)".utf8) + definitions
        for band in range {
            if band > range.lowerBound { stream.append(SixelEnvelope.lineFeed) }
            stream += bands[band]
        }
        return Strip(row: top / max(1, cellHeight), stream: stream + SixelEnvelope.end)
    }

    /// Returns the end of the definitions: `#` and five numbers each; a selection has one number.
    private static func endOfDefinitions(_ content: ArraySlice<UInt8>) -> Int {
        var place = content.startIndex
        while place < content.endIndex, content[place] == UInt8(ascii: "#") {
            let numbers = content[(place + 1)...].prefix { SixelEnvelope.isParameter($0) }
            guard numbers.contains(UInt8(ascii: ";")) else { break }
            place = numbers.endIndex
        }
        return place
    }
}
