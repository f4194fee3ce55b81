import Synchronization

/// The state changes of running items, in order, until the plan applies them.
///
/// Recording a step does not wait for the prefetcher's actor.
final class PrefetchSteps: Sendable {
    enum Step: Sendable {
        case rests(Int, PrefetchPlan.Rest)
        case goesOn(Int)
    }

    private struct State {
        var steps: [Step] = []
        /// The resting items, according to the recorded steps.
        var resting: Set<Int> = []
        /// Whether a task is scheduled to apply the steps.
        var isCalled = false
    }

    private let state = Mutex(State())

    /// The outcome of recording a step.
    struct Hearing {
        /// Whether the plan needs the step.
        ///
        /// An item that continues without having rested, the usual case, changes nothing.
        let isStep: Bool
        /// Whether the caller must schedule a task that applies the steps.
        let calls: Bool
    }

    /// Records a step.
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

    /// Discards the state of an item that is done.
    func forget(_ id: Int) { state.withLock { _ = $0.resting.remove(id) } }

    /// Removes and returns the recorded steps.
    func take() -> [Step] {
        state.withLock { state in
            defer { (state.steps, state.isCalled) = ([], false) }
            return state.steps
        }
    }
}
