import Synchronization

/// The state changes of running items, in order, until the plan applies them.
///
/// Recording a step does not wait for the prefetcher's actor.
final class PrefetchSteps: Sendable {
    enum Step: Sendable {
        case rests(Int, PrefetchPlan.Rest)
        case resumes(Int)
    }

    private struct State {
        var steps: [Step] = []
        /// The resting items, according to the recorded steps.
        var resting: Set<Int> = []
        /// Whether a task is scheduled to apply the steps.
        var hasTask = false
    }

    private let state = Mutex(State())

    /// The outcome of recording a step.
    struct Outcome {
        /// Whether the plan needs the step.
        ///
        /// An item that continues without having rested, the usual case, changes nothing.
        let isNeeded: Bool
        /// Whether the caller must schedule a task that applies the steps.
        let needsTask: Bool
    }

    /// Records a step.
    func record(_ step: Step) -> Outcome {
        state.withLock { state in
            switch step {
            case .rests(let id, _): state.resting.insert(id)
            case .resumes(let id):
                if state.resting.remove(id) == nil { return Outcome(isNeeded: false, needsTask: false) }
            }
            state.steps.append(step)
            defer { state.hasTask = true }
            return Outcome(isNeeded: true, needsTask: !state.hasTask)
        }
    }

    /// Discards the state of an item that is done.
    func forget(_ id: Int) { state.withLock { _ = $0.resting.remove(id) } }

    /// Removes and returns the recorded steps.
    func removeAll() -> [Step] {
        state.withLock { state in
            defer { (state.steps, state.hasTask) = ([], false) }
            return state.steps
        }
    }
}
