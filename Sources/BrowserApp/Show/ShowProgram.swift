import Foundation
import ImageLoading
import Lists
import Raster
import Terminal
import TerminalGraphics

/// Prints pictures to standard output, one after the other.
package struct ShowProgram: Sendable {
    private let settings: ShowSettings
    private let console: Console

    package init(settings: ShowSettings, console: Console = Console()) {
        self.settings = settings
        self.console = console
    }

    /// Prints the pictures and returns the exit code: 0 all shown, 3 some failed, 4 all failed.
    ///
    ///
    /// - Throws: `ProgramProblem` if no picture can be shown there at all.
    package func run() async throws(ProgramProblem) -> Int32 {
        let canvas = try await ShowCanvas.find(settings, console: console)
        var librarySettings = settings.library
        librarySettings.usesDisk = !settings.isUncached && settings.sources.contains { $0.contains("://") }
        let library = Library(settings: librarySettings)
        if let problem = library.diskProblem { console.message("alcedo: \(problem); continuing without it") }
        var failed = 0
        for location in settings.sources {
            do throws(ImageError) {
                console.output(bytes: try await bytes(of: location, library: library, canvas: canvas))
            } catch {
                failed += 1
                console.message("alcedo: \(Redaction.display(location)): \(error.title)")
            }
        }
        await library.close()
        return failed == 0 ? 0 : (failed == settings.sources.count ? 4 : 3)
    }

    private func bytes(of location: String, library: Library, canvas: ShowCanvas) async throws(ImageError) -> [UInt8] {
        guard let source = SourceReference.source(for: location) else {
            throw .request(.invalidURL("only http, https, file and data addresses can be read"))
        }
        let chain = canvas.box.map { settings.processor |> DownsamplingImageProcessor(size: $0) } ?? settings.processor
        let result = try await library.pipeline.image(for: source, options: library.options(processor: chain))
        result.notice(of: location).map(console.message)
        return try await canvas.bytes(of: result.image.pixels)
    }
}
