import Foundation
import ImageLoading
import Raster
import TerminalGraphics

/// A picture file used as placeholder, indicator or failure picture.
package struct PlaceholderFile: Sendable {
    /// The first frame.
    package let image: Image
    private let frames: [PixelBuffer]

    /// Maximum number of animation frames.
    private static let frameLimit = 120
    private static let limits = DecodeLimits(bytes: 8 << 20)

    /// Reads a picture, and all frames of an animated one if `moves`, scaled to fit the box.
    ///
    /// - Throws: `ProgramProblem` with the file's path and the reason.
    @concurrent
    package init(
        _ path: String, within box: PixelSize, moves: Bool = false, decoder: any ImageDecoding = SandboxedDecoder()
    ) async throws(ProgramProblem) {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ProgramProblem("cannot read \(path)")
        }
        do throws(CodecError) {
            image = try decoder.decode(data, within: box, limits: Self.limits)
            frames = moves ? try await Self.frames(of: image, within: box) : []
        } catch {
            throw ProgramProblem("\(path): \(error.title)")
        }
    }

    /// The picture as a placeholder.
    package var placeholder: any Placeholder { PicturePlaceholder(image.pixels) }

    /// The picture as an indicator, animated if the file is.
    package var indicator: any Indicator {
        guard frames.count > 1, let delay = image.animation?.delays.first else { return PictureIndicator(image.pixels) }
        return PictureIndicator(frames: frames, interval: delay)
    }

    private static func frames(of image: Image, within box: PixelSize) async throws(CodecError) -> [PixelBuffer] {
        guard let animation = image.animation else { return [] }
        let source = AnimationFrames(animation, within: box, limits: limits)
        var frames: [PixelBuffer] = []
        for index in 0..<min(source.count, frameLimit) { frames.append(try await source.frame(at: index)) }
        return frames
    }
}
