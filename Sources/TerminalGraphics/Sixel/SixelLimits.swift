import Raster

/// What a terminal can show by sixel.
public struct SixelLimits: Hashable, Sendable {
    /// Colour registers, 2…256.
    public let registers: Int
    /// The largest size of one control string; xterm does not draw a larger one at all.
    public let maximumSize: PixelSize
    /// Whether the terminal takes a picture to be as high as its whole bands of six rows (tmux 3.5, Konsole).
    ///
    /// The cells that the last band reaches into then belong to the picture.
    public let countsWholeBands: Bool

    /// Clamps to 2…256 registers and sides of 1…`largestSide`.
    ///
    /// The defaults, 256 registers and 1000×1000 pixels, are for terminals that do not answer.
    public init(
        registers: Int = 256, maximumSize: PixelSize = PixelSize(width: 1000, height: 1000),
        countsWholeBands: Bool = false
    ) {
        self.registers = min(max(registers, 2), 256)
        self.maximumSize = PixelSize(
            width: min(max(maximumSize.width, 1), Self.largestSide),
            height: min(max(maximumSize.height, 1), Self.largestSide))
        self.countsWholeBands = countsWholeBands
    }

    /// The longest side ever written: 10,000 pixels, tmux's own limit.
    public static let largestSide = 10_000
}
