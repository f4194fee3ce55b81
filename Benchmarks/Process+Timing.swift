import Dispatch
import Foundation

extension Process {
    /// Runs to its end and answers how long that took.
    ///
    /// `waitUntilExit` looks only every 50 ms, which is as long as what is measured.
    func timedRun() throws -> Duration {
        let ended = DispatchSemaphore(value: 0)
        terminationHandler = { _ in ended.signal() }
        let start = ContinuousClock.now
        try run()
        ended.wait()
        return start.duration(to: .now)
    }
}
