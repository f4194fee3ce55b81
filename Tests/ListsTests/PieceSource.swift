@testable import AlcedoLists

/// A source of given pieces, then the end or an error; idle before each empty piece.
struct PieceSource: ByteSource {
    var name = "pieces"
    var pieces: [[UInt8]]
    var failure: ListError?

    init(_ pieces: [[UInt8]], failure: ListError? = nil) {
        self.pieces = pieces
        self.failure = failure
    }

    func isIdle() async -> Bool { pieces.first == [] }

    mutating func read(line: Int) async throws(ListError) -> [UInt8] {
        while pieces.first == [] { pieces.removeFirst() }
        if !pieces.isEmpty { return pieces.removeFirst() }
        if let failure { throw failure }
        return []
    }
}

extension ByteSource {
    /// Returns the bytes before the end or the error.
    mutating func drain() async -> (bytes: [UInt8], error: ListError?) {
        var all: [UInt8] = []
        do {
            while true {
                let bytes = try await read(line: 0)
                if bytes.isEmpty { return (all, nil) }
                all += bytes
            }
        } catch {
            return (all, error)
        }
    }
}
