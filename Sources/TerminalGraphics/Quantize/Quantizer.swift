import Raster

/// The quality of a picture's colours.
public enum Quality: String, Hashable, Sendable, CaseIterable {
    /// Error diffusion, for still pictures.
    case best
    /// Ordered dithering, which is stable between frames, for previews, transitions and animations.
    case fast
}

/// Reduces pictures to the number of colours that the terminal has registers for.
package struct Quantizer: Sendable {
    /// The most colours of a result, 2…256.
    package let registers: Int
    /// The colour that shows through transparent pixels.
    package let background: Color

    /// Creates a quantizer; `registers` is clamped to 2…256, and the background's alpha is ignored.
    package init(registers: Int = 256, background: Color = .black) {
        self.registers = min(max(registers, 2), 256)
        self.background = background
    }

    /// Returns a common palette for pictures, to be passed to `quantize` for each of them.
    ///
    /// Complexity: O(pixels) up to a quarter of a million, constant above.
    @concurrent
    package func palette(for pictures: [PixelBuffer]) async -> Palette {
        adaptivePalette(for: pictures.map { $0.flattened(over: background) })
    }

    /// Reduces a picture over the background to at most `registers` colours.
    ///
    /// Without a palette, a picture with few enough colours on the register grid is reproduced exactly, and any other
    /// gets its own palette. A given palette is used even if it has more than `registers` colours.
    @concurrent
    package func quantize(
        _ picture: PixelBuffer, quality: Quality = .best, palette: Palette? = nil
    ) async -> IndexedPicture {
        let opaque = picture.flattened(over: background)
        if palette == nil, let exact = ExactColors.index(opaque, limit: registers) { return exact }
        return await dither(opaque, quality, palette ?? adaptivePalette(for: [opaque]))
    }

    /// Returns whether a picture has few enough colours to be reproduced exactly without a palette.
    ///
    /// Complexity: O(pixels), and much less for most pictures with more colours.
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

    /// Concatenates the parts; `joined()` would copy byte by byte.
    private func joined(_ parts: [[UInt8]]) -> [UInt8] {
        guard var all = parts.first, parts.count > 1 else { return parts.first ?? [] }
        all.reserveCapacity(parts.reduce(0) { $0 + $1.count })
        for part in parts.dropFirst() { all += part }
        return all
    }
}
