/// The reversal of PNG's five row filters.
///
/// Source: W3C PNG, third edition, section 9.
struct PNGFilters {
    typealias Bytes = SIMD4<UInt8>

    /// The filtered row, with three or four bytes per pixel.
    let row: UnsafeRawBufferPointer
    /// The row above, with four bytes per pixel like the target.
    let above: UnsafeRawBufferPointer
    let target: UnsafeMutableRawBufferPointer
    let width: Int

    /// Reverses a filter and writes four bytes per pixel; returns false for an unknown filter.
    ///
    /// - Parameters:
    ///   - filter: The number of the filter, 0 to 4.
    ///   - isOpaque: Whether the row has three bytes per pixel; the fourth byte is then written as 255.
    func undo(_ filter: UInt8, isOpaque: Bool) -> Bool {
        switch filter {
        case 0: each(isOpaque) { raw, _, _, _ in raw }
        case 1: each(isOpaque) { raw, left, _, _ in raw &+ left }
        case 2: each(isOpaque) { raw, _, up, _ in raw &+ up }
        case 3: each(isOpaque) { raw, left, up, _ in raw &+ Self.average(left, up) }
        case 4: each(isOpaque) { raw, left, up, corner in raw &+ Self.nearest(left, up, corner) }
        default: return false
        }
        return true
    }

    @inline(__always)
    private func each(_ isOpaque: Bool, _ combine: (Bytes, Bytes, Bytes, Bytes) -> Bytes) {
        if isOpaque {
            each(step: 3, mask: Bytes(0, 0, 0, 255), combine)
        } else {
            each(step: 4, mask: .zero, combine)
        }
    }

    @inline(__always)
    private func each(step: Int, mask: Bytes, _ combine: (Bytes, Bytes, Bytes, Bytes) -> Bytes) {
        var (left, corner) = (Bytes.zero, Bytes.zero)
        // The last pixel of three bytes is read separately, because no fourth byte follows it in the row.
        for x in 0..<(step == 3 ? width - 1 : width) {
            let raw = row.loadUnaligned(fromByteOffset: x &* step, as: Bytes.self)
            let up = above.loadUnaligned(fromByteOffset: x &* 4, as: Bytes.self)
            left = combine(raw, left, up, corner) | mask
            corner = up
            target.storeBytes(of: left, toByteOffset: x &* 4, as: Bytes.self)
        }
        guard step == 3, width > 0 else { return }
        let (last, place) = (width - 1, (width - 1) * 3)
        let raw = Bytes(row[place], row[place + 1], row[place + 2], 0)
        let up = above.loadUnaligned(fromByteOffset: last * 4, as: Bytes.self)
        target.storeBytes(of: combine(raw, left, up, corner) | mask, toByteOffset: last * 4, as: Bytes.self)
    }

    @inline(__always)
    private static func average(_ left: Bytes, _ up: Bytes) -> Bytes {
        // This form of the average needs no ninth bit for the sum.
        (left & up) &+ ((left ^ up) &>> 1)
    }

    /// Returns the neighbour nearest to left + up − corner (Paeth's predictor).
    ///
    /// Each pixel depends on the one to its left, so the code keeps the number of steps between them small. With
    /// t = 3·corner − left − up, the lower neighbour is nearest if t is at least the higher one, the higher neighbour if t
    /// is at most the lower one, and otherwise the corner.
    ///
    /// Source: Giesen's form, in stb_image 2.28.
    @inline(__always)
    private static func nearest(_ left: Bytes, _ up: Bytes, _ corner: Bytes) -> Bytes {
        let (a, b, c) = (wide(left), wide(up), wide(corner))
        let threshold = (c &+ c &+ c &- b) &- a
        let (low, high) = (pointwiseMin(a, b), pointwiseMax(a, b))
        let lower = low.replacing(with: c, where: high .> threshold)
        return Bytes(truncatingIfNeeded: high.replacing(with: lower, where: threshold .> low))
    }

    @inline(__always)
    private static func wide(_ bytes: Bytes) -> SIMD4<Int16> { SIMD4<Int16>(truncatingIfNeeded: bytes) }
}

extension PNGFilters {
    /// Reverses a filter in place; returns false for an unknown filter.
    ///
    /// - Parameters:
    ///   - filter: The number of the filter, 0 to 4.
    ///   - row: The filtered row, without its filter byte.
    ///   - above: The unfiltered row above; nil for the first row.
    ///   - step: The bytes per pixel, at least 1.
    static func undo(
        _ filter: UInt8, _ row: UnsafeMutableRawBufferPointer, above: UnsafeRawBufferPointer?, step: Int
    ) -> Bool {
        guard filter <= 4 else { return false }
        for place in row.indices where filter > 0 {
            let left = place >= step ? Int(row[place - step]) : 0
            let up = above.map { Int($0[place]) } ?? 0
            let corner = place >= step ? above.map { Int($0[place - step]) } ?? 0 : 0
            row[place] &+= UInt8(truncatingIfNeeded: prediction(filter, left, up, corner))
        }
        return true
    }

    private static func prediction(_ filter: UInt8, _ left: Int, _ up: Int, _ corner: Int) -> Int {
        switch filter {
        case 1: return left
        case 2: return up
        case 3: return (left + up) / 2
        default:
            let (pa, pb, pc) = (abs(up - corner), abs(left - corner), abs(left + up - 2 * corner))
            return pa <= pb && pa <= pc ? left : pb <= pc ? up : corner
        }
    }
}
