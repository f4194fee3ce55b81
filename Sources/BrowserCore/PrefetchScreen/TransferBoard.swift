/// The running transfers, eight of which have rows that they keep until they finish.
///
/// A host gets no more rows than it has connections, because its other transfers are still queued.
struct TransferBoard: Sendable, Equatable {
    struct Transfer: Sendable, Equatable {
        let name: String
        let host: String
        let start: Int
        /// Bytes that were present when the transfer began.
        let first: Int
        var received: Int
        var total: Int?

        /// Returns bytes per second since the transfer began; nil in the first half second.
        func rate(at now: Int) -> Int? {
            let elapsed = now - start
            guard elapsed >= 500 else { return nil }
            return Int(min(max(0, Double(received) - Double(first)) / Double(elapsed) * 1000, 1e15))
        }
    }

    static let places = 8

    private let limitPerHost: Int
    private var transfers: [Int: Transfer] = [:]
    private var shown: [Int?] = Array(repeating: nil, count: TransferBoard.places)
    /// The most rows that were ever used: the block keeps that height.
    private(set) var height = 0

    init(limitPerHost: Int = .max) { self.limitPerHost = max(1, limitPerHost) }

    var count: Int { transfers.count }

    /// Returns the transfer in a row.
    func transfer(at place: Int) -> Transfer? { shown[place].flatMap { transfers[$0] } }

    /// Adds or updates a transfer.
    mutating func update(_ line: Int, name: String, host: String, received: Int, total: Int?, at now: Int) {
        let received = max(0, received)
        if transfers[line] != nil {
            transfers[line]?.received = received
            transfers[line]?.total = total
            return
        }
        let transfer = Transfer(
            name: SafeText.clean(name), host: SafeText.clean(host), start: now, first: received, received: received,
            total: total)
        transfers[line] = transfer
        if let place = shown.firstIndex(of: nil), mayShow(transfer) { show(line, at: place) }
    }

    /// Removes a transfer; another one takes over its row.
    mutating func remove(_ line: Int) {
        transfers[line] = nil
        guard let place = shown.firstIndex(of: line) else { return }
        shown[place] = nil
        let others = transfers.filter { !shown.contains($0.key) }.sorted { $0.key < $1.key }
        if let next = others.first(where: { mayShow($0.value) }) { show(next.key, at: place) }
    }

    private func mayShow(_ transfer: Transfer) -> Bool {
        shown.count { $0.flatMap { transfers[$0] }?.host == transfer.host } < limitPerHost
    }

    private mutating func show(_ line: Int, at place: Int) {
        shown[place] = line
        height = max(height, place + 1)
    }
}
