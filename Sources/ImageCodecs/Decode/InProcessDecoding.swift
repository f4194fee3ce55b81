import Synchronization

/// A switch that forbids to decode foreign bytes in this process.
///
/// The program `alcedo` forbids it at start, so that a call that bypasses the sandbox is found by the first test.
package enum InProcessDecoding {
    /// The value of the switch; undecided in programs that set none, where the caller chooses the decoder.
    package enum Rule: UInt8, AtomicRepresentable {
        case undecided, forbidden, allowed
    }

    private static let value = Atomic(Rule.undecided)

    package static var rule: Rule { value.load(ordering: .relaxed) }

    /// Makes every decoder of this process trap, until `allow()`.
    package static func forbid() { value.store(.forbidden, ordering: .relaxed) }

    /// Ends the effect of `forbid()`: in helper processes, and when the user turns the sandbox off.
    package static func allow() { value.store(.allowed, ordering: .relaxed) }

    /// Traps if decoding is forbidden; every decoder calls it before it opens a file.
    static func check() { precondition(rule != .forbidden, "a picture is decoded outside of the sandbox") }
}
