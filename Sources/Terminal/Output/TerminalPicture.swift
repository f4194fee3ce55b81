import BrowserCore
import Raster

/// A picture as the terminal gets it: encoded bytes and the cells they colour.
public struct TerminalPicture: Equatable, Sendable {
    /// Which picture this is; with `generation` and `rect` it decides whether the bytes must be sent again.
    public var picture: PictureID
    /// Differs with everything else that changes the bytes: a transition's step, the cell's size, the palette.
    public var generation: Int
    /// The cells that the pixels touch; must not reach into the last row.
    public var rect: Rect
    /// The pixels drawn; nil means that they fill `rect`.
    ///
    /// Cells that they fill only in part are cleared of older pixels first.
    public var pixels: PixelSize?
    /// What draws the picture once the cursor stands in the rectangle's first cell; may be dropped half written.
    public var bytes: [UInt8]
    /// What makes the picture go away where overwriting cells does not (kitty); empty otherwise.
    ///
    /// Equal for two pictures when they are the same to the terminal, in the same place.
    public var removal: [UInt8]

    public init(
        picture: PictureID, generation: Int = 0, rect: Rect, pixels: PixelSize? = nil, bytes: [UInt8],
        removal: [UInt8] = []
    ) {
        self.picture = picture
        self.generation = generation
        self.rect = rect
        self.pixels = pixels
        self.bytes = bytes
        self.removal = removal
    }

    /// Whether the other one puts the same pixels into the same place.
    func isSame(as other: TerminalPicture) -> Bool {
        picture == other.picture && generation == other.generation && rect == other.rect
    }
}
