import TestSupport

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools
@testable import BrowserApp

/// An alarm by a clock that a test moves.
@MainActor
final class ManualAlarm: Alarm {
    private let clock: ManualClock
    private let wake: @Sendable () -> Void
    private var sleeping: Task<Void, Never>?

    init(clock: ManualClock, wake: @escaping @Sendable () -> Void) {
        self.clock = clock
        self.wake = wake
    }

    var now: Duration { clock.now.offset }

    func set(in delay: Duration) {
        stop()
        sleeping = Task { [clock, wake] in
            guard (try? await clock.sleep(for: delay)) != nil else { return }
            wake()
        }
    }

    func stop() { sleeping?.cancel() }
}
