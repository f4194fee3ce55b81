import AlcedoConfig
import AlcedoTools
import ArgumentParser
import ImageLoading

/// The command `alcedo export`.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write a picture, processed, to a file.",
        discussion: """
            The file's extension decides the format: png, jpg, jpeg, webp or gif. An animation stays one in all but
            JPEG, which takes its first frame.

            Examples:
              alcedo export https://host/picture.webp -o picture.png
              alcedo export photo.jpg -o small.jpg --process 'downsample(800x800)'
              alcedo export photo.jpg -o card.png \\
                --process 'round(20) |> border(4, black, radius: 18)'

            \(processors)
            """)

    /// The processors with all their options.
    static let processors = """
        Processors, joined by |>, with all their options:
          downsample(400x300)   resize(400x300, fit|fill|stretch)
          crop(100x60, anchor: 0.5 0.5)   flip(horizontal|vertical)
          rotate(90)   blur(6)   bw   tint(#0000ff80)   overlay(red, 0.5)
          color(brightness: 0, contrast: 1, saturation: 1, exposure: 0)
          round(20|25%w|25%h, corners: tl br, background: #fff, size: 9x9)
          border(4, black, radius: 8, corners: tl tr bl br)
          blend(multiply, alpha: 1, background: #c86432)
          page(2)   of a PDF, TIFF, ICO or HEIC file; must come first
        """

    @Argument(help: "A picture: file or URL; - reads standard input.", completion: .file()) var source: String
    @OptionGroup var file: PictureFileFlags
    @Option(name: .long, help: "A processor chain, as 'blur(6) |> round(20)'.", completion: .processors)
    var process = ""
    @Option(name: .long, help: .page) var page: Int?
    @Option(name: .long, help: "Write one frame of an animation, from 1.") var frame: Int?
    @Flag(name: .long, help: "Also write a picture whose file is incomplete or corrupt, as far as it can be decoded.")
    var allowIncomplete = false
    @OptionGroup var loading: LoadingFlags

    func run() async throws {
        var program = ExportProgram()
        program.library = try loading.settings()
        program.library.allowsDamage = allowIncomplete
        program.source = source
        program.processor = try OptionText.processors(process, page: page)
        program.frame = try frame.map { try OptionText.number($0, of: "--frame", in: 1...Int.max) - 1 }
        program.isUncached = loading.noCache
        let code = try await program.run(to: try file.file())
        if code != 0 { throw ExitCode(code) }
    }
}
