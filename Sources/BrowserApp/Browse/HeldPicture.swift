import Raster

/// A decoded picture that is on the screen, or will be.
struct HeldPicture {
    enum Role {
        case picture
        /// Stands where a picture will be, and may move.
        case placeholder
        /// Several that stand beside each other.
        case strip
    }

    let pixels: PixelBuffer
    /// Tells its content from every other's.
    let key: String
    /// nil for what stands still.
    let playback: AnimationPlayback?
    /// Whether a better one will soon take its place, so that it deserves less care.
    let isPartial: Bool
    let role: Role

    /// `name` tells where the pixels come from and what was done to them.
    init(
        _ pixels: PixelBuffer, name: String, playback: AnimationPlayback? = nil, isPartial: Bool = false,
        role: Role = .picture
    ) {
        self.pixels = pixels
        self.playback = playback
        self.isPartial = isPartial
        self.role = role
        key = Self.key(name, of: pixels)
    }

    /// What to show first.
    var firstAppearance: EncodeRequest.Appearance { playback.map { .frame($0, 0) } ?? .still }

    /// What was loaded again under the same name may look different, so that the pixels count too.
    private static func key(_ name: String, of pixels: PixelBuffer) -> String {
        var hasher = Hasher()
        pixels.bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        return "\(name)#\(String(hasher.finalize(), radix: 36))"
    }
}
