import Synchronization

/// A switch that forbids to decode foreign bytes in this process.
///
/// The program `alcedo` forbids it at start, so that a call that bypasses the sandbox is found by the first test.
package enum InProcessDecoding {
    private static let isForbidden = Atomic(false)
    private static let isSandboxOff = Atomic(false)

    /// Makes every decoder of this process trap, until `allow()`.
    package static func forbid() { isForbidden.store(true, ordering: .relaxed) }

    /// Ends the effect of `forbid()`: in helper processes, and when the user turns the sandbox off.
    package static func allow() {
        isForbidden.store(false, ordering: .relaxed)
        isSandboxOff.store(true, ordering: .relaxed)
    }

    static var isForbiddenNow: Bool { isForbidden.load(ordering: .relaxed) }

    /// Whether `allow()` was called.
    static var isAllowed: Bool { isSandboxOff.load(ordering: .relaxed) }

    /// Traps if decoding is forbidden; every decoder calls it before it opens a file.
    static func check() {
        precondition(!isForbidden.load(ordering: .relaxed), "a picture is decoded outside of the sandbox")
    }
}
