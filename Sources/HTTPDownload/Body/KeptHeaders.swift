import NIOHTTP1

/// The response headers that are stored with a download.
enum KeptHeaders {
    /// Headers that describe the bytes and their freshness, but no cookies, credentials or server information.
    private static let names = [
        "Content-Type", "Content-Encoding", "Content-Length", "Cache-Control", "Date", "Expires", "Age", "Vary",
    ]

    /// The maximum length of one value in bytes.
    private static let limit = 256

    /// Returns the stored headers, each as one line `Name: value`.
    static func lines(of headers: HTTPHeaders) -> [String] {
        names.compactMap { name in headers.first(name: name).map { "\(name): \(line($0))" } }
    }

    private static func line(_ value: String) -> String {
        let isPlain = value.utf8.count <= limit && value.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        return isPlain ? value : value.prefix(limit).filter { !$0.isNewline }
    }
}
