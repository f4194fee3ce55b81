/// A generator that always draws the same number: 0 gives the lowest delay there is, the greatest number the highest.
///
/// With `lowest`, `Int.random(in:)` may never return.
public struct FixedRandom: RandomNumberGenerator, Sendable {
    public static let lowest = FixedRandom(number: .min)
    public static let highest = FixedRandom(number: .max)

    let number: UInt64

    public mutating func next() -> UInt64 { number }
}
