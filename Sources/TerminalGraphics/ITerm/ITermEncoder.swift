import Raster

/// Pixels as a PNG file in iTerm2's inline image protocol.
struct ITermEncoder: Sendable {
    let options: ITermOptions
    /// What shows through transparent pixels where there are few colours.
    let background: Color

    /// The picture, stretched over `grid` by the terminal, or pixel by pixel when that is nil.
    @concurrent
    func encode(
        _ picture: PixelBuffer, quality: Quality, palette: Palette?, filling grid: GridSize?
    ) async -> ITermPicture {
        var file: [UInt8]?
        if !picture.size.isEmpty {
            file = await PNGWriter(level: options.compression).file(
                picture, quality: quality, palette: palette, background: background)
        }
        return ITermPicture(file: file ?? [], size: picture.size, filling: grid, partLimit: options.partLimit)
    }
}
