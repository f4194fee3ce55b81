import Raster

/// Pixels in, bytes for the terminal out: the one entry for pictures that are to be shown.
public struct PictureEncoder: Sendable {
    /// Which of the two sixel encoders works.
    public enum SixelImplementation: String, Hashable, Sendable, CaseIterable {
        /// The project's own, the default: faster.
        case bands
        /// libsixel, the reference.
        case libsixel
    }

    public let graphics: GraphicsProtocol
    /// What shows through transparent pixels: the terminal's background.
    public let background: Color
    /// The size of a cell, by which the cells a picture covers are counted.
    public let cell: CellSize
    public let implementation: SixelImplementation

    /// Takes what is known of the terminal; the background is black, the cell 10×20 and the encoder ours by default.
    public init(
        protocol graphics: GraphicsProtocol, background: Color = .black, cell: CellSize = .fallback,
        implementation: SixelImplementation = .bands
    ) {
        self.graphics = graphics
        self.background = background
        self.cell = cell
        self.implementation = implementation
    }

    /// The picture as bytes; `palette` keeps the colours of a series of frames the same, and blocks ignore it.
    ///
    /// A picture larger than the terminal's limit is scaled down to it. When libsixel is asked for and refuses, the
    /// other encoder takes its place.
    @concurrent
    public func encode(
        _ picture: PixelBuffer, quality: Quality = .best, palette: Palette? = nil
    ) async -> EncodedPicture {
        switch graphics {
        case .sixel(let limits):
            let fitting = picture.boxScaled(to: limits.largestSize(for: picture.size))
            let indexed = await quantizer(limits).quantize(fitting, quality: quality, palette: palette)
            return encoded(.sixel(await stream(indexed)), size: fitting.size)
        case .blocks(let depth):
            let blocks = BlockPicture(picture, grid: cell.cells(covering: picture.size), background: background)
            return encoded(.blocks(blocks, depth), size: picture.size)
        }
    }

    /// One palette for a series of frames, such as a transition between two pictures; nil where none is needed.
    @concurrent
    public func palette(for pictures: [PixelBuffer]) async -> Palette? {
        guard case .sixel(let limits) = graphics else { return nil }
        return await quantizer(limits).palette(for: pictures)
    }

    private func encoded(_ content: EncodedPicture.Content, size: PixelSize) -> EncodedPicture {
        EncodedPicture(size: size, grid: cell.cells(covering: size), content: content)
    }

    private func quantizer(_ limits: SixelLimits) -> Quantizer {
        Quantizer(registers: limits.registers, background: background)
    }

    private func stream(_ picture: IndexedPicture) async -> [UInt8] {
        guard implementation == .libsixel, let stream = try? await LibsixelEncoder().encode(picture) else {
            return await BandSixelEncoder().encode(picture)
        }
        return stream
    }
}
