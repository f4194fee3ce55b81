import BrowserCore
import Foundation
import Lists

/// A list of what failed that can be fed back, each reason as a comment above its line.
///
/// It holds addresses as the lists gave them, secrets included, or they could not be fetched again; so only its owner
/// can read it.
final class FailureList {
    private let handle: FileHandle

    /// Makes the file anew.
    init(path: String) throws(ProgramProblem) {
        let isMade = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        guard isMade, let handle = FileHandle(forWritingAtPath: path) else {
            throw ProgramProblem("cannot write the failed list \(path): \(String(cString: strerror(errno)))")
        }
        self.handle = handle
    }

    func add(_ entry: ListEntry, reason: String) {
        let lines = ["# \(SafeText.clean(reason))"] + Self.lines(of: entry)
        try? handle.write(contentsOf: Data((lines.joined(separator: "\n") + "\n").utf8))
    }

    func close() { try? handle.close() }

    /// The entry as a text list has it: its places, and what else the list said in indented lines.
    static func lines(of entry: ListEntry) -> [String] {
        [([entry.location] + entry.alternatives).joined(separator: "\t")]
            + options(of: entry).map { name, value in
                "  \(name)=\(value.split(whereSeparator: \.isNewline).joined(separator: " "))"
            }
    }

    private static func options(of entry: ListEntry) -> [(name: String, value: String)] {
        let fields: [(name: String, value: String?)] = [
            ("title", entry.title), ("key", entry.key), ("low_data", entry.lowData),
            ("priority", entry.priority.map { "\($0)" }), ("ttl", entry.timeToLive.map { "\($0 / .seconds(1))" }),
            ("process", entry.process), ("sha256", entry.sha256), ("pin", entry.pin.map { "\($0)" }),
            ("tags", entry.tags.isEmpty ? nil : entry.tags.joined(separator: "|")),
        ]
        return fields.compactMap { field in field.value.map { (field.name, $0) } }
            + entry.headers.map { ("header", "\($0.name): \($0.value)") }
    }
}
