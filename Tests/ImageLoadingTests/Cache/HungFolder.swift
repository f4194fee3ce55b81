import Dispatch
import Synchronization

/// A file system that keeps whoever asks until it is let go on.
final class HungFolder: Sendable {
    private let gate = DispatchSemaphore(value: 0)
    let questions = Mutex(0)

    func ask() {
        questions.withLock { $0 += 1 }
        gate.wait()
        gate.signal()
    }

    func goOn() { gate.signal() }
}
