import Raster

/// A sixel stream cut into several that each begin in a text row of its own, for terminals that drop long strings.
struct SixelStrips {
    struct Strip: Hashable {
        /// How many text rows below the picture's top it begins.
        let row: Int
        let stream: [UInt8]
    }

    private let size: PixelSize
    private let definitions: ArraySlice<UInt8>
    private let bands: [ArraySlice<UInt8>]

    /// Takes a stream as our encoders write it, in which every band selects its colours itself; nil for any other.
    init?(_ stream: [UInt8]) {
        let introducer = Array(SixelEnvelope.introducer.utf8)
        guard stream.starts(with: introducer), stream.suffix(2).elementsEqual(SixelEnvelope.end) else { return nil }
        let content = stream[introducer.count..<(stream.count - 2)]
        let sides = content.prefix { Self.isParameter($0) }
        let numbers = String(decoding: sides, as: UTF8.self).split(separator: ";").compactMap { Int($0) }
        guard numbers.count == 2 else { return nil }
        size = PixelSize(width: numbers[0], height: numbers[1])
        let body = Self.endOfDefinitions(content[sides.endIndex...])
        definitions = content[sides.endIndex..<body]
        bands = content[body...].split(separator: SixelEnvelope.lineFeed, omittingEmptySubsequences: false)
    }

    /// Streams of at most `limit` bytes, as few as do; each begins at a border of both bands and rows of `cellHeight`.
    ///
    /// What lies between two such borders is never divided, so that a stream may be longer than a small limit.
    func strips(cellHeight: Int, limit: Int) -> [Strip] {
        let border = SixelEnvelope.borderOfBandsAndRows(CellSize(width: 1, height: cellHeight))
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

    /// Definitions are `#` and five numbers; the first selection, with one number, begins the bands.
    private static func endOfDefinitions(_ content: ArraySlice<UInt8>) -> Int {
        var place = content.startIndex
        while place < content.endIndex, content[place] == UInt8(ascii: "#") {
            let numbers = content[(place + 1)...].prefix { isParameter($0) }
            guard numbers.contains(UInt8(ascii: ";")) else { break }
            place = numbers.endIndex
        }
        return place
    }

    private static func isParameter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: ";")
    }
}
