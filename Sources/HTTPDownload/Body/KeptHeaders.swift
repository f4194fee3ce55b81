import NIOHTTP1

/// The headers of a response that are worth knowing later.
enum KeptHeaders {
    /// Those that say what the bytes are and how long they hold; no cookies, no credentials, nothing of the server's.
    private static let names = [
        "Content-Type", "Content-Encoding", "Content-Length", "Cache-Control", "Date", "Expires", "Age", "Vary",
    ]

    /// Bytes of one value at most.
    private static let limit = 256

    /// One a line, as `Name: value`.
    static func lines(of headers: HTTPHeaders) -> [String] {
        names.compactMap { name in headers.first(name: name).map { "\(name): \(line($0))" } }
    }

    private static func line(_ value: String) -> String {
        let isPlain = value.utf8.count <= limit && value.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        return isPlain ? value : value.prefix(limit).filter { !$0.isNewline }
    }
}
