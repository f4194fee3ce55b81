import AlcedoConfig
import AlcedoLists
import AlcedoSupport
import AlcedoTerminal
import FoundationEssentials
import Glibc
import ImageLoading
import Raster
import TerminalGraphics

/// Prints pictures to standard output, one after the other.
package struct ShowProgram: Sendable {
    package enum Format: RawRepresentable, Sendable, Equatable, CaseIterable {
        case terminal(GraphicsMethod), png, ppm

        package static var allCases: [Format] { GraphicsMethod.allCases.map(Format.terminal) + [.png, .ppm] }

        package init?(rawValue: String) {
            guard let format = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
            self = format
        }

        package var rawValue: String {
            switch self {
            case .terminal(let method): method.rawValue
            case .png: "png"
            case .ppm: "ppm"
            }
        }
    }

    package var library = LibrarySettings()
    package var sources: [String] = []
    package var format = Format.terminal(.auto)
    /// A box in pixels that the picture must fit; it is never enlarged.
    package var size: PixelSize?
    /// The same box in cells.
    package var cells: GridSize?
    /// The cell of the screen at which the box begins, from 0; nil prints in the flow of text.
    package var place: (column: Int, row: Int)?
    /// Removes the picture in the box at ``place``, and all of kitty's, before.
    package var clears = false
    package var processor: any ImageProcessor = DefaultImageProcessor()
    /// Neither reads nor writes the disk cache.
    package var isUncached = false
    package var usesLibsixel = false
    package var isFast = false
    fileprivate let console: Console

    package init(console: Console = Console()) { self.console = console }

    /// Prints the pictures and returns the exit code: 0 all shown, 1 all failures are faults of this machine, 3 some
    /// failed, 4 all failed.
    ///
    /// - Throws: `ProgramProblem` if no picture can be shown there at all.
    package func run() async throws(ProgramProblem) -> Int32 {
        if clears { console.output(bytes: clearing) }
        if sources.isEmpty { return 0 }
        let canvas = try await ShowCanvas.find(for: self)
        var settings = library
        settings.usesDisk = !isUncached && sources.contains { $0.contains("://") }
        let failed = await ImageServices.open(settings, console: console) { library in
            var failed = (pictures: 0, here: 0)
            for location in sources {
                do throws(ImageError) {
                    console.output(bytes: try await bytes(of: location, library: library, canvas: canvas))
                } catch {
                    failed.pictures += 1
                    if error.isOfEnvironment { failed.here += 1 }
                    console.message("alcedo: \(Redaction.display(location)): \(error.title)")
                }
            }
            return failed
        }
        if failed.pictures == failed.here { return failed.here == 0 ? 0 : 1 }
        return failed.pictures == sources.count ? 4 : 3
    }

    private func bytes(of location: String, library: ImageServices, canvas: ShowCanvas) async throws(ImageError)
        -> [UInt8]
    {
        let chain = canvas.box.map { processor |> DownsamplingImageProcessor(size: $0) } ?? processor
        return try await canvas.bytes(
            of: try await library.image(at: location, processor: chain, console: console).pixels, at: place)
    }

    /// The bytes that blank the box and remove kitty's pictures; the cursor stays where it was.
    private var clearing: [UInt8] {
        var text = format == .terminal(.kitty) || format == .terminal(.auto) ? "\u{1B}_Ga=d,q=2,d=A\u{1B}\\" : ""
        if let place, let cells {
            text += "\u{1B}7\u{1B}[0m"
            for row in 0..<cells.rows {
                text += "\u{1B}[\(place.row + row + 1);\(place.column + 1)H\u{1B}[\(cells.columns)X"
            }
            text += "\u{1B}8"
        }
        return Array(text.utf8)
    }

    /// Parses a size such as `800x600`; returns nil unless it is two numbers from 1 to 100,000.
    package static func sides(_ text: String) -> (Int, Int)? {
        let parts = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let first = parts[0], let second = parts[1] else { return nil }
        let range = 1...100_000
        return range.contains(first) && range.contains(second) ? (first, second) : nil
    }

    /// Returns the box in pixels: the requested size, else the screen size without the prompt's row, else nil.
    func box(cell: CellSize, screen: GridSize?) -> PixelSize? {
        if let size { return size }
        if let cells { return PixelSize(width: cells.columns * cell.width, height: cells.rows * cell.height) }
        return screen.map { PixelSize(width: $0.columns * cell.width, height: max(1, $0.rows - 1) * cell.height) }
    }
}

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

    /// Chooses the output by the program's options, and queries the terminal only if necessary.
    static func find(
        for program: ShowProgram, ask: TerminalQuery = TerminalReport.read
    ) async throws(ProgramProblem) -> ShowCanvas {
        switch program.format {
        case .png: return ShowCanvas(output: .png, box: program.box(cell: .fallback, screen: nil))
        case .ppm: return ShowCanvas(output: .ppm, box: program.box(cell: .fallback, screen: nil))
        case .terminal(.auto) where !program.console.outputIsTerminal: return try piped(program)
        case .terminal(let method) where method != .auto && program.place != nil:
            // Replies of the terminal would go to the program that owns the screen.
            return ShowCanvas(program, protocol: assumed(method), cell: openCell ?? .fallback, screen: nil)
        case .terminal(let method) where method != .auto && !method.isText && program.size != nil:
            return ShowCanvas(program, protocol: assumed(method), screen: nil)
        case .terminal(let method):
            return ShowCanvas(program, method, terminal: await ask(program.library.environment))
        }
    }

    /// Returns the protocol for a terminal of which nothing is known.
    private static func assumed(_ method: GraphicsMethod, _ depth: ColorDepth = .truecolor) -> GraphicsProtocol {
        let side = SixelLimits.largestSide
        let limits = SixelLimits(maximumSize: PixelSize(width: side, height: side))
        return method.graphicsProtocol(sixel: limits, blocks: depth, .quadrant)
    }

    /// The cell of the terminal that a standard stream leads to.
    private static var openCell: CellSize? {
        [STDOUT_FILENO, STDERR_FILENO, STDIN_FILENO].lazy.compactMap { CellSize(ofTerminal: $0) }.first
    }

    /// Chooses the output into a pipe: sixel in a size in pixels, blocks in a size in cells.
    private static func piped(_ program: ShowProgram) throws(ProgramProblem) -> ShowCanvas {
        if program.size != nil {
            return ShowCanvas(program, protocol: assumed(.sixel), screen: nil)
        }
        let environment = program.library.environment
        guard let cells = program.cells ?? previewCells(environment) else {
            throw ProgramProblem(
                """
                standard output is not a terminal; add --cells COLUMNSxROWS for blocks, --size WxH for sixel, or \
                --format png
                """)
        }
        var program = program
        program.cells = cells
        let hasTrueColor = ["truecolor", "24bit"].contains(TerminalEnvironment(environment).colorTerminal)
        return ShowCanvas(program, protocol: assumed(.blocks, hasTrueColor ? .truecolor : .palette256), screen: nil)
    }

    /// Returns the size of fzf's preview window; nil outside of one.
    private static func previewCells(_ environment: [String: String]) -> GridSize? {
        guard let columns = environment["FZF_PREVIEW_COLUMNS"].flatMap({ Int($0) }),
            let rows = environment["FZF_PREVIEW_LINES"].flatMap({ Int($0) }), (1...10_000).contains(columns),
            (1...10_000).contains(rows)
        else { return nil }
        return GridSize(columns: columns, rows: rows)
    }

    private init(_ program: ShowProgram, _ method: GraphicsMethod, terminal: TerminalReport?) {
        let capabilities = terminal?.capabilities ?? TerminalCapabilities()
        self.init(
            program, protocol: capabilities.graphicsProtocol(method),
            cell: terminal == nil ? Self.openCell ?? .fallback : capabilities.cell,
            background: capabilities.background ?? .black,
            screen: terminal?.size ?? GridSize(columns: 80, rows: 24))
    }

    private init(output: Output, box: PixelSize?) { (self.output, self.box) = (output, box) }

    private init(
        _ program: ShowProgram, protocol graphics: GraphicsProtocol, cell: CellSize = .fallback,
        background: Color = .black, screen: GridSize?
    ) {
        let encoder = PictureEncoder(
            protocol: graphics, background: background, cell: cell,
            implementation: program.usesLibsixel ? .libsixel : .bands)
        let isCheckered = screen != nil && !program.processor.clearsCorners
        output = .terminal(encoder, program.isFast ? .fast : .best, isCheckered: isCheckered)
        box = program.box(cell: cell, screen: screen)
    }

    func bytes(
        of picture: PixelBuffer, at place: (column: Int, row: Int)? = nil
    ) async throws(ImageError) -> [UInt8] {
        switch output {
        case .png: return Array(try ImageError.wrapping { () throws(CodecError) in try picture.pngData() })
        case .ppm: return PortablePixmap.bytes(of: picture)
        case .terminal(let encoder, let quality, let isCheckered):
            let picture = isCheckered ? picture.checkered(around: encoder.background) : picture
            let encoded = await encoder.encode(picture, quality: quality)
            guard let place else { return encoded.inlineBytes }
            return Array("\u{1B}7".utf8) + encoded.bytes(atColumn: place.column, row: place.row) + Array("\u{1B}8".utf8)
        }
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
