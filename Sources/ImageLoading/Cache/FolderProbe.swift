import Dispatch
import Foundation
import Glibc
import Synchronization

/// Whether a folder's file system answers.
///
/// One that hangs (a server gone, a FUSE program stopped) never lets go of who asks it, so a thread of its own does.
final class FolderProbe: Sendable {
    /// How long an answer may take.
    static let patience = DispatchTimeInterval.seconds(2)

    private let ask: @Sendable () -> Void
    private let isAsking = Mutex(false)

    convenience init(path: String) { self.init { Self.read(path) } }

    init(ask: @escaping @Sendable () -> Void) { self.ask = ask }

    /// False after the patience; and at once while an earlier question has no answer, so that one thread at most is lost.
    func answers(within patience: DispatchTimeInterval = patience) -> Bool {
        let isFirst = isAsking.withLock { isAsking in
            defer { isAsking = true }
            return !isAsking
        }
        guard isFirst else { return false }
        let answer = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            self.ask()
            self.isAsking.withLock { $0 = false }
            answer.signal()
        }
        return answer.wait(timeout: .now() + patience) == .success
    }

    /// A path may be answered from what the system knows of it, a folder's content may not.
    private static func read(_ path: String) {
        guard let folder = opendir(path) else { return }
        _ = readdir(folder)
        closedir(folder)
    }
}
