import Retrying
import TestSupport
import Testing

/// Cancelling at whatever moment the scheduler chooses, many times over.
@Suite(.timeLimit(.minutes(1)))
struct RetryJobStressTests {
    private static let runCount = 500

    @Test func `a run cancelled at any moment completes once and leaves nothing running`() async {
        let running = Record<Int>()
        let job = withConstantDelay().timed(by: ManualClock(advancesItself: true))
            .onlyWhen(AsyncStream { $0.yield(true) })
            .job {
                running.add(1)
                await Task.yield()
                running.add(-1)
                throw Broken()
            }
        await withTaskGroup { group in
            for index in 0..<Self.runCount {
                group.addTask {
                    let reader = Task { await words(of: job).filter { $0.hasPrefix("completion") } }
                    for _ in 0..<index % 20 { await Task.yield() }
                    reader.cancel()
                    return await reader.value
                }
            }
            for await completions in group { #expect(completions == ["completion CancellationError()"]) }
        }
        #expect(running.elements.reduce(0, +) == 0)
    }
}
