import Raster

/// A reader of the lightness of a picture's rows, averaged over blocks, for its perceptual hash.
struct LightnessReader {
    /// The shortest side that a picture of blocks has.
    static let leastSide = 64

    private let size: PixelSize
    /// The width and the height of a block, and the number of blocks; the last ones may have fewer pixels.
    private let block: Int
    private let blocks: PixelSize
    /// The sums of the current row of blocks, one a column of pixels, and the numbers of pixel rows in them and before.
    private var sums: [Int32]
    private var (summed, rows) = (0, 0)
    private var lightness: [UInt8] = []

    /// Creates a reader; each side of the picture must have `leastSide` pixels.
    init(_ size: PixelSize) {
        self.size = size
        let block = [8, 4, 2].first { min(size.width, size.height) / $0 >= Self.leastSide } ?? 1
        self.block = block
        blocks = PixelSize(width: (size.width + block - 1) / block, height: (size.height + block - 1) / block)
        sums = [Int32](repeating: 0, count: size.width)
    }

    /// The picture's square for the hash; nil before all rows were added.
    var square: PixelBuffer? {
        lightness.count == blocks.area ? PerceptualHash.square(ofLightness: lightness, width: blocks.width) : nil
    }

    /// Adds the next complete rows, with four bytes a pixel.
    mutating func add(_ pixels: UnsafeRawBufferPointer) {
        for start in stride(from: 0, to: pixels.count, by: size.width * 4) {
            sum(UnsafeRawBufferPointer(rebasing: pixels[start..<start + size.width * 4]))
        }
    }

    private mutating func sum(_ row: UnsafeRawBufferPointer) {
        sums.withUnsafeMutableBufferPointer { sums in
            let words = row.assumingMemoryBound(to: UInt32.self)
            // ITU-R BT.601, in 1/256.
            for x in 0..<sums.count {
                let word = Int32(bitPattern: words[x])
                sums[x] &+= 77 &* (word & 255) &+ 150 &* (word >> 8 & 255) &+ 29 &* (word >> 16 & 255)
            }
        }
        (summed, rows) = (summed + 1, rows + 1)
        guard summed == block || rows == size.height else { return }
        let (summedRows, kept) = (Int32(summed), sums)
        kept.withUnsafeBufferPointer { sums in
            for start in stride(from: 0, to: size.width, by: block) {
                let end = min(start + block, size.width)
                var sum: Int32 = 0
                for x in start..<end { sum &+= sums[x] }
                let count = Int32(end - start) * summedRows
                lightness.append(UInt8(truncatingIfNeeded: (sum + 128 * count) / (256 * count)))
            }
        }
        sums = [Int32](repeating: 0, count: size.width)
        summed = 0
    }
}
