/// A generator that always draws the same number: 0 gives the lowest delay there is, the greatest number the highest.
struct FixedRandom: RandomNumberGenerator, Sendable {
    static let lowest = FixedRandom(number: .min)
    static let highest = FixedRandom(number: .max)

    let number: UInt64

    mutating func next() -> UInt64 { number }
}
