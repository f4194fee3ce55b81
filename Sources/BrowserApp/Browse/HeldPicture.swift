import Raster

/// A decoded picture that is on the screen or will be.
struct HeldPicture {
    enum Role {
        case picture
        /// Shown in place of a picture that is not ready; may be animated.
        case standIn
        /// Several pictures side by side.
        case strip
    }

    let pixels: PixelBuffer
    /// Identifies the content.
    let key: String
    /// Nil for a still picture.
    let playback: AnimationPlayback?
    /// Whether a better version will replace it soon, so that it is encoded for speed.
    let isPartial: Bool
    let role: Role

    /// - Parameter name: Identifies the source of the pixels and the processing.
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

    /// The appearance to show first.
    var firstLook: FrameWish.Look { playback.map { .frame($0, 0) } ?? .still }

    /// Includes the pixels, because a picture loaded again under the same name may differ.
    private static func key(_ name: String, of pixels: PixelBuffer) -> String {
        var hasher = Hasher()
        pixels.bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        return "\(name)#\(String(hasher.finalize(), radix: 36))"
    }
}
