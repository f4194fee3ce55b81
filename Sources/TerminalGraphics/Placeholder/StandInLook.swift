import Raster

/// What stands where a picture is not yet: the look of a placeholder or an indicator.
public enum StandInLook: Sendable, Hashable {
    /// Nothing at all.
    case nothing
    /// Lines of text, to be centred in the room.
    case text([String])
    /// Pixels, to be centred in the room, and made smaller where they are larger.
    case picture(PixelBuffer)
}
