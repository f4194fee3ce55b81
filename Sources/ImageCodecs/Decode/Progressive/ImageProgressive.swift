/// Options for showing a progressive JPEG while it loads.
public struct ImageProgressive: Sendable, Hashable {
    /// Whether early scans are blurred, each less than the one before; true by default.
    public var isBlur: Bool
    /// Whether only the newest scan is shown when several arrived together; true by default.
    public var isFastestScan: Bool
    /// The minimum time between two partial pictures; zero by default.
    public var scanInterval: Duration

    public init(isBlur: Bool = true, isFastestScan: Bool = true, scanInterval: Duration = .zero) {
        self.isBlur = isBlur
        self.isFastestScan = isFastestScan
        self.scanInterval = scanInterval
    }
}
