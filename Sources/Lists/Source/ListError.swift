/// Why a list cannot be read at all, or no further.
///
/// A bad line is not an error: it is a ``ListEvent/rejected(line:reason:)``.
public enum ListError: Error, Hashable, Sendable {
    case missing(file: String)
    /// The system refused to open or read it; the reason is the system's own.
    case unreadable(file: String, line: Int?, reason: String)
    /// The content is not text in lines.
    case notAList(file: String, line: Int?, reason: String)
    /// The argument is a URL that no picture can be loaded from.
    case badLocation(argument: String, reason: String)
    /// The reading task was cancelled; nothing is wrong with the list.
    case cancelled
}

extension ListError {
    init(_ missing: MissingEnd, of file: String) {
        self = .unreadable(file: file, line: missing.line, reason: missing.reason)
    }
}

extension ListError: CustomStringConvertible {
    /// One sentence: the file, the line where one is known, and what is wrong.
    public var description: String {
        switch self {
        case .missing(let file): "\(file): no such file or folder\(Self.hint(for: file))"
        case .unreadable(let file, let line, let reason): "\(Self.place(file, line)): cannot be read: \(reason)"
        case .notAList(let file, let line, let reason): "\(Self.place(file, line)): is not a list: \(reason)"
        case .badLocation(let argument, let reason): "\(argument): \(reason)"
        case .cancelled: "reading the list was cancelled"
        }
    }

    /// What else the name may have been meant as: an address without its scheme, or a command.
    private static func hint(for name: String) -> String {
        let host = name.prefix { $0 != "/" }.split(separator: ".", omittingEmptySubsequences: false)
        let isHost = host.count > 1 && (host.last?.count ?? 0) > 1 && host.last?.allSatisfy(\.isLetter) == true
        if isHost, name.contains("/") || name.hasPrefix("www.") { return "; a URL begins with https:// or http://" }
        return name.allSatisfy(\.isLetter) ? "; alcedo --help lists the commands" : ""
    }

    private static func place(_ file: String, _ line: Int?) -> String {
        line.map { "\(file):\($0)" } ?? file
    }
}
