/// How much care a picture's colours get.
public enum Quality: String, Hashable, Sendable, CaseIterable {
    /// Error diffusion, for a picture that stays.
    case best
    /// Ordered dithering, which is stable from frame to frame, for previews, transitions and animation.
    case fast
}
