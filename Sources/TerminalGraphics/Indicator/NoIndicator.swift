/// Shows nothing.
public struct NoIndicator: Indicator {
    public init() {}

    public func frame(_ moment: IndicatorMoment) -> StandInLook { .nothing }
}
