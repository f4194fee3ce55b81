import Dispatch
import Foundation

/// Ends the process when what it still has to put away takes too long: a file system that hangs must not hold the user.
@MainActor
public final class LastResort {
    private static let patience = 5
    private var timer: (any DispatchSourceTimer)?

    public init() {}

    /// From now on there are 5 s; then the process ends with this code.
    ///
    /// The terminal is the user's again by now.
    public func begin(code: Int32) {
        let timer = DispatchSource.makeTimerSource(queue: .main)
        timer.schedule(deadline: .now() + .seconds(Self.patience))
        timer.setEventHandler {
            let text = "alcedo: left without the last notes of the cache: a file system does not answer\n"
            try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
            _exit(code)
        }
        timer.activate()
        self.timer = timer
    }

    /// All was put away.
    public func end() { timer?.cancel() }
}
