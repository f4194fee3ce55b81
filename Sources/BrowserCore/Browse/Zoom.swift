import AlcedoScreen
import Raster

/// The magnification and the visible part of a picture.
struct Zoom: Sendable, Equatable {
    /// The whole picture, scaled to fit.
    static let fit = Zoom(factor: 1, x: 0.5, y: 0.5, fitting: .zero)
    /// The maximum magnification of the fitting picture.
    static let largest = 32.0
    private static let step = 1.4142135623730951

    /// The magnification of the fitting picture; 1 shows all of it.
    private(set) var factor: Double
    /// The centre of the visible part, 0…1.
    private(set) var x: Double
    private(set) var y: Double
    /// The size at which the whole picture fits.
    private(set) var fitting: PixelSize

    var isFit: Bool { factor <= 1 }

    /// Changes the magnification by steps of √2; below 1 the picture fits.
    mutating func change(by steps: Int, _ picture: ShownPicture, in box: PixelSize) {
        if isFit { fitting = picture.size }
        let sign = steps > 0 ? Self.step : 1 / Self.step
        set(factor * (0..<abs(steps)).reduce(1) { product, _ in product * sign }, in: box)
    }

    /// Shows one pixel of the original per pixel of the screen.
    mutating func showActual(_ picture: ShownPicture, in box: PixelSize) {
        if isFit { fitting = picture.size }
        guard fitting.width > 0 else { return }
        set(Double(picture.originalSize.width) / Double(fitting.width), in: box)
    }

    /// The side of the screen's area that a picture fills.
    enum Side { case width, height, both }

    /// Fills a side of the area, or all of it, from the top left corner on; what is beyond can be reached by moving.
    mutating func fill(_ side: Side, _ picture: ShownPicture, in box: PixelSize) {
        if isFit { fitting = picture.size }
        guard !fitting.isEmpty else { return }
        let (width, height) = (
            Double(box.width) / Double(fitting.width), Double(box.height) / Double(fitting.height)
        )
        (x, y) = (0, 0)
        set(side == .width ? width : side == .height ? height : max(width, height), in: box)
    }

    /// Moves the visible part by fractions of its size.
    mutating func pan(_ right: Double, _ down: Double, in box: PixelSize) {
        guard !isFit, let region = region(in: box) else { return }
        x += right * region.width
        y += down * region.height
        clampCenter(in: box)
    }

    /// Returns the size of an original pixel on the screen.
    func scale(of picture: ShownPicture) -> Double {
        let width = isFit ? picture.size.width : fitting.width
        return picture.originalSize.width > 0 ? factor * Double(width) / Double(picture.originalSize.width) : 0
    }

    /// Returns the visible part of the picture; nil for all of it.
    func region(in box: PixelSize) -> PictureRegion? {
        guard !isFit, !fitting.isEmpty, !box.isEmpty else { return nil }
        let width = min(1, Double(box.width) / (Double(fitting.width) * factor))
        let height = min(1, Double(box.height) / (Double(fitting.height) * factor))
        return PictureRegion(x: x - width / 2, y: y - height / 2, width: width, height: height, scale: factor)
    }

    private mutating func set(_ newFactor: Double, in box: PixelSize) {
        guard newFactor > 1.001 else {
            self = .fit
            return
        }
        factor = min(newFactor, Self.largest)
        clampCenter(in: box)
    }

    private mutating func clampCenter(in box: PixelSize) {
        guard let region = region(in: box) else { return }
        x = min(max(x, region.width / 2), 1 - region.width / 2)
        y = min(max(y, region.height / 2), 1 - region.height / 2)
    }
}

/// A part of a picture in fractions of its sides, 0…1.
package struct PictureRegion: Sendable, Hashable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double
    /// The magnification of the fitting picture.
    package var scale: Double
}

extension PictureRegion {
    /// The dots of a map, two by four in a cell, and their bits in the Braille patterns of Unicode, row by row.
    private static let (mapColumns, mapRows) = (12, 4)
    private static let dotBits: [[UInt32]] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]

    /// Returns a map of the whole picture whose dots are this part; in ASCII a bar for each side.
    func map(_ glyphs: GlyphSet) -> StyledText {
        let (columns, rows) = (Self.dots(x, width, of: Self.mapColumns), Self.dots(y, height, of: Self.mapRows))
        if glyphs.isASCII {
            let bar = { (dots: Range<Int>, count: Int) in
                (0..<count).map { dots.contains($0) ? glyphs.thinFull : glyphs.thinTrack }.joined()
            }
            return StyledText("x|\(bar(columns, Self.mapColumns))| y|\(bar(rows, Self.mapRows))|", .accent)
        }
        let cells = (0..<Self.mapColumns / 2).map { cell in
            let sides = (0...1).filter { columns.contains(cell * 2 + $0) }
            let bits = rows.flatMap { row in sides.map { Self.dotBits[row][$0] } }.reduce(0, |)
            return bits == 0 ? " " : Unicode.Scalar(0x2800 + bits).map { String($0) } ?? " "
        }
        var text = StyledText(glyphs.vertical, .dim)
        text.append(cells.joined(), .accent)
        text.append(glyphs.vertical, .dim)
        return text
    }

    /// Returns the dots of a side that a part touches, at least one.
    private static func dots(_ start: Double, _ length: Double, of count: Int) -> Range<Int> {
        let (low, high) = (start * Double(count) + 1e-6, (start + length) * Double(count) - 1e-6)
        let first = min(count - 1, max(0, Int(low)))
        return first..<min(count, max(first + 1, Int(high.rounded(.up))))
    }
}
