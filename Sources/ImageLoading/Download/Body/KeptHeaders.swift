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
        names.compactMap { name in
            headers.first(name: name).map { value in
                "\(name): \(value.prefix(limit).filter { !$0.isNewline })"
            }
        }
    }
}
