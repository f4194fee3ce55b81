import Raster

/// Pixels as escape codes of kitty's graphics protocol: no files and no shared memory, so that it works from afar.
struct KittyEncoder: Sendable {
    let options: KittyOptions
    /// What shows through transparent pixels where there are few colours.
    let background: Color

    /// The picture, stretched over `grid` by the terminal, or pixel by pixel when that is nil.
    ///
    /// What packing does not make shorter is sent as it is: three bytes a pixel, four with transparency.
    @concurrent
    func encode(
        _ picture: PixelBuffer, quality: Quality, palette: Palette?, filling grid: GridSize?
    ) async -> KittyPicture {
        guard !picture.size.isEmpty else { return KittyPicture(keys: "", payload: []) }
        let rows = PixelRows(picture)
        var keys = options.layer == 0 ? "" : "z=\(options.layer),"
        if let grid { keys += "c=\(grid.columns),r=\(grid.rows)," }
        let form = "f=\(rows.channels * 8),s=\(picture.size.width),v=\(picture.size.height)"
        let packed = await packed(rows, quality, palette)
        guard let packed, packed.count < rows.stride * picture.size.height else {
            return KittyPicture(keys: keys + form, payload: rows.bytes(0..<picture.size.height))
        }
        return KittyPicture(keys: keys + (options.format == .png ? "f=100" : form + ",o=z"), payload: packed)
    }

    private func packed(_ rows: PixelRows, _ quality: Quality, _ palette: Palette?) async -> [UInt8]? {
        guard options.compression > 0 else { return nil }
        switch options.format {
        case .png:
            return await PNGWriter(level: options.compression).file(
                rows.picture, quality: quality, palette: palette, background: background)
        case .pixels:
            return await Deflater(level: options.compression).packed(
                height: rows.picture.size.height, rows: rows.bytes)
        }
    }
}
