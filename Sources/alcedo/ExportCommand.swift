import ArgumentParser
import BrowserApp
import ImageLoading

/// The command `alcedo export`.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write a picture, processed, to a file.",
        discussion: """
            The file's extension decides the format: png, jpg, jpeg, webp or gif. The first frame is written.

            Examples:
              alcedo export https://host/picture.webp -o picture.png
              alcedo export photo.jpg -o small.jpg --process 'downsample(800x800)' --quality 90
              alcedo export photo.jpg -o card.png --process 'crop(600x400) |> round(20) |> border(4, black, radius: 20)'

            Processors, joined by |>:
              downsample(400x300)  resize(400x300, fit|fill|stretch)  crop(100x60, anchor: 0.5 0.5)
              round(20|25%w|25%h, size: 400x300, corners: tl tr bl br, background: #fff)
              border(4, black, radius: 8, corners: tl tr bl br)  blur(6)  overlay(#ff0000, 0.5)  tint(#0000ff80)
              color(brightness: 0, contrast: 1, saturation: 1, exposure: 0)  bw
              blend(multiply, alpha: 1, background: #c86432)  flip(horizontal|vertical)  rotate(90)
            """)

    @Argument(help: "A picture: file or URL.") var source: String
    @Option(name: .shortAndLong, help: "The file to write.") var output: String
    @Option(name: .long, help: "A processor chain, as 'blur(6) |> round(20)'.") var process = ""
    @Option(name: .long, help: "Of JPEG and WebP, 1 to 100.") var quality = ImageEncoder.standardQuality
    @Flag(name: .long, help: "Replace a file that is there.") var force = false
    @Flag(name: .long, help: "Leave the disk cache alone.") var noCache = false

    func run() async throws {
        guard let format = ExportSettings.format(ofFile: output) else {
            throw UsageProblem(text: "--output takes a file ending in png, jpg, jpeg, webp or gif, not '\(output)'")
        }
        var settings = ExportSettings()
        settings.source = source
        settings.file = output
        settings.format = format
        settings.quality = try OptionText.number(quality, of: "--quality", in: 1...100)
        settings.processor = try ProcessorOption.parse(process)
        settings.mayReplace = force
        settings.isUncached = noCache
        let code = try await ExportProgram(settings: settings).run()
        if code != 0 { throw ExitCode(code) }
    }
}
