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

    @Test(arguments: modified) func `work without isolation runs off the main actor, with every modifier`(
        retrier: Retrier
    ) async throws {
        #expect(try await retrier.job { isOnMainActor() }.value == false)
    }

    @Test(arguments: modified) func `work isolated to the main actor runs on it, with every modifier`(
        retrier: Retrier
    ) async throws {
        #expect(try await retrier.job { @MainActor in isOnMainActor() }.value)
    }

    @Test func `handlers written on an actor run on it in order, before the value is returned`() async throws {
        var heard: [String] = []
        let job = withNoDelay().handleRetrierEvents { _ in heard.append("retrier \(isOnMainActor())") }
            .job { 1 }.handleRetrierEvents { _ in heard.append("job \(isOnMainActor())") }
        let reader = Task { @concurrent in try await job.value }
        #expect(try await reader.value == 1)
        #expect(heard == ["retrier true", "job true", "retrier true", "job true"])
    }

    @Test func `handlers isolated to the main actor run on it, whatever the queue`() async throws {
        let heard = Record<Bool>()
        try await Self.run(on: .executor(OwnExecutor())) { @MainActor _ in heard.add(isOnMainActor()) }
        #expect(heard.elements == [true, true])
    }

    @Test func `handlers without isolation run on the main queue only if requested`() async throws {
        let heard = Record<Bool>()
        let handler: @Sendable (RetrierEvent<Void>) -> Void = { _ in heard.add(isOnMainActor()) }
        try await Self.run(on: .main, handler)
        try await Self.run(on: .untouch, handler)
        #expect(heard.elements == [true, true, false, false])
    }

    /// Runs a job with one success and one handler.
    nonisolated private static func run(
        on queue: CallbackQueue, _ handler: @escaping @isolated(any) @Sendable (RetrierEvent<Void>) -> Void
    ) async throws {
        _ = try await withNoDelay().job {}.handleRetrierEvents(on: queue, handler).value
    }

    @Test nonisolated func `handlers run on a given executor`() async throws {
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
