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
    /// - Throws: `ProgramProblem` if no picture can be shown there at all.
    package func run() async throws(ProgramProblem) -> Int32 {
        let canvas = try await ShowCanvas.find(settings, console: console)
        var librarySettings = settings.library
        librarySettings.usesDisk = !settings.isUncached && settings.sources.contains { $0.contains("://") }
        let failed = await ImageServices.open(librarySettings, console: console) { library in
            var failed = 0
            for location in settings.sources {
                do throws(ImageError) {
                    console.output(bytes: try await bytes(of: location, library: library, canvas: canvas))
                } catch {
                    failed += 1
                    console.message("alcedo: \(Redaction.display(location)): \(error.title)")
                }
            }
            return failed
        }
        return failed == 0 ? 0 : (failed == settings.sources.count ? 4 : 3)
    }

    private func bytes(of location: String, library: ImageServices, canvas: ShowCanvas) async throws(ImageError)
        -> [UInt8]
    {
        let chain = canvas.box.map { settings.processor |> DownsamplingImageProcessor(size: $0) } ?? settings.processor
        return try await canvas.bytes(
            of: try await library.image(at: location, processor: chain, console: console).pixels)
    }
}

/// The settings of `alcedo show`.
package struct ShowSettings: Sendable {
    package enum Format: String, Sendable, CaseIterable {
        case auto, kitty, sixel, iterm, blocks, sextants, png, ppm
    }

    package var library = LibrarySettings()
    package var sources: [String] = []
    package var format = Format.auto
    /// A box in pixels that the picture must fit; it is never enlarged.
    package var size: PixelSize?
    /// The same box in cells.
    package var cells: GridSize?
    package var processor: any ImageProcessor = DefaultImageProcessor()
    /// Neither reads nor writes the disk cache.
    package var isUncached = false
    package var usesLibsixel = false
    package var isFast = false

    package init() {}

    /// Parses a size such as `800x600`; returns nil unless it is two numbers from 1 to 100,000.
    package static func sides(_ text: String) -> (Int, Int)? {
        let parts = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let first = parts[0], let second = parts[1] else { return nil }
        let range = 1...100_000
        return range.contains(first) && range.contains(second) ? (first, second) : nil
    }
}
