/// The running transfers, eight of them in places that they keep until they end.
struct TransferBoard: Sendable, Equatable {
    struct Transfer: Sendable, Equatable {
        let name: String
        let host: String
        let start: Int
        /// Bytes on hand when it was first seen; they were not fetched since.
        let first: Int
        var received: Int
        var total: Int?

        /// Bytes a second since it was first seen; nil in its first half second.
        func rate(at now: Int) -> Int? {
            let elapsed = now - start
            guard elapsed >= 500 else { return nil }
            return Int(min(max(0, Double(received) - Double(first)) / Double(elapsed) * 1000, 1e15))
        }
    }

    static let places = 8

    private var transfers: [Int: Transfer] = [:]
    private var shown: [Int?] = Array(repeating: nil, count: TransferBoard.places)
    /// The most places that were ever taken: the block keeps that height.
    private(set) var height = 0

    var count: Int { transfers.count }

    /// What stands in a place.
    func transfer(at place: Int) -> Transfer? { shown[place].flatMap { transfers[$0] } }

    /// Takes word of a transfer and returns how many bytes came since the last.
    mutating func update(_ line: Int, name: String, host: String, received: Int, total: Int?, at now: Int) -> Int {
        let received = max(0, received)
        if let old = transfers[line] {
            transfers[line]?.received = received
            transfers[line]?.total = total
            return max(0, received - old.received)
        }
        transfers[line] = Transfer(
            name: SafeText.clean(name), host: SafeText.clean(host), start: now, first: received, received: received,
            total: total)
        if let place = shown.firstIndex(of: nil) { show(line, at: place) }
        return 0
    }

    /// Ends a transfer and returns the bytes it had; another one takes its place.
    mutating func end(_ line: Int) -> Int? {
        let old = transfers.removeValue(forKey: line)
        if let place = shown.firstIndex(of: line) {
            shown[place] = nil
            if let next = transfers.keys.filter({ !shown.contains($0) }).min() { show(next, at: place) }
        }
        return old?.received
    }

    private mutating func show(_ line: Int, at place: Int) {
        shown[place] = line
        height = max(height, place + 1)
    }
}
