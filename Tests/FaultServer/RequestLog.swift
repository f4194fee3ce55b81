/// The requests of a scripted server, and the waiters for some of them.
actor RequestLog {
    private(set) var requests: [RecordedRequest] = []
    private(set) var connections = 0
    private var turns: [String: Int] = [:]
    private var arrivals: [(path: String, count: Int, gate: FaultGate)] = []

    func accept() -> Int {
        connections += 1
        return connections
    }

    /// Stores a request and returns the number of earlier ones for its path.
    func record(_ request: RecordedRequest) -> Int {
        requests.append(request)
        let before = turns[request.path, default: 0]
        turns[request.path] = before + 1
        let firstDue = arrivals.partition { $0.path == request.path && before + 1 >= $0.count }
        for arrival in arrivals[firstDue...] { arrival.gate.open() }
        arrivals.removeSubrange(firstDue...)
        return before
    }

    func count(of path: String) -> Int { turns[path, default: 0] }

    /// Returns a gate that opens when a path has been requested `count` times.
    func arrival(of path: String, _ count: Int) -> FaultGate {
        let gate = FaultGate()
        if self.count(of: path) >= count {
            gate.open()
        } else {
            arrivals.append((path, count, gate))
        }
        return gate
    }
}

/// A request that a scripted server has read.
package struct RecordedRequest: Hashable, Sendable {
    package let method: String
    /// The request target including its query.
    package let path: String
    /// The number of the connection, from 1, in the order of acceptance.
    package let connection: Int
    /// The head without the blank line.
    package let head: String

    init(head: String, connection: Int) {
        let words = head.prefix { $0 != "\r\n" }.split(separator: " ")
        method = words.first.map(String.init) ?? ""
        path = words.dropFirst().first.map(String.init) ?? ""
        self.head = head
        self.connection = connection
    }

    /// Returns the values of a header field in order.
    package func values(of name: String) -> [String] {
        head.split(separator: "\r\n").dropFirst().compactMap { line in
            guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name.lowercased() else {
                return nil
            }
            return String(line[line.index(after: colon)...].drop { $0 == " " })
        }
    }
}
