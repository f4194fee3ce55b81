import Synchronization

/// A list that many tasks may add to and wait for.
public final class Recorder<Element: Sendable>: Sendable {
    private struct Watcher {
        let condition: @Sendable ([Element]) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var items: [Element] = []
        var watchers: [Int: Watcher] = [:]
        var nextID = 0
    }

    private let state = Mutex(State())

    public init() {}

    public var all: [Element] { state.withLock { $0.items } }

    public func add(_ item: Element) {
        let met = state.withLock { state in
            state.items.append(item)
            let met = state.watchers.filter { $0.value.condition(state.items) }
            met.keys.forEach { state.watchers[$0] = nil }
            return met
        }
        met.values.forEach { $0.continuation.resume() }
    }

    /// Returns as soon as there are so many items, or the task is cancelled.
    public func until(count: Int) async { await until { $0.count >= count } }

    /// Returns as soon as the items meet the condition, or the task is cancelled.
    public func until(_ condition: @escaping @Sendable ([Element]) -> Bool) async {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if Task.isCancelled || condition(state.items) { return true }
                    state.watchers[id] = Watcher(condition: condition, continuation: continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.watchers.removeValue(forKey: id) }?.continuation.resume()
        }
    }
}
