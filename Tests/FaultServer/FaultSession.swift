import AlcedoDemoServer

/// Reads the requests of one connection and plays the script of each.
struct FaultSession: Sendable {
    let responder: FaultServer.Responder
    let onAccept: FaultScript?
    let log: RequestLog
    let player: FaultPlayer
    let number: Int

    func serve() async {
        // A disconnecting client, or a script that closes, ends the connection with an error.
        try? await play()
    }

    private func play() async throws {
        if let onAccept { try await player.play(onAccept) }
        var buffer = HeadBuffer()
        while !buffer.isTooLong {
            let bytes = try await player.connection.read()
            if bytes.isEmpty { return }
            buffer.append(bytes)
            while let head = buffer.next() { try await respond(to: head) }
        }
    }

    private func respond(to head: String) async throws {
        let request = RecordedRequest(head: head, connection: number)
        let turn = await log.record(request)
        try await player.play(responder(request, turn))
    }
}
