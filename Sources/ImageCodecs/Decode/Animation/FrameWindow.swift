/// The set of kept frames of an animation: those shown soonest, as many as fit a budget of bytes.
struct FrameWindow {
    let count: Int
    /// The largest number of bytes of kept frames; the current frame is kept even if it is larger.
    let budget: Int
    /// The index of the frame that is shown.
    private(set) var current = 0
    private(set) var heldBytes = 0
    /// The largest number of bytes that was kept.
    private(set) var peakBytes = 0
    private var held: [Int: Int] = [:]
    /// The bytes of the largest frame so far; assumed for frames that are not decoded yet.
    private var largest: Int

    /// Creates an empty window.
    ///
    /// - Parameters:
    ///   - count: The number of frames.
    ///   - budget: The bytes to keep at most.
    ///   - frameBytes: The expected bytes of one frame.
    init(count: Int, budget: Int, frameBytes: Int) {
        self.count = max(0, count)
        self.budget = max(0, budget)
        largest = max(1, frameBytes)
    }

    /// The number of frames that fit the budget, at least 1.
    var capacity: Int { max(1, min(count, budget / largest)) }

    func holds(_ index: Int) -> Bool { held[index] != nil }

    /// The missing frame that is shown soonest; nil when all frames that fit are kept.
    var next: Int? {
        (0..<min(count, capacity)).lazy.map { (current + $0) % count }.first { held[$0] == nil }
    }

    /// Makes a frame current; returns the frames to drop.
    mutating func move(to index: Int) -> [Int] {
        current = index
        return trim()
    }

    /// Adds a frame; returns the frames to drop, which may include the new one.
    mutating func insert(_ index: Int, bytes: Int) -> [Int] {
        largest = max(largest, bytes)
        held[index] = 0
        let dropped = trim()
        guard held[index] != nil else { return dropped + [index] }
        held[index] = bytes
        heldBytes += bytes
        peakBytes = max(peakBytes, heldBytes)
        return dropped
    }

    private mutating func trim() -> [Int] {
        let kept = capacity
        let dropped = held.keys.filter { distance(to: $0) >= kept }
        for index in dropped { heldBytes -= held.removeValue(forKey: index) ?? 0 }
        return dropped
    }

    /// Returns the number of frames from the current one forward to `index`, wrapping around.
    private func distance(to index: Int) -> Int { (index - current + count) % count }
}
