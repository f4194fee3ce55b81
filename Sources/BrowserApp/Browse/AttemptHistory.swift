import Foundation

/// The attempts of an item's last load: their number and how the last one ended.
struct AttemptHistory: Sendable, Equatable {
    private(set) var attempts: Int
    private(set) var answer: String
    /// Where redirects had led when the last one failed.
    var redirects: [URL] = []
    /// The most attempts that are made.
    let limit: Int
    /// Whether the next attempt belongs to another load.
    private var isOver = false

    init(failed attempts: Int, answer: String, of limit: Int) {
        (self.attempts, self.answer, self.limit) = (max(0, attempts), answer, limit)
        isBetween = true
    }

    /// Whether an attempt has failed and the next one has not begun.
    private var isBetween: Bool

    /// The next attempt begins.
    mutating func begin() {
        if isOver { self = AttemptHistory(failed: 0, answer: "", of: limit) }
        if isBetween { attempts += 1 }
        isBetween = false
    }

    /// The load is over, and the picture is there.
    mutating func succeed() { (answer, redirects, isOver, isBetween) = ("", [], true, true) }

    /// The load is over, in vain.
    mutating func fail(_ reason: String) {
        (attempts, answer, isOver, isBetween) = (max(1, attempts), reason, true, true)
    }
}
