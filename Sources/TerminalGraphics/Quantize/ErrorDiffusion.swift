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
            let index = table[Int(wanted.x >> 2) << 12 | Int(wanted.y >> 2) << 6 | Int(wanted.z >> 2)]
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
