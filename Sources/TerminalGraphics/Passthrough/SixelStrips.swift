import Raster

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

    /// Returns the fewest streams of at most `limit` bytes that start at multiples of bands and rows of `cellHeight`.
    ///
    /// The bands between two such multiples are never divided, so a stream may exceed a small limit.
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
