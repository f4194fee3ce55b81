import Raster

/// A writer of PNG files: eight bits a channel, no interlacing (PNG specification, second edition).
struct PNGWriter: Sendable {
    /// zlib's effort, 1…9; photographs take the same at any.
    let level: Int

    /// The file of a picture, of all its colours in the best quality, else of 256; nil when zlib has no memory.
    ///
    /// With fewer colours, `background` shows through transparent pixels, and `palette` is used when there is one.
    @concurrent
    func file(
        _ picture: PixelBuffer, quality: Quality, palette: Palette? = nil, background: Color = .black
    ) async -> [UInt8]? {
        guard quality == .fast else { return await file(picture) }
        return await file(await Quantizer(background: background).quantize(picture, quality: .fast, palette: palette))
    }

    /// The file of a picture, with alpha only where some pixel is not opaque.
    private func file(_ picture: PixelBuffer) async -> [UInt8]? {
        let rows = await smallest(PixelRows(picture))
        let data = await rows.deflater(level: level).packed(height: picture.size.height, rows: rows.bytes)
        return data.map { Self.file(picture.size, colorType: rows.rows.channels == 3 ? 2 : 6, data: $0) }
    }

    /// The file of an indexed picture, one byte a pixel.
    private func file(_ picture: IndexedPicture) async -> [UInt8]? {
        let width = picture.size.width
        let data = await Deflater(level: level).packed(height: picture.size.height) { rows in
            rows.flatMap { row in [0] + picture.indices[row * width..<(row + 1) * width] }
        }
        let palette = picture.colors.flatMap { [$0.red, $0.green, $0.blue] }
        return data.map { Self.file(picture.size, colorType: 3, palette: palette, data: $0) }
    }

    /// The rows by the filter that makes some of them, from the picture's middle, the smallest.
    private func smallest(_ rows: PixelRows) async -> FilteredRows {
        let height = rows.picture.size.height
        let sample = height / 2..<min(height, height / 2 + max(8, height / 32))
        var best: (rows: FilteredRows, count: Int)?
        for filter in PNGFilter.allCases {
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
