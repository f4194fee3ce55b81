import NIOCore

/// One connection: reads requests, and plays the script of each.
struct FaultSession: Sendable {
    let script: FaultServer.Answer
    let onAccept: FaultScript?
    let log: RequestLog
    let player: FaultPlayer
    let number: Int

    /// Bytes of a request head at most; a longer one ends the connection.
    static let headLimit = 64 * 1024

    func serve(_ connection: NIOAsyncChannel<ByteBuffer, ByteBuffer>) async {
        // A client that leaves, or a script that closes, ends the connection by a thrown error.
        try? await connection.executeThenClose { inbound, _ in
            if let onAccept { try await player.play(onAccept) }
            var pending: [UInt8] = []
            for try await bytes in inbound {
                pending += bytes.readableBytesView
                while let head = Self.takeHead(from: &pending) { try await answer(head) }
                if pending.count > Self.headLimit { return }
            }
        }
    }

    private func answer(_ head: String) async throws {
        let request = RecordedRequest(head: head, connection: number)
        let turn = await log.record(request)
        try await player.play(script(request, turn))
    }

    /// Takes the bytes up to and with the first blank line off the front; nil when there is none yet.
    static func takeHead(from pending: inout [UInt8]) -> String? {
        let mark: [UInt8] = [13, 10, 13, 10]
        let starts = pending.indices.dropLast(mark.count - 1)
        guard let end = starts.first(where: { pending[$0...].starts(with: mark) }) else { return nil }
        defer { pending.removeFirst(end + mark.count) }
        return String(decoding: pending[..<end], as: UTF8.self)
    }
}
