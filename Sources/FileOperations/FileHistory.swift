import AlcedoScreen
import AlcedoSupport
import Dispatch
import Glibc
import Synchronization

/// Performs operations one after the other, and remembers the last ten to take them back.
package actor FileHistory {
    /// An operation that was performed.
    private struct Done {
        let title: String
        let changes: [FileChange]
    }

    /// The operations that can be taken back.
    private static let limit = 10
    /// The time after which progress is told, and between two reports.
    private static let pause = Duration.milliseconds(500)

    private let files: FileOperator
    /// Copies block their thread for seconds; of the threads that tasks share there are only as many as processors.
    static let queue = DispatchQueue(label: "file operations")
    private static let executor = QueueExecutor()
    private let now: @Sendable () -> ContinuousClock.Instant
    private var history: [Done] = []
    /// The paths that ``hold(_:)`` named last.
    private let held = Mutex<[String]>([])
    /// Whether the operation that runs ends with the file that is under way, and whether all that follow do.
    private let isStopping = Mutex(false), isEnding = Mutex(false)

    /// - Parameters:
    ///   - home: The home folder.
    ///   - dataHome: `$XDG_DATA_HOME`, in which the trash is; `~/.local/share` if it is nil or not absolute.
    package init(
        home: String, dataHome: String?, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        files = FileOperator(trashFolder: Self.trash(home: home, dataHome: dataHome))
        self.now = now
    }

    package nonisolated var unownedExecutor: UnownedSerialExecutor { Self.executor.asUnownedSerialExecutor() }

    /// Returns the folder of the user's trash.
    package static func trash(home: String, dataHome: String?) -> String {
        (dataHome.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home.inFolder(".local/share")).inFolder("Trash")
    }

    /// Performs an operation on files; relative paths of folders start from the working folder.
    ///
    /// - Parameters:
    ///   - answers: What becomes of files whose names are taken; they get a number if there is none.
    ///   - report: Receives the number of finished files of an operation that takes long.
    /// - Returns: The outcome, and a line that tells it.
    package func perform(
        _ operation: FileOperation, on paths: [String], answers: [String: ConflictAnswer] = [:],
        report: @escaping @Sendable (Int) -> Void
    ) -> (outcome: FileOutcome, notice: String) {
        let operation = operation.mapFolder(Self.absolute)
        let outcome = perform(operation, paths, answers, report)
        let title = Self.title(operation, outcome)
        let undoable = outcome.changes.filter { $0.kind != .deleted }
        if !undoable.isEmpty { history = history.suffix(Self.limit - 1) + [Done(title: title, changes: undoable)] }
        guard let failure = outcome.failures.first else {
            return (outcome, undoable.isEmpty ? title : "\(title) \u{B7} U takes it back")
        }
        guard !outcome.changes.isEmpty else {
            let count = outcome.failures.count
            guard count > 1 else { return (outcome, failure.text) }
            return (outcome, "\(Units.count(count)) failed: \(failure.text) \u{B7} :messages lists them")
        }
        let list = outcome.failures.count > 1 ? " \u{B7} :messages lists them" : ""
        return (outcome, "\(title), \(Units.count(outcome.failures.count)) failed: \(failure.text)\(list)")
    }

    /// Remembers files that are to be copied or moved to a folder that is named later.
    package nonisolated func hold(_ paths: [String]) { held.withLock { $0 = paths } }

    package nonisolated var heldPaths: [String] { held.withLock(\.self) }

    /// Returns what an operation meets; nothing changes.
    package func plan(_ operation: FileOperation, on paths: [String]) -> FilePlan {
        FilePlan(operation.mapFolder(Self.absolute), on: paths)
    }

    private func perform(
        _ operation: FileOperation, _ paths: [String], _ answers: [String: ConflictAnswer],
        _ report: @escaping @Sendable (Int) -> Void
    ) -> FileOutcome {
        let goesOn = reporter(report)
        return files.perform(
            operation, on: paths, answers: answers, progress: goesOn, isEnding: { isEnding.withLock(\.self) })
    }

    /// Returns a function that tells the number of finished files, and whether the operation goes on.
    private func reporter(_ report: @escaping @Sendable (Int) -> Void) -> (Int) -> Bool {
        isStopping.withLock { $0 = isEnding.withLock(\.self) }
        var last = now()
        return { [self] count in
            if last.duration(to: now()) >= Self.pause {
                last = now()
                report(count)
            }
            return !isStopping.withLock { $0 }
        }
    }

    /// Ends a running operation with the file that is under way; the others stay as they are.
    package nonisolated func stopRunning() { isStopping.withLock { $0 = true } }

    /// Ends the running operation, also in the middle of a copy, of which nothing stays, and lets no other begin.
    package nonisolated func stop() async {
        isEnding.withLock { $0 = true }
        stopRunning()
        await finish()
    }

    /// Returns when a running operation has ended.
    private func finish() {}

    /// The changes that the next `undo` takes back.
    package var changesToUndo: [FileChange] { history.last?.changes ?? [] }

    /// Takes the last operation back.
    ///
    /// - Parameter report: Receives the number of files that are back, if it takes long.
    package func undo(report: @escaping @Sendable (Int) -> Void = { _ in }) -> (outcome: FileOutcome, notice: String) {
        guard let last = history.popLast() else { return (FileOutcome(), "nothing to take back") }
        let outcome = files.undo(
            last.changes, progress: reporter(report), isEnding: { isEnding.withLock(\.self) })
        // What could not be taken back, or was not because it was stopped, can be tried again.
        let failed = Set(outcome.failures.map(\.path))
        let left =
            last.changes.prefix(outcome.leftCount)
            + last.changes.dropFirst(outcome.leftCount).filter { failed.contains($0.to) }
        if !left.isEmpty { history.append(Done(title: last.title, changes: Array(left))) }
        if outcome.leftCount > 0, failed.isEmpty {
            return (outcome, "stopped: \(Units.count(left.count { $0.kind != .made })) left \u{B7} U goes on")
        }
        if let failure = outcome.failures.first {
            return (outcome, "not undone: \(failure.text)\(outcome.failures.count > 1 ? " \u{2026}" : "")")
        }
        let next = history.last.map { " \u{B7} U next: \($0.title)" } ?? ""
        return (outcome, "undone: \(last.title)\(next)")
    }

    /// Returns an absolute path; a relative one starts from the working folder.
    package static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return String(pathCString: folder).inFolder(path)
    }

    /// Returns the result of an operation in a few words: `3 pictures moved to /home/me/best`.
    private static func title(_ operation: FileOperation, _ outcome: FileOutcome) -> String {
        let files = outcome.changes.filter { change in
            switch (operation, change.kind) {
            case (.turn, .turned), (.trash, .trashed), (.delete, .deleted), (.copy, .copied), (.move, .moved),
                (.rename, .moved):
                true
            default: false
            }
        }
        let count = if case .renameAll(to: let names) = operation { names.count } else { files.count }
        let one = files.count == 1 ? name(files[0].from) : count == 1 ? "1 picture" : "\(Units.count(count)) pictures"
        let skipped = outcome.skippedCount > 0 ? ", \(Units.count(outcome.skippedCount)) skipped" : ""
        let left = outcome.leftCount > 0 ? ", stopped: \(Units.count(outcome.leftCount)) left" : ""
        return words(operation, one) + skipped + left
    }

    private static func words(_ operation: FileOperation, _ one: String) -> String {
        switch operation {
        case .trash: "\(one) to the trash"
        case .delete: "\(one) deleted for good"
        case .renameAll: "\(one) renamed"
        case .turn: "\(one) written as shown"
        case .copy(into: let folder): "\(one) copied to \(SafeText.clean(folder))"
        case .move(into: let folder): "\(one) moved to \(SafeText.clean(folder))"
        case .rename(to: let new): "\(one) renamed to \(SafeText.clean(new))"
        case .makeFolder(let path): "\(SafeText.clean(path)) made"
        }
    }

    /// The name of a file, short enough for what follows it.
    private static func name(_ path: String) -> String {
        Fitting.truncateMiddle(SafeText.clean(path.pathName), to: 40)
    }
}

private final class QueueExecutor: SerialExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        FileHistory.queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
