import NIOHTTP1

/// A status as people know it: `404 Not Found`.
enum StatusPhrase {
    static func text(for code: Int) -> String {
        let phrase = HTTPResponseStatus(statusCode: code).reasonPhrase
        return phrase.isEmpty ? "status \(code)" : "\(code) \(phrase)"
    }
}
