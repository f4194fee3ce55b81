/// The running transfers, eight of them in places that they keep until they end; no more of a host than it carries, as
/// others are only ready to go.
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

    private let limitPerHost: Int
    private var transfers: [Int: Transfer] = [:]
    private var shown: [Int?] = Array(repeating: nil, count: TransferBoard.places)
    /// The most places that were ever taken: the block keeps that height.
    private(set) var height = 0

    init(limitPerHost: Int = .max) { self.limitPerHost = max(1, limitPerHost) }

    var count: Int { transfers.count }

    /// What stands in a place.
    func transfer(at place: Int) -> Transfer? { shown[place].flatMap { transfers[$0] } }

    /// Takes word of a transfer.
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

    /// Ends a transfer; another one takes its place.
    mutating func end(_ line: Int) {
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
