import AlcedoConfig
import FoundationEssentials
import ImageLoading
import Raster
import TerminalGraphics
import TerminalImageView

extension BrowserSettings {
    private static let indicatorRows = 4
    private static let largestIndicator = PixelSize(width: 96, height: 96)
    private static let largestPicture = PixelSize(width: 1920, height: 1080)

    /// Sets the indicator of slow loads by its name or a picture file.
    package mutating func setIndicator(_ name: String) async throws(ProgramProblem) {
        switch name {
        case "bar": indicator = .bar
        case "disc": indicator = .disc
        case "none": indicator = .none
        case "ring": indicator = .custom(RingIndicator(), rows: Self.indicatorRows)
        case "dots", "circle", "arc":
            let style = isASCII ? .ascii : ActivityIndicator.SpinnerStyle(rawValue: name) ?? .dots
            indicator = .custom(ActivityIndicator(style), rows: 1)
        default:
            let file = try await PlaceholderFile(
                name, within: Self.largestIndicator, moves: true, decoder: self[.sandbox].makeDecoder())
            indicator = .custom(file.indicator, rows: Self.indicatorRows)
        }
    }

    /// Sets the placeholder of a loading picture: `card`, `blank`, `name` or a picture file.
    package mutating func setPlaceholder(_ name: String) async throws(ProgramProblem) {
        switch name {
        case "card": placeholder = nil
        case "blank": placeholder = BlankPlaceholder()
        case "name": placeholder = TextPlaceholder()
        default: placeholder = try await picture(name).placeholder
        }
    }

    /// Sets what is shown after a failure: `card`, `nothing` or a picture file.
    package mutating func setFailure(_ name: String) async throws(ProgramProblem) {
        switch name {
        case "card": display.onFailureImage = .unset
        case "nothing": display.onFailureImage = .none
        default: display.onFailureImage = .image(try await picture(name).image)
        }
    }

    private func picture(_ path: String) async throws(ProgramProblem) -> PlaceholderFile {
        try await PlaceholderFile(path, within: Self.largestPicture, decoder: self[.sandbox].makeDecoder())
    }
}

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
