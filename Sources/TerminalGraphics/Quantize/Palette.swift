import Raster

/// A palette of up to 256 colours of the register grid, with a nearest-colour lookup; frames may share it.
public struct Palette: Hashable, Sendable {
    /// The colours, 1…256, distinct and opaque.
    package let colors: [Color]
    let table: NearestColorTable

    /// Rounds colours to the register grid, and drops duplicates and all after the 256th; black if there are none.
    package init(colors: [Color]) {
        var seen: Set<Color> = []
        let distinct = colors.map(RegisterGrid.nearest).filter { seen.insert($0).inserted }
        self.colors = distinct.isEmpty ? [.black] : Array(distinct.prefix(256))
        table = NearestColorTable(colors: self.colors)
    }

    /// Returns the index of the nearest colour, compared at six bits per channel.
    package func index(nearestTo color: Color) -> Int {
        Int(table[color.red, color.green, color.blue])
    }

    /// Returns the mean distance of a picture's visible pixels to their nearest colours, in eight-bit intensities.
    ///
    /// About 4,000 pixels are sampled. Complexity: O(1).
    package func meanDistance(to picture: PixelBuffer) -> Double {
        let step = max(1, picture.size.area / 4096) | 1
        var (sum, count) = (0.0, 0)
        for place in stride(from: 0, to: picture.size.area, by: step) {
            let color = picture[place % picture.size.width, place / picture.size.width]
            guard color.alpha > 127 else { continue }
            sum += Double(colors[index(nearestTo: color)].squaredDistance(to: color)).squareRoot()
            count += 1
        }
        return count > 0 ? sum / Double(count) : 0
    }

    /// The mean distance of a colour to the nearest other one, in eight-bit intensities; 255 for a single colour.
    var spacing: Double {
        guard colors.count > 1 else { return 255 }
        let distances = colors.map { color in
            colors.lazy.filter { $0 != color }.map { $0.squaredDistance(to: color) }.min() ?? 0
        }
        return distances.map { Double($0).squareRoot() }.reduce(0, +) / Double(colors.count)
    }
}

/// A lookup table from colours, six bits per channel, to the index of the nearest colour of a palette.
///
/// Built by halving the colour cube: each part is given only the palette colours that can be nearest somewhere inside
/// it, and is filled at once when a single one remains.
struct NearestColorTable: Hashable, Sendable {
    static let bits = 6
    /// The number of cells along one side of the cube.
    static let side = 1 << bits

    /// One index per cell, with red in the highest bits.
    let indices: [UInt8]

    /// Creates the table for 1…256 colours in O(cells) with a small factor.
    init(colors: [Color]) {
        let points = colors.prefix(256).map { SIMD4<Int32>(Int32($0.red), Int32($0.green), Int32($0.blue), 0) }
        let side = Self.side
        indices = [UInt8](unsafeUninitializedCapacity: side * side * side) { table, count in
            table.initialize(repeating: 0)
            Self.fill(table, points)
            count = table.count
        }
    }

    private static func fill(_ table: UnsafeMutableBufferPointer<UInt8>, _ points: [SIMD4<Int32>]) {
        guard !points.isEmpty else { return }
        points.withUnsafeBufferPointer { points in
            let depth = bits + 2
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: points.count * depth) { candidates in
                for index in points.indices { candidates[index] = UInt8(truncatingIfNeeded: index) }
                let builder = CubeDivision(table: table, points: points, candidates: candidates)
                builder.divide(Cube(corner: .zero, side: Int32(side)), candidates: 0..<points.count)
            }
        }
    }

    /// The index of the nearest colour.
    subscript(red: UInt8, green: UInt8, blue: UInt8) -> UInt8 {
        indices[Int(red >> 2) << 12 | Int(green >> 2) << 6 | Int(blue >> 2)]
    }
}

/// A part of the colour cube, measured in cells.
private struct Cube {
    let corner: SIMD4<Int32>
    let side: Int32

    /// Twice the eight-bit intensities of the centre.
    var doubledCenter: SIMD4<Int32> { corner &* 8 &+ (side &* 4 &- 1) }
    /// The distance between the centres of the outermost cells, in eight-bit intensities.
    var doubledReach: Int32 { (side &- 1) &* 4 }
}

/// The work of filling a table; its pointers are valid only during the initializer that creates it.
private struct CubeDivision {
    let table: UnsafeMutableBufferPointer<UInt8>
    let points: UnsafeBufferPointer<SIMD4<Int32>>
    /// A stack of candidate lists, one for each level of division.
    let candidates: UnsafeMutableBufferPointer<UInt8>

    func divide(_ cube: Cube, candidates range: Range<Int>) {
        let nearest = nearest(to: cube, range)
        guard cube.side > 1 else { return fill(cube, nearest) }
        let kept = keepContenders(of: cube, nearest: nearest, range)
        guard kept.count > 1 else { return fill(cube, nearest) }
        let half = cube.side / 2
        for part in 0..<Int32(8) {
            let offset = SIMD4(part & 1, part >> 1 & 1, part >> 2 & 1, 0) &* half
            divide(Cube(corner: cube.corner &+ offset, side: half), candidates: kept)
        }
    }

    private func nearest(to cube: Cube, _ range: Range<Int>) -> UInt8 {
        var best = candidates[range.lowerBound]
        var bestDistance = Int32.max
        for position in range {
            let difference = points[Int(candidates[position])] &* 2 &- cube.doubledCenter
            let distance = sum(difference &* difference)
            if distance < bestDistance {
                bestDistance = distance
                best = candidates[position]
            }
        }
        return best
    }

    /// Pushes `nearest` and the candidates that are nearer in some corner of the cube.
    ///
    /// d²(nearest) − d²(other) is linear in the position, so its maximum over the cube is in a corner.
    private func keepContenders(of cube: Cube, nearest: UInt8, _ range: Range<Int>) -> Range<Int> {
        let winner = points[Int(nearest)]
        var end = range.upperBound
        for position in range {
            let point = points[Int(candidates[position])]
            let toward = point &- winner
            let margin =
                sum(toward &* (cube.doubledCenter &- point &- winner))
                &+ (abs(toward.x) &+ abs(toward.y) &+ abs(toward.z)) &* cube.doubledReach
            if margin > 0 || candidates[position] == nearest {
                candidates[end] = candidates[position]
                end += 1
            }
        }
        return range.upperBound..<end
    }

    private func fill(_ cube: Cube, _ index: UInt8) {
        let side = Int(cube.side)
        let (red, green, blue) = (Int(cube.corner.x), Int(cube.corner.y), Int(cube.corner.z))
        for r in red..<red + side {
            for g in green..<green + side {
                let start = (r << NearestColorTable.bits | g) << NearestColorTable.bits | blue
                for cell in start..<start + side { table[cell] = index }
            }
        }
    }

    private func sum(_ vector: SIMD4<Int32>) -> Int32 { vector.x &+ vector.y &+ vector.z }
}

/// A picture of indices into a list of colours, rows from the top.
package struct IndexedPicture: Hashable, Sendable {
    /// The size in pixels.
    package let size: PixelSize
    /// The colours, 1…256, all on the register grid.
    package let colors: [Color]
    /// The indices, `size.area` in number and each below `colors.count`.
    package let indices: [UInt8]
    /// The index of the pixels that are left out of the stream; nil if all are drawn.
    package let hole: UInt8?

    init(size: PixelSize, trusted colors: [Color], indices: [UInt8], hole: UInt8? = nil) {
        (self.size, self.colors, self.indices, self.hole) = (size, colors, indices, hole)
    }

    /// Leaves out the pixels that are transparent in a picture of the same size.
    ///
    /// - Precondition: There are at most 255 colours.
    func leavingOutTransparency(of picture: PixelBuffer) -> IndexedPicture {
        guard let hole = UInt8(exactly: colors.count), picture.size == size else { return self }
        var indices = indices
        for place in indices.indices where picture.bytes[place * 4 + 3] == 0 { indices[place] = hole }
        return IndexedPicture(size: size, trusted: colors + [.black], indices: indices, hole: hole)
    }
}

/// The colours that a sixel register can hold: whole percentages, 0…100 in each channel.
package enum RegisterGrid {
    /// Returns the percentage nearest to an eight-bit intensity.
    @inlinable
    package static func percentage(of intensity: UInt8) -> Int { (Int(intensity) * 100 + 127) / 255 }

    /// Returns the eight-bit intensity that a terminal shows for a percentage, which is clamped to 0…100.
    @inlinable
    package static func intensity(of percentage: Int) -> UInt8 {
        UInt8((min(max(percentage, 0), 100) * 255 + 50) / 100)
    }

    /// Returns the nearest colour of the grid, opaque.
    package static func nearest(to color: Color) -> Color {
        Color(
            red: intensity(of: percentage(of: color.red)),
            green: intensity(of: percentage(of: color.green)),
            blue: intensity(of: percentage(of: color.blue)))
    }

    /// The nearest intensity of the grid for each of 256 intensities.
    static let nearestIntensities: [UInt8] = (0...255).map { intensity(of: percentage(of: UInt8($0))) }
}
