import Raster

/// A PNG file decompressed by libdeflate and unfiltered by SIMD code in this module.
///
/// zlib and the scalar filters of libspng take four times as long.
struct PNGCodec: Codec {
    let format = ImageFormat.png
    private let chunks: PNGChunks

    /// The largest number of bytes decompressed at once; libvips decodes larger pictures row by row.
    private static let largest = 64 << 20

    /// Opens a PNG; nil for animations, interlaced pictures, and a colour profile other than sRGB.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let chunks = PNGChunks(bytes), !chunks.isAnimated, !chunks.needsProfile else { return nil }
        self.chunks = chunks
    }

    var storedSize: PixelSize { PixelSize(width: chunks.width, height: chunks.height) }
    var orientation: Orientation { chunks.orientation }

    func pixels(scaledTo target: PixelSize) -> DecodedPixels? {
        let pixelBits = chunks.depth * chunks.type.channels
        let rowBytes = (chunks.width * pixelBits + 7) / 8
        let (count, overflow) = (rowBytes + 1).multipliedReportingOverflow(by: chunks.height)
        guard !target.isEmpty, !overflow, count <= Self.largest, let packed = chunks.packed,
            var rows = packed.withUnsafeBytes({ Inflating.bytes($0, count: count, isBare: chunks.isApple) })
        else { return nil }
        let isOpaque = chunks.transparency.isEmpty && (chunks.type.channels % 2 == 1)
        let reader = RowReader(size: storedSize, isOpaque: isOpaque)
        return rows.withUnsafeMutableBytes { rows in
            var unpacking = PNGRows(rows, chunks, rowBytes: rowBytes)
            let conversion = chunks.colorSpace.conversion
            let pixels = reader.picture(scaledTo: target) { memory, count in
                guard unpacking.read(into: memory, rows: count) else { return false }
                if chunks.isApple, chunks.type.channels > 2 { Self.convertApple(memory) }
                conversion?.convert(memory)
                return true
            }
            return pixels.map { DecodedPixels(pixels: $0) }
        }
    }

    /// Converts premultiplied pixels in the order blue, green, red to RGBA.
    private static func convertApple(_ memory: UnsafeMutableRawBufferPointer) {
        for start in stride(from: 0, to: memory.count, by: 4) {
            memory.swapAt(start, start + 2)
            let alpha = Int(memory[start + 3])
            guard (1...254).contains(alpha) else { continue }
            for place in start..<start + 3 {
                memory[place] = UInt8(min(255, (Int(memory[place]) * 255 + alpha / 2) / alpha))
            }
        }
    }
}

/// A reader of decompressed PNG rows that unfilters them in order and converts them to RGBA.
struct PNGRows {
    private let rows: UnsafeMutableRawBufferPointer
    private let chunks: PNGChunks
    private let rowBytes: Int
    private var next = 0
    /// The row above, with four bytes per pixel; zero before the first row.
    private var above: [UInt8]
    private let colors: PNGColors?

    init(_ rows: UnsafeMutableRawBufferPointer, _ chunks: PNGChunks, rowBytes: Int) {
        (self.rows, self.chunks, self.rowBytes) = (rows, chunks, rowBytes)
        let isPlain = chunks.type.channels > 2 && chunks.transparency.isEmpty && chunks.depth == 8
        colors = isPlain ? nil : PNGColors(chunks)
        above = [UInt8](repeating: 0, count: isPlain ? chunks.width * 4 : 0)
    }

    /// Reads the next rows into memory; returns false if a row is invalid.
    mutating func read(into memory: UnsafeMutableRawBufferPointer, rows count: Int) -> Bool {
        let stride = chunks.width * 4
        for row in 0..<count {
            let target = UnsafeMutableRawBufferPointer(rebasing: memory[row * stride..<(row + 1) * stride])
            guard colors == nil ? readPlain(target) : readOther(target) else { return false }
            next += 1
        }
        return true
    }

    /// Reads a row of RGB or RGBA without a transparent colour.
    private mutating func readPlain(_ target: UnsafeMutableRawBufferPointer) -> Bool {
        let start = next * (rowBytes + 1)
        let row = UnsafeRawBufferPointer(rebasing: rows[start + 1..<start + 1 + rowBytes])
        let (filter, width, isOpaque) = (rows[start], chunks.width, chunks.type == .color)
        return above.withUnsafeMutableBytes { above in
            let isKnown = PNGFilters(row: row, above: UnsafeRawBufferPointer(above), target: target, width: width)
                .undo(filter, isOpaque: isOpaque)
            above.copyMemory(from: UnsafeRawBufferPointer(target))
            return isKnown
        }
    }

    /// Reads a row of any other type: unfilters it in place, then converts its samples to colours.
    private func readOther(_ target: UnsafeMutableRawBufferPointer) -> Bool {
        let start = next * (rowBytes + 1)
        let row = UnsafeMutableRawBufferPointer(rebasing: rows[start + 1..<start + 1 + rowBytes])
        let above = next == 0 ? nil : UnsafeRawBufferPointer(rebasing: rows[start - rowBytes..<start])
        let step = max(1, chunks.depth * chunks.type.channels / 8)
        guard let colors, PNGFilters.undo(rows[start], row, above: above, step: step) else { return false }
        guard chunks.depth == 16 else { return colors.write(UnsafeRawBufferPointer(row), to: target) }
        let upper = stride(from: 0, to: row.count, by: 2).map { row[$0] }
        return upper.withUnsafeBytes { colors.write($0, to: target) }
    }
}

/// A conversion to RGBA for PNG samples that are not plain RGB or RGBA; of 16 bits it takes the upper byte.
///
/// Source: W3C PNG, third edition, sections 11.2.1 and 11.3.1.
struct PNGColors {
    private let chunks: PNGChunks
    /// The pixel of each grey or palette sample; red is in the lowest byte.
    private let table: [UInt32]
    private var depth: Int { min(8, chunks.depth) }

    init(_ chunks: PNGChunks) {
        self.chunks = chunks
        table = chunks.type == .palette ? Self.palette(chunks) : Self.greys(chunks)
    }

    private static func pixel(_ red: UInt8, _ green: UInt8, _ blue: UInt8, _ alpha: UInt8) -> UInt32 {
        UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16 | UInt32(alpha) << 24
    }

    private static func palette(_ chunks: PNGChunks) -> [UInt32] {
        (0..<chunks.palette.count / 3).map { entry in
            let alpha = entry < chunks.transparency.count ? chunks.transparency[entry] : 255
            let color = chunks.palette[entry * 3..<entry * 3 + 3]
            return pixel(color[entry * 3], color[entry * 3 + 1], color[entry * 3 + 2], alpha)
        }
    }

    /// Returns the grey levels from black to white.
    ///
    /// The transparent level is stored in two bytes, of which only the bits of a sample count.
    private static func greys(_ chunks: PNGChunks) -> [UInt32] {
        let highest = 1 << min(8, chunks.depth) - 1
        let hidden =
            chunks.type == .grey && chunks.transparency.count == 2 ? Int(chunks.transparency[1]) & highest : nil
        return (0...highest).map { sample in
            let level = UInt8(sample * 255 / highest)
            return pixel(level, level, level, sample == hidden ? 0 : 255)
        }
    }

    /// Converts a row to RGBA; returns false if a sample has no colour.
    func write(_ row: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer) -> Bool {
        switch chunks.type {
        case .grey, .palette: return writeIndexed(row, to: target)
        case .greyAlpha: each(target) { Self.pixel(row[$0 * 2], row[$0 * 2], row[$0 * 2], row[$0 * 2 + 1]) }
        case .color:
            let hidden = chunks.transparency.count == 6 ? [1, 3, 5].map { chunks.transparency[$0] } : []
            each(target) { x in
                let isHidden = row[x * 3..<x * 3 + 3].elementsEqual(hidden)
                return Self.pixel(row[x * 3], row[x * 3 + 1], row[x * 3 + 2], isHidden ? 0 : 255)
            }
        case .colorAlpha: target.copyMemory(from: row)
        }
        return true
    }

    private func writeIndexed(_ row: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer) -> Bool {
        let (depth, mask) = (depth, 1 << depth - 1)
        var isKnown = true
        each(target) { x in
            let bit = x * depth
            let sample = Int(row[bit >> 3]) >> (8 - depth - bit & 7) & mask
            guard sample < table.count else {
                isKnown = false
                return 0
            }
            return table[sample]
        }
        return isKnown
    }

    private func each(_ target: UnsafeMutableRawBufferPointer, _ pixel: (Int) -> UInt32) {
        for x in 0..<target.count / 4 { target.storeBytes(of: pixel(x), toByteOffset: x * 4, as: UInt32.self) }
    }
}

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
    /// Each pixel depends on the one to its left, so the code keeps the number of steps between them small. With t =
    /// 3·corner − left − up, the lower neighbour is nearest if t is at least the higher one, the higher neighbour if t
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
