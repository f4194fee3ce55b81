/// The chance mixed into exponential delays, so that many clients do not come back at the same moment.
///
/// The formulas are those of "Exponential Backoff And Jitter" (AWS Architecture Blog, 2015). Bounds are capped before
/// the draw, so delays go on spreading when the cap is reached.
public enum Jitter: Sendable, Equatable {
    /// Exactly the bound.
    case none
    /// Evenly between 0 and the bound.
    case full
    /// Evenly between the time slot and `growth` times the previous delay; the first delay is as with `full`.
    ///
    /// A growth that is negative or not a number counts as 0.
    case decorrelated(growth: Double = 3)
}
