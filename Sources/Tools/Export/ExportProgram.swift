import AlcedoConfig
import AlcedoLists
import AlcedoSupport
import FoundationEssentials
import ImageLoading
import Raster

/// A file that gets one picture.
package struct PictureFile: Sendable {
    let path: String
    let format: ImageFormat
    /// The quality of JPEG and WebP, 1…100.
    let quality: Int
    private let mayReplace: Bool

    package init(_ path: String, as format: ImageFormat, quality: Int, mayReplace: Bool) {
        (self.path, self.format, self.quality, self.mayReplace) = (path, format, quality, mayReplace)
    }

    /// Returns the file; throws if it cannot be written.
    func checked() throws(ProgramProblem) -> ExportFile {
        let file = ExportFile.onCommandLine(path, mayReplace: mayReplace)
        try file.check()
        return file
    }
}

/// Writes one processed picture to a file.
package struct ExportProgram: Sendable {
    package var library = LibrarySettings()
    /// A path or an address.
    package var source = ""
    package var processor: any ImageProcessor = DefaultImageProcessor()
    /// The frame of an animation to write, from 0; nil writes an animation where the format can hold one.
    package var frame: Int?
    /// Neither reads nor writes the disk cache.
    package var isUncached = false
    private let console: Console

    package init(console: Console = Console()) { self.console = console }

    /// Writes the file and returns the exit code: 0 written, 1 a fault of this machine, 4 the picture could not be
    /// loaded.
    ///
    /// - Throws: `ProgramProblem` if the file cannot be written. This is checked before anything is downloaded.
    package func run(to output: PictureFile) async throws(ProgramProblem) -> Int32 {
        let file = try output.checked()
        var settings = library
        settings.usesDisk = !isUncached && source.contains("://")
        let data: Data
        do throws(ImageError) {
            data = try await ImageServices.open(settings, console: console) { library throws(ImageError) in
                try await library.image(at: source, processor: processor, console: console)
                    .file(as: output.format, quality: output.quality, frame: frame, processor, library.limits)
            }
        } catch {
            console.message("alcedo: \(Redaction.display(source)): \(error.title)")
            return error.isOfEnvironment ? 1 : 4
        }
        try file.write(data)
        return 0
    }

    /// Returns the format for a file name's extension; nil if it is none of PNG, JPEG, WebP and GIF.
    package static func format(ofFile name: String) -> ImageFormat? {
        ImageFormat(fileExtension: name.pathExtension.lowercased())
            .flatMap { ImageFormat.trusted.contains($0) ? $0 : nil }
    }
}

extension Image {
    /// Returns the contents of a file with this image, off the caller's actor.
    ///
    /// An animation stays one in formats that can hold it; JPEG, and `frame`, take one picture of it.
    ///
    /// - Parameter processor: The processor that made the pixels; it is applied to the frames.
    @concurrent
    package func file(
        as format: ImageFormat, quality: Int = ImageEncoder.standardQuality, frame: Int? = nil,
        _ processor: any ImageProcessor = DefaultImageProcessor(), _ limits: DecodeLimits = .standard
    ) async throws(ImageError) -> Data {
        do throws(CodecError) {
            if let frame, frame >= frameCount {
                throw .processor(.processingFailed(identifier: "frame \(frame + 1)", "the file has \(frameCount)"))
            }
            guard let animation, animation.frameCount > 1 else {
                return try ImageEncoder.encode(self, as: format, quality: quality)
            }
            if format != .jpeg, frame == nil {
                return try await ImageEncoder.encode(
                    animation, as: format, processor: processor, quality: quality, limits: limits)
            }
            guard let frame, frame > 0 else { return try ImageEncoder.encode(self, as: format, quality: quality) }
            let frames = AnimationFrames(animation, processor: processor, byteBudget: 1, limits: limits)
            return try ImageEncoder.encode(with(try await frames.frame(at: frame)), as: format, quality: quality)
        } catch {
            throw ImageError(error)
        }
    }
}
