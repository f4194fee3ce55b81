import Raster

/// Writes PNG files with eight bits per channel and without interlacing (PNG specification, second edition).
struct PNGWriter: Sendable {
    /// The compression level, 1…9.
    let level: Int

    /// Returns a file with all colours for quality `best`, and with 256 for `fast`; nil if zlib has no memory.
    ///
    /// For quality `fast`, transparent pixels show `background`, and `palette` is used if given.
    @concurrent
    func file(
        _ picture: PixelBuffer, quality: Quality, palette: Palette? = nil, background: Color = .black
    ) async -> [UInt8]? {
        guard quality == .fast else { return await file(picture) }
        return await file(await Quantizer(background: background).quantize(picture, quality: .fast, palette: palette))
    }

    /// Returns a file of a picture, with an alpha channel only if a pixel is not opaque.
    private func file(_ picture: PixelBuffer) async -> [UInt8]? {
        let rows = await smallest(PixelRows(picture))
        let data = await rows.deflater(level: level).packed(height: picture.size.height, rows: rows.bytes)
        return data.map { Self.file(picture.size, colorType: rows.rows.channels == 3 ? 2 : 6, data: $0) }
    }

    /// Returns a file of an indexed picture with one byte per pixel.
    private func file(_ picture: IndexedPicture) async -> [UInt8]? {
        let width = picture.size.width
        let data = await Deflater(level: level).packed(height: picture.size.height) { rows in
            rows.flatMap { row in [0] + picture.indices[row * width..<(row + 1) * width] }
        }
        let palette = picture.colors.flatMap { [$0.red, $0.green, $0.blue] }
        return data.map { Self.file(picture.size, colorType: 3, palette: palette, data: $0) }
    }

    /// Returns the rows with the filter that compresses a sample from the middle of the picture best.
    private func smallest(_ rows: PixelRows) async -> FilteredRows {
        let height = rows.picture.size.height
        let sample = height / 2..<min(height, height / 2 + max(8, height / 32))
        var best: (rows: FilteredRows, count: Int)?
        for filter in PNGRowFilter.allCases {
            let candidate = FilteredRows(rows: rows, filter: filter)
            let packed = await candidate.deflater(level: level).packed(height: sample.count) { _ in
                candidate.bytes(sample)
            }
            let count = packed?.count ?? .max
            if count < best?.count ?? .max { best = (candidate, count) }
        }
        return best?.rows ?? FilteredRows(rows: rows, filter: .paeth)
    }

    private static func file(_ size: PixelSize, colorType: UInt8, palette: [UInt8] = [], data: [UInt8]) -> [UInt8] {
        let sides = [size.width, size.height].flatMap { UInt32(clamping: $0).bigEndianBytes }
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        bytes += chunk("IHDR", sides + [8, colorType, 0, 0, 0])
        if !palette.isEmpty { bytes += chunk("PLTE", palette) }
        return bytes + chunk("IDAT", data) + chunk("IEND", [])
    }

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + data
        return UInt32(clamping: data.count).bigEndianBytes + body + checksum(body).bigEndianBytes
    }
}

/// A picture's rows in PNG's form: each row follows the number of its filter.
private struct FilteredRows: Sendable {
    let rows: PixelRows
    let filter: PNGRowFilter

    /// Returns the best compressor for these rows: Paeth-filtered rows only have runs.
    func deflater(level: Int) -> Deflater { Deflater(level: level, runsOnly: filter == .paeth) }

    /// Returns the concatenated bytes of some rows.
    func bytes(_ range: Range<Int>) -> [UInt8] {
        let stride = rows.stride
        let source = rowAbove(range) + rows.bytes(range)
        return [UInt8](unsafeUninitializedCapacity: range.count * (stride + 1)) { output, written in
            source.withUnsafeBufferPointer { source in
                for row in 0..<range.count {
                    let start = row * (stride + 1)
                    output[start] = filter.rawValue
                    filter.write(
                        UnsafeBufferPointer(rebasing: source[(row + 1) * stride..<(row + 2) * stride]),
                        above: UnsafeBufferPointer(rebasing: source[row * stride..<(row + 1) * stride]),
                        pixel: rows.channels,
                        to: UnsafeMutableBufferPointer(rebasing: output[start + 1..<start + 1 + stride]))
                }
            }
            written = range.count * (stride + 1)
        }
    }

    private func rowAbove(_ range: Range<Int>) -> [UInt8] {
        let first = range.lowerBound
        return first == 0 ? [UInt8](repeating: 0, count: rows.stride) : rows.bytes(first - 1..<first)
    }
}
/// A PNG row filter: stores a row's bytes, or their differences to a prediction from neighbours.
///
/// Only one predicting filter is used, Paeth's. Choosing the best filter row by row makes photographs 10 % larger with
/// this compression, and takes four times as long.
enum PNGRowFilter: UInt8, CaseIterable, Sendable {
    /// Stores the bytes, which suits drawings and patterns.
    case none = 0
    /// Stores the difference to the neighbour nearest to left + up − corner (Alan Paeth; PNG specification, section 9),
    /// which suits photographs.
    case paeth = 4

    /// Writes one row; `above` is the previous row, zeros for the first, and `pixel` the number of bytes per pixel.
    func write(
        _ row: UnsafeBufferPointer<UInt8>, above: UnsafeBufferPointer<UInt8>, pixel: Int,
        to output: UnsafeMutableBufferPointer<UInt8>
    ) {
        switch self {
        case .none: _ = output.initialize(from: row)
        case .paeth: Self.writePaeth(row, above, pixel, output)
        }
    }

    private static func writePaeth(
        _ row: UnsafeBufferPointer<UInt8>, _ above: UnsafeBufferPointer<UInt8>, _ pixel: Int,
        _ output: UnsafeMutableBufferPointer<UInt8>
    ) {
        for place in 0..<min(pixel, row.count) { output[place] = row[place] &- above[place] }
        for place in min(pixel, row.count)..<row.count {
            let (left, corner) = (Int16(row[place &- pixel]), Int16(above[place &- pixel]))
            let prediction = nearest(left, Int16(above[place]), corner)
            output[place] = row[place] &- UInt8(truncatingIfNeeded: prediction)
        }
    }

    @inline(__always)
    private static func nearest(_ left: Int16, _ up: Int16, _ corner: Int16) -> Int16 {
        let (toLeft, toUp) = (abs(up &- corner), abs(left &- corner))
        let toCorner = abs(left &+ up &- corner &- corner)
        let other = toUp <= toCorner ? up : corner
        return toLeft <= toUp && toLeft <= toCorner ? left : other
    }
}

/// A picture's rows as plain bytes: three per pixel if all pixels are opaque, otherwise four.
struct PixelRows: Sendable {
    let picture: PixelBuffer
    /// The number of channels: 3 for red, green and blue, 4 with alpha.
    let channels: Int

    /// Creates the rows of a picture in O(pixels), to find transparent pixels.
    init(_ picture: PixelBuffer) {
        self.picture = picture
        channels = picture.isOpaque ? 3 : 4
    }

    /// The number of bytes of a row.
    var stride: Int { picture.size.width * channels }

    /// Returns the concatenated bytes of some rows.
    func bytes(_ rows: Range<Int>) -> [UInt8] {
        let width = picture.size.width
        guard channels == 3 else {
            return Array(picture.bytes[rows.lowerBound * width * 4..<rows.upperBound * width * 4])
        }
        return [UInt8](unsafeUninitializedCapacity: rows.count * width * 3) { output, written in
            picture.bytes.withUnsafeBufferPointer { input in
                let first = rows.lowerBound * width
                for pixel in 0..<rows.count * width {
                    let (source, target) = ((first &+ pixel) &* 4, pixel &* 3)
                    for channel in 0..<3 { output[target &+ channel] = input[source &+ channel] }
                }
            }
            written = rows.count * width * 3
        }
    }
}
