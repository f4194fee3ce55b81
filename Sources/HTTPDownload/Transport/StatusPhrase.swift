import NIOHTTP1

/// The text of a status code: `404 Not Found`.
enum StatusPhrase {
    static func text(for code: Int) -> String {
        let phrase = HTTPResponseStatus(statusCode: code).reasonPhrase
        return phrase.isEmpty ? "status \(code)" : "\(code) \(phrase)"
    }
}
