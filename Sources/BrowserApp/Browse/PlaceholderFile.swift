import Foundation
import ImageLoading
import Raster
import TerminalGraphics
import TerminalImageView

/// A picture file used as placeholder, indicator or failure picture.
package struct PlaceholderFile: Sendable {
    /// The first frame.
    package let image: Image
    /// The picture as an indicator, animated if the file is and `moves` was set.
    package let indicator: any Indicator

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
            indicator =
                moves
                ? try await PictureIndicator(imageData: data, within: box, decoder: decoder, limits: Self.limits)
                : PictureIndicator(image.pixels)
        } catch {
            throw ProgramProblem("\(path): \(error.title)")
        }
    }

    /// The picture as a placeholder.
    package var placeholder: any Placeholder { PicturePlaceholder(image.pixels) }
}
