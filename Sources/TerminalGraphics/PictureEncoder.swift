import Raster

/// Encodes pixels as bytes for a terminal.
public struct PictureEncoder: Hashable, Sendable {
    /// A sixel encoder.
    public enum SixelImplementation: String, Hashable, Sendable, CaseIterable {
        /// The built-in encoder, the default and the faster one.
        case bands
        /// libsixel, the reference, which takes half a minute for noise that fills a screen.
        case libsixel
    }

    /// The longest side that is sent to kitty, whose limit it is, and to iTerm2; in pixels.
    private static let largestSide = 10_000

    /// The protocol to display pictures.
    package let graphicsProtocol: GraphicsProtocol
    /// The terminal's background, which shows through transparent pixels.
    package let background: Color
    /// The cell size, which determines how many cells a picture covers.
    package let cell: CellSize
    /// The sixel encoder; ignored for other protocols.
    package let implementation: SixelImplementation

    /// Creates an encoder; by default with a black background, cells of 10×20 pixels and the built-in sixel encoder.
    public init(
        protocol graphics: GraphicsProtocol, background: Color = .black, cell: CellSize = .fallback,
        implementation: SixelImplementation = .bands
    ) {
        graphicsProtocol = graphics
        (self.background, self.cell, self.implementation) = (background, cell, implementation)
    }

    /// Encodes a picture.
    ///
    /// A sixel picture larger than the terminal's limit is divided into tiles. It loses up to five rows if the terminal
    /// rounds its height up to whole bands. The other protocols scale a picture of more than 10,000 pixels a side. If
    /// libsixel fails, the built-in encoder replaces it.
    ///
    /// - Parameters:
    ///   - quality: `fast` means at most 256 colours, which sixel always has.
    ///   - palette: the colours to use, so that a series of frames has the same ones.
    ///   - grid: the cells over which the picture is stretched; sixel ignores it.
    @concurrent
    public func encode(
        _ picture: PixelBuffer, quality: Quality = .best, palette: Palette? = nil, filling grid: GridSize? = nil
    ) async -> EncodedPicture {
        switch graphicsProtocol {
        case .sixel(let limits):
            let indexed = await quantizer().quantize(picture, quality: quality, palette: palette)
            return await sixel(indexed, limits)
        case .kitty:
            let fitting = picture.limited(to: Self.largestSide)
            let image = await KittyPicture(
                fitting, background: background, quality: quality, palette: palette, filling: grid)
            return encoded(.kitty(image), size: fitting.size, grid: grid)
        case .iterm:
            let fitting = picture.limited(to: Self.largestSide)
            let image = await ITermPicture(
                fitting, background: background, quality: quality, palette: palette, filling: grid)
            return encoded(.iterm(image), size: fitting.size, grid: grid)
        case .blocks(let depth, let set):
            let grid = grid ?? cell.cells(covering: picture.size)
            let blocks = BlockPicture(picture, grid: grid, set: set, depth: depth, background: background)
            return encoded(.blocks(blocks), size: picture.size, grid: grid)
        }
    }

    /// Encodes a transient frame in quality `fast`, scaled to `size` pixels and stretched over the cells of the full
    /// size.
    ///
    /// Protocols that cannot stretch draw it in full size; see `canStretch`.
    @concurrent
    package func encodeFrame(_ frame: PixelBuffer, reducedTo size: PixelSize, palette: Palette?) async -> EncodedPicture
    {
        guard canStretch, size != frame.size, !size.isEmpty else {
            return await encode(frame, quality: .fast, palette: palette)
        }
        let grid = cell.cells(covering: frame.size)
        return await encode(frame.boxScaled(to: size), quality: .fast, palette: palette, filling: grid)
    }

    /// Whether a small picture can be stretched over more cells; false for sixel.
    package var canStretch: Bool {
        if case .sixel = graphicsProtocol { false } else { true }
    }

    /// Returns a common palette for a series of frames, such as a transition; nil if none is needed.
    @concurrent
    public func palette(for pictures: [PixelBuffer]) async -> Palette? {
        if case .blocks = graphicsProtocol { return nil }
        return await quantizer().palette(for: pictures)
    }

    /// Returns a common palette, or nil if every picture has few enough colours to be drawn exactly without one.
    @concurrent
    package func paletteIfInexact(for pictures: [PixelBuffer]) async -> Palette? {
        pictures.allSatisfy(quantizer().isExact) ? nil : await palette(for: pictures)
    }

    /// Encodes a picture so that what is below its transparent pixels stays, if the protocol is sixel.
    ///
    /// In most terminals that is an older picture, in some the text; see `SixelQuirks`.
    @concurrent
    package func encodeWithHoles(_ picture: PixelBuffer) async -> EncodedPicture {
        guard case .sixel(let limits) = graphicsProtocol else { return await encode(picture) }
        let indexed = await quantizer(spare: 1).quantize(picture)
        return await sixel(indexed.leavingOutTransparency(of: picture), limits)
    }

    private func sixel(_ indexed: IndexedPicture, _ limits: SixelLimits) async -> EncodedPicture {
        let size = limits.drawnSize(of: indexed.size, cell: cell)
        var tiles: [SixelTile] = []
        for part in limits.parts(of: size, cell: cell) {
            tiles.append(
                SixelTile(
                    column: part.x.lowerBound / cell.width, row: part.y.lowerBound / cell.height,
                    stream: await stream(indexed.part(x: part.x, y: part.y))))
        }
        return encoded(.sixel(tiles), size: size)
    }

    private func encoded(
        _ content: EncodedPicture.Content, size: PixelSize, grid: GridSize? = nil
    ) -> EncodedPicture {
        EncodedPicture(size: size, grid: grid ?? cell.cells(covering: size), cell: cell, content: content)
    }

    private func quantizer(spare: Int = 0) -> Quantizer {
        let registers = if case .sixel(let limits) = graphicsProtocol { limits.registers } else { 256 }
        return Quantizer(registers: registers - spare, background: background)
    }

    private func stream(_ picture: IndexedPicture) async -> [UInt8] {
        if implementation == .libsixel, let stream = await LibsixelEncoder().encode(picture) { return stream }
        return await BandSixelEncoder().encode(picture)
    }
}

extension PixelBuffer {
    /// Scales the picture so that no side is longer than `side`; the aspect ratio is kept.
    fileprivate func limited(to side: Int) -> PixelBuffer {
        boxScaled(to: size.scaled(to: PixelSize(width: side, height: side)))
    }
}

/// A way to draw pictures, by the name that settings use.
package enum GraphicsMethod: String, Hashable, Sendable, CaseIterable {
    /// The best way that the terminal is known for.
    case auto
    case kitty, sixel, iterm, blocks, sextants

    /// Whether pictures are characters.
    package var isText: Bool { self == .blocks || self == .sextants }

    /// Returns the protocol; of `auto`, that of blocks.
    package func graphicsProtocol(sixel limits: SixelLimits, blocks depth: ColorDepth, _ set: BlockSet)
        -> GraphicsProtocol
    {
        switch self {
        case .sixel: .sixel(limits)
        case .kitty: .kitty
        case .iterm: .iterm
        case .auto, .blocks: .blocks(depth, set)
        case .sextants: .blocks(depth, .sextant)
        }
    }
}

/// A protocol to display pictures on a terminal.
public enum GraphicsProtocol: Hashable, Sendable {
    /// Sixel control strings.
    case sixel(SixelLimits)
    /// kitty's graphics protocol in full colour; the terminal keeps pictures until they are removed.
    case kitty
    /// iTerm2's inline image protocol, which sends image files.
    case iterm
    /// Coloured block characters, quadrants by default.
    case blocks(ColorDepth, BlockSet = .quadrant)

    /// The bytes that remove every remaining picture at the program's end; empty for most protocols.
    public var erasingAll: [UInt8] {
        guard case .kitty = self else { return [] }
        return KittyPicture.erasingAll
    }
}
