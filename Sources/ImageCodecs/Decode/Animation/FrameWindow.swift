/// Which frames of an animation are kept, and which is decoded next: those shown soonest, as many as a budget holds.
struct FrameWindow {
    let count: Int
    /// Bytes of kept frames; the shown frame is kept even when it alone is larger.
    let budget: Int
    /// The frame that is shown.
    private(set) var current = 0
    private(set) var heldBytes = 0
    /// The most that was ever kept.
    private(set) var peakBytes = 0
    private var held: [Int: Int] = [:]
    /// Bytes that a frame not yet decoded is taken to have.
    private var largest: Int

    /// `frameBytes` is what a frame is expected to take.
    init(count: Int, budget: Int, frameBytes: Int) {
        self.count = max(0, count)
        self.budget = max(0, budget)
        largest = max(1, frameBytes)
    }

    /// How many frames are kept.
    var capacity: Int { max(1, min(count, budget / largest)) }

    func holds(_ index: Int) -> Bool { held[index] != nil }

    /// The frame to decode now: the one shown soonest that is missing; nil when all that fit are there.
    var next: Int? {
        (0..<min(count, capacity)).lazy.map { (current + $0) % count }.first { held[$0] == nil }
    }

    /// Shows another frame; answers the frames to let go.
    mutating func move(to index: Int) -> [Int] {
        current = index
        return trim()
    }

    /// Makes room for a frame that is about to be kept; answers the frames to let go.
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

    /// How many frames after the shown one.
    private func distance(to index: Int) -> Int { (index - current + count) % count }
}
