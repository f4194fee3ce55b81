/// How a progressive JPEG is shown while its bytes arrive.
public struct ImageProgressive: Sendable, Hashable {
    /// Whether early scans are blurred, each less than the one before; on by default.
    public var isBlur: Bool
    /// Whether only the newest scan is shown when several have come at once; on by default.
    public var isFastestScan: Bool
    /// The least time from one partial picture to the next; none by default.
    public var scanInterval: Duration

    public init(isBlur: Bool = true, isFastestScan: Bool = true, scanInterval: Duration = .zero) {
        self.isBlur = isBlur
        self.isFastestScan = isFastestScan
        self.scanInterval = scanInterval
    }
}
