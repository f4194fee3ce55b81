import FoundationEssentials
import Raster

/// A picture in iTerm2's inline image protocol: OSC 1337 with a PNG file in base64.
struct ITermPicture: Hashable, Sendable {
    private let arguments: String
    private let file: [UInt8]

    /// Encodes a picture as PNG; the terminal stretches it over `grid`, or draws it pixel by pixel if that is nil.
    ///
    /// - Parameter background: The colour behind transparent pixels, for quality `fast`.
    @concurrent
    init(
        _ picture: PixelBuffer, background: Color, quality: Quality, palette: Palette?, filling grid: GridSize?
    ) async {
        var file: [UInt8] = []
        if !picture.size.isEmpty {
            file =
                await PNGWriter(level: 1).file(picture, quality: quality, palette: palette, background: background)
                ?? []
        }
        let (width, height) =
            grid.map { ("\($0.columns)", "\($0.rows)") } ?? ("\(picture.size.width)px", "\(picture.size.height)px")
        arguments = "inline=1;size=\(file.count);width=\(width);height=\(height);preserveAspectRatio=0"
        self.file = [UInt8](Data(file).base64EncodedData())
    }

    /// The number of bytes in memory.
    var count: Int { file.count }

    /// Returns the bytes that draw with the upper left corner in a cell, without moving the cursor where supported.
    func bytes(atColumn column: Int, row: Int) -> [UInt8] {
        guard !file.isEmpty else { return [] }
        let move = "\u{1B}[\(max(0, row) + 1);\(max(0, column) + 1)H"
        return Array(move.utf8) + controlString(arguments + ";doNotMoveCursor=1")
    }

    /// The bytes that draw at the cursor and move it to the next line.
    var inlineBytes: [UInt8] { file.isEmpty ? [] : controlString(arguments) + [10] }

    private func controlString(_ arguments: String) -> [UInt8] {
        var bytes = Array("\u{1B}]1337;File=\(arguments):".utf8)
        bytes.reserveCapacity(bytes.count + file.count + 2)
        bytes += file
        return bytes + [0x1B, 0x5C]
    }
}
