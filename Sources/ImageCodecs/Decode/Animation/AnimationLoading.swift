/// How much of an animation a decode yields.
public struct AnimationLoading: Sendable, Hashable {
    /// Only the first frame, as a still picture; off by default.
    public var onlyFirstFrame: Bool
    /// Every frame at once, instead of each when its time is near; off by default.
    public var preloadsAllFrames: Bool

    public init(onlyFirstFrame: Bool = false, preloadsAllFrames: Bool = false) {
        self.onlyFirstFrame = onlyFirstFrame
        self.preloadsAllFrames = preloadsAllFrames
    }
}
