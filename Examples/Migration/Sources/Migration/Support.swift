import Foundation
import TerminalImageView

// Helpers that the rows of several libraries use.

/// The error of attempts that fail.
struct Broken: Error, Equatable {
    var trial = 0
}

/// Keeps values in order, from any thread.
struct Recorder<Value: Sendable>: Sendable {
    private let values = AsyncStream<Value>.makeStream()

    func add(_ value: Value) { values.continuation.yield(value) }

    /// Returns all values; later ones are lost.
    func all() async -> [Value] {
        values.continuation.finish()
        var list: [Value] = []
        for await value in values.stream { list.append(value) }
        return list
    }
}

/// A policy that waits 5 ms longer after each failure.
struct LinearPolicy: RetryPolicy {
    var delay = Duration.milliseconds(5)

    func decision(after failure: AttemptFailure, using random: inout some RandomNumberGenerator) -> RetryDecision {
        .retry(after: delay)
    }

    func policy(after failure: AttemptFailure, delay: Duration) -> any RetryPolicy {
        LinearPolicy(delay: delay + .milliseconds(5))
    }
}

/// A generator whose numbers are all the same.
struct FixedRandom: RandomNumberGenerator, Sendable {
    static let lowest = FixedRandom(number: .min)
    static let highest = FixedRandom(number: .max)

    let number: UInt64

    mutating func next() -> UInt64 { number }
}

func milliseconds(_ numbers: Int...) -> [Duration] { numbers.map { .milliseconds($0) } }

/// Whether the main queue runs the caller; any thread may do so for the main actor.
func isOnMainQueue() -> Bool { DispatchQueue.getSpecific(key: mainMark) == true }

private let mainMark = {
    let mark = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: mark, value: true)
    return mark
}()

/// A modifier that shows a red dot.
struct RedDot: ImageModifier {
    func modify(_ image: Image) -> Image { image.with(PixelBuffer(size: pixels(1, 1), filledWith: .red)) }
}
