import Raster

/// The reduction of pictures to as many colours as the terminal has registers.
public struct Quantizer: Sendable {
    /// The most colours of a result, 2…256.
    public let registers: Int
    /// What shows through transparent pixels.
    public let background: Color

    /// Clamps `registers` (default 256) to 2…256; the background is black by default and its alpha is ignored.
    public init(registers: Int = 256, background: Color = .black) {
        self.registers = min(max(registers, 2), 256)
        self.background = background
    }

    /// A palette for all pictures together, to be passed to `quantize` frame by frame.
    ///
    /// Complexity: O(pixels) up to a quarter of a million of them, the same for larger pictures.
    @concurrent
    public func palette(for pictures: [PixelBuffer]) async -> Palette {
        adaptivePalette(for: pictures.map { $0.flattened(over: background) })
    }

    /// The picture over the background in at most `registers` colours.
    ///
    /// Without a palette, a picture that has no more colours than that on the register grid is reproduced exactly, and
    /// any other gets a palette of its own. With one, exactly that palette is used, whatever `registers` says.
    @concurrent
    public func quantize(
        _ picture: PixelBuffer, quality: Quality = .best, palette: Palette? = nil
    ) async -> IndexedPicture {
        let opaque = picture.flattened(over: background)
        if palette == nil, let exact = ExactColors.index(opaque, limit: registers) { return exact }
        return await dither(opaque, quality, palette ?? adaptivePalette(for: [opaque]))
    }

    /// Whether a picture has so few colours that it is reproduced exactly without a palette.
    ///
    /// Complexity: O(pixels), and much less for most that have more.
    func isExact(for picture: PixelBuffer) -> Bool {
        ExactColors.index(picture.flattened(over: background), limit: registers) != nil
    }

    private func adaptivePalette(for pictures: [PixelBuffer]) -> Palette {
        var histogram = ColorHistogram()
        for picture in pictures {
            histogram.add(picture, limit: max(4096, ColorHistogram.sampleLimit / pictures.count))
        }
        var cut = VarianceCut(histogram)
        return Palette(colors: cut.colors(registers))
    }

    private func dither(_ picture: PixelBuffer, _ quality: Quality, _ palette: Palette) async -> IndexedPicture {
        let stripes = Stripes(of: picture.size.height)
        let parts =
            switch quality {
            case .best: await stripes.map { ErrorDiffusion(palette: palette).indices(of: picture, rows: $0) }
            case .fast: await stripes.map { OrderedDithering(palette: palette).indices(of: picture, rows: $0) }
            }
        return IndexedPicture(size: picture.size, trusted: palette.colors, indices: joined(parts))
    }

    /// One array of all; `joined()` would copy byte by byte.
    private func joined(_ parts: [[UInt8]]) -> [UInt8] {
        guard var all = parts.first, parts.count > 1 else { return parts.first ?? [] }
        all.reserveCapacity(parts.reduce(0) { $0 + $1.count })
        for part in parts.dropFirst() { all += part }
        return all
    }
}
