import Foundation
import ImageLoading
import Lists
import Raster

/// Writes one processed picture to a file.
package struct ExportProgram: Sendable {
    package var library = LibrarySettings()
    /// A path or an address.
    package var source = ""
    package var file = ""
    package var format = ImageFormat.png
    /// The quality of JPEG and WebP, 1…100; 85 by default.
    package var quality = ImageEncoder.standardQuality
    package var processor: any ImageProcessor = DefaultImageProcessor()
    /// Whether an existing file may be replaced.
    package var mayReplace = false
    /// Neither reads nor writes the disk cache.
    package var isUncached = false
    private let console: Console

    package init(console: Console = Console()) { self.console = console }

    /// Writes the file and returns the exit code: 0 written, 4 the picture could not be loaded.
    ///
    /// - Throws: `ProgramProblem` if the file cannot be written. This is checked before anything is downloaded.
    package func run() async throws(ProgramProblem) -> Int32 {
        let file = ExportFile.onCommandLine(self.file, mayReplace: mayReplace)
        try file.check()
        var settings = library
        settings.usesDisk = !isUncached && source.contains("://")
        let data: Data
        do throws(ImageError) {
            data = try await ImageServices.open(settings, console: console) { library throws(ImageError) in
                try await self.data(from: library)
            }
        } catch {
            console.message("alcedo: \(Redaction.display(source)): \(error.title)")
            return 4
        }
        try file.write(data)
        return 0
    }

    private func data(from library: ImageServices) async throws(ImageError) -> Data {
        try await encoded(
            try await library.image(at: source, processor: processor, console: console))
    }

    @concurrent
    private func encoded(_ image: Image) async throws(ImageError) -> Data {
        try ImageError.wrapping { () throws(CodecError) in
            try ImageEncoder.encode(image, as: format, quality: quality)
        }
    }

    /// Returns the format for a file name's extension; nil if it is none of png, jpg, jpeg, webp and gif.
    package static func format(ofFile name: String) -> ImageFormat? {
        switch URL(filePath: name).pathExtension.lowercased() {
        case "png": .png
        case "jpg", "jpeg": .jpeg
        case "webp": .webP
        case "gif": .gif
        default: nil
        }
    }
}
