import Foundation
import Retrying
import TestSupport
import Testing

/// Where the work and the handlers of a job run.
@MainActor @Suite(.timeLimit(.minutes(1))) struct IsolationTests {
    private final class OwnExecutor: TaskExecutor {
        let jobs = Record<Void>()

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            jobs.add(())
            DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    nonisolated private static let modified: [Retrier] = [
        withNoDelay(), withNoDelay().giveUpAfter(timeout: .seconds(60), abortingAttempt: true),
        withNoDelay().onlyWhen(AsyncStream { $0.yield(true) }),
    ]

    @Test(arguments: modified) func `work read from the main actor runs off it, with every modifier`(
        retrier: Retrier
    ) async throws {
        #expect(try await retrier.job { isOnMainActor() }.value == false)
    }

    @Test(arguments: modified) func `work isolated to the main actor runs on it, with every modifier`(
        retrier: Retrier
    ) async throws {
        #expect(try await retrier.job { @MainActor in isOnMainActor() }.value)
    }

    @Test func `handlers run on the main actor where that is asked for, in order, before the value is returned`()
        async throws
    {
        let heard = Record<String>()
        let job = withNoDelay().handleRetrierEvents(on: .main) { _ in heard.add("retrier \(isOnMainActor())") }
            .job { 1 }.handleRetrierEvents(on: .main) { _ in heard.add("job \(isOnMainActor())") }
        let reader = Task { @concurrent in try await job.value }
        #expect(try await reader.value == 1)
        #expect(heard.elements == ["retrier true", "job true", "retrier true", "job true"])
    }

    @Test func `handlers run on an executor of the caller`() async throws {
        let (executor, heard) = (OwnExecutor(), Record<Bool>())
        _ = try await withNoDelay().job {}.handleRetrierEvents(on: .executor(executor)) { _ in
            heard.add(isOnMainActor())
        }.value
        #expect(heard.elements == [false, false] && executor.jobs.elements.count >= 2)
    }
}

/// Known by its queue, because any thread may run the main actor's work once the main thread has given itself up.
private func isOnMainActor() -> Bool { DispatchQueue.getSpecific(key: mark) == true }

private let mark = {
    let mark = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: mark, value: true)
    return mark
}()
