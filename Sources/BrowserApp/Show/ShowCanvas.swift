import Foundation
import ImageLoading
import Raster
import Terminal
import TerminalGraphics

/// The output format of a picture and the box it must fit.
struct ShowCanvas: Sendable {
    enum Output: Sendable {
        /// Drawn over a checkerboard where transparent, or over the encoder's background.
        case terminal(PictureEncoder, Quality, isCheckered: Bool)
        case png
        case ppm
    }

    let output: Output
    /// In pixels; nil keeps the picture's own size.
    let box: PixelSize?

    /// Queries the terminal; returns nil without one.
    typealias TerminalQuery = @MainActor ([String: String]) async -> TerminalReport?

    /// Chooses the output by the settings, and queries the terminal only if necessary.
    static func find(
        _ settings: ShowSettings, console: Console, ask: TerminalQuery = TerminalReport.read
    ) async throws(ProgramProblem) -> ShowCanvas {
        switch settings.format {
        case .png: return ShowCanvas(output: .png, box: settings.box(cell: .fallback, screen: nil))
        case .ppm: return ShowCanvas(output: .ppm, box: settings.box(cell: .fallback, screen: nil))
        case .sixel where settings.size != nil:
            return ShowCanvas(settings, protocol: .sixel(SixelLimits(maximumSize: Self.unlimited)), screen: nil)
        case .kitty where settings.size != nil:
            return ShowCanvas(settings, protocol: .kitty, screen: nil)
        case .iterm where settings.size != nil:
            return ShowCanvas(settings, protocol: .iterm, screen: nil)
        case .auto where !console.outputIsTerminal:
            guard settings.size != nil else {
                throw ProgramProblem("standard output is not a terminal; add --size WxH for sixel, or --format png")
            }
            return ShowCanvas(settings, protocol: .sixel(SixelLimits(maximumSize: Self.unlimited)), screen: nil)
        default: return ShowCanvas(settings, terminal: await ask(settings.library.environment))
        }
    }

    private static let unlimited = PixelSize(width: SixelLimits.largestSide, height: SixelLimits.largestSide)

    private init(_ settings: ShowSettings, terminal: TerminalReport?) {
        let capabilities = terminal?.capabilities ?? TerminalCapabilities()
        let graphics: GraphicsProtocol =
            switch settings.format {
            case .sixel: capabilities.graphicsProtocol(.sixel)
            case .kitty: capabilities.graphicsProtocol(.kitty)
            case .iterm: capabilities.graphicsProtocol(.iterm)
            case .blocks: capabilities.graphicsProtocol(.blocks)
            case .sextants: capabilities.graphicsProtocol(.blocks, blockSet: .sextant)
            case .auto, .png, .ppm: capabilities.graphicsProtocol()
            }
        self.init(
            settings, protocol: graphics, cell: capabilities.cell, background: capabilities.background ?? .black,
            screen: terminal?.size ?? GridSize(columns: 80, rows: 24))
    }

    private init(output: Output, box: PixelSize?) {
        self.output = output
        self.box = box
    }

    private init(
        _ settings: ShowSettings, protocol graphics: GraphicsProtocol, cell: CellSize = .fallback,
        background: Color = .black, screen: GridSize?
    ) {
        let encoder = PictureEncoder(
            protocol: graphics, background: background, cell: cell,
            implementation: settings.usesLibsixel ? .libsixel : .bands)
        let isCheckered = screen != nil && !settings.processor.clearsCorners
        output = .terminal(encoder, settings.isFast ? .fast : .best, isCheckered: isCheckered)
        box = settings.box(cell: cell, screen: screen)
    }

    func bytes(of picture: PixelBuffer) async throws(ImageError) -> [UInt8] {
        switch output {
        case .png: return Array(try ImageError.wrapping { () throws(CodecError) in try picture.pngData() })
        case .ppm: return PortablePixmap.bytes(of: picture)
        case .terminal(let encoder, let quality, let isCheckered):
            let picture = isCheckered ? picture.checkered(around: encoder.background) : picture
            return await encoder.encode(picture, quality: quality).inlineBytes
        }
    }
}

extension ShowSettings {
    /// Returns the box in pixels: the requested size, else the screen size without the prompt's row, else nil.
    func box(cell: CellSize, screen: GridSize?) -> PixelSize? {
        if let size { return size }
        if let cells { return PixelSize(width: cells.columns * cell.width, height: cells.rows * cell.height) }
        return screen.map { PixelSize(width: $0.columns * cell.width, height: max(1, $0.rows - 1) * cell.height) }
    }
}

/// A writer for PPM files, format P6 (netpbm's ppm(5)); transparent pixels are blended with black.
enum PortablePixmap {
    static func bytes(of picture: PixelBuffer) -> [UInt8] {
        var result = Array("P6\n\(picture.size.width) \(picture.size.height)\n255\n".utf8)
        result.reserveCapacity(result.count + picture.size.area * 3)
        for offset in stride(from: 0, to: picture.bytes.count, by: 4) {
            let alpha = Int(picture.bytes[offset + 3])
            for channel in 0..<3 { result.append(UInt8((Int(picture.bytes[offset + channel]) * alpha + 127) / 255)) }
        }
        return result
    }
}
