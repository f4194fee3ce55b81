import AlcedoCFiles
import AlcedoSupport
import Glibc

/// The files of an operation and the names that are taken, read before anything changes.
package struct FilePlan: Sendable, Hashable {
    /// A file with its size and the time of its last change.
    package struct File: Sendable, Hashable {
        package let path: String
        /// -1 for a picture from the web whose size is not known.
        package let bytes: Int
        /// Seconds since 1970, and the same in the local time: `2026-07-14 18:20`; -1 for a picture from the web.
        package let modified: Int
        package let modifiedText: String

        package var name: String { path.pathName }
        package var folder: String { path.pathFolder }

        package init(path: String, bytes: Int, modified: Int, modifiedText: String = "") {
            (self.path, self.bytes, self.modified, self.modifiedText) = (path, bytes, modified, modifiedText)
        }
    }

    /// A file whose name is taken where it goes.
    package struct Conflict: Sendable, Hashable {
        package let new: File
        package let there: File
        /// Whether both have the same bytes.
        package let isEqual: Bool

        package init(new: File, there: File, isEqual: Bool) {
            (self.new, self.there, self.isEqual) = (new, there, isEqual)
        }
    }

    package let operation: FileOperation
    /// The files that are there, in the order in which they were named.
    package let files: [File]
    package let conflicts: [Conflict]
    /// Whether pictures are written into the folder, instead of files; their paths are only names then.
    package var isExport = false

    package init(operation: FileOperation, files: [File], conflicts: [Conflict] = []) {
        (self.operation, self.files, self.conflicts) = (operation, files, conflicts)
    }

    /// Reads the sizes and times of files, and of those that have their names where they go.
    init(_ operation: FileOperation, on paths: [String]) {
        self.operation = operation
        files = paths.compactMap(Self.file)
        guard let folder = operation.folder else {
            conflicts = []
            return
        }
        conflicts = files.compactMap { new in
            guard let there = Self.file(folder.inFolder(new.path.pathName)), there.path != new.path else { return nil }
            return Conflict(new: new, there: there, isEqual: new.bytes == there.bytes && Self.areEqual(new, there))
        }
    }

    /// Finds the pictures whose names are taken in a folder.
    package init(export pictures: [File], into folder: String) {
        self.init(
            operation: .copy(into: folder), files: pictures,
            conflicts: pictures.compactMap { new in
                Self.file(folder.inFolder(new.path)).map { Conflict(new: new, there: $0, isEqual: false) }
            })
        isExport = true
    }

    private static func file(_ path: String) -> File? {
        FileStep.status(path, followsLink: false).map {
            File(
                path: path, bytes: Int($0.st_size), modified: $0.st_mtim.tv_sec,
                modifiedText: localText($0.st_mtim.tv_sec))
        }
    }

    private static func localText(_ seconds: Int) -> String {
        var (time, parts, text) = (seconds, tm(), [CChar](repeating: 0, count: 32))
        guard localtime_r(&time, &parts) != nil else { return "" }
        let length = strftime(&text, text.count, "%Y-%m-%d %H:%M", &parts)
        return String(decoding: text.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Returns whether two files of one size have the same bytes; false for links and what cannot be read.
    static func areEqual(_ one: File, _ other: File) -> Bool {
        let descriptors = [one, other].map { file in
            file.path.withPath { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW) }
        }
        defer { for descriptor in descriptors where descriptor >= 0 { close(descriptor) } }
        guard descriptors.allSatisfy({ $0 >= 0 }) else { return false }
        var buffers = [[UInt8]](repeating: [UInt8](repeating: 0, count: 1 << 18), count: 2)
        var offset = 0
        while offset < one.bytes {
            let counts = (0..<2).map { pread(descriptors[$0], &buffers[$0], buffers[$0].count, offset) }
            guard counts[0] > 0, counts[0] == counts[1], buffers[0][..<counts[0]] == buffers[1][..<counts[0]] else {
                return false
            }
            offset += counts[0]
        }
        return true
    }
}

/// New names for files in their folders, checked before anything changes.
package struct RenamePlan: Sendable, Hashable {
    package struct Row: Sendable, Hashable {
        package let path: String
        /// The new name.
        package let name: String
        /// Why the file cannot have it; nil if it can.
        package let problem: String?

        package var oldName: String { path.pathName }
        package var isChanged: Bool { name != oldName }
    }

    package let rows: [Row]

    /// Checks names; there is one for each path.
    ///
    /// - Parameter isTaken: Whether something has a path.
    package init(
        _ paths: [String], to names: [String],
        isTaken: (String) -> Bool = { FileStep.status($0, followsLink: false) != nil }
    ) {
        let targets = zip(paths, names).map { $0.pathFolder.inFolder($1) }
        let uses = Dictionary(targets.map { ($0, 1) }, uniquingKeysWith: +)
        var problems = zip(names, targets).map { name, target -> String? in
            if (try? FileOperator.check(name)) == nil { return "not a name" }
            return uses[target] == 1 ? nil : "given twice"
        }
        // A file that stays keeps its name from the others, which stay then, too.
        var count = -1
        while count != problems.count(where: { $0 != nil }) {
            count = problems.count { $0 != nil }
            let leaving = Set(
                paths.indices.filter { problems[$0] == nil && targets[$0] != paths[$0] }.map { paths[$0] })
            for index in paths.indices where problems[index] == nil && targets[index] != paths[index] {
                if !leaving.contains(targets[index]), isTaken(targets[index]) { problems[index] = "taken" }
            }
        }
        rows = paths.indices.map { Row(path: paths[$0], name: names[$0], problem: problems[$0]) }
    }

    /// The rows of files that get another name.
    package var changes: [Row] { rows.filter { $0.isChanged && $0.problem == nil } }
}
