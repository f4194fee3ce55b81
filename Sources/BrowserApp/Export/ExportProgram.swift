import Foundation
import ImageLoading
import Lists

/// Writes one processed picture to a file.
package struct ExportProgram: Sendable {
    private let settings: ExportSettings
    private let console: Console

    package init(settings: ExportSettings, console: Console = Console()) {
        self.settings = settings
        self.console = console
    }

    /// Writes the file and returns the exit code: 0 written, 4 the picture could not be loaded.
    ///
    ///
    /// - Throws: `ProgramProblem` if the file cannot be written. This is checked before anything is downloaded.
    package func run() async throws(ProgramProblem) -> Int32 {
        let file = ExportFile.onCommandLine(settings.file, mayReplace: settings.mayReplace)
        try file.check()
        var librarySettings = settings.library
        librarySettings.usesDisk = !settings.isUncached && settings.source.contains("://")
        let library = Library(settings: librarySettings)
        if let problem = library.diskProblem { console.message("alcedo: \(problem); continuing without it") }
        let outcome: Result<Data, ImageError>
        do throws(ImageError) { outcome = .success(try await data(from: library)) } catch { outcome = .failure(error) }
        await library.close()
        switch outcome {
        case .success(let data):
            try file.write(data)
            return 0
        case .failure(let error):
            console.message("alcedo: \(Redaction.display(settings.source)): \(error.title)")
            return 4
        }
    }

    private func data(from library: Library) async throws(ImageError) -> Data {
        guard let source = SourceReference.source(for: settings.source) else {
            throw .request(.invalidURL("only http, https, file and data addresses can be read"))
        }
        let options = library.options(processor: settings.processor)
        let result = try await library.pipeline.image(for: source, options: options)
        result.notice(of: settings.source).map(console.message)
        return try await encoded(result.image)
    }

    @concurrent
    private func encoded(_ image: Image) async throws(ImageError) -> Data {
        try ImageEncoder.encode(image, as: settings.format, quality: settings.quality)
    }
}
