import AlcedoConfig
import AlcedoTools
import ArgumentParser
import ImageLoading
import Raster

/// The command `alcedo show`.
struct ShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show pictures on standard output.",
        discussion: """
            Examples:
              alcedo show photo.jpg
              alcedo show --size 800x800 https://host/picture.webp > picture.six
              curl -s https://host/picture.avif | alcedo show -
              alcedo show --process 'bw |> round(5%w)' --format png photo.jpg > round.png
              alcedo show --clear --cells 80x24 --at 40,0 --format sixel photo.jpg > /dev/tty
            """)

    @Argument(help: "Pictures: files or URLs; - reads standard input.", completion: .file())
    var sources: [String] = []
    @Option(name: .long, help: "A box in pixels, as 800x600; the picture fits inside and is never scaled up.")
    var size: String?
    @Option(name: .long, help: "A box in character cells, as 80x24.") var cells: String?
    @Option(
        name: .long,
        help:
            "The cell of the screen where the box of --cells begins, as 40,0; with --format the terminal is not asked.")
    var at: String?
    @Flag(name: .long, help: "Remove the picture in the box of --at and --cells, and all of kitty's, before.")
    var clear = false
    @Option(
        name: .long, help: "auto, kitty, sixel, iterm, blocks, sextants, png or ppm.",
        completion: .names(of: ShowProgram.Format.self))
    var format = "auto"
    @Option(name: .long, help: "The sixel encoder: band or libsixel.", completion: .list(["band", "libsixel"]))
    var encoder = "band"
    @Option(name: .long, help: "best or fast.", completion: .list(["best", "fast"])) var quality = "best"
    @Option(name: .long, help: "A processor chain, as 'blur(6) |> round(20)'.", completion: .processors)
    var process = ""
    @Option(name: .long, help: .page) var page: Int?
    @Flag(name: .long, help: "Do not use the disk cache.") var noCache = false
    @OptionGroup(title: "Limits") var limits: LimitFlags
    @OptionGroup(title: "Connections") var connection: ConnectionFlags
    @OptionGroup(title: "Retrying") var retry: RetryFlags
    @OptionGroup var config: ConfigFlags

    func validate() throws {
        if sources.isEmpty, !clear { throw ValidationError("Missing expected argument '<sources> ...'") }
    }

    func run() async throws {
        var configuration = try config.read()
        try retry.write(to: &configuration)
        try limits.write(to: &configuration)
        try connection.write(to: &configuration)
        var program = ShowProgram()
        program.sources = sources
        program.isUncached = noCache
        program.library = LibrarySettings(configuration)
        program.library.allowsDamage = true
        program.library.connection = try connection.settings()
        program.processor = try OptionText.processors(process, page: page)
        program.format = try OptionText.choice(format, of: "--format")
        program.usesLibsixel = try OptionText.flag(encoder, of: "--encoder", off: "band", on: "libsixel")
        program.isFast = try OptionText.flag(quality, of: "--quality", off: "best", on: "fast")
        if let size {
            let sides = try OptionText.sides(size, of: "--size")
            program.size = PixelSize(width: sides.0, height: sides.1)
        }
        if let cells {
            let sides = try OptionText.sides(cells, of: "--cells")
            program.cells = GridSize(columns: sides.0, rows: sides.1)
        }
        program.place = try at.map(Self.place)
        program.clears = clear
        guard at == nil || cells != nil else { throw UsageProblem(text: "--at needs --cells COLUMNSxROWS") }
        let code = try await program.run()
        if code != 0 { throw ExitCode(code) }
    }

    private static func place(_ text: String) throws -> (column: Int, row: Int) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let column = parts[0], let row = parts[1], (0...9999).contains(column),
            (0...9999).contains(row)
        else { throw UsageProblem(text: "--at takes a column and a row from 0, as 40,0, not '\(text)'") }
        return (column, row)
    }
}
