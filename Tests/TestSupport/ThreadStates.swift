import Foundation

/// What the threads of this process do, as the system sees it.
public enum ThreadStates {
    /// Whether every thread but the one that asks sleeps: then no task is ready to run, however busy the machine is.
    ///
    /// A task that becomes ready wakes its thread at once, and a thread that waits for a core is not asleep. Ask from a
    /// task of background priority, whose threads run no others.
    /// Source: proc(5), `/proc/pid/stat`, the third field.
    public static var othersSleep: Bool {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self"))?
            .split(separator: "/").last.map(String.init)
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return threads.allSatisfy { $0 == own || isAsleep($0) }
    }

    // A thread that has ended is at rest too. Its name, in parentheses, may hold anything.
    private static func isAsleep(_ thread: String) -> Bool {
        guard let line = try? String(contentsOfFile: "/proc/self/task/\(thread)/stat", encoding: .utf8),
            let end = line.lastIndex(of: ")")
        else { return true }
        return line[end...].dropFirst(2).first != "R"
    }
}
