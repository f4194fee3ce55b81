import Raster

/// The parts of a sixel stream around the bands.
enum SixelEnvelope {
    /// Returns `ESC P 0;1;0 q "1;1;W;H` and the definitions of the registers 0 to `lastRegister`.
    ///
    /// The second parameter, 1, leaves unset pixels unchanged; the pixel aspect ratio is 1:1. Unused registers are
    /// defined too: tmux 3.5 defines missing ones as `#1;0;0;0;0`, and xterm then draws nothing.
    static func start(_ size: PixelSize, colors: [Color], lastRegister: Int) -> [UInt8] {
        var bytes = Array("\(introducer)\(size.width);\(size.height)".utf8)
        for (index, color) in colors.prefix(lastRegister + 1).enumerated() {
            let levels = [color.red, color.green, color.blue].map(RegisterGrid.percentage)
            bytes += "#\(index);2;\(levels[0]);\(levels[1]);\(levels[2])".utf8
        }
        return bytes
    }

    /// The bytes before the picture's width and height.
    static let introducer = "\u{1B}P0;1;0q\"1;1;"
    /// The string terminator, `ESC \`.
    static let end: [UInt8] = [0x1B, 0x5C]
    /// Returns to the left edge of the band.
    static let carriageReturn = UInt8(ascii: "$")
    /// Moves to the next band.
    static let lineFeed = UInt8(ascii: "-")
    /// A column without set pixels; the six lowest bits of larger bytes are the pixels, topmost lowest.
    static let blank: UInt8 = 0x3F
    /// The height of a band in pixels.
    static let bandHeight = 6

    /// Returns the smallest height that is a multiple of both bands and text rows.
    static func alignment(to cell: CellSize) -> Int {
        (1...bandHeight).lazy.map { $0 * cell.height }.first { $0.isMultiple(of: bandHeight) }
            ?? bandHeight * cell.height
    }

    /// Returns whether a byte belongs to a parameter: a digit or a separator.
    static func isParameter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: ";")).contains(byte)
    }
}
