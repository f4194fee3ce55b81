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
        /// Whether somebody is about to take the steps in.
        var isCalled = false
    }

    private let state = Mutex(State())

    /// What came of hearing a step.
    struct Hearing {
        /// That one goes on which never rested, as most do, is no step.
        let isStep: Bool
        /// Whether somebody is to take the steps in who does not know yet.
        let calls: Bool
    }

    /// Hears a step.
    func note(_ step: Step) -> Hearing {
        state.withLock { state in
            switch step {
            case .rests(let id, _): state.resting.insert(id)
            case .goesOn(let id):
                if state.resting.remove(id) == nil { return Hearing(isStep: false, calls: false) }
            }
            state.steps.append(step)
            defer { state.isCalled = true }
            return Hearing(isStep: true, calls: !state.isCalled)
        }
    }

    /// An item is done.
    func forget(_ id: Int) { state.withLock { _ = $0.resting.remove(id) } }

    /// Hands over what was told since the last time.
    func take() -> [Step] {
        state.withLock { state in
            defer { (state.steps, state.isCalled) = ([], false) }
            return state.steps
        }
    }
}
