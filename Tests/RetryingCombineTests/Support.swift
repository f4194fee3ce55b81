import Dispatch
import Foundation
import RetryingCombine
import TestSupport

struct Broken: Error, Equatable {
    var code = 0
}

struct Fatal: Error {}

/// An event in words, so that whole runs compare as lists.
func words<Value>(_ event: RetrierEvent<Value>) -> String {
    switch event {
    case .attemptSuccess(let value): "success \(value)"
    case .attemptFailure(let failure): "failure \(failure.index) \(failure.error)"
    case .completion(let error?): "completion \(error)"
    case .completion(nil): "completion"
    }
}

/// What a subscriber received: events in words, and "finished".
final class Heard: Sendable {
    let lines = Recorder<String>()

    var all: [String] { lines.all }

    func until(count: Int) async { await lines.until(count: count) }

    func untilFinished() async { await lines.until { $0.last == "finished" } }

    func subscribe<Value>(to job: some Publisher<RetrierEvent<Value>, Never>) -> AnyCancellable {
        job.sink(
            receiveCompletion: { [lines] _ in lines.add("finished") }, receiveValue: { [lines] in lines.add(words($0)) }
        )
    }
}

/// Work that fails a number of times, and then returns how many attempts there were.
final class Attempts: Sendable {
    private let failures: Int
    private let starts = Recorder<Int>()

    init(failing failures: Int = 0) { self.failures = failures }

    var count: Int { starts.all.count }

    func until(count: Int) async { await starts.until(count: count) }

    @Sendable func run() async throws -> Int {
        starts.add(0)
        let number = starts.all.count
        if number <= failures { throw Broken(code: number) }
        return number
    }
}

/// An attempt that runs until it is cancelled.
final class EndlessAttempt: Sendable {
    let starts = Recorder<Int>()
    let ends = Recorder<Int>()

    @Sendable func run() async throws -> Int {
        starts.add(0)
        defer { ends.add(0) }
        let (silence, continuation) = AsyncStream<Void>.makeStream()
        for await _ in silence {}
        withExtendedLifetime(continuation) {}
        throw CancellationError()
    }
}

/// Whether the main queue runs the caller.
func isOnMainQueue() -> Bool { DispatchQueue.getSpecific(key: mainMark) == true }

private let mainMark = {
    let mark = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: mark, value: true)
    return mark
}()
