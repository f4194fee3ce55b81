import Foundation
import Synchronization

/// A date that moves only when told.
package final class ManualDate: Sendable {
    private let date = Mutex(Date(timeIntervalSince1970: 1_800_000_000))

    package init() {}

    package var now: Date { date.withLock { $0 } }

    package func advance(bySeconds seconds: TimeInterval) { date.withLock { $0 += seconds } }
}
