import AlcedoScreen
import AlcedoSupport
import Dispatch
import Glibc
import Synchronization

/// Performs operations one after the other, and remembers the last ten to take them back.
package actor FileHistory {
    /// An operation that was performed.
    private struct Done {
        var title: String
        var changes: [FileChange]
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
    /// The finished files of the operation that runs, and when they were told last.
    private var finished = 0, reportTime = ContinuousClock.now
    /// The paths that ``hold(_:)`` named last.
    private let held = Mutex<[String]>([])
    /// The operations that run or wait, of all lists that were shown.
    private let running = Mutex(0)
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
    ///   - report: Receives the progress of a long operation: `12 of 40 files`.
    /// - Returns: The outcome, and a line for the status bar that describes it.
    package func perform(
        _ operation: FileOperation, on paths: [String], answers: [String: ConflictAnswer] = [:],
        report: @escaping @Sendable (String) -> Void
    ) -> (outcome: FileOutcome, notice: String) {
        let operation = operation.mapFolder(Self.absolute)
        let (progress, copying) = reporters(of: paths.count, report)
        let outcome = files.perform(operation, on: paths, answers: answers, progress: progress, copying: copying)
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

    /// Counts an operation that begins, or one that has ended if `change` is -1; returns how many run or wait.
    @discardableResult
    package nonisolated func countRunning(_ change: Int = 0) -> Int {
        running.withLock { count in
            count += change
            return count
        }
    }

    /// Remembers files that are to be copied or moved to a folder that is named later.
    package nonisolated func hold(_ paths: [String]) { held.withLock { $0 = paths } }

    package nonisolated var heldPaths: [String] { held.withLock(\.self) }

    /// Returns what an operation meets; nothing changes.
    package func plan(_ operation: FileOperation, on paths: [String]) -> FilePlan {
        FilePlan(operation.mapFolder(Self.absolute), on: paths)
    }

    /// Returns functions that tell how far an operation is, and whether it goes on with the next file, and within one.
    private func reporters(
        of total: Int, _ report: @escaping @Sendable (String) -> Void
    ) -> (progress: (Int) -> Bool, copying: (Double) -> Bool) {
        isStopping.withLock { $0 = isEnding.withLock(\.self) }
        (finished, reportTime) = (0, now())
        func tell(_ part: Double) {
            guard reportTime.duration(to: now()) >= Self.pause else { return }
            reportTime = now()
            report(Self.progress(min(finished, total), of: total, part))
        }
        let progress: (Int) -> Bool = { [self] count in
            finished = count
            tell(0)
            return !isStopping.withLock(\.self)
        }
        let copying: (Double) -> Bool = { [self] part in
            tell(part)
            return !isEnding.withLock(\.self)
        }
        return (progress, copying)
    }

    /// Returns the number of finished files, with the copied part of the next one: `1 of 2 files, 37 % of the next`.
    private static func progress(_ finished: Int, of total: Int, _ part: Double) -> String {
        let percent = "\(Int(part * 100)) % of "
        if total == 1 { return (part > 0 ? percent : "\(Units.count(finished)) of ") + "1 file" }
        return "\(Units.count(finished)) of \(Units.count(total)) files" + (part > 0 ? ", \(percent)the next" : "")
    }

    /// Remembers that a file was written where the latest operation with this path put one into the trash.
    package func wrote(_ path: String) {
        let written = FileChange(.written, from: path, to: path)
        let index = history.lastIndex { done in
            done.changes.contains { if case .trashed = $0.kind { $0.from == path } else { false } }
        }
        guard written.stamp != nil, let index else { return }
        history[index].changes.append(written)
        history[index].title = "\(Self.name(path)) replaced"
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

    /// Takes the last operation back; what fails makes way for the operations before it.
    ///
    /// - Parameter report: Receives how many files are back, if it takes long.
    package func undo(
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) -> (outcome: FileOutcome, notice: String) {
        guard let last = history.popLast() else { return (FileOutcome(), "nothing to take back") }
        let count = last.changes.count { $0.kind != .made }
        let (progress, copying) = reporters(of: count) { report($0 + " back") }
        let outcome = files.undo(last.changes, progress: progress, copying: copying)
        // What was stopped goes on; what could not be taken back can be tried again after all that came before it.
        let failed = Set(outcome.failures.map(\.path))
        let left =
            last.changes.prefix(outcome.leftCount)
            + last.changes.dropFirst(outcome.leftCount).filter { failed.contains($0.to) }
        let next = history.last.map { " \u{B7} U next: \($0.title)" } ?? ""
        if !left.isEmpty {
            let index = outcome.leftCount > 0 ? history.endIndex : 0
            history.insert(Done(title: last.title, changes: Array(left)), at: index)
        }
        if outcome.leftCount > 0, failed.isEmpty {
            return (outcome, "stopped: \(Units.count(left.count { $0.kind != .made })) left \u{B7} U goes on")
        }
        if let failure = outcome.failures.first {
            let after = outcome.leftCount > 0 ? " \u{B7} U goes on" : next
            return (outcome, "not undone: \(failure.text)\(outcome.failures.count > 1 ? " \u{2026}" : "")\(after)")
        }
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
