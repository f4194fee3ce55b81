import Testing

@testable import DiskCache
@testable import HTTPDownload
@testable import ImageCodecs
@testable import ImageLoading

/// Steps are heard in order, and one call is enough for all that were not taken in.
@Suite(.timeLimit(.minutes(1)))
struct PrefetchStepsTests {
    private let steps = PrefetchSteps()

    /// The items of the steps that were told since the last time.
    private func taken() -> [Int] {
        steps.take().map { step in
            switch step {
            case .rests(let id, _), .goesOn(let id): id
            }
        }
    }

    @Test func `the first step calls and those behind it need not`() {
        #expect(steps.note(.rests(1, .retry)).calls)
        #expect(!steps.note(.rests(2, .host)).calls)
        #expect(taken() == [1, 2])
        // Nobody is about to take in what comes now.
        let next = steps.note(.goesOn(1))
        #expect(next.calls && next.isStep)
        #expect(taken() == [1])
    }

    @Test func `one that goes on without having rested is no step and calls nobody`() {
        let hearing = steps.note(.goesOn(7))
        #expect(!hearing.isStep && !hearing.calls)
        #expect(taken() == [])
        #expect(steps.note(.rests(7, .retry)).calls)
    }

    @Test func `who has ended rests no more`() {
        _ = steps.note(.rests(1, .retry))
        steps.forget(1)
        #expect(!steps.note(.goesOn(1)).isStep)
    }
}
