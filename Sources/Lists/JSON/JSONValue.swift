/// One value of JSON (RFC 8259), an object's members in their order.
enum JSONValue: Hashable, Sendable {
    struct Member: Hashable, Sendable {
        var name: String
        var value: JSONValue
    }

    case null
    case flag(Bool)
    case number(Double)
    case text(String)
    case array([JSONValue])
    case object([Member])

    /// Where a text stops being JSON: the byte, from 1.
    struct Fault: Error, Hashable {
        var place: Int
    }

    /// Reads the text, which must hold one value and nothing else.
    init(_ text: Substring) throws(Fault) {
        var reader = JSONReader(Array(String(text).utf8))
        self = try reader.document()
    }
}
