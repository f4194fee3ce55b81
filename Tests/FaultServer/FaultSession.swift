import NIOCore

/// Reads the requests of one connection and plays the script of each.
struct FaultSession: Sendable {
    let responder: FaultServer.Responder
    let onAccept: FaultScript?
    let log: RequestLog
    let player: FaultPlayer
    let number: Int

    /// The longest request head in bytes; a longer one closes the connection.
    static let headLimit = 64 * 1024

    func serve(_ connection: NIOAsyncChannel<ByteBuffer, ByteBuffer>) async {
        // A disconnecting client, or a script that closes, ends the connection with an error.
        try? await connection.executeThenClose { inbound, _ in
            if let onAccept { try await player.play(onAccept) }
            var pending: [UInt8] = []
            for try await bytes in inbound {
                pending += bytes.readableBytesView
                while let head = Self.extractHead(from: &pending) { try await respond(to: head) }
                if pending.count > Self.headLimit { return }
            }
        }
    }

    private func respond(to head: String) async throws {
        let request = RecordedRequest(head: head, connection: number)
        let turn = await log.record(request)
        try await player.play(responder(request, turn))
    }

    /// Removes and returns the bytes up to and including the first blank line; nil if there is none yet.
    static func extractHead(from pending: inout [UInt8]) -> String? {
        let mark: [UInt8] = [13, 10, 13, 10]
        let starts = pending.indices.dropLast(mark.count - 1)
        guard let end = starts.first(where: { pending[$0...].starts(with: mark) }) else { return nil }
        defer { pending.removeFirst(end + mark.count) }
        return String(decoding: pending[..<end], as: UTF8.self)
    }
}
