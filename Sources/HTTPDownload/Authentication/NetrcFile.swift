import Foundation
import Support

/// Why a `.netrc` file cannot be used; never says what stands in it.
public enum NetrcProblem: Error, Sendable, Hashable {
    /// It cannot be read; the text says why.
    case unreadable(String)
    /// It holds a zero byte or no UTF-8.
    case notText
    /// A word in this line is not one of the file's own.
    case unknownWord(line: Int)
    /// A word at the end of the file lacks its value.
    case missingValue
}

/// Users and passwords by host, as in the `.netrc` file of ftp and curl.
///
/// The format: GNU inetutils manual, "The .netrc file"; quoted values and `#` comments are curl's.
public struct NetrcFile: Sendable, Hashable {
    struct Entry: Sendable, Hashable {
        /// nil for the `default` entry.
        var host: String?
        var login: String?
        var password: String?
    }

    private(set) var entries: [Entry] = []

    /// The largest file that is read, in bytes.
    public static let sizeLimit = 1 << 20

    /// Reads the words of a file.
    public init(_ text: String) throws(NetrcProblem) {
        guard !text.utf8.contains(0) else { throw .notText }
        var words = NetrcWords(text)
        while let word = words.next() { try read(word, &words) }
    }

    /// Reads a file of up to 1 MiB.
    public init(contentsOf url: URL) throws(NetrcProblem) {
        let text: String?
        do { text = try RegularFile.text(at: url, limit: Self.sizeLimit) } catch {
            throw .unreadable(error.description)
        }
        guard let text else { throw .notText }
        try self.init(text)
    }

    private mutating func read(_ word: NetrcWords.Word, _ words: inout NetrcWords) throws(NetrcProblem) {
        switch word.text {
        case "machine": entries.append(Entry(host: try words.value().lowercased()))
        case "default": entries.append(Entry())
        case "macdef": words.skipMacro()
        case "login" where !entries.isEmpty: entries[entries.count - 1].login = try words.value()
        case "password" where !entries.isEmpty: entries[entries.count - 1].password = try words.value()
        case "account" where !entries.isEmpty: _ = try words.value()
        default: throw .unknownWord(line: word.line)
        }
    }

    /// The first complete entry of the host.
    func credential(for host: String) -> Credential? {
        entries.lazy.filter { $0.host == host.lowercased() }.compactMap(\.credential).first
    }

    /// The entry for hosts without one of their own.
    var defaultCredential: Credential? { entries.first { $0.host == nil }?.credential }
}

extension NetrcFile.Entry {
    fileprivate var credential: Credential? {
        guard let login, let password else { return nil }
        return .basic(user: login, password: password)
    }
}

extension NetrcFile: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "netrc with \(entries.count) entries" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
