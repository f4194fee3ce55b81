import Foundation
import ImageLoading
import Raster
import TerminalGraphics

/// A picture's file whose pixels stand where another picture will be.
public struct PlaceholderFile: Sendable {
    /// Its first frame.
    public let image: Image
    private let frames: [PixelBuffer]

    /// So many frames of a moving one are shown, a turn at most.
    private static let frameLimit = 120
    private static let limits = DecodeLimits(bytes: 8 << 20)

    /// Reads a picture and, for an indicator, the frames of a moving one, all made to fit the box.
    ///
    /// Throws `ProgramProblem` that names the file and what is wrong with it.
    @concurrent
    public init(_ path: String, within box: PixelSize, moves: Bool = false) async throws(ProgramProblem) {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ProgramProblem("cannot read \(path)")
        }
        do throws(ImageError) {
            image = try VipsDecoder().decode(data, within: box, limits: Self.limits)
            frames = moves ? try await Self.frames(of: image, within: box) : []
        } catch {
            throw ProgramProblem("\(path): \(error.title)")
        }
    }

    /// Stands there for every picture.
    public var placeholder: any Placeholder { PicturePlaceholder(image.pixels) }

    /// Shows that a picture is on its way; moves if the file does.
    public var indicator: any Indicator {
        guard frames.count > 1, let delay = image.animation?.delays.first else { return PictureIndicator(image.pixels) }
        return PictureIndicator(frames: frames, interval: delay)
    }

    private static func frames(of image: Image, within box: PixelSize) async throws(ImageError) -> [PixelBuffer] {
        guard let animation = image.animation else { return [] }
        let source = AnimationFrames(animation, within: box, limits: limits)
        var frames: [PixelBuffer] = []
        for index in 0..<min(source.count, frameLimit) { frames.append(try await source.frame(at: index)) }
        return frames
    }
}
