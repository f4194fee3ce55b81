import AlcedoSupport
import FoundationEssentials

/// The reason why a `.netrc` file cannot be used; it contains nothing of the file's text.
public enum NetrcProblem: Error, Sendable, Hashable {
    /// The file cannot be read; the text says why.
    case unreadable(String)
    /// The file contains a zero byte or is not UTF-8.
    case notText
    /// The line contains an unknown keyword.
    case unknownWord(line: Int)
    /// A keyword at the end of the file has no value.
    case missingValue
}

/// Users and passwords by host, as in the `.netrc` file of ftp and curl.
///
/// The format is that of the GNU inetutils manual, "The .netrc file", with curl's quoted values and `#` comments.
public struct NetrcFile: Sendable, Hashable {
    struct Entry: Sendable, Hashable {
        /// The host in lower case; nil for the `default` entry.
        var host: String?
        var login: String?
        var password: String?
    }

    private(set) var entries: [Entry] = []

    /// The largest file size that is accepted, in bytes.
    package static let sizeLimit = 1 << 20

    /// Parses the text of a file.
    public init(_ text: String) throws(NetrcProblem) {
        guard !text.utf8.contains(0) else { throw .notText }
        var words = NetrcWords(text)
        while let word = words.next() { try read(word, &words) }
    }

    /// Reads and parses a file of up to 1 MiB.
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

    /// Returns the first entry of the host that has both a login and a password.
    func credential(for host: String) -> Credential? {
        entries.lazy.filter { $0.host == host.lowercased() }.compactMap(\.credential).first
    }

    /// The credential of the `default` entry, for hosts without an entry of their own.
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

/// A tokenizer of `.netrc` files.
struct NetrcWords {
    struct Word: Equatable {
        var text: String
        var line: Int
    }

    private var rest: Substring
    private var line = 1

    init(_ text: String) { rest = text[...] }

    /// Returns the next keyword; skips comments, which begin with `#` at the start of a word.
    mutating func next() -> Word? {
        skipSpace()
        while rest.first == "#" {
            rest = rest.drop { !$0.isNewline }
            skipSpace()
        }
        return nextValue()
    }

    /// Returns the next word as a value, in which `#` does not begin a comment.
    mutating func value() throws(NetrcProblem) -> String {
        skipSpace()
        guard let word = nextValue() else { throw .missingValue }
        return word.text
    }

    /// Skips a macro: everything up to the next empty line.
    mutating func skipMacro() {
        while !rest.isEmpty {
            let text = rest.prefix { !$0.isNewline }
            rest = rest[text.endIndex...].dropFirst()
            line += 1
            if text.isEmpty { return }
        }
    }

    private mutating func nextValue() -> Word? {
        guard let first = rest.first else { return nil }
        if first == "\"" { return quoted() }
        let text = rest.prefix { !$0.isWhitespace }
        rest = rest[text.endIndex...]
        return Word(text: String(text), line: line)
    }

    private mutating func quoted() -> Word {
        rest = rest.dropFirst()
        let began = line
        var text = ""
        while let character = rest.popFirst(), character != "\"" {
            if character.isNewline { line += 1 }
            text.append(character == "\\" ? Self.unescaped(rest.popFirst()) : character)
        }
        return Word(text: text, line: began)
    }

    private static func unescaped(_ character: Character?) -> Character {
        switch character {
        case "n": "\n"
        case "r": "\r"
        case "t": "\t"
        case let other?: other
        case nil: "\\"
        }
    }

    private mutating func skipSpace() {
        while let character = rest.first, character.isWhitespace {
            if character.isNewline { line += 1 }
            rest = rest.dropFirst()
        }
    }
}
