/// One line of a list, without its line end, or one element of a JSON array.
struct ListLine: Hashable {
    enum Fault: String, Error, Hashable {
        case tooLong = "the line is longer than 64 KiB"
        case recordTooLong = "the record is longer than 1 MiB"
        case notText = "the line is not valid UTF-8"
        case zero = "a NUL byte in the line"
        case openQuote = "a quoted field that is not closed"
        case openText = "a text that is not closed"
        case outside = "text outside of the array"
        case afterQuote = "text between a closing quote and the next separator"
    }

    /// From 1; where it begins, of an element.
    var number: Int
    var content: Result<String, Fault>

    /// The bytes as text, if they are.
    static func text(_ bytes: ArraySlice<UInt8>) throws(Fault) -> String {
        if bytes.contains(0) { throw .zero }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notText }
        return text
    }
}
