import Raster

/// The bytes around the bands of a sixel stream.
enum SixelEnvelope {
    /// `ESC P 0;1;0 q "1;1;W;H` and the definitions of all registers from 0 to `lastRegister`.
    ///
    /// The second parameter, 1, leaves unset pixels alone; the aspect of pixels is 1:1. Registers that are not used are
    /// defined too: tmux 3.5 defines those left out as `#1;0;0;0;0`, and xterm draws nothing of such a picture.
    static func start(_ size: PixelSize, colors: [Color], lastRegister: Int) -> [UInt8] {
        var bytes = Array("\(introducer)\(size.width);\(size.height)".utf8)
        for (index, color) in colors.prefix(lastRegister + 1).enumerated() {
            let levels = [color.red, color.green, color.blue].map(RegisterGrid.percentage)
            bytes += "#\(index);2;\(levels[0]);\(levels[1]);\(levels[2])".utf8
        }
        return bytes
    }

    /// What stands before the picture's width and height.
    static let introducer = "\u{1B}P0;1;0q\"1;1;"
    /// The string terminator, `ESC \`.
    static let end: [UInt8] = [0x1B, 0x5C]
    /// Back to the left edge of the band.
    static let carriageReturn = UInt8(ascii: "$")
    /// On to the next band.
    static let lineFeed = UInt8(ascii: "-")
    /// A column of which no pixel is set; the six lowest bits of what is above it are the pixels, topmost lowest.
    static let blank: UInt8 = 0x3F
    /// The height of a band in pixels.
    static let bandHeight = 6

    /// Returns the least height that is a whole number of both bands and text rows.
    static func borderOfBandsAndRows(_ cell: CellSize) -> Int {
        (1...bandHeight).lazy.map { $0 * cell.height }.first { $0.isMultiple(of: bandHeight) }
            ?? bandHeight * cell.height
    }
}
