import Raster

/// Dithering that passes each pixel's error on to neighbours that follow, in rows of alternating direction.
///
/// The weights 7, 3, 5 and 1 sixteenths are from Floyd and Steinberg, "An Adaptive Algorithm for Spatial Greyscale",
/// Proceedings of the SID 17 (1976).
struct ErrorDiffusion {
    /// The number of rows computed above a range and discarded, so that separate ranges meet without a visible seam.
    static let overlap = 8

    let palette: Palette

    /// Returns the indices of some rows of an opaque picture.
    func indices(of picture: PixelBuffer, rows: Range<Int>) -> [UInt8] {
        let first = max(0, rows.lowerBound - Self.overlap)
        let all = indices(of: picture, from: first..<rows.upperBound)
        return first == rows.lowerBound ? all : Array(all.dropFirst((rows.lowerBound - first) * picture.size.width))
    }

    private func indices(of picture: PixelBuffer, from rows: Range<Int>) -> [UInt8] {
        let width = picture.size.width
        let total = width * rows.count
        let colors = palette.colors.map { SIMD4<Int16>(Int16($0.red), Int16($0.green), Int16($0.blue), 0) }
        var errors = [SIMD4<Int16>](repeating: .zero, count: width)
        return [UInt8](unsafeUninitializedCapacity: total) { indices, count in
            errors.withUnsafeMutableBufferPointer { errors in
                withPointers(colors, picture.bytes) { colors, table, bytes in
                    for row in rows {
                        var line = DiffusedLine(
                            pixels: UnsafeRawBufferPointer(
                                rebasing: bytes[(row * width * 4)..<((row + 1) * width * 4)]),
                            output: UnsafeMutableBufferPointer(
                                rebasing: indices[
                                    ((row - rows.lowerBound) * width)..<((row - rows.lowerBound + 1) * width)]),
                            errors: errors, colors: colors, table: table)
                        line.run(backward: row & 1 == 1)
                    }
                }
            }
            count = total
        }
    }

    private func withPointers(
        _ colors: [SIMD4<Int16>], _ bytes: [UInt8],
        _ body: (UnsafeBufferPointer<SIMD4<Int16>>, UnsafeBufferPointer<UInt8>, UnsafeRawBufferPointer) -> Void
    ) {
        colors.withUnsafeBufferPointer { colors in
            palette.table.indices.withUnsafeBufferPointer { table in
                bytes.withUnsafeBytes { body(colors, table, $0) }
            }
        }
    }
}

/// One line of error diffusion; its pointers are valid only during the call that creates it.
private struct DiffusedLine {
    let pixels: UnsafeRawBufferPointer
    let output: UnsafeMutableBufferPointer<UInt8>
    /// Sixteenths of the errors from the line above; replaced by those for the line below.
    let errors: UnsafeMutableBufferPointer<SIMD4<Int16>>
    let colors: UnsafeBufferPointer<SIMD4<Int16>>
    let table: UnsafeBufferPointer<UInt8>

    mutating func run(backward: Bool) {
        let width = output.count
        guard width > 0 else { return }
        let step = backward ? -1 : 1
        var x = backward ? width - 1 : 0
        var carry = SIMD4<Int16>.zero
        var below = SIMD4<Int16>.zero
        var belowNext = SIMD4<Int16>.zero
        for position in 0..<width {
            let wanted = Self.clamped(source(x) &+ ((errors[x] &+ carry &+ 8) &>> 4))
            let (red, green, blue) = (Int(wanted.x >> 2), Int(wanted.y >> 2), Int(wanted.z >> 2))
            let index = table[red << 12 | green << 6 | blue]
            output[x] = index
            let error = wanted &- colors[Int(index)]
            carry = error &* 7
            if position > 0 { errors[x - step] = below &+ error &* 3 }
            below = belowNext &+ error &* 5
            belowNext = error
            x += step
        }
        errors[x - step] = below
    }

    @inline(__always)
    private func source(_ x: Int) -> SIMD4<Int16> {
        let packed = pixels.loadUnaligned(fromByteOffset: x * 4, as: UInt32.self)
        let bytes = unsafeBitCast(packed, to: SIMD4<UInt8>.self)
        return SIMD4<Int16>(truncatingIfNeeded: bytes)
    }

    @inline(__always)
    private static func clamped(_ value: SIMD4<Int16>) -> SIMD4<Int16> {
        pointwiseMin(pointwiseMax(value, .zero), SIMD4(repeating: 255))
    }
}

/// Dithering by a fixed pattern of offsets, so that an unchanged pixel has the same index in every frame.
///
/// The pattern is the 8×8 matrix of Bayer, "An Optimum Method for Two-Level Rendition of Continuous-Tone Pictures",
/// IEEE International Conference on Communications (1973).
struct OrderedDithering {
    /// Space on both sides of 0…255 for a pixel plus its offset.
    private static let margin = 64

    let palette: Palette
    /// The largest offset in either direction, in eight-bit intensities, at most `margin`.
    private let amplitude: Double

    /// Adapts the strength of the dithering to the distance between the colours.
    init(palette: Palette) {
        self.palette = palette
        amplitude = min(palette.spacing * 0.5, Double(Self.margin))
    }

    /// Returns the indices of some rows of an opaque picture.
    func indices(of picture: PixelBuffer, rows: Range<Int>) -> [UInt8] {
        let width = picture.size.width
        let offsets = offsets
        let cells = Self.cells
        return [UInt8](unsafeUninitializedCapacity: width * rows.count) { indices, count in
            palette.table.indices.withUnsafeBufferPointer { table in
                cells.withUnsafeBufferPointer { cells in
                    picture.bytes.withUnsafeBufferPointer { bytes in
                        var position = 0
                        for row in rows {
                            for x in 0..<width {
                                let offset = offsets[(row & 7) << 3 | (x & 7)]
                                let pixel = (row * width + x) * 4
                                let red = cells[Int(bytes[pixel]) &+ offset]
                                let green = cells[Int(bytes[pixel &+ 1]) &+ offset]
                                let blue = cells[Int(bytes[pixel &+ 2]) &+ offset]
                                indices.initializeElement(at: position, to: table[red << 12 | green << 6 | blue])
                                position &+= 1
                            }
                        }
                    }
                }
            }
            count = width * rows.count
        }
    }

    /// The 64 offsets, row by row, each increased by `margin`.
    private var offsets: [Int] {
        (0..<64).map { place in
            let rank = Self.rank(column: place & 7, row: place >> 3)
            let offset = ((Double(rank) + 0.5) / 32 - 1) * amplitude
            return Self.margin + Int(offset.rounded())
        }
    }

    /// Returns the rank, 0…63, of a cell in the order in which the matrix sets its cells.
    private static func rank(column: Int, row: Int) -> Int {
        (0..<3).reduce(0) { rank, bit in
            let (x, y) = (column >> bit & 1, row >> bit & 1)
            return rank | ((x ^ y) << 1 | y) << (2 * (2 - bit))
        }
    }

    /// The table cell of each intensity from −margin to 255 + margin, clamped.
    private static let cells: [Int] = (-margin..<256 + margin).map { min(max($0, 0), 255) >> 2 }
}

/// The division of a length into stripes that are processed concurrently.
struct Stripes {
    let ranges: [Range<Int>]

    private static let minimumLength = 64
    private static let maximumCount = 4

    /// Divides `length` into up to four stripes of about 64 or more; all but the last are a multiple of `unit` long.
    init(of length: Int, unit: Int = 1) {
        let units = (length + unit - 1) / unit
        let count = min(max(1, length / Self.minimumLength), Self.maximumCount, max(1, units))
        ranges = (0..<count).map { stripe in
            min(length, units * stripe / count * unit)..<min(length, units * (stripe + 1) / count * unit)
        }
    }

    /// Returns the results of `body` for each stripe, in order.
    func map<Result: Sendable>(_ body: @escaping @Sendable (Range<Int>) -> Result) async -> [Result] {
        guard ranges.count > 1 else { return ranges.map(body) }
        return await withTaskGroup(of: (Int, Result).self) { group in
            for (place, range) in ranges.enumerated() {
                group.addTask { (place, body(range)) }
            }
            var results: [(Int, Result)] = []
            for await result in group { results.append(result) }
            return results.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }
}
