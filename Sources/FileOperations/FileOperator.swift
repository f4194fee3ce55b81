import AlcedoCFiles
import AlcedoSupport
import Glibc
import Raster

/// Performs operations on files and takes them back.
///
/// Each file is changed in one step: a file is there before or after, never in part. A move to another file system
/// copies, syncs, and only then removes. All calls block.
package struct FileOperator: Sendable {
    private let trash: Trash

    /// - Parameters:
    ///   - trashFolder: The trash of the user's home: `$XDG_DATA_HOME/Trash`.
    ///   - now: The seconds since 1970.
    package init(trashFolder: String, now: @escaping @Sendable () -> Int = { time(nil) }) {
        trash = Trash(home: trashFolder, now: now)
    }

    /// Performs an operation on some files; those that fail do not stop the others.
    ///
    /// - Parameters:
    ///   - paths: Absolute paths of files or links; a link itself is moved, what it leads to is copied.
    ///   - answers: What becomes of files whose names are taken; they get a number if there is none.
    ///   - progress: Receives the number of finished files; returning false leaves the rest as it is.
    ///   - copying: Receives the copied part of the file that is under way, 0 to 1; returning false gives it up.
    package func perform(
        _ operation: FileOperation, on paths: [String], answers: [String: ConflictAnswer] = [:],
        progress: (Int) -> Bool = { _ in true }, copying: (Double) -> Bool = { _ in true }
    ) -> FileOutcome {
        var outcome = FileOutcome()
        do throws(FileProblem) {
            switch operation {
            case .makeFolder(let path):
                outcome.changes = try makeFolder(path)
                return outcome
            case .copy(into: let folder), .move(into: let folder): outcome.changes = try folderIfNeeded(folder)
            case .rename(to: let name):
                guard paths.count == 1 else { throw FileProblem("a name is for one file, not for \(paths.count)") }
                try Self.check(name)
            case .renameAll(to: let names):
                outcome.changes = try renameAll(paths, to: names)
                return outcome
            case .turn(by: let turns):
                guard turns.count == paths.count else { throw FileProblem("each file needs a turn") }
                Set(paths.map(\.pathFolder)).forEach(FileStep.removeRemains)
            case .trash, .delete: break
            }
        } catch {
            outcome.failures =
                paths.isEmpty || operation.isAllOrNone
                ? [.init(path: "", reason: error.reason)] : paths.map { .init(path: $0, reason: error.reason) }
            return outcome
        }
        for (index, path) in paths.enumerated() {
            do throws(FileProblem) {
                let changes = try change(operation.part(index), path, answers[path] ?? .keepBoth, copying)
                if changes.isEmpty { outcome.skippedCount += 1 }
                outcome.changes += changes
            } catch {
                outcome.failures.append(.init(path: path, reason: error.reason))
            }
            guard progress(index + 1) else {
                outcome.leftCount = paths.count - index - 1
                break
            }
        }
        // Folders that were made for files that did not come go again.
        if !paths.isEmpty, outcome.changes.allSatisfy({ $0.kind == .made }) {
            outcome.changes = remains(of: outcome.changes)
        }
        return outcome
    }

    /// Removes folders that were made; returns those that stay, because they are not empty.
    private func remains(of folders: [FileChange]) -> [FileChange] {
        folders.reversed().filter { folder in folder.to.withPath { rmdir($0) } != 0 }.reversed()
    }

    /// Takes changes back, the last one first; a file that is in the way, or was changed since, stays.
    ///
    /// - Parameters:
    ///   - progress: Receives the number of finished changes; returning false leaves the rest as it is.
    ///   - copying: Receives the copied part of the file that is under way, 0 to 1; returning false gives it up.
    package func undo(
        _ changes: [FileChange], progress: (Int) -> Bool = { _ in true }, copying: (Double) -> Bool = { _ in true }
    ) -> FileOutcome {
        var outcome = FileOutcome()
        for (index, change) in changes.reversed().enumerated() {
            do throws(FileProblem) {
                try undo(change, copying)
                outcome.changes.append(change)
            } catch {
                outcome.failures.append(.init(path: change.to, reason: error.reason))
            }
            guard progress(index + 1) else {
                outcome.leftCount = changes.count - index - 1
                break
            }
        }
        return outcome
    }

    private func undo(_ change: FileChange, _ copying: (Double) -> Bool = { _ in true }) throws(FileProblem) {
        guard change.kind != .deleted else { throw FileProblem("it was deleted for good") }
        // What others have put into a folder keeps it.
        if change.kind == .made {
            _ = change.to.withPath { rmdir($0) }
            return
        }
        let status = FileStep.status(change.to, followsLink: false)
        guard let status else { throw .system(ENOENT) }
        guard FileStamp(status) == change.stamp else { throw FileProblem("the file there is another one now") }
        switch change.kind {
        case .moved: try FileStep.move(change.to, to: change.from, copying: copying)
        case .trashed(let note):
            try FileStep.move(change.to, to: change.from, copying: copying)
            _ = note.withPath { unlink($0) }
        case .copied:
            // Without its original, the copy is all there is.
            guard let original = FileStep.status(change.from).map(FileStamp.init), original.file != status.st_ino else {
                throw FileProblem("the original is gone, so the copy stays")
            }
            try FileStep.call { change.to.withPath { unlink($0) } }
        case .turned(let turn): try Self.turn(change.to, by: turn.inverse)
        case .written: _ = try trash.take(change.to)
        case .made, .deleted: break
        }
    }

    /// Changes one file; returns nothing if it is skipped.
    private func change(
        _ operation: FileOperation, _ path: String, _ answer: ConflictAnswer, _ copying: (Double) -> Bool
    ) throws(FileProblem) -> [FileChange] {
        guard let status = FileStep.status(path, followsLink: false) else { throw .system(ENOENT) }
        guard operation.takesFolders || status.st_mode & S_IFMT != S_IFDIR else { throw FileProblem("it is a folder") }
        switch operation {
        case .trash: return [try trash.take(path)]
        case .delete:
            try FileStep.call { path.withPath { unlink($0) } }
            return [FileChange(.deleted, from: path, to: path)]
        case .turn(by: let turns):
            try turns.first.map { turn throws(FileProblem) in try Self.turn(path, by: turn) }
            return turns.map { FileChange(.turned($0), from: path, to: path) }
        case .rename(to: let name):
            let target = path.pathFolder.inFolder(name)
            try FileStep.move(path, to: target)
            return [FileChange(.moved, from: path, to: target)]
        case .move(into: let folder):
            guard !Self.isSame(path.pathFolder, folder) else { throw FileProblem("it is there already") }
            guard !(folder + "/").hasPrefix(path + "/") else { throw FileProblem("a folder cannot go into itself") }
            return try place(path, in: folder, answer, .moved) { target throws(FileProblem) in
                try FileStep.move(path, to: target, copying: copying)
            }
        case .copy(into: let folder):
            return try place(path, in: folder, answer, .copied) { target throws(FileProblem) in
                try FileStep.copy(path, to: target, copying: copying)
            }
        case .makeFolder, .renameAll: throw FileProblem("it is a file")
        }
    }

    private static func turn(_ path: String, by turn: Orientation) throws(FileProblem) {
        try FileStep.rewrite(path) { file throws(FileProblem) in try JPEGOrientation.turned(file, by: turn) }
    }

    /// Brings a file into a folder as the answer says; what is replaced goes to the trash, and comes back if that fails.
    private func place(
        _ path: String, in folder: String, _ answer: ConflictAnswer, _ kind: FileChange.Kind,
        _ body: (String) throws(FileProblem) -> Void
    ) throws(FileProblem) -> [FileChange] {
        let target = folder.inFolder(path.pathName)
        guard answer != .keepBoth, let there = FileStep.status(target, followsLink: false) else {
            return [
                FileChange(
                    kind, from: path,
                    to: try Self.naming(folder) { () throws(FileProblem) in
                        try Self.untaken(path, in: folder, body)
                    })
            ]
        }
        guard answer == .replace else { return [] }
        guard there.st_mode & S_IFMT != S_IFDIR else { throw FileProblem("a folder has this name") }
        guard !Self.isSame(path, target) else { throw FileProblem("it is this file itself") }
        let replaced = try trash.take(target)
        do throws(FileProblem) { try body(target) } catch {
            try undo(replaced)
            throw error
        }
        return [replaced, FileChange(kind, from: path, to: target)]
    }

    /// Renames files in an order in which no name is taken; one of a circle takes another name in between.
    ///
    /// After a failure all have their old names again.
    private func renameAll(_ paths: [String], to names: [String]) throws(FileProblem) -> [FileChange] {
        var pending: [(from: String, to: String)] = zip(paths, names).map { ($0, $0.pathFolder.inFolder($1)) }
        var changes: [FileChange] = []
        do throws(FileProblem) {
            for name in names { try Self.check(name) }
            while !pending.isEmpty {
                let sources = Set(pending.map(\.from))
                let free = pending.indices.filter { !sources.contains(pending[$0].to) }
                for index in free { changes.append(try Self.renamed(pending[index].from, to: pending[index].to)) }
                pending = pending.indices.filter { !free.contains($0) }.map { pending[$0] }
                guard free.isEmpty, let (from, to) = pending.first else { continue }
                let between = try Self.untaken(from + ".renaming", in: from.pathFolder) { target throws(FileProblem) in
                    try FileStep.move(from, to: target)
                }
                changes.append(FileChange(.moved, from: from, to: between))
                pending[0] = (between, to)
            }
        } catch {
            let failures = undo(changes).failures
            throw failures.isEmpty
                ? error : FileProblem("\(error.reason); \(failures.count) could not get their old names again")
        }
        return changes
    }

    private static func renamed(_ from: String, to: String) throws(FileProblem) -> FileChange {
        do throws(FileProblem) { try FileStep.move(from, to: to) } catch {
            throw FileProblem("\(from.pathName): \(error.reason)")
        }
        return FileChange(.moved, from: from, to: to)
    }

    /// Calls `body` with the path of a file in a folder, and with numbered names as long as they are taken.
    private static func untaken(
        _ path: String, in folder: String, _ body: (String) throws(FileProblem) -> Void
    ) throws(FileProblem) -> String {
        let name = path.pathName
        let dot = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 } ?? name.endIndex
        for number in 1...10_000 {
            let target = folder.inFolder(number == 1 ? name : "\(name[..<dot])-\(number)\(name[dot...])")
            do throws(FileProblem) {
                try body(target)
                return target
            } catch {
                guard error.code == EEXIST else { throw error }
            }
        }
        throw .system(EEXIST)
    }

    /// Adds the folder to a problem that lies there.
    private static func naming<Result>(
        _ folder: String, _ body: () throws(FileProblem) -> Result
    ) throws(FileProblem) -> Result {
        do throws(FileProblem) { return try body() } catch {
            let isThere =
                [EROFS, ENOSPC, EDQUOT].contains(error.code)
                || error.code == EACCES && folder.withPath { access($0, W_OK) } != 0
            throw isThere ? FileProblem("\(error.reason) in \(folder)", code: error.code) : error
        }
    }

    static func check(_ name: String) throws(FileProblem) {
        guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains(UInt8(ascii: "/")) else {
            throw FileProblem("a name has no /; :move takes a folder")
        }
        guard name.pathBytes.count <= NAME_MAX, !name.pathBytes.contains(0) else {
            throw FileProblem("the name is too long, or has a byte that no name can have")
        }
    }

    private static func isSame(_ one: String, _ other: String) -> Bool {
        guard let one = FileStep.status(one), let other = FileStep.status(other) else { return false }
        return one.st_dev == other.st_dev && one.st_ino == other.st_ino
    }

    private func folderIfNeeded(_ path: String) throws(FileProblem) -> [FileChange] {
        guard let status = FileStep.status(path) else { return try makeFolder(path) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw FileProblem("\(path) is a file") }
        FileStep.removeRemains(in: path)
        return []
    }

    private func makeFolder(_ path: String) throws(FileProblem) -> [FileChange] {
        // Empty parts and those for the same folder name nothing.
        let parts = path.utf8.split(separator: UInt8(ascii: "/")).compactMap { String($0) }.filter { $0 != "." }
        var (folder, changes) = (path.utf8.first == UInt8(ascii: "/") ? "/" : ".", [FileChange]())
        for (index, part) in parts.enumerated() {
            folder = folder.inFolder(part)
            if index < parts.count - 1, FileStep.status(folder) != nil { continue }
            if folder.withPath({ mkdir($0, 0o777) }) != 0 {
                let problem = FileProblem.system(errno)
                _ = remains(of: changes)
                throw problem
            }
            changes.append(FileChange(.made, from: folder, to: folder))
        }
        return changes
    }
}

extension FileOperation {
    /// Whether a problem with one file leaves all as they are.
    fileprivate var isAllOrNone: Bool { if case .renameAll = self { true } else { false } }

    /// The operation on one of the files.
    fileprivate func part(_ index: Int) -> FileOperation {
        if case .turn(by: let turns) = self { .turn(by: [turns[index]]) } else { self }
    }
}
