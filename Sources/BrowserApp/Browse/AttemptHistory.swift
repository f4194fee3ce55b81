import Foundation

/// The attempts of an item's latest load: their number and the last failure.
struct AttemptHistory: Sendable, Equatable {
    private(set) var attempts: Int
    private(set) var answer: String
    /// The redirects before the last failed response.
    var redirects: [URL] = []
    /// Maximum number of attempts.
    let limit: Int
    /// Whether the next attempt belongs to a new load.
    private var isOver = false

    init(failed attempts: Int, answer: String, of limit: Int) {
        (self.attempts, self.answer, self.limit) = (max(0, attempts), answer, limit)
        isBetween = true
    }

    /// Whether an attempt has failed and the next one has not begun.
    private var isBetween: Bool

    /// Records that an attempt begins.
    mutating func begin() {
        if isOver { self = AttemptHistory(failed: 0, answer: "", of: limit) }
        if isBetween { attempts += 1 }
        isBetween = false
    }

    /// Records that the load has succeeded.
    mutating func succeed() { (answer, redirects, isOver, isBetween) = ("", [], true, true) }

    /// Records that the load has failed.
    mutating func fail(_ reason: String) {
        (attempts, answer, isOver, isBetween) = (max(1, attempts), reason, true, true)
    }
}
