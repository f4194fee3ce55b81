/// One request a scripted server has read.
public struct RecordedRequest: Hashable, Sendable {
    public let method: String
    /// The target as it was sent, with its query.
    public let path: String
    /// Which connection it came on, from 1, in the order they were accepted.
    public let connection: Int
    /// The head as it was sent, without the blank line.
    public let head: String

    init(head: String, connection: Int) {
        let words = head.prefix { $0 != "\r\n" }.split(separator: " ")
        method = words.first.map(String.init) ?? ""
        path = words.dropFirst().first.map(String.init) ?? ""
        self.head = head
        self.connection = connection
    }

    /// The values of a header field, in their order.
    public func values(of name: String) -> [String] {
        head.split(separator: "\r\n").dropFirst().compactMap { line in
            guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name.lowercased() else {
                return nil
            }
            return String(line[line.index(after: colon)...].drop { $0 == " " })
        }
    }
}
