/// The head of a request to the demo.
struct DemoRequest: Hashable, Sendable {
    var method: String
    /// The request target including its query.
    var target: String
    var fields: DemoFields

    /// Whether the client may send another request on the connection.
    var isKeepAlive = true

    init(method: String, target: String, fields: DemoFields = [:]) {
        (self.method, self.target, self.fields) = (method, target, fields)
    }

    /// Reads a head without its blank line; nil if it is not one of HTTP/1.
    init?(head: String) {
        var lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)[...]
        guard let words = lines.popFirst()?.split(separator: " ", omittingEmptySubsequences: false), words.count == 3,
            !words[0].isEmpty, !words[1].isEmpty, words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0"
        else { return nil }
        self.init(method: String(words[0]), target: String(words[1]))
        for line in lines {
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else { return nil }
            fields.add(line[..<colon], line[line.index(after: colon)...].trimmed)
        }
        let options = fields["Connection"].flatMap { $0.lowercased().split(separator: ",").map(\.trimmed) }
        isKeepAlive = words[2] == "HTTP/1.1" ? !options.contains("close") : options.contains("keep-alive")
        // Bodies are not read, so nothing may come after one.
        if !fields["Transfer-Encoding"].isEmpty || fields["Content-Length"].contains(where: { $0 != "0" }) {
            isKeepAlive = false
        }
    }
}

/// Header fields in order; names match in any case.
struct DemoFields: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    private struct Field: Hashable {
        let name: String
        let value: String
    }

    private var list: [Field] = []

    init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { add(name, value) }
    }

    /// The values of a field.
    subscript(_ name: String) -> [String] {
        list.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    /// The lines of a head, each with its line end.
    var lines: String { list.map { "\($0.name): \($0.value)\r\n" }.joined() }

    mutating func add(_ name: some StringProtocol, _ value: String) {
        list.append(Field(name: String(name), value: value))
    }
}

extension StringProtocol {
    /// The text without spaces and tabs around it.
    fileprivate var trimmed: String {
        let isSpace = { (character: Character) in character == " " || character == "\t" }
        guard let first = firstIndex(where: { !isSpace($0) }), let last = lastIndex(where: { !isSpace($0) }) else {
            return ""
        }
        return String(self[first...last])
    }
}
