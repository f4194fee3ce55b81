import Synchronization

/// Those who want to hear what leaves a tier.
final class EvictionListeners: Sendable {
    typealias Continuation = AsyncStream<CacheEviction>.Continuation

    private let listeners = Mutex<[Int: Continuation]>([:])
    private let serial = Atomic<Int>(0)
    private let count = Atomic<Int>(0)

    deinit { listeners.withLock { Array($0.values) }.forEach { $0.finish() } }

    /// Costs one atomic read, so that a tier nobody listens to loses no time.
    var isEmpty: Bool { count.load(ordering: .relaxed) == 0 }

    /// Answers what to remove it by.
    func add(_ listener: Continuation) -> Int {
        let identifier = serial.add(1, ordering: .relaxed).newValue
        listeners.withLock {
            $0[identifier] = listener
            count.store($0.count, ordering: .relaxed)
        }
        return identifier
    }

    func remove(_ identifier: Int) {
        listeners.withLock {
            $0[identifier] = nil
            count.store($0.count, ordering: .relaxed)
        }
    }

    /// Tells every listener of each, in the same order.
    func tell(_ evictions: @autoclosure () -> [CacheEviction]) {
        guard !isEmpty else { return }
        let evictions = evictions()
        listeners.withLock { listeners in
            for listener in listeners.values { evictions.forEach { listener.yield($0) } }
        }
    }
}
