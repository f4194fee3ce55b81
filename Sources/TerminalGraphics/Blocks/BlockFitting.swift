import Raster

/// Chooses the block character and the two colours that match a cell's pixels best.
///
/// A shape's colours are the means of the pixels inside and outside. The gain, by which the sum of squared differences
/// decreases, follows from the difference between the shape's sum and n times the cell's mean. The shape with the
/// greatest gain is chosen.
struct BlockFitting: Sendable {
    /// Sums of red, green, blue and alpha of opaque pixels; alpha is therefore 255 times the number of pixels.
    typealias Sum = SIMD4<Int32>

    /// A shape with its gain and the sum of the pixels inside.
    struct Candidate {
        var shape = 0
        var gain: Float = 0
        var inside: SIMD4<Float> = .zero
    }

    /// The number of shapes that are tried with a palette's colours.
    private static let candidateCount = 3

    private let picture: PixelBuffer
    private let grid: GridSize
    private let areas: [BlockShape.Area]
    private let palette: BlockPalette?
    private let hasDots: Bool
    /// The eighth of its cell that each pixel column belongs to.
    private let columnParts: [UInt8]

    /// Creates a fitting for an opaque picture of at least 8×8 pixels per cell; `palette` is nil if all colours can be
    /// shown.
    init(_ picture: PixelBuffer, grid: GridSize, set: BlockSet, palette: BlockPalette?) {
        (self.picture, self.grid, self.palette) = (picture, grid, palette)
        areas = BlockShape.all.prefix(set.count).map(\.area)
        hasDots = set != .ascii
        let width = picture.size.width
        columnParts = (0..<grid.columns).flatMap { column in
            let span = Self.span(column, of: grid.columns, over: width)
            return span.map { UInt8(($0 - span.lowerBound) * 8 / span.count) }
        }
    }

    /// Returns a row of cells.
    func cells(row: Int) -> [BlockCell] {
        let rows = Self.span(row, of: grid.rows, over: picture.size.height)
        return withUnsafeTemporaryAllocation(of: Sum.self, capacity: BlockParts.count) { sums in
            withUnsafeTemporaryAllocation(of: Candidate.self, capacity: Self.candidateCount) { candidates in
                picture.bytes.withUnsafeBytes { bytes in
                    columnParts.withUnsafeBufferPointer { columnParts in
                        (0..<grid.columns).map { column in
                            let columns = Self.span(column, of: grid.columns, over: picture.size.width)
                            var parts = BlockParts(sums)
                            parts.collect(bytes, width: picture.size.width, columns, rows, columnParts)
                            return nearest(parts, candidates)
                        }
                    }
                }
            }
        }
    }

    /// Returns the pixels of one of `count` equal parts of `length`.
    private static func span(_ part: Int, of count: Int, over length: Int) -> Range<Int> {
        part * length / count..<(part + 1) * length / count
    }

    private func nearest(_ parts: BlockParts, _ candidates: UnsafeMutableBufferPointer<Candidate>) -> BlockCell {
        let all = SIMD4<Float>(parts.all)
        let mean = all / all.w
        let limit = palette == nil ? 1 : Self.candidateCount
        candidates.initialize(repeating: Candidate(inside: all))
        for shape in areas.indices.dropFirst() {
            let inside = SIMD4<Float>(parts.sum(of: areas[shape]))
            let outside = all.w - inside.w
            guard inside.w > 0, outside > 0 else { continue }
            let difference = inside - mean * inside.w
            let gain = (difference * difference).sum() * all.w / (inside.w * outside)
            var place = limit
            while place > 0, gain > candidates[place - 1].gain * 1.000_01 + 1e-6 { place -= 1 }
            guard place < limit else { continue }
            for later in stride(from: limit - 1, to: place, by: -1) { candidates[later] = candidates[later - 1] }
            candidates[place] = Candidate(shape: shape, gain: gain, inside: inside)
        }
        guard let palette else { return cell(candidates[0], all) }
        return palette.cell(UnsafeBufferPointer(rebasing: candidates[0..<limit]), all: all, hasDots: hasDots)
    }

    private func cell(_ candidate: Candidate, _ all: SIMD4<Float>) -> BlockCell {
        let (inside, outside) = (candidate.inside, all - candidate.inside)
        let foreground = Self.color(inside / inside.w * 255)
        return BlockCell(
            shape: UInt8(candidate.shape), foreground: foreground,
            background: outside.w > 0 ? Self.color(outside / outside.w * 255) : foreground)
    }

    private static func color(_ values: SIMD4<Float>) -> Color {
        Color(red: UInt8(values.x + 0.5), green: UInt8(values.y + 0.5), blue: UInt8(values.z + 0.5))
    }
}

/// The sums of a cell's pixels in the parts that make up shapes; valid no longer than the given memory.
struct BlockParts {
    typealias Sum = BlockFitting.Sum

    /// Eighths of the height in the left and the right half, eighths of the width, and sixths.
    static let count = 8 + 8 + 8 + 6

    private let sums: UnsafeMutableBufferPointer<Sum>
    /// The sum of all pixels.
    private(set) var all = Sum.zero

    init(_ sums: UnsafeMutableBufferPointer<Sum>) {
        self.sums = sums
    }

    /// Sums the pixels of some rows and columns; `columnParts` has the eighth of each column.
    @inline(__always)
    mutating func collect(
        _ pixels: UnsafeRawBufferPointer, width: Int, _ columns: Range<Int>, _ rows: Range<Int>,
        _ columnParts: UnsafeBufferPointer<UInt8>
    ) {
        sums.initialize(repeating: .zero)
        for y in rows {
            let eighth = (y &- rows.lowerBound) &* 8 / rows.count
            let third = (y &- rows.lowerBound) &* 3 / rows.count
            var halves = (left: Sum.zero, right: Sum.zero)
            for x in columns {
                let packed = pixels.loadUnaligned(fromByteOffset: (y &* width &+ x) &* 4, as: UInt32.self)
                let pixel = Sum(truncatingIfNeeded: unsafeBitCast(packed, to: SIMD4<UInt8>.self))
                let part = Int(columnParts[x])
                sums[16 &+ part] &+= pixel
                if part < 4 { halves.left &+= pixel } else { halves.right &+= pixel }
            }
            sums[eighth] &+= halves.left
            sums[8 &+ eighth] &+= halves.right
            sums[24 &+ third &* 2] &+= halves.left
            sums[25 &+ third &* 2] &+= halves.right
        }
        all = total(16..<24)
    }

    /// Returns the sum of the pixels inside a shape.
    func sum(of area: BlockShape.Area) -> Sum {
        switch area {
        case .quarters(let parts):
            (0..<4).reduce(.zero) { sum, part in
                guard parts >> part & 1 == 1 else { return sum }
                let start = part % 2 * 8 + part / 2 * 4
                return sum &+ total(start..<start + 4)
            }
        case .lower(let eighths): total(8 - eighths..<8) &+ total(16 - eighths..<16)
        case .left(let eighths): total(16..<16 + eighths)
        case .sixths(let parts):
            (0..<6).reduce(.zero) { sum, part in parts >> part & 1 == 1 ? sum &+ sums[24 + part] : sum }
        case .dots: .zero
        }
    }

    private func total(_ range: Range<Int>) -> Sum {
        range.reduce(.zero) { $0 &+ sums[$1] }
    }
}
