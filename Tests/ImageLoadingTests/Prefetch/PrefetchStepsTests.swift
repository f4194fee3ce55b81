import Testing

@testable import ImageLoading

/// Steps are recorded in order, and one task applies all of them.
@Suite(.timeLimit(.minutes(1)))
struct PrefetchStepsTests {
    private let steps = PrefetchSteps()

    /// Removes the recorded steps; returns their items.
    private func recorded() -> [Int] {
        steps.removeAll().map { step in
            switch step {
            case .rests(let id, _), .resumes(let id): id
            }
        }
    }

    @Test func `the first step needs a task and later ones do not`() {
        #expect(steps.record(.rests(1, .retry)).needsTask)
        #expect(!steps.record(.rests(2, .host)).needsTask)
        #expect(recorded() == [1, 2])
        // The task has applied the steps, so the next one needs a new task.
        let next = steps.record(.resumes(1))
        #expect(next.needsTask && next.isNeeded)
        #expect(recorded() == [1])
    }

    @Test func `resuming an item that did not rest is a no-op`() {
        let outcome = steps.record(.resumes(7))
        #expect(!outcome.isNeeded && !outcome.needsTask)
        #expect(recorded() == [])
        #expect(steps.record(.rests(7, .retry)).needsTask)
    }

    @Test func `a finished item cannot resume`() {
        _ = steps.record(.rests(1, .retry))
        steps.forget(1)
        #expect(!steps.record(.resumes(1)).isNeeded)
    }
}
