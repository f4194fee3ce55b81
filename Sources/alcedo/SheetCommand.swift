import AlcedoConfig
import AlcedoTools
import ArgumentParser
import ImageLoading
import Raster

/// The command `alcedo sheet`.
struct SheetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sheet",
        abstract: "Write the pictures of lists, scaled down, to one picture.",
        discussion: """
            The file's extension decides the format: png, jpg, jpeg, webp or gif. The sheet has at most 100 megapixels. A \
            picture that fails is named and its place stays empty.
            Exit code: 0 all pictures are on the sheet, 1 could not run, 2 usage error, 3 some failed, 4 none could be \
            loaded, and no file is written.
            Examples:
              alcedo sheet ~/Pictures -o sheet.png
              alcedo sheet photos.txt -o sheet.jpg --columns 8 --size 160x120 --captions
            """)

    @Argument(help: "List files, folders, pictures, URLs, or - for standard input.", completion: .file())
    var lists: [String]
    @OptionGroup var file: PictureFileFlags
    @Option(name: .long, help: "The most pictures in a row.") var columns = 6
    @Option(name: .long, help: "The area of a picture in pixels.") var size = "200x200"
    @Flag(name: .long, help: "Write the name of each picture below it.") var captions = false
    @Option(name: .long, help: .base, completion: .directory) var base: String?
    @OptionGroup var loading: LoadingFlags

    func run() async throws {
        var program = SheetProgram()
        program.library = try loading.settings()
        program.library.usesDisk = !loading.noCache
        program.lists = lists
        program.base = try OptionText.base(base)
        program.columns = try OptionText.number(columns, of: "--columns", in: 1...1000)
        let sides = try OptionText.sides(size, of: "--size")
        program.size = PixelSize(
            width: try OptionText.number(sides.0, of: "--size", in: 16...4096),
            height: try OptionText.number(sides.1, of: "--size", in: 16...4096))
        program.hasCaptions = captions
        let code = try await program.run(to: try file.file())
        if code != 0 { throw ExitCode(code) }
    }
}
