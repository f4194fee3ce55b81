import AlcedoBrowserCore
import AlcedoConfig
import AlcedoLists
import AlcedoScreen
import AlcedoSupport
import FoundationEssentials
import Glibc

/// A list file of the failed items, each with its reason as a comment above it; it can be prefetched again.
///
/// It contains the addresses as they stand in the lists, with secrets, because they could not be loaded again
/// otherwise. A new file is therefore readable only by its owner.
final class FailureList {
    private var file: OpenFile?
    private var isBegun = false
    /// The first write error.
    private(set) var problem: String?

    /// Opens the file, device or FIFO at the path, or creates a file; existing contents stay until ``begin()``.
    init(path: String) throws(ProgramProblem) {
        // Without O_NONBLOCK, opening a FIFO would wait for its reader.
        let descriptor = path.withPath { open($0, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600) }
        guard descriptor >= 0 else {
            throw ProgramProblem("cannot write the failed list \(path): \(String(cString: strerror(errno)))")
        }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        file = OpenFile(descriptor)
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG { fchmod(descriptor, 0o600) }
    }

    /// Deletes the contents of an earlier run; called as soon as a part of the lists could be read.
    func begin() {
        guard !isBegun else { return }
        isBegun = true
        if let file { ftruncate(file.descriptor, 0) }
    }

    func add(_ entry: ListEntry, reason: String) {
        let lines = ["# \(SafeText.clean(reason))"] + Self.lines(of: entry)
        guard let file else { return }
        let failure = Console.writeAll(Data((lines.joined(separator: "\n") + "\n").utf8), to: file.descriptor)
        if failure != 0, problem == nil { problem = String(cString: strerror(failure)) }
    }

    func close() { file = nil }

    /// Returns the lines of an entry in a text list: its locations, then its options in indented lines.
    static func lines(of entry: ListEntry) -> [String] {
        [([entry.location] + entry.alternatives).map { inALine(location: $0) }.joined(separator: "\t")]
            + options(of: entry).map { name, value in "  \(name)=\(inALine(text: value))" }
    }

    private static func inALine(text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    /// Returns the location, or a URL in place of a path that a line cannot contain.
    private static func inALine(location: String) -> String {
        let isOdd = location.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F } || location.last == " "
        guard isOdd || location.hasPathEscapes, location.hasPrefix("/") else { return location }
        return URL(file: location).absoluteString
    }

    private static func options(of entry: ListEntry) -> [(name: String, value: String)] {
        let fields: [(name: String, value: String?)] = [
            ("title", entry.title.map { SafeText.clean(inALine(text: $0)) }), ("key", entry.key),
            ("low_data", entry.lowData),
            ("priority", entry.priority.map { "\($0)" }), ("ttl", entry.timeToLive.map { "\($0 / .seconds(1))" }),
            ("process", entry.process), ("sha256", entry.sha256), ("pin", entry.pin.map { "\($0)" }),
            ("tags", entry.tags.isEmpty ? nil : entry.tags.joined(separator: "|")),
            ("columns", entry.columns.isEmpty ? nil : JSONLine.text(of: entry.columns)),
        ]
        return fields.compactMap { field in field.value.map { (field.name, $0) } }
            + entry.headers.map { ("header", "\($0.name): \($0.value)") }
    }
}
