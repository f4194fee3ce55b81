/// What a scripted server was asked, and who waits to hear of it.
actor RequestLog {
    private(set) var requests: [RecordedRequest] = []
    private(set) var connections = 0
    private var turns: [String: Int] = [:]
    private var arrivals: [(path: String, count: Int, gate: FaultGate)] = []

    func accept() -> Int {
        connections += 1
        return connections
    }

    /// Remembers the request and returns how many came for its path before.
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

    /// A gate that opens when so many requests came for the path.
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
