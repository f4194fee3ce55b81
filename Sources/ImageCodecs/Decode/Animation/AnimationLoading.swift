/// Options for decoding animations.
public struct AnimationLoading: Sendable, Hashable {
    /// Whether only the first frame is decoded, as a still picture; false by default.
    public var onlyFirstFrame: Bool
    /// Whether all frames are decoded at once instead of on demand; false by default.
    public var preloadsAllFrames: Bool

    public init(onlyFirstFrame: Bool = false, preloadsAllFrames: Bool = false) {
        self.onlyFirstFrame = onlyFirstFrame
        self.preloadsAllFrames = preloadsAllFrames
    }
}
