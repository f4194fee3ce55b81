import Synchronization

/// What running items tell of their way, until the plan takes it in, in order.
///
/// Whoever tells something need not wait for the prefetcher.
final class PrefetchSteps: Sendable {
    enum Step: Sendable {
        case rests(Int, PrefetchPlan.Rest)
        case goesOn(Int)
    }

    private struct State {
        var steps: [Step] = []
        /// Who rests, as far as was told.
        var resting: Set<Int> = []
    }

    private let state = Mutex(State())

    /// Hears a step; answers whether it is one: that one goes on which never rested, as most do, is none.
    func note(_ step: Step) -> Bool {
        state.withLock { state in
            switch step {
            case .rests(let id, _): state.resting.insert(id)
            case .goesOn(let id): if state.resting.remove(id) == nil { return false }
            }
            state.steps.append(step)
            return true
        }
    }

    /// An item is done.
    func forget(_ id: Int) { state.withLock { _ = $0.resting.remove(id) } }

    /// Hands over what was told since the last time.
    func take() -> [Step] {
        state.withLock { state in
            defer { state.steps = [] }
            return state.steps
        }
    }
}
