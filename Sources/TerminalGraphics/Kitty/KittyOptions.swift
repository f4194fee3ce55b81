/// How pictures are sent by kitty's graphics protocol.
public struct KittyOptions: Hashable, Sendable {
    /// What the pixels are sent as.
    public enum Format: String, Hashable, Sendable, CaseIterable {
        /// A PNG file, the default: photographs take less than half of the bytes that packed pixels do.
        case png
        /// Three or four bytes a pixel, packed by zlib.
        case pixels
    }

    /// What the pixels are sent as; a PNG file by default.
    public let format: Format
    /// zlib's effort: 1 (the default, fast) to 9 (small); 0 sends bare pixels, the quickest within one machine.
    public let compression: Int
    /// The z-index: 0, the default, is over the text; a negative one is under it.
    ///
    /// Below −1,073,741,824 pictures lie under cells that have a background of their own.
    public let layer: Int32

    /// Clamps `compression` to 0…9.
    public init(format: Format = .png, compression: Int = 1, layer: Int32 = 0) {
        self.format = format
        self.compression = min(max(compression, 0), 9)
        self.layer = layer
    }

    /// The longest side ever sent: 10,000 pixels, kitty's own limit.
    public static let largestSide = 10_000
}
