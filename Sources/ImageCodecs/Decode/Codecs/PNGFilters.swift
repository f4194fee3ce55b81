/// The reversal of PNG's five filters.
///
/// Source: W3C PNG, third edition, section 9.
struct PNGFilters {
    typealias Bytes = SIMD4<UInt8>

    /// Three or four bytes a pixel.
    let row: UnsafeRawBufferPointer
    /// Four bytes a pixel, as is the target.
    let above: UnsafeRawBufferPointer
    let target: UnsafeMutableRawBufferPointer
    let width: Int

    /// Writes pixels of four bytes, the last 255 where the picture `isOpaque` and has but three; false for an unknown
    /// filter.
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
        // The last pixel of three bytes has no fourth byte to be read with it.
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
        // Half the sum without a ninth bit.
        (left & up) &+ ((left ^ up) &>> 1)
    }

    /// Of the neighbours the one nearest to left + up − corner: Paeth's predictor.
    ///
    /// Each pixel waits for the one to its left, so what counts is how few steps lie between the two: the lower neighbour
    /// is nearest where the corner lies far above, the higher one where it lies far below, the corner between.
    /// Source: Giesen's form of it, in stb_image 2.28.
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
    /// The same in place, for pixels of any number of bytes, `step` of them; false for an unknown filter.
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
