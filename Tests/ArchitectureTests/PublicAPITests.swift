import Foundation
import TestSupport
import Testing

/// The public declarations of the libraries, which `docs/api` lists.
@Suite(.timeLimit(.minutes(1))) struct PublicAPITests {
    private static let targets = [
        "BrowserApp", "Config", "DiskCache", "ExponentialBackOff", "HTTPDownload", "HTTPRequests", "ImageCodecs",
        "ImageLoading", "KingfisherCompatibility", "Raster",
        "Retrying", "RetryingCombine",
        "Sandbox",
        "TerminalGraphics", "TerminalImageView",
    ]

    /// A declaration that appears or goes changes this list; delete the file and run the test twice to accept it.
    @Test(arguments: targets) func `the list of public declarations is up to date`(target: String) throws {
        let list = try #require(Self.lists.get()[target]).joined(separator: "\n")
        let golden = Self.root.appending(path: "docs/api/\(target).md")
        #expect(try Golden.mismatch(of: "# \(target)\n\n```swift\n\(list)\n```\n", at: golden) == nil)
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized

    private static func files(under folder: String, _ fileExtension: String) throws -> [URL] {
        let folder = root.appending(path: folder)
        let all = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        return all.compactMap { $0 as? URL }.filter { $0.pathExtension == fileExtension }
    }

    /// The declarations of each target, which both tests read.
    private static let lists = Result {
        Dictionary(uniqueKeysWithValues: try targets.map { ($0, try list(of: $0)) })
    }

    private static func list(of target: String) throws -> [String] {
        var declarations: [String] = []
        for file in try files(under: "Sources/\(target)", "swift") {
            var scanner = DeclarationScanner()
            for line in try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n") {
                scanner.read(line)
            }
            declarations += scanner.declarations
        }
        return declarations.sorted()
    }

    /// By the name of the member, without the labels of its parameters.
    @Test func `every symbol that a DocC page links is public`() throws {
        var known: Set<String> = []
        for list in try Self.lists.get().values {
            for line in list {
                let plain = line.replacing(#/<[^.]*?>/#, with: " ")
                let path = plain.prefixMatch(of: #/([A-Z]\w*\.)*/#)?.output.0.split(separator: ".") ?? []
                for name in plain.matches(of: #/\w+/#).map(\.output) {
                    known.insert((path + [name]).joined(separator: "/"))
                }
            }
        }
        for page in try Self.files(under: "Sources", "md") where page.path.contains(".docc/") {
            let text = try String(contentsOf: page, encoding: .utf8)
            let prose = text.replacing(#/```[\s\S]*?```/#, with: "")
            for link in prose.matches(of: #/``([A-Za-z0-9/]+)[^`]*``/#).map(\.output.1) {
                #expect(
                    known.contains(String(link)) || Self.targets.contains(String(link)),
                    "\(page.lastPathComponent): \(link)")
            }
        }
    }

    @Test func `the list names each public member with its type and omits internal ones`() {
        let text = """
            public struct A: Sendable {
                public let a: Int
                let b = { 1 }
                public init(
                    a: Int
                ) { self.a = a }
                public enum B {
                    case c(Int), d
                    func hidden() { switch self { case .c: break } }
                }
            }
            public protocol P {
                func f() -> Int
            }
            extension A {
                /// public func comment()
                @discardableResult
                public static func g<T>(_ t: T = .x) -> T where T: P { t }
                @available(*, unavailable, renamed: "g(_:)")
                public func h() {}
            }
            @available(*, unavailable, renamed: "A")
            public struct Old { public var x = 0 }
            struct Hidden { var x = 0 }
            open class C {
                public func i() {}
            }
            """
        var scanner = DeclarationScanner()
        for line in text.components(separatedBy: "\n") { scanner.read(line) }
        #expect(
            scanner.declarations == [
                "struct A: Sendable", "A.let a: Int", "A.init( a: Int )", "A.enum B", "A.B.case c(Int), d",
                "protocol P",
                "P.func f() -> Int", "A.static func g<T>(_ t: T = .x) -> T where T: P", "open class C", "C.func i()",
            ])
    }
}

/// Collects the public declarations of a file, line by line, by its braces.
private struct DeclarationScanner {
    private enum Context {
        case type(String, listsCases: Bool, listsMembers: Bool)
        case unavailable
        case other
    }

    private(set) var declarations: [String] = []
    private var contexts: [Context] = []
    /// The beginning of a declaration whose parentheses are still open.
    private var pending = ""
    /// Whether the next declaration is only a hint, which is an error to use.
    private var isUnavailable = false

    mutating func read(_ line: String) {
        var text = line.trimmingCharacters(in: .whitespaces)
        guard !text.hasPrefix("//") else { return }
        guard !text.hasPrefix("@available(*, unavailable") else {
            isUnavailable = true
            return
        }
        while text.hasPrefix("@"), let attribute = text.firstMatch(of: #/^@\w+(\([^)]*\))?\s*/#) {
            text.removeSubrange(attribute.range)
        }
        if !pending.isEmpty || isListed(text) {
            pending += (pending.isEmpty ? "" : " ") + text
            guard balance(pending, "(", ")") <= 0, !pending.hasSuffix(",") else { return }
            if !isUnavailable { add(pending) }
            text = pending
            pending = ""
        }
        openAndClose(text)
        if !text.isEmpty { isUnavailable = false }
    }

    private func isListed(_ text: String) -> Bool {
        guard !contexts.contains(where: { if case .unavailable = $0 { true } else { false } }) else { return false }
        if text.hasPrefix("public ") || text.hasPrefix("open ") { return true }
        guard case .type(_, let listsCases, let listsMembers) = contexts.last else { return false }
        if listsCases, text.hasPrefix("case ") { return true }
        return listsMembers && text.contains(#/^(static |mutating )*(func|var|init|associatedtype|subscript)\b/#)
    }

    private mutating func add(_ text: String) {
        guard !text.hasPrefix("public extension") else { return }
        var text = text.replacing(#/^public /#, with: "").replacing(#/^(internal|package)\(set\) /#, with: "")
        if let body = text.firstRange(of: #/\s*\{.*$/#) { text.removeSubrange(body) }
        if !text.hasPrefix("case "), !text.contains("("), let value = text.firstRange(of: " = ") {
            text = String(text[..<value.lowerBound])
        }
        let names = contexts.compactMap { if case .type(let name, _, _) = $0 { name } else { nil } }
        declarations.append((names + [text]).joined(separator: "."))
    }

    private mutating func openAndClose(_ text: String) {
        // Most lines have no brace, and a regular expression takes long.
        guard text.contains(where: { $0 == "{" || $0 == "}" }) else { return }
        let isType = text.firstMatch(
            of:
                #/^(?:public |open |package |private |fileprivate |internal |final |indirect )*(struct|class|enum|protocol|actor|extension) ([\w.]+)/#
        )
        var type = isType.map { match in
            let isPublic = text.hasPrefix("public ") || text.hasPrefix("open ")
            return Context.type(
                String(match.output.2), listsCases: isPublic && match.output.1 == "enum",
                listsMembers: isPublic && match.output.1 == "protocol")
        }
        var isInString = false
        for character in text {
            if character == "\"" { isInString.toggle() }
            guard !isInString else { continue }
            if character == "{" {
                contexts.append(isUnavailable ? .unavailable : type ?? .other)
                type = nil
            } else if character == "}" {
                _ = contexts.popLast()
            }
        }
    }

    private func balance(_ text: String, _ open: Character, _ close: Character) -> Int {
        text.reduce(0) { $0 + ($1 == open ? 1 : $1 == close ? -1 : 0) }
    }
}
