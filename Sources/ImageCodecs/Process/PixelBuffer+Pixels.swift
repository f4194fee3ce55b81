import Raster

/// A pixel for calculations: red, green, blue, alpha in 0…1, with straight alpha unless stated otherwise.
typealias Pixel = SIMD4<Float>

extension SIMD4<Float> {
    init(_ color: Color) {
        self = SIMD4(Float(color.red), Float(color.green), Float(color.blue), Float(color.alpha)) / 255
    }

    /// The pixel with its colour multiplied by alpha.
    var premultiplied: Pixel { self * Pixel(w, w, w, 1) }

    /// The premultiplied pixel with its colour divided by alpha; zero if alpha is zero.
    var straight: Pixel { w > 0 ? self / Pixel(w, w, w, 1) : .zero }

    func faded(by factor: Float) -> Pixel {
        var result = self
        result.w *= factor
        return result
    }

    /// Composites the pixel over a backdrop: co = αs·Cs + αb·Cb·(1 − αs), αo = αs + αb·(1 − αs).
    ///
    /// Source: W3C Compositing and Blending Level 1, section 9.1.4, "Source Over".
    func over(_ backdrop: Pixel) -> Pixel { (premultiplied + backdrop.premultiplied * (1 - w)).straight }
}

extension PixelBuffer {
    /// Transforms every pixel; results are clamped to 0…1 and rounded to the nearest of 256 values.
    @inline(__always)
    func mapped(_ transform: (Pixel) -> Pixel) -> PixelBuffer {
        var result = self
        result.withMutableBytes { bytes in
            let memory = UnsafeMutableRawBufferPointer(bytes)
            for offset in stride(from: 0, to: memory.count, by: 4) {
                memory.store(transform(memory.pixel(at: offset)), at: offset)
            }
        }
        return result
    }

    /// Transforms every pixel with its weight.
    ///
    /// - Parameters:
    ///   - weigh: A closure that writes the weights of a row, given its index.
    ///   - transform: A closure that returns the new pixel for a pixel and its weight.
    @inline(__always)
    func weighted(by weigh: (Int, inout [Float]) -> Void, _ transform: (Pixel, Float) -> Pixel) -> PixelBuffer {
        var result = self
        let size = size
        var weights = [Float](repeating: 0, count: size.width)
        result.withMutableBytes { bytes in
            let memory = UnsafeMutableRawBufferPointer(bytes)
            for y in 0..<size.height {
                weigh(y, &weights)
                for x in 0..<size.width {
                    let offset = (y * size.width + x) * 4
                    memory.store(transform(memory.pixel(at: offset), weights[x]), at: offset)
                }
            }
        }
        return result
    }

    /// Creates a picture of `size` by copying each pixel from another position of this picture.
    ///
    /// - Parameters:
    ///   - size: The size of the new picture.
    ///   - source: A closure that returns the position to copy from, which must lie inside this picture.
    @inline(__always)
    package func rearranged(to size: PixelSize, _ source: (Int, Int) -> (x: Int, y: Int)) -> PixelBuffer {
        let width = self.size.width
        return bytes.withUnsafeBytes { old in
            PixelBuffer(size: size) { new in
                let memory = UnsafeMutableRawBufferPointer(new)
                for y in 0..<size.height {
                    for x in 0..<size.width {
                        let (column, row) = source(x, y)
                        let word = old.loadUnaligned(fromByteOffset: (row * width + column) * 4, as: UInt32.self)
                        memory.storeBytes(of: word, toByteOffset: (y * size.width + x) * 4, as: UInt32.self)
                    }
                }
            }
        }
    }
}

extension UnsafeRawBufferPointer {
    @inline(__always)
    func pixel(at offset: Int) -> Pixel {
        let bytes = loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt8>.self)
        return Pixel(Float(bytes.x), Float(bytes.y), Float(bytes.z), Float(bytes.w)) / 255
    }
}

extension UnsafeMutableRawBufferPointer {
    @inline(__always)
    fileprivate func pixel(at offset: Int) -> Pixel { UnsafeRawBufferPointer(self).pixel(at: offset) }

    @inline(__always)
    func store(_ pixel: Pixel, at offset: Int) {
        // At 2²³ the spacing of single-precision numbers is 1, so the addition rounds and leaves the integer in the
        // lowest bits.
        let biased = pixel.clamped(lowerBound: .zero, upperBound: .one) * 255 + 8_388_608
        let bytes = SIMD4(
            UInt8(truncatingIfNeeded: biased.x.bitPattern), UInt8(truncatingIfNeeded: biased.y.bitPattern),
            UInt8(truncatingIfNeeded: biased.z.bitPattern), UInt8(truncatingIfNeeded: biased.w.bitPattern))
        storeBytes(of: bytes, toByteOffset: offset, as: SIMD4<UInt8>.self)
    }
}
