import Dispatch
import Foundation
import Glibc
import Synchronization

/// Whether a folder's file system answers.
///
/// One that hangs (a server gone, a FUSE program stopped) never lets go of who asks it, so a thread of its own does.
final class FolderProbe: Sendable {
    private struct Questions {
        var last = 0
        var open: Set<Int> = []
        /// Those of the open ones that nobody waits for any more.
        var overdue: Set<Int> = []
    }

    /// How long an answer may take.
    static let patience = DispatchTimeInterval.seconds(2)

    private let ask: @Sendable () -> Void
    private let questions = Mutex(Questions())

    convenience init(path: String) { self.init { Self.read(path) } }

    init(ask: @escaping @Sendable () -> Void) { self.ask = ask }

    /// Whether a question still has no answer, although its time is up.
    var isSilent: Bool { questions.withLock { !$0.overdue.isEmpty } }

    /// False after the patience; and at once while it is silent, so that no more threads are lost.
    func answers(within patience: DispatchTimeInterval = patience) -> Bool {
        guard !isSilent else { return false }
        let question = questions.withLock { questions in
            questions.last += 1
            questions.open.insert(questions.last)
            return questions.last
        }
        let answer = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            self.ask()
            self.questions.withLock { questions in
                questions.open.remove(question)
                questions.overdue.remove(question)
            }
            answer.signal()
        }
        if answer.wait(timeout: .now() + patience) == .success { return true }
        return questions.withLock { questions in
            guard questions.open.contains(question) else { return true }
            questions.overdue.insert(question)
            return false
        }
    }

    /// A path may be answered from what the system knows of it, a folder's content may not.
    private static func read(_ path: String) {
        guard let folder = opendir(path) else { return }
        _ = readdir(folder)
        closedir(folder)
    }
}
