import Raster

/// Pixels in, bytes for the terminal out: the one entry for pictures that are to be shown.
public struct PictureEncoder: Hashable, Sendable {
    /// Which of the two sixel encoders works.
    public enum SixelImplementation: String, Hashable, Sendable, CaseIterable {
        /// The project's own, the default: faster.
        case bands
        /// libsixel, the reference.
        case libsixel
    }

    /// How pictures reach the terminal.
    public let graphics: GraphicsProtocol
    /// What shows through transparent pixels: the terminal's background.
    public let background: Color
    /// The size of a cell, by which the cells a picture covers are counted.
    public let cell: CellSize
    /// Which sixel encoder works; of no account for other protocols.
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

    /// The picture as bytes; `palette` keeps the colours of a series of frames the same.
    ///
    /// A sixel picture larger than the terminal's limit is divided into tiles, and loses up to five rows where the terminal
    /// counts whole bands; the other protocols scale a picture of
    /// more than 10,000 pixels a side. With `grid`, every protocol but sixel stretches
    /// the picture over that many cells, so that a small one does for a frame that passes; sixel draws it as it is.
    /// Quality `fast` means at most 256 colours, as sixel always does. When libsixel is asked for and refuses, the other
    /// encoder takes its place.
    @concurrent
    public func encode(
        _ picture: PixelBuffer, quality: Quality = .best, palette: Palette? = nil, filling grid: GridSize? = nil
    ) async -> EncodedPicture {
        switch graphics {
        case .sixel(let limits): await sixel(picture, limits, quality, palette)
        case .kitty(let options): await kitty(picture, options, quality, palette, grid)
        case .iterm(let options): await iterm(picture, options, quality, palette, grid)
        case .blocks(let depth, let set): blocks(picture, depth, set, grid ?? cell.cells(covering: picture.size))
        }
    }

    /// A frame that passes, in quality `fast`: with `size` pixels, stretched over the cells that all of it covers.
    ///
    /// Protocols that cannot stretch draw it as it is; see `canStretch`.
    @concurrent
    public func encodeFrame(_ frame: PixelBuffer, reducedTo size: PixelSize, palette: Palette?) async -> EncodedPicture
    {
        guard canStretch, size != frame.size, !size.isEmpty else {
            return await encode(frame, quality: .fast, palette: palette)
        }
        let grid = cell.cells(covering: frame.size)
        return await encode(frame.boxScaled(to: size), quality: .fast, palette: palette, filling: grid)
    }

    /// Whether a small picture can stand for a large one: everywhere but with sixel.
    public var canStretch: Bool {
        if case .sixel = graphics { false } else { true }
    }

    /// One palette for a series of frames, such as a transition between two pictures; nil where none is needed.
    @concurrent
    public func palette(for pictures: [PixelBuffer]) async -> Palette? {
        switch graphics {
        case .sixel(let limits): await quantizer(limits.registers).palette(for: pictures)
        case .kitty, .iterm: await quantizer(256).palette(for: pictures)
        case .blocks: nil
        }
    }

    /// The same, but nil also when each of the pictures has few enough colours to be drawn exactly without one.
    @concurrent
    public func paletteIfInexact(for pictures: [PixelBuffer]) async -> Palette? {
        let quantizer =
            switch graphics {
            case .sixel(let limits): quantizer(limits.registers)
            default: quantizer(256)
            }
        return pictures.allSatisfy(quantizer.isExact) ? nil : await palette(for: pictures)
    }

    private func sixel(
        _ picture: PixelBuffer, _ limits: SixelLimits, _ quality: Quality, _ palette: Palette?
    ) async -> EncodedPicture {
        let indexed = await quantizer(limits.registers).quantize(picture, quality: quality, palette: palette)
        let size = limits.drawn(of: picture.size, cell: cell)
        var tiles: [SixelTile] = []
        for part in limits.parts(of: size, cell: cell) {
            tiles.append(
                SixelTile(
                    column: part.x.lowerBound / cell.width, row: part.y.lowerBound / cell.height,
                    stream: await stream(indexed.part(x: part.x, y: part.y))))
        }
        return encoded(.sixel(tiles), size: size)
    }

    private func kitty(
        _ picture: PixelBuffer, _ options: KittyOptions, _ quality: Quality, _ palette: Palette?, _ grid: GridSize?
    ) async -> EncodedPicture {
        let fitting = picture.limited(to: KittyOptions.largestSide)
        let image = await KittyEncoder(options: options, background: background).encode(
            fitting, quality: quality, palette: palette, filling: grid)
        return encoded(.kitty(image), size: fitting.size, grid: grid)
    }

    private func iterm(
        _ picture: PixelBuffer, _ options: ITermOptions, _ quality: Quality, _ palette: Palette?, _ grid: GridSize?
    ) async -> EncodedPicture {
        let fitting = picture.limited(to: ITermOptions.largestSide)
        let image = await ITermEncoder(options: options, background: background).encode(
            fitting, quality: quality, palette: palette, filling: grid)
        return encoded(.iterm(image), size: fitting.size, grid: grid)
    }

    private func blocks(
        _ picture: PixelBuffer, _ depth: ColorDepth, _ set: BlockSet, _ grid: GridSize
    ) -> EncodedPicture {
        let blocks = BlockPicture(picture, grid: grid, set: set, depth: depth, background: background)
        return encoded(.blocks(blocks), size: picture.size, grid: grid)
    }

    private func encoded(
        _ content: EncodedPicture.Content, size: PixelSize, grid: GridSize? = nil
    ) -> EncodedPicture {
        EncodedPicture(size: size, grid: grid ?? cell.cells(covering: size), cell: cell, content: content)
    }

    private func quantizer(_ registers: Int) -> Quantizer {
        Quantizer(registers: registers, background: background)
    }

    private func stream(_ picture: IndexedPicture) async -> [UInt8] {
        guard implementation == .libsixel, let stream = try? await LibsixelEncoder().encode(picture) else {
            return await BandSixelEncoder().encode(picture)
        }
        return stream
    }
}

extension PixelBuffer {
    /// The picture with no side longer than `side`, aspect kept.
    fileprivate func limited(to side: Int) -> PixelBuffer {
        boxScaled(to: size.scaled(to: PixelSize(width: side, height: side)))
    }
}
